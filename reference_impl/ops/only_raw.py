"""Kernels under ``tf.raw_ops`` alone that compute something of their own: quantization that passes gradients straight
through, slices replaced, diagonals of an earlier version.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .checks import _dequantized
from .declare import kernel, public
from .diagonals import _read
from .scatter import scatter_set
from .shaping import ints

# ---------------------------------------------------------------------------------------------------- quantization

_straight = kernel(
    "quantize_straight", "QuantizeAndDequantizeV3",
    forward=lambda x, low, high, **attributes: _dequantized(x, low, high, **attributes)[0],
    gradient=(lambda F, dy, _y, _x, _low, _high, **_: dy, None, None),
)  # fmt: skip


def _through(
    x: Any, low: Any, high: Any, given: bool, num_bits: Any, signed: bool, narrow: bool, up: bool
) -> EagerTensor:
    x = convert_to_tensor(x)
    low, high = (convert_to_tensor(v, x.dtype) for v in (low, high))
    if not given:
        low, high = (wrap(extreme.reduce(x._a, axis=None)) for extreme in (np.minimum, np.maximum))
    attributes = {"signed": bool(signed), "num_bits": ints(num_bits)[0], "narrow": bool(narrow), "up": up}
    return _straight(x, low, high, **attributes)


@public("raw_ops.QuantizeAndDequantizeV2")
def QuantizeAndDequantizeV2(
    *, input: Any, input_min: Any, input_max: Any, signed_input: bool = True, num_bits: int = 8,
    range_given: bool = False, round_mode: str = "HALF_TO_EVEN", narrow_range: bool = False, axis: int = -1,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Numbers rounded to few bits and back; the gradient passes straight through."""
    up = round_mode == "HALF_UP"
    return _through(input, input_min, input_max, range_given, num_bits, signed_input, narrow_range, up)


@public("raw_ops.QuantizeAndDequantizeV3")
def QuantizeAndDequantizeV3(
    *, input: Any, input_min: Any, input_max: Any, num_bits: Any, signed_input: bool = True, range_given: bool = True,
    narrow_range: bool = False, axis: int = -1, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """As QuantizeAndDequantizeV2, with the number of bits a tensor."""
    return _through(input, input_min, input_max, range_given, num_bits, signed_input, narrow_range, False)


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
    "slice_update", "TensorStridedSliceUpdate", forward=lambda x, value, index: scatter_set(x, index, value),
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
    x = convert_to_tensor(input)
    parts = enumerate(zip(ints(begin), ints(end), ints(strides)))
    index = tuple(
        slice(None if begin_mask >> k & 1 else b, None if end_mask >> k & 1 else e, s) for k, (b, e, s) in parts
    )
    return updated_(x, convert_to_tensor(value, dtype_hint=x.dtype), index=index)


def _band_gradient(F: Any, dy: Any, _y: Any, _x: Any, band: Any, padding: Any) -> Any:
    """The diagonals are read as aligned otherwise than they were written: TensorFlow leaves that out here."""
    rows, columns = F.shape(_x)[-2:]
    return F.matrix_diag(dy, rows=rows, columns=columns, band=band, padding=0, align="RIGHT_LEFT")


band_ = kernel(
    "matrix_diag_part_v2", "MatrixDiagPartV2", gradient=_band_gradient,
    forward=lambda x, band, padding: _read(x, band, padding, "LEFT_LEFT"),
)  # fmt: skip


@public("raw_ops.MatrixDiagPartV2")
def MatrixDiagPartV2(*, input: Any, k: Any, padding_value: Any, name: str | None = None) -> EagerTensor:
    """``linalg.diag_part`` of a band, its diagonals aligned to the left."""
    found = ints(k)
    padding = convert_to_tensor(padding_value)._a
    return band_(convert_to_tensor(input), band=(found[0], found[-1]), padding=padding)


def _no_name(_F: Any, _dy: Any, _y: Any, _x: Any) -> Any:
    raise AttributeError("'_MockOp' object has no attribute 'name'")


passed_on_ = kernel("debug_identity_v2", "DebugIdentityV2", forward=lambda x: x, gradient=lambda F, dy, _y, _x: dy)
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
