"""A move that calls a `tf.function` whose body loops, branches or keeps a list of tensors.

A choice reads (_, kind, shape, _, detail, seed). Inside a traced function TensorFlow makes graph ops of these, each
with a gradient function of its own, some of them only where the body has side effects: where it reads a variable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adapters import language as lang
from conformance.generating.moves import values
from conformance.generating.moves.draft import Choice, Draft, literal
from conformance.generating.moves.functions import invoke
from conformance.optables.row import Digits

_P = lang.Param(0)
SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (2,), (2, 2), (2, 1, 2))


class Body:
    """The steps of a function of one parameter, as they are added."""

    def __init__(self) -> None:
        self.steps: list[lang.Step] = []

    def call(self, op: str, *args: Any, **named: Any) -> lang.Ref:
        """A call; what is no operand yet is made one."""
        kwargs = tuple((name, _operand(value)) for name, value in named.items())
        self.steps.append(lang.Call(op, tuple(map(_operand, args)), kwargs))
        return lang.Ref(len(self.steps) - 1)

    def function(self, returns: lang.Operand) -> lang.Function:
        """The whole function."""
        return lang.Function(1, tuple(self.steps), returns)


def _operand(value: Any) -> lang.Operand:
    if isinstance(value, (list, tuple)):
        return lang.Items(type(value).__name__, tuple(map(_operand, value)))
    plain = value is None or isinstance(value, (bool, int, float, str))
    return literal(value) if plain else value


def _of(count: int, *steps: lang.Step, returns: lang.Operand | None = None) -> lang.Function:
    return lang.Function(count, steps, returns or lang.Ref(len(steps) - 1))


def _product(a: lang.Operand, b: lang.Operand) -> lang.Call:
    return lang.Call("operator.mul", (a, b))


_SQUARE = _of(1, _product(_P, _P))
_TIMES = _of(2, _product(_P, lang.Param(1)))
_OUTER = lang.Param(0, 1)

Kind = Callable[[Body, np.ndarray, "lang.Ref | None"], tuple[lang.Operand, np.ndarray]]


def _mapped(body: Body, x: np.ndarray, _v: Any) -> tuple[lang.Operand, np.ndarray]:
    return body.call("map_fn", _SQUARE, _P), x * x


def _scanned(body: Body, x: np.ndarray, _v: Any) -> tuple[lang.Operand, np.ndarray]:
    return body.call("scan", _TIMES, _P), np.cumprod(x, axis=0)


def _folded(op: str) -> Kind:
    def kind(body: Body, x: np.ndarray, _v: Any) -> tuple[lang.Operand, np.ndarray]:
        return body.call(op, _TIMES, _P), np.prod(x, axis=0)

    return kind


def _array(body: Body) -> lang.Ref:
    return body.call("TensorArray", lang.DTypeName("float32"), 2)


def _written(body: Body, x: np.ndarray, _v: Any) -> tuple[lang.Operand, np.ndarray]:
    first, second = (body.call("operator.getitem", _P, at) for at in range(2))
    kept = body.call("method.write", _array(body), 0, second)
    return body.call("method.stack", body.call("method.write", kept, 1, first)), x[::-1]


def _read(body: Body, x: np.ndarray, _v: Any) -> tuple[lang.Operand, np.ndarray]:
    first = body.call("operator.getitem", _P, 0)
    last = body.call("method.read", body.call("method.unstack", _array(body), _P), 1)
    return body.call("operator.mul", last, first), x[0] * x[1]


def _gathered(body: Body, x: np.ndarray, _v: Any) -> tuple[lang.Operand, np.ndarray]:
    return body.call("method.gather", body.call("method.unstack", _array(body), _P), [1, 0]), x[::-1]


def _scattered(body: Body, x: np.ndarray, _v: Any) -> tuple[lang.Operand, np.ndarray]:
    return body.call("method.stack", body.call("method.scatter", _array(body), [1, 0], _P)), x[::-1]


def _joined(body: Body, x: np.ndarray, _v: Any) -> tuple[lang.Operand, np.ndarray]:
    rows = body.call("reshape", _P, [x.size])
    split = body.call("method.split", _array(body), rows, [x.size // 2, x.size // 2])
    return body.call("method.concat", split), x.ravel()


def _branches(body: Body, x: np.ndarray, v: lang.Ref | None) -> tuple[lang.Operand, np.ndarray]:
    factor = _OUTER if v is None else v
    positive = body.call("greater", body.call("reduce_sum", _P), 0.0)
    return body.call("cond", positive, _of(0, _product(_OUTER, factor)), _of(0, returns=_OUTER)), x


def _repeated(body: Body, x: np.ndarray, v: lang.Ref | None) -> tuple[lang.Operand, np.ndarray]:
    more = _of(2, lang.Call("less", (_P, lang.Py(2))))
    both = lang.Items("tuple", (lang.Ref(0), lang.Ref(1)))
    counted = lang.Call("add", (_P, lang.Py(1)))
    step = _of(2, counted, _product(lang.Param(1), _OUTER if v is None else v), returns=both)
    return body.call("operator.getitem", body.call("while_loop", more, step, (0, _P)), 1), x


def _switched(body: Body, x: np.ndarray, v: lang.Ref | None) -> tuple[lang.Operand, np.ndarray]:
    body.steps.append(lang.Constant(lang.Array("int32", (), (1,))))
    factor = _OUTER if v is None else v
    one = _of(0, _product(_OUTER, factor))
    other = _of(0, _product(_OUTER, _OUTER), _product(lang.Ref(0), factor))
    return body.call("switch_case", lang.Ref(len(body.steps) - 1), [one, other]), x * x


KINDS: tuple[tuple[Kind, bool], ...] = (
    *((kind, False) for kind in (_mapped, _scanned, _folded("foldl"), _folded("foldr"), _written, _read, _gathered)),
    *((kind, False) for kind in (_scattered, _joined, _branches, _repeated, _switched)),
    *((kind, True) for kind in (_branches, _repeated, _switched)),
)


def traced(draft: Draft, choice: Choice) -> None:
    """A function of a constant that is made for it, called once."""
    _, which, shape, _, detail, seed = choice
    kind, reads = KINDS[which % len(KINDS)]
    array = values.make("float32", SHAPES[shape % len(SHAPES)], values.STYLE["dyadic"], seed)
    x = draft.constant(array)
    for tape in draft.recording():
        draft.watch(tape, x)
    scale = draft.variable(values.make("float32", (), values.STYLE["positive dyadic"], seed)) if reads else None
    body = Body()
    returns, made = kind(body, x.array, None if scale is None else lang.Ref(scale.ref.step, up=2))
    draft.unvectorized |= kind in (_scattered, _joined, _branches, _switched)
    ref = draft.add(lang.Call("function", (body.function(returns),)))
    y = invoke(draft, ref, (x,), made)
    y.close = True  # the error of a misfit names a node of TensorFlow's own graph
    if scale is not None:
        y.upstream.add(scale)
    if Digits(detail)(3) == 2:
        invoke(draft, ref, (x,), made)
