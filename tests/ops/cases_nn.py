# ruff: noqa: E731  # questions are short functions, many of them bound in a loop
"""What is asked of losses, biases, convolutions, pooling, normalisation, dropout, checks and quantization."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.ops.asking import Case

inf, nan = float("inf"), float("nan")
LOGITS = ([[1.0, -2.0, 0.5], [3.0, 0.25, -1.0]], "float64")
LABELS = ([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]], "float64")


def case(name: str, function: Callable[..., Any], *inputs: Any, **options: Any) -> Case:
    """A case with the usual options."""
    return Case(name, function, inputs, **options)


def grid(*shape: int, dtype: str = "float64") -> tuple[Any, str]:
    """Numbers of both signs, none twice near another, in a shape."""
    import numpy as np

    size = int(np.prod(shape))
    return (((np.arange(size) * 7 % (size + 3)) / 4.0 - size / 9.0).reshape(shape).tolist(), dtype)


def _losses() -> Iterator[Case]:
    dense = lambda tf, y, x: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x)
    yield case("softmax_cross_entropy", dense, LABELS, LOGITS)
    yield case("softmax_cross_entropy float32", dense, (LABELS[0], "float32"), (LOGITS[0], "float32"))
    yield case("softmax_cross_entropy half", dense, (LABELS[0], "float16"), (LOGITS[0], "float16"), order=1)
    yield case("softmax_cross_entropy of a vector", dense, ([0.5, 0.5], "float64"), ([1.0, 2.0], "float64"))
    yield case("softmax_cross_entropy of a cube", dense, grid(2, 2, 3), grid(2, 2, 3))
    axis = lambda tf, y, x: tf.nn.softmax_cross_entropy_with_logits(y, x, axis=0)
    yield case("softmax_cross_entropy axis", axis, LABELS, LOGITS)
    yield case("softmax_cross_entropy of shapes that do not fit", dense, ([[1.0]], "float64"), LOGITS, order=0)
    yield case("softmax_cross_entropy zero upstream", dense, LABELS, LOGITS, upstream="zeros")
    sparse = lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2, 0], logits=x)
    yield case("sparse_softmax_cross_entropy", sparse, LOGITS)
    yield case("sparse_softmax_cross_entropy half", sparse, (LOGITS[0], "float16"), order=1)
    cube = lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([[2, 0], [1, 1]], x)
    yield case("sparse_softmax_cross_entropy of a cube", cube, grid(2, 2, 3))
    scalar = lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(1, x)
    yield case("sparse_softmax_cross_entropy of a vector", scalar, ([1.0, 2.0], "float64"))
    beyond = lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([5, 0], x)
    yield case("sparse_softmax_cross_entropy beyond", beyond, LOGITS, order=0)
    rank = lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([[1], [0]], x)
    yield case("sparse_softmax_cross_entropy of a bad rank", rank, LOGITS, order=0)
    sigmoid = lambda tf, y, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x)
    yield case("sigmoid_cross_entropy", sigmoid, LABELS, LOGITS)
    yield case("sigmoid_cross_entropy at extremes", sigmoid, [0.0, 1.0, 0.0, 1.0], [0.0, -1000.0, 1000.0, -0.0])
    yield case("sigmoid_cross_entropy of shapes that do not fit", sigmoid, [1.0], LOGITS, order=0)
    weighted = lambda tf, y, x: tf.nn.weighted_cross_entropy_with_logits(y, x, 2.0)
    yield case("weighted_cross_entropy", weighted, LABELS, LOGITS)
    yield case("log_poisson_loss", lambda tf, y, x: tf.nn.log_poisson_loss(y, x), LABELS, LOGITS)
    full = lambda tf, y, x: tf.nn.log_poisson_loss(y, x, compute_full_loss=True)
    yield case("log_poisson_loss full", full, ([[2.0, 3.0, 1.5]], "float64"), ([[1.0, -1.0, 0.5]], "float64"))


def _layers() -> Iterator[Case]:
    yield case("bias_add", lambda tf, x, b: tf.nn.bias_add(x, b), grid(2, 3), grid(3))
    yield case("bias_add squared", lambda tf, x, b: tf.nn.bias_add(x, b) ** 2, grid(2, 2, 3), grid(3))
    yield case("bias_add NCHW", lambda tf, x, b: tf.nn.bias_add(x, b, "NCHW"), grid(2, 3, 2, 2), grid(3))
    yield case("bias_add of a bad size", lambda tf, x, b: tf.nn.bias_add(x, b), grid(2, 3), grid(2), order=0)
    normal = lambda tf, x, m, v, o, s: tf.nn.batch_normalization(x, m, v, o, s, 1e-3)
    yield case(
        "batch_normalization", normal, grid(2, 3), grid(3), ([1.0, 2.0, 0.5], "float64"), grid(3), grid(3), scale=10
    )
    plain = lambda tf, x, m, v: tf.nn.batch_normalization(x, m, v, None, None, 1e-3)
    yield case("batch_normalization without scale", plain, grid(2, 3), grid(3), ([1.0, 2.0, 0.5], "float64"), scale=10)
    yield case("dropout of rate 0", lambda tf, x: tf.nn.dropout(x, 0), grid(3))
    yield case("dropout of a bad rate", lambda tf, x: tf.nn.dropout(x, 1.0), grid(3), order=0)
    yield case("dropout of integers", lambda tf, x: tf.nn.dropout(x, 0.5), ([1], "int32"), order=0)
    yield case(
        "local_response_normalization",
        lambda tf, x: tf.nn.local_response_normalization(x, 2, 1.0, 0.5, 0.5),
        grid(1, 2, 2, 3, dtype="float32"),
        order=1,
    )


def _convolutions() -> Iterator[Case]:
    for padding in ("SAME", "VALID"):
        for strides in (1, 2):
            conv = lambda tf, x, w, p=padding, s=strides: tf.nn.conv2d(x, w, s, p)
            yield case(f"conv2d {padding} strides={strides}", conv, grid(1, 4, 5, 2), grid(2, 3, 2, 2), scale=10)
            line = lambda tf, x, w, p=padding, s=strides: tf.nn.conv1d(x, w, s, p)
            yield case(f"conv1d {padding} strides={strides}", line, grid(2, 5, 2), grid(3, 2, 2), scale=10)
            deep = lambda tf, x, w, p=padding, s=strides: tf.nn.depthwise_conv2d(x, w, [1, s, s, 1], p)
            yield case(
                f"depthwise_conv2d {padding} strides={strides}", deep, grid(1, 4, 4, 2), grid(2, 2, 2, 2), scale=10
            )
            solid = lambda tf, x, w, p=padding, s=strides: tf.nn.conv3d(x, w, [1, s, s, s, 1], p)
            yield case(f"conv3d {padding} strides={strides}", solid, grid(1, 3, 3, 3, 1), grid(2, 2, 2, 1, 2), scale=10)
    yield case(
        "conv2d dilated",
        lambda tf, x, w: tf.nn.conv2d(x, w, 1, "VALID", dilations=2),
        grid(1, 5, 5, 1),
        grid(2, 2, 1, 1),
    )
    explicit = lambda tf, x, w: tf.nn.conv2d(x, w, 1, [[0, 0], [1, 0], [0, 2], [0, 0]])
    yield case("conv2d explicit padding", explicit, grid(1, 3, 3, 1), grid(2, 2, 1, 1))
    back = lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [1, 4, 4, 1], 2, "SAME")
    yield case("conv2d_transpose", back, grid(1, 2, 2, 2), grid(3, 3, 1, 2), scale=10)
    yield case(
        "conv2d of a bad depth",
        lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME"),
        grid(1, 3, 3, 2),
        grid(2, 2, 3, 1),
        order=0,
    )
    separable = lambda tf, x, d, p: tf.nn.separable_conv2d(x, d, p, [1, 1, 1, 1], "SAME")
    yield case("separable_conv2d", separable, grid(1, 3, 3, 2), grid(2, 2, 2, 1), grid(1, 1, 2, 2), scale=10)
    for padding in ("SAME", "VALID"):
        for name in ("max_pool2d", "avg_pool2d"):
            pool = lambda tf, x, p=padding, n=name: getattr(tf.nn, n)(x, 2, 2, p)
            yield case(f"{name} {padding}", pool, grid(1, 3, 4, 2), scale=10)
            overlap = lambda tf, x, p=padding, n=name: getattr(tf.nn, n)(x, 3, 1, p)
            yield case(f"{name} {padding} overlapping", overlap, grid(1, 4, 4, 1), scale=10)
            yield case(f"{name} {padding} squared", lambda tf, x, f=pool: f(tf, x * x) ** 2, grid(1, 4, 4, 1), scale=10)
        for name in ("max_pool1d", "avg_pool1d"):
            yield case(
                f"{name} {padding}", lambda tf, x, p=padding, n=name: getattr(tf.nn, n)(x, 2, 2, p), grid(1, 5, 2)
            )
        for name in ("max_pool3d", "avg_pool3d"):
            solid = lambda tf, x, p=padding, n=name: getattr(tf.nn, n)(x, 2, 2, p)
            yield case(f"{name} {padding}", solid, grid(1, 3, 2, 2, 1, dtype="float32"), scale=10)
    yield case("max_pool2d ties", lambda tf, x: tf.nn.max_pool2d(x, 2, 2, "VALID"), [[[[1.0], [1.0]], [[1.0], [1.0]]]])
    yield case("max_pool", lambda tf, x: tf.nn.max_pool(x, 2, 2, "VALID"), grid(1, 4, 4, 1))
    yield case("avg_pool", lambda tf, x: tf.nn.avg_pool(x, 2, 1, "SAME"), grid(1, 4, 4, 1))


def _checks() -> Iterator[Case]:
    yield case("check_numerics", lambda tf, x: tf.debugging.check_numerics(x, "msg"), grid(3))
    yield case("check_numerics of nan", lambda tf, x: tf.debugging.check_numerics(x, "msg"), [nan], order=0)
    yield case("check_numerics of infinity", lambda tf, x: tf.debugging.check_numerics(x, "msg"), [1.0, inf], order=0)
    yield case("check_numerics of both", lambda tf, x: tf.debugging.check_numerics(x, "msg"), [nan, inf], order=0)
    guarded = lambda tf, x: tf.math.log(tf.debugging.check_numerics(x, "msg"))
    yield case("check_numerics of an infinite gradient", guarded, [0.0])
    args = lambda tf, x: tf.quantization.fake_quant_with_min_max_args(x)
    yield case("fake_quant_with_min_max_args", args, [-7.0, -6.0, 0.1, 6.0, 7.0], order=1)
    ranged = lambda tf, x: tf.quantization.fake_quant_with_min_max_args(x, -1.0, 2.0, 4, True)
    yield case("fake_quant_with_min_max_args in a range", ranged, [-7.0, -0.3, 0.1, 1.9, 7.0], order=1)
    variables = lambda tf, x, a, b: tf.quantization.fake_quant_with_min_max_vars(x, a, b)
    yield case("fake_quant_with_min_max_vars", variables, [-7.0, -0.3, 0.1, 1.9, 7.0], -1.0, 2.0, order=1)
    channels = lambda tf, x, a, b: tf.quantization.fake_quant_with_min_max_vars_per_channel(x, a, b)
    yield case(
        "fake_quant_with_min_max_vars_per_channel",
        channels,
        [[-7.0, 0.3], [0.2, 7.0]],
        [-1.0, -2.0],
        [1.0, 2.0],
        order=1,
    )
    dequantize = lambda tf, x: tf.quantization.quantize_and_dequantize_v2(x, -1.0, 1.0, range_given=True)
    yield case("quantize_and_dequantize_v2", dequantize, [-2.0, 0.3, 2.0])


CASES = tuple(one for group in (_losses, _layers, _convolutions, _checks) for one in group())
