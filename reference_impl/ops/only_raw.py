"""Kernels under ``tf.raw_ops`` alone that compute something of their own: quantization that passes gradients straight
through, slices replaced, diagonals of an earlier version.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .checks import _dequantized
from .declare import kernel, public
from .diagonals import _read, at_least_matrix
from .indexing import check_spans
from .kernels.refusals import brackets
from .matrix_fitting import Shape, band, refuse
from .scatter import scatter_set
from .shaping import ints

# ---------------------------------------------------------------------------------------------------- quantization

_straight = kernel(
    "quantize_straight", "QuantizeAndDequantizeV3", sparse=True,
    forward=lambda x, low, high, **attributes: _dequantized(x, low, high, **attributes)[0],
    gradient=(lambda F, dy, _y, _x, _low, _high, **_: dy, None, None),
)  # fmt: skip


def _through(
    kernel_name: str, x: Any, low: Any, high: Any, given: bool, num_bits: Any, signed: bool, narrow: bool, up: bool
) -> EagerTensor:
    x = convert_to_tensor(x)
    low, high = (convert_to_tensor(v, x.dtype) for v in (low, high))
    bits = ints(num_bits)[0]
    misfit = _unquantized(kernel_name, low._a.shape, high._a.shape, bits, bool(signed))
    if misfit and given:
        raise invalid(kernel_name, misfit)
    if not given:
        low, high = (wrap(extreme.reduce(x._a, axis=None)) for extreme in (np.minimum, np.maximum))
    attributes = {"signed": bool(signed), "num_bits": bits, "narrow": bool(narrow), "up": up}
    return _straight(x, low, high, **attributes)


@public("raw_ops.QuantizeAndDequantizeV2")
def QuantizeAndDequantizeV2(
    *, input: Any, input_min: Any, input_max: Any, signed_input: bool = True, num_bits: int = 8,
    range_given: bool = False, round_mode: str = "HALF_TO_EVEN", narrow_range: bool = False, axis: int = -1,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Numbers rounded to few bits and back; the gradient passes straight through."""
    up = round_mode == "HALF_UP"
    bits = 8 if num_bits is None else int(num_bits)
    given = (range_given, bits, signed_input, narrow_range, up)
    return _through("QuantizeAndDequantizeV2", input, input_min, input_max, *given)


