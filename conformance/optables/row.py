"""The vocabulary of op rows: `Row`, the spans and dtype sets that rows name, and `Digits` to draw attributes with.

A `Row` says how to call an op (operands, attributes), where it is calm (`spans`), where it is not (`kinks`), and gives
a NumPy forward that is only a *sketch*: it tells the generator the shapes and rough values of what an op will make, so
that the next op can be chosen well. It judges nothing; TensorFlow does.

Ops whose operands must fit one another closely (an image and a filter, rows and their segments) have a `setting` in
the place of operands and attributes: a function of digits and a dtype that gives a whole `Setting`, in which `Fresh`
operands say their shapes and how they are filled. What such an op makes is not sketched but asked of the reference
engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from adapters.arrays import array_of
from adapters.language import Array

REAL = frozenset({"float32", "float64", "float16", "bfloat16"})
WIDE = frozenset({"float32", "float64"})
COMPLEX = frozenset({"complex64", "complex128"})
FLOATING = REAL | COMPLEX
INTEGER = frozenset({"int32", "int64"})
SIGNED = REAL | INTEGER
WIDE_NUMBERS = WIDE | COMPLEX
NUMERIC = FLOATING | INTEGER
BOOL = frozenset({"bool"})
ANY = NUMERIC | BOOL


class Digits:
    """Small decisions read off one integer, lowest digit first; an exhausted integer answers 0 (the simplest)."""

    __slots__ = ("rest",)

    def __init__(self, number: int) -> None:
        self.rest = number

    def __call__(self, base: int) -> int:
        self.rest, digit = divmod(self.rest, base)
        return digit


@dataclass(frozen=True, slots=True)
class DType:
    """A dtype object among the attributes of a call."""

    name: str


@dataclass(frozen=True, slots=True)
class Span:
    """Where an operand is calm: every element between `low` and `high` and at least `apart` from zero."""

    low: float = -30.0
    high: float = 30.0
    apart: float = 0.0

    def holds(self, array: np.ndarray) -> bool:
        """Whether all elements lie in the span (never for a nan; complex numbers by their absolute value)."""
        size = np.abs(array)
        if array.dtype.kind == "c":
            inside = bool((size <= self.high).all())
        else:
            inside = bool(((array >= self.low) & (array <= self.high)).all())
        return inside and (not self.apart or bool((size >= self.apart).all()))


CALM = Span()
ANYWHERE = Span(-1e4, 1e4)

Attributes = Callable[[Digits, tuple[np.ndarray, ...]], dict[str, Any]]


def no_attributes(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    """The op takes operands alone."""
    return {}


@dataclass(frozen=True, slots=True)
class Fresh:
    """A floating operand of a setting: its shape, how it is filled (see `generating/moves/fillings.py`), its span.

    A value alive may stand in its place where it is filled with "any" numbers, never where with "new" ones.

    dtype: that of the call where empty.
    """

    shape: tuple[int, ...]
    fill: str = "any"
    dtype: str = ""
    span: Span = Span(-3.0, 3.0)


@dataclass(frozen=True, slots=True)
class Made:
    """An operand of a setting that another call makes just before: a sparse tensor, a list of tensors."""

    op: str
    args: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """In a call that follows another one: what that one made."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything one call takes: operands by position, and operands and attributes by name.

    Each is `Fresh`, `Made`, an exact `Array` (a constant), a list or tuple of such, or a plain value. `then`: calls
    that make a dense tensor of the result, one after another: a name (`attribute.values` of a sparse tensor), or a
    `Made` in which `Result()` stands for what was made before; a `Made` within it takes the same.
    """

    args: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)
    then: tuple[str | Made, ...] = ()


Setup = Callable[[Digits, str], Setting]


def integers(values: Any, dtype: str = "int32") -> Array:
    """A constant of integers, from a nest of lists."""
    return array_of(values, dtype)


def unsketched(*operands: np.ndarray) -> np.ndarray:
    """The forward of a row with a setting: its results are asked of the engine."""
    raise ValueError("there is no sketch of this op")


@dataclass(frozen=True, slots=True)
class Row:
    """One op. `operands` name kinds: `x` the main one, `broadcast`, `same`, `matmul`, `mask`, `vector`, `list`.

    `curve` says how gradients of the result depend on its operands: `curved`, `bilinear` (only if both are known),
    `linear`, `flat` (zero beyond first order, or none) or `cut` (no gradient). `result` is the dtype of what it
    makes: `same`, `real`, `complex`, `cast` (the attribute `dtype`) or a dtype's name. Attributes named in
    `positional` are passed by position after the operands, the others by name. `ulps` names the class of the op's
    error in the table of measured kernel errors; `exact` says that small dyadic operands give results without rounding.

    `when_named`: why the row is drawn only when a run names it. `unasked`: kinds of programs in which it is not drawn
    by default, because TensorFlow answers with what is not about the op: how it vectorizes or traces (`jacobian`,
    `forward_mode`). `often`: how often a row with a setting is drawn, as compared with the others of them; more where
    there is much to vary.
    """

    name: str
    forward: Callable[..., Any]
    operands: tuple[str, ...] = ("x",)
    dtypes: frozenset[str] = REAL
    attributes: Attributes = no_attributes
    positional: tuple[str, ...] = ()
    spans: tuple[Span, ...] = (CALM,)
    kinks: tuple[float, ...] = ()
    ties: bool = False
    curve: str = "curved"
    exact: bool = False
    result: str = "same"
    rank: int = 0
    ulps: str = "exact"
    weight: int = 2
    setting: Setup | None = None
    when_named: str = ""
    unasked: tuple[str, ...] = ()
    often: int = 1

    @property
    def main(self) -> int:
        """The position of the main operand."""
        return self.operands.index("x") if "x" in self.operands else 0

    def span(self, position: int) -> Span:
        """The span of the operand at `position` (the last one given holds for those after it)."""
        return self.spans[min(position, len(self.spans) - 1)]


def op_row(
    name: str,
    setting: Setup,
    dtypes: frozenset[str] = WIDE,
    curve: str = "curved",
    kinks: tuple[float, ...] = (),
    ties: bool = False,
    **more: Any,
) -> Row:
    """A row whose calls are made whole by `setting`."""
    return Row(name, unsketched, dtypes=dtypes, curve=curve, kinks=kinks, ties=ties, weight=0, setting=setting, **more)
