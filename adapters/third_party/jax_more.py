"""More of TensorFlow's ops in JAX's words: special functions, matrices, windows, segments, scattering; `more_ops(jax)`.

Only spelling: each op is one of the functions of `jax.scipy`, `jax.lax`, `jax.ops` or `jax.image`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from adapters.backend import UnsupportedStep
from adapters.third_party.numpy_linear import Ops
from adapters.third_party.numpy_named import named
from adapters.third_party.windows import each, pads

_SPECIAL = {
    "lgamma": "gammaln", "digamma": "digamma", "erfc": "erfc", "erfinv": "erfinv", "bessel_i0": "i0",
    "bessel_i0e": "i0e", "bessel_i1": "i1", "bessel_i1e": "i1e", "ndtri": "ndtri",
    "zeta": "zeta", "betainc": "betainc", "igamma": "gammainc", "igammac": "gammaincc", "xlog1py": "xlog1py",
    "special.spence": "spence", "special.dawsn": "dawsn", "special.expint": "expi",
}  # fmt: skip
_BARE_TOO = ("lgamma", "digamma", "erfc", "zeta", "betainc", "igamma", "igammac")


def more_ops(jax: Any) -> Ops:
    """The table."""
    ops: Ops = {}
    for ours, theirs in _SPECIAL.items():
        function = getattr(jax.scipy.special, theirs, None)
        if function is not None:
            ops[f"math.{ours}"] = function
            if ours in _BARE_TOO:
                named(ops, ours, function)
    ops["math.special.fresnel_sin"] = lambda x: jax.scipy.special.fresnel(x)[0]
    ops["math.special.fresnel_cos"] = lambda x: jax.scipy.special.fresnel(x)[1]
    special = jax.scipy.special
    ops["math.polygamma"] = lambda a, x: special.polygamma(a.astype("int32"), x)
    ops["sort"] = lambda x, axis=-1, direction="ASCENDING": jax.numpy.sort(
        x, axis, descending=direction == "DESCENDING"
    )
    ops["math.top_k"] = lambda x, k=1, sorted=True: list(jax.lax.top_k(x, k))
    ops["image.resize"] = lambda x, size, method="bilinear": resized(jax, x, size, method)
    return ops | _matrices(jax) | _windows(jax) | _segments(jax) | _scattered(jax)


def resized(jax: Any, x: Any, size: list[int], method: str) -> Any:
    """Pictures of another size, as `tf.image.resize` gives them."""
    shape = (*x.shape[:-3], *size, x.shape[-1])
    if method != "nearest":
        x = x.astype("float32")  # as TensorFlow does with pictures of any dtype
    return jax.image.resize(x, shape, "cubic" if method == "bicubic" else method, antialias=False)


def one_batch(np: Any, matrix: Any, rhs: Any) -> tuple[Any, Any]:
    """Matrices and right-hand sides in batches of one shape: JAX's solvers broadcast none, TensorFlow's do."""
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    return tuple(np.broadcast_to(one, (*batch, *one.shape[-2:])) for one in (matrix, rhs))


def _matrices(jax: Any) -> Ops:
    def triangular(matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False) -> Any:
        return jax.lax.linalg.triangular_solve(
            *one_batch(jax.numpy, matrix, rhs), left_side=True, lower=lower, transpose_a=adjoint, conjugate_a=adjoint
        )

    def solved(factor: Any, rhs: Any) -> Any:
        factor, rhs = one_batch(jax.numpy, factor, rhs)
        return jax.scipy.linalg.cho_solve((factor, True), rhs)

    def squares(matrix: Any, rhs: Any, fast: bool = True) -> Any:
        if matrix.ndim != 2:
            raise UnsupportedStep("JAX's lstsq takes one matrix")
        return jax.numpy.linalg.lstsq(matrix, rhs)[0]

    return {
        "linalg.expm": jax.scipy.linalg.expm,
        "linalg.triangular_solve": triangular,
        "linalg.cholesky_solve": solved,
        "linalg.lstsq": squares,
    }


def _windows(jax: Any) -> Ops:
    """Convolutions and pools, of one, two and three dimensions, channels last as TensorFlow has them."""

    def convolved(x: Any, filters: Any, strides: Any = None, padding: Any = "VALID", dilations: Any = None) -> Any:
        n = x.ndim - 2
        letters = "DHW"[3 - n :]
        by, apart = each(strides, n), each(dilations, n)
        around = pads(padding, x.shape[1:-1], filters.shape[:n], by, apart)
        layout = (f"N{letters}C", f"{letters}IO", f"N{letters}C")
        groups = max(x.shape[-1] // max(filters.shape[-2], 1), 1)
        return jax.lax.conv_general_dilated(
            x, filters, by, around, rhs_dilation=apart, dimension_numbers=layout, feature_group_count=groups
        )

    def depthwise(x: Any, filters: Any, strides: Any, padding: Any, dilations: Any = None) -> Any:
        height, width, channels, times = filters.shape
        return convolved(x, filters.reshape(height, width, 1, channels * times), strides, padding, dilations)

    def pooled(x: Any, start: float, joined: Callable[..., Any], ksize: Any, strides: Any, padding: str) -> Any:
        n = x.ndim - 2
        wide, by = each(ksize, n), each(strides, n)
        around = ((0, 0), *pads(padding, x.shape[1:-1], wide, by, (1,) * n), (0, 0))
        return jax.lax.reduce_window(x, x.dtype.type(start), joined, (1, *wide, 1), (1, *by, 1), around)

    def largest(x: Any, ksize: Any, strides: Any, padding: str) -> Any:
        return pooled(x, -math.inf, jax.lax.max, ksize, strides, padding)

    def mean(x: Any, ksize: Any, strides: Any, padding: str) -> Any:
        many = pooled(jax.numpy.ones_like(x), 0.0, jax.lax.add, ksize, strides, padding)
        return pooled(x, 0.0, jax.lax.add, ksize, strides, padding) / many

    ops: Ops = dict.fromkeys(("nn.conv2d", "nn.conv3d", "nn.convolution"), convolved)
    ops["nn.conv1d"] = lambda x, w, stride=1, padding="VALID", dilations=None: convolved(
        x, w, stride, padding, dilations
    )
    ops["nn.atrous_conv2d"] = lambda x, w, rate, padding: convolved(x, w, 1, padding, rate)
    ops["nn.depthwise_conv2d"] = depthwise
    for dimensions in ("", "1d", "2d", "3d"):
        ops[f"nn.max_pool{dimensions}"], ops[f"nn.avg_pool{dimensions}"] = largest, mean
    return ops


def _segments(jax: Any) -> Ops:
    def along(name: str) -> Callable[..., Any]:
        function = getattr(jax.ops, f"segment_{name}")

        def segments(data: Any, segment_ids: Any, num_segments: Any = None) -> Any:
            if segment_ids.ndim != 1:
                raise UnsupportedStep("JAX's segments are along the first axis")
            return function(data, segment_ids, None if num_segments is None else int(num_segments))

        return segments

    names = ("sum", "max", "min", "prod")
    found = {f"math.segment_{name}": along(name) for name in names}
    return found | {f"math.unsorted_segment_{name}": along(name) for name in names}


def _scattered(jax: Any) -> Ops:
    def at(x: Any, indices: Any) -> Any:
        return x.at[tuple(jax.numpy.moveaxis(indices, -1, 0))]

    def onto(how: str) -> Callable[..., Any]:
        return lambda x, indices, updates: getattr(at(x, indices), how)(updates)

    hows = {"update": "set", "add": "add", "sub": "subtract", "max": "max", "min": "min"}
    return {
        "scatter_nd": lambda indices, updates, shape: at(
            jax.numpy.zeros(tuple(int(n) for n in shape), updates.dtype), indices
        ).add(updates),
        **{f"tensor_scatter_nd_{ours}": onto(theirs) for ours, theirs in hows.items()},
    }
