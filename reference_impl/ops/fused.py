"""Batch normalization in training as one kernel: ``tf.raw_ops.FusedBatchNorm`` and its two later versions.

Means and variances are those of the batch, over all axes but the last.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .arithmetic import reciprocal, rsqrt
from .casting import stop_gradient
from .declare import kernel, public
from .kernels.layer_checks import check_norm, check_norm_backward
from .logic import squared_difference
from .reductions import reduce_sum
from .statistics import reduce_mean

_FIELDS = ["y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2"]
FusedBatchNormOutput = namedtuple("FusedBatchNorm", _FIELDS)  # type: ignore[misc]
FusedBatchNormOutputV3 = namedtuple("FusedBatchNormV3", [*_FIELDS, "reserve_space_3"])  # type: ignore[misc]


def _mean(x: Any, keepdims: bool = False) -> Any:
    rest = tuple(range(x.ndim - 1))
    return np.add.reduce(x, axis=rest, keepdims=keepdims) / x.dtype.type(x.size // x.shape[-1])


def _normalized(x: Any, scale: Any, offset: Any, _mean_in: Any, _variance_in: Any, epsilon: float) -> tuple:
    """Values, means, unbiased variances; and once more means, with the biased variances."""
    kind, count = x.dtype.type, x.size // x.shape[-1]
    mean = _mean(x)
    centred = x - mean
    variance = _mean(centred * centred)
    unbiased = variance * (kind(count) / kind(max(count - 1, 1)))
    y = centred * (scale / np.sqrt(variance + kind(epsilon))) + offset
    return y, mean, unbiased, mean, variance


def _with_a_zero(*operands: Any, epsilon: float) -> tuple:
    """The third version has one more output, for other devices."""
    return (*_normalized(*operands, epsilon=epsilon), np.float32(0))


def _backward(dy: Any, x: Any, scale: Any, mean: Any, variance: Any, epsilon: float) -> tuple:
    """The upstream by x, scale and offset."""
    kind, rest = x.dtype.type, tuple(range(x.ndim - 1))
    root = 1 / np.sqrt(variance + kind(epsilon))
    centred = x - mean
    by_offset = np.add.reduce(dy, axis=rest)
    weighed = np.add.reduce(dy * centred, axis=rest)
    count = kind(x.size // x.shape[-1])
    spread = dy - by_offset / count - centred * (root * root * weighed / count)
    return spread * (scale * root), np.add.reduce(dy * (centred * root), axis=rest), by_offset


def _composed(dy: Any, x: Any, scale: Any, epsilon: float) -> tuple:
    """The same, of plain ops that can be differentiated."""
    rest = list(range(x.shape.rank - 1))
    mean = reduce_mean(x, rest, keepdims=True)
    variance = reduce_mean(squared_difference(x, stop_gradient(mean)), rest, keepdims=True)
    root, centred = rsqrt(variance + epsilon), x - mean
    weighed = reduce_mean(dy * centred, rest, keepdims=True)
    spread = dy - reduce_mean(dy, rest, keepdims=True) - reciprocal(variance + epsilon) * weighed * centred
    return scale * root * spread, reduce_sum(root * dy * centred, rest), reduce_sum(dy, rest)


def _again(F: Any, g: Any, _y: Any, dy: Any, x: Any, scale: Any, _mean: Any, _variance: Any, epsilon: float) -> tuple:
    """The gradient of the gradient, by a tape of its own, as in TensorFlow."""
    from ..tapes.tape import GradientTape

    known: dict[int, EagerTensor] = {}  # one tensor that is two operands is one source, as in TensorFlow
    sources = [v if isinstance(v, EagerTensor) else known.setdefault(id(v), wrap(v)) for v in (dy, x, scale)]
    upstream = [v if isinstance(v, EagerTensor) else wrap(v) for v in g[:3]]
    with GradientTape() as tape:
        tape.watch(sources)
        parts = _composed(*sources, epsilon)
    found = tape.gradient(list(parts), sources, upstream)
    return (*(v if F.recording or v is None else v._a for v in found), None, None)


def _check_backward(kernel_name: str, dy: Any, x: Any, *vectors: Any) -> None:
    """What the backward kernel asks of the shapes that a wrong upstream has."""
    words = ("scale", "reserve_space_1", "reserve_space_2")
    shapes = {word: v.shape for word, v in zip(words, vectors)}
    check_norm_backward(kernel_name, dy.shape, x.shape, shapes, None)


def _declare(version: str) -> Any:
    back = f"fused_batch_norm_grad{version.lower()}"
    kernel(
        back, f"FusedBatchNormGrad{version}", forward=_backward, gradient=_again,
        inputs="y_backprop x scale reserve_space_1 reserve_space_2",
        fits=lambda *operands, epsilon: _check_backward(f"FusedBatchNormGrad{version}", *operands),
    )  # fmt: skip

    def gradient(
        F: Any, dy: Any, y: Any, x: Any, scale: Any, _offset: Any, _mean: Any, _variance: Any, epsilon: float
    ) -> tuple:
        found = getattr(F, back)(dy[0], x, scale, F.stopped(y[3]), F.stopped(y[4]), epsilon=epsilon)
        return (*found, None, None)

    forward = _with_a_zero if version == "V3" else _normalized
    return kernel(f"fused_batch_norm{version.lower()}", f"FusedBatchNorm{version}", forward=forward, gradient=gradient)


_KERNELS = {version: _declare(version) for version in ("", "V2", "V3")}


def _run(version: str, operands: tuple, epsilon: float, is_training: bool, data_format: str) -> tuple:
    if not is_training or data_format != "NHWC":
        raise NotImplementedError(f"FusedBatchNorm{version} is here for training with channels last")
    tensors = [convert_to_tensor(v) for v in operands]
    x, scale, offset, mean, variance = (t._a.shape for t in tensors)
    spare = {"estimated_mean": mean, "estimated_variance": variance}
    check_norm(f"FusedBatchNorm{version}", x, {"scale": scale, "offset": offset}, spare, None)
    return _KERNELS[version](*tensors, epsilon=float(epsilon))


@public("raw_ops.FusedBatchNorm")
def FusedBatchNorm(
    *, x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float = 0.0001,
    exponential_avg_factor: float = 1, data_format: str = "NHWC", is_training: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """A batch with means of ``offset`` and deviations of ``scale``; the batch's own means and variances."""
    return FusedBatchNormOutput(*_run("", (x, scale, offset, mean, variance), epsilon, is_training, data_format))


@public("raw_ops.FusedBatchNormV2")
def FusedBatchNormV2(
    *, x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float = 0.0001,
    exponential_avg_factor: float = 1, data_format: str = "NHWC", is_training: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """As FusedBatchNorm."""
    return FusedBatchNormOutput(*_run("V2", (x, scale, offset, mean, variance), epsilon, is_training, data_format))


@public("raw_ops.FusedBatchNormV3")
def FusedBatchNormV3(
    *, x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float = 0.0001,
    exponential_avg_factor: float = 1, data_format: str = "NHWC", is_training: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """As FusedBatchNorm, with one more output, which is zero on a CPU."""
    found = _run("V3", (x, scale, offset, mean, variance), epsilon, is_training, data_format)
    return FusedBatchNormOutputV3(*found)
