"""Programs of models that are made of KerasTensors: two that train each other, and parts of a model as models."""

from __future__ import annotations

from typing import Any

from conformance.around.world import STEPS, Record, World


def generator_and_discriminator(world: World) -> Record:
    """A generative adversarial net with labels: both models functional, a joint one of both, two optimizers."""
    tf, record = world.tf, Record()
    layers, inputs_of = tf.keras.layers, tf.keras.Input
    noise, label = inputs_of((4,), name="noise"), inputs_of((1,), dtype="int32", name="label")
    kind = layers.Flatten(name="kind")(layers.Embedding(3, 2, name="kinds")(label))
    hidden = layers.Dense(8, activation="relu", name="hidden")(layers.concatenate([noise, kind]))
    generator = tf.keras.Model(
        [noise, label], layers.Dense(5, activation="tanh", name="made")(hidden), name="generator"
    )
    sample = inputs_of((5,), name="sample")
    seen = layers.LeakyReLU(0.2)(layers.Dense(6, name="seen")(sample))
    discriminator = tf.keras.Model(sample, layers.Dense(1, name="judged")(seen), name="discriminator")
    joint = tf.keras.Model([noise, label], discriminator(generator([noise, label])), name="joint")
    record.texts["joint"] = ", ".join([*(layer.name for layer in joint.layers), *(w.path for w in joint.weights)])
    for seed, model in enumerate((generator, discriminator), 3):
        world.weigh(model, seed)
    adam = tf.keras.optimizers.Adam
    of_discriminator, of_generator = adam(0.01, beta_1=0.5), adam(0.02, beta_1=0.5)
    loss_of = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    for k in range(STEPS // 2):
        z, y = tf.constant(world.numbers(100 + k, 6, 4)), tf.constant(world.whole(200 + k, 3, 6, 1))
        real = tf.constant(world.numbers(300 + k, 6, 5, scale=0.3))
        with tf.GradientTape() as tape:
            of_real, of_made = discriminator(real, training=True), discriminator(generator([z, y]), training=True)
            loss = loss_of(tf.ones_like(of_real), of_real) + loss_of(tf.zeros_like(of_made), of_made)
        _step(record, 2 * k, tape, loss, discriminator, of_discriminator)
        with tf.GradientTape() as tape:
            fooled = joint([z, y], training=True)
            loss = loss_of(tf.ones_like(fooled), fooled)
        _step(record, 2 * k + 1, tape, loss, generator, of_generator)
    return record


def _step(record: Record, number: int, tape: Any, loss: Any, model: Any, optimizer: Any) -> None:
    gradients = tape.gradient(loss, model.trainable_variables)
    record.step(number, loss, gradients)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def heat_maps_of_a_classifier(world: World) -> Record:
    """Grad-CAM: a classifier with a shortcut is trained; then the maps of its last convolution, by gradients."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers
    image = tf.keras.Input((10, 10, 2), name="image")
    x = layers.Conv2D(4, 3, padding="same", activation="relu", name="first")(image)
    shortcut = x
    x = layers.BatchNormalization(name="even")(layers.Conv2D(4, 3, padding="same", name="second")(x))
    x = layers.ReLU(name="bent")(layers.Add(name="both")([x, shortcut]))
    x = layers.Conv2D(6, 3, activation="relu", name="last")(layers.MaxPooling2D(name="pool")(x))
    x = layers.GlobalAveragePooling2D(name="mean")(x)
    model = tf.keras.Model(image, layers.Dense(3, activation="softmax", name="classes")(x))
    world.weigh(model, 3)
    images, labels = tf.constant(world.numbers(1, 6, 10, 10, 2)), tf.constant(world.whole(2, 3, 6))
    optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy()
    for k in range(STEPS // 2):
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(images, training=True))
        _step(record, k, tape, loss, model, optimizer)
    both = tf.keras.Model(model.inputs, [model.get_layer("last").output, model.output])
    head = tf.keras.Model(model.get_layer("last").output, model.output)
    for k in range(3):
        with tf.GradientTape() as tape:
            maps, classes = both(images[k : k + 1])
            score = classes[:, tf.argmax(classes[0])]
        gradient = tape.gradient(score, maps)
        heat = tf.nn.relu(tf.reduce_sum(maps * tf.reduce_mean(gradient, (1, 2), keepdims=True), -1))
        record.see(f"heat {k}", heat / tf.reduce_max(heat))
        record.see(f"gradient {k}", gradient)
        record.see(f"head {k}", head(maps))
    record.texts["parts"] = ", ".join(layer.name for layer in (*both.layers, *head.layers[1:]))
    return record
