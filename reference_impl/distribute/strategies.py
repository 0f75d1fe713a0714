"""Strategies for the one device there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .. import math, nest
from ..autograph.calls import converted
from ..foundation.building import graph_being_built
from ..tensors.conversion import convert_to_tensor
from .contexts import DefaultReplicaContext, InputContext, ReduceOp, ReplicaContext, entered


class _CrossDeviceOps:
    """How values would travel between devices."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.options = (args, kwargs)


class NcclAllReduce(_CrossDeviceOps):
    """``tf.distribute.NcclAllReduce``."""


class HierarchicalCopyAllReduce(_CrossDeviceOps):
    """``tf.distribute.HierarchicalCopyAllReduce``."""


class ReductionToOneDevice(_CrossDeviceOps):
    """``tf.distribute.ReductionToOneDevice``."""


class DistributedDataset:
    """The elements of a dataset, for the one replica."""

    def __init__(self, dataset: Any):
        self._dataset = dataset
        self.element_spec = dataset.element_spec

    def __iter__(self) -> Iterator[Any]:
        return iter(self._dataset)

    def __len__(self) -> int:
        return len(self._dataset)


class Strategy:
    """``tf.distribute.Strategy``: runs a step in each replica, of which there is one."""

    num_replicas_in_sync = 1
    cluster_resolver = None
    is_default = False

    def __init__(self, *args: Any, **kwargs: Any):
        self.replica = ReplicaContext(self)

    def scope(self) -> entered:
        """Context manager: code inside belongs to the strategy, across its replicas."""
        return entered(self, None)

    def run(self, fn: Callable[..., Any], args: tuple = (), kwargs: dict | None = None, options: Any = None) -> Any:
        """Call a step in the replica."""
        if graph_being_built() is not None:
            fn = converted(fn)
        with entered(self, self.replica):
            return fn(*args, **(kwargs or {}))

    def reduce(self, reduce_op: Any, value: Any, axis: Any) -> Any:
        """The sum or mean of the replicas' values, and along an axis if one is given.

        ValueError for another reduction.
        """
        how = ReduceOp.of(reduce_op)
        if axis is None:
            return value
        over = math.reduce_sum if how is ReduceOp.SUM else math.reduce_mean
        return nest.map_structure(lambda v: over(v, axis), value)

    def gather(self, value: Any, axis: int) -> Any:
        """The values of the replicas joined along an axis: the value itself."""
        return convert_to_tensor(value)

    def experimental_local_results(self, value: Any) -> tuple:
        """The values of the replicas here, in a tuple."""
        return (value,)

    unwrap = experimental_local_results

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """The elements of a dataset."""
        return DistributedDataset(dataset)

    def distribute_datasets_from_function(self, dataset_fn: Callable[..., Any], options: Any = None) -> Any:
        """The elements of the dataset that a function makes of an ``InputContext``."""
        return DistributedDataset(dataset_fn(InputContext()))

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(self, value_fn: Callable[..., Any]) -> Any:
        """What a function makes of the replica's context."""
        return value_fn(self.replica)


class MirroredStrategy(Strategy):
    """``tf.distribute.MirroredStrategy``: copies on all devices, of which there is one."""

    def __init__(self, devices: Any = None, cross_device_ops: Any = None):
        super().__init__()


class OneDeviceStrategy(Strategy):
    """``tf.distribute.OneDeviceStrategy``: all on a device by its name."""

    def __init__(self, device: str):
        super().__init__()


class _DefaultDistributionStrategy(Strategy):
    """The strategy of code that belongs to none: nothing changes in its scope, and datasets stay what they are."""

    is_default = True

    def __init__(self) -> None:
        self.replica = DefaultReplicaContext(self)

    def scope(self) -> Any:
        """Context manager that changes nothing."""
        return _Unchanged(self)

    def run(self, fn: Callable[..., Any], args: tuple = (), kwargs: dict | None = None, options: Any = None) -> Any:
        """Call a step."""
        if graph_being_built() is not None:
            fn = converted(fn)
        return fn(*args, **(kwargs or {}))

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """The dataset itself."""
        return dataset

    def distribute_datasets_from_function(self, dataset_fn: Callable[..., Any], options: Any = None) -> Any:
        """The dataset that a function makes of an ``InputContext``."""
        return dataset_fn(InputContext())

    experimental_distribute_datasets_from_function = distribute_datasets_from_function


class _Unchanged:
    def __init__(self, strategy: Strategy):
        self._strategy = strategy

    def __enter__(self) -> Strategy:
        return self._strategy

    def __exit__(self, *error: Any) -> None:
        return None


DEFAULT = _DefaultDistributionStrategy()
