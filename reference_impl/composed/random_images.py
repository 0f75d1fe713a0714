"""Images changed by chance (``tf.image.random_*``), or by a pair of seeds, number for number as TensorFlow does it.

Gradients pass to the image as through the change that was drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import float32, int32
from ..errors import InvalidArgumentError, unnamed
from ..foundation.building import intercepted
from ..ops.declare import NAMES
from ..ops.randomness import stateless_uniform
from ..ops.rounding import round as _round
from ..ops.tiling import reverse, slice_of
from ..random import uniform
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .adjusting import adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation
from .framing import at_least_3d

_Draw = Callable[..., EagerTensor]


def _by_chance(seed: Any) -> _Draw:
    """Numbers by chance: ``draw(shape, minval, maxval, dtype)``."""
    return lambda shape, low, high, dtype=float32: uniform(shape, low, high, dtype, seed)


def _by_seeds(seed: Any) -> _Draw:
    """Numbers by a pair of seeds.  InvalidArgumentError for what is no pair."""
    shape = convert_to_tensor(seed)._a.shape
    if shape != (2,):
        found = f"[{','.join(map(str, shape))}]"
        raise unnamed("StatelessRandomGetKeyCounter", f"seed must have shape [2], not {found}")
    return lambda shape, low, high, dtype=float32: stateless_uniform(shape, seed, low, high, dtype)


def _check_delta(delta: float) -> None:
    if delta < 0:
        raise ValueError("max_delta must be non-negative.")


def _check_bounds(lower: float, upper: float) -> None:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


def _brightness(image: Any, max_delta: Any, draw: Callable[[], _Draw]) -> EagerTensor:
    _check_delta(max_delta)
    return adjust_brightness(image, draw()([], -max_delta, max_delta))


def _hue(image: Any, max_delta: Any, draw: Callable[[], _Draw]) -> EagerTensor:
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    _check_delta(max_delta)
    return adjust_hue(image, draw()([], -max_delta, max_delta))


def _scaled(function: Any, image: Any, lower: Any, upper: Any, draw: Callable[[], _Draw]) -> EagerTensor:
    _check_bounds(lower, upper)
    return function(image, draw()([], lower, upper))


def _flipped(image: Any, axis: int, draw: Callable[[], _Draw]) -> EagerTensor:
    """One image mirrored or not; of a batch, each by itself."""
    x = at_least_3d(convert_to_tensor(image))
    if x._a.ndim == 3:
        chosen = bool(draw()([], 0, 1.0)._a < 0.5)
        return reverse(x, [axis]) if chosen else NAMES["identity"](x)
    if x._a.ndim != 4:
        raise ValueError(f"'image' (shape {x.shape}) must have either 3 or 4 dimensions.")
    size = x._a.shape[0]
    flips = NAMES["cast"](_round(NAMES["reshape"](draw()([size], 0, 1.0), [size, 1, 1, 1])), x.dtype)
    return flips * reverse(x, [axis + 1]) + (1 - flips) * x


def _cropped(value: Any, size: Any, draw: Callable[[], _Draw]) -> EagerTensor:
    x, want = convert_to_tensor(value), np.asarray(convert_to_tensor(size, dtype_hint=int32)._a)
    have = x._a.shape
    if any(a < b for a, b in zip(have, want)):
        shapes = "\n".join(", ".join(map(str, shape)) for shape in (have, want.tolist()))
        text = "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: b'Need value.shape >= "
        raise InvalidArgumentError(None, None, f"{text}size, got '\n{shapes}")
    limit = np.asarray(have, np.int32) - want + 1
    drawn = draw()([len(have)], 0, np.iinfo(np.int32).max, int32)._a
    return slice_of(x, drawn % limit, want)


# ------------------------------------------------------------------------------------------------ by chance


@intercepted
def random_brightness(image: Any, max_delta: Any, seed: Any = None) -> EagerTensor:
    """An image made brighter or darker by at most ``max_delta``.  ValueError for a negative one."""
    return _brightness(image, max_delta, lambda: _by_chance(seed))


@intercepted
def random_contrast(image: Any, lower: Any, upper: Any, seed: Any = None) -> EagerTensor:
    """An image whose contrast is multiplied by a factor in [lower, upper).  ValueError for other bounds."""
    return _scaled(adjust_contrast, image, lower, upper, lambda: _by_chance(seed))


@intercepted
def random_hue(image: Any, max_delta: Any, seed: Any = None) -> EagerTensor:
    """An image whose hue is turned by at most ``max_delta``.  ValueError for one below 0 or above 0.5."""
    return _hue(image, max_delta, lambda: _by_chance(seed))


@intercepted
def random_saturation(image: Any, lower: Any, upper: Any, seed: Any = None) -> EagerTensor:
    """An image whose saturation is multiplied by a factor in [lower, upper).  ValueError for other bounds."""
    return _scaled(adjust_saturation, image, lower, upper, lambda: _by_chance(seed))


@intercepted
def random_flip_left_right(image: Any, seed: Any = None) -> EagerTensor:
    """An image, or each of a batch, mirrored or not."""
    return _flipped(image, 1, lambda: _by_chance(seed))


@intercepted
def random_flip_up_down(image: Any, seed: Any = None) -> EagerTensor:
    """An image, or each of a batch, upside down or not."""
    return _flipped(image, 0, lambda: _by_chance(seed))


@intercepted
def random_crop(value: Any, size: Any, seed: Any = None, name: str | None = None) -> EagerTensor:
    """A part of a tensor of a given size.  InvalidArgumentError for a size that is too large."""
    return _cropped(value, size, lambda: _by_chance(seed))


# ------------------------------------------------------------------------------------------------ by seeds


@intercepted
def stateless_random_brightness(image: Any, max_delta: Any, seed: Any) -> EagerTensor:
    """As ``random_brightness``, by a pair of seeds."""
    return _brightness(image, max_delta, lambda: _by_seeds(seed))


@intercepted
def stateless_random_contrast(image: Any, lower: Any, upper: Any, seed: Any) -> EagerTensor:
    """As ``random_contrast``, by a pair of seeds."""
    return _scaled(adjust_contrast, image, lower, upper, lambda: _by_seeds(seed))


@intercepted
def stateless_random_hue(image: Any, max_delta: Any, seed: Any) -> EagerTensor:
    """As ``random_hue``, by a pair of seeds."""
    return _hue(image, max_delta, lambda: _by_seeds(seed))


@intercepted
def stateless_random_saturation(image: Any, lower: Any, upper: Any, seed: Any = None) -> EagerTensor:
    """As ``random_saturation``, by a pair of seeds."""
    return _scaled(adjust_saturation, image, lower, upper, lambda: _by_seeds(seed))


@intercepted
def stateless_random_flip_left_right(image: Any, seed: Any) -> EagerTensor:
    """As ``random_flip_left_right``, by a pair of seeds."""
    return _flipped(image, 1, lambda: _by_seeds(seed))


@intercepted
def stateless_random_flip_up_down(image: Any, seed: Any) -> EagerTensor:
    """As ``random_flip_up_down``, by a pair of seeds."""
    return _flipped(image, 0, lambda: _by_seeds(seed))


@intercepted
def stateless_random_crop(value: Any, size: Any, seed: Any, name: str | None = None) -> EagerTensor:
    """As ``random_crop``, by a pair of seeds."""
    return _cropped(value, size, lambda: _by_seeds(seed))
