"""``tf.test``: what helps to test gradients."""

from .user_gradients.gradient_checks import compute_gradient

__all__ = ["compute_gradient"]
