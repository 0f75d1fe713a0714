"""NUM, third part: broadcasting, products of matrices, slicing, padding, scattering, segments."""

from __future__ import annotations

from typing import Any

from conformance.rules import Group
from conformance.rules import gradient_at as at

GROUP = Group("NUM", "Numerical conventions", source="tf")
show, rule, also = GROUP.shown_by, GROUP.rule, GROUP.also

show(
    "NUM-79",
    "The gradient of a broadcast operand is summed back to its shape.",
    at(lambda tf, x, y: x + y, [1.0, 2.0, 3.0], [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]),
)
show(
    "NUM-80",
    "An axis of size 1 that was broadcast keeps its size in the gradient.",
    at(lambda tf, x, y: x * y, [[1.0], [2.0]], [[1.0, 2.0, 3.0]]),
)
show(
    "NUM-81",
    "A scalar beside a vector has a scalar gradient.",
    at(lambda tf, x, y: x - y, 1.0, [1.0, 2.0]),
    at(lambda tf, x, y: x / y, 1.0, [1.0, 2.0]),
)


@rule("NUM-82", "Broadcast against an empty tensor, an element has gradient 0.")
def _(tf: Any) -> None:
    x, y = tf.zeros([0]), tf.constant([2.0])
    with tf.GradientTape() as t:
        t.watch([x, y])
        z = x * y
    t.gradient(z, [x, y])


