"""Run a program on a tape: `run(program, backend)` gives one observation per step.

An error does not end a program. The step that raised is observed as raised, what it would have made is absent, steps
that need something absent are skipped, and the rest goes on. (A traced implementation cannot go on: what follows its
first error is not asked, which is observed as skipped.) Whatever is still open at the end is closed.
"""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from adapters import language as lang
from adapters.backend import Backend, UnsupportedStep
from adapters.describe import describe
from adapters.functions import callable_of
from adapters.language import Function, Operand, Program, Step
from adapters.observations import Done, Nest, Observation, Outcome, Raised, Skipped, Unsupported
from adapters.references import needs
from adapters.scope import ABSENT, AbsentValue, Scope, drop, parameters_of, scope_of, value_of


class PassingError(Exception):
    """What a program raises inside a block of its own (`Exit(raising=True)`)."""


def run(
    program: Program, backend: Backend, seen: Callable[[int, Observation], None] | None = None
) -> tuple[Observation, ...]:
    """The observations of a program's steps, in order. `seen` is told each as soon as it is made.

    A backend that cannot be asked step by step (one that traces a whole program first) has a `run_program` of its own.
    """
    own = getattr(backend, "run_program", None)
    if own is not None:
        return own(program, seen)
    with backend.program_scope():
        return interpret(program, backend, seen)


def interpret(
    program: Program, backend: Backend, seen: Callable[[int, Observation], None] | None = None
) -> tuple[Observation, ...]:
    """`run` without the scope that clears away what programs leave behind."""
    running = _Run(backend)
    try:
        return running.program(program.steps, seen)
    finally:
        running.close()


