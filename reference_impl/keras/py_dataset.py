"""PyDataset: batches by their numbers (``tf.keras.utils.PyDataset``, also ``Sequence``), for ``fit`` and its like.

class Rows(PyDataset):
    def __len__(self):
        return 10

    def __getitem__(self, index):
        return x[index], y[index]
"""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Iterator
from typing import Any

_NO_START = (
    "Your `PyDataset` class should call `super().__init__(**kwargs)` in its constructor. `**kwargs` can include "
    "`workers`, `use_multiprocessing`, `max_queue_size`. Do not pass these arguments to `fit()`, as they will be "
    "ignored."
)


class PyDataset:
    """Base class: subclasses write ``__getitem__(index)``, which gives a batch, and ``__len__`` or ``num_batches``.

    Batches are ``(x,)``, ``(x, y)`` or ``(x, y, weights)``.  They are made one after the other here; the arguments are
    kept, and start no workers.
    """

    def __init__(self, workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10):
        self._workers, self._use_multiprocessing, self._max_queue_size = workers, use_multiprocessing, max_queue_size

    def _asked(self, name: str, default: Any) -> Any:
        if name not in self.__dict__:
            warnings.warn(_NO_START, stacklevel=3)
            self.__dict__[name] = default
        return self.__dict__[name]

    @property
    def workers(self) -> int:
        """As it was given."""
        return self._asked("_workers", 1)

    @property
    def use_multiprocessing(self) -> bool:
        """As it was given."""
        return self._asked("_use_multiprocessing", False)

    @property
    def max_queue_size(self) -> int:
        """As it was given."""
        return self._asked("_max_queue_size", 10)

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError

    @property
    def num_batches(self) -> int | None:
        """How many batches there are, None when there is no end of them."""
        if hasattr(self, "__len__"):
            return len(self)
        raise NotImplementedError(
            "You need to implement the `num_batches` property:\n\n@property\ndef num_batches(self):\n  return ..."
        )

    def __iter__(self) -> Iterator[Any]:
        count = self.num_batches if hasattr(self, "__len__") or _says_how_many(self) else None
        for index in itertools.count() if count is None else range(count):
            yield self[index]

    def on_epoch_begin(self) -> None:
        """Called at the beginning of every epoch."""

    def on_epoch_end(self) -> None:
        """Called at the end of every epoch, and before the first."""


def _says_how_many(data: PyDataset) -> bool:
    return type(data).num_batches is not PyDataset.num_batches


def batches_of(data: PyDataset, shuffle: bool) -> Iterator[tuple[Any, ...]]:
    """The batches as tuples, in an order of Python's ``random`` when they are shuffled.  ValueError for others."""
    count = data.num_batches
    numbers: Any = itertools.count() if count is None else range(count)
    if shuffle and count is not None:
        numbers = list(numbers)
        random.shuffle(numbers)
    for number in numbers:
        batch = data[number]
        batch = (batch,) if isinstance(batch, dict) else tuple(batch) if isinstance(batch, list) else batch
        if not isinstance(batch, tuple) or len(batch) not in (1, 2, 3):
            raise ValueError(
                "PyDataset.__getitem__() must return a tuple or a dict. If a tuple, it must be ordered either (input,) "
                f"or (inputs, targets) or (inputs, targets, sample_weights). Received: {str(batch)[:100]}... of type "
                f"{type(batch)}"
            )
        yield batch