show(
    "NUM-83",
    "broadcast_to, tile and repeat sum what flows back over the copies.",
    at(lambda tf, x: tf.broadcast_to(x, [3, 2]), [[1.0, 2.0]]),
    at(lambda tf, x: tf.tile(x, [2]), [1.0, 2.0]),
    at(lambda tf, x: tf.repeat(x, [2, 3]), [1.0, 2.0]),
)
show(
    "NUM-84",
    "Shapes that do not broadcast are an error of the op.",
    at(lambda tf, x, y: x + y, [1.0, 2.0], [1.0, 2.0, 3.0]),
)
show(
    "NUM-85",
    "matmul broadcasts its batch axes and sums the gradients back.",
    at(
        lambda tf, a, b: tf.matmul(a, b),
        [[[[1.0, 2.0], [3.0, 4.0]]]],
        [[[1.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 2.0]]],
    ),
)
show(
    "NUM-86",
    "matmul differentiates with either operand transposed.",
    at(lambda tf, a, b: tf.matmul(a, b, transpose_b=True), [[1.0, 2.0]], [[3.0, 4.0], [4.0, 3.0]]),
    at(lambda tf, a, b: tf.matmul(a, b, transpose_a=True), [[1.0, 2.0]], [[3.0, 4.0]]),
)
show(
    "NUM-87",
    "einsum differentiates products, diagonals, sums and ellipses.",
    at(lambda tf, a, b: tf.einsum("ij,jk->ik", a, b), [[1.0, 2.0]], [[3.0], [4.0]]),
    at(lambda tf, a: tf.einsum("ii->i", a), [[1.0, 2.0], [3.0, 4.0]]),
    at(lambda tf, a: tf.einsum("ij->", a), [[1.0, 2.0]]),
    at(lambda tf, a, b: tf.einsum("...i,i->...", a, b), [[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]),
)
show(
    "NUM-88",
    "tensordot and matvec are differentiable in both operands.",
    at(lambda tf, a, b: tf.tensordot(a, b, 0), [1.0, 2.0], [3.0, 4.0]),
    at(lambda tf, a, b: tf.tensordot(a, b, 1), [1.0, 2.0], [3.0, 4.0]),
    at(lambda tf, a, b: tf.linalg.matvec(a, b), [[1.0, 2.0]], [3.0, 4.0]),
)
show(
    "NUM-89",
    "concat and stack split what flows back; an output of split that is not used counts as zeros.",
    at(lambda tf, x, y: tf.concat([x, y], 0) * tf.constant([1.0, 2.0, 3.0]), [1.0], [2.0, 3.0]),
    at(lambda tf, x, y: tf.stack([x, y]) * tf.constant([1.0, 2.0]), 1.0, 2.0),
    at(lambda tf, x: tf.split(x, 2).parts(2)[1] * 5.0, [1.0, 2.0]),
)
show(
    "NUM-90",
    "Slices with steps, backwards or with a new axis put the gradient back in place.",
    at(lambda tf, x: x[::-1] * tf.constant([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]),
    at(lambda tf, x: x[1:3:2], [1.0, 2.0, 3.0]),
    at(lambda tf, x: x[..., tf.newaxis] * 2.0, [1.0]),
)
show(
    "NUM-91",
    "A list as index is one index per axis; a boolean mask as index selects.",
    at(lambda tf, x: x[[0, 1]], [1.0, 2.0]),
    at(lambda tf, x: x[tf.constant([True, False])], [1.0, 2.0]),
)
show(
    "NUM-92",
    "Padding by reflection adds what flows back to the mirrored elements.",
    at(lambda tf, x: tf.pad(x, [[1, 1]]), [1.0, 2.0, 3.0]),
    at(lambda tf, x: tf.pad(x, [[1, 1]], mode="REFLECT"), [1.0, 2.0, 3.0]),
    at(lambda tf, x: tf.pad(x, [[1, 1]], mode="SYMMETRIC"), [1.0, 2.0, 3.0]),
)
show(
    "NUM-93",
    "transpose, reverse and roll carry the gradient back to where the element was.",
    at(lambda tf, x: tf.transpose(x) * tf.constant([[1.0, 3.0], [2.0, 4.0]]), [[1.0, 2.0], [3.0, 4.0]]),
    at(lambda tf, x: tf.reverse(x, [0]) * tf.constant([1.0, 2.0]), [1.0, 2.0]),
    at(lambda tf, x: tf.roll(x, 1, 0) * tf.constant([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]),
)
show(
    "NUM-94",
    "scatter_nd gathers back; an update with a repeated index sends its gradient to every update; max splits ties.",
    at(lambda tf, u: tf.scatter_nd(tf.constant([[0], [0]]), u, [2]) * 3.0, [1.0, 2.0]),
    at(lambda tf, x, u: tf.tensor_scatter_nd_update(x, tf.constant([[0], [0]]), u), [1.0, 2.0], [5.0, 6.0]),
    at(lambda tf, x, u: tf.tensor_scatter_nd_add(x, tf.constant([[0], [0]]), u), [1.0, 2.0], [5.0, 6.0]),
    at(lambda tf, x, u: tf.tensor_scatter_nd_max(x, tf.constant([[0]]), u), [1.0, 2.0], [1.0]),
)
show(
    "NUM-95",
    "Gathering an element twice adds its gradients.",
    at(lambda tf, x: tf.gather_nd(x, tf.constant([[0, 1], [0, 1]])), [[1.0, 2.0]]),
    at(lambda tf, x: tf.gather(x, tf.constant([1, 1]), axis=1), [[1.0, 2.0]]),
)
show(
    "NUM-96",
    "band_part, diag, diag_part, trace and set_diag pass the gradient to the elements they kept.",
    at(lambda tf, x: tf.linalg.band_part(x, 0, 0), [[1.0, 2.0], [3.0, 4.0]]),
    at(lambda tf, x: tf.linalg.diag(x), [1.0, 2.0]),
    at(lambda tf, x: tf.linalg.diag_part(x), [[1.0, 2.0], [3.0, 4.0]]),
    at(lambda tf, x: tf.linalg.trace(x), [[1.0, 2.0], [3.0, 4.0]]),
    at(lambda tf, x, d: tf.linalg.set_diag(x, d), [[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]),
)
show(
    "NUM-97",
    "Segment mean, sum, min and prod; a zero in segment_prod.",
    at(lambda tf, x: tf.math.segment_mean(x, tf.constant([0, 0, 1])), [1.0, 2.0, 3.0]),
    at(lambda tf, x: tf.math.segment_sum(x, tf.constant([0, 0, 1])), [1.0, 2.0, 3.0]),
    at(lambda tf, x: tf.math.segment_min(x, tf.constant([0, 0, 1])), [1.0, 2.0, 3.0]),
    at(lambda tf, x: tf.math.segment_prod(x, tf.constant([0, 0, 1])), [2.0, 0.0, 3.0]),
)
show(
    "NUM-98",
    "A negative segment id drops its row: gradient 0.",
    at(lambda tf, x: tf.math.unsorted_segment_sum(x, tf.constant([0, -1, 1]), 2), [1.0, 2.0, 3.0]),
    at(lambda tf, x: tf.math.unsorted_segment_mean(x, tf.constant([0, 0, 1]), 2), [1.0, 2.0, 3.0]),
)
show(
    "NUM-99",
    "linspace and fill are differentiable; range and one_hot are not.",
    at(lambda tf, x: tf.linspace(0.0, x, 4) * tf.constant([0.0, 0.5, 0.5, 0.5]), 3.0),
    at(lambda tf, x: tf.range(0.0, x, 1.0), 3.0),
    at(lambda tf, x: tf.one_hot(tf.constant([0]), 2, on_value=x), 3.0),
    at(lambda tf, x: tf.fill([2], x), 3.0),
)
show(
    "NUM-100",
    "zeros_like, ones_like and shape are no path: None.",
    at(lambda tf, x: tf.zeros_like(x), [1.0]),
    at(lambda tf, x: tf.ones_like(x), [1.0]),
    at(lambda tf, x: tf.shape(x), [1.0]),
)
show(
    "NUM-101",
    "unique has no gradient function, which is an error.",
    at(lambda tf, x: tf.unique(x).parts(1)[0], [1.0, 2.0, 1.0]),
)


@also("NUM-101")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        first = tf.meshgrid(x, tf.constant([1.0, 2.0, 3.0])).parts(1)[0]
    t.gradient(first, x)


show(
    "NUM-102",
    "check_numerics fails on nan under a tape as anywhere; ensure_shape passes the gradient on.",
    at(lambda tf, x: tf.debugging.check_numerics(x, "msg"), [float("nan")]),
    at(lambda tf, x: tf.ensure_shape(x, [1]) * 2.0, [1.0]),
)


show(
    "NUM-131",
    "The gradient of QR factors of a singular matrix is nan: its zero on the diagonal of R is exact.",
    at(lambda tf, x: tf.linalg.qr(x).parts(2)[1], [[1.0, 2.0], [0.5, 1.0]], dtype="float64"),
    at(lambda tf, x: tf.linalg.qr(x).parts(2)[1], [[1.0, 2.0, 3.0], [0.5, 1.0, -1.0]], dtype="float64"),
)
