"""Moves whose operands are functions: custom gradients and recomputed ones (cheap), and `tf.function` (costly).

A choice reads (_, kind, value, second value, detail, seed). In a body, `Param(0)` is the function's own parameter and
`Param(0, 1)` that of the function around it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adapters import language as lang
from conformance.generating.moves import tapes, values
from conformance.generating.moves.draft import Choice, Draft, Value
from conformance.optables.row import Digits, Row

_DY, _X = lang.Param(0), lang.Param(0, 1)
_BODIES: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("math.square", np.square),
    ("math.sin", np.sin),
    ("identity", np.array),
    ("math.tanh", np.tanh),
)


def custom_gradient(draft: Draft, choice: Choice) -> None:
    """A function with a gradient of its own, called once or twice on a value."""
    _, kind, which, _, detail, seed = choice
    chosen = Digits(kind)
    odd = chosen(4) == 3
    x = _operand(draft, which, seed, leaf=odd)
    draw = Digits(detail)
    name, forward = _BODIES[draw(len(_BODIES))]
    grads = ODD_GRADIENTS[chosen(len(ODD_GRADIENTS))] if odd else GRADIENTS[chosen(len(GRADIENTS))]
    draft.odd_gradients |= odd
    function = lang.Function(1, (lang.Call(name, (_DY,)),), lang.Items("tuple", (lang.Ref(0), grads(draw))))
    ref = draft.add(lang.Call("custom_gradient", (function,)))
    y = invoke(draft, ref, (x,), forward(x.array))
    if draw(3) == 2 and not odd:
        invoke(draft, ref, (y,), forward(y.array))


def custom_of_two(draft: Draft, choice: Choice) -> None:
    """A custom gradient of two operands, whose gradients are a list or tuple, sometimes one too few or too many."""
    _, _, which, other, detail, seed = choice
    x = _operand(draft, which, seed)
    same = [one for one in draft.alive if one.dtype == x.dtype and one.array.shape == x.array.shape]
    y = same[-1 - other % len(same)]
    draw = Digits(detail)
    scaled = (lang.Call("operator.mul", (_DY, lang.Py(3.0))), lang.Call("operator.mul", (_DY, lang.Param(draw(2), 1))))
    right = (lang.Ref(0), lang.Ref(1))
    counts = (right, right, right, right, (lang.Ref(0), lang.Py(None)), (lang.Ref(0),))
    returned = lang.Items(("list", "tuple")[draw(2)], counts[draw(len(counts))])
    body = lang.Call("operator.mul", (lang.Param(0), lang.Param(1)))
    function = lang.Function(2, (body,), lang.Items("tuple", (lang.Ref(0), lang.Function(1, scaled, returned))))
    ref = draft.add(lang.Call("custom_gradient", (function,)))
    invoke(draft, ref, (x, y), x.array * y.array)


def custom_with_variable(draft: Draft, choice: Choice) -> None:
    """A custom gradient whose body reads a variable: with the keyword `variables`, without it, with a wrong list."""
    _, _, which, _, detail, seed = choice
    x = _operand(draft, which, seed)
    v = draft.variable(values.make(x.dtype, (), values.STYLE["positive dyadic"], seed))
    draw = Digits(detail)
    body = lang.Call("operator.mul", (_DY, lang.Ref(v.ref.step, up=1)))
    form = draw(4)
    dx = lang.Call("operator.mul", (_DY, lang.Py(5.0)))
    dv = lang.Call("reduce_sum", (_DY,))
    lists = (lang.Items("list", (lang.Ref(1),)), lang.Items("list", (lang.Py(None),)), lang.Items("list", ()))
    pair = lang.Items("tuple", (lang.Ref(0), lists[draw(len(lists))]))
    plain = lang.Function(1, (dx,), lang.Ref(0))
    grad = plain if form == 3 else lang.Function(2, (dx, dv), pair, keyword="variables")
    function = lang.Function(1, (body,), lang.Items("tuple", (lang.Ref(0), grad)))
    ref = draft.add(lang.Call("custom_gradient", (function,)))
    invoke(draft, ref, (x,), x.array * v.array)


def recomputed(draft: Draft, choice: Choice) -> None:
    """`recompute_grad` of a function of one operand."""
    _, _, which, _, detail, seed = choice
    x = _operand(draft, which, seed)
    name, forward = _BODIES[detail % len(_BODIES)]
    function = lang.Function(1, (lang.Call(name, (_DY,)), lang.Call("operator.mul", (lang.Ref(0), _DY))), lang.Ref(1))
    ref = draft.add(lang.Call("recompute_grad", (function,)))
    invoke(draft, ref, (x,), forward(x.array) * x.array)


def function(draft: Draft, choice: Choice) -> None:
    """A `tf.function`: an expression, one that reads a variable, or one with a tape of its own inside."""
    _, kind, which, _, detail, seed = choice
    x = _operand(draft, which, seed)
    name, forward = _BODIES[detail % len(_BODIES)]
    call = lang.Call(name, (_DY,))
    match kind % 3:
        case 0:
            body = lang.Function(1, (call, lang.Call("operator.mul", (lang.Ref(0), _DY))), lang.Ref(1))
            made = forward(x.array) * x.array
        case 1:
            variables = [one for one in draft.alive if one.variable and one.dtype == x.dtype and one.array.shape == ()]
            v = variables[-1] if variables else draft.variable(values.make(x.dtype, (), 0, seed))
            body = lang.Function(1, (lang.Call("operator.mul", (_DY, lang.Ref(v.ref.step, up=1))),), lang.Ref(0))
            made = x.array * v.array
        case _:
            body, made = _tape_inside(call), np.ones_like(x.array)
    ref = draft.add(lang.Call("function", (body,)))
    invoke(draft, ref, (x,), made)


def _tape_inside(call: lang.Call) -> lang.Function:
    tape = lang.Ref(0)
    steps = (
        lang.MakeTape(),
        lang.Enter(tape),
        lang.Watch(tape, _DY),
        call,
        lang.Exit(tape),
        lang.Gradient(tape, lang.Ref(3), _DY),
    )
    return lang.Function(1, steps, lang.Ref(5))


def invoke(draft: Draft, ref: lang.Ref, operands: tuple[Value, ...], made: np.ndarray) -> Value:
    """Call a function value, and remember the result as something curved that tapes know."""
    result = draft.keep(Value(draft.add(lang.Invoke(ref, tuple(one.ref for one in operands))), operands[0].dtype, made))
    draft.record(_INVOKED, list(operands), [result])
    return result


_INVOKED = Row("invoke", np.array)


def _operand(draft: Draft, which: int, seed: int, leaf: bool = False) -> Value:
    """A floating value of small numbers; a new watched constant where there is none.

    Odd gradients are for leaves alone: where an op made their operand and they cannot be added, TensorFlow 2.21 loses
    the error or dies.
    """
    if not draft.tapes:
        tapes.tape(draft, (0, 0, 0, 0, 0, 0))
    fits = [one for one in draft.alive if one.floating and bool((np.abs(one.array) < 30).all())]
    fits = [one for one in fits if one.leaf or not leaf]
    if fits:
        return fits[-1 - which % len(fits)]
    fresh = draft.constant(values.make("float32", (2,), values.STYLE["dyadic"], seed))
    current = draft.current()
    if current is not None:
        draft.watch(current, fresh)
    return fresh


Gradients = Callable[[Digits], lang.Operand]


def _of(*steps: lang.Step, returns: lang.Operand) -> Gradients:
    return lambda draw: lang.Function(1, steps, returns)


def _scaled(draw: Digits) -> lang.Operand:
    scale = lang.Py((3.0, 7.0, 0.5, -1.0)[draw(4)])
    return lang.Function(1, (lang.Call("operator.mul", (_DY, scale)),), lang.Ref(0))


GRADIENTS: tuple[Gradients, ...] = (
    _scaled,
    _of(lang.Call("operator.mul", (_DY, _X)), returns=lang.Ref(0)),
    _of(lang.Call("operator.mul", (_DY, _X)), returns=lang.Items("list", (lang.Ref(0),))),
    _of(lang.Call("operator.mul", (_DY, lang.Ref(0, up=1))), returns=lang.Ref(0)),
    _of(returns=_DY),
)

# Of another dtype or shape than the source, missing, too many, or raising.
ODD_GRADIENTS: tuple[Gradients, ...] = (
    _of(returns=lang.Py(2.5)),
    _of(returns=lang.Py(None)),
    _of(returns=lang.Items("list", (_DY, _DY))),
    _of(returns=lang.Items("list", ())),
    _of(lang.Call("reduce_sum", (_DY,)), returns=lang.Ref(0)),
    _of(lang.Call("cast", (_DY, lang.DTypeName("float64"))), returns=lang.Ref(0)),
    _of(lang.Call("python.raise", (lang.Py("KeyError"), lang.Py("boom"))), returns=_DY),
)
