"""TensorArray: a list of tensors that ops write to and read from (``tf.TensorArray``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, kernel_name
from ..errors import OpError, OutOfRangeError
from ..foundation.building import Building
from ..ops import array_lists
from ..ops.lists import listed
from ..ops.shaping import concat, stack
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor, wrap
from .symbols import GraphObject, _method


class TensorArray:
    """An array of ``size`` tensors of one dtype; ``dynamic_size`` lets it grow.

    ``write`` returns the array to go on with.  In eager mode the array itself changes, in a function it does not.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if type(active.cur) is Building and cls is TensorArray:
            return active.cur.graph.call(TensorArray, args, {"_functional": True, **kwargs})
        return object.__new__(cls)

    def __init__(
        self, dtype: Any, size: Any = None, dynamic_size: Any = None, clear_after_read: Any = None,
        tensor_array_name: Any = None, handle: Any = None, flow: Any = None, infer_shape: bool = True,
        element_shape: Any = None, colocate_with_first_write_call: bool = True, name: str | None = None,
        _functional: bool = False,
    ):  # fmt: skip
        self._dtype, self._dynamic, self._functional = as_dtype(dtype), bool(dynamic_size), _functional
        self._clears = (True if clear_after_read is None else bool(clear_after_read)) and not _functional
        self._element_shape = self._declared = TensorShape(element_shape)
        self._infer = infer_shape
        self.grows = False  # of one in a graph that does not know how many elements there will be; see sizes.py
        self._list: list[Any] = [None] * (0 if size is None else _int(size))
        self._cleared: set[int] = set()

    # ------------------------------------------------------------------------------------ as a value

    def _elements_(self) -> list:
        return [t for t in self._list if t is not None]

    def _with_elements_(self, elements: list) -> TensorArray:
        left = iter(elements)
        return self._copy([None if t is None else next(left) for t in self._list])

    @staticmethod
    def _in_graph_() -> type:
        return GraphTensorArray

    def _copy(self, items: list) -> TensorArray:
        twin = object.__new__(TensorArray)
        twin.__dict__.update(self.__dict__)
        twin._list, twin._cleared = items, set(self._cleared)
        return twin

    def _changed(self, items: list) -> TensorArray:
        if self._functional:
            return self._copy(items)
        self._list = items
        return self

    # ------------------------------------------------------------------------------------ what it is

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements, as far as it is known."""
        return self._element_shape

    @property
    def dynamic_size(self) -> bool:
        """True when it may grow."""
        return self._dynamic

    @property
    def flow(self) -> Any:
        """Nothing: order is that of the program."""
        return None

    @property
    def handle(self) -> Any:
        """Nothing in eager mode."""
        return None

    def size(self, name: str | None = None) -> EagerTensor:
        """The number of elements."""
        return wrap(np.int32(len(self._list)))

    def identity(self) -> TensorArray:
        """The array."""
        return self

    def close(self, name: str | None = None) -> None:
        """Forget the elements."""
        self._list = []

    # ------------------------------------------------------------------------------------ elements

    def read(self, index: Any, name: str | None = None) -> EagerTensor:
        """The element at ``index``, which can be read once.  OutOfRangeError outside the array."""
        k = _int(index)
        if not 0 <= k < len(self._list):
            if active.pretending:  # a loop over no rows, whose body is traced all the same
                return self._zeros()
            self._check_list(k, "access", "Get")
            if k < 0:
                raise OutOfRangeError(None, None, f"Reading from negative indices (index {k}) is not allowed.")
            raise OutOfRangeError(None, None, f"Tried to read from index {k} but array size is: {len(self._list)} ")
        if k in self._cleared:
            raise _invalid(
                f"Could not read index {k} twice because it was cleared after a previous read (perhaps try setting "
                "clear_after_read = false?)"
            )
        value = self._list[k]
        if value is None:
            value = self._list[k] = self._zeros()
        if self._clears:
            self._list[k] = None
            self._cleared.add(k)
        return value

    def _check_list(self, k: int, what: str, op: str) -> None:
        """InvalidArgumentError of a list, which an array is in a function, for an element that it does not have."""
        if self._functional:
            text = f"Trying to {what} element {k} in a list with {len(self._list)} elements."
            raise _invalid(f"{text} [Op:TensorList{op}Item]")

    def _zeros(self) -> EagerTensor:
        shape = next((t._a.shape for t in self._list if t is not None), None)
        if shape is None:
            known = self._element_shape.is_fully_defined()
            if not known and not self._functional:
                raise ValueError(f"Cannot convert a partially known TensorShape {self._element_shape} to a Tensor.")
            shape = self._element_shape.as_list() if known else ()
        return wrap(np.zeros(tuple(shape), self._dtype.numpy)[()])

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with ``value`` at ``index``."""
        k = _int(index)
        items = list(self._list)
        if active.pretending and (k < 0 or (k >= len(items) and not self._dynamic)):
            return self
        if k < 0 or (k >= len(items) and not self._dynamic):
            self._check_list(k, "modify", "Set")
        if k < 0:
            raise OutOfRangeError(None, None, f"Writing to negative indices (index {k}) is not allowed.")
        if k >= len(items):
            if not self._dynamic:
                text = f"Tried to write to index {k} but array is not resizeable and size is: {len(items)} "
                raise OutOfRangeError(None, None, text)
            items.extend([None] * (k + 1 - len(items)))
        items[k] = self._element(value)
        return self._changed(items)

    def _element(self, value: Any) -> EagerTensor:
        tensor = convert_to_tensor(value, dtype_hint=self._dtype)
        if tensor.dtype is not self._dtype and self._functional:
            got, want = kernel_name(tensor._a.dtype), kernel_name(self._dtype.numpy)
            raise _invalid(f"Invalid data types; op elements {got} but list elements {want} [Op:TensorListSetItem]")
        if tensor.dtype is not self._dtype:
            raise _invalid(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {tensor.dtype.name} "
            )
        if self._functional:
            self._check_item(tensor._a.shape)
        elif not self._element_shape.is_compatible_with(tensor._a.shape):
            raise ValueError(f"Incompatible shape for value ({tensor.shape}), expected ({self._element_shape})")
        if self._infer:
            self._element_shape = self._element_shape.merge_with(tensor._a.shape)
        return tensor

    def _check_item(self, shape: tuple[int, ...]) -> None:
        """A list takes what fits the shape that was declared; where elements differ, nothing is known of the next."""
        if not self._declared.is_compatible_with(shape):
            want = listed(-1 if size is None else size for size in self._declared.as_list())
            text = f"Tried to set a tensor with incompatible shape at a list index. Item element shape: {listed(shape)}"
            raise _invalid(f"{text} list shape: {want} [Op:TensorListSetItem]")
        if not self._element_shape.is_compatible_with(shape):
            self._element_shape, self._infer = self._declared, False

    def _all(self) -> list:
        items = [self._zeros() if t is None else t for t in self._list]
        if self._clears:
            self._cleared.update(range(len(items)))
        return items

    def stack(self, name: str | None = None) -> EagerTensor:
        """All elements along a new first axis."""
        if not self._list:
            shape = self._element_shape.as_list() if self._element_shape.is_fully_defined() else []
            return wrap(np.zeros((0, *shape), self._dtype.numpy))
        if not self._functional:
            return stack(self._all())
        items = self._all()
        other = next((t for t in items if t._a.shape != items[0]._a.shape), None)
        if other is not None:
            text = f"Incompatible shapes during merge: {listed(items[0]._a.shape)} vs. {listed(other._a.shape)}"
            raise _invalid(f"PartialTensorShape: {text} [Op:TensorListStack]")
        return array_lists.stack(*items)

    def gather(self, indices: Any, name: str | None = None) -> EagerTensor:
        """The elements at ``indices`` along a new first axis."""
        items, wanted = self._all(), convert_to_tensor(indices)._a.tolist()
        outside = [k for k in wanted if not 0 <= k < len(items)] if self._functional else []
        if outside and not active.pretending:
            text = f"Index {outside[0]} out o range; list only has {len(items)} elements."
            raise _invalid(f"{text} [Op:TensorListGather]")
        return stack([self._zeros() if k in outside else items[int(k)] for k in wanted])

    def concat(self, name: str | None = None) -> EagerTensor:
        """All elements joined along their first axis."""
        if not self._list and self._functional and self._element_shape.is_fully_defined():
            return wrap(np.zeros((0, *self._element_shape.as_list()[1:]), self._dtype.numpy))
        return concat(self._all(), 0)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of ``value`` as its elements."""
        from ..ops.declare import NAMES

        value = convert_to_tensor(value, dtype_hint=self._dtype)
        if self._infer:
            self._element_shape = self._element_shape.merge_with(value._a.shape[1:])
        if self._functional and value._a.ndim:
            rows = array_lists.rows(value, count=value._a.shape[0])
        else:
            rows = NAMES["unstack"](value)
        if len(rows) > len(self._list) and not self._dynamic and self._list:
            raise ValueError(f"Size of the value ({len(rows)}) exceeds that of the array ({len(self._list)})")
        return self._changed([self._element(row) for row in rows])

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of ``value`` at ``indices``."""
        from ..ops.declare import NAMES

        array = self
        rows = NAMES["unstack"](convert_to_tensor(value, dtype_hint=self._dtype))
        for k, row in zip(convert_to_tensor(indices)._a.tolist(), rows):
            array = array.write(k, row)
        return array

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array with pieces of ``value``, of the given lengths, as its elements."""
        from ..ops.declare import NAMES

        value, lengths = convert_to_tensor(value, dtype_hint=self._dtype), convert_to_tensor(lengths)
        if len(lengths.shape) != 1:
            raise _invalid(f"Expected lengths to be a vector, received shape: {lengths.shape.as_list()} ")
        if not len(value.shape):
            raise _invalid("Expected value to be at least a vector, but received shape: [] ")
        sizes = lengths._a.tolist()
        if not self._functional and sum(sizes) != value._a.shape[0]:
            raise _invalid(
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {sum(sizes)} and "
                f"value's shape is: {value.shape.as_list()} "
            )
        if not self._functional and not self._dynamic and len(sizes) != len(self._list):
            raise _invalid(
                f"TensorArray's size is not equal to the size of lengths ({len(self._list)} vs. {len(sizes)}), and the "
                "TensorArray is not marked as dynamically resizeable."
            )
        self._element_shape = self._shape_of_pieces(sizes, value)
        return self._changed(NAMES["split"](value, sizes))

    def _shape_of_pieces(self, sizes: list[int], value: EagerTensor) -> TensorShape:
        """The shape of the elements after a split: what is said of it counts in functions, where all have one size."""
        if len(set(sizes)) != 1 or not self._functional:
            return self._element_shape
        shape = TensorShape([sizes[0], *value._a.shape[1:]])
        if not self._element_shape.is_compatible_with(shape):
            raise ValueError(f"Inconsistent shapes: saw {shape} but expected {self._element_shape} ")
        return self._element_shape.merge_with(shape) if self._infer else self._element_shape

    def __len__(self) -> int:
        return len(self._list)

    def __repr__(self) -> str:
        return f"<TensorArray object at 0x{id(self):x}>"


def _int(value: Any) -> int:
    return int(value._a) if type(value) is EagerTensor else int(convert_to_tensor(value)._a)


def _invalid(text: str) -> OpError:
    from ..errors import InvalidArgumentError

    return InvalidArgumentError(None, None, text)


class GraphTensorArray(GraphObject, TensorArray):
    """A TensorArray of a function that is being traced."""

    read = _method(TensorArray.read)
    _written = _method(TensorArray.write)
    stack = _method(TensorArray.stack)
    gather = _method(TensorArray.gather)
    concat = _method(TensorArray.concat)
    unstack = _method(TensorArray.unstack)
    scatter = _method(TensorArray.scatter)
    split = _method(TensorArray.split)
    size = _method(TensorArray.size)

    def __init__(self, *_args: Any, **_kwargs: Any):
        pass

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with ``value`` at ``index``; ValueError where it is known to have another shape than the others."""
        shape = getattr(value, "shape", None)
        known = [env[self._slot] for env in self._graph.envs]
        if shape is not None and known[0]._infer and all(not a.element_shape.is_compatible_with(shape) for a in known):
            raise ValueError(f"Inconsistent shapes: saw {shape} but expected {known[0].element_shape} ")
        return self._written(index, value)

    def _seen(self) -> TensorArray:
        """The array of the first world."""
        return self._graph.envs[0][self._slot]

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self._seen().dtype

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements, as far as it is known."""
        return self._seen().element_shape

    def identity(self) -> TensorArray:
        """The array."""
        return self

    def __repr__(self) -> str:
        return f"<TensorArray object at 0x{id(self):x}>"
