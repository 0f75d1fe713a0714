"""Checkpoints: the values of everything that hangs on an object, written to one file and read back by name.

    checkpoint = Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.write("folder/name")      # makes folder/name.npz
    checkpoint.read(path).assert_consumed()

A value is known by its path through attributes, as in TensorFlow: ``model/w/.ATTRIBUTES/VARIABLE_VALUE``.  The file is
an uncompressed npz of plain arrays (see saved_model/files.py); one that is damaged or foreign changes nothing.
"""

from __future__ import annotations

import json
import os
import re
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from .conversion import convert_to_tensor
from .errors import NotFoundError
from .saved_model.files import Arrays, bad_file, check_format, npz, read_npz, replace, taken
from .saved_model.trackables import children, inner_variable, is_trackable
from .variable import ResourceVariable

FORMAT = "reference_impl.checkpoint"
_GRAPH, _SUFFIX = "_CHECKPOINTABLE_OBJECT_GRAPH", "/.ATTRIBUTES/VARIABLE_VALUE"


class Checkpoint:
    """``Checkpoint(root=None, **objects)``: what hangs on the root and on the keywords is written and read together."""

    def __init__(self, root: Any = None, **kwargs: Any):
        for name, value in {**({} if root is None else {"root": root}), **kwargs}.items():
            if not is_trackable(value) and not isinstance(value, (list, tuple, dict)):
                raise ValueError(
                    f"`Checkpoint` was expecting {name} to be a trackable object (an object derived from `Trackable`), "
                    f"got {value}. If you believe this object should be trackable (i.e. it is part of the TensorFlow "
                    "Python API and manages state), please open an issue."
                )
        self._root = root
        self._save_counter: Any = None
        for name, value in kwargs.items():
            setattr(self, name, value)

    def _tracked_(self) -> dict[str, Any]:
        own = {k: v for k, v in vars(self).items() if k not in ("_root", "_save_counter")}
        if self._save_counter is not None:
            own["save_counter"] = self._save_counter
        return {**({} if self._root is None else dict(children(self._root))), **own}

    @property
    def save_counter(self) -> ResourceVariable:
        """How often ``save`` was called."""
        if self._save_counter is None:
            self._save_counter = ResourceVariable(np.int64(0), trainable=False, name="save_counter")
        return self._save_counter

    def write(self, file_prefix: Any, options: Any = None) -> str:
        """Write all values to ``file_prefix + ".npz"``; returns the prefix."""
        prefix = os.fspath(file_prefix)
        os.makedirs(os.path.dirname(prefix) or ".", exist_ok=True)
        arrays = Arrays()
        said = {path + _SUFFIX: arrays.put(v._peek()) for path, v in _variables(self)}
        head = json.dumps({"format": FORMAT, "version": 1, "values": said}).encode()
        replace(f"{prefix}.npz", npz({**arrays.kept, _GRAPH: np.frombuffer(head, np.uint8)}))
        return prefix

    def save(self, file_prefix: Any, options: Any = None) -> str:
        """As ``write``, with a running number after the prefix: ``"name-1"``, ``"name-2"`` ..."""
        number = int(self.save_counter.assign_add(1))
        prefix = self.write(f"{os.fspath(file_prefix)}-{number}")
        _note_latest(prefix)
        return prefix

    def read(self, save_path: Any, options: Any = None) -> LoadStatus:
        """Assign the values of a file to what hangs here by the same names.

        NotFoundError when there is no file, OSError for one that is no checkpoint, ValueError for a wrong shape; then
        nothing is assigned.
        """
        found = values_of(os.fspath(save_path))
        matched, unmatched, used = [], [], set()
        for path, variable in _variables(self, shared=True):
            if path + _SUFFIX in found:
                used.add(path + _SUFFIX)
                matched.append((variable, _fitting(found[path + _SUFFIX], variable)))
            else:
                unmatched.append(variable)
        for variable, value in matched:
            variable._store(value, False)
        known = {id(v._handle) for v, _ in matched}
        return LoadStatus([v for v in unmatched if id(v._handle) not in known], sorted(set(found) - used), len(matched))

    def restore(self, save_path: Any, options: Any = None) -> LoadStatus:
        """As ``read``; None reads nothing."""
        if save_path is None:
            return LoadStatus([], [], 0)
        self.save_counter  # noqa: B018 - made before it is looked for in the file
        return self.read(save_path)


class LoadStatus:
    """What became of a ``read``."""

    def __init__(self, unmatched: list, unused: list[str], matched: int):
        self._unmatched, self._unused, self._matched = unmatched, unused, matched

    def assert_consumed(self) -> LoadStatus:
        """AssertionError unless every variable got a value and every value was used."""
        self.assert_existing_objects_matched()
        if self._unused:
            path = self._unused[0].removesuffix(_SUFFIX).replace("/", ".")
            raise AssertionError(
                f'Unresolved object in checkpoint (root).{path}: attributes {{\n  name: "VARIABLE_VALUE"\n  '
                f'checkpoint_key: "{self._unused[0]}"\n}}\n'
            )
        return self

    def assert_existing_objects_matched(self) -> LoadStatus:
        """AssertionError unless every variable got a value."""
        if self._unmatched:
            count = len(self._unmatched)
            raise AssertionError(
                f"Found {count} Python objects that were not bound to checkpointed values, likely due to changes in "
                f"the Python program. Showing {min(count, 10)} of {count} unmatched objects: {self._unmatched[:10]}"
            )
        return self

    def assert_nontrivial_match(self) -> LoadStatus:
        """AssertionError unless some variable got a value."""
        if not self._matched:
            raise AssertionError("Nothing to load, or no variable got a value.")
        return self

    def expect_partial(self) -> LoadStatus:
        """Say that values may be left over."""
        return self


