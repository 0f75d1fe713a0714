"""Faults of the walk back: sums, orders, broadcasting, seeds, higher orders."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.mutants.planting import exact_walk_only, part, replace
from tests.mutants.registry import mutant


@mutant("The gradients of a value that is used again are overwritten, not summed.")
def reuse_is_overwritten(engine: Any) -> None:
    exact_walk_only(engine)
    part(engine, "tapes.walk").Walk.total = lambda self, values: values[-1]


@mutant("The third and later contributions to a value are dropped.")
def third_use_is_dropped(engine: Any) -> None:
    exact_walk_only(engine)
    replace(part(engine, "tapes.walk").Walk, "total", lambda old: lambda self, values: old(self, values[:2]))


@mutant("The walk goes in plain reverse order of recording.")
def plain_reverse_order(engine: Any) -> None:
    class Latest(list):  # type: ignore[type-arg]
        """A queue that hands out the latest record first."""

        def popleft(self) -> Any:
            self.sort(key=lambda node: node.i if type(node.i) is int else max(node.i.values()))
            return self.pop()

    exact_walk_only(engine)
    part(engine, "tapes.walk").deque = Latest


@mutant("Broadcasting is not undone along an axis of size 1.")
def size_one_axis_stays_broadcast(engine: Any) -> None:
    def unbroadcast(F: Any, g: Any, shape: tuple[int, ...], *others: Any) -> Any:
        extra = F.rank(g) - len(shape)
        return F.sum(g, axis=tuple(range(extra)), keepdims=False) if extra > 0 else g

    exact_walk_only(engine)
    part(engine, "tapes.walk").unbroadcast = unbroadcast


@mutant("Broadcast axes are averaged instead of summed.")
def broadcast_axes_are_averaged(engine: Any) -> None:
    def make(old: Any) -> Any:
        def unbroadcast(F: Any, g: Any, shape: tuple[int, ...], *others: Any) -> Any:
            before = np.prod(F.shape(g)) or 1
            return old(F, g, shape, *others) * F.dtype(g).type((np.prod(shape) or 1) / before)

        return unbroadcast

    exact_walk_only(engine)
    replace(part(engine, "tapes.walk"), "unbroadcast", make)


@mutant("A target that is also an unwatched source gives None.")
def unwatched_target_as_source_is_none(engine: Any) -> None:
    def make(old: Any) -> Any:
        def seed(self: Any, targets: Any, start: Any, seeds: Any) -> None:
            unknown = part(engine, "tapes.recording").UNKNOWN
            index_of = part(engine, "tapes.recording").index_of
            kept = [k for k, node in enumerate(start) if seeds or index_of(node, self.trace) != unknown]
            old(self, [targets[k] for k in kept], [start[k] for k in kept], seeds)

        return seed

    replace(part(engine, "tapes.walk").Walk, "seed", make)


@mutant("A target that is named twice is seeded once.")
def duplicate_target_counts_once(engine: Any) -> None:
    def make(old: Any) -> Any:
        def seed(self: Any, targets: Any, start: Any, seeds: Any) -> None:
            kept = [k for k, node in enumerate(start) if node not in start[:k]]
            old(
                self, [targets[k] for k in kept], [start[k] for k in kept], [seeds[k] for k in kept] if seeds else seeds
            )

        return seed

    replace(part(engine, "tapes.walk").Walk, "seed", make)


@mutant("A watch only counts for ops that are recorded after it.")
def late_watch_is_ignored(engine: Any) -> None:
    walk = part(engine, "tapes.walk")
    since: dict[Any, int] = {}
    now = {"record": 0}

    def watched(old: Any) -> Any:
        def watch(trace: Any, tensor: Any) -> None:
            old(trace, tensor)
            since.setdefault(tensor._n, len(trace.records))

        return watch

    def placed(old: Any) -> Any:
        def rule(self: Any, op: Any, record: Any, dy: Any) -> Any:
            now["record"] = next((i for i, one in enumerate(self.trace.records or self.records) if one is record), 0)
            return old(self, op, record, dy)

        return rule

    def needed_by(old: Any) -> Any:
        def needed(self: Any, x: Any) -> bool:
            node = getattr(x, "_n", x)
            return old(self, x) and not (node in since and since[node] > now["record"])

        return needed

    exact_walk_only(engine)
    replace(part(engine, "tapes.tape"), "watch", watched)
    replace(walk.Walk, "binary", placed)
    replace(walk.Walk, "needed", needed_by)


@mutant("The inner gradient of nested tapes is a constant for the outer tape.")
def second_order_is_not_recorded(engine: Any) -> None:
    recording = part(engine, "tapes.recording")

    def make(old: Any) -> Any:
        def gradient(*args: Any) -> Any:
            with recording.stop_recording():
                return old(*args)

        return gradient

    replace(part(engine, "tapes.tape"), "imperative_gradient", make)


@mutant("Output gradients are ignored.")
def output_gradients_are_ignored(engine: Any) -> None:
    part(engine, "tapes.tape")._seeds = lambda given: []
