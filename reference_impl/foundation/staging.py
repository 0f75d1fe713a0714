"""Errors of the user's code inside what TensorFlow traces: the same class where that can be made, and the places."""

from __future__ import annotations

import linecache
import os
from typing import Any

from ..errors import InaccessibleTensorError, OperatorNotAllowedInGraphError, OpError

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class StagingError(Exception):
    """What TensorFlow makes of an error of traced code when it cannot make one of the same class."""


class MultilineKeyError(KeyError):
    """A KeyError whose text is shown as it is."""

    def __str__(self) -> str:
        return str(self.args[0])


MultilineKeyError.__name__ = "KeyError"


_BY_TEXT = (
    AssertionError, AttributeError, NameError, NotImplementedError, RuntimeError, StopIteration, TypeError,
    UnboundLocalError, ValueError, OperatorNotAllowedInGraphError, InaccessibleTensorError,
)  # fmt: skip


def again(error: Exception, text: str) -> Exception:
    """An error of the same class with another text; StagingError where that cannot be made."""
    kind = type(error)
    if kind in _BY_TEXT or kind.__init__ is Exception.__init__:
        return kind(text)
    if kind is KeyError:
        return MultilineKeyError(text)
    if isinstance(error, OpError):
        return kind(None, None, text)  # type: ignore[call-arg]
    return StagingError(text)


def in_user_code(error: Exception, lines: list[str]) -> str:
    """The text of an error with the places in the user's code."""
    inner = "\n".join("    " + line for line in f"{type(error).__name__}: {error}".split("\n"))
    return f"in user code:\n\n{''.join(lines)}\n{inner}\n"


def staged(error: Exception, kind: type[Exception] | None = None) -> Exception:
    """An error as it leaves a loop that TensorFlow traces; of another class where one is given."""
    text = in_user_code(error, [_place(frame, line) for frame, line in _frames(error) if not _ours(frame)])
    return again(error, text) if kind is None else kind(text)


def raised_by_user(error: Exception) -> bool:
    """Whether the line that raised it is none of the engine's."""
    frames = _frames(error)
    return bool(frames) and not _ours(frames[-1][0])


def _frames(error: Exception) -> list[tuple[Any, int]]:
    found, traceback = [], error.__traceback__
    while traceback is not None:
        found.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return found


def _ours(frame: Any) -> bool:
    return frame.f_code.co_filename.startswith(_PACKAGE)


def _place(frame: Any, line: int) -> str:
    code = frame.f_code
    source = linecache.getline(code.co_filename, line, frame.f_globals).rstrip()
    return f'    File "{code.co_filename}", line {line}, in {code.co_name}\n        {source.strip()}\n'
