"""A recorded section between sources and targets, as one function that a library differentiates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.third_party.engine import Engine


class Tensor:
    """A value of the library. Identity, not value, is what a tape knows."""

    __slots__ = ("__weakref__", "data")

    def __init__(self, data: Any) -> None:
        self.data = data


@dataclass(frozen=True, slots=True)
class Record:
    """An op that was run: a function of the library's values, what it took, and what it made.

    `outputs` are those of `made` that a gradient can flow to. `inside` are the ids of values that a recorded gradient
    computes anew within itself.
    """

    run: Callable[[Sequence[Any]], list[Any]]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    made: tuple[Tensor, ...]
    inside: frozenset[int] = frozenset()


def hidden(records: Sequence[Record], sources: Sequence[Tensor], targets: Sequence[Tensor]) -> bool:
    """Whether a target rests on a recorded gradient within which one of the sources is computed."""
    own, needed = {id(one) for one in sources}, {id(one) for one in targets}
    for record in reversed(records):
        if any(id(one) in needed for one in record.outputs):
            if own & record.inside:
                return True
            needed |= {id(one) for one in record.inputs}
    return False


def connections(records: Sequence[Record], sources: Sequence[Tensor]) -> bool:
    """Whether one of the sources was computed from another: then each is differentiated alone."""
    own = {id(one) for one in sources}
    reached = set(own)
    for record in records:
        if any(id(one) in reached for one in record.inputs):
            if any(id(one) in own for one in record.outputs):
                return True
            reached |= {id(one) for one in record.outputs}
    return False


class Section:
    """The records that lead from sources to targets. `run(values of inputs)` gives the gradients of the sources.

    `inputs` are all values that come from outside: the sources first, then what else the records take, then the seeds
    that were given. So a section is itself an op that an outer tape can record.
    """

    def __init__(
        self,
        engine: Engine,
        records: Sequence[Record],
        sources: Sequence[Tensor],
        pairs: Sequence[tuple[Tensor, Tensor | None]],
    ) -> None:
        self._engine = engine
        self._fixed = fixed = {id(one) for one in sources}
        reached = set(fixed)
        ahead = []
        for record in records:
            if any(id(one) in reached for one in record.inputs):
                ahead.append(record)
                reached |= {id(one) for one in record.outputs} - fixed
        self.pairs = [(target, seed) for target, seed in pairs if id(target) in reached]
        self.records = _leading_to({id(target) for target, _ in self.pairs}, ahead, fixed)
        used = {id(target) for target, _ in self.pairs}.union(*({id(x) for x in one.inputs} for one in self.records))
        self.sources = tuple({id(one): one for one in sources if id(one) in used}.values())
        self.inputs = self._external(fixed)

    @property
    def connected(self) -> bool:
        """Whether any target depends on a source."""
        return bool(self.sources)

    @property
    def inside(self) -> frozenset[int]:
        """The ids of the values that lie between sources and targets."""
        return frozenset(id(one) for record in self.records for one in record.made) - self._fixed

    def _external(self, fixed: set[int]) -> tuple[Tensor, ...]:
        inside = {id(one) for record in self.records for one in record.made} - fixed
        found = {id(one): one for one in self.sources}
        for record in self.records:
            found |= {id(one): one for one in record.inputs if id(one) not in inside}
        found |= {id(seed): seed for _, seed in self.pairs if seed is not None}
        return tuple(found.values())

    def run(self, raws: Sequence[Any]) -> list[Any]:
        """The gradients of the sources, by the library's derivative of the replayed section."""
        outside = {id(one): raw for one, raw in zip(self.inputs, raws, strict=True)}

        def replayed(values: Sequence[Any]) -> list[Any]:
            known = outside | {id(one): value for one, value in zip(self.sources, values, strict=True)}
            for record in self.records:
                made = record.run([known.get(id(one), one.data) for one in record.inputs])
                known |= {
                    id(one): raw for one, raw in zip(record.made, made, strict=True) if id(one) not in self._fixed
                }
            return [known.get(id(target), target.data) for target, _ in self.pairs]

        seeds = [None if seed is None else outside[id(seed)] for _, seed in self.pairs]
        return self._engine.vjp(replayed, [outside[id(one)] for one in self.sources], seeds)


def _leading_to(targets: set[int], records: Sequence[Record], fixed: set[int]) -> list[Record]:
    """The records that targets rest on, in order."""
    needed, kept = set(targets) - fixed, []
    for record in reversed(records):
        if any(id(one) in needed for one in record.outputs):
            kept.append(record)
            needed |= {id(one) for one in record.inputs} - fixed
    return kept[::-1]
