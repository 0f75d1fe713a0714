"""Diagonals and bands of matrices: diag, diag_part, set_diag, band_part, trace.

Several neighbouring diagonals are stored as the rows of a matrix, topmost first, each padded to the longest one on the
side that ``align`` names.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from . import matrix_fitting
from .arguments import check
from .declare import kernel, public
from .kernels.refusals import brackets
from .reductions import reduce_sum
from .shaping import ints

_ALL = "float complex int bool string"
Band = tuple[int, int]
_MAIN = (0, 0)


def _layout(rows: int, columns: int, band: Band, align: str) -> np.ndarray:
    """For each place in the storage of a band, the flat position in the matrix, -1 for padding."""
    low, high = band
    longest = min(rows + min(high, 0), columns - max(low, 0))
    places = np.full((high - low + 1, longest), -1)
    above, below = (side == "LEFT" for side in align.split("_"))
    for line, d in enumerate(range(high, low - 1, -1)):
        length = min(rows + min(d, 0), columns - max(d, 0))
        left = (d >= 0 and above) or (d <= 0 and below)
        start = 0 if left else longest - length
        steps = np.arange(length)
        places[line, start : start + length] = (steps - min(d, 0)) * columns + steps + max(d, 0)
    return places[0] if low == high else places


def _read(x: Any, band: Band, padding: float, align: str) -> Any:
    rows, columns = x.shape[-2:]
    places = _layout(rows, columns, band, align)
    flat = x.reshape((*x.shape[:-2], rows * columns))
    read = flat.take(np.maximum(places, 0).ravel(), axis=-1).reshape((*x.shape[:-2], *places.shape))
    return np.where(places >= 0, read, np.asarray(padding, x.dtype)) if (places < 0).any() else read


def _stored(shape: tuple[int, ...], band: Band) -> int:
    """How many of the last axes of a diagonal's shape hold one matrix's band."""
    return 1 if band[0] == band[1] else 2


def _written(d: Any, rows: int, columns: int, band: Band, align: str, base: Any) -> Any:
    """The matrix with the band ``d``; elsewhere ``base``, a number or a matrix."""
    places = _layout(rows, columns, band, align)
    source = np.full(rows * columns, -1)
    held = np.nonzero(places.ravel() >= 0)[0]
    source[places.ravel()[held]] = held
    batch = d.shape[: d.ndim - _stored(d.shape, band)]
    flat = d.reshape((*batch, places.size)).take(np.maximum(source, 0), axis=-1)
    matrix = flat.reshape((*batch, rows, columns))
    return np.where((source >= 0).reshape(rows, columns), matrix, base)


def _check_new_matrix(shape: tuple[int, ...], size: tuple[int, int], band: Band, name: str | None) -> None:
    """The diagonals that a matrix of so many rows and columns is made of."""
    matrix_fitting.refuse("MatrixDiagV3", matrix_fitting.banded_matrix(shape, *band), name)
    matrix_fitting.refuse("MatrixDiagV3", matrix_fitting.new_size(size, shape[-1], *band), name)


diag_ = kernel(
    "matrix_diag", "MatrixDiagV3", types=_ALL,
    fits=lambda d, rows, columns, band, padding, align: _check_new_matrix(d.shape, (rows, columns), band, None),
    forward=lambda d, rows, columns, band, padding, align: _written(
        d, rows, columns, band, align, np.asarray(padding, d.dtype)
    ),
    gradient=lambda F, dy, _y, _d, rows, columns, band, padding, align: F.matrix_diag_part(
        dy, band=band, padding=0, align=align
    ),
)  # fmt: skip


def at_least_matrix(shape: tuple[int, ...], kernel_name: str, name: str | None = None) -> None:
    """InvalidArgumentError for fewer than two axes."""
    if len(shape) < 2:
        size = ",".join(map(str, shape))
        raise invalid(kernel_name, f"input must be at least 2-dim, received shape: [{size}]", name)


def _check_matrix(x: Any, band: Band, padding: float, align: str) -> None:
    at_least_matrix(x.shape, "MatrixDiagPartV3")


diag_part_ = kernel(
    "matrix_diag_part", "MatrixDiagPartV3", types=_ALL, forward=_read, fits=_check_matrix,
    gradient=lambda F, dy, _y, _x, band, padding, align: F.matrix_diag(
        dy, rows=F.shape(_x)[-2], columns=F.shape(_x)[-1], band=band, padding=0, align=align
    ),
)  # fmt: skip


def _set_gradient(F: Any, dy: Any, _y: Any, _x: Any, _d: Any, band: Band, align: str) -> tuple:
    none = np.zeros(F.shape(_d), F.dtype(dy))
    rest = F.matrix_set_diag(dy, wrap(none) if F.recording else none, band=band, align=align)
    return rest, F.matrix_diag_part(dy, band=band, padding=0, align=align)


def _check_new_band(kernel_name: str, x: Any, d: Any, band: Band, name: str | None = None) -> None:
    """Matrices and their new diagonals."""
    at_least_matrix(x.shape, kernel_name, name)
    matrix_fitting.refuse(kernel_name, matrix_fitting.new_band(x.shape, d.shape, *band), name)


set_diag_ = kernel(
    "matrix_set_diag", "MatrixSetDiagV3", types=_ALL, gradient=_set_gradient,
    fits=lambda x, d, band, align: _check_new_band("MatrixSetDiagV3", x, d, band),
    forward=lambda x, d, band, align: _written(d, x.shape[-2], x.shape[-1], band, align, x),
)  # fmt: skip


def _set_main_gradient(F: Any, dy: Any, _y: Any, x: Any, d: Any) -> tuple:
    if type(dy) is IndexedSlices:
        raise AttributeError("'IndexedSlices' object has no attribute 'get_shape'")
    TensorShape(F.shape(x)).merge_with(F.shape(dy))
    return _set_gradient(F, dy, None, x, d, _MAIN, "RIGHT_LEFT")


set_main_diagonal_ = kernel(
    "matrix_set_main_diagonal", "MatrixSetDiag", types=_ALL, sparse=True, gradient=_set_main_gradient,
    fits=lambda x, d: _check_new_band("MatrixSetDiag", x, d, _MAIN),
    forward=lambda x, d: _written(d, x.shape[-2], x.shape[-1], _MAIN, "RIGHT_LEFT", x),
)  # fmt: skip


def _banded(x: Any, lower: int, upper: int) -> Any:
    at_least_matrix(x.shape, "MatrixBandPart")
    rows, columns = np.ogrid[: x.shape[-2], : x.shape[-1]]
    inside = (lower < 0) | (rows - columns <= lower)
    inside = inside & ((upper < 0) | (columns - rows <= upper))
    return np.where(inside, x, np.zeros((), x.dtype))


band_part_ = kernel(
    "band_part", "MatrixBandPart", types=_ALL, forward=_banded,
    gradient=lambda F, dy, _y, _x, lower, upper: F.band_part(dy, lower=lower, upper=upper),
)  # fmt: skip


def _as_tensor_diag(x: Any) -> Any:
    size = x.size
    places = np.full(size * size, -1)
    places[:: size + 1] = np.arange(size)
    flat = x.reshape((size,)).take(np.maximum(places, 0))
    return np.where(places >= 0, flat, np.zeros((), x.dtype)).reshape(x.shape + x.shape)


def _tensor_diagonal(x: Any) -> Any:
    half = x.shape[: x.ndim // 2]
    size = int(np.prod(half))
    return x.reshape((size * size,)).take(np.arange(size) * (size + 1)).reshape(half)


tensor_diag_ = kernel(
    "tensor_diag", "Diag", forward=_as_tensor_diag, gradient=lambda F, dy, _y, _x: F.tensor_diag_part(dy)
)
tensor_diag_part_ = kernel(
    "tensor_diag_part", "DiagPart", forward=_tensor_diagonal, gradient=lambda F, dy, _y, _x: F.tensor_diag(dy)
)


def _band(k: Any, kernel_name: str, name: str | None) -> Band:
    found = ints(k)
    matrix_fitting.refuse(kernel_name, matrix_fitting.band_index(found), name)
    return (found[0], found[-1])


def _check_padding(x: EagerTensor, padding: Any) -> None:
    """The number that stands in for what is not there has no place among strings."""
    if x.dtype.name == "string" and isinstance(padding, (int, float)):
        raise TypeError(f"Cannot convert {padding} to EagerTensor of dtype string")


@public("linalg.diag")
def diag(
    diagonal: Any, name: str = "diag", k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> EagerTensor:  # fmt: skip
    """Matrices with given diagonals, ``padding_value`` elsewhere (``tf.linalg.diag``)."""
    d, (low, high) = convert_to_tensor(diagonal), _band(k, "MatrixDiagV3", name)
    _check_padding(d, padding_value)
    check("MatrixDiagV3", name, diagonal=d, align=align)
    matrix_fitting.refuse("MatrixDiagV3", matrix_fitting.banded_matrix(d._a.shape, low, high), name)
    longest = d._a.shape[-1]
    rows, columns = longest - min(high, 0), longest + max(low, 0)
    for word, size in (("num_rows", num_rows), ("num_cols", num_cols)):
        if convert_to_tensor(size)._a.ndim:
            raise invalid("MatrixDiagV3", f"{word} must be a scalar", name)
    (want_rows,), (want_columns,) = ints(num_rows), ints(num_cols)
    if want_rows == -1 and want_columns == -1:
        rows = columns = max(rows, columns)
    else:
        rows = rows if want_rows == -1 else want_rows
        columns = columns if want_columns == -1 else want_columns
    misfit = matrix_fitting.new_size((rows, columns), longest, low, high)
    matrix_fitting.refuse("MatrixDiagV3", misfit, name)
    return diag_(d, rows=rows, columns=columns, band=(low, high), padding=padding_value, align=align)


@public("linalg.diag_part")
def diag_part(
    input: Any, name: str = "diag_part", k: Any = 0, padding_value: Any = 0, align: str = "RIGHT_LEFT"
) -> EagerTensor:
    """The diagonals of matrices (``tf.linalg.diag_part``)."""
    x = convert_to_tensor(input)
    _check_padding(x, padding_value)
    check("MatrixDiagPartV3", name, input=x, align=align)
    at_least_matrix(x._a.shape, "MatrixDiagPartV3", name)
    band = _band(k, "MatrixDiagPartV3", name)
    matrix_fitting.refuse("MatrixDiagPartV3", matrix_fitting.band(x._a.shape, *band), name)
    return diag_part_(x, band=band, padding=padding_value, align=align)


@public("linalg.set_diag")
def set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0, align: str = "RIGHT_LEFT") -> EagerTensor:
    """Matrices with other diagonals (``tf.linalg.set_diag``)."""
    x = convert_to_tensor(input)
    at_least_matrix(x._a.shape, "MatrixSetDiagV3", name)
    d, band = convert_to_tensor(diagonal, dtype_hint=x.dtype), _band(k, "MatrixSetDiagV3", name)
    check("MatrixSetDiagV3", name, input=x, diagonal=d, align=align)
    _check_new_band("MatrixSetDiagV3", x._a, d._a, band, name)
    return set_diag_(x, d, band=band, align=align)


@public("raw_ops.MatrixSetDiag")
def MatrixSetDiag(*, input: Any, diagonal: Any, name: str | None = None) -> EagerTensor:
    """``linalg.set_diag`` of the main diagonal, whose gradient does not take slices."""
    x = convert_to_tensor(input)
    d = convert_to_tensor(diagonal, dtype_hint=x.dtype)
    check("MatrixSetDiag", name, input=x, diagonal=d)
    _check_new_band("MatrixSetDiag", x._a, d._a, _MAIN, name)
    return set_main_diagonal_(x, d)


def _whole(value: Any) -> tuple[int, ...]:
    if type(value) is float:
        raise TypeError(f"Cannot convert {value} to EagerTensor of dtype int64")
    return ints(value)


@public("linalg.band_part")
def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> EagerTensor:
    """Matrices with zeros outside a band around the diagonal (``tf.linalg.band_part``); -1 keeps a whole side."""
    for word, value in (("num_lower", num_lower), ("num_upper", num_upper)):
        shape = () if value is None else convert_to_tensor(value)._a.shape
        if shape:
            raise invalid("MatrixBandPart", f"{word} must be scalar, got shape {brackets(shape)}", name)
    (lower,), (upper,) = _whole(num_lower), _whole(num_upper)
    x = convert_to_tensor(input)
    check("MatrixBandPart", name, input=x)
    at_least_matrix(x._a.shape, "MatrixBandPart", name)
    for word, asked, sides, size in (
        ("lower", lower, "rows", x._a.shape[-2]), ("upper", upper, "columns", x._a.shape[-1])
    ):  # fmt: skip
        if asked > size:
            text = f"num_{word} must be negative or less or equal to number of {sides} ({size}) got: {asked}"
            raise invalid("MatrixBandPart", text, name)
    return band_part_(x, lower=lower, upper=upper)


@public("linalg.trace")
def trace(x: Any, name: str | None = None) -> EagerTensor:
    """The sum of the diagonal of matrices (``tf.linalg.trace``)."""
    return reduce_sum(diag_part(x), [-1])


@public("linalg.tensor_diag")
def tensor_diag(diagonal: Any, name: str | None = None) -> EagerTensor:
    """A tensor of twice the rank with ``diagonal`` on its diagonal (``tf.linalg.tensor_diag``)."""
    d = convert_to_tensor(diagonal)
    check("Diag", name, diagonal=d)
    matrix_fitting.refuse("Diag", None if d._a.ndim else "Input must be at least rank 1, got 0", name)
    return tensor_diag_(d)


@public("linalg.tensor_diag_part")
def tensor_diag_part(input: Any, name: str | None = None) -> EagerTensor:
    """The diagonal of a tensor whose shape is twice the same (``tf.linalg.tensor_diag_part``)."""
    x = convert_to_tensor(input)
    check("DiagPart", name, input=x)
    matrix_fitting.refuse("DiagPart", matrix_fitting.whole_diagonal(x._a.shape), name)
    return tensor_diag_part_(x)
