"""Generator: a stream of random numbers with a state of its own (``tf.random.Generator``)."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from ..dtypes import float32, int32, uint64
from ..foundation.building import intercepted
from ..ops.shaping import ints
from ..surroundings.modules import Module
from ..tapes.recording import active
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable
from . import draws
from .seeds import of_numbers

_WORDS = 2**64
_A_NUMBER = 256  # by so much a drawn number moves the counter


class Algorithm(enum.Enum):
    """Names of TensorFlow's algorithms; they change nothing here."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


class Generator(Module):
    """Made by ``from_seed``, ``from_non_deterministic_state``, ``from_state`` or ``from_key_counter``.

    Its state is a variable of three int64: a counter of two words and a key.  Each call draws by the key and the
    counter, and counts on.
    """

    def __init__(self, copy_from: Generator | None = None, state: Any = None, alg: Any = None):
        super().__init__(name="generator")
        values = copy_from._state_var.numpy() if copy_from is not None else np.asarray(ints(state), np.int64)
        self._alg = (
            copy_from._alg if copy_from is not None else Algorithm.PHILOX if alg in (None, "auto_select") else alg
        )
        self._state_var = ResourceVariable(values, trainable=False, name="StateVar", dtype="int64")

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """The generator of a seed."""
        return cls(state=_state_of_seed(seed), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator that is different every time."""
        return cls(state=np.random.default_rng().integers(-(2**63), 2**63 - 1, 3), alg=alg)

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """The generator with the state of another one."""
        return cls(state=np.asarray(state), alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """The generator with a key and a counter of two words."""
        return cls(state=[*ints(counter), *ints(key)], alg=alg)

    @property
    def algorithm(self) -> int:
        """The number of the algorithm."""
        return self._alg.value if isinstance(self._alg, Algorithm) else 1

    @property
    def state(self) -> ResourceVariable:
        """The state as a variable."""
        return self._state_var

    @property
    def key(self) -> EagerTensor:
        """The key, the last word of the state."""
        return wrap(self._state_var.numpy()[2])

    def reset(self, state: Any) -> None:
        """Go on from a state."""
        self._state_var.assign(np.asarray(state))

    def reset_from_seed(self, seed: Any) -> None:
        """Go on from the state of a seed."""
        self._state_var.assign(_state_of_seed(seed))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Go on from a key and a counter."""
        self._state_var.assign(np.asarray([*ints(counter), *ints(key)], np.int64))

    @intercepted
    def skip(self, delta: Any) -> EagerTensor:
        """Count on without drawing; the state before."""
        before = wrap(np.asarray(self._state_var.numpy()))
        self._count(_A_NUMBER * int(delta))
        return before

    def _count(self, delta: int) -> None:
        if active.pretending:  # nothing is drawn while a function is traced
            return
        low, high, key = (int(v) for v in self._state_var.numpy())
        total = ((high % _WORDS) << 64 | low % _WORDS) + delta
        words = np.array([total % _WORDS, (total >> 64) % _WORDS], np.uint64).view(np.int64)
        self._state_var.assign(np.array([*words, key], np.int64))

    def _next(self, shape: Any, count: int | None = None) -> np.random.Generator:
        rng = of_numbers(*(int(v) % _WORDS for v in self._state_var.numpy()))
        drawn = int(np.prod(ints(shape), dtype=np.int64)) if count is None else count
        self._count(_A_NUMBER * drawn)
        return rng

    def split(self, count: int = 1) -> list[Generator]:
        """``count`` new generators, whose streams are independent of this one's."""
        keys = self._next([count]).integers(-(2**63), 2**63 - 1, count)
        return [Generator(state=[0, 0, int(k)], alg=self._alg) for k in keys]

    @intercepted
    def make_seeds(self, count: int = 1) -> EagerTensor:
        """Seeds for stateless functions: int64 of shape [2, count]."""
        return draws.full_integers(self._next([2, count], count), [2, count], "int64")

    @intercepted
    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None
    ) -> EagerTensor:
        """Normal numbers."""
        return draws.normal(self._next(shape), shape, mean, stddev, dtype)

    @intercepted
    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None
    ) -> EagerTensor:
        """Normal numbers within two standard deviations."""
        return draws.truncated_normal(self._next(shape), shape, mean, stddev, dtype)

    @intercepted
    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, name: str | None = None
    ) -> EagerTensor:
        """Numbers in [minval, maxval)."""
        return draws.uniform(self._next(shape), shape, minval, maxval, dtype)

    @intercepted
    def uniform_full_int(self, shape: Any, dtype: Any = uint64, name: str | None = None) -> EagerTensor:
        """Whole numbers from the whole range of a dtype."""
        return draws.full_integers(self._next(shape), shape, dtype)

    @intercepted
    def binomial(self, shape: Any, counts: Any, probs: Any, dtype: Any = int32, name: str | None = None) -> EagerTensor:
        """How many of ``counts`` trials succeed."""
        return draws.binomial(self._next(shape), shape, counts, probs, dtype)


def _state_of_seed(seed: Any) -> np.ndarray:
    """Three words: those of a whole number, the lowest first, or the last ones of a vector."""
    words = ints(seed)
    if np.ndim(seed) == 0:
        words = tuple(words[0] >> shift for shift in (0, 64, 128))
    words = (*(0,) * (3 - len(words)), *words)[-3:]
    return np.array([w % _WORDS for w in words], np.uint64).view(np.int64)


_GLOBAL: list[Generator] = []


def get_global_generator() -> Generator:
    """The generator of the process, made when it is first asked for."""
    if not _GLOBAL:
        _GLOBAL.append(Generator.from_non_deterministic_state())
    return _GLOBAL[0]


def set_global_generator(generator: Generator) -> None:
    """Replace the generator of the process."""
    _GLOBAL[:] = [generator]


def create_rng_state(seed: Any, alg: Any) -> EagerTensor:
    """The state of a seed."""
    return wrap(_state_of_seed(seed))
