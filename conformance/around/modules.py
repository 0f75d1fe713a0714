"""A program of `tf.Module` and `tf.Variable` alone: no layers, no optimizer."""

from __future__ import annotations

from typing import Any

from conformance.around.world import STEPS, Record, World


def module_with_sparse_updates(world: World) -> Record:
    """Factorise a matrix of ratings: rows of two tables are looked up, and only those rows are updated."""
    tf, record = world.tf, Record()
    model = _factors(world)
    users, items = world.whole(1, 6, STEPS, 8), world.whole(2, 5, STEPS, 8)
    ratings = world.numbers(3, STEPS, 8)
    record.texts["variables"] = ", ".join(v.name for v in model.variables)
    record.texts["submodules"] = ", ".join(m.name for m in model.submodules)
    for k in range(STEPS):
        with tf.GradientTape() as tape:
            error = model(tf.constant(users[k]), tf.constant(items[k])) - ratings[k]
            loss = tf.reduce_mean(tf.square(error)) + 0.01 * tf.reduce_sum(tf.square(model.offset))
        gradients = tape.gradient(loss, model.trainable_variables)
        record.step(k, loss, gradients)
        for variable, gradient in zip(model.trainable_variables, gradients):
            if isinstance(gradient, tf.IndexedSlices):
                variable.scatter_sub(tf.IndexedSlices(0.1 * gradient.values, gradient.indices))
            else:
                variable.assign_sub(0.1 * gradient)
        model.offset[0].assign(0.5 * model.offset[0])
    record.see("offset", model.offset)
    record.texts["steps"] = repr(model.steps)
    return record


def _factors(world: World) -> Any:
    tf: Any = world.tf

    class Table(tf.Module):
        def __init__(self, seed: int, rows: int, name: str):
            super().__init__(name=name)
            with self.name_scope:
                self.rows = tf.Variable(world.numbers(seed, rows, 3), name="rows")

        def __call__(self, index: Any) -> Any:
            return tf.gather(self.rows, index)

    class Factors(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tables = [Table(4, 6, "users"), Table(5, 5, "items")]
            self.offset = tf.Variable(world.numbers(6, 2), name="offset")
            self.steps = tf.Variable(0, trainable=False, name="steps")

        @tf.Module.with_name_scope
        def __call__(self, users: Any, items: Any) -> Any:
            self.steps.assign_add(1)
            product = tf.reduce_sum(self.tables[0](users) * self.tables[1](items), axis=1)
            return product + tf.reduce_sum(self.offset)

    return Factors()
