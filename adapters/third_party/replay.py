"""A tape for engines that have none open: `Replaying(engine)` is a whole `Backend` on top of a library's derivative.

Ops run at once, by the library. While a tape is entered they are also written down, as functions of their operands;
when a gradient is asked, the part between sources and targets is replayed as one function and the library
differentiates it. The arithmetic and the derivative are the library's own. What the replay decides is only what is
connected to what (None against a value), which these libraries have no word for; so rules about open tapes are not
asked of it.

Write an `Engine` (see `engine.py`) to bring a library of this kind.
"""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from adapters.arrays import from_numpy, numpy_dtype, to_numpy
from adapters.backend import Capabilities, Identity, UnsupportedStep
from adapters.language import Array
from adapters.messages import normalise
from adapters.observations import Outcome
from adapters.observations import Tensor as TensorSeen
from adapters.third_party.engine import Engine
from adapters.third_party.numpy_named import BINARY
from adapters.third_party.section import Record, Section, Tensor, connections, hidden

FEATURES = frozenset(
    {
        "variables", "assign", "persistent", "several_tapes", "nesting", "nests", "output_gradients",
        "unconnected_gradients", "numpy_operands",
    }
)  # fmt: skip
_OF_LISTS = ("concat", "stack", "add_n")
_LIKE_THE_TENSOR = ("where", "clip_by_value")  # ops of three tensors, where numbers may stand for some
# The tuples that TensorFlow's ops of several results make, where they make no list.
_TUPLES: dict[str, Callable[[list[Any]], Any]] = {
    "linalg.slogdet": namedtuple("LogMatrixDeterminant", ("sign", "log_abs_determinant"))._make,
    "linalg.qr": namedtuple("Qr", ("q", "r"))._make,
    "math.top_k": namedtuple("TopKV2", ("values", "indices"))._make,
    **dict.fromkeys(("linalg.svd", "linalg.eigh", "linalg.eig", "nn.moments", "linalg.normalize"), tuple),
}
_READS = ("identity", "convert_to_tensor", "method.read_value", "method.value")


class Variable:
    """A variable: each assignment makes a new value, and a tape may know any of them."""

    def __init__(self, value: Tensor, trainable: bool) -> None:
        self.values, self.trainable = [value], trainable

    @property
    def value(self) -> Tensor:
        """The value now."""
        return self.values[-1]


class Tape:
    """What was written down while it was entered, and which values are watched."""

    def __init__(self, accessed: bool) -> None:
        self.accessed = accessed
        self.records: list[Record] = []
        self.watched: dict[int, Tensor] = {}

    def known(self) -> set[int]:
        """The ids of watched values and of all that was computed from them."""
        known = set(self.watched)
        for record in self.records:
            if any(id(one) in known for one in record.inputs):
                known |= {id(one) for one in record.outputs}
        return known


