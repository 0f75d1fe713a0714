"""A NumPy tape that behaves like ``tf.GradientTape``: ``import reference_impl as tf``."""

from . import autodiff, bitwise, debugging, errors, linalg, math, nest, nn, quantization, raw_ops, signal, test
from . import graph_options as _graph_options
from . import config
from . import printing as _printing
from .building import intercepted
from .conversion import constant, convert_to_tensor
from .custom_gradients import custom_gradient, grad_pass_through, recompute_grad
from .dtypes import *  # noqa: F403
from .dtypes import DType, as_dtype
from .dtypes import bool_ as bool  # noqa: A004
from .ops import arithmetic, casting, comparison, elementwise, gathering, indexing, logic, matrix, operators, reductions
from .ops import bitcasting, rounding, selection, shaping, sums, unique_values
from .ops.declare import NAMES
from .python_functions import numpy_function, py_function
from .registry import RegisterGradient, clear_registered_gradients, no_gradient
from .scopes import control_dependencies, device, executing_eagerly, group, init_scope, name_scope, no_op
from .shapes import TensorShape
from .slices import IndexedSlices
from .tape import GradientTape, UnconnectedGradients
from .tensor import EagerTensor as Tensor
from .tensor import is_tensor, unwrap, wrap
from .variable import Variable
from .warnings_log import clear_log_counters

constant, convert_to_tensor = intercepted(constant), intercepted(convert_to_tensor)
numpy_function, py_function = intercepted(numpy_function), intercepted(py_function)
newaxis = None
globals().update({name: function for name, function in NAMES.items() if "." not in name})
_TRACING = frozenset(
    "TensorArray TensorSpec case cond foldl foldr function gradients hessians map_fn scan switch_case vectorized_map "
    "while_loop".split()
)


def __getattr__(name: str) -> object:
    """What has to do with traced functions is loaded when it is first used."""
    from importlib import import_module

    if name in _TRACING:
        value = globals()[name] = getattr(import_module(".tracing", __name__), name)
        return value
    if name == "autograph":
        return import_module(".autograph", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
