"""Dataset: a sequence of elements (nests of tensors) that is computed as it is iterated (``tf.data.Dataset``).

    for x, y in Dataset.from_tensor_slices((xs, ys)).shuffle(100).batch(32):
        ...

Everything runs in the calling thread: ``prefetch``, ``num_parallel_calls`` and ``deterministic`` change nothing.
``map`` and ``filter`` trace their functions once, as TensorFlow does.
"""

from __future__ import annotations

import itertools
import random as python_random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..dtypes import int64
from ..errors import invalid
from ..foundation.building import graph_being_built
from ..randomness.seeds import rounds_of
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from ..tracing.spec import TensorSpec
from . import elements, windows
from .functions import of_elements
from .iterating import DatasetIterator
from .options import Options

AUTOTUNE = -1
INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2


class Dataset:
    """Made by ``from_tensor_slices``, ``from_tensors``, ``from_generator``, ``range`` and ``zip``."""

    _opaque_ = True  # TensorFlow keeps it in a variant tensor: a tape takes it, and no gradient reaches it

    def __init__(self, kind: str, spec: Any, start: Callable[[], Iterator[Any]], count: int):
        self._kind, self._spec, self._start, self._count = kind, spec, start, count
        self._options = Options()

    # ------------------------------------------------------------------------------------ sources

    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset:
        """The rows of tensors: element ``i`` is the nest of each tensor's ``[i]``."""
        rows = elements.normalized(tensors)
        spec = elements.row_spec(elements.spec_of(rows))
        count = elements.count_of(rows)
        return Dataset("_TensorSliceDataset", spec, lambda: (elements.row(rows, i) for i in range(count)), count)

    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset:
        """One element."""
        one = elements.normalized(tensors)
        return Dataset("_TensorDataset", elements.spec_of(one), lambda: iter((one,)), 1)

    @staticmethod
    def from_generator(
        generator: Callable[..., Any], output_types: Any = None, output_shapes: Any = None, args: tuple = (),
        output_signature: Any = None, name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """What the generators that ``generator(*args)`` makes give; ``output_signature`` is a nest of TensorSpec."""
        if output_signature is None:
            shapes = elements.mapped(output_types, lambda _: None) if output_shapes is None else output_shapes
            left = iter(elements.leaves(shapes)) if output_shapes is None else iter([output_shapes])
            output_signature = elements.mapped(output_types, lambda t: TensorSpec(next(left), t))

        def start() -> Iterator[Any]:
            for element in generator(*args):
                left = iter(elements.leaves(output_signature))
                yield elements.mapped(element, lambda v, left=left: convert_to_tensor(v, next(left).dtype))

        return Dataset("_FlatMapDataset", output_signature, start, UNKNOWN_CARDINALITY)

    @staticmethod
    def range(*args: Any, output_type: Any = int64, name: str | None = None) -> Dataset:
        """Whole numbers, as ``range(stop)``, ``range(start, stop)`` or ``range(start, stop, step)``."""
        numbers = range(*(int(a) for a in args))
        kind = TensorSpec((), output_type).dtype.numpy.type
        return Dataset(
            "_RangeDataset", TensorSpec((), output_type), lambda: (wrap(kind(i)) for i in numbers), len(numbers)
        )

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """The elements of several datasets side by side, as long as all of them last."""
        nested = datasets if datasets is not None else args[0] if len(args) == 1 else args
        parts = elements.leaves(nested)

        def start() -> Iterator[Any]:
            for row in zip(*parts):
                left = iter(row)
                yield elements.mapped(nested, lambda _, left=left: next(left))

        counts = [p._count for p in parts]
        finite = [c for c in counts if c != INFINITE_CARDINALITY]
        count = UNKNOWN_CARDINALITY if UNKNOWN_CARDINALITY in finite else min(finite, default=INFINITE_CARDINALITY)
        return Dataset("_ZipDataset", elements.mapped(nested, lambda d: d._spec), start, count)

    # ------------------------------------------------------------------------------------ steps

    def batch(
        self, batch_size: Any, drop_remainder: bool = False, num_parallel_calls: Any = None, deterministic: Any = None,
        name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """Elements in stacks of ``batch_size``; the last may be smaller, or is dropped."""
        size = self._batch_size(batch_size)
        spec = elements.batch_spec(self._spec, size if drop_remainder else None)
        return Dataset(
            "_BatchDataset",
            spec,
            lambda: map(elements.batched, self._chunks(size, drop_remainder)),
            self._chunk_count(size, drop_remainder),
        )

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any = None, padding_values: Any = None, drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """As ``batch``, of elements filled up to the largest of each batch.  ``padded_shapes`` must be None."""
        if padded_shapes is not None:
            raise NotImplementedError(
                "padded_batch pads to the largest element of each batch; padded_shapes must be None"
            )
        size = self._batch_size(batch_size)
        spec = elements.batch_spec(self._spec, size if drop_remainder else None)
        return Dataset(
            "_PaddedBatchDataset",
            spec,
            lambda: (elements.padded(c, padding_values) for c in self._chunks(size, drop_remainder)),
            self._chunk_count(size, drop_remainder),
        )

    def _batch_size(self, batch_size: Any) -> int:
        size = int(batch_size)
        if size <= 0:
            raise invalid("BatchDatasetV2", "Batch size must be greater than zero.")
        return size

    def _chunks(self, size: int, full: bool) -> Iterator[list]:
        left = iter(self)
        while chunk := list(itertools.islice(left, size)):
            if len(chunk) == size or not full:
                yield chunk

    def _chunk_count(self, size: int, full: bool) -> int:
        return self._count if self._count < 0 else self._count // size if full else -(-self._count // size)

    def unbatch(self, name: str | None = None) -> Dataset:
        """The rows of each element."""
        return Dataset(
            "_UnbatchDataset",
            elements.row_spec(self._spec),
            lambda: (elements.row(b, i) for b in self for i in range(elements.count_of(b))),
            UNKNOWN_CARDINALITY,
        )

    def shuffle(
        self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: Any = True, name: str | None = None
    ) -> Dataset:
        """Elements drawn at random from a buffer of ``buffer_size`` that is kept full.

        The order is another one each time it is iterated, unless ``reshuffle_each_iteration`` is False.
        """
        size, rounds = int(buffer_size), rounds_of(seed)
        fixed = None if reshuffle_each_iteration in (True, None) else next(rounds)

        def start() -> Iterator[Any]:
            draw = python_random.Random(next(rounds) if fixed is None else fixed)
            left = iter(self)
            buffer = list(itertools.islice(left, size))
            while buffer:
                k = draw.randrange(len(buffer))
                taken = buffer[k]
                following = next(left, None)
                if following is None:
                    buffer[k] = buffer[-1]
                    buffer.pop()
                else:
                    buffer[k] = following
                yield taken

        return Dataset("_ShuffleDataset", self._spec, start, self._count)

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset:
        """All elements ``count`` times, or for ever."""
        times = -1 if count is None else int(count)
        total = INFINITE_CARDINALITY if times < 0 and self._count else self._count * times
        if self._count == UNKNOWN_CARDINALITY:
            total = UNKNOWN_CARDINALITY
        elif self._count == INFINITE_CARDINALITY and times:
            total = INFINITE_CARDINALITY

        def start() -> Iterator[Any]:
            for _ in itertools.count() if times < 0 else range(times):
                empty = True
                for element in self:
                    empty = False
                    yield element
                if empty:
                    return

        return Dataset("_RepeatDataset", self._spec, start, total)

    def map(
        self, map_func: Callable[..., Any], num_parallel_calls: Any = None, deterministic: Any = None,
        synchronous: Any = None, use_unbounded_threadpool: bool = False, name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """What a function makes of each element; an element that is a tuple is its arguments."""
        function, spec = of_elements(map_func, self._spec)
        return Dataset("_MapDataset", spec, lambda: map(function, self), self._count)

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements of the datasets that a function makes of each element."""

        def made(element: Any) -> Dataset:
            return map_func(*element) if isinstance(element, tuple) else map_func(element)

        example = next((made(e) for e in self), self)
        return Dataset(
            "_FlatMapDataset",
            example._spec,
            lambda: itertools.chain.from_iterable(made(e) for e in self),
            UNKNOWN_CARDINALITY,
        )

    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: bool = False, name: str | None = None
    ) -> Dataset:
        """Datasets of ``size`` elements each, one begun every ``shift`` elements; for a nest, a nest of datasets."""
        given = windows.sizes(size, shift, stride)

        def dataset(rows: list) -> Any:
            parts = iter(zip(*(elements.leaves(row) for row in rows)))
            specs = iter(elements.leaves(self._spec))
            return elements.mapped(rows[0], lambda _: _held(next(parts), next(specs)))

        def start() -> Iterator[Any]:
            return map(dataset, windows.windows(iter(self), *given, drop_remainder))

        return Dataset("_WindowDataset", self._spec, start, windows.window_count(self._count, *given, drop_remainder))

    def interleave(
        self, map_func: Callable[..., Any], cycle_length: Any = None, block_length: Any = None,
        num_parallel_calls: Any = None, deterministic: Any = None, name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """``block_length`` elements in turn of the datasets that a function makes, ``cycle_length`` of them at once."""

        def made(element: Any) -> Dataset:
            return map_func(*element) if isinstance(element, tuple) else map_func(element)

        at_once = int(cycle_length) if cycle_length is not None and int(cycle_length) > 0 else 2
        example = next((made(e) for e in self), self)

        def start() -> Iterator[Any]:
            return windows.interleaved(iter(self), made, at_once, int(block_length or 1))

        return Dataset("_InterleaveDataset", example._spec, start, UNKNOWN_CARDINALITY)

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements for which a function gives True."""
        function, _ = of_elements(predicate, self._spec)
        return Dataset("_FilterDataset", self._spec, lambda: filter(function, self), UNKNOWN_CARDINALITY)

    def take(self, count: Any, name: str | None = None) -> Dataset:
        """The first ``count`` elements, all when it is negative."""
        n = int(count)
        left = self._count if n < 0 else n if self._count == INFINITE_CARDINALITY else min(n, self._count)
        return Dataset(
            "_TakeDataset", self._spec, lambda: iter(self) if n < 0 else itertools.islice(iter(self), n), left
        )

    def skip(self, count: Any, name: str | None = None) -> Dataset:
        """All but the first ``count`` elements."""
        n = int(count)
        left = self._count if self._count < 0 else 0 if n < 0 else max(self._count - n, 0)
        return Dataset(
            "_SkipDataset", self._spec, lambda: iter(()) if n < 0 else itertools.islice(iter(self), n, None), left
        )

    def take_while(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements before the first for which a function gives False."""
        function, _ = of_elements(predicate, self._spec)
        return Dataset(
            "_TakeWhileDataset", self._spec, lambda: itertools.takewhile(function, self), UNKNOWN_CARDINALITY
        )

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Dataset:
        """Every ``num_shards``-th element, from ``index`` on."""
        n, k = int(num_shards), int(index)
        left = self._count if self._count < 0 else len(range(k, self._count, n))
        return Dataset("_ShardDataset", self._spec, lambda: itertools.islice(iter(self), k, None, n), left)

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """The elements of this and then those of another dataset."""
        spec = elements.merged_spec(self._spec, dataset._spec)
        counts = (self._count, dataset._count)
        count = sum(counts) if min(counts) >= 0 else min(c for c in counts if c < 0)
        return Dataset("_ConcatenateDataset", spec, lambda: itertools.chain(self, dataset), count)

    def enumerate(self, start: Any = 0, name: str | None = None) -> Dataset:
        """Pairs of a running number and each element."""
        first = int(start)
        spec = (TensorSpec((), int64), self._spec)
        return Dataset(
            "_ZipDataset", spec, lambda: ((wrap(np.int64(i)), e) for i, e in enumerate(self, first)), self._count
        )

    def cache(self, filename: str = "", name: str | None = None) -> Dataset:
        """Elements that are computed once and kept in memory.  ``filename`` must be empty."""
        if filename:
            raise NotImplementedError("datasets are cached in memory; filename must be empty")
        kept: list[Any] = []
        done: list[bool] = []

        def start() -> Iterator[Any]:
            if done:
                yield from kept
                return
            fresh = []
            for element in self:
                fresh.append(element)
                yield element
            if not done:
                kept.extend(fresh)
                done.append(True)

        return Dataset("CacheDataset", self._spec, start, self._count)

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Dataset:
        """The same elements."""
        return Dataset("_PrefetchDataset", self._spec, self._start, self._count)

    def with_options(self, options: Any, name: str | None = None) -> Dataset:
        """The same elements; the options are kept with them."""
        made = Dataset("_OptionsDataset", self._spec, self._start, self._count)
        made._options = self.options().merge(options) if isinstance(options, Options) else self.options()
        return made

    def options(self) -> Options:
        """The options of ``with_options``."""
        return self._options

    def apply(self, transformation_func: Callable[[Dataset], Dataset]) -> Dataset:
        """What a function makes of the dataset."""
        return transformation_func(self)

    # ------------------------------------------------------------------------------------ using it

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any], name: str | None = None) -> Any:
        """``reduce_func(state, element)`` over all elements."""
        state = elements.normalized(initial_state)
        if graph_being_built() is not None:
            from .in_graphs import reduced

            return reduced(self, state, reduce_func)
        for element in self:
            state = elements.normalized(reduce_func(state, element))
        return state

    def get_single_element(self, name: str | None = None) -> Any:
        """The only element.  InvalidArgumentError unless there is exactly one."""
        found = list(itertools.islice(iter(self), 2))
        if len(found) != 1:
            text = "Dataset was empty." if not found else "Dataset had more than one element."
            raise invalid("DatasetToSingleElement", text)
        return found[0]

    @property
    def element_spec(self) -> Any:
        """The specs of the elements."""
        return self._spec

    def cardinality(self, name: str | None = None) -> EagerTensor:
        """The number of elements; -1 when there is no end, -2 when it is not known."""
        return wrap(np.int64(self._count))

    def as_numpy_iterator(self) -> Iterator[Any]:
        """The elements as NumPy arrays and scalars."""
        return map(elements.as_numpy, self)

    def __iter__(self) -> Iterator[Any]:
        return DatasetIterator(self._start(), self._spec)

    def __len__(self) -> int:
        if self._count == INFINITE_CARDINALITY:
            raise TypeError("The dataset is infinite.")
        if self._count == UNKNOWN_CARDINALITY:
            raise TypeError("The dataset length is unknown.")
        return self._count

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{self._kind} element_spec={self._spec!r}>"


def _held(values: tuple, spec: Any) -> Dataset:
    """A dataset of tensors that are there."""
    return Dataset("_VariantDataset", spec, lambda: iter(values), len(values))
