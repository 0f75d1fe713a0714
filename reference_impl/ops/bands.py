"""Systems and products of tridiagonal and banded triangular matrices, given by their diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from . import matrix_fitting
from .arguments import check
from .arithmetic import conj
from .declare import kernel, public
from .diagonals import diag_part
from .joining import matrix_transpose
from .kernels import solvers
from .kernels.refusals import brackets
from .shaping import _reduce_to, stack
from .squeezing import expand_dims, squeeze
from .tiling import pad


def _dense(diagonals: Any) -> Any:
    """The matrices whose super-, main and subdiagonals are rows of three."""
    size = diagonals.shape[-1]
    at = np.arange(size)
    places = np.zeros((size, size), np.int64) - 1
    places[at[:-1], at[1:]], places[at, at], places[at[1:], at[:-1]] = at[:-1], size + at, 2 * size + at[1:]
    flat = diagonals.reshape((*diagonals.shape[:-2], 3 * size))
    whole = flat.take(np.maximum(places, 0).ravel(), axis=-1).reshape((*diagonals.shape[:-2], size, size))
    return np.where(places >= 0, whole, np.zeros((), diagonals.dtype))


def _shifted(F: Any, x: Any, up: bool) -> Any:
    """Rows moved up or down by one, zeros in the gap."""
    rank = F.rank(x)
    rows = slice(1, None) if up else slice(None, -1)
    part = F.strided_slice(x, index=(Ellipsis, rows, slice(None)))
    pads = ((0, 0),) * (rank - 2) + (((0, 1) if up else (1, 0)), (0, 0))
    return F.pad(part, paddings=pads)


def _transposed(F: Any, diagonals: Any) -> Any:
    shape = F.shape(diagonals)
    pads = ((0, 0),) * (len(shape) - 2)
    row = lambda k, part: F.strided_slice(diagonals, index=(Ellipsis, k, part))
    above = F.pad(row(2, slice(1, None)), paddings=(*pads, (0, 1)))
    below = F.pad(row(0, slice(None, -1)), paddings=(*pads, (1, 0)))
    return F.stack(above, row(1, slice(None)), below, axis=len(shape) - 2)


def _tridiagonal_gradient(F: Any, dy: Any, y: Any, diagonals: Any, _b: Any, pivoting: bool) -> Any:
    by_b = F.tridiagonal_solve(_transposed(F, diagonals), dy, pivoting=pivoting)
    last = F.rank(y) - 1
    products = [
        F.sum(by_b * other, axis=(last,), keepdims=False) for other in (_shifted(F, y, True), y, _shifted(F, y, False))
    ]
    return -F.stack(*products, axis=last - 1), by_b


def _eliminated(diagonals: np.ndarray, b: np.ndarray, pivoting: bool) -> np.ndarray:
    """The solutions of one system; filled up as TensorFlow does, complex ones with 0, where a pivot is 0."""
    x, last = b.copy(), len(b) - 1
    nothing = np.full_like(x, 0 if x.dtype.kind == "c" else np.nan)
    rows: list[tuple] = []  # of each row what stands on its diagonal, and the two elements after that
    first, second = diagonals[1, 0], diagonals[0, 0]
    for k, (beyond, here, low) in enumerate(diagonals.T[1:]):
        if pivoting and not abs(first) >= abs(low):
            factor = first / low
            x[[k, k + 1]] = b[k + 1], x[k] - factor * b[k + 1]
            rows.append((low, here, beyond if k + 1 < last else 0))
            first, second = second - factor * here, -factor * beyond
            continue
        if first == 0:
            return nothing
        factor = low / first
        x[k + 1] = b[k + 1] - factor * x[k]
        rows.append((first, second, 0))
        first, second = here - factor * second, beyond
    if first == 0:
        return nothing
    x[last] /= first
    for k in range(last - 1, -1, -1):
        pivot, after, then = rows[k]
        x[k] = (x[k] - after * x[k + 1] - (then * x[k + 2] if then != 0 else 0)) / pivot
    return x


def _solved(diagonals: Any, b: Any, pivoting: bool) -> Any:
    if not b.size:
        return b
    if type(diagonals) is not np.ndarray:  # with error bounds, which know what is singular
        return np.linalg.solve(_dense(diagonals), b)
    systems, sides = diagonals.reshape(-1, *diagonals.shape[-2:]), b.reshape(-1, *b.shape[-2:])
    return np.stack([_eliminated(d, side, pivoting) for d, side in zip(systems, sides)]).reshape(b.shape)


tridiagonal_ = kernel(
    "tridiagonal_solve", "TridiagonalSolve", forward=_solved, gradient=_tridiagonal_gradient, inputs="diagonals rhs"
)


def _rows(diagonals: Any, form: str) -> list[EagerTensor]:
    """The super-, main and subdiagonal as tensors, from any of the three formats."""
    if form == "compact":
        d = convert_to_tensor(diagonals)
        if d._a.ndim < 2 or d._a.shape[-2] != 3:
            size = d._a.shape[-2] if d._a.ndim > 1 else 0
            text = f"slice index {size} of dimension {max(d._a.ndim - 2, 0)} out of bounds."
            raise invalid("StridedSlice", text, "strided_slice/")
        return [d[..., k, :] for k in range(3)]
    if form == "matrix":
        d = diag_part(diagonals, k=(-1, 1), align="LEFT_RIGHT")
        return [d[..., k, :] for k in range(3)]
    if form != "sequence":
        raise ValueError(f"Unrecognized diagonals_format: {form}")
    above, main, below = (convert_to_tensor(one) for one in diagonals)
    size = main._a.shape[-1]
    return [_filled(above, size, (0, 1)), main, _filled(below, size, (1, 0))]


def _filled(x: EagerTensor, size: int, where: tuple[int, int]) -> EagerTensor:
    """A diagonal that was given without its unused end."""
    if x._a.shape[-1] != size - 1:
        return x
    return pad(x, [[0, 0]] * (x._a.ndim - 1) + [list(where)])


@public("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals: Any, rhs: Any, diagonals_format: str = "compact", transpose_rhs: bool = False,
    conjugate_rhs: bool = False, name: str | None = None, partial_pivoting: bool = True, perturb_singular: bool = False,
) -> EagerTensor:  # fmt: skip
    """The solution of tridiagonal systems (``tf.linalg.tridiagonal_solve``).

    ``diagonals``: three rows ("compact"), three tensors ("sequence") or whole matrices ("matrix").
    """
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    if diagonals_format == "compact":
        d = convert_to_tensor(diagonals)
    else:
        d = stack(_rows(diagonals, diagonals_format), axis=-2)
    b = convert_to_tensor(rhs)
    check("TridiagonalSolve", name, diagonals=d)
    misfit = matrix_fitting.tridiagonal_system(d._a.shape, b._a.shape)
    if misfit:
        raise ValueError(misfit)
    if b._a.ndim == d._a.ndim - 1:
        b = conj(b) if conjugate_rhs else b
        _check_rows(d._a.shape[-1], b._a.shape[-1])
        check("TridiagonalSolve", name, diagonals=d, rhs=b)
        return squeeze(tridiagonal_(d, expand_dims(b, -1), pivoting=bool(partial_pivoting)), -1)
    if transpose_rhs:
        b = matrix_transpose(b, conjugate=conjugate_rhs)
    elif conjugate_rhs:
        b = conj(b)
    _check_rows(d._a.shape[-1], b._a.shape[-2])
    check("TridiagonalSolve", name, diagonals=d, rhs=b)
    return tridiagonal_(d, b, pivoting=bool(partial_pivoting))  # not transposed back, whatever TensorFlow's page says


def _check_rows(left: int, right: int) -> None:
    if left and right and left != right:
        text = "Expected number of left-hand sided and right-hand sides to be equal"
        raise ValueError(f"{text}, got {left} and {right}")


def _down(x: Any, step: int) -> Any:
    """Rows moved up (step 1) or down (step -1), zeros in the gap, of an array."""
    nothing = np.zeros((*x.shape[:-2], 1, x.shape[-1]), x.dtype)
    return np.concatenate([x[..., 1:, :], nothing] if step > 0 else [nothing, x[..., :-1, :]], axis=-2)


def _product(above: Any, main: Any, below: Any, x: Any) -> Any:
    above, main, below = (d.swapaxes(-1, -2) for d in (above, main, below))
    out = main * x  # nothing is added to the last row, then to the first: zeros there keep their signs
    out = np.concatenate([out[..., :-1, :] + above[..., :-1, :] * x[..., 1:, :], out[..., -1:, :]], axis=-2)
    return np.concatenate([out[..., :1, :], out[..., 1:, :] + below[..., 1:, :] * x[..., :-1, :]], axis=-2)


def _in_a_row(F: Any, x: Any) -> Any:
    shape = F.shape(x)
    return F.reshape(x, shape=(*shape[:-1], 1, shape[-1]))


def _product_gradient(F: Any, dy: Any, _y: Any, above: Any, main: Any, below: Any, x: Any) -> tuple:
    turned = lambda d: F.conj(F.transpose(d, perm=(*range(F.rank(d) - 2), F.rank(d) - 1, F.rank(d) - 2)))
    plain, last = F.conj(x), F.rank(dy) - 1
    by_diagonals = [
        _in_a_row(F, F.sum(other * dy, axis=(last,), keepdims=False))
        for other in (_shifted(F, plain, True), plain, _shifted(F, plain, False))
    ]
    by_x = _shifted(F, turned(above) * dy, False) + turned(main) * dy + _shifted(F, turned(below) * dy, True)
    return (*by_diagonals, by_x)


product_ = kernel(
    "tridiagonal_matmul", "TridiagonalMatMul", forward=_product, gradient=_product_gradient
)  # fmt: skip


@public("linalg.tridiagonal_matmul")
def tridiagonal_matmul(
    diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None
) -> EagerTensor:
    """Tridiagonal matrices times matrices (``tf.linalg.tridiagonal_matmul``); formats as in ``tridiagonal_solve``."""
    parts = [expand_dims(d, -2) for d in _rows(diagonals, diagonals_format)]
    x = convert_to_tensor(rhs)
    above, main, below = parts
    check("TridiagonalMatMul", name, superdiag=above, maindiag=main, subdiag=below, rhs=x)
    if any(p._a.ndim != x._a.ndim for p in parts):
        raise invalid("TridiagonalMatMul", "All input tensors must have the same rank.", name)
    misfit = matrix_fitting.tridiagonal_product([p._a.shape for p in parts], x._a.shape)
    matrix_fitting.refuse("TridiagonalMatMul", misfit, name)
    return product_(*parts, x)


# ---------------------------------------------------------------------------------------------- banded triangles


def _triangle(bands: Any, lower: bool) -> Any:
    """The matrices whose bands are rows: the main diagonal first (lower) or last (upper), each from its own row on."""
    count, size = bands.shape[-2:]
    places = np.full((size, size), -1)
    for k in range(count):
        at = np.arange(k, size) if lower else np.arange(size - k)
        line = k if lower else count - 1 - k
        places[at, at - k if lower else at + k] = line * size + at
    flat = bands.reshape((*bands.shape[:-2], count * size))
    whole = flat.take(np.maximum(places, 0).ravel(), axis=-1).reshape((*bands.shape[:-2], size, size))
    return np.where(places >= 0, whole, np.zeros((), bands.dtype))


def _banded(bands: Any, b: Any, lower: bool, adjoint: bool) -> Any:
    if type(bands) is np.ndarray and bands.size:
        main = np.abs(bands.reshape(-1, *bands.shape[-2:])[0, 0 if lower else -1])  # of the first alone, as TensorFlow
        if np.isnan(main[0]) or (main == 0).any():
            raise invalid("BandedTriangularSolve", "Input matrix is not invertible.")
    return solvers.triangular_solve(_triangle(bands, lower), b, lower=lower, adjoint=adjoint)


def _banded_gradient(F: Any, dy: Any, y: Any, bands: Any, _b: Any, lower: bool, adjoint: bool) -> tuple:
    by_b = F.banded(bands, dy, lower=lower, adjoint=not adjoint)
    whole = -F.matmul(y, by_b, ab=True) if adjoint else -F.matmul(by_b, y, ab=True)
    reach = F.shape(bands)[-2] - 1
    band = (-reach, 0) if lower else (0, reach)
    part = F.matrix_diag_part(whole, band=band, padding=0, align="LEFT_RIGHT")
    if F.shape(bands)[:-2] == F.shape(_b)[:-2]:
        return part, by_b  # that of a single band has an axis less, as in TensorFlow
    part = F.reshape(part, shape=(*F.shape(whole)[:-2], *F.shape(bands)[-2:]))
    return _reduce_to(F, part, F.shape(bands)), _reduce_to(F, by_b, F.shape(_b))


banded_ = kernel("banded", "BandedTriangularSolve", forward=_banded, gradient=_banded_gradient)


@public("linalg.banded_triangular_solve")
def banded_triangular_solve(
    bands: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> EagerTensor:
    """The X with ``A @ X = rhs``, A triangular, given by its bands (``tf.linalg.banded_triangular_solve``)."""
    a = convert_to_tensor(bands)
    b = convert_to_tensor(rhs)
    check("BandedTriangularSolve", name, matrix=a, rhs=b)
    misfit = _emptiness(a, b) or matrix_fitting.triangular(a._a.shape, b._a.shape, lower, adjoint, True)
    matrix_fitting.refuse("BandedTriangularSolve", misfit, name)
    return banded_(a, b, lower=bool(lower), adjoint=bool(adjoint))


def _emptiness(a: EagerTensor, b: EagerTensor) -> str | None:
    for k, x in enumerate((a, b)):
        if x._a.ndim > 1 and not x._a.size:
            shape = brackets(x._a.shape)
            return f"In[{k}] must not be an empty tensor: Tensor<type: {x.dtype._word} shape: {shape} values: >"
    return None
