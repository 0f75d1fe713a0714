"""``tf.random``: tensors of random numbers.

Shapes, dtypes, distributions and seeding are TensorFlow's.  ``stateless_uniform`` and ``stateless_normal`` give its
very numbers; those of all others come from NumPy's generators.  After ``set_seed`` a program repeats itself.
"""

from types import SimpleNamespace

from .ops.randomness import stateless_normal, stateless_uniform  # TensorFlow's very numbers
from .randomness.functions import (
    categorical,
    fold_in,
    gamma,
    normal,
    poisson,
    shuffle,
    split,
    stateless_binomial,
    stateless_categorical,
    stateless_gamma,
    stateless_poisson,
    stateless_shuffle,
    stateless_truncated_normal,
    truncated_normal,
    uniform,
)
from .randomness.generator import Algorithm, Generator, create_rng_state, get_global_generator, set_global_generator
from .randomness.seeds import set_seed

experimental = SimpleNamespace(
    Algorithm=Algorithm,
    Generator=Generator,
    create_rng_state=create_rng_state,
    get_global_generator=get_global_generator,
    set_global_generator=set_global_generator,
    stateless_fold_in=fold_in,
    stateless_shuffle=stateless_shuffle,
    stateless_split=split,
)

__all__ = [
    "Algorithm", "Generator", "categorical", "create_rng_state", "experimental", "fold_in", "gamma",
    "get_global_generator", "normal", "poisson", "set_global_generator", "set_seed", "shuffle", "split",
    "stateless_binomial", "stateless_categorical", "stateless_gamma", "stateless_normal", "stateless_poisson",
    "stateless_truncated_normal", "stateless_uniform", "truncated_normal", "uniform",
]  # fmt: skip
