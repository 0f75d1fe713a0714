"""A program that trains a module with a custom gradient, saves it, and goes on in a fresh process."""

from __future__ import annotations

from typing import Any

from conformance.around.world import STEPS, Record, World


def custom_gradient_in_a_fresh_process(world: World) -> Record:
    """Train, save with and without the custom gradient, load both in a process that has not seen the module's code."""
    tf, record = world.tf, Record()
    model = _module(tf, world)
    for k in range(STEPS // 2):
        train_step(tf, model, world, record, k)
    kept, lost = str(world.folder / "kept"), str(world.folder / "lost")
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    tf.saved_model.save(model, kept, options=options)
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=False)
    tf.saved_model.save(model, lost, options=options)
    here = tf.saved_model.load(kept)
    record.see("loaded here", here.predict(tf.constant(world.numbers(5, 4, 3))))
    there = world.in_fresh_process("go_on", kept, lost)
    record.arrays.update(there.arrays)
    record.texts.update(there.texts)
    return record


def train_step(tf: Any, model: Any, world: World, record: Record, number: int) -> None:
    """One step on the module or on what was loaded of it."""
    x, y = tf.constant(world.numbers(100 + number, 4, 3)), tf.constant(world.numbers(200 + number, 4, 1))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model.predict(x) - y))
    gradients = tape.gradient(loss, [model.w, model.b])
    record.step(number, loss, gradients)
    for v, g in zip([model.w, model.b], gradients):
        v.assign_sub(0.1 * g)


def _module(tf: Any, world: World) -> Any:
    @tf.custom_gradient
    def straight_through(x: Any) -> Any:
        def backward(upstream: Any) -> Any:
            return tf.clip_by_norm(upstream, 0.5)

        return tf.round(4.0 * x) / 4.0, backward

    class Rounding(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable(world.numbers(1, 3, 1), name="w")
            self.b = tf.Variable(world.numbers(2, 1), name="b")
            self.calls = tf.Variable(0, trainable=False, name="calls")

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def predict(self, x: Any) -> Any:
            self.calls.assign_add(1)
            return straight_through(tf.matmul(x, self.w) + self.b)

    return Rounding()
