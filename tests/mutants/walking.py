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
    recording, tensor = part(engine, "tapes.recording"), part(engine, "tensors.tensor")

    def apart(value: Any, node: Any) -> Any:
        """A part of a record, in which a tensor that is watched from now on is another one."""
        if type(value) in (tuple, list):
            return type(value)(apart(one, node) for one in value)
        if value is node:
            return recording.Node()
        return tensor.wrap(value._a) if getattr(value, "_n", None) is node else value

    def watched(old: Any) -> Any:
        def watch(trace: Any, x: Any) -> None:
            node = recording.node_of(x)
            if recording.index_of(node, trace) == recording.UNKNOWN:
                trace.records[:] = [apart(record, node) for record in trace.records]
            old(trace, x)

        return watch

    replace(part(engine, "tapes.tape"), "watch", watched)


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
