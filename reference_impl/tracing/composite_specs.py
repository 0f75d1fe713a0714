"""Specs of values that are several tensors: which ragged or sparse tensors, slices or arrays an argument may be.

A spec stands for its value in a nest: its parts are the ``TensorSpec``s of the parts of that value, and with tensors in
their places (``_with_parts_``) it is such a value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, float32, int64
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable
from .spec import TensorSpec, TypeSpec, general_shape
from .tensor_array import TensorArray


class CompositeSpec(TypeSpec):
    """What the specs of values of several tensors have in common; ``_fields_`` are its arguments, in order."""

    __slots__ = ("_fields_", "_held")

    def _like(self, other: Any) -> bool:
        """Whether another spec differs in shapes alone."""
        mine, its = self._fields_, getattr(other, "_fields_", ())
        return type(self) is type(other) and all(
            a == b for a, b in zip(mine, its) if not isinstance(a, TensorShape) and not isinstance(b, TensorShape)
        )

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """True when a value, or another spec, has these dtypes and shapes that fit."""
        other = spec_or_value
        if not isinstance(other, TypeSpec):
            if not isinstance(other, self.value_type):
                return False
            other = type(self).from_value(other)  # type: ignore[attr-defined]
        return self._like(other) and all(a.is_compatible_with(b) for a, b in self._shapes(other))

    def is_subtype_of(self, other: Any) -> bool:
        """True when every value of this spec is one of the other."""
        return self._like(other) and all(TensorSpec(b).takes(TensorSpec(a)) for a, b in self._shapes(other))

    def _shapes(self, other: Any) -> list[tuple[TensorShape, TensorShape]]:
        return [(a, b) for a, b in zip(self._fields_, other._fields_) if isinstance(a, TensorShape)]

    def most_specific_common_supertype(self, others: Any) -> Any:
        """The narrowest spec that takes all; None when there is none."""
        found: Any = self
        for other in others:
            if not found._like(other):
                return None
            pairs = zip(found._fields_, other._fields_)
            found = type(self)._of([general_shape(a, b) if isinstance(a, TensorShape) else a for a, b in pairs])
        return found

    @classmethod
    def _of(cls, fields: list) -> Any:
        return cls(*fields)

    def __eq__(self, other: Any) -> bool:
        return self._like(other) and all(a._dims == b._dims for a, b in self._shapes(other))

    def __hash__(self) -> int:
        return hash((type(self), *[f if isinstance(f, TensorShape) else str(f) for f in self._fields_]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._fields_))})"

    # ------------------------------------------------------------------------------------ as a part of a nest

    def _parts_(self) -> list:
        held = getattr(self, "_held", None)
        return self._specs_of_parts() if held is None else held

    def _specs_of_parts(self) -> list:
        raise NotImplementedError

    def _with_parts_(self, parts: list) -> Any:
        """The value of these tensors; of anything else, the spec with other parts."""
        if all(isinstance(p, EagerTensor) for p in parts if p is not None):
            return self._value(parts)
        twin = object.__new__(type(self))
        twin._fields_, twin._held = self._fields_, parts
        return twin

    def _value(self, parts: list) -> Any:
        raise NotImplementedError

    def _takes_(self, value: Any) -> Any:
        """``value``, if it is one of this spec.  TypeError with TensorFlow's words otherwise."""
        if isinstance(value, CompositeSpec):
            if not value.is_subtype_of(self):
                raise TypeError(f"Can not cast {value!r} to {self!r}")
            return value
        if not isinstance(value, self.value_type):
            raise TypeError(self._foreign(value))
        own = type(self).from_value(value)  # type: ignore[attr-defined]
        for have, want in zip(own._parts_(), self._parts_()):
            if isinstance(want, TensorSpec) and not (isinstance(have, TensorSpec) and want.takes(have)):
                raise TypeError(f"Can not cast {have} to {want}")
        if not own.is_subtype_of(self):
            raise TypeError(f"Can not cast {own!r} to {self!r}")
        return value

    def _foreign(self, value: Any) -> str:
        return f"Can not cast {value!r} to {self!r}"


