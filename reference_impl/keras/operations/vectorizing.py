"""``keras.ops.vectorize``: a function of numbers, or of small tensors, made one of tensors of many of them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import reference_impl as tf

from .promotion import tensor
from .shaping import expand_dims, squeeze

_NAMES = r"\((?:\w+(?:,\w+)*,?)?\)"
_SIDE = rf"{_NAMES}(?:,{_NAMES})*"
_SIGNATURE = re.compile(rf"^{_SIDE}->{_SIDE}$")


def _parsed(signature: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The names of axes of each argument and of each result.  ValueError for what is no signature."""
    if not _SIGNATURE.match(signature):
        raise ValueError(f"not a valid gufunc signature: {signature}")
    given, found = ([tuple(re.findall(r"\w+", part)) for part in re.findall(_NAMES, s)] for s in signature.split("->"))
    return given, found


def _learn(sizes: dict[str, Any], shape: tuple, names: tuple[str, ...], given: bool) -> None:
    """Note the sizes of named axes.  ValueError where axes lack or sizes differ."""
    if given and len(shape) < len(names):
        raise ValueError(f"input with shape {shape} does not have enough dimensions for all core dimensions {names}")
    if not given and len(shape) != len(names):
        raise ValueError(f"output shape {shape} does not match core dimensions {names}")
    for name, size in zip(names, shape[len(shape) - len(names) :]):
        if sizes.setdefault(name, size) != size:
            raise ValueError(f"inconsistent size for core dimension {name}: {size} vs {sizes[name]}")


def _checked(function: Any, sizes: dict[str, Any], names: list[tuple[str, ...]] | None) -> Callable[..., Any]:
    """The function, with the shapes of what it gives compared with the signature."""

    def call(*args: Any) -> Any:
        found = function(*args)
        shapes = [tuple(y.shape) for y in (found if isinstance(found, (list, tuple)) else [found])]
        wanted = [()] * len(shapes) if names is None else names
        if len(wanted) > 1 and not isinstance(found, tuple):
            raise TypeError(f"output must be a tuple when multiple outputs are expected, got: {found}")
        if len(shapes) != len(wanted):
            raise TypeError(f"wrong number of output arguments: expected {len(wanted)}, got {len(shapes)}")
        known = dict(sizes)
        for shape, axes in zip(shapes, wanted):
            _learn(known, shape, axes, given=False)
        return found

    return call


def _without_nones(function: Any, args: tuple, names: list, signature: Any) -> tuple[Any, list, list]:
    """The function of what is not None.  A first argument alone is not looked at, as in Keras."""
    nones = [k for k, x in enumerate(args) if x is None]
    if not any(nones):
        return function, list(args), names
    if any(names[k] != () for k in nones):
        raise ValueError(f"Cannot pass None at locations {set(nones)} with signature={signature}")

    def call(*given: Any) -> Any:
        filled = list(given)
        for k in nones:
            filled.insert(k, None)
        return function(*filled)

    kept = [k for k in range(len(args)) if k not in nones]
    return call, [args[k] for k in kept], [names[k] for k in kept]


def _broadcast(shapes: list[tuple]) -> tuple:
    common = tf.TensorShape(shapes[0])
    for shape in shapes[1:]:
        common = tf.broadcast_static_shape(common, tf.TensorShape(shape))
    return tuple(common)


def _over_first_axes(function: Any, axes: tuple) -> Any:
    """The function of all slices along the first axis."""
    if axes != 0:  # what Keras asks of the other backends alone
        raise ValueError("Not supported with `vectorize()` with the TensorFlow backend.")
    return lambda x: tf.vectorized_map(function, x)


def vectorize(pyfunc: Any, *, excluded: Any = None, signature: str | None = None) -> Callable[..., Any]:
    """A function of broadcast tensors.  ValueError for what is no function.

    With TensorFlow Keras knows no way to map over axes that it names: a call that has any to map over raises its
    ValueError, one whose axes all have size 1 is made.
    """
    if not callable(pyfunc):
        raise ValueError(f"Expected argument `pyfunc` to be a callable. Received: pyfunc={pyfunc}")

    @functools.wraps(pyfunc)
    def call(*args: Any, **kwargs: Any) -> Any:
        names, results = ([()] * len(args), None) if signature is None else _parsed(signature)
        function, args, names = _without_nones(pyfunc, args, names, signature)
        tensors = [tensor(x) for x in args]
        if len(tensors) != len(names):
            raise TypeError(f"wrong number of positional arguments: expected {len(names)}, got {len(tensors)}")
        sizes: dict[str, Any] = {}
        for x, axes in zip(tensors, names):
            _learn(sizes, tuple(x.shape), axes, given=True)
        outer = [tuple(x.shape)[: len(x.shape) - len(axes)] for x, axes in zip(tensors, names)]
        rank = len(_broadcast(outer))
        function = _checked(function, sizes, results)
        filled = [((1,) * (rank - len(shape)) + shape)[::-1] for shape in outer]
        left = []
        for k, along in enumerate(zip(*filled)):
            if all(size == 1 for size in along):
                left.append(rank - 1 - k)
            else:
                function = _over_first_axes(function, tuple(None if size == 1 else 0 for size in along))
        squeezed = [squeeze(x, tuple(k for k, s in enumerate(o) if s == 1)) for x, o in zip(tensors, outer)]
        found = function(*squeezed)
        if not left:
            return found
        return tuple(expand_dims(y, left) for y in found) if isinstance(found, tuple) else expand_dims(found, left)

    return call


TABLE: dict[str, Callable[..., Any]] = {"vectorize": vectorize}
