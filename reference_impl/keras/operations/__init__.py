"""What the functions of ``keras.ops`` are on tensors, family by family; each module has a ``TABLE`` of them.

They are made of TensorFlow's ops in the way of Keras, so that dtypes, ties and derivatives come out as Keras's do.
``keras.ops`` (ops.py) makes operations of graphs of them where KerasTensors are among the arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import (
    activating,
    control,
    convolving,
    crossentropies,
    elementwise,
    factors,
    images,
    joining,
    making,
    normalizing,
    not_numbers,
    ordering,
    pairs,
    patching,
    picking,
    pooling,
    products,
    reducing,
    segmenting,
    shaping,
    spectra,
    vectorizing,
    warping,
)

NUMPY = (elementwise, joining, making, not_numbers, ordering, pairs, picking, products, reducing, shaping, vectorizing)
NN = (activating, convolving, crossentropies, normalizing, patching, pooling)
IMAGE = (images, warping)
OTHERS = (control, factors, segmenting, spectra)


def table_of(modules: Any) -> dict[str, Callable[..., Any]]:
    """The functions of some modules by their names."""
    return {name: function for module in modules for name, function in module.TABLE.items()}


TABLE = table_of((*NUMPY, *NN, *OTHERS))