class RaggedTensorSpec(CompositeSpec):
    """``RaggedTensorSpec(shape=None, dtype=tf.float32, ragged_rank=None, row_splits_dtype=tf.int64)``.

    The shape has None at the ragged axes.  ValueError without a known rank, or for a ragged rank that it is too small
    for; TypeError for a ragged rank that is no whole number.
    """

    __slots__ = ()

    def __init__(
        self, shape: Any = None, dtype: Any = float32, ragged_rank: Any = None, row_splits_dtype: Any = int64,
        flat_values_spec: Any = None,
    ):  # fmt: skip
        want = TensorShape(shape)
        if ragged_rank is None:
            if want.rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = want.rank - 1
        elif not isinstance(ragged_rank, int):
            raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank}.")
        if want.rank is not None and ragged_rank >= want.rank:
            raise ValueError(f"Argument `ragged_rank` ({ragged_rank}) must be less than rank ({want.rank}).")
        self._fields_ = (want, as_dtype(dtype), ragged_rank, as_dtype(row_splits_dtype))

    @property
    def shape(self) -> TensorShape:
        """The shape, None at the ragged axes."""
        return self._fields_[0]

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self._fields_[1]

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return self._fields_[2]

    @property
    def row_splits_dtype(self) -> Any:
        """The dtype of the row splits."""
        return self._fields_[3]

    @property
    def flat_values_spec(self) -> None:
        """None: the values are tensors."""
        return None

    @property
    def value_type(self) -> type:
        """The class of the values: of tensors where no axis is ragged."""
        from ..ragged import RaggedTensor

        return RaggedTensor if self.ragged_rank else EagerTensor

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The spec of a ragged tensor."""
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    def _specs_of_parts(self) -> list:
        rank, shape = self.ragged_rank, self.shape
        known = None if shape.rank is None else shape.as_list()
        inner = None if known is None else [None, *known[rank + 1 :]] if rank else known
        splits = [TensorSpec([None if known is None or known[0] is None else known[0] + 1], self.row_splits_dtype)]
        more = [TensorSpec([None], self.row_splits_dtype) for _ in range(rank - 1)]
        return [TensorSpec(inner, self.dtype), *more, *(splits if rank else [])]

    def _value(self, parts: list) -> Any:
        from ..ragged.tensor import RaggedTensor

        found = parts[0]
        for splits in parts[1:]:
            found = RaggedTensor._of_parts(found, splits)
        return found

    def _foreign(self, value: Any) -> str:
        return (
            "The two structures don't have the same nested structure.\n\nFirst structure: type=list "
            f"str={self._parts_()}\n\nSecond structure: type=list str={[value]}"
        )


class SparseTensorSpec(CompositeSpec):
    """``SparseTensorSpec(shape=None, dtype=tf.float32)``."""

    __slots__ = ()

    def __init__(self, shape: Any = None, dtype: Any = float32):
        self._fields_ = (TensorShape(shape), as_dtype(dtype))

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor."""
        return self._fields_[0]

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self._fields_[1]

    @property
    def value_type(self) -> type:
        """The class of the values."""
        from ..sparse import SparseTensor

        return SparseTensor

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a sparse tensor."""
        return cls(value.shape, value.dtype)

    def _specs_of_parts(self) -> list:
        rank = self.shape.rank
        return [TensorSpec([None, rank], int64), TensorSpec([None], self.dtype), TensorSpec([rank], int64)]

    def _value(self, parts: list) -> Any:
        from ..sparse import SparseTensor

        indices, _, sizes = parts
        if type(sizes) is EagerTensor and type(indices) is EagerTensor and not (sizes._a > indices._a).all():
            sizes = wrap(np.full(sizes._a.shape, 2, np.int64))  # made up, as the zeros of the indices are
        return SparseTensor._with_parts_(object.__new__(SparseTensor), [indices, parts[1], sizes])

    def _foreign(self, value: Any) -> str:
        name = "tensorflow.python.framework.ops.EagerTensor" if type(value) is EagerTensor else type(value).__name__
        return f"'{name}' object has no attribute 'indices'"


class IndexedSlicesSpec(CompositeSpec):
    """``IndexedSlicesSpec(shape=None, dtype=tf.float32, indices_dtype=tf.int64, dense_shape_dtype=None, ...)``.

    ``indices_shape`` is that of the indices, ``[None]`` unless said otherwise.
    """

    __slots__ = ()

    def __init__(
        self, shape: Any = None, dtype: Any = float32, indices_dtype: Any = int64, dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ):  # fmt: skip
        dense = None if dense_shape_dtype is None else as_dtype(dense_shape_dtype)
        rows = TensorShape([None]) if indices_shape is None else TensorShape(indices_shape).with_rank(1)
        self._fields_ = (TensorShape(shape), as_dtype(dtype), as_dtype(indices_dtype), dense, rows)

    @property
    def value_type(self) -> type:
        """The class of the values."""
        return IndexedSlices

    @classmethod
    def from_value(cls, value: Any) -> IndexedSlicesSpec:
        """The spec of slices."""
        dense = None if value.dense_shape is None else value.dense_shape.dtype
        return cls(value.shape, value.dtype, value.indices.dtype, dense, value.indices.shape)

    def _specs_of_parts(self) -> list:
        shape, dtype, indices, dense, rows = self._fields_
        values = None if shape.rank is None else [*rows.as_list(), *shape.as_list()[1:]]
        sizes = None if dense is None else TensorSpec([shape.rank], dense)
        return [TensorSpec(values, dtype), TensorSpec(rows, indices), sizes]

    def _value(self, parts: list) -> Any:
        return IndexedSlices(*parts)

    def _foreign(self, value: Any) -> str:
        name = "tensorflow.python.framework.ops.EagerTensor" if type(value) is EagerTensor else type(value).__name__
        return f"'{name}' object has no attribute 'dense_shape'"


class TensorArraySpec(CompositeSpec):
    """``TensorArraySpec(element_shape=None, dtype=tf.float32, dynamic_size=False, infer_shape=True)``."""

    __slots__ = ()

    def __init__(
        self, element_shape: Any = None, dtype: Any = float32, dynamic_size: bool = False, infer_shape: bool = True
    ):
        self._fields_ = (TensorShape(element_shape), as_dtype(dtype), dynamic_size, infer_shape)

    @property
    def value_type(self) -> type:
        """The class of the values."""
        return TensorArray

    @classmethod
    def from_value(cls, value: TensorArray) -> TensorArraySpec:
        """The spec of an array."""
        return cls(value._element_shape, value._dtype, value._dynamic, value._infer)

    def _specs_of_parts(self) -> list:
        return []


def type_spec_from_value(value: Any) -> Any:
    """The spec of a tensor or of a value of several tensors, or of what becomes a tensor (``tf.type_spec_from_value``).

    TypeError for everything else.
    """
    from ..ragged import RaggedTensor
    from ..sparse import SparseTensor

    kinds: dict[type, Any] = {
        RaggedTensor: RaggedTensorSpec, SparseTensor: SparseTensorSpec, IndexedSlices: IndexedSlicesSpec,
    }  # fmt: skip
    if type(value) in kinds:
        return kinds[type(value)].from_value(value)
    if isinstance(value, TensorArray):
        return TensorArraySpec.from_value(value)
    if isinstance(value, (EagerTensor, ResourceVariable)):
        return TensorSpec(value.shape, value.dtype)
    try:
        made = convert_to_tensor(value)
    except (TypeError, ValueError):
        raise TypeError(f"Could not build a TypeSpec for {value!r} of unsupported type {type(value)}.") from None
    return TensorSpec(made.shape, made.dtype)
