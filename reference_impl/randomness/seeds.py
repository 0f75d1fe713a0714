"""Where random numbers come from: ``set_seed``, and one NumPy generator for each call.

As in TensorFlow a call depends on the global seed, the call's own seed and the number of calls before it: with
either seed a program repeats itself, with none it does not.  The numbers themselves are NumPy's (Philox), not
TensorFlow's.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..ops.shaping import ints

DEFAULT = 87654321  # the global seed, where only the call has one


class _State(threading.local):
    def __init__(self) -> None:
        self.seed: int | None = None
        self.fresh = np.random.SeedSequence().entropy
        self.calls: dict[int | None, int] = {}


_state = _State()


def set_seed(seed: Any) -> None:
    """Set the global seed, and start the sequence of calls anew (``tf.random.set_seed``)."""
    _state.seed = int(seed)
    _state.calls = {}


def get_global_seed() -> int | None:
    """What ``set_seed`` was last told, None before."""
    return _state.seed


def generator(seed: Any = None) -> np.random.Generator:
    """A NumPy generator for one call; ``seed`` is the call's own."""
    own = None if seed is None else int(seed)
    count = _state.calls.get(own, 0)
    _state.calls[own] = count + 1
    base = _state.seed
    if base is None:
        base = _state.fresh if own is None else DEFAULT
    return of_numbers(base, 0 if own is None else 1, own or 0, count)


def of_numbers(*numbers: int) -> np.random.Generator:
    """A NumPy generator that is a function of integers."""
    entropy = [int(n) & (2**128 - 1) for n in numbers]
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(entropy)))


def of_pair(seed: Any) -> np.random.Generator:
    """The generator of a stateless op: a function of a pair of integers."""
    return of_numbers(*ints(seed))


def rounds_of(seed: Any) -> Iterator[int]:
    """Seeds for the rounds of something that is repeated: with a seed of its own always the same ones."""
    if seed is None:
        rng = generator()
    else:
        rng = of_numbers(DEFAULT if _state.seed is None else _state.seed, 2, int(seed))
    while True:
        yield int(rng.integers(0, 2**62))
