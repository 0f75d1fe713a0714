"""Where layers and initializers of Keras take their seeds from: Python's ``random``, as Keras does."""

from __future__ import annotations

import random as python_random
from typing import Any

import numpy as np

from ..randomness.seeds import set_seed
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .autocasting import casting
from .naming import auto_name, rehearsing, scope
from .variables import Variable

_GLOBAL: list[SeedGenerator] = []


class SeedGenerator:
    """``SeedGenerator(seed=None)``: gives a new pair of seeds each time it is asked."""

    def __init__(self, seed: int | None = None, name: str | None = None):
        self.name = auto_name(type(self).__name__) if name is None else name
        first = make_default_seed() if seed is None else seed
        if not isinstance(first, int):
            raise ValueError(f"Argument `seed` must be an integer. Received: seed={seed}")
        with scope(self.name, self):
            state = np.array([first, 0], np.int64)
            self.state = Variable(state, trainable=False, name="seed_generator_state")

    def next(self, ordered: bool = True) -> EagerTensor:
        """A pair of seeds, int64 of shape [2]."""
        if casting.stateless is not None:
            held = convert_to_tensor(self.state)
            self.state.assign(held + np.array([0, 1], np.int64) if ordered else (held + 1) * 5387 % 933199)
            return held
        current = self.state.value.read_value()
        if rehearsing():
            return current
        if ordered:
            self.state.value.assign_add(np.array([0, 1], np.int64))
        else:
            self.state.assign((current + 1) * 5387 % 933199)
        return current


def make_default_seed() -> int:
    """A seed drawn from Python's ``random``."""
    return python_random.randint(1, int(1e9))


def draw_seed(seed: Any) -> EagerTensor:
    """A pair of seeds from a number, a generator, or (None) the generator of the process; int32 as Keras casts it."""
    if isinstance(seed, SeedGenerator):
        pair = seed.next()
    elif isinstance(seed, int):
        pair = wrap(np.array([seed, 0], np.int64))
    elif seed is None:
        if not _GLOBAL:
            _GLOBAL.append(SeedGenerator())
        pair = _GLOBAL[0].next(ordered=False)
    else:
        raise ValueError(
            "Argument `seed` must be either an integer or an instance of `SeedGenerator`. Received: "
            f"seed={seed} (of type {type(seed)})"
        )
    from ..ops.casting import cast

    return cast(pair % (2**31 - 2), "int32")


def set_random_seed(seed: int) -> None:
    """Seed Python's, NumPy's and this engine's random numbers (``tf.keras.utils.set_random_seed``)."""
    if not isinstance(seed, int):
        raise ValueError(f"Expected `seed` argument to be an integer. Received: seed={seed} (of type {type(seed)})")
    _GLOBAL.clear()
    python_random.seed(seed)
    np.random.seed(seed)
    set_seed(seed)
