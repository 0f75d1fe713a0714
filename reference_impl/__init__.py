"""A NumPy tape that behaves like ``tf.GradientTape``: ``import reference_impl as tf``."""

from . import autodiff, bitwise, errors, linalg, math, nest, nn, raw_ops
from .conversion import constant, convert_to_tensor
from .custom_gradients import custom_gradient, grad_pass_through, recompute_grad
from .dtypes import *  # noqa: F403
from .dtypes import DType, as_dtype
from .dtypes import bool_ as bool  # noqa: A004
from .ops import arithmetic, casting, comparison, elementwise, gathering, indexing, logic, matrix, operators, reductions
from .ops import rounding, selection, shaping, sums
from .ops.declare import NAMES
from .shapes import TensorShape
from .slices import IndexedSlices
from .tape import GradientTape, UnconnectedGradients
from .tensor import EagerTensor as Tensor
from .tensor import is_tensor, unwrap, wrap
from .variable import Variable
from .warnings_log import clear_log_counters

newaxis = None
globals().update({name: function for name, function in NAMES.items() if "." not in name})
