"""What the programs of one op are to hit: `goals(row)`, and what one program hits: `met(row, found, program, want)`.

A goal is a phrase: `axis = -1` (a value of an attribute, `axis = absent` where it is left to its default), `kink 0`,
`ties`, `dtype float16`, `rank 2`, `empty`, `broadcast`.

The attribute values that a row can draw are not declared: they are found by asking its `attributes` or `setting` for
several thousand calls, over all its dtypes and the generator's shapes. Text, booleans, None and dtypes are goals one by
one. So are numbers, lists and slices of which an attribute has at most `FEW` different ones; where it has more (all
sizes of an output, all paddings) `padding = a list` is one goal. Attributes of the calls that make operands (of a
sparse tensor) are not counted. Ranks and emptiness are those of the operands drawn in the same way; kinks, ties and
dtypes are what the row declares.

A kink is hit where an element of an operand is the kink itself; ties where two operands are equal at one place, or,
where the op has but one or makes a setting of them, where one has two equal elements; both only in programs that answer
a gradient through the op, where it has one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from adapters import language as lang
from adapters.observations import Observation, Raised
from conformance.coverage.operands import answered, attributes_of, kind_of, operands_of, spelled
from conformance.coverage.traits import traits_of
from conformance.generating.moves import values
from conformance.generating.moves.calls import SketchErrors
from conformance.generating.moves.draft import call_step, literal
from conformance.optables.row import BOOL, COMPLEX, FLOATING, INTEGER, Digits, DType, Fresh, Made, Row, Setting

FEW = 16
ABSENT = "absent"
_SAMPLES = 2_500
_REF = lang.Ref(0)


@dataclass(frozen=True, slots=True)
class Goals:
    """Everything a row is to hit. each: by attribute, the values that are goals of their own."""

    all: frozenset[str]
    each: dict[str, frozenset[str]]

    def of_call(self, row: Row, call: lang.Step) -> Iterator[str]:
        """The attribute values that a call hits."""
        assert isinstance(call, lang.Call)
        given = dict(attributes_of(row, call))
        for name, own in self.each.items():
            text = spelled(given[name]) if name in given else ABSENT
            yield f"{name} = {text if text in own or name not in given else kind_of(given[name])}"


def goals(row: Row) -> Goals:
    """What the programs of a row are to hit."""
    drawn = list(_drawn(row))
    each, found = _attribute_goals(row, [call for call, _ in drawn])
    found |= {phrase for _, shapes in drawn for phrase in shapes}
    floating = bool(row.dtypes & FLOATING)
    found |= {_kink(one) for one in row.kinks if floating}
    found |= {"ties"} if row.ties else set()
    found |= {"broadcast"} if "broadcast" in row.operands and row.setting is None else set()
    return Goals(frozenset(found), each)


def met(row: Row, found: Goals, program: lang.Program, want: Sequence[Observation] | None = None) -> frozenset[str]:
    """The goals that a program hits in calls that were answered.

    Without answers: what it may hit as far as its constants tell.
    """
    differentiated = want is None or row.curve == "cut" or "gradient" in traits_of(program, want).get(row.name, ())
    calls = [at for at in _calls(row, program) if want is None or answered(want[at])]
    return _hits(row, found, program, want, calls, differentiated)


def refused(row: Row, found: Goals, program: lang.Program, want: Sequence[Observation]) -> frozenset[str]:
    """The goals that a program hits in calls, or has on the way of a gradient, that raised an error."""
    gradient = any(
        isinstance(step, lang.Gradient | lang.Jacobian) and isinstance(one.outcome, Raised)
        for step, one in zip(program.steps, want)
    )
    calls = [at for at in _calls(row, program) if gradient or isinstance(want[at].outcome, Raised)]
    return _hits(row, found, program, want, calls, True)


def _calls(row: Row, program: lang.Program) -> list[int]:
    return [at for at, step in enumerate(program.steps) if isinstance(step, lang.Call) and step.op == row.name]


def _hits(
    row: Row,
    found: Goals,
    program: lang.Program,
    want: Sequence[Observation] | None,
    calls: Sequence[int],
    differentiated: bool,
) -> frozenset[str]:
    hits: set[str] = set()
    for at in calls:
        hits |= set(found.of_call(row, program.steps[at]))
        hits |= set(_of_operands(row, operands_of(program, at, want), differentiated))
    return frozenset(hits & found.all)


# ---------------------------------------------------------------- what a program hits


def _of_operands(row: Row, operands: Sequence[lang.Array], differentiated: bool) -> Iterator[str]:
    for one in operands:
        yield from _shape_phrases(one.shape)
        yield f"dtype {one.dtype}"
        if differentiated and one.dtype in FLOATING:
            yield from (_kink(point) for point in row.kinks if _at(one, point))
    if len({one.shape for one in operands}) > 1:
        yield "broadcast"
    alone = row.setting is not None or len(row.operands) == 1
    if differentiated and (_meet_somewhere(operands) or (alone and _repeats(operands))):
        yield "ties"


def _at(array: lang.Array, point: float) -> bool:
    (rounded,) = values.exact(array.dtype, (1,), [point]).values
    return any(_same(one, rounded) for one in array.values)


def _same(one: Any, point: Any) -> bool:
    """Whether a number is a point: a nan is one, and a zero has its sign."""
    if isinstance(one, complex):
        return one == point
    if point == 0:
        return one == 0 and math.copysign(1.0, one) == math.copysign(1.0, point)
    return one == point or (math.isnan(one) and math.isnan(point))


def _repeats(operands: Sequence[lang.Array]) -> bool:
    return any(len(set(one.values)) < len(one.values) for one in operands)


def _meet_somewhere(operands: Sequence[lang.Array]) -> bool:
    pairs = ((one, other) for at, one in enumerate(operands) for other in operands[at + 1 :])
    return any(one.shape == other.shape and _meet(one, other) for one, other in pairs)


def _meet(one: lang.Array, other: lang.Array) -> bool:
    return any(left == right for left, right in zip(one.values, other.values))


def _kink(point: float) -> str:
    return f"kink {point:g}"


def _shape_phrases(shape: tuple[int, ...]) -> tuple[str, ...]:
    return (f"rank {len(shape)}", *(("empty",) if 0 in shape else ()))


# ---------------------------------------------------------------- what a row can draw

_Drawn = tuple[lang.Call, set[str]]


def _drawn(row: Row) -> Iterator[_Drawn]:
    """Calls that a row draws, with phrases about their operands."""
    random = Random(row.name)
    return _from_setting(row, random) if row.setting is not None else _from_attributes(row, random)


def _from_setting(row: Row, random: Random) -> Iterator[_Drawn]:
    assert row.setting is not None
    dtypes = sorted(row.dtypes)
    for at in range(_SAMPLES):
        dtype = dtypes[at % len(dtypes)]
        setting = row.setting(Digits(random.getrandbits(48)), dtype)
        yield _call(row, setting), set(_parts((*setting.args, *setting.named.values()), dtype))


def _call(row: Row, setting: Setting) -> lang.Call:
    named = tuple((name, _operand(part)) for name, part in setting.named.items())
    return lang.Call(row.name, tuple(map(_operand, setting.args)), named)


def _operand(part: Any) -> lang.Operand:
    match part:
        case Fresh() | Made() | lang.Array():
            return _REF
        case list() | tuple():
            return lang.Items(type(part).__name__, tuple(map(_operand, part)))
    return literal(part)


def _parts(parts: Iterable[Any], dtype: str, direct: bool = True) -> Iterator[str]:
    """Phrases about the operands of a setting; of those from which another call makes an operand, the dtype."""
    for part in parts:
        match part:
            case Fresh():
                yield from _shape_phrases(part.shape) if direct else ()
                yield f"dtype {part.dtype or dtype}"
            case Made(_, args, named):
                yield from _parts((*args, *named.values()), dtype, False)
            case list() | tuple():
                yield from _parts(part, dtype, direct)


def _from_attributes(row: Row, random: Random) -> Iterator[_Drawn]:
    """Calls with operands of the generator's shapes, as far as the row's own sketch accepts them."""
    shapes = [shape for shape in values.SHAPES if len(shape) >= row.rank]
    for at in range(_SAMPLES):
        shape = shapes[at % len(shapes)]
        dtype = sorted(row.dtypes)[(at // len(shapes)) % len(row.dtypes)]
        try:
            yield _sketched(row, random, shape, dtype), {f"dtype {dtype}", *_shape_phrases(shape)}
        except SketchErrors:
            continue


def _sketched(row: Row, random: Random, shape: tuple[int, ...], dtype: str) -> lang.Call:
    kinds = row.operands if row.operands[0] != "list" else ("x",) * (1 + random.getrandbits(1))
    arrays = tuple(_array(kind, shape, dtype) for kind in kinds)
    drawn = row.attributes(Digits(random.getrandbits(24)), arrays[row.main :])
    with np.errstate(all="ignore"):
        row.forward(*arrays, **drawn)
    if row.result == "cast" and dtype in COMPLEX and drawn["dtype"] == DType("bool"):
        raise ValueError("complex numbers are not cast to bool")
    return call_step(row, (_REF,) * len(row.operands), drawn)


def _array(kind: str, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    if kind in ("matmul", "vector"):
        shape = (shape[-1], 2)[: 1 + (kind == "matmul")]
    numpy_type = bool if kind == "mask" or dtype in BOOL else np.int64 if dtype in INTEGER else float
    return np.ones(shape, complex if dtype in COMPLEX and kind != "mask" else numpy_type)


def _attribute_goals(row: Row, calls: Sequence[lang.Call]) -> tuple[dict[str, frozenset[str]], set[str]]:
    """The values that are goals of their own, by attribute, and all goals about attributes."""
    given = [dict(attributes_of(row, call)) for call in calls]
    kinds: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in given:
        for name, operand in one.items():
            kinds[name][kind_of(operand)].add(spelled(operand))
    found: set[str] = set()
    each: dict[str, frozenset[str]] = {}
    for name, by_kind in kinds.items():
        few = {kind: texts for kind, texts in by_kind.items() if len(texts) <= _most_of(kind)}
        each[name] = frozenset().union(*few.values())
        found |= {f"{name} = {text}" for text in (*each[name], *(by_kind.keys() - few.keys()))}
        found |= {f"{name} = {ABSENT}"} if any(name not in one for one in given) else set()
    return each, found


def _most_of(kind: str) -> float:
    return FEW if kind.startswith("a ") else math.inf
