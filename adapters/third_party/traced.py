"""TensorFlow with each program traced into one graph: `tf_function()`, and `tf_function_jit()` compiled by XLA.

The whole program, tapes and all, is the body of a `tf.function`. Its constants come in as arguments and what it makes
goes out as results, so nothing is known while it is traced. A traced program ends with its first error. Variables are
made before the graph runs, as TensorFlow demands; one that would be made of a computed value is unsupported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from adapters.backend import FEATURES, Capabilities, Identity, UnsupportedStep
from adapters.interpreter import interpret
from adapters.language import Array, Constant, MakeVariable, NumPy, Program, Py, Ref
from adapters.observations import (
    Nest,
    Observation,
    Outcome,
    RaggedTensor,
    Raised,
    Skipped,
    SparseSlices,
    Tensor,
    Unsupported,
)
from adapters.tensorflow import tensorflow_backend
from adapters.tf_shaped import TfShaped

_NEEDS_VALUES = frozenset({"host_values", "identity", "threads"})  # what only a value that is known can show
# What XLA says of what it has not.
_NOT_COMPILED = ("unsupported operations", "requires a fixed tensor list size", "not yet support", "is not implemented")
_LATER = "of the graph"  # the dtype of an array that stands for the result at an index


def tf_function() -> Traced:
    """TensorFlow under `tf.function`. ImportError when it is not installed."""
    return Traced(tensorflow_backend(), "tf.function", jit=False)


def tf_function_jit() -> Traced:
    """TensorFlow under `tf.function(jit_compile=True)`. ImportError when it is not installed."""
    return Traced(tensorflow_backend(), "tf.function-jit", jit=True)


class Traced:
    """A `Backend` whose `run_program` traces; every other method is that of eager TensorFlow, met inside the graph."""

    def __init__(self, eager: TfShaped, name: str, jit: bool) -> None:
        self._eager, self._name, self._jit, self._tf = eager, name, jit, eager.module
        self._results: list[Any] = []
        self._arguments: dict[int, Any] = {}  # what stands for a constant in the graph, by the id of its array
        self._variables: deque[Any] = deque()  # made beforehand, in order; None for one that cannot be
        eager.hooks = replace(eager.hooks, open_tensor=self._later)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._eager, name)

    def identity(self) -> Identity:
        return replace(self._eager.identity(), name=self._name)

    def capabilities(self) -> Capabilities:
        features = frozenset(FEATURES) - _NEEDS_VALUES
        return Capabilities(features=features, traced=True, errors="raised", warnings=False)

    def run_program(
        self, program: Program, seen: Callable[[int, Observation], None] | None = None
    ) -> tuple[Observation, ...]:
        """The observations of a program that is traced, then run. `seen` is told once all is known."""
        with self._eager.program_scope():
            observations = self._traced(program)
        for at, observation in enumerate(observations):
            if seen:
                seen(at, observation)
        return observations

    def _traced(self, program: Program) -> tuple[Observation, ...]:
        """Trace and run; where running fails, find the step it fails at."""
        found = self._attempt(program)
        if not isinstance(found, Exception):
            return found
        good, bad = 0, len(program.steps)  # so many steps run, so many do not
        kept: tuple[Observation, ...] = ()
        while bad - good > 1:
            middle = (good + bad) // 2
            tried = self._attempt(Program(program.steps[:middle]))
            if isinstance(tried, Exception):
                bad, found = middle, tried
            else:
                good, kept = middle, tried
        rest = (Observation(Skipped()),) * (len(program.steps) - good - 1)
        return (*kept, Observation(self._failed(found)), *rest)

    def _failed(self, error: Exception) -> Outcome:
        if self._jit and any(words in str(error) for words in _NOT_COMPILED):
            return Unsupported("XLA cannot compile this")
        return Raised(self._eager.error_name(error), self._eager.error_message(error))

    def _attempt(self, program: Program) -> tuple[Observation, ...] | Exception:
        """The observations, or the error with which the whole graph failed."""
        arrays = [step.array for step in program.steps if isinstance(step, Constant)]
        outside = [self._eager.constant(array) for array in arrays]
        self._variables = deque(self._made_before(program))
        seen: list[Observation] = []

        def body(*inside: Any) -> tuple[Any, ...]:
            self._results = []
            self._arguments = {id(array): one for array, one in zip(arrays, inside, strict=True)}
            seen[:] = interpret(program, self)
            return tuple(self._results)

        try:
            results = self._tf.function(body, autograph=False, jit_compile=self._jit or None)(*outside)
        except Exception as error:  # whatever the graph raises is an answer
            return error
        values = [self._eager_array(result) for result in results]
        return tuple(replace(one, outcome=_with_values(one.outcome, values)) for one in seen)

    def _eager_array(self, result: Any) -> Array:
        outcome = self._eager.observe(result)
        assert isinstance(outcome, Tensor)
        return outcome.array

    # ------------------------------------------------------------ inside the graph

    def constant(self, array: Array) -> Any:
        inside = self._arguments.get(id(array))
        return self._eager.constant(array) if inside is None else inside

    def _made_before(self, program: Program) -> Iterator[Any]:
        """The variables of the program that are made of constants."""
        for step in program.steps:
            if isinstance(step, MakeVariable):
                initial = step.initial
                if isinstance(initial, Ref) and initial.part is None:
                    initial = program.steps[initial.step]
                match initial:
                    case NumPy(array=array):
                        yield self._eager.variable(self._eager.numpy(array), step.trainable)
                    case Constant(array=array):
                        yield self._eager.variable(self._eager.constant(array), step.trainable)
                    case Py(value=value):
                        yield self._eager.variable(value, step.trainable)
                    case _:
                        yield None

    def variable(self, initial: Any, trainable: bool) -> Any:
        made = self._variables.popleft() if self._variables else None
        if made is None:
            raise UnsupportedStep("a variable of a computed value cannot be made inside a graph")
        return made

    def read(self, value: Any) -> Any:
        raise UnsupportedStep("inside a graph a tensor has no value to read")

    def _later(self, value: Any) -> Outcome | None:
        """The outcome that stands for a tensor of the graph until it has run."""
        if not self._tf.is_symbolic_tensor(value):
            return None
        self._results.append(value)
        return Tensor(Array(_LATER, (), (len(self._results) - 1,)))


def _with_values(outcome: Outcome, values: list[Array]) -> Outcome:
    """The outcome with arrays in the places of those that stood for results."""
    match outcome:
        case Tensor(array=Array(dtype=dtype, values=(index,))) if dtype == _LATER:
            return Tensor(values[index])
        case Nest(items=items):
            return replace(outcome, items=tuple(_with_values(one, values) for one in items))
        case SparseSlices(values=inner, indices=indices, dense_shape=shape):
            return SparseSlices(*(_with_values(one, values) for one in (inner, indices, shape)))
        case RaggedTensor(values=inner, row_splits=splits):
            return RaggedTensor(_with_values(inner, values), _with_values(splits, values))
    return outcome