def _variables(root: Any, shared: bool = False) -> Iterator[tuple[str, ResourceVariable]]:
    """The variables that hang on an object with their paths, breadth first; ``shared``: by every path to them."""
    seen, left = {id(root)}, deque([("", root)])
    done: set[int] = set()
    while left:
        path, value = left.popleft()
        for name, child in children(value):
            place = f"{path}/{_escaped(name)}" if path else _escaped(name)
            variable = inner_variable(child)
            if variable is not None:
                if shared or id(variable._handle) not in done:
                    done.add(id(variable._handle))
                    yield place, variable
            elif id(child) not in seen:
                seen.add(id(child))
                left.append((place, child))


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def _fitting(value: Any, variable: ResourceVariable) -> Any:
    a = convert_to_tensor(value)._a
    if a.dtype != variable._peek().dtype or not variable.shape.is_compatible_with(a.shape):
        shape = f"({', '.join(map(str, a.shape))}{',' * (a.ndim == 1)})"
        raise ValueError(
            f"Received incompatible tensor with shape {shape} when attempting to restore variable with shape "
            f"{variable.shape} and name {variable.name}."
        )
    return a


# ---------------------------------------------------------------------------------------------- files


def values_of(prefix: str) -> dict[str, Any]:
    """The arrays of a checkpoint by their keys.  NotFoundError when there is none, OSError for what is none."""
    path = f"{prefix}.npz"
    if not os.path.isfile(path):
        raise NotFoundError(
            None, None,
            f"Error when restoring from checkpoint or SavedModel at {prefix}: Unsuccessful TensorSliceReader "
            f"constructor: Failed to find any matching files for {prefix}\nPlease double-check that the path is "
            "correct. You may be missing the checkpoint suffix (e.g. the '-1' in 'path/to/ckpt-1').",
        )  # fmt: skip
    arrays = read_npz(path)
    try:
        head = json.loads(arrays.pop(_GRAPH).tobytes())
        check_format(head, path, FORMAT)
        return {str(key): taken(said, arrays) for key, said in head["values"].items()}
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise bad_file(path, f"it is no checkpoint ({type(error).__name__}: {error})") from None


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """The keys and shapes in a checkpoint."""
    prefix = os.fspath(ckpt_dir_or_file)
    found = values_of(latest_checkpoint(prefix) or prefix if os.path.isdir(prefix) else prefix)
    return [(_GRAPH, []), *((key, list(np.shape(a))) for key, a in sorted(found.items()))]


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """One value of a checkpoint by its key."""
    found = values_of(os.fspath(ckpt_dir_or_file))
    key = name.removesuffix(":0")
    if key not in found:
        raise NotFoundError(None, None, f"Key {key} not found in checkpoint")
    return found[key]


def _note_latest(prefix: str) -> None:
    folder, name = os.path.split(prefix)
    replace(os.path.join(folder, "checkpoint"), json.dumps({"model_checkpoint_path": name}).encode())


def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The prefix that ``save`` last wrote in a folder, None when there is none."""
    folder = os.fspath(checkpoint_dir)
    try:
        with open(os.path.join(folder, latest_filename or "checkpoint"), encoding="utf-8") as file:
            name = str(json.load(file)["model_checkpoint_path"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    prefix = os.path.join(folder, os.path.basename(name))
    return prefix if os.path.isfile(f"{prefix}.npz") else None


class CheckpointManager:
    """Keeps the last ``max_to_keep`` checkpoints of a folder."""

    def __init__(self, checkpoint: Checkpoint, directory: Any, max_to_keep: int | None, checkpoint_name: str = "ckpt"):
        self.checkpoint, self.directory, self._most = checkpoint, os.fspath(directory), max_to_keep
        self._prefix = os.path.join(self.directory, checkpoint_name)
        pattern = re.compile(re.escape(checkpoint_name) + r"-(\d+)\.npz")
        names = os.listdir(self.directory) if os.path.isdir(self.directory) else []
        found = sorted(int(m[1]) for m in map(pattern.fullmatch, names) if m)
        self._kept = [f"{self._prefix}-{n}" for n in found]

    @property
    def checkpoints(self) -> list[str]:
        """The prefixes that are kept, oldest first."""
        return list(self._kept)

    @property
    def latest_checkpoint(self) -> str | None:
        """The newest prefix, None when there is none."""
        return self._kept[-1] if self._kept else None

    def save(self, checkpoint_number: int | None = None) -> str:
        """Write one more, and remove the oldest when there are too many."""
        if checkpoint_number is None:
            prefix = self.checkpoint.save(self._prefix)
        else:
            prefix = self.checkpoint.write(f"{self._prefix}-{int(checkpoint_number)}")
            _note_latest(prefix)
        self._kept.append(prefix)
        while self._most is not None and len(self._kept) > self._most:
            os.unlink(f"{self._kept.pop(0)}.npz")
        return prefix

    def restore_or_initialize(self) -> str | None:
        """Read the newest, if there is one; its prefix."""
        if self.latest_checkpoint is not None:
            self.checkpoint.restore(self.latest_checkpoint)
        return self.latest_checkpoint
