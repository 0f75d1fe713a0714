"""Every kind of layer by itself, with given weights: outputs, gradients by inputs and weights, names of the weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from conformance.around.world import Record, World

Case = tuple[str, Any, list[Any], dict[str, Any]]

_HEADS: tuple[dict[str, Any], ...] = (
    {}, {"value_dim": 5, "use_bias": False}, {"output_shape": 6}, {"use_gate": True}, {"sliding_window": 2},
    {"num_heads": 3},
)  # fmt: skip
_TURNED: tuple[dict[str, Any], ...] = (
    {}, {"strides": 2}, {"padding": "same", "strides": 2, "use_bias": False},
    {"strides": 2, "output_padding": 1, "activation": "relu"},
)  # fmt: skip
_ALONE: tuple[dict[str, Any], ...] = (
    {}, {"padding": "same", "depth_multiplier": 2}, {"strides": 2, "activation": "relu"},
    {"dilation_rate": 2, "use_bias": False},
)  # fmt: skip


def kinds_of_layers(world: World) -> Record:
    """Attention, convolutions of all kinds, pools, wrappers, layers that resize, normalisations, products."""
    tf, record = world.tf, Record()
    for cases in (_attention, _wrapped, _convolutions, _resized, _others):
        for name, layer, inputs, options in cases(world, tf.keras.layers):
            _one(world, record, name, layer, inputs, options)
    return record


def _one(world: World, record: Record, name: str, layer: Any, inputs: list[Any], options: dict[str, Any]) -> None:
    tf = world.tf
    tensors = tf.nest.map_structure(tf.constant, inputs)
    layer(*tensors, **options)
    world.weigh(layer, 1, 0.4)
    flat = tf.nest.flatten(tensors)
    with tf.GradientTape() as tape:
        tape.watch(flat)
        outputs = tf.nest.flatten(layer(*tensors, **options))
        loss = tf.add_n([tf.reduce_sum(y**2) for y in outputs])
    for k, y in enumerate(outputs):
        record.see(f"{name} output.{k}", y)
    for k, gradient in enumerate(tape.gradient(loss, [*flat, *layer.trainable_variables])):
        record.see(f"{name} gradient.{k}", np.zeros(0) if gradient is None else tf.convert_to_tensor(gradient))
    symbols = tf.nest.map_structure(lambda x: tf.keras.Input(x.shape[1:]), inputs)
    shapes = [y.shape for y in tf.nest.flatten(layer(*symbols, **options))]
    record.texts[name] = f"{[w.path.partition('/')[2] for w in layer.weights]} {shapes}"


def _attention(world: World, layers: Any) -> Iterator[Case]:
    sequence, image, other = world.numbers(1, 2, 5, 4), world.numbers(2, 2, 4, 3, 4), world.numbers(3, 2, 7, 3)
    longer, mask = world.numbers(4, 2, 7, 4), np.array([[1, 1, 0, 1, 0]], bool)
    for k, own in enumerate(_HEADS):
        layer = layers.MultiHeadAttention(**{"num_heads": 2, "key_dim": 3, **own})
        yield f"MultiHeadAttention {k}", layer, [sequence, sequence], {}
    heads = layers.MultiHeadAttention
    yield "MultiHeadAttention with a key", heads(2, 3), [sequence, other, world.numbers(5, 2, 7, 6)], {}
    yield "MultiHeadAttention with scores", heads(2, 3), [sequence, sequence], {"return_attention_scores": True}
    yield "MultiHeadAttention causal", heads(2, 3), [sequence, sequence], {"use_causal_mask": True}
    both = {"use_causal_mask": True, "return_attention_scores": True}
    yield "MultiHeadAttention causal with scores", heads(1, 3), [sequence, sequence], both
    masked = {"attention_mask": world.tf.constant(mask[:, None, :])}
    yield "MultiHeadAttention masked", heads(2, 3), [sequence, sequence], masked
    masked = {"key_mask": world.tf.constant(mask), "query_mask": world.tf.constant(mask)}
    yield "MultiHeadAttention with a mask of keys", heads(2, 3), [sequence, sequence], masked
    yield "MultiHeadAttention of images", heads(2, 3, attention_axes=(1, 2)), [image, image], {}
    yield "MultiHeadAttention along an axis", heads(2, 3, attention_axes=2), [image, image], {}
    yield "Attention", layers.Attention(), [[sequence, longer]], {}
    three = [[sequence, longer, world.numbers(6, 2, 7, 4)]]
    yield "Attention scaled", layers.Attention(use_scale=True), three, {"return_attention_scores": True}
    concat = layers.Attention(use_scale=True, score_mode="concat")
    yield "Attention by sums", concat, [[sequence, sequence]], {"use_causal_mask": True}
    masks = [None, world.tf.constant(mask)]
    yield "Attention masked", layers.Attention(), [[sequence, sequence]], {"mask": masks}
    yield "AdditiveAttention", layers.AdditiveAttention(), [[sequence, longer]], {}
    for equation, shape, bias in (
        ("abc,cd->abd", (None, 6), "d"), ("...x,xy->...y", 3, "y"), ("abc,cde->abde", (None, 2, 3), "de"),
        ("abc,bd->adc", (2, 4), "dc"), ("ab...,bc->ac...", 3, "c"),
    ):  # fmt: skip
        layer = layers.EinsumDense(equation, output_shape=shape, bias_axes=bias, activation="tanh")
        yield f"EinsumDense {equation}", layer, [sequence], {}


def _wrapped(world: World, layers: Any) -> Iterator[Case]:
    sequence, volume = world.numbers(1, 2, 5, 4), world.numbers(2, 1, 4, 5, 4, 2)
    for mode in ("concat", "sum", "ave", "mul", None):
        lstm = layers.LSTM(3, return_sequences=mode != "ave", name="l")
        yield f"Bidirectional {mode}", layers.Bidirectional(lstm, merge_mode=mode, name="b"), [sequence], {}
    gru = layers.GRU(3, return_state=True, kernel_initializer="ones", name="g")
    yield "Bidirectional with states", layers.Bidirectional(gru), [sequence], {}
    yield "TimeDistributed", layers.TimeDistributed(layers.Dense(3, name="d")), [sequence], {}
    yield "TimeDistributed of images", layers.TimeDistributed(layers.Conv2D(2, 2, name="c")), [volume], {}
    yield "SpectralNormalization", layers.SpectralNormalization(layers.Dense(3, name="d")), [sequence[:, 0]], {}
    normal = layers.SpectralNormalization(layers.Dense(3, name="d"), power_iterations=2)
    yield "SpectralNormalization training", normal, [sequence[:, 0]], {"training": True}


def _convolutions(world: World, layers: Any) -> Iterator[Case]:
    arrays = world.numbers(1, 2, 5, 4), world.numbers(2, 2, 6, 5, 4), world.numbers(3, 1, 4, 5, 4, 2)
    for rank, x in enumerate(arrays, 1):
        for k, own in enumerate(_TURNED):
            layer = getattr(layers, f"Conv{rank}DTranspose")(3, 2 if rank == 3 else 3, **own)
            yield f"Conv{rank}DTranspose {k}", layer, [x], {}
        for name in ("MaxPooling", "AveragePooling"):
            layer = getattr(layers, f"{name}{rank}D")(2, strides=1, padding="same")
            yield f"{name}{rank}D", layer, [x], {}
        for name in ("GlobalMaxPooling", "GlobalAveragePooling"):
            yield f"{name}{rank}D", getattr(layers, f"{name}{rank}D")(keepdims=True), [x], {}
    for rank, x in enumerate(arrays[:2], 1):
        for k, own in enumerate(_ALONE):
            yield f"DepthwiseConv{rank}D {k}", getattr(layers, f"DepthwiseConv{rank}D")(2, **own), [x], {}
            yield f"SeparableConv{rank}D {k}", getattr(layers, f"SeparableConv{rank}D")(3, 2, **own), [x], {}
    sequence, image, volume = arrays
    yield "Conv1D groups", layers.Conv1D(4, 2, groups=2, padding="same"), [sequence], {}
    yield "Conv2D groups", layers.Conv2D(6, 3, groups=2), [image], {}
    yield "Conv2D dilation", layers.Conv2D(3, 2, dilation_rate=(2, 1)), [image], {}
    yield "Conv3D", layers.Conv3D(3, 2, activation="relu"), [volume], {}
    yield "Conv3D strides", layers.Conv3D(2, (1, 2, 2), strides=(1, 2, 1), padding="same"), [volume], {}


def _resized(world: World, layers: Any) -> Iterator[Case]:
    arrays = world.numbers(1, 2, 5, 4), world.numbers(2, 2, 6, 5, 4), world.numbers(3, 1, 4, 5, 4, 2)
    for rank, x in enumerate(arrays, 1):
        yield f"UpSampling{rank}D", getattr(layers, f"UpSampling{rank}D")(), [x], {}
        yield f"ZeroPadding{rank}D", getattr(layers, f"ZeroPadding{rank}D")(), [x], {}
        yield f"Cropping{rank}D", getattr(layers, f"Cropping{rank}D")(1), [x], {}
        yield f"SpatialDropout{rank}D", getattr(layers, f"SpatialDropout{rank}D")(0.5), [x], {}
    sequence, image, _ = arrays
    yield "ZeroPadding1D uneven", layers.ZeroPadding1D((1, 2)), [sequence], {}
    yield "ZeroPadding2D uneven", layers.ZeroPadding2D(((1, 2), (0, 1))), [image], {}
    yield "Cropping1D uneven", layers.Cropping1D((1, 2)), [sequence], {}
    yield "Cropping2D uneven", layers.Cropping2D(((1, 2), (0, 1))), [image], {}
    yield "UpSampling1D threefold", layers.UpSampling1D(3), [sequence], {}
    yield "UpSampling2D bilinear", layers.UpSampling2D((2, 3), interpolation="bilinear"), [image], {}
    yield "RepeatVector", layers.RepeatVector(3), [sequence[:, 0]], {}
    yield "Permute", layers.Permute((2, 1)), [sequence], {}


def _others(world: World, layers: Any) -> Iterator[Case]:
    sequence, image = world.numbers(1, 2, 5, 4), world.numbers(2, 2, 6, 5, 4)
    vectors = [world.numbers(3, 2, 4), world.numbers(4, 2, 4)]
    for groups, own in ((2, {}), (4, {}), (-1, {"center": False}), (1, {"scale": False}), (2, {"axis": -1})):
        yield f"GroupNormalization {groups} {[*own]}", layers.GroupNormalization(groups, **own), [image], {}
    yield "RMSNormalization", layers.RMSNormalization(), [sequence], {}
    yield "PReLU", layers.PReLU(), [sequence], {}
    yield "PReLU shared", layers.PReLU(shared_axes=[1]), [sequence], {}
    yield "Softmax along two axes", layers.Softmax(axis=(1, 2)), [sequence], {}
    yield "Dot", layers.Dot(axes=1), [vectors], {}
    yield "Dot of sequences", layers.Dot(axes=(2, 2)), [[sequence, world.numbers(5, 2, 7, 4)]], {}
    yield "Dot normalised", layers.Dot(axes=-1, normalize=True), [[sequence, vectors[0]]], {}
    yield (
        "Normalization",
        layers.Normalization(mean=[1.0, 2.0, 3.0, 4.0], variance=[1.0, 2.0, 3.0, 4.0]),
        [sequence],
        {},
    )
    inverse = layers.Normalization(mean=1.0, variance=2.0, axis=None, invert=True)
    yield "Normalization inverse", inverse, [sequence], {}
    for name in ("Maximum", "Minimum", "Subtract"):
        yield name, getattr(layers, name)(), [vectors], {}
