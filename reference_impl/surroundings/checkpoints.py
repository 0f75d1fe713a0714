"""Checkpoints: the values of everything that hangs on an object, written to one file and read back by name.

    checkpoint = Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.write("folder/name")      # makes folder/name.npz
    checkpoint.read(path).assert_consumed()

A value is known by its shortest path through attributes, as in TensorFlow: ``model/w/.ATTRIBUTES/VARIABLE_VALUE``; its
other paths stand beside it, so that it is found when only they lead to the variable.  The file is an uncompressed npz
of plain arrays (see saved_model/files.py); one that is damaged or foreign changes nothing.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

import numpy as np

from ..errors import NotFoundError
from ..foundation.arrivals import arrived, listeners
from ..saved_model.files import Arrays, bad_file, check_format, npz, read_npz, replace, taken
from ..saved_model.trackables import children, is_trackable
from ..tensors.variable import ResourceVariable
from .restoring import SUFFIX, CheckpointLoadStatus, Restoration, variables_of

FORMAT = "reference_impl.checkpoint"
_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"


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

    def __setattr__(self, name: str, value: Any) -> None:
        if listeners:
            arrived(self, name, value)
        object.__setattr__(self, name, value)

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
        named = {id(v._handle): path for path, v in variables_of(self)}
        said = {path + SUFFIX: arrays.put(v._peek()) for path, v in variables_of(self)}
        paths = ((path, named[id(v._handle)]) for path, v in variables_of(self, shared=True))
        also = {path: name for path, name in paths if path != name}
        head = json.dumps({"format": FORMAT, "version": 1, "values": said, "also": also}).encode()
        replace(f"{prefix}.npz", npz({**arrays.kept, _GRAPH: np.frombuffer(head, np.uint8)}))
        return prefix

    def save(self, file_prefix: Any, options: Any = None) -> str:
        """As ``write``, with a running number after the prefix: ``"name-1"``, ``"name-2"`` ..."""
        number = int(self.save_counter.assign_add(1))
        prefix = self.write(f"{os.fspath(file_prefix)}-{number}")
        _note_latest(prefix)
        return prefix

    def read(self, save_path: Any, options: Any = None) -> CheckpointLoadStatus:
        """Assign the values of a file to what hangs here by the same names, now or later.

        NotFoundError when there is no file, OSError for one that is no checkpoint, ValueError for a wrong shape; then
        nothing is assigned.
        """
        restoration = Restoration(self, *_stored(os.fspath(save_path)))
        restoration.begin()
        return CheckpointLoadStatus(restoration)

    def restore(self, save_path: Any, options: Any = None) -> CheckpointLoadStatus:
        """As ``read``; None reads nothing."""
        if save_path is None:
            return CheckpointLoadStatus()
        self.save_counter  # noqa: B018 - made before it is looked for in the file
        return self.read(save_path)


# ---------------------------------------------------------------------------------------------- files


def values_of(prefix: str) -> dict[str, Any]:
    """The arrays of a checkpoint by their keys.  NotFoundError when there is none, OSError for what is none."""
    return _stored(prefix)[0]


def _stored(prefix: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The arrays of a checkpoint by their keys, and the other paths of values with the paths in their keys."""
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
        also = {str(path): str(name) for path, name in head.get("also", {}).items()}
        return {str(key): taken(said, arrays) for key, said in head["values"].items()}, also
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
            self.checkpoint.save_counter.assign_add(1)
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
