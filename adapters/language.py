"""The language every tape is spoken to in: a Program is data, never Python text.

A `Program` is a tuple of frozen steps. Running it gives one observation per step (see `observations.py`). Steps name
earlier results by position: `Ref(3)` is what step 3 made, `Ref(3, 1)` the second value of a step that made several.
Inside the body of a `Function`, positions count the body's own steps, `Param(0)` is its first parameter, and `up=1`
(2, ...) reaches the enclosing scope (its enclosing scope, ...), so a body can use what surrounds it.

Programs are built by hand (`Program((Constant(array_of(3.0)), ...))`), drawn by the generator, or read from JSON
(`program_json.py`). They never change once made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

LANGUAGE_VERSION = 1


@dataclass(frozen=True, slots=True)
class Array:
    """A dense array, exactly: dtype name (`float32`, `bfloat16`, `string` ...), shape, and values in row-major order.

    Values are Python bool / int / float / complex / str; a float is the exact value of the element.
    """

    dtype: str
    shape: tuple[int, ...]
    values: tuple[Any, ...]


# ---------------------------------------------------------------- operands


@dataclass(frozen=True, slots=True)
class Ref:
    """The value of step `step` (its `part`-th one, if it made several), `up` scopes outward."""

    step: int
    part: int | None = None
    up: int = 0


@dataclass(frozen=True, slots=True)
class Param:
    """The `index`-th parameter of the function whose body this stands in (`up` functions outward)."""

    index: int
    up: int = 0


@dataclass(frozen=True, slots=True)
class Py:
    """A plain Python value: None, bool, int, float, complex or str."""

    value: Any


@dataclass(frozen=True, slots=True)
class NumPy:
    """A NumPy array (or, for shape (), a NumPy scalar), as a user might pass one in a tensor's place."""

    array: Array


@dataclass(frozen=True, slots=True)
class DTypeName:
    """A dtype object of the implementation, by its name: `DTypeName("float32")` is `tf.float32`."""

    name: str


@dataclass(frozen=True, slots=True)
class Items:
    """A nest of operands: `kind` is `list`, `tuple`, `dict` (then `keys`), `set` or `generator`."""

    kind: str
    items: tuple[Operand, ...]
    keys: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Slice:
    """`start:stop:step` in an index; each part an operand (`Py(None)` where absent)."""

    start: Operand
    stop: Operand
    step: Operand


@dataclass(frozen=True, slots=True)
class Marker:
    """A named singleton: `ellipsis`, `newaxis`, `object` (a bare `object()`), or a dotted public name such as
    `UnconnectedGradients.ZERO` that the implementation resolves."""

    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function value: how many parameters, its body, what it returns (an operand or a nest of them).

    The body's steps give no observations of their own: it may run never, once or often.
    """

    parameters: int
    steps: tuple[Step, ...]
    returns: Operand
    keyword: str | None = None  # name of a keyword-only parameter such as `variables`; the last Param refers to it


Operand = Union[Ref, Param, Py, NumPy, DTypeName, Items, Slice, Marker, Function]

# ---------------------------------------------------------------- steps that make values


@dataclass(frozen=True, slots=True)
class Constant:
    """Make a tensor from an array (`tf.constant(array)`)."""

    array: Array


@dataclass(frozen=True, slots=True)
class Slices:
    """Make IndexedSlices of existing values and indices (and a dense shape, or `Py(None)`)."""

    values: Operand
    indices: Operand
    dense_shape: Operand = Py(None)


@dataclass(frozen=True, slots=True)
class Ragged:
    """Make a ragged tensor of existing flat values and row splits."""

    values: Operand
    row_splits: Operand


@dataclass(frozen=True, slots=True)
class MakeVariable:
    """Make a variable from an initial value."""

    initial: Operand
    trainable: bool = True


@dataclass(frozen=True, slots=True)
class Assign:
    """Assign to a variable; `how`: `assign`, `assign_add` or `assign_sub`. Its value is what the call returned."""

    variable: Operand
    value: Operand
    how: str = "assign"


@dataclass(frozen=True, slots=True)
class Call:
    """Call a public function by its dotted path (`math.sin`, `nn.relu`), or a Python operator (`operator.mul`,
    `operator.getitem`), or a method of the first argument (`method.read_value`)."""

    op: str
    args: tuple[Operand, ...] = ()
    kwargs: tuple[tuple[str, Operand], ...] = ()


@dataclass(frozen=True, slots=True)
class Invoke:
    """Call a value that is itself a function (what `custom_gradient` or `function` returned)."""

    function: Operand
    args: tuple[Operand, ...] = ()
    kwargs: tuple[tuple[str, Operand], ...] = ()


# ---------------------------------------------------------------- steps about tapes


@dataclass(frozen=True, slots=True)
class MakeTape:
    """Make a tape; the two settings are operands so that odd values (1, np.True_) can be tried."""

    persistent: Operand = Py(False)
    watch_accessed_variables: Operand = Py(True)


@dataclass(frozen=True, slots=True)
class Enter:
    """Enter a context (a tape or an accumulator): `context.__enter__()`. Entering again is how one re-enters."""

    context: Operand


@dataclass(frozen=True, slots=True)
class Exit:
    """Leave a context normally, or (`raising`) because an exception passed through the block."""

    context: Operand
    raising: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """`tape.watch(tensor)`."""

    tape: Operand
    tensor: Operand


@dataclass(frozen=True, slots=True)
class StopRecording:
    """Enter `tape.stop_recording()`. The step's value is the context; leave it with `ResumeRecording`."""

    tape: Operand


