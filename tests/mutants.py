"""Faults planted in the engine, one at a time, and the proof that generated programs alone find them.

    python -m tests.mutants                         plant each, run the default profile without the corpus, print a table
    tapecheck run tests.mutants:ties_are_shared     the report of one of them
    python -m tests.mutants two_faults              what a run says when there are two

Each fault changes a private copy of the engine's modules, so the engine that carries the error bounds stays whole.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from adapters.reference import ReferenceBackend

ENGINE = Path(__file__).resolve().parents[1] / "reference_impl"
_copies = itertools.count()

Plant = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: its name, what is wrong in one sentence, and the function that plants it in a copy of the engine."""

    name: str
    sentence: str
    plant: Plant


MUTANTS: dict[str, Mutant] = {}


def mutant(sentence: str) -> Callable[[Plant], Callable[[], Any]]:
    """Register a fault; the name becomes a function that makes the faulty backend (`tests.mutants:NAME`)."""

    def register(plant: Plant) -> Callable[[], Any]:
        MUTANTS[plant.__name__] = Mutant(plant.__name__, sentence, plant)
        return lambda: faulty(plant.__name__)

    return register


def copy_of_the_engine() -> Any:
    """The engine's package, loaded once more under another name."""
    name = f"planted_engine_{next(_copies)}"
    spec = importlib.util.spec_from_file_location(
        name, ENGINE / "__init__.py", submodule_search_locations=[str(ENGINE)]
    )
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def faulty(*names: str) -> Any:
    """A backend with the named faults."""
    engine = copy_of_the_engine()
    for name in names:
        MUTANTS[name].plant(engine)
    return ReferenceBackend(engine=engine)


def part(engine: Any, name: str) -> Any:
    """A module of a copy of the engine."""
    return importlib.import_module(f"{engine.__name__}.{name}")


def regrade(engine: Any, kernel: str, *gradients: Any) -> None:
    """Give an op other gradient functions (None keeps one). They may use only what the op's own ones keep."""
    op = part(engine, "ops.declare").OPS[kernel]
    old = op.gradients
    new = tuple(after or before for before, after in zip(old, gradients))
    op.gradient, op.gradients = (new if type(op.gradient) is tuple else new[0]), new


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Put `make(old)` in the place of an attribute."""
    setattr(owner, name, make(getattr(owner, name)))


def exact_walk_only(engine: Any) -> None:
    """Leave out the engine's short cut for walks in which the order of arrival cannot show."""
    part(engine, "walk").run_plain = lambda *args: None


# ---------------------------------------------------------------- the walk


@mutant("The gradients of a value that is used again are overwritten, not summed.")
def reuse_is_overwritten(engine: Any) -> None:
    exact_walk_only(engine)
    part(engine, "walk").Walk.total = lambda self, values: values[-1]


@mutant("The third and later contributions to a value are dropped.")
def third_use_is_dropped(engine: Any) -> None:
    exact_walk_only(engine)
    replace(part(engine, "walk").Walk, "total", lambda old: lambda self, values: old(self, values[:2]))


@mutant("The walk goes in plain reverse order of recording.")
def plain_reverse_order(engine: Any) -> None:
    class Latest(list):  # type: ignore[type-arg]
        """A queue that hands out the latest record first."""

        def popleft(self) -> Any:
            self.sort(key=lambda node: node.i if type(node.i) is int else max(node.i.values()))
            return self.pop()

    exact_walk_only(engine)
    part(engine, "walk").deque = Latest


@mutant("Broadcasting is not undone along an axis of size 1.")
def size_one_axis_stays_broadcast(engine: Any) -> None:
    def unbroadcast(F: Any, g: Any, shape: tuple[int, ...], *others: Any) -> Any:
        extra = F.rank(g) - len(shape)
        return F.sum(g, axis=tuple(range(extra)), keepdims=False) if extra > 0 else g

    exact_walk_only(engine)
    part(engine, "walk").unbroadcast = unbroadcast


