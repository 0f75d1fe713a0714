"""Who takes part: the engine, NumPy by hand, and those of four peers that are installed."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from typing import Any

import reference_impl
from benchmarks import by_hand, tf_shaped
from benchmarks.measure import Candidate
from benchmarks.settings import quiet_stderr

HAND, ENGINE, TENSORFLOW, TORCH = "numpy by hand", "engine", "tensorflow", "torch"
_PEERS = {TORCH: "in_torch", "autograd": "in_autograd", "mygrad": "in_mygrad"}


class TfShaped:
    """The workloads of tf_shaped.py for one module."""

    def __init__(self, tf: Any):
        self.module = tf

    def __getattr__(self, name: str) -> Any:
        return functools.partial(getattr(tf_shaped, name), self.module)


def installed(wanted: list[str] | None = None) -> dict[str, Any]:
    """Name to the holder of workloads, of everyone installed; of `wanted` only (and the first two) when given."""
    found: dict[str, Any] = {HAND: by_hand, ENGINE: TfShaped(reference_impl)}
    for name in (TENSORFLOW, *_PEERS):
        if importlib.util.find_spec(name) is None or (wanted is not None and name not in wanted):
            continue
        with quiet_stderr():
            found[name] = importlib.import_module(f"benchmarks.{_PEERS[name]}") if name in _PEERS else _tensorflow()
    return found


def _tensorflow() -> TfShaped:
    tf = importlib.import_module("tensorflow")
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.get_logger().setLevel("ERROR")
    return TfShaped(tf)


def candidates(holders: dict[str, Any], workload: str, *arguments: Any) -> dict[str, Candidate]:
    """Name to a run of one workload, of everyone who has it."""
    found = {}
    for name, holder in holders.items():
        make = getattr(holder, workload, None)
        if make is not None:
            found[name] = make(*arguments)
    return found
