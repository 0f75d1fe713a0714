"""Upstream gradients that only a user's gradient function makes: numbers, NumPy arrays, tensors of bools.

Most gradients multiply by the upstream, which takes the dtype of the other factor.  Some begin with an op that has the
upstream as its first operand.  In a graph the first operand has its own dtype, which the others must have too.
"""

from __future__ import annotations

from typing import Any

from ..foundation.building import graph_being_built
from ..ops.declare import OPS
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from .recording import active

# Ops whose gradient begins so, and the op that it begins with.
_BEGINS = {
    "Mul": "Mul", "Square": "Mul", "RealDiv": "RealDiv", "Relu": "ReluGrad", "Relu6": "Relu6Grad", "Elu": "EluGrad",
    "Selu": "SeluGrad",
}  # fmt: skip


def check_first_of(parts: list) -> None:
    """SystemError where five gradients or more meet and the first is no tensor.

    TensorFlow asks for its size, to see whether they should be added at once, and forgets about the exception.
    """
    if len(parts) > 4 and type(parts[0]) not in (EagerTensor, IndexedSlices):
        raise SystemError("<built-in function len> returned a result with an exception set")


def as_operand(kernel: str, dy: Any) -> Any:
    """The upstream as the gradient of an op by its ``kernel`` takes it; InvalidArgumentError for bools it does not."""
    begins = _BEGINS.get(kernel)
    if begins is None or dy is None or type(dy) is IndexedSlices:
        return dy
    if type(dy) is not EagerTensor:
        if not (active.pretending or active.vectorizing or graph_being_built()):
            return dy
        dy = convert_to_tensor(dy)
    # A product says so itself, with whichever factor comes first.
    if dy._a.dtype.kind in "bO" and begins in OPS and begins != "Mul":
        OPS[begins].check(dy._a.dtype)
    return dy