@dataclass(slots=True)
class _Run:
    backend: Backend
    open: list[Any] = field(default_factory=list)  # contexts entered and not left
    left: list[weakref.ref[Any]] = field(default_factory=list)  # contexts left: never kept alive from here
    variables: dict[Hashable, int] = field(default_factory=dict)
    top: Scope = field(default_factory=lambda: Scope([]))

    # ------------------------------------------------------------ sequences of steps

    def program(
        self, steps: tuple[Step, ...], seen: Callable[[int, Observation], None] | None
    ) -> tuple[Observation, ...]:
        traced = self.backend.capabilities().traced
        self.backend.captured_warnings()
        observations: list[Observation] = []
        ended = False
        for index, step in enumerate(steps):
            outcome = Skipped() if ended else self.observed(step, self.top)
            if ended:
                self.top.values.append(ABSENT)
            ended = ended or (traced and isinstance(outcome, (Raised, Unsupported)))
            observations.append(Observation(outcome, tuple(self.backend.captured_warnings())))
            if seen:
                seen(index, observations[-1])
        return tuple(observations)

    def observed(self, step: Step, scope: Scope) -> Outcome:
        """Run one step, append what it made (or ABSENT) to the scope, and say what was seen."""
        scope.index = len(scope.values)
        made = ABSENT
        try:
            value, outcome = self.step(step, scope)
            if outcome is None:
                outcome = describe(value, self.backend, self.variables, self.top.index)
            made = value
        except AbsentValue:
            outcome = Skipped()
        except UnsupportedStep as error:
            outcome = Unsupported(str(error))
        except (Exception, SystemExit) as error:
            outcome = Raised(self.backend.error_name(error), self.backend.error_message(error))
        scope.values.append(made)
        return outcome

    def body(self, function: Function, outer: Scope, parameters: tuple[Any, ...]) -> Any:
        """One run of a function's body: errors escape, nothing is observed."""
        scope = Scope([], outer, parameters)
        for step in function.steps:
            scope.index = len(scope.values)
            scope.values.append(self.step(step, scope)[0])
        return self.operand(function.returns, scope)

    def close(self) -> None:
        """Leave what is still open, the last entered first; then leave once more what may have come back to life."""
        contexts = [*reversed(self.open), *(reference() for reference in self.left)]
        self.open, self.left = [], []
        for context in contexts:
            # The program is over and seen; the next one starts with a probe that nothing is open.
            with suppress(Exception):
                if context is not None:
                    self.backend.exit(context, None)
        self.backend.captured_warnings()

    # ------------------------------------------------------------ operands

    def operand(self, operand: Operand, scope: Scope) -> Any:
        match operand:
            case lang.Ref():
                return value_of(operand, scope)
            case lang.Py():
                return operand.value
            case lang.Items():
                return self.items(operand, scope)
            case lang.Param():
                return parameters_of(operand.up, scope)[operand.index]
            case lang.NumPy():
                return self.backend.numpy(operand.array)
            case lang.DTypeName():
                return self.backend.dtype(operand.name)
            case lang.Marker():
                return self.backend.marker(operand.name)
            case lang.Slice():
                return slice(*(self.operand(part, scope) for part in (operand.start, operand.stop, operand.step)))
            case Function():
                for ref in needs(operand):
                    value_of(lang.Ref(ref.step, ref.part), scope)  # absent: this step is to be skipped
                return self.backend.function(callable_of(operand, lambda values: self.body(operand, scope, values)))
        raise TypeError(f"{operand!r} is no operand")

    def items(self, nest: lang.Items, scope: Scope) -> Any:
        made = [self.operand(item, scope) for item in nest.items]
        match nest.kind:
            case "list":
                return made
            case "tuple":
                return tuple(made)
            case "dict":
                return dict(zip(nest.keys, made, strict=True))
            case "set":
                return set(made)
            case "generator":
                return (item for item in made)
        raise ValueError(f"there is no nest of the kind {nest.kind!r}")

    def options(self, scope: Scope, **given: Operand | None) -> dict[str, Any]:
        return {name: self.operand(value, scope) for name, value in given.items() if value is not None}

    # ------------------------------------------------------------ steps

    def step(self, step: Step, scope: Scope) -> tuple[Any, Outcome | None]:
        """What a step made and, unless its value is to be described, what was seen."""
        backend = self.backend
        match step:
            case lang.Constant():
                return backend.constant(step.array), None
            case lang.Call():
                return backend.call(step.op, *self.arguments(step.args, step.kwargs, scope)), None
            case lang.Gradient():
                return self.gradient(step, scope), None
            case lang.InThread():
                return self.in_thread(step, scope)
            case lang.Same() | lang.AliveAfterDelete() | lang.ReadAgain():
                return self.look(step, scope), None
            case lang.WatchedVariables():
                return backend.watched_variables(self.operand(step.tape, scope)), None
            case lang.Jacobian() | lang.Jvp() | lang.Invoke() | lang.Assign():
                return self.other(step, scope), None
            case lang.MakeVariable() | lang.Slices() | lang.Ragged():
                return self.make(step, scope), None
        return self.tape_step(step, scope)

    def arguments(
        self, args: tuple[Operand, ...], kwargs: tuple[tuple[str, Operand], ...], scope: Scope
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        positional = tuple([self.operand(arg, scope) for arg in args])
        return positional, {name: self.operand(value, scope) for name, value in kwargs}

    def make(self, step: Step, scope: Scope) -> Any:
        match step:
            case lang.MakeVariable():
                made = self.backend.variable(self.operand(step.initial, scope), step.trainable)
                key = self.backend.variable_key(made)
                if key is not None:
                    self.variables[key] = self.top.index
                return made
            case lang.Slices():
                parts = [self.operand(part, scope) for part in (step.values, step.indices, step.dense_shape)]
                return self.backend.slices(*parts)
            case lang.Ragged():
                return self.backend.ragged(self.operand(step.values, scope), self.operand(step.row_splits, scope))
        raise TypeError(f"{step!r} is no step")

    def gradient(self, step: lang.Gradient, scope: Scope) -> Any:
        options = self.options(
            scope, output_gradients=step.output_gradients, unconnected_gradients=step.unconnected_gradients
        )
        tape, target, sources = (self.operand(part, scope) for part in (step.tape, step.target, step.sources))
        return self.backend.gradient(tape, target, sources, **options)

    def other(self, step: Step, scope: Scope) -> Any:
        match step:
            case lang.Jacobian():
                options = self.options(
                    scope,
                    unconnected_gradients=step.unconnected_gradients,
                    parallel_iterations=step.parallel_iterations,
                    experimental_use_pfor=step.experimental_use_pfor,
                )
                tape, target, sources = (self.operand(part, scope) for part in (step.tape, step.target, step.sources))
                return self.backend.jacobian(tape, target, sources, step.batch, **options)
            case lang.Jvp():
                options = self.options(scope, unconnected_gradients=step.unconnected_gradients)
                accumulator, primals = self.operand(step.accumulator, scope), self.operand(step.primals, scope)
                return self.backend.jvp(accumulator, primals, **options)
            case lang.Invoke():
                args, kwargs = self.arguments(step.args, step.kwargs, scope)
                return self.backend.invoke(self.operand(step.function, scope), args, kwargs)
            case lang.Assign():
                variable, value = self.operand(step.variable, scope), self.operand(step.value, scope)
                return self.backend.assign(variable, value, step.how)
        raise TypeError(f"{step!r} is no step")

    def tape_step(self, step: Step, scope: Scope) -> tuple[Any, Outcome | None]:
        backend = self.backend
        match step:
            case lang.MakeTape():
                settings = self.operand(step.persistent, scope), self.operand(step.watch_accessed_variables, scope)
                return backend.tape(*settings), Done()
            case lang.Enter():
                context = self.operand(step.context, scope)
                entered = backend.enter(context)
                self.open.append(context)
                return entered, Done()
            case lang.Exit() | lang.ResumeRecording():
                return self.leave(self.operand(step.context, scope), step.raising)
            case lang.Watch():
                return backend.watch(self.operand(step.tape, scope), self.operand(step.tensor, scope)), Done()
            case lang.StopRecording():
                stopped = backend.stop_recording(self.operand(step.tape, scope))
                self.open.append(stopped)
                return stopped, Done()
            case lang.Reset():
                return backend.reset(self.operand(step.tape, scope)), Done()
            case lang.MakeAccumulator():
                primals, tangents = self.operand(step.primals, scope), self.operand(step.tangents, scope)
                return backend.accumulator(primals, tangents), Done()
        raise TypeError(f"{step!r} is no step")

    def leave(self, context: Any, raising: bool) -> tuple[Any, Outcome | None]:
        for index in reversed(range(len(self.open))):
            if self.open[index] is context:
                del self.open[index]
                break
        with suppress(TypeError):  # some contexts cannot be referred to weakly; those stay left
            self.left.append(weakref.ref(context))
        result = self.backend.exit(context, PassingError("passing through the block") if raising else None)
        # `__exit__` answers None; a true answer would swallow the error, so it is shown
        return result, Done() if not result else None

    def in_thread(self, step: lang.InThread, scope: Scope) -> tuple[Any, Outcome | None]:
        inner = Scope([], scope)
        outcomes: list[Outcome] = []

        def work() -> None:
            outcomes.extend(self.observed(each, inner) for each in step.steps)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return inner.values, Nest("tuple", tuple(outcomes))

    def look(self, step: Step, scope: Scope) -> Any:
        match step:
            case lang.Same():
                return self.operand(step.left, scope) is self.operand(step.right, scope)
            case lang.ReadAgain():
                value = self.operand(step.value, scope)
                _overwrite(self.backend.read(value))
                return value
            case lang.AliveAfterDelete():
                return self.alive_after_delete(step.value, scope)
        raise TypeError(f"{step!r} is no step")

    def alive_after_delete(self, ref: lang.Ref, scope: Scope) -> bool:
        value = value_of(ref, scope)
        try:
            watcher = weakref.ref(value)
        except TypeError:
            raise UnsupportedStep(f"a {type(value).__name__} cannot be referred to weakly") from None
        drop(value, ref, scope_of(ref.up, scope))
        del value
        if watcher() is not None:
            gc.collect(1)  # cycles that this program made are young; a full collection would cost 0.1 s
        return watcher() is not None


def _overwrite(copied: Any) -> None:
    """Put other values into an array that the implementation gave away; a scalar cannot be overwritten."""
    if not isinstance(copied, np.ndarray):
        return
    if copied.dtype.kind == "b":
        np.logical_not(copied, out=copied)
    else:
        copied[...] = b"overwritten" if copied.dtype.kind in "OSU" else 77
