"""The registry of gradients by kernel name: ``RegisterGradient``, ``no_gradient``.

    @RegisterGradient("Bitcast")
    def gradient(op, upstream):
        return ...

The gradients of TensorFlow's own kernels are part of their declarations (ops/declare.py) and cannot be registered
again.  A gradient for a kernel without one takes effect at once, also for what was recorded before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ..errors import InternalError
from ..ops.declare import publish
from ..tensors.tensor import EagerTensor, wrap

_REGISTERED: dict[str, Callable[..., Any] | None] = {}


class RegisterGradient:
    """Decorator: the function ``(op, *upstream)`` is the gradient of the kernel of this name (``tf.RegisterGradient``).

    It returns one gradient for each input of ``op``, or a list of them.  TypeError unless the name is a string,
    KeyError when the kernel has an entry already.
    """

    __slots__ = ("_op_type",)

    def __init__(self, op_type: str):
        self._op_type = _checked(op_type)

    def __call__(self, f: Any) -> Any:
        _register(self._op_type, f)
        return f


def no_gradient(op_type: str) -> None:
    """Register a kernel as one without a gradient (``tf.no_gradient``): its gradient is None.  Errors as above."""
    _register(_checked(op_type), None)


NotDifferentiable = no_gradient


def _checked(op_type: Any) -> str:
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    return op_type


def _register(name: str, function: Any) -> None:
    from .registered_names import DIFFERENTIABLE, NOT_DIFFERENTIABLE

    if name in _REGISTERED or name in DIFFERENTIABLE or name in NOT_DIFFERENTIABLE:
        line = sys._getframe().f_lineno
        raise KeyError(
            f"Registering two gradient with name '{name}'! (Previous registration was in register {__file__}:{line})"
        )
    _REGISTERED[name] = function


def clear_registered_gradients() -> None:
    """Forget every gradient that was registered since import."""
    _REGISTERED.clear()


class RecordedOp:
    """What a registered gradient sees of the op it is asked about: ``type``, ``inputs``, ``outputs``, ``get_attr``."""

    __slots__ = ("attrs", "inputs", "outputs", "skip_input_indices", "type")

    def __init__(self, kernel: str, inputs: list, outputs: list, attributes: dict):
        self.type, self.inputs, self.outputs, self.attrs = kernel, inputs, outputs, attributes
        self.skip_input_indices: tuple[int, ...] = ()

    def get_attr(self, name: str) -> Any:
        """An attribute of the op.  KeyError when it has none of this name."""
        return self.attrs[name]


def registered(kernel: str, inputs: Any, outputs: Any, attributes: dict) -> Callable[..., list]:
    """The registered gradient of a recorded op as a function of the upstream; one gradient for each input.

    LookupError when the kernel has none.
    """
    if kernel not in _REGISTERED:
        raise LookupError(f"gradient registry has no entry for: {kernel}")
    function, inputs = _REGISTERED[kernel], list(inputs)
    if function is None:
        return lambda *_upstream: [None] * len(inputs)

    def backward(*upstream: Any) -> list:
        result = function(RecordedOp(kernel, inputs, list(outputs), attributes), *upstream)
        found = list(result) if isinstance(result, (list, tuple)) else [result]
        if len(found) != len(inputs):
            raise InternalError(
                None,
                None,
                f"Recorded operation '{kernel}' returned too few gradients. Expected {len(inputs)} but received "
                f"{len(found)}",
            )
        return found

    return backward


class Registered:
    """A recorded op with the gradient that a user registered for its kernel.  LookupError when nobody did."""

    __slots__ = ("gradient", "kernel")

    def __init__(self, op: Any, inputs: Any, outputs: Any, attributes: dict):
        self.kernel = op.kernel
        self.gradient = registered(op.kernel, inputs, outputs, attributes)


def gradients_of_values(kernel: str, F: Any, dy: Any, y: Any, inputs: tuple) -> list:
    """``registered`` for a rule over a namespace ``F``: takes and gives arrays where ``F`` works on arrays."""
    if F.recording:
        return registered(kernel, inputs, (y,), {})(dy)
    found = registered(kernel, [wrap(x) for x in inputs], (wrap(y),), {})(wrap(dy))
    return [g._a if type(g) is EagerTensor else g for g in found]


publish("RegisterGradient", RegisterGradient)
publish("no_gradient", no_gradient)