@public("raw_ops.QuantizeAndDequantizeV3")
def QuantizeAndDequantizeV3(
    *, input: Any, input_min: Any, input_max: Any, num_bits: Any, signed_input: bool = True, range_given: bool = True,
    narrow_range: bool = False, axis: int = -1, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """As QuantizeAndDequantizeV2, with the number of bits a tensor."""
    (size,) = (convert_to_tensor(num_bits)._a.shape,)
    if size:
        text = f"Invalid shape. The `num_bits` tensor should be a scalar. Got dimensions: {len(size)}"
        raise invalid("QuantizeAndDequantizeV3", text, name)
    given = (range_given, num_bits, signed_input, narrow_range, False)
    return _through("QuantizeAndDequantizeV3", input, input_min, input_max, *given)


def _unquantized(kernel_name: str, low: Shape, high: Shape, bits: int, signed: bool) -> str | None:
    if not 0 < bits < (62 if signed else 63):
        return f"num_bits is out of range: {bits} with signed_input_ {int(signed)}"
    for word, shape in (("min", low), ("max", high)):
        if shape and kernel_name == "QuantizeAndDequantizeV2":
            return f"input_{word} must be a scalar."
    return None


# ------------------------------------------------------------------------------------------------ slices and diagonals


def _cleared(x: Any, index: Any) -> Any:
    return scatter_set(x, index, np.zeros(x[index].shape, x.dtype))


def _update_gradient(F: Any, dy: Any, _y: Any, _x: Any, _value: Any, index: Any) -> Any:
    return F.cleared(dy, index=index), F.strided_slice(dy, index=index)


kernel(
    "cleared", "TensorStridedSliceUpdate", forward=_cleared,
    gradient=lambda F, dy, _y, _x, index: F.cleared(dy, index=index),
)  # fmt: skip
updated_ = kernel(
    "slice_update", "TensorStridedSliceUpdate",
    forward=lambda x, value, index: scatter_set(x, index, value) if x[index].size else x,
    gradient=_update_gradient,
)  # fmt: skip


@public("raw_ops.TensorStridedSliceUpdate")
def TensorStridedSliceUpdate(
    *, input: Any, begin: Any, end: Any, strides: Any, value: Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """A copy of a tensor with other values in a slice (masks only for open ends)."""
    if ellipsis_mask or new_axis_mask or shrink_axis_mask:
        raise NotImplementedError("slices of another rank than the tensor are not supported here")
    x, new = convert_to_tensor(input), convert_to_tensor(value)
    check_spans("TensorStridedSliceUpdate", *(convert_to_tensor(v)._a.shape for v in (begin, end, strides)), name)
    parts = enumerate(zip(ints(begin), ints(end), ints(strides)))
    index = tuple(
        slice(None if begin_mask >> k & 1 else b, None if end_mask >> k & 1 else e, s) for k, (b, e, s) in parts
    )
    misfit = _unfit(x._a.shape, new._a.shape, index)
    if misfit:
        raise invalid("TensorStridedSliceUpdate", misfit, name)
    return updated_(x, new, index=index)


def _unfit(shape: Shape, new: Shape, index: tuple[slice, ...]) -> str | None:
    """A slice that a tensor has, and a value that is broadcast to it."""
    if len(index) > len(shape):
        return f"Index out of range using input dim {len(shape)}; input has only {len(shape)} dims"
    final = tuple(len(range(d)[part]) for d, part in zip(shape, index)) + shape[len(index) :]
    if 0 in final:
        return None
    while len(new) > len(final) and new[0] == 1:
        new = new[1:]
    if len(new) > len(final) or any(d not in (1, e) for d, e in zip(new[::-1], final[::-1])):
        return f"Cannot broadcast input shape {brackets(new)} into final shape {brackets(final)}"
    return None


def _band_gradient(F: Any, dy: Any, _y: Any, _x: Any, band: Any, padding: Any) -> Any:
    """The diagonals are read as aligned otherwise than they were written: TensorFlow leaves that out here."""
    rows, columns = F.shape(_x)[-2:]
    return F.matrix_diag(dy, rows=rows, columns=columns, band=band, padding=0, align="RIGHT_LEFT")


band_ = kernel(
    "matrix_diag_part_v2", "MatrixDiagPartV2", gradient=_band_gradient,
    fits=lambda x, **_: at_least_matrix(x.shape, "MatrixDiagPartV2"),
    forward=lambda x, band, padding: _read(x, band, padding, "LEFT_LEFT"),
)  # fmt: skip


@public("raw_ops.MatrixDiagPartV2")
def MatrixDiagPartV2(*, input: Any, k: Any, padding_value: Any, name: str | None = None) -> EagerTensor:
    """``linalg.diag_part`` of a band, its diagonals aligned to the left."""
    x, found = convert_to_tensor(input), ints(k)
    padding = convert_to_tensor(padding_value)._a
    if x._a.ndim > 1 and found:
        refuse("MatrixDiagPartV2", band(x._a.shape, found[0], found[-1]), name)
    return band_(x, band=(found[0], found[-1]), padding=padding)


def _no_name(_F: Any, _dy: Any, _y: Any, _x: Any) -> Any:
    raise AttributeError("'_MockOp' object has no attribute 'name'")


passed_on_ = kernel(
    "debug_identity_v2", "DebugIdentityV2", sparse=True, forward=lambda x: x, gradient=lambda F, dy, _y, _x: dy
)
debugged_ = kernel("debug_identity", "DebugGradientIdentity", forward=lambda x: x, gradient=_no_name)


@public("raw_ops.DebugGradientIdentity")
def DebugGradientIdentity(*, input: Any, name: str | None = None) -> EagerTensor:
    """The tensor itself; its gradient is for graphs, and fails where there is none."""
    return debugged_(convert_to_tensor(input))


@public("raw_ops.DebugIdentityV2")
def DebugIdentityV2(
    *, input: Any, tfdbg_context_id: str = "", op_name: str = "", output_slot: int = -1, tensor_debug_mode: int = -1,
    debug_urls: Any = (), circular_buffer_size: int = 1000, tfdbg_run_id: str = "", name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The tensor itself, as the debugger passes it on; nothing is written anywhere."""
    if debug_urls:
        raise NotImplementedError("there is no debugger here that would take tensors")
    return passed_on_(convert_to_tensor(input))
