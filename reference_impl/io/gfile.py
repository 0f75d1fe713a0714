"""``tf.io.gfile``: files and directories by TensorFlow's names, on the local disk."""

from __future__ import annotations

import glob as _glob
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import AlreadyExistsError, InvalidArgumentError, NotFoundError
from .files import failed as _failed

__all__ = [
    "GFile", "copy", "exists", "glob", "isdir", "join", "listdir", "makedirs", "mkdir", "remove", "rename", "rmtree",
    "stat", "walk",
]  # fmt: skip

_MODES = ("r", "w", "a", "r+", "w+", "a+")


class GFile:
    """A file that is opened when it is first used; a context manager.  ``"b"`` in the mode gives bytes."""

    def __init__(self, name: Any, mode: str = "r"):
        if mode.replace("b", "") not in _MODES:
            raise InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
        self._name, self._mode, self._file = os.fspath(name), mode, None

    @property
    def name(self) -> str:
        """The path."""
        return self._name

    @property
    def mode(self) -> str:
        """How it is opened."""
        return self._mode

    def _opened(self) -> Any:
        if self._file is None:
            text = {} if "b" in self._mode else {"encoding": "utf-8", "newline": ""}
            try:
                self._file = open(self._name, self._mode, **text)  # type: ignore[assignment,call-overload]  # noqa: SIM115
            except OSError as error:
                raise _failed(self._name, error) from None
        return self._file

    def read(self, n: int = -1) -> Any:
        """What is left, or ``n`` characters or bytes of it."""
        return self._opened().read(n)

    def readline(self) -> Any:
        """The next line with its end; nothing at the end of the file."""
        return self._opened().readline()

    def readlines(self) -> list:
        """The lines that are left."""
        return self._opened().readlines()

    def write(self, file_content: Any) -> None:
        """Write a text, or bytes."""
        self._opened().write(file_content)

    def size(self) -> int:
        """How many bytes the file has."""
        return stat(self._name).length

    def seek(self, offset: int, whence: int = 0) -> None:
        """Go to a place."""
        self._opened().seek(offset, whence)

    def tell(self) -> int:
        """The place in the file."""
        return self._opened().tell()

    def flush(self) -> None:
        """Write what is held back."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Close it."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is None and "r" not in self._mode:
            self._opened()  # a file to which nothing was written is there, too
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._opened())


@dataclass(frozen=True, slots=True)
class _Status:
    """``length`` in bytes, when it was changed in nanoseconds, and whether it is a directory."""

    length: int
    mtime_nsec: int
    is_directory: bool


def exists(path: Any) -> bool:
    """Whether there is a file or directory."""
    return os.path.exists(path)


def isdir(path: Any) -> bool:
    """Whether there is a directory."""
    return os.path.isdir(path)


def listdir(path: Any) -> list[str]:
    """The names in a directory.  NotFoundError where there is none."""
    if not os.path.isdir(path):
        raise NotFoundError(None, None, f"Could not find directory {path}")
    return sorted(os.listdir(path))


def glob(pattern: Any) -> list[str]:
    """The paths that fit a pattern, or one of several."""
    patterns = [pattern] if isinstance(pattern, (str, bytes, os.PathLike)) else pattern
    return [path for one in patterns for path in sorted(_glob.glob(os.fspath(one)))]


def makedirs(path: Any) -> None:
    """Make a directory and those around it, if there is none."""
    os.makedirs(path, exist_ok=True)


def mkdir(path: Any) -> None:
    """Make a directory.  NotFoundError where the one around it is missing, AlreadyExistsError where there is one."""
    try:
        os.mkdir(path)
    except FileExistsError as error:
        raise AlreadyExistsError(None, None, f"{path}; {error.strerror}") from None
    except OSError as error:
        raise _failed(path, error) from None


def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file.  AlreadyExistsError where there is one, unless it may be overwritten."""
    _check_free(dst, overwrite)
    try:
        shutil.copyfile(src, dst)
    except OSError as error:
        raise _failed(src, error) from None


def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file or directory another name.  AlreadyExistsError where there is one, unless it may be overwritten."""
    _check_free(dst, overwrite)
    try:
        os.replace(src, dst)
    except OSError as error:
        raise _failed(src, error) from None


def _check_free(path: Any, overwrite: bool) -> None:
    if not overwrite and os.path.exists(path):
        raise AlreadyExistsError(None, None, "file already exists")


def remove(path: Any) -> None:
    """Remove a file.  NotFoundError where there is none."""
    try:
        os.remove(path)
    except OSError as error:
        raise _failed(path, error) from None


def rmtree(path: Any) -> None:
    """Remove a directory with all that is in it."""
    try:
        shutil.rmtree(path)
    except OSError as error:
        raise _failed(path, error) from None


def stat(path: Any) -> _Status:
    """What is known of a file.  NotFoundError where there is none."""
    try:
        found = os.stat(path)
    except OSError as error:
        raise _failed(path, error) from None
    return _Status(found.st_size, found.st_mtime_ns, os.path.isdir(path))


def walk(top: Any, topdown: bool = True, onerror: Any = None) -> Iterator[tuple[str, list[str], list[str]]]:
    """Every directory in another one, with the directories and files in it."""
    for at, directories, files in os.walk(top, topdown, onerror):
        yield at, sorted(directories), sorted(files)


def join(path: Any, *paths: Any) -> Any:
    """Parts of a path, joined."""
    return os.path.join(path, *paths)
