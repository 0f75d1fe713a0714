"""``tf.keras``: the part of Keras 3 that hand-written training loops use.  ``dir`` lists what there is.

Layers, models (functional, Sequential and by subclassing), losses, metrics, optimizers with their schedules,
activations and initializers, each checked against Keras 3.15.  Data sets, preprocessing and saving as ``.keras`` are
not part of it.
"""

import importlib
from typing import Any

from . import (
    activations,
    backend,
    constraints,
    dtype_policies,
    initializers,
    layers,
    losses,
    metrics,
    models,
    optimizers,
    regularizers,
    utils,
)
from .dtype_policies import DTypePolicy, FloatDTypePolicy
from .initializers import Initializer
from .inputs import Input
from .layer import Layer
from .losses import Loss
from .metrics import Metric
from .model import Model, Sequential
from .optimizers import Optimizer
from .regularizers import Regularizer
from .specs import InputSpec
from .stateless import StatelessScope
from .symbolic import KerasTensor
from .variables import Variable

__version__ = "3.15.1"
__all__ = [
    "DTypePolicy", "FloatDTypePolicy", "Initializer", "Input", "InputSpec", "KerasTensor", "Layer", "Loss", "Metric",
    "Model", "Optimizer", "Regularizer", "Sequential", "StatelessScope", "Variable", "activations", "backend",
    "callbacks", "config", "constraints", "dtype_policies", "initializers", "layers", "losses", "metrics",
    "mixed_precision", "models", "ops", "optimizers", "random", "regularizers", "tree", "utils", "version",
]  # fmt: skip


def version() -> str:
    """The version of Keras that this is like."""
    return __version__


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name in ("config", "mixed_precision", "ops", "random", "tree"):
        return importlib.import_module(f"{__name__}.{name}")
    from .outside import missing

    raise missing("keras", name)
