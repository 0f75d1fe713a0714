"""Programs of jacobians: Newton's method by a Hessian, and jacobians of a batch."""

from __future__ import annotations

from typing import Any

from conformance.around.world import STEPS, Record, World


def newton_steps(world: World) -> Record:
    """Damped Newton steps on a small layer: the Hessian is the jacobian of a gradient."""
    tf, record = world.tf, Record()
    x, y = tf.constant(world.numbers(1, 12, 3)), tf.constant(world.numbers(2, 12, 2))
    layer = tf.keras.layers.Dense(2, activation=tf.nn.tanh)
    layer(x)
    world.weigh(layer, 3)
    kernel = layer.kernel
    size = int(tf.reduce_prod(kernel.shape))

    @tf.function  # traced once; eagerly TensorFlow traces each jacobian anew
    def derivatives() -> Any:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                loss = tf.reduce_mean(tf.square(layer(x) - y))
            gradient = inner.gradient(loss, kernel)
        return loss, gradient, outer.jacobian(gradient, kernel)

    for k in range(STEPS):
        loss, gradient, hessian = derivatives()
        record.step(k, loss, [gradient])
        record.see(f"hessian {k}", hessian)
        matrix = tf.reshape(hessian, [size, size]) + 0.5 * tf.eye(size)
        step = tf.linalg.solve(matrix, tf.reshape(gradient, [size, 1]))
        kernel.assign_sub(0.5 * tf.reshape(step, kernel.shape))
    return record


def batch_jacobians_beside_batch_normalisation(world: World) -> Record:
    """Train through the batch jacobian of a net; beside it the whole jacobian of one with batch normalisation,
    whose examples depend on each other, so that its batch jacobian is not the diagonal."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers
    plain = tf.keras.Sequential([layers.Dense(6, activation="elu"), layers.LayerNormalization(), layers.Dense(2)])
    mixed = tf.keras.Sequential([layers.Dense(4), layers.BatchNormalization(), layers.Dense(2)])
    for seed, model in ((1, plain), (2, mixed)):
        model.build((None, 3))
        world.weigh(model, seed)
    optimizer = tf.keras.optimizers.RMSprop(0.01)

    @tf.function
    def through_the_jacobian(x: Any) -> Any:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = plain(x)
            jacobian = inner.batch_jacobian(y, x)
            loss = tf.reduce_mean(tf.square(jacobian - 1.0)) + tf.reduce_mean(tf.square(y))
        return loss, outer.gradient(loss, plain.trainable_variables), jacobian

    @tf.function
    def both_jacobians(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = mixed(x, training=True)
        return tape.jacobian(y, x), tape.batch_jacobian(y, x)

    for k in range(STEPS):
        x = tf.constant(world.numbers(10 + k, 5, 3))
        loss, gradients, jacobian = through_the_jacobian(x)
        record.step(k, loss, gradients)
        record.see(f"jacobian {k}", jacobian)
        optimizer.apply_gradients(zip(gradients, plain.trainable_variables))
        for name, part in zip(("whole", "batch"), both_jacobians(x)):
            record.see(f"jacobian of mixed {k}.{name}", part)
    record.see("moving mean", mixed.layers[1].moving_mean)
    return record
