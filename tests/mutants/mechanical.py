"""Faults that nobody thought of: one operator, constant, call or branch changed in a gradient or forward of an op.

`drawn(seed, count)` gives them, the same for the same seed and engine; `sites()` all places there are. Ops that the
generator's table cannot call are left out (`out_of_reach()` names them), and so are those that programs call only when
a run names them, and changes that are proven to change nothing (`harmless.py`).
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random

from conformance.optable import TABLE
from tests.mutants.changing import Change, changes_in
from tests.mutants.harmless import harmless
from tests.mutants.planting import line_around, source_of
from tests.mutants.registry import MECHANICAL, Mutant
from tests.mutants.tables import Place, ruling, table, users_of

_PARTS = ("gradient", "forward")
Sites = dict[Place, tuple[Change, ...]]


@cache
def sites() -> Sites:
    """The changes of every function that is a gradient or forward of an op that programs can call, by place."""
    within = _spans()
    found: Sites = {}
    for module in sorted({place[0] for place in within}):
        text = source_of(module)
        changes = [one for one in changes_in(text) if not proven(module, text, one)]
        for place in sorted(place for place in within if place[0] == module):
            spans = within[place]
            here = tuple(one for one in changes if any(first <= one.line <= last for first, last in spans))
            if here:
                found[place] = here
    return found


def proven(module: str, text: str, change: Change) -> bool:
    """Whether a change of a module's source is proven to change nothing."""
    line = line_around(text, change.start)
    begin = text.rfind("\n", 0, change.start) + 1
    return harmless(module, line, change.after, change.start - text.index(line, begin)) is not None


def _spans() -> dict[Place, list[tuple[int, int]]]:
    """By place, the lines of gradients and forwards: parts of declarations, and whole functions that those mention."""
    known, within = table(), defaultdict(list)
    for place in _callable_places():
        for call in known.declared[place]:
            for keyword in call.keywords:
                if keyword.arg in _PARTS and _is_code(keyword.value):
                    within[place].append((keyword.value.lineno, keyword.value.end_lineno or keyword.value.lineno))
        for other in ruling(place) - {place}:
            if other not in known.declared and other in known.lines:
                within[other] = [known.lines[other]]
    return within


def _is_code(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Lambda) for one in ast.walk(node))


def _callable_places() -> Iterator[Place]:
    names = {row.name for row in TABLE if not row.when_named}
    held_back = {row.name.rpartition(".")[2] for row in TABLE if row.when_named}
    kernels = {place for word in held_back for place in table().short.get(word, ())}
    for place in sorted(set(table().declared) - kernels):
        if users_of(place) & names:
            yield place


def out_of_reach() -> tuple[str, ...]:
    """The public names of ops of the engine that no row of the generator's table leads to."""
    names = {row.name for row in TABLE}
    users = [users_of(place) for place in table().declared]
    return tuple(sorted({min(found) for found in users if found and not found & names}))


def drawn(seed: int, count: int) -> list[Mutant]:
    """Different changes: each first draws a place, then one of its changes."""
    random, made = Random(seed), {}
    places = list(sites())
    for _ in range(50 * count):
        place = places[random.randrange(len(places))]
        change = sites()[place][random.randrange(len(sites()[place]))]
        made.setdefault((place[0], change.start, change.after), (place, change))
        if len(made) == count:
            break
    return [_mutant(f"{MECHANICAL}_{seed}_{n}", *found) for n, found in enumerate(made.values())]


def by_name(name: str) -> Mutant:
    """The change called `mechanical_SEED_NUMBER`. Raises AttributeError for a name that is none."""
    seed, _, number = name.removeprefix(f"{MECHANICAL}_").partition("_")
    if not (seed.isdecimal() and number.isdecimal()):
        raise AttributeError(f"{name!r} is not of the form {MECHANICAL}_SEED_NUMBER")
    return drawn(int(seed), int(number) + 1)[-1]


def _mutant(name: str, place: Place, change: Change) -> Mutant:
    module, own = place
    where = f"{own}.{change.function}" if change.function == "<lambda>" else change.function
    sentence = f"{module}, line {change.line}, {where}: {_short(change.before)} becomes {_short(change.after)}"
    edit = change.edit(module, source_of(module))
    return Mutant(name, sentence, MECHANICAL, edits=(edit,), about=tuple(sorted(users_of(place))))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return f"`{flat}`" if len(flat) <= 60 else f"`{flat[:57]}...`"
