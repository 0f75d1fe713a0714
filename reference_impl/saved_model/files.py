"""Files of saved models and checkpoints: JSON beside arrays in an uncompressed npz, read with suspicion.

Arrays are never pickled: strings go into the JSON, dtypes that NumPy lacks are stored as bytes.  What is no such file
raises OSError, and nothing is changed.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from typing import Any

import numpy as np

from ..dtypes import as_dtype

FORMAT, VERSION = "reference_impl.saved_model", 1
FILENAME, ARRAYS = "saved_model.json", "variables.npz"
_PLAIN = "biufc"


class Arrays:
    """Arrays that are to be written, each known by a key in the JSON."""

    def __init__(self) -> None:
        self.kept: dict[str, np.ndarray] = {}

    def put(self, array: Any) -> dict:
        """Keep an array; what the JSON says of it."""
        a = np.asarray(array)
        dtype, shape = as_dtype(a.dtype).name, list(a.shape)
        if dtype == "string":
            return {"dtype": dtype, "shape": shape, "text": [bytes(v).hex() for v in a.ravel().tolist()]}
        key = f"a{len(self.kept)}"
        self.kept[key] = a if a.dtype.kind in _PLAIN else np.frombuffer(a.tobytes(), np.uint8)
        return {"dtype": dtype, "shape": shape, "array": key}


def taken(said: dict, arrays: dict[str, np.ndarray]) -> Any:
    """The array the JSON speaks of; a scalar for an empty shape.  ValueError when they do not agree."""
    want, shape = as_dtype(said["dtype"]).numpy, tuple(int(s) for s in said["shape"])
    if "text" in said:
        out = np.empty(len(said["text"]), object)
        out[:] = [bytes.fromhex(t) for t in said["text"]]
        return out.reshape(shape)
    a = arrays[said["array"]]
    if want.kind not in _PLAIN:
        a = a.view(want).reshape(shape)
    if a.dtype != want or a.shape != shape:
        raise ValueError(f"the array {said['array']!r} is {a.dtype}{list(a.shape)}, not {want}{list(shape)}")
    return a[()] if not shape else a


def bad_file(path: str, why: str) -> OSError:
    """The error for a file that is not what it should be."""
    return OSError(f"Cannot parse file {path!r}: {why}")


# ---------------------------------------------------------------------------------------------- writing


def write_folder(folder: str, content: dict, arrays: Arrays) -> None:
    """Write both files, each whole or not at all."""
    os.makedirs(folder, exist_ok=True)
    whole = {"format": FORMAT, "version": VERSION, **content}
    replace(os.path.join(folder, ARRAYS), npz(arrays.kept))
    replace(os.path.join(folder, FILENAME), json.dumps(whole, indent=1, allow_nan=False).encode())


def npz(arrays: dict[str, np.ndarray]) -> bytes:
    """Arrays as the bytes of an uncompressed npz."""
    out = io.BytesIO()
    np.savez(out, **arrays)  # type: ignore[arg-type]
    return out.getvalue()


def replace(path: str, data: bytes) -> None:
    """Write a file by way of another beside it."""
    handle, beside = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=os.path.basename(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


# ---------------------------------------------------------------------------------------------- reading


def contains_saved_model(export_dir: Any) -> bool:
    """True when a folder holds a saved model of this engine."""
    return os.path.isfile(os.path.join(os.fspath(export_dir), FILENAME))


def read_folder(folder: str) -> tuple[dict, dict[str, np.ndarray], str]:
    """The JSON, the arrays and the path of the JSON.  OSError for what is no saved model of this version."""
    path = os.path.join(folder, FILENAME)
    if not os.path.isfile(path):
        if os.path.isfile(os.path.join(folder, "saved_model.pb")):
            raise bad_file(os.path.join(folder, "saved_model.pb"), "it was written by TensorFlow, not by this engine")
        raise OSError(f"SavedModel file does not exist at: {folder}{os.path.sep}{{{FILENAME}}}")
    content = read_json(path, FORMAT)
    return content, read_npz(os.path.join(folder, ARRAYS)), path


def read_json(path: str, wanted: str) -> dict:
    """The JSON of a file of a format and of this version or an older one."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (ValueError, RecursionError) as error:
        raise bad_file(path, f"it is no JSON ({error})") from None
    check_format(content, path, wanted)
    return content


def check_format(content: Any, path: str, wanted: str) -> None:
    """OSError unless the JSON says that it is of a format, and of this version or an older one."""
    if not isinstance(content, dict) or content.get("format") != wanted:
        raise bad_file(path, f"it does not say that it is a {wanted}")
    version = content.get("version")
    if not isinstance(version, int) or version < 1:
        raise bad_file(path, f"its version is {version!r}")
    if version > VERSION:
        raise bad_file(path, f"it was written by a newer version (format {version}; this one reads up to {VERSION})")


def read_npz(path: str) -> dict[str, np.ndarray]:
    """The arrays of an uncompressed npz.  OSError when it is missing, damaged, compressed or holds objects."""
    if not os.path.isfile(path):
        raise OSError(f"File does not exist: {path}")
    try:
        with zipfile.ZipFile(path) as archive:
            return {name.removesuffix(".npy"): _member(archive, name) for name in archive.namelist()}
    except (zipfile.BadZipFile, ValueError, EOFError, KeyError, NotImplementedError, SyntaxError) as error:
        raise bad_file(path, f"it is no npz of plain arrays ({error})") from None


def _member(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    if archive.getinfo(name).compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{name} is compressed")
    data = archive.read(name)
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    shape, _, dtype = (
        np.lib.format.read_array_header_1_0(stream)
        if version == (1, 0)
        else np.lib.format.read_array_header_2_0(stream)
    )
    size = dtype.itemsize
    for s in shape:
        size *= s
    if dtype.hasobject or size != len(data) - stream.tell():
        raise ValueError(f"{name} does not hold what it says")
    return np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
