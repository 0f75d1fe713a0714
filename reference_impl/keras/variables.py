"""Variable: Keras's own class of variables (``tf.keras.Variable``), each around a ``tf.Variable``, its ``value``.

Tapes take them as sources of gradients; ``watch`` refuses them; ``watched_variables`` lists the inner variables.
Arithmetic works on their values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..ops.casting import cast
from ..ops.indexing import get_item
from ..ops.operators import attach
from ..ops.products import matmul, tensordot
from ..surroundings.scopes import init_scope
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor, is_tensor
from ..tensors.variable import ResourceVariable, read
from .autocasting import casting
from .naming import auto_name, current_path, rehearsing
from .policy import standardize_dtype


class Variable:
    """``Variable(initializer, shape=None, dtype=None, trainable=True, name=None)``.

    ``initializer`` is a value, or a function ``(shape, dtype)`` that gives one (then ``shape`` is needed), or its name.
    """

    _should_act_as_resource_variable = True
    __array_priority__ = 100

    def __init__(
        self, initializer: Any, shape: Any = None, dtype: Any = None, trainable: bool = True, autocast: bool = True,
        aggregation: Any = "none", synchronization: Any = "auto", name: str | None = None, layout: Any = None,
        **kwargs: Any,
    ):  # fmt: skip
        name = name or auto_name(type(self).__name__)
        if not isinstance(name, str) or "/" in name:
            raise ValueError(
                f"Argument `name` must be a string and cannot contain character `/`. Received: name={name}"
            )
        parent = current_path()
        self._name, self._path = name, f"{parent}/{name}" if parent else name
        self._trainable, self._autocast = bool(trainable), bool(autocast)
        self._aggregation, self._synchronization, self._layout = aggregation, synchronization, layout
        self._regularizer: Any = None
        self._constraint: Any = None
        self._overwrite_with_gradient = False
        if isinstance(initializer, str):
            from . import initializers

            initializer = initializers.get(initializer)
        with init_scope():
            self._value = self._made(initializer, shape, dtype)

    def _made(self, initializer: Any, shape: Any, dtype: Any) -> ResourceVariable:
        if callable(initializer):
            if shape is None:
                raise ValueError(
                    "When creating a Variable from an initializer, the `shape` argument should be specified. Received: "
                    f"initializer={initializer} and shape={shape}"
                )
            sizes = _sizes(shape, self._path)
            self._dtype = standardize_dtype(dtype)
            value = initializer(sizes, dtype=self._dtype)
        else:
            value = _converted(initializer, None if dtype is None else standardize_dtype(dtype))
            self._dtype = value.dtype.name
        return ResourceVariable(value, dtype=self._dtype, trainable=self._trainable, name=self._name)

    # ------------------------------------------------------------------------------------ what it is

    @property
    def value(self) -> Any:
        """The ``tf.Variable`` inside; a tensor while a layer reads its variables in another dtype."""
        return self._value_in_scope() if casting.scopes else self._value

    def _value_in_scope(self) -> Any:
        held = None if casting.stateless is None else casting.stateless.get_current_value(self)
        value = self._value if held is None else held
        dtype = casting.scopes[-1]
        if dtype is None or dtype == self._dtype or not self._autocast:
            return value
        return cast(value, dtype) if self._dtype.startswith(("float", "bfloat")) else value

    @property
    def handle(self) -> EagerTensor:
        """The identity of the inner variable on tapes."""
        return self._value._handle

    @property
    def name(self) -> str:
        """The name, as it was given."""
        return self._name

    @property
    def path(self) -> str:
        """The name with those of the layers around it: ``"model/dense/kernel"``."""
        return self._path

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        return self._value.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._value._handle._a.value.ndim

    @property
    def dtype(self) -> str:
        """The name of the dtype; that in which a layer reads it, inside such a layer."""
        value = self.value
        return self._dtype if value is self._value else value.dtype.name

    @property
    def trainable(self) -> bool:
        """True when it is one of its layer's ``trainable_variables``; tapes watch it by what it was made with."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: Any) -> None:
        self._trainable = bool(value)

    @property
    def regularizer(self) -> Any:
        """The function whose value is added to its layer's ``losses``, or None."""
        return self._regularizer

    @regularizer.setter
    def regularizer(self, value: Any) -> None:
        self._regularizer = value

    @property
    def constraint(self) -> Any:
        """The function that optimizers apply after an update, or None."""
        return self._constraint

    @constraint.setter
    def constraint(self, value: Any) -> None:
        self._constraint = value

    @property
    def aggregation(self) -> Any:
        """As it was given; changes nothing here."""
        return self._aggregation

    @property
    def overwrite_with_gradient(self) -> bool:
        """False."""
        return self._overwrite_with_gradient

    @property
    def _shared_name(self) -> str:
        return self._value._shared_name

    @property
    def _unique_id(self) -> str:
        return self._value._unique_id

    # ------------------------------------------------------------------------------------ reading and writing

    def numpy(self) -> Any:
        """The value as an ndarray."""
        return self._value.numpy()

    def assign(self, value: Any) -> EagerTensor:
        """Replace the value; returns the new value as a tensor.  ValueError for another shape."""
        new = _converted(value, self._dtype)
        if not _equal_shapes(new.shape, self.shape):
            raise ValueError(
                "The shape of the target variable and the shape of the target value in `variable.assign(value)` must "
                f"match. variable.shape={self.shape}, Received: value.shape={new.shape}. Target variable: {self}"
            )
        if casting.stateless is not None:
            casting.stateless.add_update((self, new))
        elif not rehearsing():
            self._value.assign(new)
        return new

    def assign_add(self, value: Any) -> EagerTensor:
        """Add to the value; returns the new value as a tensor."""
        return self.assign(self + value)

    def assign_sub(self, value: Any) -> EagerTensor:
        """Subtract from the value; returns the new value as a tensor."""
        return self.assign(self - value)

    def __getitem__(self, key: Any) -> EagerTensor:
        return get_item(convert_to_tensor(self.value) if casting.scopes else read(self._value), key)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self._value.__array__(dtype))

    def __int__(self) -> int:
        self._check_scalar()
        return int(self._value)

    def __float__(self) -> float:
        self._check_scalar()
        return float(self._value)

    def _check_scalar(self) -> None:
        if self.ndim > 0:
            raise TypeError(f"Only scalar arrays can be converted to Python scalars. Got: shape={self.shape}")

    def __bool__(self) -> bool:
        raise TypeError("A Keras Variable cannot be used as a boolean.")

    def __pos__(self) -> Any:
        return self.value

    def __repr__(self) -> str:
        return f"<Variable path={self.path}, shape={self.shape}, dtype={self.dtype}, value={self._value.numpy()}>"

    def _dense_(self, want: Any = None) -> EagerTensor:
        value = self.value
        return value._dense_(want) if value is self._value else convert_to_tensor(value, want)

    def _peek(self) -> Any:
        """The bare value, without a read that tapes notice."""
        return self._value._peek()


