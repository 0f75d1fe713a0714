"""``tf.autodiff``: the two ways to differentiate."""

from .forward.forward_mode import ForwardAccumulator
from .tapes.tape import GradientTape

__all__ = ["ForwardAccumulator", "GradientTape"]
