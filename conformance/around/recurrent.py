"""A program of recurrent cells, stepped by hand and by a layer."""

from __future__ import annotations

from conformance.around.world import STEPS, Record, World


def recurrent_cells(world: World) -> Record:
    """A stack of a simple cell, an LSTM and a GRU over a sequence; centred RMSprop with momentum, norms clipped."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers
    simple, lstm, gru = (
        layers.SimpleRNNCell(4),
        layers.LSTMCell(3),
        layers.RNN(layers.GRUCell(2), return_sequences=True),
    )
    parts = [simple, lstm, gru]
    xs, want = tf.constant(world.numbers(1, 5, 6, 3)), tf.constant(world.numbers(2, 5, 6, 2))
    for seed, (part, shape) in enumerate(zip(parts, ((5, 3), (5, 4), (5, 6, 3))), 3):
        part.build(shape)
        world.weigh(part, seed, 0.5)
    variables = [v for part in parts for v in part.trainable_variables]
    optimizer = tf.keras.optimizers.RMSprop(0.02, 0.8, momentum=0.5, epsilon=1e-2, centered=True, clipnorm=1.0)
    loss_of = tf.keras.losses.Huber(delta=0.7)
    for k in range(STEPS):
        with tf.GradientTape() as tape:
            h, state = simple.get_initial_state(5), lstm.get_initial_state(5)
            outputs = []
            for t in range(6):
                y, h = simple(xs[:, t], h)
                y, state = lstm(y, state)
                outputs.append(y)
            made = gru(tf.stack(outputs, axis=1))
            loss = loss_of(want, made)
        gradients = tape.gradient(loss, variables)
        record.step(k, loss, gradients)
        optimizer.apply_gradients(zip(gradients, variables))
    return record
