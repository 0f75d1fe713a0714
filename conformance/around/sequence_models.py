"""Programs of models of sequences and pictures: a transformer block, recurrent layers both ways, an autoencoder."""

from __future__ import annotations

from typing import Any

from conformance.around.world import STEPS, Record, World


def _trained(world: World, record: Record, model: Any, optimizer: Any, loss_of: Any, batch: Any) -> None:
    """Steps on batches of a model with given weights; what it says without training, before and after."""
    tf = world.tf
    world.weigh(model, 3)
    for k in range(STEPS // 2):
        x, y = batch(k)
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        record.step(k, loss, [tf.convert_to_tensor(g) for g in gradients])
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    record.see("inference", model(batch(0)[0], training=False))
    record.texts["weights"] = ", ".join(w.path for w in model.weights)


def transformer_block(world: World) -> Record:
    """Words and their places, self-attention, a small net for each word, both with shortcuts and normalisation."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers

    class Block(layers.Layer):  # type: ignore[name-defined]
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self.attention = layers.MultiHeadAttention(num_heads=2, key_dim=3, name="attention")
            self.inner = tf.keras.Sequential(
                [layers.Dense(8, activation="gelu", name="wide"), layers.Dense(6, name="narrow")], name="inner"
            )
            self.first, self.second = layers.LayerNormalization(name="first"), layers.LayerNormalization(name="second")
            self.dropout = layers.Dropout(0.0)

        def call(self, x: Any, training: Any = None) -> Any:
            x = self.first(x + self.dropout(self.attention(x, x, use_causal_mask=True), training=training))
            return self.second(x + self.inner(x))

    class Places(layers.Layer):  # type: ignore[name-defined]
        def build(self, shape: Any) -> None:
            self.table = layers.Embedding(shape[1], shape[2], name="each")

        def call(self, x: Any) -> Any:
            return x + self.table(tf.keras.ops.arange(x.shape[1]))

    words = tf.keras.Input((7,), dtype="int32", name="words")
    x = Places(name="places")(layers.Embedding(11, 6, name="table")(words))
    x = layers.GlobalAveragePooling1D(name="mean")(Block(name="block")(x))
    model = tf.keras.Model(words, layers.Dense(2, name="classes")(x))
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def batch(k: int) -> tuple[Any, Any]:
        return tf.constant(world.whole(100 + k, 11, 5, 7)), tf.constant(world.whole(200 + k, 2, 5))

    _trained(world, record, model, tf.keras.optimizers.AdamW(0.01, weight_decay=0.01), loss_of, batch)
    return record


def texts_read_both_ways(world: World) -> Record:
    """A classifier of texts of several lengths, masked: Bidirectional LSTMs one on the other, SpatialDropout, PReLU."""
    tf, record = world.tf, Record()
    layers = tf.keras.layers
    words = tf.keras.Input((None,), dtype="int32", name="words")
    x = layers.SpatialDropout1D(0.0, name="drop")(layers.Embedding(9, 4, mask_zero=True, name="table")(words))
    x = layers.Bidirectional(layers.LSTM(3, return_sequences=True, name="low"), name="both_low")(x)
    x = layers.Bidirectional(layers.GRU(2, name="high"), merge_mode="ave", name="both_high")(x)
    x = layers.PReLU(name="bent")(layers.Dense(4, name="hidden")(x))
    model = tf.keras.Model(words, layers.Dense(1, activation="sigmoid", name="liked")(x))
    optimizer = tf.keras.optimizers.RMSprop(0.01, clipnorm=1.0)

    def batch(k: int) -> tuple[Any, Any]:
        length = 3 + k % 3
        text = world.whole(100 + k, 8, 5, length) + 1
        text[:2, length - 1] = 0
        return tf.constant(text), tf.constant(world.whole(200 + k, 2, 5, 1).astype("float32"))

    _trained(world, record, model, optimizer, tf.keras.losses.BinaryCrossentropy(), batch)
    return record


def variational_autoencoder(world: World) -> Record:
    """Pictures through a bottleneck of two numbers with a given noise, and back by Conv2DTranspose; two losses."""
    tf, record = world.tf, Record()
    layers, keras = tf.keras.layers, tf.keras
    picture = keras.Input((8, 8, 1), name="picture")
    x = layers.Conv2D(4, 3, strides=2, padding="same", activation="relu", name="down")(picture)
    x = layers.GroupNormalization(2, name="even")(x)
    x = layers.Flatten(name="flat")(x)
    encoder = keras.Model(picture, [layers.Dense(2, name="mean")(x), layers.Dense(2, name="spread")(x)], name="encoder")
    code = keras.Input((2,), name="code")
    x = layers.Reshape((4, 4, 2), name="square")(layers.Dense(32, activation="relu", name="wide")(code))
    x = layers.Conv2DTranspose(3, 3, strides=2, padding="same", activation="relu", name="up")(x)
    shown = layers.Conv2DTranspose(1, 3, padding="same", activation="sigmoid", name="shown")(x)
    decoder = keras.Model(code, shown, name="decoder")
    for seed, model in enumerate((encoder, decoder), 3):
        world.weigh(model, seed)
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer = keras.optimizers.Adam(0.01)
    for k in range(STEPS // 2):
        pictures = tf.constant(abs(world.numbers(100 + k, 4, 8, 8, 1, scale=0.4)).clip(0, 1))
        with tf.GradientTape() as tape:
            mean, spread = encoder(pictures)
            made = decoder(mean + tf.exp(0.5 * spread) * world.numbers(200 + k, 4, 2))
            apart = tf.reduce_sum(keras.losses.binary_crossentropy(pictures, made), axis=(1, 2))
            divergence = -0.5 * tf.reduce_sum(1.0 + spread - mean**2 - tf.exp(spread), axis=1)
            loss = tf.reduce_mean(apart + divergence)
        gradients = tape.gradient(loss, variables)
        record.step(k, loss, gradients)
        optimizer.apply_gradients(zip(gradients, variables))
    record.see("made", decoder(tf.constant([[0.0, 1.0]])))
    return record
