"""The faults by name: `MUTANTS`, the decorator `mutant`, and `faulty(name)`, the backend that has one.

A fault is planted in a loaded copy of the engine (`plant`) or is a change of its source (`edits`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adapters.reference import ReferenceBackend
from tests.mutants.planting import Edit, Plant, copy_of_the_engine, edited

CLASSIC, RULE, MECHANICAL = "classic", "rule", "mechanical"
ORIGINS = (RULE, CLASSIC, MECHANICAL)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: its name, what is wrong in one sentence, where it comes from, how it is planted.

    about: the rule that it breaks, or the public names of the ops whose code it changes.
    """

    name: str
    sentence: str
    origin: str
    plant: Plant | None = None
    edits: tuple[Edit, ...] = ()
    about: tuple[str, ...] = ()

    def backend(self) -> Any:
        """A backend with this fault, on a private copy of the engine. Raises `Stale` when it has no place any more."""
        engine = edited(self.edits) if self.edits else copy_of_the_engine()
        if self.plant is not None:
            self.plant(engine)
        return ReferenceBackend(engine=engine)


MUTANTS: dict[str, Mutant] = {}


def add(one: Mutant) -> None:
    """Register a fault. Raises ValueError for a name that is taken."""
    if one.name in MUTANTS:
        raise ValueError(f"there are two faults called {one.name}")
    MUTANTS[one.name] = one


def mutant(sentence: str, *about: str) -> Callable[[Plant], Plant]:
    """Register the function below as the plant of a classic fault; its name is the fault's."""

    def register(plant: Plant) -> Plant:
        add(Mutant(plant.__name__, sentence, CLASSIC, plant, about=about))
        return plant

    return register


def faulty(*names: str) -> Any:
    """A backend with all the named faults. Raises KeyError for a name that is none."""
    chosen = [MUTANTS[name] for name in names]
    edits = tuple(edit for one in chosen for edit in one.edits)
    engine = edited(edits) if edits else copy_of_the_engine()
    for one in chosen:
        if one.plant is not None:
            one.plant(engine)
    return ReferenceBackend(engine=engine)
