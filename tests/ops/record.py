"""Write down TensorFlow's answers to the cases of a family: ``python -m tests.ops.record unary binary ...``.

Needs TensorFlow; the tests that read ``recorded/*.json`` do not.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main(families: list[str]) -> None:
    """Record each family named."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
    import tensorflow as tf

    from tests.ops.asking import ask

    tf.get_logger().setLevel("ERROR")
    for family in families:
        cases = importlib.import_module(f"tests.ops.cases_{family}").CASES
        answers = {case.name: ask(tf, case) for case in cases}
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items())
        (HERE / "recorded" / f"{family}.json").write_text("{\n" + lines + "\n}\n")
        print(f"{family}: {len(answers)} answers of TensorFlow {tf.__version__}")


if __name__ == "__main__":
    main(sys.argv[1:])