attach(Variable)


def _matmul(a: Any, b: Any) -> EagerTensor:
    """The product, of vectors too."""
    a, b = convert_to_tensor(a), convert_to_tensor(b, convert_to_tensor(a).dtype)
    return tensordot(a, b, 1) if 1 in (len(a.shape), len(b.shape)) else matmul(a, b)


def _rmatmul(b: Any, a: Any) -> EagerTensor:
    return _matmul(convert_to_tensor(a, b.dtype), b)


def _operator(name: str) -> Any:
    """A binary operator with Keras's rule for dtypes: an integer tensor takes the variable's float dtype."""
    plain = _matmul if name == "__matmul__" else _rmatmul if name == "__rmatmul__" else getattr(ResourceVariable, name)

    def operate(self: Variable, other: Any) -> Any:
        value = self.value
        dtype = value.dtype.name
        if isinstance(other, Variable):
            other = other.value
        if is_tensor(other) and other.dtype.name != dtype and dtype.startswith(("float", "bfloat")):
            other = cast(other, dtype) if not other.dtype.is_floating else other
        elif isinstance(other, np.ndarray):
            other = cast(convert_to_tensor(other), dtype)
        return plain(value, other) if value is self._value else getattr(EagerTensor, name)(value, other)

    operate.__name__ = name
    return operate


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(Variable, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(Variable, f"__r{_name}__", _operator(f"__r{_name}__"))
Variable.__hash__ = None  # type: ignore[assignment]  # as Keras's: unhashable, since == compares values


def _converted(value: Any, dtype: str | None) -> EagerTensor:
    """A value as a tensor of a dtype; whatever is a tensor already is cast."""
    if isinstance(value, Variable):
        value = value.value
    want = None if dtype is None else as_dtype(dtype)
    if want is None:
        return convert_to_tensor(value)
    if is_tensor(value) or want.is_integer or want.is_bool:
        value = convert_to_tensor(value)
        return value if value.dtype is want else cast(value, want)
    return convert_to_tensor(value, want)


def _sizes(shape: Any, path: str) -> tuple[int, ...]:
    sizes = tuple(shape)
    if None in sizes:
        raise ValueError(
            "Shapes used to initialize variables must be fully-defined (no `None` dimensions). Received: "
            f"shape={sizes} for variable path='{path}'"
        )
    return tuple(int(s) for s in sizes)


def _equal_shapes(a: Any, b: Any) -> bool:
    return len(a) == len(b) and all(m == n or m is None or n is None for m, n in zip(a, b))
