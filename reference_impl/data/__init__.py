"""``tf.data``: datasets as training loops use them; see dataset.py."""

from types import SimpleNamespace

from .dataset import AUTOTUNE, INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset
from .iterating import DatasetIterator as Iterator
from .options import (
    AutoShardPolicy,
    AutotuneOptions,
    DistributeOptions,
    ExternalStatePolicy,
    OptimizationOptions,
    Options,
    ThreadingOptions,
)

experimental = SimpleNamespace(
    AUTOTUNE=AUTOTUNE,
    INFINITE_CARDINALITY=INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY=UNKNOWN_CARDINALITY,
    AutoShardPolicy=AutoShardPolicy,
    AutotuneOptions=AutotuneOptions,
    DistributeOptions=DistributeOptions,
    ExternalStatePolicy=ExternalStatePolicy,
    OptimizationOptions=OptimizationOptions,
    ThreadingOptions=ThreadingOptions,
    cardinality=lambda dataset: dataset.cardinality(),
    get_single_element=lambda dataset: dataset.get_single_element(),
)

__all__ = [
    "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset", "Iterator", "Options", "ThreadingOptions",
    "experimental",
]  # fmt: skip
