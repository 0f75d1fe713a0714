"""Where TensorFlow's gradient is not the derivative of TensorFlow's own forward: programs that show it, one a fault.

`FAULTS` lists them. The last gradient of each program is the one in question, by its one source. At every point the
function is differentiable, so no convention is at stake. `examining.py` asks the arbiters, and
`python -m conformance.differs_page` writes what they say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from adapters.language import Program
from conformance.handwritten import written


@dataclass(frozen=True)
class Fault:
    """One fault: a permanent name, a heading, what is wrong and why, and the function that writes its program."""

    name: str
    title: str
    why: str
    write: Callable[[Any], None]

    @cached_property
    def program(self) -> Program:
        """The program that shows it."""
        return written(self.write)


_FOUND: list[Fault] = []


def fault(title: str, why: str) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Register the program below; the function's name is the fault's."""

    def register(write: Callable[[Any], None]) -> Callable[[Any], None]:
        _FOUND.append(Fault(write.__name__.replace("_", "-"), title, why, write))
        return write

    return register


# ---------------------------------------------------------------- products


@fault(
    "cumprod where an element is 0",
    "The gradient divides by the element, and a division by 0 counts as 0: what passes through the zero is lost.",
)
def cumprod_at_zero(tf: Any) -> None:
    x = tf.constant([2.0, 0.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.cumprod(x)
    t.gradient(y, x)


@fault(
    "Exclusive cumprod where an element is 0",
    "As for cumprod: the slope by the zero itself is lost, although the outputs behind it depend on it.",
)
def exclusive_cumprod_at_zero(tf: Any) -> None:
    x = tf.constant([2.0, 0.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.cumprod(x, exclusive=True, reverse=True)
    t.gradient(y, x)


@fault(
    "Second derivatives of reduce_prod where an element is 0",
    "The first gradient is right, but it is made of cumprod, whose own gradient is wrong at zeros.",
)
def second_order_of_prod_at_zero(tf: Any) -> None:
    x = tf.constant([2.0, 0.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_prod(x)
        g = inner.gradient(y, x)
    outer.gradient(g, x)


# ---------------------------------------------------------------- products and quotients that are 0 by decree


@fault("xlogy at x = 0, by x", "x log y is linear in x with slope log y; TensorFlow takes the slope for 0 where x is.")
def xlogy_by_x(tf: Any) -> None:
    x, y = tf.constant([0.0, 2.0]), tf.constant([3.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        z = tf.math.xlogy(x, y)
    t.gradient(z, x)


@fault("xlog1py at x = 0, by x", "x log(1 + y) is linear in x; TensorFlow takes the slope for 0 where x is.")
def xlog1py_by_x(tf: Any) -> None:
    x, y = tf.constant([0.0, 2.0]), tf.constant([3.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        z = tf.math.xlog1py(x, y)
    t.gradient(z, x)


@fault("xdivy at x = 0, by x", "x / y is linear in x with slope 1 / y; TensorFlow takes the slope for 0 where x is.")
def xdivy_by_x(tf: Any) -> None:
    x, y = tf.constant([0.0, 2.0]), tf.constant([4.0, 4.0])
    with tf.GradientTape() as t:
        t.watch(x)
        z = tf.math.xdivy(x, y)
    t.gradient(z, x)


@fault(
    "multiply_no_nan of 0 and an infinite slope",
    "The product is 0 for every x, but behind it 0 is multiplied with the infinite slope of 1 / x.",
)
def multiply_no_nan_of_a_pole(tf: Any) -> None:
    x = tf.constant([0.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        z = tf.math.multiply_no_nan(1.0 / x, 0.0)
    t.gradient(z, x)


@fault(
    "where that leaves out a singular point",
    "The branch that is not chosen has the upstream 0, and 0 times its infinite slope is nan. The function is smooth.",
)
def where_around_a_pole(tf: Any) -> None:
    x = tf.constant([0.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        z = tf.where(tf.equal(x, 0.0), 1.0, tf.sin(x) / x)
    t.gradient(z, x)


# ---------------------------------------------------------------- powers


@fault(
    "x ** 0 at 0", "The power is 1 for every x; its slope is computed as 0 times 0 ** -1, which is 0 times infinity."
)
def power_of_zero(tf: Any) -> None:
    x = tf.constant([0.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.pow(x, 0.0)
    t.gradient(y, x)


@fault("The second derivative of x ** 1 at 0", "It is 0 everywhere; TensorFlow multiplies 0 with 0 ** -1.")
def second_order_of_power_one(tf: Any) -> None:
    x = tf.constant([0.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.pow(x, 1.0)
        g = inner.gradient(y, x)
    outer.gradient(g, x)


@fault(
    "sqrt of a fourth power at 0", "The function is x * x; the infinite slope of sqrt at 0 meets the slope 0 inside."
)
def root_of_a_fourth_power(tf: Any) -> None:
    x = tf.constant([0.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.sqrt(tf.square(tf.square(x)))
    t.gradient(y, x)


# ---------------------------------------------------------------- losses and statistics


@fault(
    "softmax_cross_entropy_with_logits of labels that do not sum to 1",
    "The gradient is softmax - labels, which leaves out the factor sum(labels) of the softmax.",
)
def cross_entropy_of_unnormalised_labels(tf: Any) -> None:
    x, labels = tf.constant([0.5, -1.0, 2.0]), tf.constant([2.0, 1.0, 0.5])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.nn.softmax_cross_entropy_with_logits(labels, x)
    t.gradient(y, x)


@fault(
    "Mixed second derivatives of softmax_cross_entropy_with_logits",
    "The gradient by the logits depends on the labels, and TensorFlow does not differentiate that dependence.",
)
def cross_entropy_by_logits_and_labels(tf: Any) -> None:
    x, p = tf.constant([0.5, -1.0, 2.0]), tf.constant([0.25])
    with tf.GradientTape() as outer:
        outer.watch(p)
        labels = tf.constant([0.0, 0.5, 0.5]) + p * tf.constant([1.0, -1.0, 0.0])
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.nn.softmax_cross_entropy_with_logits(labels, x)
        g = inner.gradient(y, x)
    outer.gradient(g, p, output_gradients=tf.constant([1.0, 2.0, 4.0]))


@fault(
    "weighted_cross_entropy_with_logits at 0",
    "The loss is smooth, but it is computed with relu and abs, whose slopes at 0 are both taken for 0.",
)
def weighted_cross_entropy_at_zero(tf: Any) -> None:
    x = tf.constant([0.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.nn.weighted_cross_entropy_with_logits(tf.constant([0.5, 0.5]), x, tf.constant(3.0))
    t.gradient(y, x)


@fault(
    "Second derivatives of the variance of moments",
    "The mean inside the variance is taken for a constant. That is right for first derivatives alone.",
)
def second_order_of_moments(tf: Any) -> None:
    x = tf.constant([1.0, 2.0, 6.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.nn.moments(x, [0])
        g = inner.gradient(y[1], x)
    outer.gradient(g, x, output_gradients=tf.constant([1.0, 0.0, 0.0]))


@fault(
    "clip_by_global_norm of zeros",
    "Nothing is clipped, so the slope is 1. TensorFlow also computes 1 / norm, and 0 times its infinite slope is nan.",
)
def clip_by_global_norm_of_zeros(tf: Any) -> None:
    x = tf.constant([0.0, 0.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.clip_by_global_norm([x], 5.0)
        z = y[0][0]
    t.gradient(z, x)


# ---------------------------------------------------------------- special functions


@fault("zeta by its first argument", "There is no gradient, and None is given in its place without an error.")
def zeta_by_x(tf: Any) -> None:
    x, q = tf.constant([3.0]), tf.constant([2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.zeta(x, q)
    t.gradient(y, x)


@fault("betainc by its first argument", "There is no gradient, and None is given in its place without an error.")
def betainc_by_a(tf: Any) -> None:
    a, b, x = tf.constant([2.0]), tf.constant([3.0]), tf.constant([0.25])
    with tf.GradientTape() as t:
        t.watch(a)
        y = tf.math.betainc(a, b, x)
    t.gradient(y, a)


@fault("betainc by its second argument", "There is no gradient, and None is given in its place without an error.")
def betainc_by_b(tf: Any) -> None:
    a, b, x = tf.constant([2.0]), tf.constant([3.0]), tf.constant([0.25])
    with tf.GradientTape() as t:
        t.watch(b)
        y = tf.math.betainc(a, b, x)
    t.gradient(y, b)


@fault("The second derivative of bessel_j1 at 0", "The slope at 0 is put in by hand; its own slope becomes 0 / 0.")
def second_order_of_bessel_j1(tf: Any) -> None:
    x = tf.constant([0.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.math.special.bessel_j1(x)
        g = inner.gradient(y, x)
    outer.gradient(g, x)


@fault("The second derivative of spence at 1", "The slope at 1 is put in by hand, so that its own slope is lost.")
def second_order_of_spence(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.math.special.spence(x)
        g = inner.gradient(y, x)
    outer.gradient(g, x)


# ---------------------------------------------------------------- writing and matrices


@fault(
    "tensor_scatter_nd_update that writes one place twice",
    "Only the last update is in the result, but every update gets the gradient of the place.",
)
def scatter_update_of_one_place(tf: Any) -> None:
    x, u = tf.constant([1.0, 2.0, 3.0]), tf.constant([4.0, 5.0])
    with tf.GradientTape() as t:
        t.watch(u)
        y = tf.tensor_scatter_nd_update(x, tf.constant([[1], [1]]), u)
    t.gradient(y, u)


@fault(
    "dynamic_stitch that writes one place twice",
    "The documentation says that the last one counts, but every one gets the gradient of the place.",
)
def dynamic_stitch_of_one_place(tf: Any) -> None:
    x = tf.constant([4.0, 5.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.dynamic_stitch([tf.constant([0, 1]), tf.constant([1])], [x, tf.constant([6.0])])
    t.gradient(y, x)


@fault(
    "cholesky above the diagonal",
    "The forward reads the lower triangle alone, but the gradient is shared between both triangles.",
)
def cholesky_of_both_triangles(tf: Any) -> None:
    x = tf.constant([[4.0, 1.0], [1.0, 3.0]])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.linalg.cholesky(x)
    t.gradient(y, x)


FAULTS: tuple[Fault, ...] = tuple(_FOUND)
