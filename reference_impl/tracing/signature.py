"""Arguments of traced functions: binding them to parameters, telling signatures apart, examples for open sizes."""

from __future__ import annotations

import inspect
import weakref
from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable
from .spec import TensorSpec, TypeSpec, spec_of
from .structure import leaves, mapped, original
from .symbols import SymbolicTensor

_PLAIN = (int, float, bool, complex, str, bytes)


class Signature:
    """The parameters of a Python function, and the specs that an ``input_signature`` gives them."""

    __slots__ = ("names", "python", "specs")

    def __init__(self, function: Any, specs: Any):
        self.python = _signature(function)
        parameters = list(self.python.parameters.values())
        self.names = [p.name for p in parameters]
        self.specs = _by_name(parameters, specs)

    def bind(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """Arguments by parameter.  TypeError in TensorFlow's words when they do not fit."""
        try:
            found = self.python.bind(*args, **kwargs)
            found.apply_defaults()
            values = {k: self._sorted(k, v) for k, v in found.arguments.items()}
            if self.specs is not None:
                self._refuse_keywords(values)
                values = {k: conformed(v, self.specs.get(k), as_spec) for k, v in values.items()}
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and kwargs: {kwargs} "
                f"for signature: {self}."
            ) from None
        return {k: mapped(v, canonical) for k, v in values.items()}

    def _refuse_keywords(self, values: dict[str, Any]) -> None:
        """TypeError for keywords that an ``input_signature`` leaves no room for."""
        for name, p in self.python.parameters.items():
            extra = values.get(name) if p.kind is p.VAR_KEYWORD else None
            default = p.default if p.kind is p.KEYWORD_ONLY else None
            if type(default) in _PLAIN and type(values.get(name)) in _PLAIN and values[name] != default:
                raise TypeError(f"Can not cast {values[name]!r} to Literal[{default!r}]")
            if extra:
                raise TypeError(f"got an unexpected keyword argument '{next(iter(extra))}'")

    def _sorted(self, name: str, value: Any) -> Any:
        """Keywords that the function collects, by name."""
        return (
            dict(sorted(value.items())) if self.python.parameters[name].kind is inspect.Parameter.VAR_KEYWORD else value
        )

    def call_arguments(self, values: dict[str, Any]) -> tuple[list, dict]:
        """The positional and keyword arguments for a call of the Python function."""
        bound = inspect.BoundArguments(self.python, values)  # type: ignore[arg-type]
        return list(bound.args), bound.kwargs

    def __str__(self) -> str:
        shown = []
        for p in self.python.parameters.values():
            if self.specs is not None and p.kind is p.VAR_KEYWORD:
                continue
            star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
            spec = "" if self.specs is None or p.name not in self.specs else f": {type_text(self.specs[p.name])}"
            default = "" if p.default is p.empty else "=<captured_default_value>"
            shown.append(f"{star}{p.name}{spec}{default}")
        return f"({', '.join(shown)})"


def _signature(function: Any) -> inspect.Signature:
    """The signature of a function; that of ``(*args, **kwargs)`` for a builtin without one."""
    try:
        return inspect.signature(function)
    except ValueError:
        return inspect.signature(lambda *args, **kwargs: None)


def _by_name(parameters: list, specs: Any) -> dict[str, Any] | None:
    if specs is None:
        return None
    if not isinstance(specs, (list, tuple)):
        raise TypeError(f"input_signature must be either a tuple or a list, got {type(specs)}.")
    wrong = [s for s in leaves(list(specs)) if not isinstance(s, (TypeSpec, ResourceVariable, type(None)))]
    if wrong:
        raise TypeError(
            "input_signature must be a possibly nested sequence of TensorSpec objects, got invalid args "
            f"{wrong} with types {[type(w) for w in wrong]}."
        )
    found: dict[str, Any] = {}
    left = list(specs)
    if parameters and parameters[0].name == "self":  # a method that is not bound yet
        parameters = parameters[1:]
    for p in parameters:
        if p.kind is p.VAR_POSITIONAL:
            found[p.name], left = tuple(left), []
        elif left and p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD):
            found[p.name] = left.pop(0)
        elif p.default is p.empty and p.kind is p.KEYWORD_ONLY:
            raise TypeError(
                f"Since input_signature is defined, keyword-only parameter `{p.name}` must have a default value"
            )
        elif p.default is p.empty and p.kind is not p.VAR_KEYWORD:
            raise TypeError(f"input_signature missing type constraint for {p.name}")
    if left:
        raise TypeError(f"input_signature contains {len(left)} extra type constraints.")
    return found


def conformed(value: Any, spec: Any, cast: Any) -> Any:
    """``value`` in the nest of ``spec``, each part of it cast to the spec in its place."""
    if isinstance(spec, TensorSpec):
        return cast(value, spec)
    if hasattr(type(spec), "_takes_"):
        return spec._takes_(value)
    if isinstance(spec, (list, tuple, dict)):
        _check_nest(value, spec)
    if isinstance(spec, (list, tuple)):
        parts = [conformed(v, s, cast) for v, s in zip(value, spec)]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(spec, dict):
        return {k: conformed(value[k], s, cast) for k, s in spec.items()}
    return value


def _check_nest(value: Any, spec: Any) -> None:
    """TypeError for an argument in another nest than the one of its spec."""
    kind = dict if isinstance(spec, dict) else list if isinstance(spec, list) else tuple
    if not isinstance(value, kind):
        raise TypeError(f"Can not cast {value!r} to {'a Dict' if kind is dict else kind.__name__} type.")
    if kind is dict and set(value) != set(spec):
        raise TypeError(f"{value!r} has different keys with the TraceType {type_text(spec)}.")
    if len(value) != len(spec):
        raise TypeError(
            "object of type 'Tuple' has no len()" if kind is list  # TensorFlow trips over its own message
            else f"Expected {value!r} to have length of {len(spec)}"
        )  # fmt: skip


