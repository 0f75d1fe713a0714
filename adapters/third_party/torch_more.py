"""More of TensorFlow's ops in PyTorch's words: `torch.linalg`, `torch.special`, `torch.fft`, windows, losses.

`more_ops(torch)`. Only spelling; each op is one of PyTorch's functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from adapters.backend import UnsupportedStep
from adapters.third_party.numpy_linear import Ops
from adapters.third_party.windows import each, pads

_ELEMENTS = {
    "lgamma": "lgamma", "digamma": "digamma", "erfc": "erfc", "erfinv": "erfinv", "rint": "round", "angle": "angle",
    "is_nan": "isnan", "is_inf": "isinf", "is_finite": "isfinite", "nextafter": "nextafter",
}  # fmt: skip
_SPECIAL = {
    "bessel_i0": "i0", "bessel_i0e": "i0e", "bessel_i1": "i1", "bessel_i1e": "i1e", "special.bessel_j0": "bessel_j0",
    "special.bessel_j1": "bessel_j1", "special.bessel_y0": "bessel_y0", "special.bessel_y1": "bessel_y1",
    "special.bessel_k0": "modified_bessel_k0", "special.bessel_k1": "modified_bessel_k1",
    "special.bessel_k0e": "scaled_modified_bessel_k0", "special.bessel_k1e": "scaled_modified_bessel_k1",
    "ndtri": "ndtri", "zeta": "zeta", "igamma": "gammainc", "igammac": "gammaincc", "xlog1py": "xlog1py",
}  # fmt: skip
_MATRICES = {
    "det": "linalg.det", "slogdet": "linalg.slogdet", "logdet": "logdet", "cholesky": "linalg.cholesky",
    "expm": "linalg.matrix_exp", "pinv": "linalg.pinv", "eigh": "linalg.eigh", "eigvalsh": "linalg.eigvalsh",
    "eig": "linalg.eig", "eigvals": "linalg.eigvals", "cross": "linalg.cross",
}  # fmt: skip


def more_ops(torch: Any) -> Ops:
    """The table."""
    ops = {f"math.{ours}": getattr(torch, theirs) for ours, theirs in _ELEMENTS.items()}
    ops |= {f"math.{ours}": getattr(torch.special, theirs) for ours, theirs in _SPECIAL.items()}
    ops["truncatediv"] = lambda x, y: torch.div(x, y, rounding_mode="trunc")
    ops["einsum"] = lambda equation, *operands: torch.einsum(equation, *operands)
    ops["tensordot"] = lambda a, b, axes: torch.tensordot(a, b, axes)
    return ops | _matrices(torch) | _chosen(torch) | _transforms(torch) | _windows(torch) | _losses(torch)


def _matrices(torch: Any) -> Ops:
    def found(dotted: str) -> Callable[..., Any]:
        function = getattr(torch.linalg, dotted.removeprefix("linalg."), None) or getattr(torch, dotted)
        return lambda *operands: function(*operands)

    def triangular(matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False) -> Any:
        return torch.linalg.solve_triangular(matrix.mH if adjoint else matrix, rhs, upper=lower == adjoint)

    def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True) -> Any:
        if not compute_uv:
            return torch.linalg.svdvals(tensor)
        u, s, adjoint = torch.linalg.svd(tensor, full_matrices)
        return [s, u, adjoint.mH]

    def band(x: Any, lower: int, upper: int) -> Any:
        below = x if lower < 0 else torch.triu(x, -lower)
        return below if upper < 0 else torch.tril(below, upper)

    return {
        **{f"linalg.{ours}": found(theirs) for ours, theirs in _MATRICES.items()},
        "linalg.inv": lambda x, adjoint=False: torch.linalg.inv(x.mH if adjoint else x),
        "linalg.solve": lambda a, b, adjoint=False: torch.linalg.solve(a.mH if adjoint else a, b),
        "linalg.lstsq": lambda matrix, rhs, fast=True: torch.linalg.lstsq(matrix, rhs).solution,
        "linalg.qr": lambda x, full_matrices=False: torch.linalg.qr(x, "complete" if full_matrices else "reduced"),
        "linalg.svd": svd,
        "linalg.triangular_solve": triangular,
        "linalg.cholesky_solve": lambda chol, rhs: torch.cholesky_solve(rhs, chol),
        "linalg.band_part": band,
        "linalg.matrix_transpose": lambda x, conjugate=False: x.mH if conjugate else x.mT,
        "linalg.adjoint": lambda x: x.mH,
        "linalg.trace": lambda x: torch.linalg.diagonal(x).sum(-1),
        "linalg.diag": lambda x, k=0: torch.diag_embed(x, _one(k)),
        "linalg.diag_part": lambda x, k=0: torch.diagonal(x, _one(k), -2, -1),
    }


def _one(k: Any) -> int:
    if not isinstance(k, int):
        raise UnsupportedStep("torch has one diagonal at a time")
    return k


def _chosen(torch: Any) -> Ops:
    """What picks, repeats and orders elements."""

    def places(indices: Any) -> tuple[Any, ...]:
        return tuple(indices.long().movedim(-1, 0))

    def scattered(x: Any, indices: Any, updates: Any, accumulate: bool) -> Any:
        return torch.index_put(x, places(indices), updates, accumulate=accumulate)

    def repeated(x: Any, repeats: Any, axis: Any = None) -> Any:
        return torch.repeat_interleave(x, torch.as_tensor(repeats), axis)

    def new(indices: Any, updates: Any, shape: Any) -> Any:
        return scattered(torch.zeros(tuple(shape), dtype=updates.dtype), indices, updates, True)

    return {
        "repeat": repeated,
        "sort": lambda x, axis=-1, direction="ASCENDING": torch.sort(x, axis, direction == "DESCENDING").values,
        "math.top_k": lambda x, k=1, sorted=True: list(torch.topk(x, k)),
        "boolean_mask": lambda x, mask, axis=0: x[(*(slice(None),) * axis, mask)],
        "gather_nd": lambda x, indices: x[places(indices)],
        "nn.embedding_lookup": lambda params, ids: torch.nn.functional.embedding(ids.long(), params),
        "scatter_nd": new,
        "tensor_scatter_nd_add": lambda x, indices, updates: scattered(x, indices, updates, True),
        "tensor_scatter_nd_update": lambda x, indices, updates: scattered(x, indices, updates, False),
        "math.cumulative_logsumexp": lambda x, axis=0: torch.logcumsumexp(x, axis),
        "image.flip_left_right": lambda x: torch.flip(x, (-2,)),
        "image.flip_up_down": lambda x: torch.flip(x, (-3,)),
        "nn.moments": lambda x, axes, keepdims=False: [
            torch.mean(x, tuple(axes), keepdims),
            torch.var(x, tuple(axes), correction=0, keepdim=keepdims),
        ],
    }


def _transforms(torch: Any) -> Ops:
    def of_length(name: str) -> Callable[..., Any]:
        function = getattr(torch.fft, name)
        return lambda x, fft_length=None: function(x, fft_length[0] if fft_length else None)

    def over(name: str, axes: int) -> Callable[..., Any]:
        function = getattr(torch.fft, name)
        return lambda x: function(x, dim=tuple(range(-axes, 0)))

    found = {f"signal.{name}": of_length(name) for name in ("fft", "ifft", "rfft", "irfft")}
    for axes in (2, 3):
        found |= {f"signal.{name}{axes}d": over(f"{name}n", axes) for name in ("fft", "ifft")}
    found["signal.fftshift"] = lambda x, axes=None: torch.fft.fftshift(x, axes)
    found["signal.ifftshift"] = lambda x, axes=None: torch.fft.ifftshift(x, axes)
    return found


def _windows(torch: Any) -> Ops:
    """Convolutions and pools: PyTorch has channels first, and what `SAME` pads is put around beforehand."""
    functional = torch.nn.functional

    def around(x: Any, padding: Any, wide: Any, by: Any, apart: Any, value: float = 0.0) -> Any:
        sides = pads(padding, x.shape[2:], wide, by, apart)
        return functional.pad(x, [amount for pair in reversed(sides) for amount in pair], value=value)

    def convolved(x: Any, w: Any, strides: Any = None, padding: Any = "VALID", dilations: Any = None) -> Any:
        n = x.ndim - 2
        by, apart = each(strides, n), each(dilations, n)
        padded = around(x.movedim(-1, 1), padding, w.shape[:n], by, apart)
        function, groups = getattr(functional, f"conv{n}d"), max(x.shape[-1] // max(w.shape[-2], 1), 1)
        made = function(padded, w.movedim((-1, -2), (0, 1)), stride=by, dilation=apart, groups=groups)
        return made.movedim(1, -1)

    def depthwise(x: Any, w: Any, strides: Any, padding: Any, dilations: Any = None) -> Any:
        height, width, channels, times = w.shape
        return convolved(x, w.reshape(height, width, 1, channels * times), strides, padding, dilations)

    def largest(x: Any, ksize: Any, strides: Any, padding: str) -> Any:
        n = x.ndim - 2
        wide, by = each(ksize, n), each(strides, n)
        padded = around(x.movedim(-1, 1), padding, wide, by, (1,) * n, -math.inf)
        return getattr(functional, f"max_pool{n}d")(padded, wide, by).movedim(1, -1)

    def added(first: Any, padding: str, wide: tuple[int, ...], by: tuple[int, ...]) -> Any:
        """The sums of windows; avg_pool1d alone cannot be told not to divide."""
        n, padded = len(wide), around(first, padding, wide, by, (1,) * len(wide))
        if n == 1:
            return functional.avg_pool2d(padded.unsqueeze(2), (1, *wide), (1, *by), divisor_override=1).squeeze(2)
        return getattr(functional, f"avg_pool{n}d")(padded, wide, by, divisor_override=1)

    def mean(x: Any, ksize: Any, strides: Any, padding: str) -> Any:
        first, wide, by = x.movedim(-1, 1), each(ksize, x.ndim - 2), each(strides, x.ndim - 2)
        # what was put around does not count
        many = added(torch.ones_like(first), padding, wide, by)
        return (added(first, padding, wide, by) / many).movedim(1, -1)

    ops: Ops = dict.fromkeys(("nn.conv2d", "nn.conv3d", "nn.convolution"), convolved)
    ops["nn.conv1d"] = lambda x, w, stride=1, padding="VALID", dilations=None: convolved(
        x, w, stride, padding, dilations
    )
    ops["nn.atrous_conv2d"] = lambda x, w, rate, padding: convolved(x, w, 1, padding, rate)
    ops["nn.depthwise_conv2d"] = depthwise
    for dimensions in ("", "1d", "2d", "3d"):
        ops[f"nn.max_pool{dimensions}"], ops[f"nn.avg_pool{dimensions}"] = largest, mean
    return ops


def _losses(torch: Any) -> Ops:
    functional = torch.nn.functional

    def entropy(labels: Any, logits: Any) -> Any:
        if logits.ndim != 2:
            raise UnsupportedStep("torch has the classes along the second axis")
        return functional.cross_entropy(logits, labels, reduction="none")

    def poisson(targets: Any, log_input: Any, compute_full_loss: bool = False) -> Any:
        return functional.poisson_nll_loss(log_input, targets, full=compute_full_loss, reduction="none")

    return {
        "nn.softmax_cross_entropy_with_logits": entropy,
        "nn.sparse_softmax_cross_entropy_with_logits": lambda labels, logits: entropy(labels.long(), logits),
        "nn.sigmoid_cross_entropy_with_logits": lambda labels, logits: functional.binary_cross_entropy_with_logits(
            logits, labels, reduction="none"
        ),
        "nn.log_poisson_loss": poisson,
    }
