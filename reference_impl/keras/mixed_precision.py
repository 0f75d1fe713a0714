"""``tf.keras.mixed_precision``: computing in half precision with variables in single precision."""

from .dtype_policies import DTypePolicy, dtype_policy, set_dtype_policy
from .optimizers import LossScaleOptimizer

Policy = DTypePolicy
global_policy, set_global_policy = dtype_policy, set_dtype_policy

__all__ = [
    "DTypePolicy", "LossScaleOptimizer", "Policy", "dtype_policy", "global_policy", "set_dtype_policy",
    "set_global_policy",
]  # fmt: skip
