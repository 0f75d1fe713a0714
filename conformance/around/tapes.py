"""Programs of what tapes can do besides a gradient: persistence, nesting, stopping, resetting, custom gradients."""

from __future__ import annotations

from typing import Any

from conformance.around.world import STEPS, Record, World


def persistent_and_nested_tapes(world: World) -> Record:
    """Fit a curve by its values and by its slopes: one persistent tape in another, asked several times."""
    tf, record = world.tf, Record()
    x = tf.constant(world.numbers(1, 16, 1))
    value, slope = tf.sin(x), tf.cos(x)
    weights = [tf.Variable(world.numbers(k, *s, scale=0.5)) for k, s in enumerate([(1, 8), (8,), (8, 1), (1,)], 2)]
    w1, b1, w2, b2 = weights
    for k in range(STEPS):
        with tf.GradientTape(persistent=True) as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.matmul(tf.tanh(tf.matmul(x, w1) + b1), w2) + b2
            dy_dx = inner.gradient(y, x)
            by_value = tf.reduce_mean(tf.square(y - value))
            by_slope = tf.reduce_mean(tf.square(dy_dx - slope))
            loss = by_value + 0.5 * by_slope
        record.see(f"by value {k}", outer.gradient(by_value, w1))
        record.see(f"by slope {k}", outer.gradient(by_slope, w1))
        gradients = outer.gradient(loss, weights)
        del outer
        record.step(k, loss, gradients)
        for w, g in zip(weights, gradients):
            w.assign_sub(0.1 * g)
    return record


def stopped_and_reset_tapes(world: World) -> Record:
    """A target that is computed off the tape, a bad start that is reset away, and only chosen variables watched."""
    tf, record = world.tf, Record()
    w, target = tf.Variable(world.numbers(1, 5, 3)), tf.Variable(world.numbers(2, 5, 3))
    for k in range(STEPS):
        x = tf.constant(world.numbers(10 + k, 4, 5))
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(w)
            if tf.reduce_sum(x) > 0:
                tape.reset()
                tape.watch(w)
            y = tf.matmul(x, w)
            with tape.stop_recording():
                scale = tf.reduce_max(tf.abs(tf.matmul(x, w))) + 1.0
            loss = tf.reduce_mean(tf.square(y / scale - tf.matmul(x, target)))
        record.texts[f"watched {k}"] = str(len(tape.watched_variables()))
        gradient, none = tape.gradient(loss, [w, target])
        record.step(k, loss, [gradient])
        record.texts[f"unwatched {k}"] = repr(none)
        w.assign_sub(0.2 * gradient)
        target.assign(0.99 * target + 0.01 * w)
    return record


def clipped_by_custom_gradients(world: World) -> Record:
    """A long recurrence whose gradient is clipped at every step on its way back, by a custom gradient."""
    tf, record = world.tf, Record()

    @tf.custom_gradient
    def clip_on_the_way_back(h: Any) -> Any:
        def backward(upstream: Any) -> Any:
            return tf.clip_by_norm(upstream, 0.5)

        return tf.identity(h), backward

    w = tf.Variable(world.numbers(1, 6, 6, scale=0.6))
    v = tf.Variable(world.numbers(2, 6, 1))
    for k in range(STEPS):
        start = tf.constant(world.numbers(10 + k, 3, 6))
        with tf.GradientTape() as tape:
            h = start
            for _ in range(12):
                h = clip_on_the_way_back(tf.tanh(tf.matmul(h, w)))
            loss = tf.reduce_sum(tf.square(tf.matmul(h, v) - 1.0))
        gradients, norm = tf.clip_by_global_norm(tape.gradient(loss, [w, v]), 5.0)
        record.step(k, loss, [*gradients, norm])
        w.assign_sub(0.05 * gradients[0])
        v.assign_sub(0.05 * gradients[1])
    return record
