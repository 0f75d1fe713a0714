"""A call of a layer, as Keras looks at it: arguments by name, shapes for ``build``, errors that say what was passed."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from .. import nest
from ..errors import OpError
from ..ops.casting import cast
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, is_tensor
from .symbolic import KerasTensor
from .variables import Variable


def signature_of(function: Any) -> inspect.Signature:
    """The signature of a method, kept per function."""
    function = getattr(function, "python_function", function)  # of a call that is a traced function
    return _signature(getattr(function, "__func__", function), hasattr(function, "__func__"))


@functools.lru_cache(maxsize=4096)
def _signature(function: Any, bound: bool) -> inspect.Signature:
    found = inspect.signature(function)
    return found.replace(parameters=list(found.parameters.values())[1:]) if bound else found


def converted(value: Any, dtype: str, autocast: bool) -> Any:
    """A nest with arrays as tensors, and float tensors in a layer's dtype."""
    return mapped(value, lambda x: _converted(x, dtype, autocast))


def mapped(value: Any, leaf: Any) -> Any:
    """A nest of lists, tuples and dicts with ``leaf`` applied to everything else."""
    if isinstance(value, list):
        return [mapped(v, leaf) for v in value]
    if isinstance(value, tuple):
        parts = [mapped(v, leaf) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, dict):
        return {k: mapped(v, leaf) for k, v in value.items()}
    return leaf(value)


def _converted(x: Any, dtype: str, autocast: bool) -> Any:
    if type(x) is IndexedSlices:
        return x
    if isinstance(x, EagerTensor):
        wanted = autocast and x.dtype.is_floating and x.dtype.name != dtype
        return _cast_with_mask(x, dtype) if wanted else x
    if isinstance(x, KerasTensor):
        return x
    if isinstance(x, Variable):
        return cast(x, dtype) if autocast and x.dtype.startswith(("float", "bfloat")) and x.dtype != dtype else x
    if hasattr(x, "__array__") and not is_tensor(x):
        x = convert_to_tensor(x)
        return cast(x, dtype) if autocast and x.dtype.is_floating and x.dtype.name != dtype else x
    return x


def _cast_with_mask(x: EagerTensor, dtype: str) -> EagerTensor:
    from . import masks

    made = cast(x, dtype)
    if masks.known and (mask := masks.mask_of(x)) is not None:
        masks.attach(made, mask)
    return made


def check_positional(args: tuple) -> None:
    """ValueError for an argument by position that is no tensor."""
    for arg in nest.flatten(args):
        if arg is not None and not _is_tensor(arg):
            raise ValueError(
                "Only input tensors may be passed as positional arguments. The following argument value should be "
                f"passed as a keyword argument: {arg} (of type {type(arg)})"
            )


def _is_tensor(value: Any) -> bool:
    return is_tensor(value) or isinstance(value, KerasTensor)


def shapes_by_name(arguments: dict[str, Any]) -> dict[str, Any]:
    """``{"inputs_shape": (3, 4)}`` for the arguments that are tensors or nests of tensors."""
    shapes: dict[str, Any] = {}
    for name, value in arguments.items():
        if name in ("mask", "args", "kwargs"):
            continue
        leaves = nest.flatten(value)
        if _is_tensor(value):
            shapes[f"{name}_shape"] = tuple(value.shape)
        elif nest.is_nested(value) and leaves and all(v is None or _is_tensor(v) for v in leaves):
            shapes[f"{name}_shape"] = mapped(value, lambda v: None if v is None else tuple(v.shape))
    return shapes


def shapes_for(build: Any, shapes: dict[str, Any], arguments: dict[str, Any], class_name: str) -> dict[str, Any]:
    """The shapes that a ``build`` method takes, by its parameters."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY)
    names = [n for n, p in signature_of(build).parameters.items() if p.kind in kinds]
    if len(names) == 1:
        return {names[0]: next(iter(shapes.values()), None)}
    for name in names:
        preamble = (
            "For a `build()` method with more than one argument, all arguments should have a `_shape` suffix and "
            "match an argument from `call()`. E.g. `build(self, foo_shape, bar_shape)` "
        )
        if not name.endswith("_shape"):
            raise ValueError(
                f"{preamble} For layer '{class_name}', Received `build()` argument `{name}`, which does not end in "
                "`_shape`."
            )
        if name.removesuffix("_shape") not in arguments:
            raise ValueError(
                f"{preamble} For layer '{class_name}', received `build()` argument `{name}`, but `call()` does not "
                f"have argument `{name.removesuffix('_shape')}`."
            )
    return {name: shapes[name] for name in names if name in shapes}


def build_config(build: Any, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """The shapes that ``build`` was called with, as configurations hold them."""
    shapes = {**dict(zip(signature_of(build).parameters, args)), **kwargs}
    shapes = {name: shape for name, shape in shapes.items() if shape is not None}
    if not shapes:
        return None
    return {"input_shape": next(iter(shapes.values()))} if len(shapes) == 1 else {"shapes_dict": shapes}


def as_shape(value: Any) -> Any:
    """A shape that went through JSON as a tuple; of a list or dict of shapes the same."""
    if isinstance(value, dict):
        return {k: as_shape(v) for k, v in value.items()}
    if not isinstance(value, (list, tuple)):
        return value
    nested = any(isinstance(v, (list, tuple)) for v in value)
    return [as_shape(v) for v in value] if nested else tuple(value)


def explained(error: Exception, method: Any, title: str, args: tuple, kwargs: dict) -> Exception:
    """An error that came out of a layer's ``call``, with the arguments of the call in its message."""
    if hasattr(error, "_keras_call_info_injected"):
        return error
    signature = signature_of(method)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return error
    lines = []
    for p in signature.parameters.values():
        value = mapped(bound.arguments[p.name], _shown) if p.name in bound.arguments else p.default
        lines.append(f"  • {p.name}={value}")
    if not lines:
        return error
    message = error.message if isinstance(error, OpError) else error.args[0] if error.args else ""
    text = (
        f"Exception encountered when calling {title}.\n\n\x1b[1m{message}\x1b[0m\n\nArguments received by {title}:\n"
        + "\n".join(lines)
    )
    return _like(error, text)


def _like(error: Exception, text: str) -> Exception:
    try:
        new = type(error)(None, None, text) if isinstance(error, OpError) else type(error)(text)
    except TypeError:
        new = RuntimeError(text)
    new._keras_call_info_injected = True  # type: ignore[attr-defined]
    return new.with_traceback(error.__traceback__)


def _shown(value: Any) -> str:
    if isinstance(value, KerasTensor):
        return repr(value)
    if is_tensor(value):
        dtype = value.dtype if isinstance(value.dtype, str) else value.dtype.name
        return f"tf.Tensor(shape={value.shape}, dtype={dtype})"
    return repr(value)
