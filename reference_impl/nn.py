"""``tf.nn``: activations, losses, convolutions, pooling, normalisation."""

# ruff: noqa: F401  # this file lists names

from .composed import loader as _loader
from .ops.activations import crelu, elu, gelu, leaky_relu, relu, relu6, selu, silu
from .ops.activations import silu as swish
from .ops.blocks import depth_to_space, space_to_batch, space_to_depth
from .ops.convolutions import (
    atrous_conv2d,
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
    conv_transpose,
    convolution,
    depthwise_conv2d,
    separable_conv2d,
)
from .ops.elementwise import tanh
from .ops.exponential import sigmoid, softplus, softsign
from .ops.fractional import fractional_avg_pool, fractional_max_pool
from .ops.isotonic import isotonic_regression
from .ops.joining import embedding_lookup
from .ops.layers import (
    batch_normalization,
    bias_add,
    dropout,
    local_response_normalization,
)
from .ops.layers import (
    local_response_normalization as lrn,
)
from .ops.losses import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from .ops.morphology import dilation2d, erosion2d
from .ops.norms import l2_loss, l2_normalize
from .ops.ordering import approx_max_k, approx_min_k, top_k
from .ops.pooling import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_pool_with_argmax,
)
from .ops.reinterpreting import in_top_k
from .ops.softmax import log_softmax, softmax
from .ops.statistics import moments, weighted_moments, zero_fraction

__getattr__, __dir__ = _loader("nn", globals())
