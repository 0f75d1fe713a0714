"""The stateless random numbers that TensorFlow draws, number for number: stateless_uniform and stateless_normal.

Numbers are drawn as constants and then scaled by ops, so that gradients reach means, deviations and bounds.
``gamma_number`` makes an op of gamma numbers that were drawn, whose gradient moves each at its own probability.
"""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..dtypes import as_dtype, float32
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .declare import OPS, kernel, public
from .given_sizes import shape_of_random
from .kernels import philox


def _seed(seed: Any) -> tuple[int, int]:
    a, b = np.asarray(convert_to_tensor(seed)._a).tolist()
    return a, b


def _filled(numbers: np.ndarray, shape: tuple[int, ...]) -> EagerTensor:
    return wrap(numbers.reshape(shape)[()])


@public("random.stateless_uniform")
def stateless_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, name: str | None = None,
    alg: Any = "auto_select",
) -> EagerTensor:  # fmt: skip
    """Evenly distributed numbers in [minval, maxval), the same for the same seed (``tf.random.stateless_uniform``)."""
    size, want = shape_of_random("StatelessRandomUniformV2", shape, name), as_dtype(dtype)
    count = _math.prod(size)
    if want.is_integer:
        if maxval is None:
            raise ValueError(f"Must specify maxval for integer dtype {want.name}")
        low, high = int(convert_to_tensor(minval)._a), int(convert_to_tensor(maxval)._a)
        return _filled(philox.integers(_seed(seed), count, low, high, want.numpy), size)
    low = convert_to_tensor(minval, want)
    high = convert_to_tensor(1 if maxval is None else maxval, want)
    return _filled(philox.uniform(_seed(seed), count, want.numpy), size) * (high - low) + low


@public("random.stateless_normal")
def stateless_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None,
    alg: Any = "auto_select",
) -> EagerTensor:  # fmt: skip
    """Normally distributed numbers, the same for the same seed (``tf.random.stateless_normal``)."""
    size, want = shape_of_random("StatelessRandomNormalV2", shape, name), as_dtype(dtype)
    drawn = _filled(philox.normal(_seed(seed), _math.prod(size), want.numpy), size)
    return drawn * convert_to_tensor(stddev, want) + convert_to_tensor(mean, want)


def _gamma_gradient(F: Any, dy: Any, y: Any, alpha: Any, drawn: Any) -> Any:
    OPS["RandomGammaGrad"].check(F.dtype(y))  # which has no kernel for half precision
    moved = dy * F.random_gamma_grad(alpha, y)
    return F.sum(moved, axis=tuple(range(F.rank(y) - F.rank(alpha))), keepdims=False)


gamma_number = kernel(
    "gamma_number", "RandomGamma", forward=lambda alpha, drawn: drawn, gradient=_gamma_gradient
)  # fmt: skip
