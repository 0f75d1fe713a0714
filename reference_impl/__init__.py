"""A NumPy tape that behaves like ``tf.GradientTape``: ``import reference_impl as tf``."""

from .conversion import constant, convert_to_tensor
from .ops import arithmetic, casting, comparison, elementwise, matrix, operators, reductions, selection, shaping, sums
from .ops.declare import NAMES
from .tape import GradientTape
from .tensor import EagerTensor as Tensor
from .tensor import unwrap, wrap

globals().update({name: function for name, function in NAMES.items() if "." not in name})