@mutant("Broadcast axes are averaged instead of summed.")
def broadcast_axes_are_averaged(engine: Any) -> None:
    def make(old: Any) -> Any:
        def unbroadcast(F: Any, g: Any, shape: tuple[int, ...], *others: Any) -> Any:
            before = np.prod(F.shape(g)) or 1
            return old(F, g, shape, *others) * F.dtype(g).type((np.prod(shape) or 1) / before)

        return unbroadcast

    exact_walk_only(engine)
    replace(part(engine, "walk"), "unbroadcast", make)


@mutant("A target that is also an unwatched source gives None.")
def unwatched_target_as_source_is_none(engine: Any) -> None:
    def make(old: Any) -> Any:
        def seed(self: Any, targets: Any, start: Any, seeds: Any) -> None:
            unknown = part(engine, "recording").UNKNOWN
            index_of = part(engine, "recording").index_of
            kept = [k for k, node in enumerate(start) if seeds or index_of(node, self.trace) != unknown]
            old(self, [targets[k] for k in kept], [start[k] for k in kept], seeds)

        return seed

    replace(part(engine, "walk").Walk, "seed", make)


@mutant("A target that is named twice is seeded once.")
def duplicate_target_counts_once(engine: Any) -> None:
    def make(old: Any) -> Any:
        def seed(self: Any, targets: Any, start: Any, seeds: Any) -> None:
            kept = [k for k, node in enumerate(start) if node not in start[:k]]
            old(
                self, [targets[k] for k in kept], [start[k] for k in kept], [seeds[k] for k in kept] if seeds else seeds
            )

        return seed

    replace(part(engine, "walk").Walk, "seed", make)


@mutant("A watch only counts for ops that are recorded after it.")
def late_watch_is_ignored(engine: Any) -> None:
    recording, walk = part(engine, "recording"), part(engine, "walk")
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
    replace(part(engine, "tape"), "watch", watched)
    replace(walk.Walk, "binary", placed)
    replace(walk.Walk, "needed", needed_by)


@mutant("The inner gradient of nested tapes is a constant for the outer tape.")
def second_order_is_not_recorded(engine: Any) -> None:
    recording = part(engine, "recording")

    def make(old: Any) -> Any:
        def gradient(*args: Any) -> Any:
            with recording.stop_recording():
                return old(*args)

        return gradient

    replace(part(engine, "tape"), "imperative_gradient", make)


@mutant("Output gradients are ignored.")
def output_gradients_are_ignored(engine: Any) -> None:
    part(engine, "tape")._seeds = lambda given: []


# ---------------------------------------------------------------- the life of a tape


@mutant("A tape that is not persistent answers twice.")
def second_call_is_answered(engine: Any) -> None:
    tape = part(engine, "tape")
    replace(tape, "Trace", lambda old: lambda persistent, accessed: old(True, accessed))
    tape.GradientTape._finish = lambda self: None


@mutant("A persistent tape is used up by its first gradient.")
def persistent_tape_is_used_up(engine: Any) -> None:
    def finish(self: Any) -> None:
        self.watched_variables()
        self._end()

    part(engine, "tape").GradientTape._finish = finish


@mutant("reset() keeps what was watched.")
def reset_keeps_watches(engine: Any) -> None:
    def reset(self: Any) -> None:
        self._pop()
        self._tape.records[:] = [None] * len(self._tape.records)
        self._push()

    part(engine, "tape").GradientTape.reset = reset


@mutant("reset() does nothing but check.")
def reset_forgets_nothing(engine: Any) -> None:
    def reset(self: Any) -> None:
        self._pop()
        self._push()

    part(engine, "tape").GradientTape.reset = reset


@mutant("Ops inside stop_recording are recorded.")
def stopped_ops_are_recorded(engine: Any) -> None:
    tape = part(engine, "tape")

    def make(old: Any) -> Any:
        def pop(self: Any) -> None:
            active = self._tape
            old(self)
            if sys._getframe(1).f_code.co_name == "stop_recording":
                tape.push(active)

        return pop

    replace(tape.GradientTape, "_pop", make)


