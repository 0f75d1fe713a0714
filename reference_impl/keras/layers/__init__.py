"""Layers of Keras (``tf.keras.layers``): the ones that hand-written training loops use.  ``dir`` lists them."""

from typing import Any

from ..inputs import Input, InputLayer
from ..layer import Layer
from ..specs import InputSpec
from .convolution import (
    AveragePooling1D,
    AveragePooling2D,
    AvgPool1D,
    AvgPool2D,
    Conv1D,
    Conv2D,
    Convolution1D,
    Convolution2D,
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalAvgPool1D,
    GlobalAvgPool2D,
    GlobalMaxPool1D,
    GlobalMaxPool2D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    MaxPool1D,
    MaxPool2D,
    MaxPooling1D,
    MaxPooling2D,
)
from .core import Dense, Embedding, Flatten, Reshape
from .elementwise import (
    ELU,
    Activation,
    Dropout,
    Identity,
    Lambda,
    LeakyReLU,
    Masking,
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
    multiply,
)
from .normalization import BatchNormalization, LayerNormalization
from .recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, SimpleRNN, SimpleRNNCell, StackedRNNCells

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
    "AvgPool1D",
    "AvgPool2D",
    "BatchNormalization",
    "Concatenate",
    "Conv1D",
    "Conv2D",
    "Convolution1D",
    "Convolution2D",
    "Dense",
    "Dropout",
    "Embedding",
    "Flatten",
    "GRUCell",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPooling1D",
    "GlobalMaxPooling2D",
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
    "MaxPooling1D",
    "MaxPooling2D",
    "Maximum",
    "Minimum",
    "Multiply",
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
    "multiply",
]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from ..outside import missing

    raise missing("keras.layers", name)
