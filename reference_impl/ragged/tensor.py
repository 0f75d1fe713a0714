"""``RaggedTensor``: rows of different lengths, kept as all values one after another and where each row ends.

Elementwise ops run on the values, reductions along the rows on segments of them, so tapes see ordinary ops.
``watch`` takes one, and a ragged source has a ragged gradient with its own row splits.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError, invalid
from ..foundation.building import Undense
from ..ops.declare import NAMES
from ..ops.operators import attach
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor, wrap
from .printing import printed

_PRIVATE = (
    "RaggedTensor constructor is private; please use one of the factory methods instead "
    "(e.g., RaggedTensor.from_row_lengths())"
)
_KEY = object()


def _ints(value: Any) -> Any:
    """Whole numbers as an int64 array."""
    return np.array(convert_to_tensor(value)._a, np.int64)


class RaggedTensor:
    """Row ``i`` is ``values[row_splits[i]:row_splits[i + 1]]``; the values may be ragged themselves."""

    __slots__ = ("__weakref__", "_splits", "_values")

    def __init__(self, values: Any, row_splits: Any, key: Any = None):
        if key is not _KEY:
            raise ValueError(_PRIVATE)
        self._values, self._splits = values, row_splits

    # ------------------------------------------------------------------------------------ making

    @classmethod
    def from_row_splits(cls, values: Any, row_splits: Any, name: Any = None, validate: bool = True) -> RaggedTensor:
        """By where each row begins and the last one ends, n + 1 whole numbers."""
        values = values if type(values) is cls else convert_to_tensor(values)
        splits = _ints(row_splits)
        if validate:
            _check(splits, values)
        given = row_splits if type(row_splits) is EagerTensor and row_splits._a.dtype == np.int64 else wrap(splits)
        return cls(values, given, _KEY)

    @classmethod
    def from_row_lengths(cls, values: Any, row_lengths: Any, name: Any = None, validate: bool = True) -> RaggedTensor:
        """By the length of each row."""
        lengths = _ints(row_lengths)
        if validate and (lengths < 0).any():
            raise _unordered("from_row_lengths", "RowPartition.  ", lengths)
        return cls.from_row_splits(values, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))

    @classmethod
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """By the row of each value, not decreasing."""
        ids = _ints(value_rowids)
        if len(ids) != _count(values if type(values) is cls else convert_to_tensor(values)):
            size = _count(values if type(values) is cls else convert_to_tensor(values))
            raise ValueError(f"Shapes ({size},) and ({len(ids)},) are incompatible")
        if validate and (np.diff(ids) < 0).any():
            raise _unordered("from_value_rowids", "RowPartition.  ", np.diff(ids))
        count = int(ids[-1]) + 1 if nrows is None and len(ids) else int(nrows or 0)
        return cls.from_row_lengths(values, np.bincount(ids, minlength=count).astype(np.int64))

    @classmethod
    def from_row_starts(cls, values: Any, row_starts: Any, name: Any = None, validate: bool = True) -> RaggedTensor:
        """By where each row begins."""
        values = values if type(values) is cls else convert_to_tensor(values)
        return cls.from_row_splits(values, np.append(_ints(row_starts), _count(values)))

    @classmethod
    def from_row_limits(cls, values: Any, row_limits: Any, name: Any = None, validate: bool = True) -> RaggedTensor:
        """By where each row ends."""
        return cls.from_row_splits(values, np.concatenate([[0], _ints(row_limits)]).astype(np.int64))

    @classmethod
    def from_uniform_row_length(
        cls, values: Any, uniform_row_length: Any, nrows: Any = None, validate: bool = True, name: Any = None
    ) -> RaggedTensor:
        """By one length for all rows."""
        values = values if type(values) is cls else convert_to_tensor(values)
        length, size = int(uniform_row_length), _count(values)
        if length > 0 and nrows is None and size % length:
            text = f"uniform_row_length={length} times nrows={size // length} must equal nvals={size}"
            raise ValueError(text)
        return cls.from_row_splits(values, np.arange(0, _count(values) + 1, max(length, 1), dtype=np.int64))

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """By the row splits of every ragged axis, the outermost first."""
        result = flat_values
        for splits in reversed(list(nested_row_splits)):
            result = cls.from_row_splits(result, splits)
        return result

    @classmethod
    def from_tensor(
        cls, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1, name: Any = None,
        row_splits_dtype: Any = None,
    ) -> RaggedTensor:  # fmt: skip
        """The rows of a matrix (or of a larger tensor), each up to its length, or without the padding at its end."""
        x = convert_to_tensor(tensor)
        if x._a.ndim < 2:
            raise ValueError(
                "The rank of a RaggedTensor must be greater than 1, i.e., a list of scalars won't have ragged "
                f"dimensions. Received argument `tensor` with rank {x._a.ndim}."
            )
        rows, columns = x._a.shape[:2]
        sizes = np.full(rows, columns, np.int64) if lengths is None else _ints(lengths)
        if padding is not None and columns:
            kept = x._a != padding
            sizes = np.where(kept.any(axis=1), columns - np.argmax(kept[:, ::-1], axis=1), 0).astype(np.int64)
        mask = np.arange(columns)[None, :] < sizes[:, None]
        flat = NAMES["reshape"](x, [rows * columns, *x._a.shape[2:]])
        values = flat if mask.all() else NAMES["boolean_mask"](flat, mask.reshape(-1))
        return cls.from_row_lengths(values, sizes)

    # ------------------------------------------------------------------------------------ what it is

    @property
    def values(self) -> Any:
        """All rows one after another."""
        return self._values

    @property
    def flat_values(self) -> Any:
        """The innermost values, a Tensor."""
        return self._values.flat_values if type(self._values) is RaggedTensor else self._values

    @property
    def row_splits(self) -> EagerTensor:
        """Where each row begins, and where the last one ends."""
        return self._splits

    @property
    def nested_row_splits(self) -> tuple:
        """The row splits of every ragged axis."""
        inner = self._values.nested_row_splits if type(self._values) is RaggedTensor else ()
        return (self._splits, *inner)

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self.flat_values.dtype

    @property
    def shape(self) -> TensorShape:
        """The sizes; None along the ragged axes."""
        return TensorShape([len(self._splits._a) - 1, None, *self._values.shape.as_list()[1:]])

    def nrows(self, out_type: Any = None, name: Any = None) -> EagerTensor:
        """The number of rows."""
        return wrap(np.int64(len(self._splits._a) - 1))

    def row_lengths(self, axis: int = 1, name: Any = None) -> EagerTensor:
        """The length of each row."""
        return wrap(np.diff(self._splits._a))

    def row_starts(self, name: Any = None) -> EagerTensor:
        """Where each row begins."""
        return wrap(self._splits._a[:-1].copy())

    def row_limits(self, name: Any = None) -> EagerTensor:
        """Where each row ends."""
        return wrap(self._splits._a[1:].copy())

    def value_rowids(self, name: Any = None) -> EagerTensor:
        """The row of each value."""
        return wrap(np.repeat(np.arange(len(self._splits._a) - 1), np.diff(self._splits._a)))

    def bounding_shape(self, axis: Any = None, name: Any = None, out_type: Any = None) -> EagerTensor:
        """The shape of the smallest tensor that holds all rows."""
        longest = int(np.diff(self._splits._a).max(initial=0))
        inner = self._values.bounding_shape() if type(self._values) is RaggedTensor else self._values.shape
        sizes = inner._a if type(inner) is EagerTensor else inner.as_list()
        found = np.array([len(self._splits._a) - 1, longest, *sizes[1:]], np.int64)
        return wrap(found if axis is None else found[axis])

    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows of other values."""
        new = new_values if type(new_values) is RaggedTensor else convert_to_tensor(new_values)
        if type(new) is RaggedTensor and _count(new) != _count(self._values):
            raise ValueError(f"Shapes ({_count(self._values)},) and ({_count(new)},) are incompatible")
        return RaggedTensor(new, self._splits, _KEY)

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same rows of other innermost values."""
        if type(self._values) is RaggedTensor:
            return RaggedTensor(self._values.with_flat_values(new_values), self._splits, _KEY)
        return self.with_values(new_values)

    # ------------------------------------------------------------------------------------ in other forms

    def to_tensor(self, default_value: Any = None, name: Any = None, shape: Any = None) -> EagerTensor:
        """A tensor of the bounding shape, filled up with zeros or ``default_value``."""
        from .kernels import RaggedTensorToTensor

        values, splits = self.flat_values, self._every_splits()
        default = np.zeros((), values.dtype.numpy)[()] if default_value is None else default_value
        return RaggedTensorToTensor(
            shape=-1 if shape is None else _sizes(shape), values=values, default_value=default,
            row_partition_tensors=splits, row_partition_types=["ROW_SPLITS"] * len(splits),
        )  # fmt: skip

    def to_sparse(self, name: Any = None) -> Any:
        """A SparseTensor of the bounding shape."""
        from ..sparse import SparseTensor
        from .kernels import RaggedTensorToSparse

        made = RaggedTensorToSparse(rt_nested_splits=self._every_splits(), rt_dense_values=self.flat_values)
        return SparseTensor(made.sparse_indices, made.sparse_values, made.sparse_dense_shape)

    def _every_splits(self) -> list[EagerTensor]:
        inner = self._values._every_splits() if type(self._values) is RaggedTensor else []
        return [self._splits, *inner]

    def to_list(self) -> list:
        """Nested lists of Python values."""
        inner = self._values.to_list() if type(self._values) is RaggedTensor else self._values._a.tolist()
        return [inner[a:b] for a, b in zip(self._splits._a[:-1], self._splits._a[1:])]

    def numpy(self) -> Any:
        """An array of arrays, or a matrix where all rows have one length."""
        values, splits = self._values.numpy(), self._splits._a
        rows = [values[start:stop] for start, stop in itertools.pairwise(splits)]
        if not rows:
            return np.zeros((0, 0, *values.shape[1:]), values.dtype)
        if len({len(row) for row in rows}) == 1:
            return np.stack(rows)
        found = np.empty(len(rows), object)
        found[:] = rows
        return found

    def _row(self, k: int) -> Any:
        count, row = len(self._splits._a) - 1, k
        k = k + count if k < 0 else k
        if not 0 <= k < count:
            raise IndexError(f"Row key {row} out of bounds")
        return self._values[int(self._splits._a[k]) : int(self._splits._a[k + 1])]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            rows = np.arange(len(self._splits._a) - 1)[key]
            if key.step in (None, 1):
                start = int(self._splits._a[rows[0]]) if len(rows) else 0
                stop = int(self._splits._a[rows[-1] + 1]) if len(rows) else 0
                part = self._values[start:stop]
                return RaggedTensor.from_row_lengths(part, np.diff(self._splits._a)[rows])
            return self._gathered_(rows)
        if isinstance(key, tuple) or key is None or key is Ellipsis:
            from .shaping import indexed

            return indexed(self, key if isinstance(key, tuple) else (key,))
        return self._row(int(key))

    def __iter__(self) -> Any:
        return iter([self._row(k) for k in range(len(self._splits._a) - 1)])

    def __len__(self) -> int:
        raise TypeError("object of type 'RaggedTensor' has no len()")

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def __hash__(self) -> int:
        raise TypeError("RaggedTensor is unhashable.")

    def __repr__(self) -> str:
        return f"<tf.RaggedTensor {printed(self.numpy())}>"

    def _summary_(self, short: Any, summarize: int) -> str:
        """As ``tf.print`` writes it: the elements in full, the first and last ones along each axis."""
        from .printing import in_short

        return in_short(self.to_list(), summarize)

    # ------------------------------------------------------------------------------------ what tapes see

    def _parts_(self) -> list:
        return [*(self._values._parts_() if type(self._values) is RaggedTensor else [self._values]), self._splits]

    def _with_parts_(self, parts: list) -> RaggedTensor:
        inner = self._values._with_parts_(parts[:-1]) if type(self._values) is RaggedTensor else parts[0]
        return RaggedTensor._of_parts(inner, parts[-1])

    def _type_text_(self) -> str:
        """As TensorFlow prints the type of an argument, of which the parts may be specs."""
        values, *splits = self._parts_()
        rows = splits[-1].shape.as_list()[0]
        inner = values.shape.as_list()[1:] if values.shape.rank else []
        shape = TensorShape([None if rows is None else rows - 1, *[None] * len(splits), *inner])
        return f"RaggedTensorSpec({shape!r}, {values.dtype!r}, {len(splits)}, {splits[-1].dtype!r})"

    @classmethod
    def _of_parts(cls, values: Any, splits: Any) -> RaggedTensor:
        """Of parts that belong together, or of some that are made up, for which rows of like lengths are found."""
        known = type(splits) is EagerTensor and type(values) is not cls and type(values) is EagerTensor
        if known and (splits._a[-1] != _count(values) or (np.diff(splits._a) < 0).any()):
            splits = wrap(np.linspace(0, _count(values), len(splits._a)).astype(splits._a.dtype))
        return cls(values, splits, _KEY)

    def _gradient_parts_(self) -> Any:
        return self.flat_values

    def _with_gradients_(self, gradients: list) -> RaggedTensor:
        return self.with_flat_values(gradients[0])

    def _dense_(self, want: Any = None) -> Any:
        raise Undense("TypeError: object of type 'RaggedTensor' has no len()\n", self)

    def _called_(error: Undense, function: Any, args: tuple, kwargs: dict) -> Any:
        from .dispatch import called

        return called(error, function, args, kwargs)

    def _pairwise_(self, function: Any, x: Any, y: Any) -> RaggedTensor:
        """An elementwise function of two operands, one or both ragged."""
        from .functions import pairwise

        return pairwise(function, x, y)

    def _gathered_(self, rows: Any) -> Any:
        """Rows by number: a ragged tensor, a single row for a number without axes, ragged rows in rows for a matrix."""
        if not rows.ndim:
            return self._row(int(_in_range(rows, self._splits._a.size - 1)))
        if rows.ndim > 1:
            inner = self._gathered_(rows.reshape(-1, *rows.shape[2:]))
            return RaggedTensor.from_uniform_row_length(inner, rows.shape[1], rows.shape[0])
        _in_range(rows, self._splits._a.size - 1)
        starts, lengths = self._splits._a[:-1], np.diff(self._splits._a)
        places = [np.arange(starts[k], starts[k] + lengths[k]) for k in rows]
        flat = np.concatenate(places).astype(np.int64) if places else np.zeros(0, np.int64)
        return RaggedTensor.from_row_lengths(NAMES["gather"](self._values, flat), lengths[rows])

    def _each_(self, function: Any) -> RaggedTensor:
        """An elementwise function of the values."""
        return self.with_flat_values(function(self.flat_values))


attach(RaggedTensor)
del RaggedTensor.__matmul__, RaggedTensor.__rmatmul__  # type: ignore[attr-defined]


def _in_range(rows: Any, count: int) -> Any:
    """``rows``; InvalidArgumentError for the first that is no row."""
    bad = np.flatnonzero((rows < 0) | (rows >= count))
    if bad.size:
        value = rows.reshape(-1)[bad[0]]
        raise invalid("RaggedGather", f"indices[{bad[0]}] = {value} is not in [0, {count})", None)
    return rows


def _sizes(shape: Any) -> Any:
    """Sizes as the kernel takes them: -1 for those left open."""
    sizes = shape.as_list() if hasattr(shape, "as_list") else shape
    if isinstance(sizes, (list, tuple)):
        return [-1 if size is None else int(size) for size in sizes]
    return convert_to_tensor(sizes)


def _count(values: Any) -> int:
    return len(values._splits._a) - 1 if type(values) is RaggedTensor else values._a.shape[0]


def _check(splits: Any, values: Any) -> None:
    """InvalidArgumentError unless the splits fit the values."""
    problem, count, whose = "", _count(values), "_from_row_partition do not form a valid RaggedTensor"
    if splits[0] != 0:
        whose = "from_row_splits do not form a valid RaggedTensor:zero"
        problem = _unequal(splits[0], 0)
    elif (np.diff(splits) < 0).any():
        raise _unordered("from_row_splits", "RaggedTensor:monotonic.  ", np.diff(splits))
    elif splits[-1] != count:
        problem = _unequal(splits[-1], count)
    if problem:
        text = f"Arguments to {whose}\n{problem}"
        raise InvalidArgumentError(None, None, text)


def _unordered(function: str, what: str, numbers: Any) -> Exception:
    """TensorFlow's error where numbers that must not be negative are."""
    listed = ", ".join(f"'{n}'" for n in numbers.tolist())
    x = f"x (shape={numbers.shape} dtype=int64) = \n[{listed}]"
    text = f"Arguments to {function} do not form a valid {what}\nCondition x >= 0 did not hold element-wise:\n{x}"
    return InvalidArgumentError(None, None, text)


def _unequal(x: int, y: int) -> str:
    return f"Condition x == y did not hold.\nFirst 1 elements of x:\n[{x}]\nFirst 1 elements of y:\n[{y}]"
