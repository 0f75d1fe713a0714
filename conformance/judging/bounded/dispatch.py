"""From NumPy's protocols to the rules: which rule a ufunc, a ufunc method or a NumPy function follows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from conformance.judging.bounded import complexes, decisions, elementwise, sums
from conformance.judging.bounded.array import Bounded, BoundError, lift
from conformance.judging.bounded.formats import format_of

REAL: dict[np.ufunc, Callable[..., Any]] = {
    np.add: elementwise.add, np.subtract: elementwise.add, np.multiply: elementwise.multiply,
    np.true_divide: elementwise.divide, np.power: elementwise.power, np.float_power: elementwise.power,
    np.maximum: elementwise.extremes, np.minimum: elementwise.extremes, np.fmax: elementwise.extremes,
    np.fmin: elementwise.extremes, np.hypot: elementwise.lipschitz, np.logaddexp: elementwise.log_of_sum,
    np.logaddexp2: elementwise.log_of_sum, np.arctan2: elementwise.angle_of, np.copysign: elementwise.copied_sign,
    np.nextafter: elementwise.next_number, np.negative: elementwise.moved, np.positive: elementwise.moved,
    np.absolute: elementwise.moved, np.fabs: elementwise.moved, np.conjugate: elementwise.moved,
    np.square: elementwise.square, np.sqrt: elementwise.square_root, np.reciprocal: elementwise.reciprocal,
    np.sin: elementwise.sine, np.cos: elementwise.sine, np.tan: elementwise.tangent, np.cosh: elementwise.even,
    np.deg2rad: elementwise.scaled, np.rad2deg: elementwise.scaled,
    np.matmul: sums.matmul, np.vecdot: sums.matmul,
    np.floor: decisions.whole, np.ceil: decisions.whole, np.trunc: decisions.whole, np.rint: decisions.whole,
    np.floor_divide: decisions.quotient_parts, np.remainder: decisions.quotient_parts,
    np.fmod: decisions.quotient_parts,
}  # fmt: skip
for _ufunc in (np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.tanh, np.sinh, np.arcsinh, np.arccosh,
               np.arctanh, np.arcsin, np.arccos, np.arctan, np.cbrt):  # fmt: skip
    REAL[_ufunc] = elementwise.monotone

for _name in ("matvec", "vecmat"):  # since NumPy 2.2
    if hasattr(np, _name):
        REAL[getattr(np, _name)] = sums.matmul

COMPLEX: dict[np.ufunc, Callable[..., Any]] = {
    np.add: complexes.add, np.subtract: complexes.add, np.multiply: complexes.multiply,
    np.true_divide: complexes.divide, np.square: complexes.square, np.negative: complexes.moved,
    np.positive: complexes.moved, np.conjugate: complexes.moved, np.absolute: complexes.modulus,
    np.matmul: sums.matmul,
}  # fmt: skip

DECIDING: dict[np.ufunc, Callable[..., Any]] = {
    np.less: decisions.compare, np.less_equal: decisions.compare, np.greater: decisions.compare,
    np.greater_equal: decisions.compare, np.equal: decisions.compare, np.not_equal: decisions.compare,
    np.isnan: decisions.classify, np.isinf: decisions.classify, np.isfinite: decisions.classify,
    np.logical_and: decisions.truth, np.logical_or: decisions.truth, np.logical_xor: decisions.truth,
    np.logical_not: decisions.truth, np.signbit: decisions.signbit, np.sign: decisions.sign,
}  # fmt: skip

_EXTREMES = {np.maximum, np.minimum, np.fmax, np.fmin}


@cache
def _argument_dtypes(ufunc: np.ufunc, given: tuple[Any, ...]) -> tuple[np.dtype, ...]:
    """The dtypes that a ufunc converts its arguments to."""
    return ufunc.resolve_dtypes((*given, *(None,) * ufunc.nout))[: ufunc.nin]


def _dtype_asked(value: Any) -> Any:
    kind = type(value)
    if kind is int or kind is float or kind is complex:
        return kind
    if kind is Bounded:
        return value.fmt.dtype
    return np.asarray(value).dtype


def apply_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """`Bounded.__array_ufunc__`."""
    if options.get("out") is not None:
        raise BoundError(f"{ufunc.__name__}: bounded arrays are never written into (out=)")
    options = {name: value for name, value in options.items() if not _is_default(name, value)}
    match method:
        case "__call__":
            return _call(ufunc, inputs, options)
        case "reduce":
            return _reduce(ufunc, *inputs, **options)
        case "accumulate":
            return _accumulate(ufunc, *inputs, **options)
        case "outer":
            a, b = inputs
            return _call(ufunc, (np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b), options)
        case "reduceat":
            return _reduceat(ufunc, *inputs, **options)
    raise BoundError(f"{ufunc.__name__}.{method} has no bounds")


def _is_default(name: str, value: Any) -> bool:
    return (
        (value is None and name != "axis")
        or (name == "where" and value is True)
        or (name == "casting" and value == "same_kind")
    )


def _call(ufunc: np.ufunc, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    dtype = options.pop("dtype", None)
    if options:
        raise BoundError(f"{ufunc.__name__} with {', '.join(options)} has no bounds")
    if dtype is not None:
        dtypes: tuple[np.dtype, ...] = (np.dtype(dtype),) * ufunc.nin
    elif ufunc.signature is None:
        dtypes = _argument_dtypes(ufunc, tuple(map(_dtype_asked, inputs)))
    else:
        dtypes = (np.result_type(*map(_dtype_asked, inputs)),) * ufunc.nin
    return _by_rule(ufunc, tuple(map(lift, inputs, dtypes)))


def _by_rule(ufunc: np.ufunc, arguments: tuple[Bounded, ...]) -> Any:
    rule = DECIDING.get(ufunc)
    if rule is not None:
        return rule(ufunc, *arguments)
    is_complex = arguments[0].fmt.is_complex
    rule = (COMPLEX if is_complex else REAL).get(ufunc)
    if rule is not None:
        return rule(ufunc, *arguments)
    if ufunc.signature is not None:
        raise BoundError(f"{ufunc.__name__} has no bounds")
    if ufunc.nout != 1:
        return _several_outputs(ufunc, arguments)
    return (complexes if is_complex else elementwise).sampled(ufunc, *arguments)


def _several_outputs(ufunc: np.ufunc, arguments: tuple[Bounded, ...]) -> Any:
    match ufunc:
        case np.modf:
            whole = decisions.whole(np.trunc, *arguments)
            return elementwise.add(np.subtract, *arguments, whole), whole
        case np.divmod:
            return tuple(decisions.quotient_parts(part, *arguments) for part in (np.floor_divide, np.remainder))
    if arguments[0].fmt.is_complex:
        raise BoundError(f"{ufunc.__name__} has no bounds")
    return tuple(elementwise.sampled(_one_output(ufunc, place), *arguments) for place in range(ufunc.nout))


def _one_output(ufunc: np.ufunc, place: int) -> Callable[..., Any]:
    """One of the results of a ufunc that has several, as a function with the ufunc's name."""

    def part(*values: Any) -> Any:
        return ufunc(*values)[place]

    part.__name__ = ufunc.__name__
    return part


