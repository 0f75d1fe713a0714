"""NUM, fourth part: losses, layers, matrices, special functions, random numbers, images."""

from __future__ import annotations

from typing import Any

from conformance.rules import Group
from conformance.rules import gradient_at as at

GROUP = Group("NUM", "Numerical conventions", source="tf")
show, rule, also = GROUP.shown_by, GROUP.rule, GROUP.also

IDENTITY = [[1.0, 0.0], [0.0, 1.0]]

show(
    "NUM-103",
    "softmax and log_softmax do not overflow.",
    at(lambda tf, x: tf.nn.softmax(x)[0], [0.0, 0.0]),
    at(lambda tf, x: tf.nn.log_softmax(x)[1], [1000.0, 0.0]),
)
show(
    "NUM-104",
    "softmax cross entropy is differentiable in its labels too.",
    at(
        lambda tf, labels, logits: tf.nn.softmax_cross_entropy_with_logits(labels, logits),
        [[1.0, 0.0]],
        [[0.0, 0.0]],
    ),
)
show(
    "NUM-105",
    "A label out of range is an error.",
    at(lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(tf.constant([5]), x), [[1.0, 2.0]]),
)
show(
    "NUM-106",
    "Sigmoid cross entropy has sigmoid minus label.",
    at(
        lambda tf, x: tf.nn.sigmoid_cross_entropy_with_logits(tf.constant([0.0, 1.0, 0.0]), x),
        [0.0, -1000.0, 1000.0],
    ),
)
show("NUM-107", "A hinge by relu has slope 0 at its kink.", at(lambda tf, x: tf.nn.relu(1.0 - x), [1.0]))
show(
    "NUM-108",
    "l2_loss has the tensor itself for its gradient; the variance of equal elements has 0.",
    at(lambda tf, x: tf.nn.l2_loss(x), [1.0, 2.0]),
    at(lambda tf, x: tf.nn.moments(x, [0]).parts(2)[1], [2.0, 2.0]),
)
show("NUM-109", "dropout at rate 0 passes everything.", at(lambda tf, x: tf.nn.dropout(x, 0.0), [1.0, 2.0]))
show(
    "NUM-110",
    "conv2d, avg_pool and bias_add are differentiable.",
    at(
        lambda tf, x, w: tf.nn.conv2d(x, w, strides=1, padding="VALID"),
        [[[[1.0], [1.0]], [[1.0], [1.0]]]],
        [[[[1.0]]]],
    ),
    at(lambda tf, x: tf.nn.avg_pool2d(x, 2, 2, "VALID"), [[[[1.0], [2.0]], [[3.0], [4.0]]]]),
    at(lambda tf, x, b: tf.nn.bias_add(x, b), [[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]),
)


@rule("NUM-111", "relu takes integers.")
def _(tf: Any) -> None:
    tf.nn.relu(tf.constant([1, -1]))


show(
    "NUM-112",
    "The inverse and the log-determinant are differentiable; the determinant of a singular matrix is an error.",
    at(lambda tf, x: tf.linalg.inv(x), [[2.0, 0.0], [0.0, 2.0]]),
    at(lambda tf, x: tf.linalg.det(x), [[2.0, 0.0], [0.0, 3.0]]),
    at(lambda tf, x: tf.linalg.logdet(x), [[2.0, 0.0], [0.0, 4.0]]),
    at(lambda tf, x: tf.linalg.det(x), [[1.0, 1.0], [1.0, 1.0]]),
)
show(
    "NUM-113",
    "cholesky and solve are differentiable.",
    at(lambda tf, x: tf.linalg.cholesky(x), [[4.0, 2.0], [2.0, 3.0]]),
    at(lambda tf, a, b: tf.linalg.solve(a, b), [[2.0, 0.0], [0.0, 4.0]], [[1.0], [1.0]]),
)
show(
    "NUM-114",
    "Eigenvalues that repeat have finite gradients.",
    at(lambda tf, x: tf.linalg.eigvalsh(x)[0], [[1.0, 0.0], [0.0, 2.0]]),
    at(lambda tf, x: tf.linalg.eigvalsh(x), IDENTITY),
    at(lambda tf, x: tf.linalg.eigh(x).parts(2)[1], IDENTITY),
)
show(
    "NUM-115",
    "Singular values that repeat have finite gradients.",
    at(lambda tf, x: tf.linalg.svd(x, compute_uv=False), [[2.0, 0.0], [0.0, 1.0]]),
    at(lambda tf, x: tf.linalg.svd(x, compute_uv=False), IDENTITY),
)
show(
    "NUM-116",
    "expm and pinv are differentiable; lu has no gradient function.",
    at(lambda tf, x: tf.linalg.expm(x), [[0.0, 0.0], [0.0, 0.0]]),
    at(lambda tf, x: tf.linalg.lu(x).parts(1)[0], [[2.0, 1.0], [1.0, 3.0]]),
    at(lambda tf, x: tf.linalg.pinv(x), [[2.0, 0.0], [0.0, 4.0]]),
)
show(
    "NUM-117",
    "The Frobenius norm has nan at the zero matrix.",
    at(lambda tf, x: tf.norm(x, ord="fro", axis=[0, 1]), [[0.0, 0.0]]),
)
show(
    "NUM-118",
    "The gamma and error functions have their true slopes.",
    at(lambda tf, x: tf.math.lgamma(x), [0.5]),
    at(lambda tf, x: tf.math.digamma(x), [0.5]),
    at(lambda tf, x: tf.math.erf(x), [0.5]),
    at(lambda tf, x: tf.math.erfc(x), [0.5]),
    at(lambda tf, x: tf.math.erfinv(x), [0.5]),
    at(lambda tf, x: tf.math.ndtri(x), [0.5]),
)
show(
    "NUM-119",
    "igamma is differentiable in both arguments; zeta and polygamma have None in their first.",
    at(lambda tf, a, x: tf.math.igamma(a, x), [1.5], [1.0]),
    at(lambda tf, a, x: tf.math.igammac(a, x), [1.5], [1.0]),
    at(lambda tf, a, x: tf.math.zeta(a, x), [2.0], [0.75]),
    at(lambda tf, a, x: tf.math.polygamma(a, x), [1.0], [2.0]),
    at(lambda tf, a, b, x: tf.math.betainc(a, b, x), [1.0], [2.0], [0.25]),
)
show(
    "NUM-120",
    "Bessel functions and lbeta are differentiable.",
    at(lambda tf, x: tf.math.bessel_i0(x), [0.0]),
    at(lambda tf, x: tf.math.lbeta(x), [1.0, 2.0]),
)


def _nextafter_given(tf: Any) -> None:
    x, upstream = tf.constant([1.0, 2.0]), tf.constant([3.0, 5.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.nextafter(x, tf.constant([2.0, 2.0]))
    g = t.gradient(y, x, output_gradients=upstream)
    tf.same(g, upstream)


show(
    "NUM-121",
    "nextafter has slope 1, times the upstream; reduce_logsumexp with minus infinity has 0 there; cosh overflows to "
    "infinity.",
    at(lambda tf, x: tf.math.nextafter(x, tf.constant([2.0], "float64")), [1.0], dtype="float64"),
    _nextafter_given,
    at(lambda tf, x: tf.reduce_logsumexp(x), [float("-inf"), 0.0]),
    at(lambda tf, x: tf.cosh(x), [100.0]),
)
show(
    "NUM-122",
    "softplus, sinh and asinh at large arguments.",
    at(lambda tf, x: tf.math.softplus(x), [50.0, -50.0]),
    at(lambda tf, x: tf.sinh(x), [-100.0]),
    at(lambda tf, x: tf.asinh(x), [1e10]),
)
show(
    "NUM-123",
    "A random normal is differentiable in its mean.",
    at(lambda tf, x: tf.random.stateless_normal([2], seed=[1, 2], mean=x), 3.0),
    at(lambda tf, x: x + tf.random.stateless_normal([2], seed=[1, 2]), 3.0),
)
show(
    "NUM-124",
    "A random draw from a categorical distribution is no path: None.",
    at(lambda tf, x: tf.random.stateless_categorical(x, 1, seed=[1, 2]), [[0.5, 0.25]]),
)


@rule("NUM-125", "Three contributions to one tensor are rounded as they are added.")
def _(tf: Any) -> None:
    x = tf.constant(1.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.add_n([x * 1e8, x * 1.0, x * -1e8])
    t.gradient(y, x)


show(
    "NUM-126",
    "Resizing an image is differentiable.",
    at(lambda tf, x: tf.image.resize(x, [1, 1]), [[[[1.0], [2.0]], [[3.0], [4.0]]]]),
)
show(
    "NUM-127",
    "Fake quantisation has slope 1 inside its range and 0 outside.",
    at(lambda tf, x: tf.quantization.fake_quant_with_min_max_args(x), [-7.0, 0.0, 7.0]),
)
show(
    "NUM-128",
    "quantize_and_dequantize_v2 has slope 1 inside its range and 0 outside.",
    at(
        lambda tf, x: tf.quantization.quantize_and_dequantize_v2(x, -1.0, 1.0, range_given=True),
        [-7.0, 0.0, 7.0],
    ),
)
show(
    "NUM-129",
    "A histogram has no gradient function, which is an error.",
    at(lambda tf, x: tf.histogram_fixed_width(x, [0.0, 1.0]), [0.5]),
)


@rule("NUM-130", "An empty segment takes no gradient; reduce_max of nothing has none to give.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.segment_max(x, tf.constant([0, 2]))
    t.gradient(y, x)


@also("NUM-130")
def _(tf: Any) -> None:
    x = tf.zeros([0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.reduce_max(x)
    t.gradient(y, x)


show(
    "NUM-48",
    "nth_element splits a tie evenly.",
    at(lambda tf, x: tf.raw_ops.NthElement(input=x, n=1), [3.0, 1.0, 1.0]),
)
