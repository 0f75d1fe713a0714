"""Faults of watching, of variables and of sources that nothing connects."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.mutants.planting import part, replace
from tests.mutants.registry import mutant


@mutant("Nested tapes see each other's watches.")
def watches_are_shared(engine: Any) -> None:
    tape, recording = part(engine, "tapes.tape"), part(engine, "tapes.recording")

    def make(old: Any) -> Any:
        def watch(trace: Any, tensor: Any) -> None:
            for each in {trace, *recording.active_traces()}:
                old(each, tensor)

        return watch

    replace(tape, "watch", make)


@mutant("Watching an integer is not warned about.")
def integer_watch_is_silent(engine: Any) -> None:
    part(engine, "tapes.tape").warn_first = lambda times, place, text, *rest: (
        None if text.startswith("The dtype of the watched") else _warn(engine, times, place, (text, *rest))
    )


@mutant("Watching an integer is warned about every time, also the sixth.")
def integer_watch_never_falls_silent(engine: Any) -> None:
    part(engine, "tapes.tape").warn_first = lambda times, key, *rest: _warn(engine, 10**9, key, rest)


def _warn(engine: Any, times: int, key: str | None, rest: tuple[Any, ...]) -> None:
    part(engine, "foundation.warnings_log").warn_first(times, key, *rest)


@mutant("A watch reaches back: what was not watched when an op ran is differentiated all the same.")
def watch_reaches_back(engine: Any) -> None:
    recording, tape = part(engine, "tapes.recording"), part(engine, "tapes.tape")
    tensor = part(engine, "tensors.tensor").EagerTensor
    shadows: set[int] = set()
    kept: list[Any] = []

    def shadowed(old: Any) -> Any:
        def op(*args: Any, **kwargs: Any) -> Any:
            for x in args:
                if type(x) is tensor and x._a.dtype.kind == "f":
                    for trace in recording.active_traces():
                        if recording.index_of(recording.node_of(x), trace) == recording.UNKNOWN:
                            recording.watch(trace, x)
                            shadows.add(id(x))
                            kept.append(x)
            return old(*args, **kwargs)

        return op

    for name in [
        n for n in vars(tensor) if n.startswith("__") and n[2:-2].lstrip("r") in ("add", "sub", "mul", "truediv")
    ]:
        replace(tensor, name, shadowed)

    def watching(old: Any) -> Any:
        def watch(trace: Any, x: Any) -> None:
            shadows.discard(id(x))
            old(trace, x)

        return watch

    def answered(old: Any) -> Any:
        def gradient(trace: Any, targets: Any, sources: Any, seeds: Any) -> Any:
            found = old(trace, targets, sources, seeds)
            return [None if id(s) in shadows else g for s, g in zip(sources, found)]

        return gradient

    replace(tape, "watch", watching)
    replace(tape, "imperative_gradient", answered)


@mutant("Variables that are not trainable are watched when read.")
def untrainable_variables_are_watched(engine: Any) -> None:
    variable = part(engine, "tensors.variable")

    def accessed(v: Any) -> None:
        for trace in variable.active_traces():
            if trace.watch_accessed:
                variable.watch_variable(trace, v)

    variable.accessed = accessed
    part(engine, "tapes.tape").accessed = accessed


@mutant("watch_accessed_variables=False is ignored.")
def accessed_variables_are_always_watched(engine: Any) -> None:
    replace(part(engine, "tapes.tape"), "Trace", lambda old: lambda persistent, accessed: old(persistent, True))


@mutant("watched_variables() is in order of access, not of creation.")
def watched_variables_in_order_of_access(engine: Any) -> None:
    def watched_variables(self: Any) -> tuple[Any, ...]:
        if self._tape is not None:
            self._watched_variables = tuple(self._tape.variables.values())
        return self._watched_variables

    part(engine, "tapes.tape").GradientTape.watched_variables = watched_variables


@mutant("Zeros for an unconnected source are float32, whatever the source is.")
def unconnected_zeros_are_float32(engine: Any) -> None:
    def make(old: Any) -> Any:
        def zeros(source: Any, raw: Any) -> Any:
            return part(engine, "tensors.tensor").wrap(np.zeros(old(source, raw)._a.shape, np.float32)[()])

        return zeros

    replace(part(engine, "tapes.tape"), "_zeros", make)


@mutant("An unconnected source gives zeros where None is due.")
def unconnected_is_zero(engine: Any) -> None:
    tape = part(engine, "tapes.tape")
    replace(tape, "_unconnected", lambda old: lambda value: (old(value), tape.UnconnectedGradients.ZERO)[1])