def type_text(value: Any) -> str:
    """A type as TensorFlow prints it."""
    if isinstance(value, TypeSpec):
        return repr(value)
    if hasattr(type(value), "_type_text_"):
        return value._type_text_()
    if isinstance(value, dict):
        return "Dict[[" + "], [".join(f"{k!r}, {type_text(v)}" for k, v in value.items()) + "]]"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__.capitalize()}[{', '.join(map(type_text, value))}]"
    return "None" if value is None else f"Literal[{value!r}]"


def as_spec(value: Any, spec: TensorSpec) -> Any:
    """A value as a tensor that fits a spec; what is no tensor is converted to its dtype."""
    if isinstance(value, ResourceVariable):
        value = convert_to_tensor(value)
    if isinstance(value, TensorSpec):
        have = value
    elif isinstance(value, EagerTensor):
        have = spec_of(value)
    else:
        value = convert_to_tensor(value, dtype=spec.dtype)
        have = spec_of(value)
    if not spec.takes(TensorSpec(have.shape, have.dtype)):
        raise TypeError(f"Can not cast {TensorSpec(have.shape, have.dtype)} to {TensorSpec(spec.shape, spec.dtype)}")
    return value


def canonical(value: Any) -> Any:
    """NumPy arrays and scalars count as tensors; tensors, variables and everything else as they are."""
    if isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, (str, bytes)):
        return convert_to_tensor(value)
    return value


def key_of(value: Any, seen: list | None = None) -> Any:
    """What tells one trace from another: dtypes, shapes, Python values, identities."""
    seen = [] if seen is None else seen
    if isinstance(value, EagerTensor):
        spec = spec_of(value)
        return "tensor", spec.dtype.name, spec.shape._dims
    if isinstance(value, TensorSpec):
        return "tensor", value.dtype.name, value.shape._dims
    if isinstance(value, ResourceVariable):
        return _variable_key(value, seen)
    kind = type(value)
    if hasattr(kind, "_trace_key_"):
        return kind, key_of(value._trace_key_())
    if kind in (list, tuple) or isinstance(value, tuple):
        return kind, *(key_of(v, seen) for v in value)
    if isinstance(value, dict):
        return kind, *((k, key_of(v, seen)) for k, v in value.items())
    if hasattr(kind, "_parts_"):
        named = getattr(value, "value_type", kind)  # of a spec: it is traced as its values are
        return named, *(key_of(p, seen) for p in value._parts_())
    return _object_key(value)


def _variable_key(variable: Any, seen: list) -> Any:
    """Variables of one dtype and shape share a trace, if the same ones among the arguments are the same."""
    handle = original(variable)._handle
    position = next((k for k, h in enumerate(seen) if h is handle), len(seen))
    if position == len(seen):
        seen.append(handle)
    return "variable", variable.dtype.name, variable.shape._dims, variable.trainable, position


def _object_key(value: Any) -> Any:
    if isinstance(value, slice):
        raise TypeError(
            f"Could not generate a generic TraceType for {value}.Please verify that it is immutable/hashable. "
            "Otheriwse, consider implementing the Tracing Protocol for it."
        )
    try:
        hash(value)
    except TypeError:
        return _Same(value)
    return ("value", value) if type(value) in (int, float, bool, complex, str, bytes, type(None)) else _Same(value)


class _Same:
    """A key that is equal for the very same object (or an equal hashable one), without keeping it alive."""

    __slots__ = ("_hash", "_id", "_reference")

    def __init__(self, value: Any):
        self._id = id(value)
        try:
            self._reference: Any = weakref.ref(value)
        except TypeError:
            self._reference = lambda: value
        try:
            self._hash = hash(value)
        except TypeError:
            self._hash = self._id

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: Any) -> bool:
        if type(other) is not _Same:
            return NotImplemented
        mine, its = self._reference(), other._reference()
        if mine is None or its is None:
            return False
        return mine is its or (self._hash == other._hash != id(mine) and bool(mine == its))


# ---------------------------------------------------------------------------------------------- examples


def example(value: Any, spec: TensorSpec | None, world: int) -> Any:
    """A tensor for a world: the argument itself in the first one; other sizes, where they are open, in the second."""
    if spec is None:
        return value
    base = value if type(value) is EagerTensor else _made_up(spec, 2)
    if not world or spec.shape.is_fully_defined():
        return base
    if type(value) is not EagerTensor:
        return _made_up(spec, 3)
    have = base._a.shape
    if spec.shape.rank is None:
        want = (*have, 2) if have else (2,)
    else:
        want = tuple(h + 1 if d is None else h for h, d in zip(have, spec.shape.as_list()))
    return wrap(np.resize(np.asarray(base._a), want) if base._a.size else np.zeros(want, base._a.dtype))


def _made_up(spec: TensorSpec, size: int) -> EagerTensor:
    """A tensor that fits a spec: ones, or zeros for integers, so that they are good indices."""
    rank = spec.shape.rank
    shape = (size,) * (size - 1) if rank is None else tuple(size if d is None else d for d in spec.shape.as_list())
    dtype = spec.dtype.numpy
    if dtype.kind == "O":
        return wrap(np.full(shape, b"", dtype=object))
    return wrap(np.full(shape, 0 if dtype.kind in "iub" else 1, dtype=dtype)[()])


def open_sizes(values: Any) -> bool:
    """True when a spec among the arguments leaves a size open."""
    return any(isinstance(v, (TensorSpec, SymbolicTensor)) and not v.shape.is_fully_defined() for v in leaves(values))
