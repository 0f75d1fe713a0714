"""Where code runs: in a replica of a strategy's step, or across the replicas, of which there is one."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import nest
from ..surroundings.replicas import places
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices

if TYPE_CHECKING:
    from .strategies import Strategy


class ReduceOp(enum.Enum):
    """How values of several replicas become one (``tf.distribute.ReduceOp``)."""

    SUM = "SUM"
    MEAN = "MEAN"

    @classmethod
    def of(cls, value: Any) -> ReduceOp:
        """The member of a name in any case, or itself.  ValueError for another name."""
        return value if isinstance(value, cls) else cls(str(value).upper())


class InputContext(NamedTuple):
    """Which part of the input a pipeline is to give (``tf.distribute.InputContext``)."""

    num_input_pipelines: int = 1
    input_pipeline_id: int = 0
    num_replicas_in_sync: int = 1

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """A replica's share of a batch.  ValueError where the batch cannot be divided."""
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size!r} is not divisible by `num_replicas_in_sync` "
                f"{self.num_replicas_in_sync!r} "
            )
        return global_batch_size // self.num_replicas_in_sync

    def __str__(self) -> str:
        return (
            f"tf.distribute.InputContext(input pipeline id {self.input_pipeline_id}, total: {self.num_input_pipelines})"
        )

    __repr__ = __str__


class InputOptions(NamedTuple):
    """How a dataset is to be distributed (``tf.distribute.InputOptions``); it stays where it is."""

    experimental_fetch_to_device: Any = None
    experimental_replication_mode: Any = None
    experimental_place_dataset_on_device: bool = False
    experimental_per_replica_buffer_size: int = 1


class ReplicaContext:
    """What a step may ask of the replica it runs in (``tf.distribute.ReplicaContext``)."""

    num_replicas_in_sync = 1
    replica_id_in_sync_group = 0

    def __init__(self, strategy: Strategy, replica_id_in_sync_group: int = 0):
        self.strategy = strategy

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """The sum or mean over all replicas: the value itself.  ValueError for another reduction."""
        ReduceOp.of(reduce_op)
        return nest.map_structure(_reduced, value)

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """The values of all replicas joined along an axis: the value itself."""
        return nest.map_structure(convert_to_tensor, value)

    def merge_call(self, merge_fn: Callable[..., Any], args: tuple = (), kwargs: dict | None = None) -> Any:
        """Call a function with the strategy and the values of all replicas, across the replicas."""
        if self.strategy.is_default:
            return merge_fn(self.strategy, *args, **(kwargs or {}))
        with entered(self.strategy, None):
            return merge_fn(self.strategy, *args, **(kwargs or {}))


class DefaultReplicaContext(ReplicaContext):
    """The replica of code that runs in no strategy."""


DefaultReplicaContext.__name__ = "_DefaultReplicaContext"


def _reduced(value: Any) -> Any:
    return value if isinstance(value, IndexedSlices) else convert_to_tensor(value)


class entered:
    """Context manager: code runs in a strategy, in a replica or, for None, across the replicas."""

    def __init__(self, strategy: Strategy, replica: ReplicaContext | None):
        self._place = (strategy, replica)

    def __enter__(self) -> Any:
        places.stack = (*places.stack, self._place)
        return self._place[0]

    def __exit__(self, *error: Any) -> None:
        places.stack = places.stack[:-1]


def _default() -> Strategy:
    from .strategies import DEFAULT

    return DEFAULT


def has_strategy() -> bool:
    """Whether code runs in a strategy that somebody made."""
    return bool(places.stack)


def get_strategy() -> Strategy:
    """The strategy that code runs in; outside of all, a default one for one device."""
    return places.stack[-1][0] if places.stack else _default()


def get_replica_context() -> ReplicaContext | None:
    """The replica that code runs in, None across the replicas."""
    return places.stack[-1][1] if places.stack else _default().replica


def in_cross_replica_context() -> bool:
    """Whether code runs across the replicas: in a scope, but not in a step."""
    return get_replica_context() is None
