"""``make_vjp``: a function's value together with the function that takes upstream gradients back to its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nest
from ..ops.casting import identity
from ..tensors.conversion import convert_to_tensor
from .tape import GradientTape


def make_vjp(f: Callable, params: Any = None, persistent: bool = True) -> Callable:
    """``make_vjp(f)(*args)`` is ``(value, vjp)``; ``vjp(dy=None)`` gives the gradients by the arguments, as a list.

    ``params``: the positions of the arguments to differentiate by, all when None.  ValueError when ``f`` returns None.
    """

    def decorated(*args: Any, **kwargs: Any) -> tuple[Any, Callable]:
        positions = range(len(args)) if params is None else params
        with GradientTape(persistent=persistent) as tape:
            given = list(args)
            for k in positions:
                given[k] = convert_to_tensor(args[k])
                tape.watch(given[k])
            result = f(*given, **kwargs)
            if result is None:
                raise ValueError(
                    "Cannot differentiate a function that returns None; did you forget to return a value from "
                    f"{f.__name__}?"
                )
            flat = [identity(convert_to_tensor(y)) for y in nest.flatten(result)]

        def vjp(dy: Any = None) -> list:
            upstream = None if dy is None else [convert_to_tensor(d) for d in nest.flatten(dy)]
            return tape.gradient(flat, [given[k] for k in positions], output_gradients=upstream)

        return nest.pack_sequence_as(result, flat), vjp

    return decorated


__all__ = ["make_vjp"]