@dataclass(frozen=True, slots=True)
class ResumeRecording:
    """Leave the `stop_recording` context that step `context` made (`raising`: an exception passes through it)."""

    context: Operand
    raising: bool = False


@dataclass(frozen=True, slots=True)
class Reset:
    """`tape.reset()`."""

    tape: Operand


@dataclass(frozen=True, slots=True)
class Gradient:
    """`tape.gradient(target, sources, ...)`; `None` stands for an argument that is not given at all."""

    tape: Operand
    target: Operand
    sources: Operand
    output_gradients: Operand | None = None
    unconnected_gradients: Operand | None = None


@dataclass(frozen=True, slots=True)
class Jacobian:
    """`tape.jacobian(...)`, or `tape.batch_jacobian(...)` when `batch`."""

    tape: Operand
    target: Operand
    sources: Operand
    batch: bool = False
    unconnected_gradients: Operand | None = None
    parallel_iterations: Operand | None = None
    experimental_use_pfor: Operand | None = None


@dataclass(frozen=True, slots=True)
class WatchedVariables:
    """`tape.watched_variables()`: observed as a tuple naming the variables' steps."""

    tape: Operand


@dataclass(frozen=True, slots=True)
class MakeAccumulator:
    """`autodiff.ForwardAccumulator(primals, tangents)`."""

    primals: Operand
    tangents: Operand


@dataclass(frozen=True, slots=True)
class Jvp:
    """`accumulator.jvp(primals, ...)`."""

    accumulator: Operand
    primals: Operand
    unconnected_gradients: Operand | None = None


# ---------------------------------------------------------------- steps that look


@dataclass(frozen=True, slots=True)
class Same:
    """Whether two values are one object (`a is b`)."""

    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class AliveAfterDelete:
    """Drop the program's own reference to a value; observe whether something else keeps it alive."""

    value: Ref


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """Take `value.numpy()`, overwrite the copy, and observe the value once more."""

    value: Operand


@dataclass(frozen=True, slots=True)
class InThread:
    """Run steps in another thread and wait for it. Observed as a structure of the inner observations; the inner
    steps' values are reached as parts: `Ref(k, j)` is what inner step j made. Inside, `up=1` reaches outward."""

    steps: tuple[Step, ...]


Step = Union[
    Constant, Slices, Ragged, MakeVariable, Assign, Call, Invoke, MakeTape, Enter, Exit, Watch, StopRecording,
    ResumeRecording, Reset, Gradient, Jacobian, WatchedVariables, MakeAccumulator, Jvp, Same, AliveAfterDelete,
    ReadAgain, InThread,
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Program:
    """Steps in order. Its permanent id is `program_json.program_id(program)`."""

    steps: tuple[Step, ...]
