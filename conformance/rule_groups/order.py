"""ORDER: in which order backward functions run, which run at all, and in which order contributions add up.

A program sees the order by a variable that each backward function appends its digit to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.rules import Group

GROUP = Group("ORDER", "Order of the backward walk", source="tf.GradientTape.gradient")
rule, also = GROUP.rule, GROUP.also


def logged(tf: Any, log: Any, digit: float, passing: bool = True) -> Any:
    """An identity whose backward function appends `digit` to `log`, and passes on what it is given, or None."""

    def backward(dy: Any) -> Any:
        log.assign(log * 10.0 + digit)
        return dy if passing else None

    return tf.custom_gradient(lambda a: (tf.identity(a), backward))


def ordered(count: int, target: Callable[..., Any]) -> Callable[[Any], None]:
    """A program of `count` logged functions; `target(x, *functions)` combines them."""

    def write(tf: Any) -> None:
        x, log = tf.constant(3.0), tf.Variable(0.0)
        functions = [logged(tf, log, k + 1.0) for k in range(count)]
        with tf.GradientTape() as t:
            t.watch(x)
            y = target(x, *functions)
        t.gradient(y, x)
        log.read_value()

    return write


GROUP.shown_by("ORDER-01", "A chain runs backwards from its end.", ordered(3, lambda x, a, b, c: c(b(a(x)))))
GROUP.shown_by(
    "ORDER-02",
    "What made the first operand runs before what made the second.",
    ordered(2, lambda x, a, b: a(x) + b(x)),
)
GROUP.shown_by(
    "ORDER-03",
    "Of a few targets the last is begun with.",
    ordered(3, lambda x, a, b, c: [a(x), b(x), c(x)]),
)


@rule("ORDER-04", "What two ops consume runs once, after both, with the sum of what they send.")
def _(tf: Any) -> None:
    ordered(3, lambda x, a, b, c: _diamond(a(x), b, c))(tf)


def _diamond(h: Any, b: Any, c: Any) -> Any:
    return b(h) + c(h)


@rule("ORDER-05", "Where a backward function returns None, what lies behind it does not run.")
def _(tf: Any) -> None:
    x, log = tf.constant(3.0), tf.Variable(0.0)
    a, b = logged(tf, log, 1.0), logged(tf, log, 2.0, passing=False)
    with tf.GradientTape() as t:
        t.watch(x)
        y = b(a(x))
    t.gradient(y, x)
    log.read_value()


@rule("ORDER-06", "None from one consumer leaves what the other consumer sends.")
def _(tf: Any) -> None:
    x, log = tf.constant(3.0), tf.Variable(0.0)
    a, b = logged(tf, log, 1.0), logged(tf, log, 2.0, passing=False)
    with tf.GradientTape() as t:
        t.watch(x)
        h = a(x)
        y = b(h) + h
    t.gradient(y, x)
    log.read_value()


@rule("ORDER-07", "Recorded ops that the target does not depend on do not run.")
def _(tf: Any) -> None:
    x, log = tf.constant(3.0), tf.Variable(0.0)
    a, b = logged(tf, log, 1.0), logged(tf, log, 2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        a(x)
        y = b(x)
    t.gradient(y, x)
    log.read_value()


@rule("ORDER-08", "The walk does not stop at a source: it goes on to the watched leaves.")
def _(tf: Any) -> None:
    x, log = tf.constant(3.0), tf.Variable(0.0)
    a, b = logged(tf, log, 1.0), logged(tf, log, 2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        h = a(x)
        y = b(h)
    t.gradient(y, h)
    log.read_value()


def weighted_sum(order: tuple[int, int, int]) -> Callable[[Any], None]:
    """x * 1e8, x and x * -1e8 added in a given order: in float32 the gradient tells the order of summation."""

    def write(tf: Any) -> None:
        x = tf.constant(1.0)
        weights = [(1e8, 1.0, -1e8)[k] for k in order]
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * weights[0] + x * weights[1] + x * weights[2]
        t.gradient(y, x)

    return write


GROUP.shown_by(
    "ORDER-09",
    "Contributions to one tensor are added in the order in which they arrive.",
    *(weighted_sum(order) for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 0, 1))),
)


def weighted_targets(order: tuple[int, int, int]) -> Callable[[Any], None]:
    """The same contributions as three targets."""

    def write(tf: Any) -> None:
        x = tf.constant(1.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = [x * (1e8, 1.0, -1e8)[k] for k in order]
        t.gradient(y, x)

    return write


GROUP.shown_by(
    "ORDER-10",
    "Contributions of a few targets are added from the last target to the first.",
    *(weighted_targets(order) for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0))),
)


@rule("ORDER-11", "A backward function that fails on a branch beside the source's path fails the gradient.")
def _(tf: Any) -> None:
    x, z = tf.constant([1.0]), tf.constant([2.0])
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = tf.cast(tf.bitcast(x, tf.float32), tf.float32) + z
    t.gradient(y, z)


GROUP.shown_by(
    "ORDER-12",
    "The operands of add_n run in their order.",
    lambda tf: ordered(6, lambda x, *functions: tf.add_n([f(x) for f in functions]))(tf),
)
GROUP.not_pinned(
    "ORDER-13",
    "The order in which many targets are begun with is that of a hash table.",
    "the order is no promise: it depends on the addresses of the build",
)
GROUP.shown_by(
    "ORDER-14",
    "The walk is breadth first: of two branches of unequal depth the nearer ops run first.",
    ordered(3, lambda x, a, b, c: a(x) + b(c(x))),
)
GROUP.shown_by(
    "ORDER-15",
    "Of two branches the second's near op runs before the first's far op.",
    ordered(4, lambda x, a, b, c, d: b(a(x)) + d(c(x))),
)
