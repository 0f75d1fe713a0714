"""What ``fit`` goes through: batches of arrays or of a Dataset, a part kept for validation, weights of classes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import nest
from ..ops.casting import cast
from ..tensors.conversion import convert_to_tensor
from .policy import floatx
from .py_dataset import PyDataset, batches_of


def unpacked(data: Any) -> tuple[Any, Any, Any]:
    """Inputs, labels and weights of a batch that may lack the last ones."""
    if isinstance(data, list):
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    if len(data) > 3:
        raise ValueError(
            "Data is expected to be in format `x`, `(x,)`, `(x, y)`, or `(x, y, sample_weight)`, found: " + str(data)
        )
    return (*data, *(None,) * (3 - len(data)))  # type: ignore[return-value]


class Batches:
    """``for data in Batches(...)``: what a step takes, ``(x, y)`` or ``(x, y, weights)``, each time once through.

    ``x`` is arrays, gone through in a new order when ``shuffle`` is set, or a Dataset or another iterable of batches,
    which is gone through as it is.
    """

    def __init__(
        self, x: Any, y: Any = None, weights: Any = None, size: int | None = None, shuffle: bool = False,
        steps: int | None = None, class_weight: dict[int, float] | None = None,
    ):  # fmt: skip
        self._class_weight, self._steps, self._shuffle = class_weight, steps, shuffle
        self._by_number = isinstance(x, PyDataset)
        self._ready = self._by_number or hasattr(x, "element_spec") or hasattr(x, "__next__")
        self._given = x if self._ready else [None if v is None else _arrays(v) for v in (x, y, weights)]
        self._size = size or 32
        self._left: Iterator[Any] | None = None  # where the next time goes on, when ``steps`` are counted
        self._seen = 0
        if not self._ready:
            _check_rows(self._given)
        else:
            kind = "tf.data.Dataset" if hasattr(x, "element_spec") else "generator"
            kind = "PyDataset" if self._by_number else kind
            for name, what, value in (("y", "the targets", y), ("sample_weights", "the sample weights", weights)):
                if value is not None:
                    raise ValueError(
                        f"When providing `x` as a {kind}, `{name}` should not be passed. Instead, {what} should be "
                        f"included as part of the {kind}."
                    )
        if self._by_number:
            x.on_epoch_end()
        if self._ready and shuffle and not (self._by_number and x.num_batches is not None):
            _warn_of_shuffling("PyDataset" if self._by_number else kind)

    @property
    def count(self) -> int | None:
        """How many batches there are, None when only going through them tells."""
        return self._all if self._steps is None else self._steps

    @property
    def _rows(self) -> int:
        return len(nest.flatten(self._given[0])[0])

    @property
    def _all(self) -> int | None:
        """How many batches there are in all, however many steps are asked for; None when that is not known."""
        if self._by_number:
            return self._given.num_batches
        if self._ready:
            known = int(self._given.cardinality()) if hasattr(self._given, "cardinality") else -1
            return known if known >= 0 else None
        return -(-self._rows // self._size)

    def _begun(self) -> Iterator[Any]:
        self._seen = 0
        if self._by_number:
            return (as_tensors(batch) for batch in batches_of(self._given, self._shuffle))
        return iter(self._given if self._ready else self._slices())

    def __iter__(self) -> Iterator[Any]:
        if self._steps is None or self._left is None:
            self._left = self._begun()
        if self._by_number:
            self._given.on_epoch_begin()
        yield from self._steps_of_an_epoch()
        if self._by_number:
            self._given.on_epoch_end()

    def _steps_of_an_epoch(self) -> Iterator[Any]:
        step = 0
        while self._left is not None and (self._steps is None or step < self._steps):
            data = next(self._left, _NOTHING)
            if data is _NOTHING:
                if self._steps is not None or step == 0:
                    _warn_of_the_end()
                self._left = None
                return
            step, self._seen = step + 1, self._seen + 1
            yield self._weighted(data)
        if self._steps is not None and self._seen == self._all:
            self._left = self._begun()

    def _weighted(self, data: Any) -> Any:
        if self._class_weight is None:
            return data
        x, y, _ = unpacked(data)
        return x, y, class_weights(y, self._class_weight)

    def _slices(self) -> Iterator[tuple[Any, ...]]:
        order = np.random.permutation(self._rows) if self._shuffle else np.arange(self._rows)
        last = max(k for k, v in enumerate(self._given) if v is not None)
        alone = last == 0 and not isinstance(self._given[0], (tuple, list))
        for start in range(0, self._rows, self._size):
            rows = order[start : start + self._size]
            taken = tuple(_taken(v, rows) for v in self._given[: last + 1])
            yield taken[0] if alone else taken


_NOTHING: Any = object()
_SHUFFLED = {
    "tf.data.Dataset": "a tf.data.Dataset. The Dataset is expected to already be shuffled (via "
    "`.shuffle(buffer_size)`).",
    "generator": "a generator. The generator is expected to yield already-shuffled data.",
    "PyDataset": "an infinite PyDataset. The PyDataset is expected to already be shuffled.",
}


def _warn_of_shuffling(kind: str) -> None:
    warnings.warn(
        f"`shuffle=True` was passed, but will be ignored since the data `x` was provided as {_SHUFFLED[kind]}",
        stacklevel=4,
    )


def _warn_of_the_end() -> None:
    warnings.warn(
        "Your input ran out of data; interrupting training. Make sure that your dataset or generator can generate at "
        "least `steps_per_epoch * epochs` batches. You may need to use the `.repeat()` function when building your "
        "dataset.",
        stacklevel=3,
    )


def _check_rows(given: list[Any]) -> None:
    """ValueError unless all arrays have as many rows."""
    counts = {len(a) for v in given if v is not None for a in nest.flatten(v)}
    if len(counts) > 1:
        said = "".join(
            f"'{label}' sizes: {', '.join(str(len(a)) for a in nest.flatten(v))}\n"
            for label, v in zip(("x", "y", "sample_weight"), given) if v is not None
        )  # fmt: skip
        raise ValueError(
            "Data cardinality is ambiguous. Make sure all arrays contain the same number of samples." + said
        )


def _arrays(value: Any) -> Any:
    return nest.map_structure(np.asarray, value)


def _taken(value: Any, rows: np.ndarray) -> Any:
    return None if value is None else nest.map_structure(lambda a: _tensor(a[rows]), value)


def as_tensors(value: Any) -> Any:
    """Arrays of a nest as tensors, floats in Keras's dtype; None stays."""
    return None if value is None else nest.map_structure(lambda v: None if v is None else _tensor(np.asarray(v)), value)


