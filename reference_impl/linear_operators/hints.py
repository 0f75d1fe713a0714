"""What linear operators know of themselves without looking at their numbers, and what follows for products of them.

A hint is True, False, or None where nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..foundation import warnings_log
from ..surroundings.inquiring import broadcast_static_shape
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.variable import ResourceVariable

NAMES = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")


class Dimension(int):
    """A number of rows or columns as TensorFlow shows it: ``Dimension(3)``."""

    @property
    def value(self) -> int:
        """The number."""
        return int(self)

    def __repr__(self) -> str:
        return f"Dimension({int(self)})"

    def __str__(self) -> str:
        return str(int(self))

    def __format__(self, spec: str) -> str:
        return format(int(self), spec)


def fitting(size: int | None, other: int | None) -> None:
    """ValueError unless two sizes are equal or one of them is not known."""
    if size is not None and other is not None and size != other:
        raise ValueError(f"Dimensions {int(size)} and {int(other)} are not compatible")


def given(value: Any) -> Any:
    """A parameter of an operator: variables stay what they are, all else becomes a tensor."""
    if value is None or isinstance(value, ResourceVariable):
        return value
    return convert_to_tensor(value)


def as_hints(*said: Any) -> dict[str, Any]:
    """What a constructor was told of all four, in the order of its arguments."""
    return dict(zip(NAMES, said, strict=True))


def hints(operator: Any) -> dict[str, Any]:
    """All four hints of an operator, as arguments of another one."""
    return {name: getattr(operator, name) for name in NAMES}


def non_singular(left: Any, right: Any) -> Any:
    """Whether a product is non-singular."""
    if left.is_non_singular is False or right.is_non_singular is False:
        return False
    return left.is_non_singular and right.is_non_singular


def self_adjoint(left: Any, right: Any) -> Any:
    """Whether a product of operators that commute is self-adjoint."""
    if left.is_self_adjoint and right.is_self_adjoint:
        return True
    return False if {left.is_self_adjoint, right.is_self_adjoint} == {True, False} else None


def positive_definite(left: Any, right: Any) -> Any:
    """Whether a product of operators that commute is positive definite."""
    known = [o.is_positive_definite is True and o.is_self_adjoint is True for o in (left, right)]
    return True if all(known) else None


def of_product(left: Any, right: Any) -> dict[str, Any]:
    """The hints of a product of operators that commute."""
    return {
        "is_non_singular": non_singular(left, right),
        "is_self_adjoint": self_adjoint(left, right),
        "is_positive_definite": positive_definite(left, right),
        "is_square": True,
    }


def of_any_product(left: Any, right: Any) -> dict[str, Any]:
    """The hints of a product of any two operators."""
    if left.is_square and right.is_square:
        return {"is_non_singular": non_singular(left, right), "is_square": True}
    if left.is_square is False and right.is_square is False:
        square = left.range_dimension == right.domain_dimension
    else:
        square = False
    if square:
        return {"is_non_singular": non_singular(left, right), "is_square": True}
    return dict.fromkeys(NAMES, False)


def of_wrapped(operator: Any, own: dict[str, Any], word: str) -> dict[str, Any]:
    """The hints of the adjoint or inverse (``word``) of an operator.  ValueError where the user says otherwise."""
    texts = {"is_square": "square", "is_non_singular": "non-singular", "is_self_adjoint": "self-adjoint"}
    texts["is_positive_definite"] = "positive-definite"
    found = {}
    for name, text in texts.items():
        known, said = getattr(operator, name), own[name]
        if (known is False and said) or (known and said is False):
            raise ValueError(f"An operator is {text} if and only if its {word} is {text}.")
        found[name] = True if known or said else False if False in (known, said) else None
    return found


def of_all(operators: Sequence[Any], own: dict[str, Any], refusal: Callable[[str, Any], str]) -> dict[str, Any]:
    """The hints of what is made of several operators, where all having a property gives it to the whole."""
    found = dict(own)
    for name in ("is_non_singular", "is_self_adjoint", "is_positive_definite"):
        if all(getattr(o, name) for o in operators):
            if own[name] is False:
                raise ValueError(refusal(name, own[name]))
            found[name] = True
    return found


def adjoint_pair(x: Any, y: Any) -> bool:
    """Whether two operators are known to be each other's adjoints."""
    if x is y and x.is_self_adjoint is not None:
        return bool(x.is_self_adjoint)
    return x.H is y or y.H is x


def folded(operators: Sequence[Any]) -> bool:
    """Whether a product reads as ``A @ A.H``."""
    half = len(operators) // 2
    return not len(operators) % 2 and all(adjoint_pair(operators[i], operators[-1 - i]) for i in range(half))


def joint_batch(operators: Sequence[Any]) -> TensorShape:
    """The batch shape of several operators together."""
    shape = operators[0].batch_shape
    for operator in operators[1:]:
        shape = broadcast_static_shape(shape, operator.batch_shape)
    return shape


def warn_of_dense(what: str) -> None:
    """Say that a method has no shortcut for this operator."""
    warnings_log.warn(
        f"Using (possibly slow) default implementation of {what}.  Requires conversion to a dense matrix and O(N^3) "
        "operations."
    )
