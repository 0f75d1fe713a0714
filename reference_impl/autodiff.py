"""``tf.autodiff``: the two ways to differentiate."""

from .forward_mode import ForwardAccumulator
from .tape import GradientTape

__all__ = ["ForwardAccumulator", "GradientTape"]
