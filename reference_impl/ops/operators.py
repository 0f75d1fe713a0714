"""Python's operators on Tensors: ``+ - * / // % ** @``, comparisons, indexing."""

from __future__ import annotations

from typing import Any

from ..tensor import EagerTensor
from . import arithmetic, comparison, elementwise, matrix


def _reflected(function: Any) -> Any:
    return lambda y, x: function(x, y)


def attach(kind: type) -> None:
    """Give a class (EagerTensor, Variable) the operators."""
    table = {
        "add": arithmetic.add, "sub": arithmetic.subtract, "mul": arithmetic.multiply, "truediv": arithmetic.divide,
        "pow": arithmetic.pow, "matmul": matrix.matmul,
    }  # fmt: skip
    for name, function in table.items():
        setattr(kind, f"__{name}__", function)
        setattr(kind, f"__r{name}__", _reflected(function))
    for name, function in {"neg": arithmetic.negative, "abs": elementwise.abs}.items():
        setattr(kind, f"__{name}__", lambda x, f=function: f(x))
    names = {"lt": comparison.less, "le": comparison.less_equal, "gt": comparison.greater}
    for name, function in {**names, "ge": comparison.greater_equal}.items():
        setattr(kind, f"__{name}__", function)


attach(EagerTensor)
