"""Lists of choices: what a program is drawn as, before `builder.build` turns them into steps.

`draw(seed, index)` gives the choices of program `index` of a seeded stream: they depend on the two numbers alone, so a
run split over any workers draws the same programs. `choice_lists()` is a Hypothesis strategy over the same lists.

Every program has a *flavour*, which only weighs the draws: `probe` aims one op at its kinks, `free` lets everything
interplay, `exact` keeps to small dyadic numbers and ops that do not round, `deep` nests tapes around curved
expressions, `misuse` breaks rules, `dtypes` leaves float32, `setting` calls an op that needs operands made for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from conformance.generating import turns
from conformance.generating.builder import NUMBER
from conformance.generating.moves.draft import Choice
from conformance.generating.moves.values import DTYPES, SHAPES, STYLE
from conformance.optable import TABLE, indices, position
from conformance.optables.row import COMPLEX, REAL, Row

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Choices = tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Flavour:
    """How a kind of program is drawn: its share, its moves and their weights, how many of them, its values."""

    name: str
    share: int
    moves: tuple[tuple[str, int], ...]
    least: int = 2
    most: int = 7
    styles: tuple[str, ...] = ("dyadic", "counting", "positive dyadic", "ordinary", "positive")
    dtypes: tuple[str, ...] = ("float32",)
    nested: tuple[int, ...] = (0, 0, 0, 1)
    exact: bool = False
    curved: bool = False
    wild: float = 0.02
    company: bool = False  # moves of other kinds are mixed in


_LIFE = (
    ("watch", 5), ("tape", 5), ("leave", 5), ("gradient", 7), ("stop", 4), ("reset", 4), ("reenter", 10), ("assign", 5),
    ("read", 2), ("look", 6), ("watched_variables", 3), ("constant", 3), ("variable", 2), ("misuse", 4), ("thread", 1),
    ("gathers", 2), ("raise", 1),
)  # fmt: skip

FLAVOURS: tuple[Flavour, ...] = (
    Flavour("probe", 30, (("op", 1),), least=0, most=1, nested=(0, 0, 0, 1, 1), wild=0.0),
    Flavour("free", 22, (("op", 44), *_LIFE)),
    Flavour("exact", 12, (("op", 44), *_LIFE), styles=("dyadic", "counting", "positive dyadic", "ties"), exact=True,
            wild=0.0),
    Flavour("deep", 12, (("op", 20), ("gradient", 3), ("leave", 3), ("watch", 1), ("tape", 1)), least=1, most=4,
            nested=(1, 1, 1, 2), curved=True),
    Flavour("misuse", 10, (("op", 22), ("misuse", 24), ("reenter", 14), ("stop", 5), ("reset", 5), ("leave", 5),
            ("gradient", 6), ("thread", 3), ("watched_variables", 2), ("assign", 2)), least=3),
    Flavour("dtypes", 6, (("op", 30), ("constant", 4), ("gradient", 4), ("leave", 2), ("watch", 2), ("assign", 2)),
            dtypes=("float64", "float16", "bfloat16", "complex64", "complex128", "int32", "float64", "complex64")),
    Flavour("setting", 50, (("op", 1),), least=0, most=1, nested=(0, 0, 1)),
)  # fmt: skip

_ANY_DTYPE = ("float32",) * 7 + ("float64", "float16", "bfloat16", "complex64", "complex128", "float64", "float16")

# Kinds that come on top, each by a quota: some engines lack them, and TensorFlow takes long over most of them.
EXTRA_FLAVOURS: dict[str, Flavour] = {
    "custom_gradient": Flavour("custom_gradient", 0, (("op", 8), ("custom_gradient", 8), ("custom_of_two", 4),
            ("recomputed", 2), ("custom_with_variable", 3), ("gradient", 2), ("leave", 1)), least=1, most=4,
            nested=(0, 0, 1), dtypes=_ANY_DTYPE, company=True),
    "function": Flavour("function", 0, (("op", 8), ("function", 6), ("traced", 8), ("gradient", 2), ("leave", 1)),
            least=1, most=3, dtypes=_ANY_DTYPE, company=True),
    "jacobian": Flavour("jacobian", 0, (("op", 8), ("jacobian", 10), ("leave", 1)), least=2, most=4,
            nested=(0, 0, 0, 1, 1), dtypes=_ANY_DTYPE, company=True),
    "forward_mode": Flavour("forward_mode", 0, (("op", 5), ("forward", 10), ("gradient", 2), ("leave", 1)), least=1,
            most=3, dtypes=_ANY_DTYPE, company=True),
}  # fmt: skip

# What keeps them company, in half of their programs, so that any two kinds meet.
_COMPANY = (
    "custom_gradient", "custom_of_two", "custom_with_variable", "recomputed", "function", "traced", "jacobian",
    "jacobian", "forward", "forward", "gathers", "gathers", "thread", "thread", "raise", "raise", "raise", "stop",
    "reset", "reenter", "assign", "watch", "gradient",
)  # fmt: skip

# Shares that keep a run of 8,000 programs within its three minutes.
QUOTAS: dict[str, float] = {"custom_gradient": 0.04, "function": 0.02, "jacobian": 0.02, "forward_mode": 0.02}

_FIRST = {
    "custom_gradient": "custom_gradient",
    "function": "function",
    "jacobian": "jacobian",
    "forward_mode": "forward",
}
_OF_SETTINGS = next(flavour for flavour in FLAVOURS if flavour.name == "setting")
_BY_SHARE = tuple(flavour for flavour in FLAVOURS for _ in range(flavour.share))
_SHAPE_DRAWS = tuple(at for at, shape in enumerate(SHAPES) for _ in range(8 if at < 6 else 3 if at < 12 else 1))
_EMPTY = tuple(at for at, shape in enumerate(SHAPES) if 0 in shape)
# What TensorFlow's vectorized kernels make of no rows differs from op to op: these have answers of their own.
_ROWLESS = (
    "where", "gather", "reshape", "add_n", "slice", "pad", "sort", "math.top_k", "gather_nd", "operator.getitem",
)  # fmt: skip
# Of products of nothing only the first one: what TensorFlow makes of several hangs on how it rewrites their graph.
_PRODUCT = "linalg.matmul"
_NO_ROWS, _NO_PRODUCT = 0.2, 0.12  # the chances that a jacobian is one of nothing, and of a product of nothing
_BITS = 24
_ROWS = 0.15  # the chance that rows are gathered of a result
_ODD = 0.12  # the chance that one op alone gets an upstream of another shape or dtype, or none


def draw(
    seed: int, index: int, ops: str | Sequence[str] = "*", quotas: Mapping[str, float] | None = None
) -> tuple[str, Choices]:
    """The flavour and the choices of the `index`-th program of a seed.

    `ops` limits which ops are called. `quotas` gives the shares of extra flavours (`QUOTAS` is a fair choice); without
    it there are none of them.
    """
    random = Random((seed << 40) ^ (index * 0x9E3779B1))
    flavour, turn = _flavour(random, seed, index, quotas or {})
    rows, settings = row_pool(ops, flavour.exact, flavour.curved), setting_pool(ops, flavour.name)
    if not rows:  # settings alone are named
        turn = index
        if not settings:  # and none of them is asked in this kind of program
            flavour, settings = _OF_SETTINGS, setting_pool(ops)
    if flavour.name in ("probe", "setting"):
        if not rows or (flavour.name == "setting" and settings):
            return flavour.name, _settings(random, flavour, seed, turn, settings)
        return flavour.name, _probe(random, flavour, rows)
    return flavour.name, _free(random, flavour, _mixed(random, rows, settings, flavour.exact))


def _mixed(random: Random, rows: Sequence[int], settings: Sequence[int], exact: bool) -> Sequence[int]:
    """Rows to draw freely from: in a program in four, a few ops with settings among them."""
    if not rows or not settings or exact or random.random() < 0.75:
        return rows or settings
    few = [settings[random.randrange(len(settings))] for _ in range(1 + len(rows) // 4)]
    return (*rows, *few)


def _flavour(random: Random, seed: int, index: int, quotas: Mapping[str, float]) -> tuple[Flavour, int]:
    """The flavour of a program, and how many programs of that flavour come before it in the stream (those of the
    quotas aside, which take the place of others)."""
    block, place = divmod(index, len(_BY_SHARE))
    order = turns.shuffled(seed, _BY_SHARE, block)
    flavour, before = order[place], order[:place].count(order[place])
    chance = random.random()
    for name, share in sorted(quotas.items()):
        chance -= share
        if chance < 0:
            return EXTRA_FLAVOURS[name], index
    return flavour, block * flavour.share + before


_POOLS: dict[tuple[object, object, bool], tuple[int, ...]] = {}


def row_pool(ops: str | Sequence[str], exact: bool, curved: bool) -> tuple[int, ...]:
    """Positions of rows to draw from, each as often as its weight."""
    key = (ops if isinstance(ops, str) else tuple(ops), exact, curved)
    if key not in _POOLS:
        _POOLS[key] = tuple(_weighed(indices(ops), exact, curved)) or tuple(_weighed(indices(ops), False, False))
    return _POOLS[key]


def setting_pool(ops: str | Sequence[str], kind: str = "") -> tuple[int, ...]:
    """Positions of the rows whose calls are made whole by a setting, as far as a kind of program draws them; each as
    often as its row says.

    Where a run names no ops, those are left out that are drawn only when they are named.
    """
    key = (ops if isinstance(ops, str) else tuple(ops), kind, False)
    if key not in _POOLS:
        found = [(at, TABLE[at]) for at in indices(ops) if TABLE[at].setting is not None]
        asked = [(at, r) for at, r in found if kind not in r.unasked and not (r.when_named and ops == "*")]
        _POOLS[key] = tuple(at for at, r in asked for _ in range(r.often))
    return _POOLS[key]


def _weighed(found: Sequence[int], exact: bool, curved: bool) -> list[int]:
    rows = [(at, TABLE[at]) for at in found if TABLE[at].exact or not exact]
    return [
        at for at, row in rows for _ in range(row.weight * (3 if curved and row.curve in ("curved", "bilinear") else 1))
    ]


# ---------------------------------------------------------------- one op at its kinks


def _probe(random: Random, flavour: Flavour, rows: Sequence[int]) -> Choices:
    at = rows[random.randrange(len(rows))] if random.random() < 0.5 else _any_row(random, rows)
    row = TABLE[at]
    dtype = _dtype_for(random, row)
    aim = _aim(random, row)
    shape = _shape_for(random, row)
    leaves = [_leaf(random, dtype, shape, aim, at) for _ in range(_leaf_count(row))]
    wild = 15 if aim in ("kinks", "special", "zeros", "wide", "ties") else random.getrandbits(_BITS) & ~15
    call = (NUMBER["op"], at, _back(random) % 7, random.getrandbits(_BITS), random.getrandbits(_BITS), wild)
    several = row.operands[0] == "list"  # many of these have a way of their own with rows
    if random.random() < _ODD:
        return (*leaves, _tape(random, flavour), call, _oddly_asked(random))
    return (*leaves, _tape(random, flavour), call, *_after(random, flavour, 0.2, 3 * _ROWS if several else _ROWS))


def _settings(random: Random, flavour: Flavour, seed: int, turn: int, settings: Sequence[int]) -> Choices:
    """An op in a setting of its own, and then, where there are others, another one on a tape of its own."""
    if len(settings) == 1:
        return tuple(_setting(random, flavour, *turns.taken(seed, turn, settings)))
    first, second = (_setting(random, flavour, *turns.taken(seed, 2 * turn + at, settings)) for at in range(2))
    if random.random() < _ODD:
        second = [*second[:2], _oddly_asked(random)]
    return (*first, *_all_asked(1 + first[0][1]), *second)


def _all_asked(count: int) -> list[Choice]:
    """So many tapes left and asked, from the inside out."""
    moves: list[Choice] = [(NUMBER["leave"], 0, 0, 0, 0, 0), (NUMBER["gradient"], 0, 0, 0, 0, 0)]
    return count * moves


def _oddly_asked(random: Random) -> Choice:
    """The last tape asked for the last product by all sources, with an upstream that does not fit it."""
    odd = 9 + 10 * random.getrandbits(_BITS)  # the digit that `asking` takes for one
    return (NUMBER["gradient"], 0, 0, 15, odd, random.getrandbits(_BITS))


def _setting(random: Random, flavour: Flavour, at: int, attributes: int) -> list[Choice]:
    """One op in a setting of its own; then mostly a product of what it made, weighed or with itself."""
    bits = random.getrandbits
    wild = 15 if random.random() < 0.4 and (TABLE[at].kinks or TABLE[at].ties) else 0
    call = (NUMBER["op"], at, bits(8), bits(2 * _BITS), attributes, bits(_BITS) & ~15 | wild)
    tape = (NUMBER["tape"], flavour.nested[random.randrange(len(flavour.nested))], bits(_BITS), 0, bits(8), 0)
    return [tape, call, *_after(random, flavour, 0.4)]


def _after(random: Random, flavour: Flavour, squared: float, rows: float = _ROWS) -> list[Choice]:
    """What becomes of the result: with a chance of `squared` its square, whose upstream depends on the op, so that
    higher orders go through the op's own backward kernels; with a chance of `rows` some of its rows, so that the
    upstream is IndexedSlices, which depend on the op where these rows are squared; else it is weighed."""
    chance = random.random()
    if chance < squared:
        return [(NUMBER["op"], position("math.square"), 0, 0, 0, 0)]
    if chance > 1 - rows:
        gather = (NUMBER["op"], position("gather"), 0, 0, random.getrandbits(_BITS) * 3, 0)
        square = (NUMBER["op"], position("math.square"), 0, 0, 0, 0)
        return [gather, square] if random.random() < 0.3 else [gather]
    return _weights(random, flavour)


def _any_row(random: Random, rows: Sequence[int]) -> int:
    distinct = sorted(set(rows))
    return distinct[random.randrange(len(distinct))]


def _leaf_count(row: Row) -> int:
    return 2 if len(row.operands) > 1 or row.operands[0] == "list" else 1


def _weights(random: Random, flavour: Flavour) -> list[Choice]:
    """Mostly the result is weighed by a constant, now and then by a Python number: the upstream is not all ones."""
    chance = random.random()
    if chance < 0.17:
        return []
    if chance < 0.25:
        return [(NUMBER["op"], position("operator.mul"), 0, 5, 0, 0)]
    scale = 6 + 8 * random.getrandbits(2)  # a fresh constant of the same shape, of any of four styles
    return [(NUMBER["op"], position("operator.mul"), 0, scale, 0, random.getrandbits(_BITS) & ~15)]


def _dtype_for(random: Random, row: Row) -> int:
    if random.random() < 0.62 and "float32" in row.dtypes:
        return 0
    allowed = [at for at, name in enumerate(DTYPES) if name in row.dtypes]
    kinds = [[at for at in allowed if DTYPES[at] in kind] for kind in (REAL, COMPLEX)] + [allowed]
    pool = kinds[random.randrange(3)] or allowed
    return pool[random.randrange(len(pool))]


def _aim(random: Random, row: Row) -> str:
    chance = random.random()
    if chance < 0.42:
        return "ties" if row.ties and random.random() < 0.6 else "kinks"
    if chance < 0.62:
        return ("special", "special", "special", "zeros", "wide")[random.randrange(5)]
    span = row.span(0)
    if span.low > 0:
        return ("positive", "positive dyadic")[random.randrange(2)] if span.low < 1 else "counting"
    if span.high <= 1.5:
        return "unit"
    return ("ordinary", "dyadic", "positive dyadic", "counting")[random.randrange(4)]


def _shape_for(random: Random, row: Row) -> int:
    for _ in range(20):
        at = _SHAPE_DRAWS[random.randrange(len(_SHAPE_DRAWS))]
        if len(SHAPES[at]) >= row.rank:
            return at
    return SHAPES.index((2, 2))


def _leaf(random: Random, dtype: int, shape: int, style: str, row: int) -> Choice:
    kind = "variable" if random.random() < 0.2 else "constant"
    if random.random() < 0.15:
        shape = _SHAPE_DRAWS[random.randrange(len(_SHAPE_DRAWS))]
    return (NUMBER[kind], dtype, shape, STYLE[style], random.getrandbits(_BITS), row)


# ---------------------------------------------------------------- free interplay


def _free(random: Random, flavour: Flavour, rows: Sequence[int]) -> Choices:
    dtype = flavour.dtypes[random.randrange(len(flavour.dtypes))]
    shape, alone = _SHAPE_DRAWS[random.randrange(len(_SHAPE_DRAWS))], False
    chance = random.random() if flavour.name == "jacobian" else 1.0
    if chance < _NO_ROWS + _NO_PRODUCT:
        shape, alone = _EMPTY[random.randrange(len(_EMPTY))], chance >= _NO_ROWS
        drawn = (_PRODUCT,) if alone else _ROWLESS
        rows = [at for at in rows for name in drawn if TABLE[at].name == name] or rows
    leaves = [_free_leaf(random, flavour, dtype, shape) for _ in range(1 + random.randrange(3))]
    names = [name for name, weight in flavour.moves for _ in range(weight)]
    count = 0 if alone else random.randint(flavour.least, flavour.most)
    moves = [_move(random, flavour, rows, names[random.randrange(len(names))], dtype) for _ in range(count)]
    first = [_move(random, flavour, rows, name, dtype) for name in ("op", _FIRST.get(flavour.name)) if name]
    if flavour.company and not alone:
        for name in _company(random):
            moves.insert(random.randrange(len(moves) + 1), _move(random, flavour, rows, name, dtype))
    return (*leaves, _tape(random, flavour), *first, *moves)


def _company(random: Random) -> list[str]:
    count = (0, 0, 1, 1, 1, 2)[random.randrange(6)]
    return [_COMPANY[random.randrange(len(_COMPANY))] for _ in range(count)]


def _free_leaf(random: Random, flavour: Flavour, dtype: str, shape: int) -> Choice:
    style = flavour.styles[random.randrange(len(flavour.styles))]
    kind = "variable" if random.random() < 0.35 else "constant"
    if random.random() < 0.06:
        dtype = DTYPES[random.randrange(len(DTYPES))]
    if random.random() < 0.3:
        shape = _SHAPE_DRAWS[random.randrange(len(_SHAPE_DRAWS))]
    return (NUMBER[kind], DTYPES.index(dtype), shape, STYLE[style], random.getrandbits(_BITS), 0)


def _tape(random: Random, flavour: Flavour) -> Choice:
    nested = flavour.nested[random.randrange(len(flavour.nested))]
    watching = 0 if flavour.name == "probe" or random.random() < 0.4 else random.getrandbits(_BITS)
    return (NUMBER["tape"], nested, random.getrandbits(_BITS), watching, random.getrandbits(8), 0)


def _move(random: Random, flavour: Flavour, rows: Sequence[int], name: str, dtype: str) -> Choice:
    if name == "op":
        variation = 15 if random.random() < flavour.wild else random.getrandbits(_BITS) & ~15
        at = rows[random.randrange(len(rows))]
        return (NUMBER["op"], at, _back(random), random.getrandbits(_BITS), random.getrandbits(_BITS), variation)
    if name in ("constant", "variable"):
        return _free_leaf(random, flavour, dtype, _SHAPE_DRAWS[random.randrange(len(_SHAPE_DRAWS))])
    if name == "raise":
        return (NUMBER["leave"], 0, 0, 7, 0, 0)  # an exception leaves the innermost block
    bits = random.getrandbits
    one, two, three, four, five = bits(16), bits(_BITS), bits(_BITS), bits(_BITS), bits(_BITS)
    if name in _NAMES_ROWS:
        one, two, three, four = (_naming(rows, number) for number in (one, two, three, four))
    return (NUMBER[name], one, two, three, four, five)


# Moves whose numbers name rows of the op table themselves, modulo its length.
_NAMES_ROWS = frozenset(name for flavour in EXTRA_FLAVOURS.values() for name, _ in flavour.moves)


def _naming(rows: Sequence[int], number: int) -> int:
    """A number that names one of `rows` modulo the table's length, and is otherwise as it was drawn."""
    return number - number % len(TABLE) + rows[number % len(rows)]


