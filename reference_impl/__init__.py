"""A NumPy tape that behaves like ``tf.GradientTape``: ``import reference_impl as tf``."""

from . import autodiff, bitwise, debugging, errors, linalg, math, nest, nn, quantization, raw_ops, signal, test
from . import printing as _printing
from .conversion import constant, convert_to_tensor
from .custom_gradients import custom_gradient, grad_pass_through, recompute_grad
from .dtypes import *  # noqa: F403
from .dtypes import DType, as_dtype
from .dtypes import bool_ as bool  # noqa: A004
from .ops import arithmetic, casting, comparison, elementwise, gathering, indexing, logic, matrix, operators, reductions
from .ops import rounding, selection, shaping, sums
from .ops.declare import NAMES
from .python_functions import numpy_function, py_function
from .registry import RegisterGradient, clear_registered_gradients, no_gradient
from .shapes import TensorShape
from .slices import IndexedSlices
from .tape import GradientTape, UnconnectedGradients
from .tensor import EagerTensor as Tensor
from .tensor import is_tensor, unwrap, wrap
from .variable import Variable
from .warnings_log import clear_log_counters

newaxis = None
globals().update({name: function for name, function in NAMES.items() if "." not in name})
