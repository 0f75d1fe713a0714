"""``tf.keras.optimizers.legacy``: the optimizers of Keras 2, which Keras 3 refuses to make."""

from __future__ import annotations

from typing import Any

__all__ = ["SGD", "Adagrad", "Adam", "Ftrl", "Optimizer", "RMSprop"]


class LegacyOptimizerWarning:
    """ImportError whenever one is made."""

    def __init__(self, *args: Any, **kwargs: Any):
        raise ImportError(
            "`keras.optimizers.legacy` is not supported in Keras 3. When using `tf.keras`, to continue using a "
            "`tf.keras.optimizers.legacy` optimizer, you can install the `tf_keras` package (Keras 2) and set the "
            "environment variable `TF_USE_LEGACY_KERAS=True` to configure TensorFlow to use `tf_keras` when accessing "
            "`tf.keras`."
        )


SGD = Adagrad = Adam = Ftrl = Optimizer = RMSprop = LegacyOptimizerWarning
