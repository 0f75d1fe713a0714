"""Upstream gradients that only a user's gradient function makes: numbers, NumPy arrays, bools, slices of other dtypes.

Most gradients multiply by the upstream, which takes the dtype of the other factor.  Some begin with an op that has the
upstream as its first operand.  In a graph the first operand has its own dtype, which the others must have too.
"""

from __future__ import annotations

from typing import Any

from ..foundation.building import makes_a_graph
from ..ops.declare import OPS
from ..ops.scatter import densified
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor

# Ops whose gradient begins so, and the op that it begins with.
_BEGINS = {
    "Mul": "Mul", "Square": "Mul", "RealDiv": "RealDiv", "Relu": "ReluGrad", "Relu6": "Relu6Grad", "Elu": "EluGrad",
    "Selu": "SeluGrad",
}  # fmt: skip
# Ops whose gradient begins with an op of the upstream, as it came, and another tensor: outside a graph slices are made
# dense there, and must have the dtype of the other.
_MEETS = {
    "Abs", "Acosh", "Asinh", "Atan2", "BesselI0", "BesselI0e", "BesselI1", "BesselI1e", "BesselJ0",
    "BesselJ1", "BesselK0", "BesselK0e", "BesselK1", "BesselK1e", "BesselY0", "BesselY1", "Betainc",
    "Cos", "Cosh", "Cross", "Cumprod", "Dawsn", "Digamma", "Einsum", "Elu", "Exp",
    "Expint", "Expm1", "FloorMod", "FresnelCos", "FresnelSin", "Igamma", "Igammac", "LeakyRelu", "Lgamma", "Log",
    "Log1p", "MatMul", "MatrixDeterminant", "MatrixSolve", "MatrixTriangularSolve", "MaxPool", "Mul", "MulNoNan",
    "Polygamma", "Pow", "RealDiv", "Reciprocal", "Relu", "Relu6", "Rsqrt", "Selu", "Sigmoid", "Sin", "Sinh",
    "Softmax", "Softplus", "Softsign", "Spence", "Sqrt", "Square", "Tan", "Tanh", "Xdivy", "Xlog1py", "Xlogy",
    "Zeta",
}  # fmt: skip


def meets(kernel: str) -> bool:
    """Whether slices go into the gradient of an op by its ``kernel`` as they are: their dtype is judged there."""
    return kernel in _MEETS and not makes_a_graph()


def check_first_of(parts: list) -> None:
    """SystemError where five gradients or more meet and the first is no tensor.

    TensorFlow asks for its size, to see whether they should be added at once, and forgets about the exception.
    """
    if len(parts) > 4 and type(parts[0]) not in (EagerTensor, IndexedSlices):
        raise SystemError("<built-in function len> returned a result with an exception set")


def as_operand(kernel: str, dy: Any, *others: Any) -> Any:
    """The upstream as the gradient of an op by its ``kernel`` takes it; InvalidArgumentError for bools it does not.

    ``others``: what it meets there, of which those that are kept are Tensors.  ValueError for slices of another dtype.
    """
    if type(dy) is IndexedSlices:
        return _beside(dy, others) if meets(kernel) else dy
    begins = _BEGINS.get(kernel)
    if begins is None or dy is None:
        return dy
    if type(dy) is not EagerTensor:
        if not makes_a_graph():
            return dy
        dy = convert_to_tensor(dy)
    # A product says so itself, with whichever factor comes first.
    if dy._a.dtype.kind in "bO" and begins in OPS and begins != "Mul":
        OPS[begins].check(dy._a.dtype)
    return dy


def _beside(slices: IndexedSlices, others: tuple) -> Any:
    """Slices as a Tensor of the dtype of the first Tensor they meet."""
    for x in others:
        if type(x) is EagerTensor:
            return slices._dense_(x.dtype)
    return densified(slices)
