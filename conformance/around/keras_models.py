"""Programs of Keras layers, models, losses, metrics and optimizers in loops that are written by hand."""

from __future__ import annotations

from typing import Any

from conformance.around.world import STEPS, Record, World


def mlp_with_two_optimizers(world: World) -> Record:
    """A subclassed model, each of its layers with an Adam of its own; first, what one optimizer for both says."""
    tf, record = world.tf, Record()
    dense = tf.keras.layers.Dense

    class Net(tf.keras.Model):  # type: ignore[name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.hidden = dense(8, activation="relu", name="hidden")
            self.last = dense(1, name="last")

        def call(self, x: Any) -> Any:
            return self.last(self.hidden(x))

    model = Net()
    x, y = tf.constant(world.numbers(1, 16, 4)), tf.constant(world.numbers(2, 16, 1))
    model(x)
    world.weigh(model, 3)
    record.texts["one optimizer, two calls"] = _refusal(tf, model, x)
    record.texts["paths"] = ", ".join(v.path for v in model.trainable_variables)
    world.weigh(model, 3)
    steps = [(tf.keras.optimizers.Adam(0.02), model.hidden), (tf.keras.optimizers.Adam(0.01), model.last)]
    for k in range(STEPS):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        for m, (optimizer, layer) in enumerate(steps):
            gradients = tape.gradient(loss, layer.trainable_variables)
            record.step(2 * k + m, loss, gradients)
            optimizer.apply_gradients(zip(gradients, layer.trainable_variables))
    return record


def _refusal(tf: Any, model: Any, x: Any) -> str:
    optimizer = tf.keras.optimizers.Adam()
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(0.0 * model(x))
    for layer in (model.hidden, model.last):
        gradients = tape.gradient(loss, layer.trainable_variables)
        try:
            optimizer.apply_gradients(zip(gradients, layer.trainable_variables))
        except ValueError as error:
            text = str(error)
            return text[: text.index(", value=")] + text[text.index(". This optimizer") :]
    return "taken"


def classifier_on_a_dataset(world: World) -> Record:
    """A Sequential classifier on batches of a dataset, with a step traced by tf.function, and metrics."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Flatten(), layers.Dense(10, "relu"), layers.Dropout(0.0), layers.Dense(3, activation="softmax")]
    )
    images, labels = world.numbers(1, 24, 3, 2), world.whole(2, 3, 24)
    batches = tf.data.Dataset.from_tensor_slices((images, labels)).map(lambda image, label: (image * 2.0, label))
    batches = batches.batch(6).repeat(STEPS // 4).take(STEPS).prefetch(2)
    model(images[:1])
    world.weigh(model, 3)
    optimizer = tf.keras.optimizers.Adam(0.01)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy()
    mean, accuracy = tf.keras.metrics.Mean(), tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            made = model(x, training=True)
            loss = loss_of(y, made)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        mean.update_state(loss)
        accuracy.update_state(y, made)
        return loss, gradients

    for k, (x, y) in enumerate(batches):
        record.step(k, *step(x, y))
        record.see(f"mean {k}", mean.result())
        record.see(f"accuracy {k}", accuracy.result())
    record.texts["spec"] = repr(batches.element_spec)
    record.see("steps", optimizer.iterations)
    return record


def convolutional_net(world: World) -> Record:
    """Convolutions, pools and batch normalisation on small images; AdamW with the global norm clipped."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Conv2D(4, 3, padding="same", activation="relu"),
            layers.MaxPool2D(),
            layers.Conv2D(4, (2, 2), strides=1, use_bias=False),
            layers.BatchNormalization(momentum=0.9),
            layers.Activation("gelu"),
            layers.AveragePooling2D(2, strides=1),
            layers.GlobalAveragePooling2D(),
            layers.Dense(3),
        ]
    )
    x, labels = tf.constant(world.numbers(1, 6, 8, 8, 2)), tf.one_hot(world.whole(2, 3, 6), 3)
    model(x)
    world.weigh(model, 3)
    optimizer = tf.keras.optimizers.AdamW(0.01, weight_decay=0.02, epsilon=1e-3, global_clipnorm=1.0)
    loss_of = tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1)
    for k in range(STEPS):
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        record.step(k, loss, gradients)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    record.see("inference", model(x, training=False))
    return record


def embedding_with_sparse_gradients(world: World) -> Record:
    """Words and authors as rows of tables, whose gradients are IndexedSlices; Adagrad."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers
    words, authors, last = layers.Embedding(12, 3), layers.Embedding(4, 2), layers.Dense(1)
    mean, side_by_side = layers.GlobalAveragePooling1D(), layers.Concatenate()
    for seed, (layer, shape) in enumerate(((words, None), (authors, None), (last, (None, 5))), 1):
        layer.build(shape)
        world.weigh(layer, seed, 0.5)
    variables = [v for layer in (words, authors, last) for v in layer.trainable_variables]
    optimizer = tf.keras.optimizers.Adagrad(0.1)
    loss_of = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    for k in range(STEPS):
        text, author = tf.constant(world.whole(100 + k, 12, 7, 5)), tf.constant(world.whole(200 + k, 4, 7))
        liked = tf.constant(world.whole(300 + k, 2, 7, 1).astype("float32"))
        with tf.GradientTape() as tape:
            features = side_by_side([mean(words(text)), authors(author)])
            loss = loss_of(liked, last(features))
        gradients = tape.gradient(loss, variables)
        record.texts[f"kinds {k}"] = ", ".join(type(g).__name__ for g in gradients)
        record.step(k, loss, gradients)
        optimizer.apply_gradients(zip(gradients, variables))
    return record
