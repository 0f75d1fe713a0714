"""``tf.math``: arithmetic, elementary and special functions, reductions, segments."""

# ruff: noqa: F401  # this file lists names

from . import special_functions as special
from .ops.arithmetic import (
    add,
    conj,
    divide,
    exp,
    log,
    maximum,
    minimum,
    multiply,
    negative,
    pow,
    reciprocal,
    rsqrt,
    sqrt,
    square,
    subtract,
    truediv,
)
from .ops.comparison import equal, greater, greater_equal, less, less_equal, not_equal
from .ops.complex_numbers import angle, imag, real
from .ops.confusion import confusion_matrix
from .ops.counting import bincount
from .ops.cumulative import cumprod, cumsum, cumulative_logsumexp, reduce_prod
from .ops.elementwise import abs, cos, sign, sin, tanh
from .ops.exponential import expm1, log1p, log_sigmoid, sigmoid, softplus, softsign, xdivy, xlog1py, xlogy
from .ops.extremes import argmax, argmin, reduce_all, reduce_any, reduce_max, reduce_min
from .ops.layers import scalar_mul
from .ops.logic import (
    divide_no_nan,
    is_finite,
    is_inf,
    is_nan,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    multiply_no_nan,
    nextafter,
    squared_difference,
)
from .ops.making import invert_permutation
from .ops.norms import l2_normalize, reduce_euclidean_norm
from .ops.ordering import approx_max_k, approx_min_k, top_k
from .ops.reductions import reduce_sum
from .ops.reinterpreting import (
    accumulate_n,
    in_top_k,
    is_non_decreasing,
    is_strictly_increasing,
    polyval,
    reciprocal_no_nan,
)
from .ops.rounding import ceil, floor, floordiv, floormod, rint, round
from .ops.rounding import floormod as mod
from .ops.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from .ops.softmax import log_softmax, softmax
from .ops.special import (
    bessel_i0,
    bessel_i0e,
    bessel_i1,
    bessel_i1e,
    betainc,
    digamma,
    erf,
    erfc,
    erfcinv,
    erfinv,
    igamma,
    igammac,
    lbeta,
    lgamma,
    ndtri,
    polygamma,
    zeta,
)
from .ops.statistics import count_nonzero, reduce_logsumexp, reduce_mean, reduce_std, reduce_variance, zero_fraction
from .ops.sums import add_n
from .ops.trigonometry import acos, acosh, asin, asinh, atan, atan2, atanh, cosh, sinh, tan
