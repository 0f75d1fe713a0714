"""Files read and written whole, by ops that take their names as tensors."""

from __future__ import annotations

import glob
import os
from typing import Any

from ..dtypes import string
from ..errors import NotFoundError, OpError, PermissionDeniedError, UnknownError, invalid, unnamed
from ..foundation.building import intercepted
from ..tensors.conversion import constant, convert_to_tensor
from ..tensors.tensor import EagerTensor


@intercepted
def read_file(filename: Any, name: str | None = None) -> EagerTensor:
    """All bytes of a file, a string of rank 0.  NotFoundError where there is none."""
    path = _path(filename, "ReadFile", "filename")
    try:
        with open(path, "rb") as file:
            return constant(file.read(), string)
    except OSError as error:
        raise _as_kernel("ReadFile", failed(path, error)) from None


@intercepted
def write_file(filename: Any, contents: Any, name: str | None = None) -> None:
    """Write a file, and make the directories it is to be in."""
    path = _path(filename, "WriteFile", "filename")
    data = convert_to_tensor(contents, string)
    if data.shape.rank:
        raise unnamed("WriteFile", f"Contents tensor must be scalar, but had shape: {data._a.shape}", name)
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as file:
            file.write(data.numpy())
    except OSError as error:
        raise _as_kernel("WriteFile", failed(path, error)) from None


@intercepted
def matching_files(pattern: Any, name: str | None = None) -> EagerTensor:
    """The names of the files that fit a pattern, or one of several, in order."""
    patterns = convert_to_tensor(pattern, string)._a.reshape(-1).tolist()
    found = sorted({path for one in patterns for path in glob.glob(one)})
    return constant(found, string, [len(found)])


def _path(filename: Any, kernel: str, word: str) -> str:
    given = convert_to_tensor(filename, string)
    if given.shape.rank:
        shape = f"[{','.join(map(str, given._a.shape))}]"
        raise unnamed(kernel, f"Input {word} tensor must be scalar, but had shape: {shape}")
    return given.numpy().decode()


def failed(path: str, error: OSError) -> OpError:
    """The error of TensorFlow for one of the system."""
    kinds: dict[type, Any] = {FileNotFoundError: NotFoundError, PermissionError: PermissionDeniedError}
    return kinds.get(type(error), UnknownError)(None, None, f"{path}; {error.strerror}")


def _as_kernel(kernel: str, error: OpError) -> OpError:
    """An error as it comes out of a kernel."""
    message = invalid(kernel, error.message).message.removesuffix(" name: ")
    return type(error)(None, None, message)  # type: ignore[call-arg]
