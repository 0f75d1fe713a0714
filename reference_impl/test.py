"""``tf.test``: what helps to test gradients."""

from .gradient_checks import compute_gradient

__all__ = ["compute_gradient"]
