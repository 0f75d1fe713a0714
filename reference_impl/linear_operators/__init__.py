"""``tf.linalg.LinearOperator`` and its kinds: matrices known by what they do; ``composed`` says where each is."""

from . import experimental as experimental
