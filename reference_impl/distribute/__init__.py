"""``tf.distribute`` on the one device there is: strategies run a step once and have nothing to add up.

What spreads work over machines or TPUs is not here.  Variables made in a scope are plain variables.
"""

from .contexts import (
    InputContext,
    InputOptions,
    ReduceOp,
    ReplicaContext,
    get_replica_context,
    get_strategy,
    has_strategy,
    in_cross_replica_context,
)
from .strategies import (
    DistributedDataset,
    HierarchicalCopyAllReduce,
    MirroredStrategy,
    NcclAllReduce,
    OneDeviceStrategy,
    ReductionToOneDevice,
    Strategy,
)

__all__ = [
    "DistributedDataset", "HierarchicalCopyAllReduce", "InputContext", "InputOptions", "MirroredStrategy",
    "NcclAllReduce", "OneDeviceStrategy", "ReduceOp", "ReductionToOneDevice", "ReplicaContext", "Strategy",
    "get_replica_context", "get_strategy", "has_strategy", "in_cross_replica_context",
]  # fmt: skip
