"""Layers of Keras (``tf.keras.layers``): the ones that hand-written training loops use.  ``dir`` lists them."""

import importlib
from typing import Any

from ..inputs import Input, InputLayer
from ..layer import Layer
from ..specs import InputSpec
from .convolution import Conv1D, Conv2D, Conv3D, Convolution1D, Convolution2D, Convolution3D
from .core import Dense, Embedding, Flatten, Reshape
from .elementwise import (
    ELU,
    Activation,
    Dropout,
    Identity,
    Lambda,
    LeakyReLU,
    Masking,
    PReLU,
    ReLU,
    Rescaling,
    Softmax,
    UnitNormalization,
)
from .merging import (
    Add,
    Average,
    Concatenate,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
    add,
    average,
    concatenate,
    maximum,
    minimum,
    multiply,
    subtract,
)
from .normalization import BatchNormalization, LayerNormalization
from .pooling import (
    AveragePooling1D,
    AveragePooling2D,
    AveragePooling3D,
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalAveragePooling3D,
    GlobalAvgPool1D,
    GlobalAvgPool2D,
    GlobalAvgPool3D,
    GlobalMaxPool1D,
    GlobalMaxPool2D,
    GlobalMaxPool3D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    GlobalMaxPooling3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
)
from .recurrent import GRU, LSTM, RNN, SimpleRNN
from .recurrent_cells import GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells

# Modules that are loaded when a layer of theirs is first used.
_LATER = {
    "attention": (
        "AdditiveAttention",
        "Attention",
        "MultiHeadAttention",
    ),
    "scalar_products": (
        "Dot",
        "dot",
    ),
    "einsum": ("EinsumDense",),
    "adaptive": (
        "AdaptiveAveragePooling1D",
        "AdaptiveAveragePooling2D",
        "AdaptiveAveragePooling3D",
        "AdaptiveMaxPooling1D",
        "AdaptiveMaxPooling2D",
        "AdaptiveMaxPooling3D",
    ),
    "noise": (
        "ActivityRegularization",
        "AlphaDropout",
        "GaussianDropout",
        "GaussianNoise",
        "SpatialDropout1D",
        "SpatialDropout2D",
        "SpatialDropout3D",
    ),
    "resizing": (
        "Cropping1D",
        "Cropping2D",
        "Cropping3D",
        "Permute",
        "RepeatVector",
        "UpSampling1D",
        "UpSampling2D",
        "UpSampling3D",
        "ZeroPadding1D",
        "ZeroPadding2D",
        "ZeroPadding3D",
    ),
    "scaling": (
        "GroupNormalization",
        "Normalization",
        "RMSNormalization",
    ),
    "transposed": (
        "Conv1DTranspose",
        "Conv2DTranspose",
        "Conv3DTranspose",
        "DepthwiseConv1D",
        "DepthwiseConv2D",
        "SeparableConv1D",
        "SeparableConv2D",
    ),
    "wrapping": (
        "Bidirectional",
        "SpectralNormalization",
        "TimeDistributed",
        "Wrapper",
    ),
}
_ALIASES = {
    "Convolution1DTranspose": "Conv1DTranspose", "Convolution2DTranspose": "Conv2DTranspose",
    "Convolution3DTranspose": "Conv3DTranspose", "SeparableConvolution1D": "SeparableConv1D",
    "SeparableConvolution2D": "SeparableConv2D",
}  # fmt: skip
_HOMES = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "ELU",
    "GRU",
    "LSTM",
    "RNN",
    "Activation",
    "Add",
    "Average",
    "AveragePooling1D",
    "AveragePooling2D",
    "AveragePooling3D",
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "BatchNormalization",
    "Concatenate",
    "Conv1D",
    "Conv2D",
    "Conv3D",
    "Convolution1D",
    "Convolution2D",
    "Convolution3D",
    "Dense",
    "Dropout",
    "Embedding",
    "Flatten",
    "GRUCell",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalAveragePooling3D",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalAvgPool3D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPool3D",
    "GlobalMaxPooling1D",
    "GlobalMaxPooling2D",
    "GlobalMaxPooling3D",
    "Identity",
    "Input",
    "InputLayer",
    "InputSpec",
    "LSTMCell",
    "Lambda",
    "Layer",
    "LayerNormalization",
    "LeakyReLU",
    "Masking",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
    "MaxPooling1D",
    "MaxPooling2D",
    "MaxPooling3D",
    "Maximum",
    "Minimum",
    "Multiply",
    "PReLU",
    "ReLU",
    "Rescaling",
    "Reshape",
    "SimpleRNN",
    "SimpleRNNCell",
    "Softmax",
    "StackedRNNCells",
    "Subtract",
    "UnitNormalization",
    "add",
    "average",
    "concatenate",
    "maximum",
    "minimum",
    "multiply",
    "subtract",
]
__all__ += list(_HOMES)
__all__ += list(_ALIASES)
__all__ += ["deserialize", "serialize"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    name = _ALIASES.get(name, name)
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    if name in ("serialize", "deserialize"):
        from .. import configuring

        return configuring.serialized_layer if name == "serialize" else configuring.layer_of
    from ..outside import missing

    raise missing("keras.layers", name)
