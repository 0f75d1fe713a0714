"""Ask an op for its tangent: ``python -m tests.ops.tangents`` writes down what TensorFlow answers.

The questions are the cases that ``asking.py`` is asked with, at most two for each op, in forward mode: every floating
input is a primal, with different numbers as its tangent.  ``recorded_tangents.json`` holds TensorFlow's answers.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.ops.asking import Case, _map, _seed, plain, readable, tensor

FAMILIES = ("unary", "binary", "reductions", "arrays", "nn", "linear", "more", "narrow")
RECORDED = Path(__file__).parent / "recorded_tangents.json"
EACH = 2


def questions() -> Iterator[tuple[str, Case]]:
    """(name, case) of every question."""
    for family in FAMILIES:
        asked: dict[str, int] = {}
        for case in importlib.import_module(f"tests.ops.cases_{family}").CASES:
            op = case.name.split(" ")[0].split("(")[0]
            asked[op] = asked.get(op, 0) + 1
            if asked[op] <= EACH:
                yield f"{family}: {case.name}", case


def ask_tangent(tf: Any, case: Case) -> Any:
    """The tangents of what a case computes, or what was raised."""
    try:
        inputs = [tensor(tf, spec) for spec in case.inputs]
        primals = [x for x in inputs if x.dtype.is_floating or x.dtype.is_complex]
        tangents = [_seed(tf, x, "weights") for x in primals]
        with tf.autodiff.ForwardAccumulator(primals, tangents) as accumulator:
            y = case.function(tf, *inputs)
        return plain(tf, _map(lambda part: accumulator.jvp(part) if hasattr(part, "dtype") else None, y))
    except Exception as error:  # whatever was raised is the answer
        return {"raised": [type(error).__name__, readable(str(error))]}


def main() -> None:
    """Record TensorFlow's answers."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    lines = [f"{json.dumps(name)}: {json.dumps(ask_tangent(tf, case))}" for name, case in questions()]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} answers of TensorFlow {tf.__version__}")


if __name__ == "__main__":
    main()