def _tensor(array: np.ndarray) -> Any:
    tensor = convert_to_tensor(array)
    return cast(tensor, floatx()) if tensor.dtype.is_floating and tensor.dtype.name != floatx() else tensor


def class_weights(y: Any, weights: dict[int, float]) -> Any:
    """The weight of each example by its class, a number or a one-hot row."""
    labels = np.asarray(y)
    if labels.ndim > 1 and labels.shape[-1] > 1:
        labels = labels.argmax(-1)
    numbers = labels.reshape(-1).round().astype(np.int64)
    return convert_to_tensor(np.array([weights.get(int(k), 1.0) for k in numbers], floatx()))


def split_off(x: Any, y: Any, weights: Any, share: float) -> tuple[tuple[Any, Any, Any], tuple[Any, Any, Any]]:
    """The first rows for training and the last ``share`` of them for validation.  ValueError when either is empty."""
    given = [None if v is None else _arrays(v) for v in (x, y, weights)]
    count = len(nest.flatten(given[0])[0])
    at = int(np.floor(count * (1.0 - share)))
    if at in (0, count):
        raise ValueError(
            f"Training data contains {count} samples, which is not sufficient to split it into a validation and "
            f"training set as specified by `validation_split={share}`. Either provide more data, or a different value "
            "for the `validation_split` argument."
        )
    return _rows_of(given, slice(at)), _rows_of(given, slice(at, None))


def _rows_of(given: list, rows: slice) -> Any:
    return tuple(None if v is None else nest.map_structure(lambda a: a[rows], v) for v in given)