def _back(random: Random) -> int:
    """How far back an operand lies: mostly near."""
    return min(int(random.expovariate(0.7)), 7)


# ---------------------------------------------------------------- Hypothesis


def choice_lists(ops: str | Sequence[str] = "*", most: int = 9) -> SearchStrategy[Choices]:
    """A Hypothesis strategy over lists of choices that shrink to few and small ones. Needs hypothesis."""
    from hypothesis import strategies as st

    small = st.integers(0, (1 << 16) - 1)
    rows = sorted(set(row_pool(ops, False, False) or setting_pool(ops)))
    names = [name for name, weight in (("op", 40), *_LIFE) for _ in range(weight)]
    numbers = [NUMBER[name] for name in names if name in NUMBER]
    calls = st.tuples(st.just(NUMBER["op"]), st.sampled_from(rows), st.integers(0, 7), small, small, small)
    leaves = st.tuples(
        st.sampled_from((NUMBER["constant"], NUMBER["variable"])),
        st.integers(0, len(DTYPES) - 1).map(lambda at: at if at % 3 == 0 else 0),
        st.integers(0, len(SHAPES) - 1),
        st.integers(0, len(STYLE) - 1),
        small,
        st.sampled_from(rows),
    )
    others = st.tuples(
        st.sampled_from(numbers).filter(lambda at: at != NUMBER["op"]), small, small, small, small, small
    )
    moves = st.lists(st.one_of(calls, calls, others), min_size=1, max_size=most)
    opening = st.tuples(st.just(NUMBER["tape"]), st.integers(0, 2), small, small, small, st.just(0))
    return st.tuples(st.lists(leaves, min_size=1, max_size=3), st.lists(opening, max_size=1), moves).map(
        lambda parts: tuple(parts[0] + parts[1] + parts[2])
    )