class Replaying:
    """See the module docstring."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._open: list[Tape] = []

    def identity(self) -> Identity:
        return Identity(self.engine.name, self.engine.version, {"numpy": np.__version__, **self.engine.details})

    def capabilities(self) -> Capabilities:
        features = FEATURES if self.engine.higher_order else FEATURES - {"nesting"}
        ops = frozenset(self.engine.ops) | {*_READS, "stop_gradient"}
        return Capabilities(ops, features, frozenset(self.engine.dtypes), errors="raised", warnings=False)

    def program_scope(self) -> AbstractContextManager[None]:
        self._open.clear()
        return nullcontext()

    def captured_warnings(self) -> list[str]:
        return []

    # ------------------------------------------------------------ values

    def constant(self, array: Array) -> Any:
        return Tensor(self._made(array))

    def _made(self, array: Array) -> Any:
        if array.dtype not in self.engine.dtypes:
            raise UnsupportedStep(f"{self.engine.name} has no {array.dtype}")
        return self.engine.array(to_numpy(array))

    def numpy(self, array: Array) -> Any:
        made = to_numpy(array)
        return made if array.shape else made[()]

    def dtype(self, name: str) -> Any:
        if name not in self.engine.dtypes:
            raise UnsupportedStep(f"{self.engine.name} has no {name}")
        return np.dtype(numpy_dtype(name))

    def marker(self, name: str) -> Any:
        match name:
            case "ellipsis":
                return ...
            case "newaxis":
                return None
            case "UnconnectedGradients.ZERO" | "UnconnectedGradients.NONE":
                return name.rpartition(".")[2].lower()
        raise UnsupportedStep(f"{self.engine.name} has no {name}")

    def slices(self, values: Any, indices: Any, dense_shape: Any) -> Any:
        raise UnsupportedStep("there are no IndexedSlices")

    def ragged(self, values: Any, row_splits: Any) -> Any:
        raise UnsupportedStep("there are no ragged tensors")

    def variable(self, initial: Any, trainable: bool) -> Any:
        return Variable(Tensor(self._raw(initial)), trainable)

    def assign(self, variable: Any, value: Any, how: str) -> Any:
        if not isinstance(variable, Variable):
            raise UnsupportedStep("only whole variables are assigned to")
        new, old = self._raw(value), variable.value.data
        if self.engine.open(new).dtype != self.engine.open(old).dtype:
            raise UnsupportedStep("a variable is given values of its own dtype only")
        shapes = self.engine.open(new).shape, self.engine.open(old).shape
        if shapes[0] != shapes[1]:
            raise ValueError(f"a value of shape {shapes[0]} cannot be assigned to a variable of shape {shapes[1]}")
        if how != "assign":
            op = self.engine.ops["operator.add" if how == "assign_add" else "operator.sub"]
            new = op(old, new)
        before, now = variable.value, Tensor(new)
        variable.values.append(now)
        for tape in self._open:  # who watches a variable watches what it is given
            if id(before) in tape.watched:
                tape.watched[id(now)] = now
        return variable

    def _raw(self, value: Any) -> Any:
        """The library's own value of an operand that stands where a tensor is due."""
        if isinstance(value, Variable):
            return value.value.data
        if isinstance(value, Tensor):
            return value.data
        array = np.asarray(value)
        if not isinstance(value, (np.ndarray, np.generic)):
            array = _narrow(array)
        return self._made(from_numpy(array))

    # ------------------------------------------------------------ ops

    def call(self, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if op == "stop_gradient":
            return Tensor(self._raw(args[0]))
        if op in _READS and not isinstance(args[0], (Tensor, Variable, np.ndarray, np.generic)):
            raise UnsupportedStep(f"{op} of a {type(args[0]).__name__} is TensorFlow's own")
        if op == "convert_to_tensor" and isinstance(args[0], Tensor):
            return args[0]
        function = _first if op in _READS else self.engine.ops.get(op)
        if function is None:
            raise UnsupportedStep(f"{self.engine.name} has no {op}")
        if op == "cast" and isinstance(args[0], Variable):
            raise UnsupportedStep("a cast of a variable to its own dtype is that variable")
        if isinstance(args[0] if args else None, (list, tuple)) and op not in _OF_LISTS:
            raise UnsupportedStep(f"{op} of a list is TensorFlow's own")
        operands: list[Tensor] = []
        shape = _template(self._numbers(op, args), operands, self), _template(kwargs, operands, self)

        several = False

        def run(raws: Sequence[Any]) -> list[Any]:
            nonlocal several
            filled, named = _filled(shape[0], raws), _filled(shape[1], raws)
            made = function(*filled, **named)
            several = isinstance(made, (list, tuple))
            return list(made) if several else [made]

        try:
            outputs = self._recorded(run, tuple(operands))
        except TypeError:
            if not _takes(function, shape[0], shape[1]):
                raise UnsupportedStep(f"{op} is not called so in {self.engine.name}") from None
            raise
        except NotImplementedError as error:
            raise UnsupportedStep(f"{self.engine.name} says: {error}") from None
        return _TUPLES.get(op, list)(outputs) if several else outputs[0]

    def _numbers(self, op: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Python numbers beside a tensor become values of its dtype, as TensorFlow makes them."""
        if not ((len(args) == 2 and op.rpartition(".")[2] in BINARY) or op in _LIKE_THE_TENSOR):
            return args
        tensors = args[op == "where" :]
        beside = next((one for one in tensors if isinstance(one, (Tensor, Variable))), None)
        if beside is None:
            return args
        like = self.engine.open(self._raw(beside)).dtype
        return tuple(
            Tensor(self.engine.array(np.asarray(one, like)))
            if type(one) in (int, float, complex) and np.can_cast(np.min_scalar_type(one), like, "same_kind")
            else one
            for one in args
        )

    def _recorded(
        self,
        run: Callable[[Sequence[Any]], list[Any]],
        inputs: tuple[Tensor, ...],
        inside: frozenset[int] = frozenset(),
    ) -> list[Tensor]:
        outputs = [Tensor(raw) for raw in run([one.data for one in inputs])]
        there = [one for one in outputs if one.data is not None and self.engine.floating(one.data)]
        record = Record(run, inputs, tuple(there), tuple(outputs), inside)
        for tape in self._open:
            tape.records.append(record)
        return outputs

    def accessed(self, variable: Variable) -> Tensor:
        """The value of a variable that an op reads: open tapes take notice."""
        for tape in self._open:
            if variable.trainable and tape.accessed:
                tape.watched[id(variable.value)] = variable.value
        return variable.value

    def invoke(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise UnsupportedStep("functions are not values here")

    # ------------------------------------------------------------ tapes

    def tape(self, persistent: Any, watch_accessed_variables: Any) -> Any:
        return Tape(bool(watch_accessed_variables))

    def enter(self, context: Any) -> Any:
        self._open.append(context)
        return context

    def exit(self, context: Any, error: BaseException | None) -> Any:
        if context in self._open:
            self._open.remove(context)

    def watch(self, tape: Any, tensor: Any) -> Any:
        for one in _leaves(tensor):
            value = one.value if isinstance(one, Variable) else one
            if not isinstance(value, Tensor):
                raise TypeError(f"a {type(one).__name__} cannot be watched")
            if self.engine.floating(value.data):
                tape.watched[id(value)] = value

    def stop_recording(self, tape: Any) -> Any:
        raise UnsupportedStep("the replay has no stop_recording")

    def reset(self, tape: Any) -> Any:
        raise UnsupportedStep("the replay has no reset")

    def gradient(self, tape: Any, target: Any, sources: Any, **options: Any) -> Any:
        wanted = list(_leaves(sources))
        targets = [self._seeded(one) for one in _leaves(target)]
        given = options.get("output_gradients")
        seeds = [] if given is None else [self._seeded(one) for one in _leaves(given)]
        zero = options.get("unconnected_gradients") == "zero"
        recorded = tape.known()
        known = recorded | {id(one) for one in targets}  # a target's gradient to itself asks for no watching
        records = [record for record in tape.records if any(id(one) in recorded for one in record.inputs)]
        pairs = [
            (one, seeds[at] if at < len(seeds) else None)
            for at, one in enumerate(targets)
            if self.engine.floating(one.data)
        ]
        inputs = [[value for value in _values(one) if id(value) in known] for one in wanted]
        if any(not self.engine.floating(one.data) for one in targets if any(one in values for values in inputs)):
            raise UnsupportedStep("the gradient of an integer to itself is TensorFlow's own")
        if hidden(tape.records, [value for values in inputs for value in values], [target for target, _ in pairs]):
            raise UnsupportedStep("a value inside an inner gradient cannot be a source of an outer one in a replay")
        found = self._found(records, pairs, inputs)
        made = [self._or_zeros(got, one, zero) for got, one in zip(found, wanted, strict=True)]
        return _packed(sources, iter(made))

    def _seeded(self, target: Any) -> Tensor:
        if target is None:
            raise UnsupportedStep("None among output gradients or targets is TensorFlow's own")
        if isinstance(target, Variable):
            return self.accessed(target)
        return target if isinstance(target, Tensor) else Tensor(self._raw(target))

    def _or_zeros(self, got: Tensor | None, source: Any, zero: bool) -> Tensor | None:
        if got is None and zero:
            return Tensor(self.engine.zeros_like(self._raw(source)))
        return got

    def _found(
        self, records: list[Record], pairs: list[tuple[Tensor, Tensor | None]], inputs: list[list[Tensor]]
    ) -> list[Tensor | None]:
        """The gradient of each source: the sum over the values that it had."""
        every = [value for values in inputs for value in values]
        alone = connections(records, every)
        groups = [[one] for one in every] if alone else [every] if every else []
        grads: dict[int, Tensor | None] = {}
        for group in groups:
            grads |= self._of_group(records, pairs, group)
        return [self._summed([grads.get(id(value)) for value in values]) for values in inputs]

    def _summed(self, parts: list[Tensor | None]) -> Tensor | None:
        there = [one for one in parts if one is not None]
        if not there:
            return None
        total = there[0]
        for one in there[1:]:
            total = self.call("operator.add", (total, one), {})
        return total

    def _of_group(
        self, records: list[Record], pairs: list[tuple[Tensor, Tensor | None]], group: list[Tensor]
    ) -> dict[int, Tensor | None]:
        section = Section(self.engine, records, group, pairs)
        if not section.connected:
            return {}
        if not section.records and len(section.pairs) == 1:
            return {id(section.sources[0]): self._itself(*section.pairs[0])}
        gradients = self._recorded(section.run, section.inputs, section.inside)
        return {id(one): got for one, got in zip(section.sources, gradients, strict=True) if got.data is not None}

    def _itself(self, target: Tensor, seed: Tensor | None) -> Tensor:
        """The gradient of a target to itself: the seed, which depends on nothing else."""
        return seed or Tensor(self.engine.ones_like(target.data))

    def jacobian(self, tape: Any, target: Any, sources: Any, batch: bool, **options: Any) -> Any:
        raise UnsupportedStep("the replay has no jacobian")

    def watched_variables(self, tape: Any) -> Any:
        raise UnsupportedStep("the replay has no watched_variables")

    def accumulator(self, primals: Any, tangents: Any) -> Any:
        raise UnsupportedStep("the replay has no forward mode")

    def jvp(self, accumulator: Any, primals: Any, **options: Any) -> Any:
        raise UnsupportedStep("the replay has no forward mode")

    # ------------------------------------------------------------ looking

    def read(self, value: Any) -> Any:
        return np.array(self.engine.open(self._raw(value)))

    def function(self, body: Callable[..., Any]) -> Any:
        return body

    def variable_key(self, value: Any) -> Hashable | None:
        return id(value) if isinstance(value, Variable) else None

    def observe(self, value: Any) -> Outcome | None:
        if isinstance(value, Tensor):
            return TensorSeen(from_numpy(self.engine.open(value.data)))
        return None

    def error_name(self, error: BaseException) -> str:
        return type(error).__name__

    def error_message(self, error: BaseException) -> str:
        return normalise(str(error))


def _narrow(array: np.ndarray) -> np.ndarray:
    """Bare Python numbers as TensorFlow makes tensors of them: float32, and int32 where they fit."""
    if array.dtype == np.float64:
        return array.astype(np.float32)
    fits = array.dtype == np.int64 and np.array_equal(array, array.astype(np.int32))
    return array.astype(np.int32) if fits else array


def _takes(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a function has places for the arguments (one without a signature takes what it takes)."""
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _first(value: Any, *others: Any, **options: Any) -> Any:
    return value


def _values(source: Any) -> list[Tensor]:
    """The values that a source had: one, or those of a variable."""
    if isinstance(source, Variable):
        return source.values
    return [source] if isinstance(source, Tensor) else []


class _Slot:
    """The place of an operand in a call."""

    def __init__(self, at: int) -> None:
        self.at = at


def _template(part: Any, operands: list[Tensor], backend: Replaying) -> Any:
    """The arguments of a call with slots in the places of tensors, which are collected."""
    if isinstance(part, (Tensor, Variable, np.ndarray, np.generic)):
        if isinstance(part, Variable):
            part = backend.accessed(part)
        operands.append(part if isinstance(part, Tensor) else Tensor(backend._raw(part)))
        return _Slot(len(operands) - 1)
    if isinstance(part, dict):
        return {name: _template(one, operands, backend) for name, one in part.items()}
    if isinstance(part, (list, tuple)):
        return type(part)([_template(one, operands, backend) for one in part])
    return part


def _filled(part: Any, raws: Sequence[Any]) -> Any:
    if isinstance(part, _Slot):
        return raws[part.at]
    if isinstance(part, dict):
        return {name: _filled(one, raws) for name, one in part.items()}
    if isinstance(part, (list, tuple)):
        return type(part)([_filled(one, raws) for one in part])
    return part


def _leaves(nest: Any) -> Iterator[Any]:
    if isinstance(nest, dict):
        for key in sorted(nest):
            yield from _leaves(nest[key])
    elif isinstance(nest, (list, tuple)):
        for one in nest:
            yield from _leaves(one)
    else:
        yield nest


def _packed(nest: Any, found: Iterator[Any]) -> Any:
    if isinstance(nest, dict):
        made = {key: _packed(nest[key], found) for key in sorted(nest)}
        return {key: made[key] for key in nest}
    if isinstance(nest, (list, tuple)):
        return type(nest)([_packed(one, found) for one in nest])
    return next(found)
