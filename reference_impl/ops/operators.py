"""Python's operators on tensors and variables: arithmetic, comparisons, ``&``, ``|``, ``^``, ``~``, indexing."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidArgumentError
from ..foundation.building import Building, intercepted
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, is_tensor
from . import arithmetic, bitwise, casting, comparison, elementwise, logic, matrix, rounding
from .declare import OPS
from .indexing import get_item
from .run import make_binary, number_like


def _reflected(function: Any) -> Any:
    def operator(y: Any, x: Any) -> Any:
        if type(y) is not EagerTensor:
            if hasattr(type(y), "_called_"):  # of several tensors: the function asks its type
                return function(x, y)
            if type(active.cur) is Building:
                return active.cur.graph.call(operator, (y, x), {})
            y = convert_to_tensor(y)
        number = number_like(x, y)
        return function(convert_to_tensor(x, dtype=y.dtype) if number is None else number, y)

    return operator


def _same(x: Any, y: Any) -> Any:
    """``x == y``: False for None and for shapes that do not broadcast, as in TensorFlow."""
    return _compared(comparison.equal, x, y, False)


def _different(x: Any, y: Any) -> Any:
    """``x != y``: True for None and for shapes that do not broadcast."""
    return _compared(comparison.not_equal, x, y, True)


def _compared(function: Any, x: Any, y: Any, otherwise: bool) -> Any:
    if y is None:
        return otherwise
    try:
        return function(x, y)
    except InvalidArgumentError as error:
        if "Incompatible shapes" not in error.message:
            raise
    return convert_to_tensor(otherwise)


def _logical(on_bool: Any, on_int: Any) -> Any:
    @intercepted
    def operator(x: Any, y: Any) -> Any:
        x = convert_to_tensor(x)
        y = convert_to_tensor(y, dtype=None if is_tensor(y) else x.dtype)
        return on_bool(x, y) if x._a.dtype.kind == "b" else on_int(x, y)

    return operator


def _times_bools(x: Any, y: Any) -> Any:
    """``x * y`` where one is bool: whether both are true."""
    as_int = [casting.cast(v, "int32") for v in (x, y)]
    return casting.cast(arithmetic.multiply(*as_int), "bool")


_times = make_binary(OPS["Mul"], _times_bools)


def attach(kind: type) -> None:
    """Give a class (EagerTensor, ResourceVariable) the operators."""

    arithmetic_table = {
        "add": arithmetic.add, "sub": arithmetic.subtract, "mul": _times, "truediv": arithmetic.divide,
        "floordiv": rounding.floordiv, "mod": rounding.floormod, "pow": arithmetic.pow, "matmul": matrix.matmul,
        "and": _logical(logic.logical_and, bitwise.bitwise_and), "or": _logical(logic.logical_or, bitwise.bitwise_or),
        "xor": _logical(logic.logical_xor, bitwise.bitwise_xor),
    }  # fmt: skip
    for name, function in arithmetic_table.items():
        setattr(kind, f"__{name}__", function)
        setattr(kind, f"__r{name}__", _reflected(function))
    for name, function in {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}.items():
        setattr(kind, f"__{name}__", getattr(comparison, function))
    kind.__eq__, kind.__ne__ = _same, _different  # type: ignore[method-assign, assignment]
    kind.__neg__ = arithmetic.negative  # type: ignore[attr-defined]
    kind.__abs__ = elementwise.abs  # type: ignore[attr-defined]
    kind.__invert__ = _invert  # type: ignore[attr-defined]


@intercepted
def _invert(x: Any) -> Any:

    x = convert_to_tensor(x)
    return logic.logical_not(x) if x._a.dtype.kind == "b" else bitwise.invert(x)


attach(EagerTensor)
EagerTensor.__getitem__ = get_item  # type: ignore[attr-defined]
