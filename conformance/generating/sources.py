"""Streams of programs: `seeded` from a plain generator, `explored` from Hypothesis.

Both give `(choices, program)` pairs and depend on their arguments alone: program `i` of a seed is the same whatever the
split over workers. A pattern of ops limits which ops are called (`math.*`); programs that end up calling none that
fits are left out and drawn again further on in the stream of the same index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from adapters.language import Program
from conformance.generating.builder import build
from conformance.generating.choices import Choices, choice_lists, draw
from conformance.generating.features import ops_of
from conformance.optable import TABLE, indices

Quotas = Mapping[str, float] | None
Ops = str | Sequence[str] | None
Fits = Callable[[Program], bool]

_REDRAWS = 40  # how often a program that calls no wanted op is drawn again
_REDRAWS_OF_A_FEW = 400  # the same where few programs may be asked: the tape lacks much
_STRIDE = 1_000_003  # between the redraws of one index


def seeded(
    seed: int, start: int, count: int, ops: Ops = None, quotas: Quotas = None, fits: Fits | None = None
) -> Iterator[tuple[Choices, Program]]:
    """Programs `start .. start + count` of a seed, thousands a second. ValueError for a pattern that fits no op.

    `quotas` are shares of kinds that an engine may lack or TensorFlow is slow at; see `choices.QUOTAS`. `ops` is a
    pattern, or several. `fits` says which programs may be asked; where none is drawn in many attempts, the last one is.
    """
    wanted = _Wanted(ops, fits)
    for index in range(start, start + count):
        yield _seeded_one(seed, index, wanted, quotas)


def explored(
    seed: int, start: int, count: int, ops: Ops = None, fits: Fits | None = None
) -> Iterator[tuple[Choices, Program]]:
    """As `seeded`, drawn by Hypothesis (which varies what it has drawn before). Needs hypothesis."""
    wanted = _Wanted(ops, fits)
    found: dict[Program, Choices] = {}
    for choices in _explore(seed, start, 2 * count + 20, ops or "*"):
        found.setdefault(build(choices), choices)  # 0.0 equals -0.0: the kept program keeps its own choices
    fitting = [program for program in found if wanted.holds(program)][:count]
    yield from ((found[program], program) for program in fitting)
    missing = range(start + len(fitting), start + count)
    yield from (_seeded_one(seed ^ 0x5EED, index, wanted, None) for index in missing)


class _Wanted:
    """Which programs are wanted: those that call an op that fits, and that may be asked."""

    def __init__(self, ops: Ops, fits: Fits | None) -> None:
        self.ops, self._names, self._fits = ops, _names(ops), fits
        self.redraws = _REDRAWS if fits is None else _REDRAWS_OF_A_FEW

    def holds(self, program: Program) -> bool:
        called = self._names is None or not self._names.isdisjoint(ops_of(program))
        return called and (self._fits is None or self._fits(program))


def _seeded_one(seed: int, index: int, wanted: _Wanted, quotas: Quotas) -> tuple[Choices, Program]:
    choices, program = _drawn(seed, index, wanted.ops, quotas)
    for attempt in range(1, wanted.redraws):
        if wanted.holds(program):
            break
        choices, program = _drawn(seed, index + attempt * _STRIDE, wanted.ops, quotas)
    return choices, program


def _drawn(seed: int, index: int, ops: Ops, quotas: Quotas) -> tuple[Choices, Program]:
    _, choices = draw(seed, index, ops or "*", quotas)
    return choices, build(choices)


def _names(ops: Ops) -> frozenset[str] | None:
    if ops is None:
        return None
    names = frozenset(TABLE[at].name for at in indices(ops))
    if not names:
        raise ValueError(f"no op is called {ops!r}")
    return names


def _explore(seed: int, start: int, count: int, ops: str | Sequence[str]) -> list[Choices]:
    import hypothesis

    found: dict[Choices, None] = {}

    @hypothesis.seed(seed * 1_000_003 + start)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(choice_lists(ops))
    def collect(choices: Any) -> None:
        found.setdefault(choices)

    with _no_constants_of_the_process():
        collect()
    return list(found)


@contextmanager
def _no_constants_of_the_process() -> Iterator[None]:
    """Hypothesis likes numbers that stand in loaded modules, and two workers have not loaded the same: it sees none."""
    from hypothesis.internal.conjecture import providers

    seen: Any = getattr(providers, "_get_local_constants", None)
    if seen is None:  # a version that looks at no modules
        yield
        return
    kept: Any = providers._local_constants
    nothing = type(kept)(**{kind: type(numbers)() for kind, numbers in vars(kept).items()})
    providers._get_local_constants = lambda: nothing
    try:
        yield
    finally:
        providers._get_local_constants = seen
