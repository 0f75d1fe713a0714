"""``tf.data.Options``: how a dataset is to be computed.  It is kept and changes nothing here."""

from __future__ import annotations

import enum
from typing import Any, ClassVar


class AutoShardPolicy(enum.IntEnum):
    """How a dataset is divided among machines (``tf.data.experimental.AutoShardPolicy``)."""

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


class ExternalStatePolicy(enum.Enum):
    """What becomes of state outside of a dataset (``tf.data.experimental.ExternalStatePolicy``)."""

    WARN = 0
    IGNORE = 1
    FAIL = 2


class _Properties:
    """Settings by name, each of one type.  AttributeError for another name, TypeError for another type."""

    _types: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        object.__setattr__(self, "_kept", {})

    def __getattr__(self, name: str) -> Any:
        kind = type(self)._types.get(name)
        if kind is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if issubclass(kind, _Properties):
            return self._kept.setdefault(name, kind())
        return self._kept.get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        kind = type(self)._types.get(name)
        if kind is None:
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        if not isinstance(value, kind):
            raise TypeError(f'Property "{name}" must be of type {kind}, got: {value} (type: {type(value)})')
        self._kept[name] = value


class AutotuneOptions(_Properties):
    """Numbers that are found while a dataset runs."""

    _types: ClassVar[dict[str, Any]] = {
        "enabled": bool, "cpu_budget": int, "ram_budget": int, "initial_parallelism": int, "min_parallelism": int,
    }  # fmt: skip


class DistributeOptions(_Properties):
    """How it is divided among machines."""

    _types: ClassVar[dict[str, Any]] = {"auto_shard_policy": AutoShardPolicy, "num_devices": int}


class OptimizationOptions(_Properties):
    """Which of its steps may become one."""

    _types: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("apply_default_optimizations", "filter_fusion", "filter_parallelization", "inject_prefetch",
         "map_and_batch_fusion", "map_and_filter_fusion", "map_fusion", "map_parallelization", "noop_elimination",
         "parallel_batch", "seq_interleave_prefetch", "shuffle_and_repeat_fusion", "warm_start"), bool
    )  # fmt: skip


class ThreadingOptions(_Properties):
    """How many threads it has."""

    _types: ClassVar[dict[str, Any]] = {"max_intra_op_parallelism": int, "private_threadpool_size": int}


class Options(_Properties):
    """``tf.data.Options()``."""

    _types: ClassVar[dict[str, Any]] = {
        "autotune": AutotuneOptions, "dataset_name": str, "deterministic": bool, "experimental_deterministic": bool,
        "experimental_distribute": DistributeOptions, "experimental_external_state_policy": ExternalStatePolicy,
        "experimental_optimization": OptimizationOptions, "experimental_slack": bool,
        "experimental_symbolic_checkpoint": bool, "experimental_threading": ThreadingOptions,
        "experimental_warm_start": bool, "framework_type": list, "threading": ThreadingOptions,
    }  # fmt: skip

    def merge(self, options: Options) -> Options:
        """The settings of both; those of the other count where both have one."""
        both = Options()
        both._kept.update({**self._kept, **options._kept})
        return both