def _reduce(ufunc: np.ufunc, a: Any, axis: Any = 0, keepdims: bool = False, dtype: Any = None, **options: Any) -> Any:
    initial = options.pop("initial", None)
    if initial is not None and ufunc not in _EXTREMES and initial != ufunc.identity:
        raise BoundError(f"{ufunc.__name__}.reduce that starts from {initial} has no bounds")
    if options or not isinstance(a, Bounded):
        raise BoundError(f"{ufunc.__name__}.reduce with {', '.join(options) or 'a plain array'} has no bounds")
    if dtype is not None:
        a = a.astype(dtype)
    if ufunc is np.add:
        return sums.summed(a, axis, keepdims)
    if ufunc is np.multiply:
        return sums.multiplied(a, axis, keepdims)
    if ufunc in _EXTREMES:
        return sums.extreme(ufunc, a, axis, keepdims, initial)
    if ufunc in (np.logical_and, np.logical_or):
        return ufunc.reduce(np.not_equal(a, 0), axis=axis, keepdims=keepdims)
    return _folded(ufunc, a, axis, keepdims)


def _folded(ufunc: np.ufunc, a: Bounded, axis: Any, keepdims: bool) -> Any:
    """Any other reduction (logaddexp ...): one element after another."""
    if axis is None:
        a, axis = a.ravel(), 0
    parts = [a.take([i], axis) for i in range(a.shape[axis])]
    if not parts:
        raise BoundError(f"{ufunc.__name__}.reduce of nothing has no bounds")
    made = parts[0]
    for part in parts[1:]:
        made = ufunc(made, part)
    return made if keepdims else made.squeeze(axis)


def _accumulate(ufunc: np.ufunc, a: Any, axis: int = 0, dtype: Any = None, **options: Any) -> Any:
    if options:
        raise BoundError(f"{ufunc.__name__}.accumulate with {', '.join(options)} has no bounds")
    if dtype is not None:
        a = a.astype(dtype)
    if ufunc is np.add:
        return sums.accumulated(a, axis)
    if ufunc is np.multiply:
        return sums.multiplied_up(a, axis)
    parts = [a.take([i], axis) for i in range(a.shape[axis])]
    for i in range(1, len(parts)):
        parts[i] = ufunc(parts[i - 1], parts[i])
    return np.concatenate(parts, axis=axis) if parts else a


def _reduceat(ufunc: np.ufunc, a: Any, indices: Any, axis: int = 0, dtype: Any = None, **options: Any) -> Any:
    """add.reduceat and its kin, piece by piece."""
    starts = list(np.asarray(indices))
    ends = [*starts[1:], a.shape[axis]]
    pieces = []
    for start, end in zip(starts, ends, strict=True):
        stop = end if end > start else start + 1
        piece = a.take(np.arange(start, stop), axis)
        pieces.append(_reduce(ufunc, piece, axis=axis, keepdims=True))
    return np.concatenate(pieces, axis=axis)


def apply_function(function: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """`Bounded.__array_function__`."""
    from conformance.judging.bounded.fourier import FUNCTIONS  # the last to add to the one table

    rule = FUNCTIONS.get(function)
    if rule is None:
        raise BoundError(f"{getattr(function, '__module__', 'numpy')}.{function.__name__} has no bounds")
    return rule(*arguments, **options)


def knows_dtype(dtype: np.dtype) -> bool:
    """Whether arrays of a dtype can be bounded at all."""
    return format_of(dtype) is not None