@mutant("A recording goes on after an exception left the block.")
def recording_leaks_after_an_exception(engine: Any) -> None:
    def make(old: Any) -> Any:
        def leave(self: Any, kind: Any, value: Any, traceback: Any) -> None:
            if kind is None:
                old(self, kind, value, traceback)

        return leave

    replace(part(engine, "tape").GradientTape, "__exit__", make)


@mutant("Entering a tape again starts a new trace.")
def entering_again_forgets(engine: Any) -> None:
    def make(old: Any) -> Any:
        def enter(self: Any) -> Any:
            if self._tape is not None and not self._recording:
                self._end()
            return old(self)

        return enter

    replace(part(engine, "tape").GradientTape, "__enter__", make)


@mutant("gradient() inside the block of a tape that is not persistent leaves it recording.")
def gradient_inside_keeps_recording(engine: Any) -> None:
    tape = part(engine, "tape")

    def make(old: Any) -> Any:
        def gradient(self: Any, *args: Any, **kwargs: Any) -> Any:
            was = self._recording
            result = old(self, *args, **kwargs)
            if was and not self._recording:
                self._push()
            return result

        return gradient

    replace(tape.GradientTape, "gradient", make)


@mutant("An active tape may be entered again.")
def reentry_of_an_active_tape_is_allowed(engine: Any) -> None:
    def make(old: Any) -> Any:
        def enter(self: Any) -> Any:
            return self if self._recording else old(self)

        return enter

    replace(part(engine, "tape").GradientTape, "__enter__", make)


# ---------------------------------------------------------------- watching and variables


@mutant("Nested tapes see each other's watches.")
def watches_are_shared(engine: Any) -> None:
    tape, recording = part(engine, "tape"), part(engine, "recording")

    def make(old: Any) -> Any:
        def watch(trace: Any, tensor: Any) -> None:
            for each in {trace, *recording.active_traces()}:
                old(each, tensor)

        return watch

    replace(tape, "watch", make)


@mutant("Watching an integer is not warned about.")
def integer_watch_is_silent(engine: Any) -> None:
    part(engine, "tape").warn_first = lambda times, key, *rest: (
        None if key == "watch" else _warn(engine, times, key, rest)
    )


@mutant("Watching an integer is warned about every time, also the sixth.")
def integer_watch_never_falls_silent(engine: Any) -> None:
    part(engine, "tape").warn_first = lambda times, key, *rest: _warn(engine, 10**9, key, rest)


def _warn(engine: Any, times: int, key: str, rest: tuple[Any, ...]) -> None:
    part(engine, "warnings_log").warn_first(times, key, *rest)


@mutant("A watch reaches back: what was not watched when an op ran is differentiated all the same.")
def watch_reaches_back(engine: Any) -> None:
    recording, tape = part(engine, "recording"), part(engine, "tape")
    tensor = part(engine, "tensor").EagerTensor
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
    variable = part(engine, "variable")

    def accessed(v: Any) -> None:
        for trace in variable.active_traces():
            if trace.watch_accessed:
                variable.watch_variable(trace, v)

    variable.accessed = accessed
    part(engine, "tape").accessed = accessed


@mutant("watch_accessed_variables=False is ignored.")
def accessed_variables_are_always_watched(engine: Any) -> None:
    replace(part(engine, "tape"), "Trace", lambda old: lambda persistent, accessed: old(persistent, True))


@mutant("watched_variables() is in order of access, not of creation.")
def watched_variables_in_order_of_access(engine: Any) -> None:
    def watched_variables(self: Any) -> tuple[Any, ...]:
        if self._tape is not None:
            self._watched_variables = tuple(self._tape.variables.values())
        return self._watched_variables

    part(engine, "tape").GradientTape.watched_variables = watched_variables


@mutant("Zeros for an unconnected source are float32, whatever the source is.")
def unconnected_zeros_are_float32(engine: Any) -> None:
    def make(old: Any) -> Any:
        def zeros(source: Any, raw: Any) -> Any:
            return part(engine, "tensor").wrap(np.zeros(old(source, raw)._a.shape, np.float32)[()])

        return zeros

    replace(part(engine, "tape"), "_zeros", make)


