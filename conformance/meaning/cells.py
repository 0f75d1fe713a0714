"""What programs cover: cells of (op, dtype, rank, tape feature), and their projections onto fewer factors.

A program covers a cell when it calls the op on an operand of that dtype and rank and uses the feature. `universe()`
holds every cell that the generator's table can reach; `counted(cells)` says for every combination of factors how many
there are and how many were covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from adapters import language as lang
from adapters.observations import Nest, Observation, Tensor
from conformance.blaming.arbiters import array_of_step
from conformance.generating.features import COSTLY
from conformance.generating.moves.values import SHAPES
from conformance.optable import TABLE
from reports.records import Coverage

FACTORS = ("op", "dtype", "rank", "feature")
# What a program does with its tapes; words about values and dtypes are the other factors.
TAPE_FEATURES = (
    "nesting", "side_by_side", "persistent", "stop_recording", "reset", "reenter", "second_order", "alias", "reuse",
    "late_watch", "unconnected_zero", "output_gradients", "several_targets", "nested_sources", "intermediate_source",
    "variables", "assign", "thread", "integer_watch", "asked_twice", "watched_variables", "identity", *COSTLY,
)  # fmt: skip
MISSING_TOLD = 12

Cell = tuple[str, str, int, str]


def cells_of(program: lang.Program, want: Sequence[Observation], words: Iterable[str]) -> frozenset[Cell]:
    """The cells that a program covers; `want` are its answers, `words` those of `capabilities.needs.words_of`."""
    used = [word for word in TAPE_FEATURES if word in set(words)]
    return frozenset((op, dtype, rank, word) for op, dtype, rank in called(program, want) for word in used)


def called(program: lang.Program, want: Sequence[Observation]) -> Iterator[tuple[str, str, int]]:
    """The ops that are called, each with the dtype and rank of its first operand that has them."""
    for step in program.steps:
        if isinstance(step, lang.Call):
            shaped = next((found for arg in _flat(step.args) if (found := _shaped(program, want, arg))), None)
            if shaped is not None:
                yield step.op, shaped[0], shaped[1]


def _flat(operands: Sequence[Any]) -> Iterator[Any]:
    for operand in operands:
        if isinstance(operand, lang.Items):
            yield from _flat(operand.items)
        else:
            yield operand


def _shaped(program: lang.Program, want: Sequence[Observation], operand: Any) -> tuple[str, int] | None:
    """The dtype and rank of an operand, where an answer or a constant tells."""
    if not isinstance(operand, lang.Ref) or operand.up or operand.step >= len(want):
        return None
    outcome: Any = want[operand.step].outcome
    if isinstance(outcome, Nest) and operand.part is not None and operand.part < len(outcome.items):
        outcome = outcome.items[operand.part]
    array = outcome.array if isinstance(outcome, Tensor) else array_of_step(program.steps[operand.step])
    return None if array is None else (array.dtype, len(array.shape))


@cache
def universe() -> frozenset[Cell]:
    """Every cell that a generated program could cover."""
    ranks = sorted({len(shape) for shape in SHAPES})
    return frozenset(
        (row.name, dtype, rank, feature)
        for row in TABLE
        for dtype in row.dtypes
        for rank in ranks
        if rank >= row.rank
        for feature in TAPE_FEATURES
    )


def counted(cells: Iterable[Cell]) -> list[Coverage]:
    """A record for every combination of factors, fewest factors first."""
    covered = universe() & set(cells)
    made = []
    for count in range(1, len(FACTORS) + 1):
        for chosen in combinations(range(len(FACTORS)), count):
            there, found = _projected(universe(), chosen), _projected(covered, chosen)
            missing = sorted(there - found)[:MISSING_TOLD] if count == 1 else []
            names = tuple(FACTORS[k] for k in chosen)
            made.append(Coverage(names, len(found), len(there), tuple(str(one[0]) for one in missing)))
    return made


def _projected(cells: Iterable[Cell], chosen: tuple[int, ...]) -> set[tuple[Any, ...]]:
    return {tuple(cell[k] for k in chosen) for cell in cells}
