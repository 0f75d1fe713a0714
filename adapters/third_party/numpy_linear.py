"""More of TensorFlow's ops in NumPy's words: linear algebra, Fourier transforms, choosing; `linear_ops(namespace)`.

Only spelling, as in `numpy_named.py`; what the namespace does not have is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy

from adapters.backend import UnsupportedStep

Ops = dict[str, Callable[..., Any]]
Needed = dict[str, tuple[str, Callable[..., Any]]]
_TO_ONE = ("det", "cholesky", "pinv", "eigvalsh", "eigvals")
_TO_TWO = ("slogdet", "eigh", "eig")


def linear_ops(np: Any) -> Ops:
    """The table of a namespace."""
    needed = _products(np) | _decomposed(np) | _matrices(np) | _transforms(np) | _chosen(np) | _elements(np)
    return {name: op for name, (function, op) in needed.items() if _has(np, function)}


def _has(np: Any, dotted: str) -> bool:
    return reduce(lambda at, name: getattr(at, name, None), dotted.split("."), np) is not None


def _products(np: Any) -> Needed:
    return {
        "einsum": ("einsum", lambda equation, *operands: np.einsum(equation, *operands)),
        "tensordot": ("tensordot", lambda a, b, axes: np.tensordot(a, b, axes)),
        "linalg.cross": ("cross", lambda a, b: np.cross(a, b)),
    }


def adjoint_of(np: Any, x: Any) -> Any:
    """The conjugated transpose of the last two axes."""
    return np.conj(np.swapaxes(x, -1, -2)) if np.result_type(x).kind == "c" else np.swapaxes(x, -1, -2)


def _decomposed(np: Any) -> Needed:
    """Functions of whole matrices."""

    def solve(matrix: Any, rhs: Any, adjoint: bool = False) -> Any:
        return np.linalg.solve(adjoint_of(np, matrix) if adjoint else matrix, rhs)

    def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True) -> Any:
        if not compute_uv:
            return np.linalg.svd(tensor, full_matrices=full_matrices, compute_uv=False)
        u, s, adjoint = np.linalg.svd(tensor, full_matrices=full_matrices)
        return [s, u, adjoint_of(np, adjoint)]

    def inverse(x: Any, adjoint: bool = False) -> Any:
        return np.linalg.inv(adjoint_of(np, x) if adjoint else x)

    def qr(x: Any, full_matrices: bool = False) -> Any:
        return two(np.linalg.qr(x, "complete" if full_matrices else "reduced"))

    def two(made: Any) -> list[Any]:
        return [made[0], made[1]]

    return {
        **{f"linalg.{name}": (f"linalg.{name}", _of_one(np, name)) for name in _TO_ONE},
        **{f"linalg.{name}": (f"linalg.{name}", _of_one(np, name, two)) for name in _TO_TWO},
        "linalg.inv": ("linalg.inv", inverse),
        "linalg.solve": ("linalg.solve", solve),
        "linalg.svd": ("linalg.svd", svd),
        "linalg.qr": ("linalg.qr", qr),
    }


def _of_one(np: Any, name: str, made: Callable[[Any], Any] = lambda one: one) -> Callable[..., Any]:
    return lambda x: made(getattr(np.linalg, name)(x))


def _matrices(np: Any) -> Needed:
    """What moves the elements of matrices."""

    def turned(x: Any, conjugate: bool = False) -> Any:
        return adjoint_of(np, x) if conjugate else np.swapaxes(x, -1, -2)

    def band(x: Any, lower: int, upper: int) -> Any:
        below = x if lower < 0 else np.triu(x, -lower)
        return below if upper < 0 else np.tril(below, upper)

    def diagonal(x: Any, k: Any = 0) -> Any:
        if not isinstance(k, int):
            raise UnsupportedStep("one diagonal at a time here")
        return np.diagonal(x, k, -2, -1)

    return {
        "linalg.matrix_transpose": ("swapaxes", turned),
        "linalg.adjoint": ("conj", lambda x: turned(x, True)),
        "linalg.trace": ("trace", lambda x: np.trace(x, 0, -2, -1)),
        "linalg.band_part": ("triu", band),
        "linalg.diag_part": ("diagonal", diagonal),
    }


def _transforms(np: Any) -> Needed:
    def of_length(name: str) -> Callable[..., Any]:
        return lambda x, fft_length=None: getattr(np.fft, name)(x, fft_length[0] if fft_length else None)

    def over(name: str, axes: int) -> Callable[..., Any]:
        return lambda x: getattr(np.fft, name)(x, axes=tuple(range(-axes, 0)))

    def shift(name: str) -> Callable[..., Any]:
        return lambda x, axes=None: getattr(np.fft, name)(x, axes)

    found = {f"signal.{name}": (f"fft.{name}", of_length(name)) for name in ("fft", "ifft", "rfft", "irfft")}
    for axes in (2, 3):
        found |= {f"signal.{name}{axes}d": (f"fft.{name}n", over(f"{name}n", axes)) for name in ("fft", "ifft")}
    return found | {f"signal.{name}": (f"fft.{name}", shift(name)) for name in ("fftshift", "ifftshift")}


def _chosen(np: Any) -> Needed:
    """What picks, repeats and orders elements."""

    def ordered(x: Any, axis: int = -1, direction: str = "ASCENDING") -> Any:
        made = np.sort(x, axis)
        return np.flip(made, axis) if direction == "DESCENDING" else made

    def repeated(x: Any, repeats: Any, axis: Any = None) -> Any:
        return np.repeat(x, numpy.asarray(repeats) if isinstance(repeats, list) else repeats, axis)

    def masked(x: Any, mask: Any, axis: int = 0) -> Any:
        return x[(*(slice(None),) * axis, mask)]

    def strided(x: Any, begin: list[int], end: list[int], strides: list[int]) -> Any:
        return x[tuple(slice(*one) for one in zip(begin, end, strides, strict=True))]

    return {
        "repeat": ("repeat", repeated),
        "sort": ("sort", ordered),
        "boolean_mask": ("reshape", masked),
        "strided_slice": ("reshape", strided),
        "gather_nd": ("moveaxis", lambda x, indices: x[tuple(np.moveaxis(indices, -1, 0))]),
        "nn.embedding_lookup": ("take", lambda params, ids: np.take(params, ids, axis=0)),
        "image.flip_left_right": ("flip", lambda x: np.flip(x, -2)),
        "image.flip_up_down": ("flip", lambda x: np.flip(x, -3)),
    }


def _elements(np: Any) -> Needed:
    def moments(x: Any, axes: list[int], keepdims: bool = False) -> Any:
        over = tuple(axes)
        return [np.mean(x, axis=over, keepdims=keepdims), np.var(x, axis=over, keepdims=keepdims)]

    def plain(name: str) -> Callable[..., Any]:
        return lambda *operands: getattr(np, name)(*operands)

    spelled = {"is_nan": "isnan", "is_inf": "isinf", "is_finite": "isfinite", "rint": "rint", "angle": "angle",
               "nextafter": "nextafter"}  # fmt: skip
    return {
        **{f"math.{ours}": (theirs, plain(theirs)) for ours, theirs in spelled.items()},
        "nn.moments": ("var", moments),
    }
