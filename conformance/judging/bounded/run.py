"""What one run of a program with bounds notes down besides values: decisions that rounding could turn either way.

A comparison of two values that lie within their bounds of each other has no certain answer, and what follows from it
need not agree between two correct implementations: `with watching() as run: ...; run.ambiguous` says so afterwards,
and `run.reasons` lists why.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Run:
    """Notes of one run: how many decisions were ambiguous so far, the first few reasons, and what had no rule.

    signs_lost: whether the sign of some zero is anybody's choice from here on. TensorFlow's own vector kernels give
    maximum(-0.0, 0.0) another sign than its scalar ones, and a sum of negative zeros may start from zero or not.

    rewritten: whether what runs now is a graph in TensorFlow, which it rewrites first.

    functions: whether the program makes functions, whose gradients TensorFlow adds up in groups of its own: what goes
    through a function's results before what goes through its arguments.
    """

    __slots__ = ("ambiguous", "functions", "reasons", "rewritten", "signs_lost", "unbounded")

    def __init__(self) -> None:
        self.ambiguous = 0
        self.functions = False
        self.reasons: list[str] = []
        self.rewritten = False
        self.signs_lost = False
        self.unbounded: list[str] = []

    def note(self, reason: str) -> None:
        """Count an ambiguous decision."""
        self.ambiguous += 1
        if len(self.reasons) < 8:
            self.reasons.append(reason)


# A plain stack, not a context variable: a program may run some of its steps in another thread (and wait for it), and
# those belong to the same run.
_runs: list[Run] = []


@contextmanager
def watching() -> Iterator[Run]:
    """Collect the notes of the block in a new `Run`. One program at a time and process."""
    run = Run()
    _runs.append(run)
    try:
        yield run
    finally:
        _runs.remove(run)


def note_ambiguous(reason: str) -> None:
    """Note an ambiguous decision in the current run, if there is one."""
    if _runs:
        _runs[-1].note(reason)


def note_lost_sign() -> None:
    """Note that a zero was made whose sign implementations choose freely."""
    if _runs:
        _runs[-1].signs_lost = True


def signs_lost() -> bool:
    """Whether the signs of zeros mean nothing any more in the current run."""
    return bool(_runs) and _runs[-1].signs_lost


def rewritten() -> bool:
    """Whether what runs now is a graph in TensorFlow, which makes products with reciprocals of its quotients."""
    return bool(_runs) and _runs[-1].rewritten


def regrouped() -> bool:
    """Whether sums of what runs now may be taken of other parts than they are here."""
    return rewritten() and _runs[-1].functions


def note_unbounded(reason: str) -> None:
    """Note that something has no rule: an engine may catch the error that says so, the run must not forget it."""
    if _runs:
        _runs[-1].unbounded.append(reason)
