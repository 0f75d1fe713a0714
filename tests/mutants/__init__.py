"""Faulty engines: does the suite find them?

    python -m tests.mutants                         the kill matrix and the three kill rates
    python -m tests.mutants ties_are_shared ...     some faults only
    tapecheck run tests.mutants:ties_are_shared     the report of one of them

Three origins: a fault for each rule (`rules.json`, found by `python -m tests.mutants.search`), classic mistakes of real
tapes (`walking.py`, `living.py`, `watching.py`, `ops.py`, `classics.py`), and mechanical changes of one operator,
constant or branch, drawn by a seed (`mechanical.py`; load one as `tests.mutants:mechanical_SEED_NUMBER`).
Each fault has a private copy of the engine's modules, so the engine that carries the error bounds stays whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.mutants import classics, living, ops, per_rule, walking, watching
from tests.mutants.planting import Edit, Stale, copy_of_the_engine
from tests.mutants.registry import MUTANTS, ORIGINS, Mutant, faulty

__all__ = ["MUTANTS", "ORIGINS", "Edit", "Mutant", "Stale", "copy_of_the_engine", "faulty", "two_faults"]

PLANTED = (classics, living, ops, walking, watching, per_rule)  # the modules whose import registers faults


def two_faults() -> Any:
    """A backend with two independent faults, to see what a run says of them."""
    return faulty("ties_are_shared", "reset_keeps_watches")


def __getattr__(name: str) -> Callable[[], Any]:
    """`tests.mutants:NAME` as an adapter: the function that makes the faulty backend."""
    if name in MUTANTS:
        return lambda: faulty(name)
    if name.startswith("mechanical_"):
        from tests.mutants.mechanical import by_name

        return by_name(name).backend
    raise AttributeError(f"there is no planted fault {name!r}")