@mutant("An unconnected source gives zeros where None is due.")
def unconnected_is_zero(engine: Any) -> None:
    tape = part(engine, "tape")
    replace(tape, "_unconnected", lambda old: lambda value: (old(value), tape.UnconnectedGradients.ZERO)[1])


# ---------------------------------------------------------------- ops


@mutant("maximum shares the gradient between operands that tie.")
def ties_are_shared(engine: Any) -> None:
    def share(a: Any, b: Any, dy: Any) -> Any:
        return dy * ((a > b) + (a == b) * 0.5).astype(dy.dtype)

    plain = part(engine, "ops.declare").arrays
    old_a, old_b = part(engine, "ops.declare").OPS["Maximum"].gradients
    regrade(
        engine, "Maximum",
        lambda F, dy, y, a, b: share(a, b, dy) if F is plain else old_a(F, dy, y, a, b),
        lambda F, dy, y, a, b: share(b, a, dy) if F is plain else old_b(F, dy, y, a, b),
    )  # fmt: skip


@mutant("relu has slope 1 at 0.")
def relu_slopes_at_zero(engine: Any) -> None:
    part(engine, "ops.declare").arrays.relu_grad = lambda dy, y: (dy * (y >= 0).astype(dy.dtype))[()]


@mutant("abs has slope 1 at 0.")
def abs_slopes_at_zero(engine: Any) -> None:
    plain = part(engine, "ops.declare").arrays
    (old,) = part(engine, "ops.declare").OPS["Abs"].gradients

    def gradient(F: Any, dy: Any, y: Any, x: Any) -> Any:
        return dy * np.where(x >= 0, 1, -1).astype(dy.dtype)[()] if F is plain else old(F, dy, y, x)

    regrade(engine, "Abs", gradient)


@mutant("sqrt does not stop a zero upstream at 0.")
def zero_upstream_reaches_sqrt(engine: Any) -> None:
    part(engine, "ops.declare").arrays.sqrt_grad = lambda y, dy: dy * y.dtype.type(0.5) / y


@mutant("where passes the whole gradient to both branches.")
def where_feeds_both_branches(engine: Any) -> None:
    regrade(engine, "SelectV2", None, lambda F, dy, y, c, a, b: dy, lambda F, dy, y, c, a, b: dy)


@mutant("The gradient of reduce_mean is not divided by the count.")
def mean_is_not_divided(engine: Any) -> None:
    def make(old: Any) -> Any:
        def gradient(F: Any, dy: Any, _y: Any, _x: Any, axis: Any, keepdims: Any) -> Any:
            before, after = np.prod(F.shape(_x)) or 1, np.prod(F.shape(dy)) or 1
            return old(F, dy, _y, _x, axis=axis, keepdims=keepdims) * F.dtype(dy).type(before / after)

        return gradient

    op = part(engine, "ops.declare").OPS["Mean"]
    op.gradient = make(op.gradient)
    op.gradients = None if op.gradients is None else (op.gradient,)


@mutant("multiply forgets to conjugate.")
def conjugate_is_missing(engine: Any) -> None:
    part(engine, "ops.declare").arrays.conj = lambda x: x


@mutant("stop_gradient lets the gradient through.")
def stop_gradient_does_not_stop(engine: Any) -> None:
    engine.stop_gradient = engine.identity


@mutant("The sign of subtract's second gradient is lost.")
def subtract_forgets_the_sign(engine: Any) -> None:
    regrade(engine, "Sub", None, lambda F, dy, *rest: dy)


@mutant("sin is differentiated as 1 + 1e-3 of its cosine.")
def sin_is_off_by_a_thousandth(engine: Any) -> None:
    (old,) = part(engine, "ops.declare").OPS["Sin"].gradients
    regrade(engine, "Sin", lambda F, dy, y, x: old(F, dy, y, x) * F.dtype(dy).type(1.001))


for _name in tuple(MUTANTS):
    globals()[_name] = (lambda name: lambda: faulty(name))(_name)
globals()["two_faults"] = lambda: faulty("ties_are_shared", "reset_keeps_watches")


if __name__ == "__main__":
    from tests.mutants_found import main

    raise SystemExit(main(sys.argv[1:]))
