"""The functions that run an op: convert the operands, check dtypes, compute, record.

They are written to be fast when the operands are Tensors already: one frame for each op, and one look at
``active.cur`` when no tape is recording.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..dtypes import F32, F64, NARROW, kernel_name
from ..errors import invalid
from ..foundation.building import Building, intercepted
from ..foundation.floating_point import guarded, run
from ..tapes.recording import Node, active, index_of, new_node, record, record_new
from ..tapes.records import PLACES, UNKNOWN
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor

float32 = np.float32
# Python numbers as float32, made once.  Beside an array NumPy takes an array without axes faster than a scalar.
SCALARS: dict[float, Any] = {}
WITHOUT_AXES: dict[float, Any] = {}
_MANY = 1024
_CONVERTING = (  # kernels whose result has a dtype of its own
    "Bitcast", "Cast", "CropAndResize", "ResizeBicubic", "ResizeBilinear", "ScaleAndTranslate", "SparseMatMul",
)  # fmt: skip


def apply(op: Any, inputs: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
    """Run a general op on tensors (arrays among them become constants) and record it."""
    cur = active.cur
    if type(cur) is Building:
        return cur.graph.call(apply, (op, inputs, attributes), {})
    for x in inputs:
        if type(x) is not EagerTensor:
            inputs = tuple([x if type(x) is EagerTensor else convert_to_tensor(x) for x in inputs])
            break
    arrays = [x._a for x in inputs]
    try:
        result = run(op.forward, *arrays, **attributes)
    except RuntimeError:  # ours, because another thread is in ``run``; if it is the kernel's, it comes again
        result = guarded(op.forward, *arrays, **attributes)
    if NARROW:
        result = narrowed(op, inputs, result)
    if type(result) is tuple:
        outputs = tuple([fresh(r) for r in result])
        if cur is not None:
            record(op, inputs, outputs, attributes)
        return outputs
    output = fresh(result)
    if cur is not None:
        record(op, inputs, (output,), attributes)
    return output


def narrowed(op: Any, inputs: tuple[Any, ...], result: Any) -> Any:
    """What a kernel returned, as bfloat16 when that went in: with a Python number NumPy makes float32 of it."""
    if type(result) is tuple:
        return tuple(narrowed(op, inputs, r) for r in result)
    given = [x._a.dtype for x in inputs]
    widened = NARROW[0] in given and F32 not in given and result.dtype == F32 and op.kernel not in _CONVERTING
    return result.astype(NARROW[0]) if widened else result


def fresh(a: Any) -> EagerTensor:
    """A new Tensor around what a kernel returned; rank 0 becomes a NumPy scalar."""
    tensor = EagerTensor()
    if type(a) is np.ndarray:
        if a.ndim == 0 and a.dtype.kind != "O":
            a = a[()]
    elif type(a) is bytes:  # a string taken out of an array of strings
        a = np.array(a, object)
    tensor._a = a
    tensor._n = None
    return tensor


def make_unary(op: Any) -> Any:
    if op.dull:
        return _make_dull_unary(op)
    forward, keep_x, keep_y = op.forward, op.keeps[0], op.keeps_output

    def function(x: Any, name: str | None = None) -> EagerTensor:
        if type(x) is not EagerTensor:
            if type(active.cur) is Building:
                return active.cur.graph.call(function, (x,), {"name": name})
            if hasattr(type(x), "_each_"):
                return x._each_(function)
            x = convert_to_tensor(x)
        a = x._a
        dtype = F32
        if type(a) is not float32:  # a scalar takes longer to tell its dtype than its sum with another
            dtype = a.dtype
            if dtype is not F32 and dtype is not F64:
                op.check(dtype, name)
                if dtype in NARROW:
                    return apply(op, (x,), {})
        try:
            r = run(forward, a)
        except RuntimeError:
            r = guarded(forward, a)
        except TypeError:
            op.check(dtype, name)
            raise
        y = EagerTensor()
        y._a = r
        y._n = None
        cur = active.cur
        if cur is not None:
            n = x._n
            if n is not None and n.trace is cur:
                records = cur.records
                y._n = m = Node()
                m.trace = cur
                m.i = len(records) // PLACES
                records += op, x if keep_x else n, y if keep_y else None, None, n.i, UNKNOWN
            elif type(cur) is Building:
                return cur.graph.call(function, (x,), {"name": name})
            elif n is not None and n.trace is not None:
                record_new(cur, (op, x if keep_x else n, y if keep_y else None, None), (x,), y, n)
        return y

    return function


def make_binary(op: Any, of_bools: Any = None) -> Any:
    """The function of an op of two tensors; ``of_bools(x, y)`` takes its place where one of them is bool."""
    if op.dull:
        return _make_dull_binary(op)
    forward, keep_a, keep_b, keep_y = op.forward, op.keeps[0], op.keeps[1], op.keeps_output

    def function(x: Any, y: Any, name: str | None = None) -> EagerTensor:
        if type(x) is not EagerTensor or type(y) is not EagerTensor:
            if type(y) is not float or type(x) is not EagerTensor or x._a.dtype is not F32 or not -3e38 < y < 3e38:
                return _of_others(op, function, of_bools, x, y, name)
            number = (SCALARS if type(x._a) is float32 else WITHOUT_AXES).get(y)
            if number is None:
                number = _remembered(y, x._a)
            y = EagerTensor()
            y._a = number
            y._n = None
        a = x._a
        b = y._a
        dtype = F32
        if type(a) is not float32 or type(b) is not float32:
            dtype = a.dtype
            if dtype is not b.dtype or (dtype is not F32 and dtype is not F64):
                found = _of_other_dtypes(op, of_bools, x, y, name)
                if found is not None:
                    return found
        try:
            r = run(forward, a, b)
        except ValueError:
            raise incompatible(op, a, b, name) from None
        except RuntimeError:
            r = _again(op, a, b, name)
        except TypeError:
            op.check(dtype, name)
            raise
        z = EagerTensor()
        z._a = r
        cur = active.cur
        if cur is None:
            z._n = None
        else:
            n = x._n
            m = y._n
            if n is not None and n.trace is cur:
                j = n.i
                k = UNKNOWN if m is None else m.i if m.trace is cur else index_of(m, cur)
            elif m is not None and m.trace is cur:
                j = UNKNOWN if n is None else index_of(n, cur)
                k = m.i
            else:
                z._n = None
                if type(cur) is Building:
                    return cur.graph.call(function, (x, y), {"name": name})
                if (n is not None and n.trace is not None) or (m is not None and m.trace is not None):
                    if n is None and not keep_a:
                        x._n = n = new_node()
                    if m is None and not keep_b:
                        y._n = m = new_node()
                    made = (op, x if keep_a else n, y if keep_b else m, z if keep_y else None)
                    record_new(cur, made, (x, y), z, n, m)
                return z
            records = cur.records
            z._n = node = Node()
            node.trace = cur
            node.i = len(records) // PLACES
            if n is None and not keep_a:
                x._n = n = new_node()
            if m is None and not keep_b:
                y._n = m = new_node()
            records += op, x if keep_a else n, y if keep_b else m, z if keep_y else None, j, k
        return z

    return function


def _remembered(value: float, other: Any) -> Any:
    """A Python number as float32: a NumPy scalar beside one, an array without axes beside an array."""
    scalar = float32(value)
    array = np.asarray(scalar)
    array.flags.writeable = False
    if value:  # 0.0 and -0.0 are one key
        if len(SCALARS) >= _MANY:
            SCALARS.clear()
            WITHOUT_AXES.clear()
        SCALARS[value], WITHOUT_AXES[value] = scalar, array
    return scalar if type(other) is float32 else array


def _of_others(op: Any, function: Any, of_bools: Any, x: Any, y: Any, name: str | None) -> Any:
    """The function of an op of two operands that are not both Tensors."""
    if type(active.cur) is Building:
        return active.cur.graph.call(function, (x, y), {"name": name})
    for value in (x, y):
        if hasattr(type(value), "_pairwise_"):
            return value._pairwise_(function, x, y)
    if of_bools is not None and _bool_among(x, y):
        return of_bools(x, y)
    x, y = operands(op, x, y)
    if x._a.dtype is not y._a.dtype:
        mismatch(op, x._a.dtype, y._a.dtype, name)
    return function(x, y, name)


def _of_other_dtypes(op: Any, of_bools: Any, x: EagerTensor, y: EagerTensor, name: str | None) -> Any:
    """The result for operands that are not both float32 or float64 where they need care; None where they do not."""
    dtype = x._a.dtype
    if of_bools is not None and _bool_among(x, y):
        return of_bools(x, y)
    if dtype is not y._a.dtype:
        mismatch(op, dtype, y._a.dtype, name)
    op.check(dtype, name)
    if dtype.kind == "O" and not (x._a.ndim or y._a.ndim):  # NumPy takes two strings out of their arrays
        return fresh(op.forward(x._a, y._a))
    return _careful(op, x, y, name) if dtype in NARROW else None


def _again(op: Any, a: Any, b: Any, name: str | None) -> Any:
    """The kernel of a binary op on the slower road, which is always open."""
    try:
        return guarded(op.forward, a, b)
    except ValueError:
        raise incompatible(op, a, b, name) from None


def _bool_among(x: Any, y: Any) -> bool:
    """Whether the first, a tensor or a variable, is bool, or the second, a tensor."""
    return getattr(getattr(x, "dtype", None), "is_bool", False) or (type(y) is EagerTensor and y._a.dtype.kind == "b")


def _make_dull_unary(op: Any) -> Any:
    """The function of an op whose result is bool, so that no tape records what is made of it."""

    def function(x: Any, name: str | None = None) -> EagerTensor:
        if hasattr(type(x), "_each_"):
            return x._each_(function)
        x = convert_to_tensor(x)
        op.check(x._a.dtype, name)
        return apply(op, (x,), {})

    return intercepted(function)


def _make_dull_binary(op: Any) -> Any:
    """As ``_make_dull_unary``, of two tensors of one dtype."""

    def function(x: Any, y: Any, name: str | None = None) -> EagerTensor:
        if type(x) is not EagerTensor or type(y) is not EagerTensor:
            for value in (x, y):
                if hasattr(type(value), "_pairwise_"):
                    return value._pairwise_(function, x, y)
            x, y = operands(op, x, y)
        mismatch(op, x._a.dtype, y._a.dtype, name)
        op.check(x._a.dtype, name)
        return _careful(op, x, y, name)

    return intercepted(function)


def _careful(op: Any, x: EagerTensor, y: EagerTensor, name: str | None) -> EagerTensor:
    try:
        return apply(op, (x, y), {})
    except ValueError:
        raise incompatible(op, x._a, y._a, name) from None


def operands(op: Any, x: Any, y: Any) -> tuple[EagerTensor, EagerTensor]:
    """Both operands as Tensors: what is no tensor takes the dtype of the other operand."""
    if type(x) is EagerTensor:
        number = number_like(y, x)
        return x, _like(op, y, x) if number is None else number
    if op.convert == "fast" and type(y) is EagerTensor:
        number = number_like(x, y)
        if number is not None:
            return number, y
        if type(x) is IndexedSlices or (type(x) is not EagerTensor and not hasattr(type(x), "_dense_")):
            x = convert_to_tensor(x, dtype=y.dtype)
        if type(x) is EagerTensor:
            return x, y
    if op.convert == "fast" and hasattr(type(y), "_dense_") and not hasattr(type(x), "_dense_"):
        y = convert_to_tensor(y)
        return convert_to_tensor(x, dtype=y.dtype), y
    x = convert_to_tensor(x)
    return x, _like(op, y, x)


def number_like(value: Any, other: EagerTensor) -> Any:
    """A plain Python number as a tensor of the dtype of a float32 or float64 tensor; None for everything else."""
    if type(value) is float or type(value) is int:
        a = other._a
        dtype = a.dtype
        if (dtype is F32 or dtype is F64) and -3e38 < value < 3e38:
            tensor = EagerTensor()
            if dtype is F32:
                number = (SCALARS if type(a) is float32 else WITHOUT_AXES).get(value)
                tensor._a = _remembered(value, a) if number is None else number
            else:
                tensor._a = dtype.type(value)
            tensor._n = None
            return tensor
    return None


def _like(op: Any, value: Any, other: EagerTensor) -> EagerTensor:
    if type(value) is EagerTensor:
        return value
    if hasattr(type(value), "_dense_") and not (op.convert == "fast" and type(value) is IndexedSlices):
        return convert_to_tensor(value)
    if op.convert == "fast":
        return convert_to_tensor(value, dtype=other.dtype)
    return convert_to_tensor(value, dtype_hint=other.dtype)


def mismatch(op: Any, a: np.dtype, b: np.dtype, name: str | None, position: int = 1) -> None:
    """InvalidArgumentError unless the dtypes are equal."""
    if dtypes.of(a) is not dtypes.of(b):
        op.check(a, name)
        kernel = "Add" if op.kernel == "AddV2" and a.kind == "O" else op.kernel  # strings have the older kernel
        raise invalid(
            kernel,
            f"cannot compute {kernel} as input #{position}(zero-based) was expected to be a {kernel_name(a)} tensor "
            f"but is a {kernel_name(b)} tensor",
            name,
            node=False,
        )


def incompatible(op: Any, a: Any, b: Any, name: str | None) -> Exception:
    """TensorFlow's error for shapes that do not broadcast."""
    left, right = ("[" + ",".join(map(str, v.shape)) + "]" for v in (a, b))
    return invalid(op.kernel, f"Incompatible shapes: {left} vs. {right}", name)
