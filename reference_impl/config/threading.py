"""``tf.config.threading``: numbers of threads, of which there is one here; the numbers are kept."""

from __future__ import annotations

_THREADS = {"inter": 0, "intra": 0}


def get_inter_op_parallelism_threads() -> int:
    """The number set for ops that run beside each other; 0 leaves it to the machine."""
    return _THREADS["inter"]


def get_intra_op_parallelism_threads() -> int:
    """The number set for the work inside an op; 0 leaves it to the machine."""
    return _THREADS["intra"]


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Keep a number for ``get_inter_op_parallelism_threads``."""
    _THREADS["inter"] = num_threads


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Keep a number for ``get_intra_op_parallelism_threads``."""
    _THREADS["intra"] = num_threads
