"""Small programs that find out what a tape has: one per op of the table, feature and dtype.

`missing(tape.run_many)` runs them and tells what the tape answered "unsupported" to. An answer that is wrong, or an
error, is no sign that something is missing: whether it is right is what the run itself finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.arrays import array_of
from adapters.language import Array, Constant, Program, Ref
from adapters.observations import Observation, Unsupported
from conformance.generating.moves import settings, values
from conformance.generating.moves.draft import call_step
from conformance.generating.moves.values import DTYPES
from conformance.handwritten import written
from conformance.optable import TABLE
from conformance.optables.row import Digits, Row

_PRODUCTS = ("operator.mul", "math.multiply", "multiply", "math.exp", "exp", "math.square", "square", "identity")
_SHAPES = ((2, 2), (2, 2), (2, 2), (1, 2, 2), (1, 2, 2, 1), (1, 1, 2, 2, 1))


Ask = Callable[[Sequence[Program]], Iterator[Sequence[Observation]]]


@dataclass(frozen=True, slots=True)
class Missing:
    """What a tape answered "unsupported" to."""

    ops: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()
    dtypes: frozenset[str] = frozenset()


def missing(ask: Ask) -> Missing:
    """What a tape lacks, as far as small programs tell. `ask(programs)` gives its answers (`tape.run_many`)."""
    ops = _unsupported(ask, {row.name: op_probe(row) for row in TABLE})
    product = next((op for op in _PRODUCTS if op not in ops), None)
    features = frozenset() if product is None else _unsupported(ask, feature_probes(product))
    dtypes = _unsupported(ask, {name: Program((Constant(_ones(name, (2,))),)) for name in DTYPES})
    return Missing(ops, features, dtypes)


def _unsupported(ask: Ask, probes: Mapping[str, Program]) -> frozenset[str]:
    answers = ask(tuple(probes.values()))
    return frozenset(name for name, seen in zip(probes, answers) if _says_no(seen))


def _says_no(answers: Sequence[Observation]) -> bool:
    return any(isinstance(one.outcome, Unsupported) for one in answers)


def op_probe(row: Row) -> Program:
    """One call of an op on calm operands, with its attributes in their simplest form."""
    if row.setting is not None:
        return settings.probe(row)
    shape = _SHAPES[min(row.rank, len(_SHAPES) - 1)]
    dtype = "float32" if "float32" in row.dtypes else sorted(row.dtypes)[0]
    made = [_ones("bool" if kind == "mask" else dtype, shape) for kind in row.operands]
    refs = [Ref(at) for at in range(len(made))]
    if row.operands[0] == "list":
        made, refs = made[:1], refs[:1] * 2
    attributes = row.attributes(Digits(0), tuple(values.sketch(one) for one in made[row.main :]))
    return Program((*map(Constant, made), call_step(row, refs, attributes)))


def _ones(dtype: str, shape: tuple[int, ...]) -> Array:
    one = array_of(1.0 if dtype not in ("bool", "string") else True if dtype == "bool" else "a", dtype)
    count = 1
    for size in shape:
        count *= size
    return Array(dtype, shape, one.values * count)


# ---------------------------------------------------------------- features


def feature_probes(op: str) -> dict[str, Program]:
    """One program per feature; each uses `op`, which the tape has, and what the feature needs."""
    return {name: written(_probe(body, op)) for name, body in _BODIES.items()}


def _probe(body: Callable[[Any, Callable[..., Any]], None], op: str) -> Callable[[Any], None]:
    def write(tf: Any) -> None:
        function = tf
        for word in op.split("."):
            function = getattr(function, word)
        binary = op in _PRODUCTS[:3]
        body(tf, (lambda x: function(x, x)) if binary else function)

    return write


def _recorded(tf: Any, op: Callable[..., Any], **settings: Any) -> tuple[Any, Any, Any]:
    x = tf.constant(2.0)
    with tf.GradientTape(**settings) as tape:
        tape.watch(x)
        y = op(x)
    return tape, x, y


def _variables(tf: Any, op: Callable[..., Any]) -> None:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = op(v)
    tape.gradient(y, v)


def _assign(tf: Any, op: Callable[..., Any]) -> None:
    v = tf.Variable(2.0)
    v.assign(3.0)


def _persistent(tf: Any, op: Callable[..., Any]) -> None:
    tape, x, y = _recorded(tf, op, persistent=True)
    tape.gradient(y, x)
    tape.gradient(y, x)


def _nesting(tf: Any, op: Callable[..., Any]) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = op(x)
        g = inner.gradient(y, x)
    outer.gradient(g, x)


def _jacobian(tf: Any, op: Callable[..., Any]) -> None:
    tape, x, y = _recorded(tf, op)
    tape.jacobian(y, x)


def _forward_mode(tf: Any, op: Callable[..., Any]) -> None:
    x = tf.constant(2.0)
    with tf.accumulator(x, tf.constant(1.0)) as accumulator:
        y = op(x)
    accumulator.jvp(y)


def _custom_gradient(tf: Any, op: Callable[..., Any]) -> None:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return op(x), lambda dy: dy

    f(tf.constant(2.0))


def _nests(tf: Any, op: Callable[..., Any]) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([x])
        y = op(x)
    tape.gradient(y, [x])


def _output_gradients(tf: Any, op: Callable[..., Any]) -> None:
    tape, x, y = _recorded(tf, op)
    tape.gradient(y, x, output_gradients=tf.constant(3.0))


def _unconnected(tf: Any, op: Callable[..., Any]) -> None:
    tape, x, y = _recorded(tf, op)
    tape.gradient(y, x, unconnected_gradients="zero")


def _stop_recording(tf: Any, op: Callable[..., Any]) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tape.stop_recording():
            op(x)


def _reset(tf: Any, op: Callable[..., Any]) -> None:
    with tf.GradientTape() as tape:
        tape.watch(tf.constant(2.0))
        tape.reset()


def _watched_variables(tf: Any, op: Callable[..., Any]) -> None:
    tape, _, _ = _recorded(tf, op)
    tape.watched_variables()


def _slices(tf: Any, op: Callable[..., Any]) -> None:
    tf.IndexedSlices(tf.constant([2.0]), tf.constant([0]), tf.constant([3]))


_BODIES: dict[str, Callable[[Any, Callable[..., Any]], None]] = {
    "variables": _variables, "assign": _assign, "persistent": _persistent, "nesting": _nesting, "jacobian": _jacobian,
    "forward_mode": _forward_mode, "custom_gradient": _custom_gradient, "nests": _nests,
    "output_gradients": _output_gradients, "unconnected_gradients": _unconnected, "stop_recording": _stop_recording,
    "reset": _reset, "watched_variables": _watched_variables, "slices": _slices,
}  # fmt: skip


def probed() -> Iterable[str]:
    """The features that have a probe."""
    return tuple(_BODIES)
