"""An adapter for a tape that is not shaped like TensorFlow. It runs as it stands: replace what is between the lines.

    tapecheck smoke NAME:Adapter          is the adapter itself all right?
    tapecheck run NAME:Adapter            the report

A method makes, does or shows one thing, with values of your tape's own kind; nobody looks inside them but `observe`.
What your tape does not have raises `UnsupportedStep`, which is never counted as wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn

import numpy as np

from adapters.arrays import from_numpy, to_numpy
from adapters.backend import Capabilities, Identity, UnsupportedStep
from adapters.language import Array
from adapters.observations import Outcome, Tensor

# ------------------------------------------------------------------------------------------------------------------
# Your tape. This one multiplies and adds, so that there is something to run: put `import yourtape` in its place.


class Value:
    def __init__(self, data: Any) -> None:
        self.data = np.asarray(data)


class Tape:
    def __init__(self) -> None:
        self.watched: list[Value] = []
        self.records: list[tuple[Value, tuple[Value, Value], Callable[..., Any]]] = []

    def gradient(self, target: Value, source: Value) -> Any:
        """The gradient as an array, None where the source is not known."""
        grads = {id(target): np.ones_like(target.data)}
        known = {id(one) for one in self.watched}
        for made, operands, _ in self.records:
            if any(id(one) in known for one in operands):
                known.add(id(made))
        for made, operands, backward in reversed(self.records):
            if id(made) in grads:
                for one, part in zip(operands, backward(grads[id(made)], *operands)):
                    grads[id(one)] = grads.get(id(one), 0) + unbroadcast(part, one.data.shape)
        return grads.get(id(source)) if id(source) in known else None


def unbroadcast(gradient: Any, shape: tuple[int, ...]) -> Any:
    extra = tuple(range(gradient.ndim - len(shape)))
    gradient = gradient.sum(axis=extra)
    stretched = tuple(at for at, n in enumerate(shape) if n == 1 and gradient.shape[at] != 1)
    return gradient.sum(axis=stretched, keepdims=True) if stretched else gradient


OPS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "math.multiply": (np.multiply, lambda dy, a, b: (dy * b.data, dy * a.data)),
    "operator.mul": (np.multiply, lambda dy, a, b: (dy * b.data, dy * a.data)),
    "math.add": (np.add, lambda dy, a, b: (dy, dy)),
    "operator.add": (np.add, lambda dy, a, b: (dy, dy)),
}

# ------------------------------------------------------------------------------------------------------------------


class Adapter:
    """Your tape, spoken to in the common language. `NAME:Adapter` is what the command line calls it."""

    def __init__(self) -> None:
        self.open: list[Tape] = []  # the tapes whose blocks are open

    # -------------------------------------------------------------- who it is and what it has

    def identity(self) -> Identity:
        return Identity("NAME", "0.1", {"numpy": np.__version__})

    def capabilities(self) -> Capabilities:
        # `ops`: TensorFlow's names of what you have. `features`: words of adapters.backend.FEATURES. `errors`: how far
        # your errors mean to agree, "raised" (at all), "class" or "message".
        return Capabilities(
            ops=frozenset(OPS),
            features=frozenset({"persistent", "several_tapes"}),
            dtypes=frozenset({"float32", "float64"}),
            errors="raised",
            warnings=False,
        )

    def program_scope(self) -> AbstractContextManager[None]:
        # Entered around each program: nothing of one may be left for the next.
        self.open.clear()
        return nullcontext()

    def captured_warnings(self) -> list[str]:
        return []  # the warnings that your tape has logged since the last call

    # -------------------------------------------------------------- values

    def constant(self, array: Array) -> Any:
        # An `Array` has a dtype's name, a shape and exact values; `to_numpy` makes a NumPy array of it.
        if array.dtype not in ("float32", "float64"):
            raise UnsupportedStep(f"there is no {array.dtype}")
        return Value(to_numpy(array))

    def observe(self, value: Any) -> Outcome | None:
        # Show a value of your own kind; None for what is not yours (None, lists, Python and NumPy values).
        return Tensor(from_numpy(value.data)) if isinstance(value, Value) else None

    def call(self, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # `op` is TensorFlow's dotted name, or `operator.mul`, `method.numpy` ... as adapters/python_calls.py lists.
        if op not in OPS or kwargs or not all(isinstance(one, Value) for one in args):
            raise UnsupportedStep(f"there is no {op} of these arguments")
        forward, backward = OPS[op]
        a, b = args
        made = Value(forward(a.data, b.data))
        for tape in self.open:
            tape.records.append((made, (a, b), backward))
        return made

    # -------------------------------------------------------------- tapes

    def tape(self, persistent: Any, watch_accessed_variables: Any) -> Any:
        return Tape()

    def enter(self, context: Any) -> Any:
        self.open.append(context)
        return context

    def exit(self, context: Any, error: BaseException | None) -> Any:
        self.open.remove(context)

    def watch(self, tape: Any, tensor: Any) -> Any:
        if not isinstance(tensor, Value):
            raise UnsupportedStep("only single tensors are watched")
        tape.watched.append(tensor)

    def gradient(self, tape: Any, target: Any, sources: Any, **options: Any) -> Any:
        # `options` holds output_gradients and unconnected_gradients where a program gives them.
        if options or not isinstance(target, Value) or not isinstance(sources, Value):
            raise UnsupportedStep("a gradient is of one target and one source")
        found = tape.gradient(target, sources)
        return None if found is None else Value(found)

    # -------------------------------------------------------------- what this tape does not have

    def numpy(self, array: Array) -> Any:
        return to_numpy(array)

    def dtype(self, name: str) -> NoReturn:
        raise UnsupportedStep("dtypes are not values here")

    def marker(self, name: str) -> NoReturn:
        raise UnsupportedStep(f"there is no {name}")

    def slices(self, values: Any, indices: Any, dense_shape: Any) -> NoReturn:
        raise UnsupportedStep("there are no IndexedSlices")

    def ragged(self, values: Any, row_splits: Any) -> NoReturn:
        raise UnsupportedStep("there are no ragged tensors")

    def variable(self, initial: Any, trainable: bool) -> NoReturn:
        raise UnsupportedStep("there are no variables")

    def assign(self, variable: Any, value: Any, how: str) -> NoReturn:
        raise UnsupportedStep("there are no variables")

    def invoke(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> NoReturn:
        raise UnsupportedStep("functions are not values here")

    def function(self, body: Callable[..., Any]) -> Any:
        return body

    def stop_recording(self, tape: Any) -> NoReturn:
        raise UnsupportedStep("there is no stop_recording")

    def reset(self, tape: Any) -> NoReturn:
        raise UnsupportedStep("there is no reset")

    def jacobian(self, tape: Any, target: Any, sources: Any, batch: bool, **options: Any) -> NoReturn:
        raise UnsupportedStep("there is no jacobian")

    def watched_variables(self, tape: Any) -> NoReturn:
        raise UnsupportedStep("there are no variables")

    def accumulator(self, primals: Any, tangents: Any) -> NoReturn:
        raise UnsupportedStep("there is no forward mode")

    def jvp(self, accumulator: Any, primals: Any, **options: Any) -> NoReturn:
        raise UnsupportedStep("there is no forward mode")

    # -------------------------------------------------------------- looking

    def read(self, value: Any) -> Any:
        return value.data.copy()

    def variable_key(self, value: Any) -> Hashable | None:
        return None  # for a variable: the same for every value that is this variable

    def error_name(self, error: BaseException) -> str:
        return type(error).__name__

    def error_message(self, error: BaseException) -> str:
        return str(error)
