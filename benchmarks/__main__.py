"""`python -m benchmarks [NAME ...]`: every workload side by side (NumPy by hand, the engine, TensorFlow if installed).

Run it with one thread (`OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1`) on a quiet machine; quote ratios, never times.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from typing import Any

import numpy as np

import reference_impl
from benchmarks import by_hand, workloads
from benchmarks.measure import Row, side_by_side, table


def tensorflow_if_installed() -> Any:
    """TensorFlow, quiet and on one thread, or None."""
    if importlib.util.find_spec("tensorflow") is None:
        return None
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    tf = importlib.import_module("tensorflow")
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    return tf


def chains(tf: Any) -> list[Row]:
    rows = []
    for shape, label in (((), "scalar"), ((8,), "8 elements")):
        x = np.full(shape, 0.3, np.float32)[()]
        candidates = {"numpy by hand": lambda x=x: by_hand.chain(x, 999), "engine": workloads.chain(reference_impl, x, 999)}
        if tf is not None:
            candidates["tensorflow"] = workloads.chain(tf, x, 999)
        rows += side_by_side(f"chain of 999 ops, {label}", candidates)
    return rows


def depth(tf: Any) -> list[Row]:
    """Is a long chain differentiated in time linear in its length? The ratio is per op, to the shortest chain."""
    rows = []
    for ops in (9_999, 99_999, 999_999):
        run = workloads.chain(reference_impl, np.float32(0.3), ops)
        seconds = side_by_side("", {"engine": run}, rounds=2)[0].seconds / ops
        rows.append(Row(f"chain of {ops} ops, per op", "engine", seconds, seconds / (rows[0].seconds if rows else seconds)))
    return rows


def mlp(tf: Any) -> list[Row]:
    rng = np.random.default_rng(0)
    sizes = [784, 128, 64, 10]
    weights = []
    for m, n in zip(sizes, sizes[1:]):
        weights += [rng.normal(size=(m, n)).astype(np.float32) * np.float32(0.05), np.zeros(n, np.float32)]
    x, labels = rng.normal(size=(50, 784)).astype(np.float32), rng.integers(0, 10, 50)
    candidates = {
        "numpy by hand": lambda: by_hand.mlp(x, labels, weights),
        "engine": workloads.mlp(reference_impl, x, labels, weights),
    }
    if tf is not None:
        candidates["tensorflow"] = workloads.mlp(tf, x, labels, weights)
    return side_by_side("MLP 784-128-64-10, batch 50", candidates)


def higher_orders(tf: Any) -> list[Row]:
    rows = []
    for order in (1, 2, 3):
        candidates = {"engine": workloads.polynomial(reference_impl, order)}
        if tf is not None:
            candidates["tensorflow"] = workloads.polynomial(tf, order)
        rows += side_by_side(f"100-op polynomial, order {order}", candidates, rounds=7)
    return rows


def jacobians(tf: Any) -> list[Row]:
    rows = []
    for shape in ((7, 5, 10), (4, 64, 64)):
        candidates = {"engine": workloads.dense_jacobian(reference_impl, *shape)}
        if tf is not None:
            candidates["tensorflow"] = workloads.dense_jacobian(tf, *shape)
        rows += side_by_side(f"jacobian of dense {shape}", candidates, rounds=5)
    return rows


def large_arrays(tf: Any) -> list[Row]:
    x = np.random.default_rng(0).normal(size=10**6).astype(np.float32)
    candidates = {"numpy by hand": lambda: by_hand.elementwise(x), "engine": workloads.elementwise(reference_impl, 10**6)}
    if tf is not None:
        candidates["tensorflow"] = workloads.elementwise(tf, 10**6)
    return side_by_side("10 elementwise ops, 10^6 elements", candidates, rounds=5)


def small_tapes(tf: Any) -> list[Row]:
    rows = []
    for label, make in (("empty tape", workloads.empty_tape), ("tape, one op, gradient", workloads.one_op)):
        candidates = {"engine": make(reference_impl)}
        if tf is not None:
            candidates["tensorflow"] = make(tf)
        rows += side_by_side(label, candidates, repeat=200)
    return rows


def imports(tf: Any) -> list[Row]:
    """CPU seconds of a fresh process that only imports, the minimum of ten."""

    def seconds(statement: str) -> float:
        code = f"import time; began = time.process_time(); {statement}; print(time.process_time() - began)"
        runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(10)]
        return min(float(run.stdout) for run in runs)

    numpy, engine = seconds("import numpy"), seconds("import reference_impl")
    return [Row("import", "numpy", numpy, 1.0), Row("import", "engine", engine, engine / numpy)]


GROUPS = {
    "chains": chains, "depth": depth, "mlp": mlp, "higher_orders": higher_orders, "jacobians": jacobians,
    "large_arrays": large_arrays, "small_tapes": small_tapes, "imports": imports,
}  # fmt: skip


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        print(f"There is no benchmark {unknown[0]!r}; there are {', '.join(GROUPS)}.", file=sys.stderr)
        return 2
    tf = tensorflow_if_installed()
    for name in names or GROUPS:
        print(table(GROUPS[name](tf)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
