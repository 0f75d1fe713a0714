"""``ExtensionType``: immutable classes with typed fields, whose tensors tapes, functions and nests see.

    class Masked(tf.experimental.ExtensionType):
        values: tf.Tensor
        mask: tf.Tensor

A tape's ``watch`` takes one; as a source or target of a gradient it is refused, its fields are not.
"""

from __future__ import annotations

import functools
import inspect
import types
import typing
from typing import Any

from ..dtypes import DType, as_dtype
from ..ops.declare import NAMES
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor

_PLAIN = (bool, int, float, str, bytes)


class ExtensionType:
    """Base of types whose fields are given by annotations; the constructor takes the fields and checks them.

    ``__validate__(self)`` of a subclass is called last.  TypeError for missing, surplus or wrong arguments.
    """

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        hints = typing.get_type_hints(cls)
        for name, kind in hints.items():
            _known(name, kind)
        cls._fields_ = hints
        cls.__init__ = (  # type: ignore[method-assign]
            _closing(cls.__dict__["__init__"]) if "__init__" in cls.__dict__ else _constructor(cls, hints)
        )

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is ExtensionType:
            raise AssertionError(
                "Cannot create an instance of ExtensionType because ExtensionType is an abstract base class."
            )
        made = object.__new__(cls)
        object.__setattr__(made, "_open", True)
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        if not self.__dict__.get("_open"):
            raise AttributeError(f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType.")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType.")

    def __validate__(self) -> None:
        """Raise an error for fields that do not go together; for subclasses to override."""

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields_)
        return f"{type(self).__qualname__}({fields})"

    def __eq__(self, other: Any) -> Any:
        if type(self) is not type(other):
            return False
        mine, theirs = self._parts_(), other._parts_()
        if any(a.shape.as_list() != b.shape.as_list() for a, b in zip(mine, theirs)):
            return False
        same = [NAMES["reduce_all"](NAMES["equal"](a, b)) for a, b in zip(mine, theirs)]
        plain = all(getattr(self, n) == getattr(other, n) for n in self._fields_ if not _tensors(getattr(self, n)))
        return NAMES["reduce_all"](NAMES["stack"]([*same, convert_to_tensor(plain)]))

    __hash__ = None  # type: ignore[assignment]

    # ------------------------------------------------------------------------------------ what tapes see

    def _parts_(self) -> list:
        return [t for name in self._fields_ for t in _tensors(getattr(self, name))]

    def _with_parts_(self, parts: list) -> Any:
        left = iter(parts)
        made = object.__new__(type(self))
        for name in self._fields_:
            object.__setattr__(made, name, _refilled(getattr(self, name), left))
        return made

    def _dense_(self, want: Any = None) -> Any:
        raise ValueError(f"Attempt to convert a value ({self}) with an unsupported type ({type(self)}) to a Tensor.")


def _tensors(value: Any) -> list:
    """The tensors of a field."""
    if hasattr(type(value), "_parts_"):
        return value._parts_()
    if isinstance(value, tuple):
        return [t for v in value for t in _tensors(v)]
    return [value] if hasattr(type(value), "_n") or hasattr(type(value), "_slot") or _is_slot(value) else []


def _is_slot(value: Any) -> bool:
    return not isinstance(value, (*_PLAIN, DType, TensorShape, type(None)))


def _refilled(value: Any, left: Any) -> Any:
    if hasattr(type(value), "_with_parts_"):
        return value._with_parts_([next(left) for _ in value._parts_()])
    if isinstance(value, tuple):
        return tuple(_refilled(v, left) for v in value)
    return next(left) if _tensors(value) else value


def _known(name: str, kind: Any) -> None:
    """TypeError for an annotation that no field can have."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType, tuple):
        for part in typing.get_args(kind):
            if part not in (type(None), Ellipsis):
                _known(name, part)
        return
    fine = kind in (*_PLAIN, DType, TensorShape, EagerTensor, tuple)
    if not fine and not (isinstance(kind, type) and hasattr(kind, "_parts_")):
        text = kind.__name__ if isinstance(kind, type) else kind
        raise TypeError(f"In field {name!r}: Unsupported type annotation {text!r}")


def _constructor(cls: type, hints: dict) -> Any:
    kinds = inspect.Parameter
    parameters = [
        kinds(name, kinds.POSITIONAL_OR_KEYWORD, default=getattr(cls, name, kinds.empty), annotation=kind)
        for name, kind in hints.items()
    ]
    signature = inspect.Signature(sorted(parameters, key=lambda p: p.default is not kinds.empty))

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name in hints:
            object.__setattr__(self, name, bound.arguments[name])
        _close(self)

    return __init__


def _closing(constructor: Any) -> Any:
    """A constructor that the user wrote, after which the object cannot be changed."""

    @functools.wraps(constructor)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        constructor(self, *args, **kwargs)
        _close(self)

    return __init__


def _close(self: Any) -> None:
    for name, kind in self._fields_.items():
        object.__setattr__(self, name, _converted(name, kind, getattr(self, name)))
    object.__delattr__(self, "_open")
    self.__validate__()


def _converted(name: str, kind: Any, value: Any) -> Any:
    """A value as the field's type has it.  TypeError when it does not fit."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind is EagerTensor:
        return convert_to_tensor(value)
    if kind is TensorShape:
        return TensorShape(value)
    if kind is DType:
        return as_dtype(value)
    if origin in (typing.Union, types.UnionType):
        return _one_of(name, parts, value)
    if origin is tuple and isinstance(value, (tuple, list)):
        inner = [parts[0]] * len(value) if parts[-1] is Ellipsis else parts
        return tuple(_converted(f"{name}[{k}]", t, v) for k, (t, v) in enumerate(zip(inner, value)))
    if not isinstance(value, kind if origin is None else origin) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"{name}: expected {kind.__name__!r}, got {type(value).__name__!r}")
    return value


def _one_of(name: str, kinds: tuple, value: Any) -> Any:
    if value is None and type(None) in kinds:
        return None
    for kind in kinds:
        if kind is type(None):
            continue
        try:
            return _converted(name, kind, value)
        except (TypeError, ValueError):
            continue
    raise TypeError(f"{name}: expected one of {kinds}, got {type(value).__name__!r}")
