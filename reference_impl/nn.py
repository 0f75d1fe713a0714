"""``tf.nn``: activations, losses, convolutions, pooling, normalisation."""

# ruff: noqa: F401  # this file lists names

from .ops.activations import crelu, elu, gelu, leaky_relu, relu, relu6, selu, silu
from .ops.activations import silu as swish
from .ops.elementwise import tanh
from .ops.exponential import sigmoid, softplus, softsign
from .ops.joining import embedding_lookup
from .ops.norms import l2_loss, l2_normalize
from .ops.ordering import top_k
from .ops.softmax import log_softmax, softmax
from .ops.statistics import moments, zero_fraction
