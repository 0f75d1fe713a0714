"""Programs whose loss contains a gradient by the inputs."""

from __future__ import annotations

import functools
from typing import Any

from conformance.around.world import STEPS, Record, World


def input_gradient_regularisation(world: World) -> Record:
    """A classifier that is punished for a steep loss around its inputs; Nesterov's momentum, a decaying rate."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(12, activation="softplus"), layers.Dense(3)])
    x, labels = tf.constant(world.numbers(1, 10, 4)), tf.constant(world.whole(2, 3, 10))
    model(x)
    world.weigh(model, 3)
    rate = tf.keras.optimizers.schedules.ExponentialDecay(0.2, 5, 0.9)
    optimizer = tf.keras.optimizers.SGD(rate, momentum=0.8, nesterov=True)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    for k in range(STEPS):
        with tf.GradientTape() as outer:
            with tf.GradientTape(watch_accessed_variables=False) as inner:
                inner.watch(x)
                plain = loss_of(labels, model(x, training=True))
            slope = inner.gradient(plain, x)
            loss = plain + 2.0 * tf.reduce_sum(tf.square(slope))
        gradients = outer.gradient(loss, model.trainable_variables)
        record.step(k, loss, gradients)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return record


def wgan_with_gradient_penalty(world: World) -> Record:
    """Steps of a critic and a generator; the critic's slope between real and made points is driven to 1."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers
    critic = tf.keras.Sequential([layers.Dense(8), layers.LeakyReLU(0.2), layers.Dense(1)])
    generator = tf.keras.Sequential([layers.Dense(8, activation="tanh"), layers.Dense(2)])
    for seed, model, size in ((1, critic, 2), (2, generator, 3)):
        model.build((None, size))
        world.weigh(model, seed)
    critic_steps = tf.keras.optimizers.Adam(0.01, beta_1=0.5, beta_2=0.9)
    generator_steps = tf.keras.optimizers.Adam(0.01, beta_1=0.5, beta_2=0.9)
    training_critic = functools.partial(critic, training=True)
    for k in range(STEPS):
        real, noise = (tf.constant(world.numbers(10 * k + s, 6, n)) for s, n in ((100, 2), (101, 3)))
        share = tf.constant(world.numbers(10 * k + 102, 6, 1))
        with tf.GradientTape() as tape:
            made = generator(noise, training=True)
            penalty = _gradient_penalty(tf, training_critic, real, made, share)
            loss = tf.reduce_mean(critic(made)) - tf.reduce_mean(critic(real)) + 10.0 * penalty
        gradients = tape.gradient(loss, critic.trainable_variables)
        record.step(2 * k, loss, gradients)
        critic_steps.apply_gradients(zip(gradients, critic.trainable_variables))
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(training_critic(generator(noise, training=True)))
        gradients = tape.gradient(loss, generator.trainable_variables)
        record.step(2 * k + 1, loss, gradients)
        generator_steps.apply_gradients(zip(gradients, generator.trainable_variables))
    return record


def _gradient_penalty(tf: Any, critic: Any, real: Any, made: Any, share: Any) -> Any:
    between = real + share * (made - real)
    with tf.GradientTape() as tape:
        tape.watch(between)
        judged = critic(between)
    slope = tape.gradient(judged, between)
    length = tf.sqrt(tf.reduce_sum(tf.square(slope), axis=1))
    return tf.reduce_mean(tf.square(length - 1.0))
