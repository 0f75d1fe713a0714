"""`python -m conformance.around.record FOLDER [NAME ...]`: write down what TensorFlow gives for programs and guides."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import adapters
from conformance.around import PROGRAMS, World
from conformance.around.guides import GUIDES, SNIPPETS, printed_by


def main(words: list[str]) -> int:
    folder, names = Path(words[0]), words[1:] or [*PROGRAMS, *GUIDES, *SNIPPETS]
    folder.mkdir(parents=True, exist_ok=True)
    module = adapters.load("tensorflow").module  # type: ignore[attr-defined]
    for name in names:
        with tempfile.TemporaryDirectory() as place:
            if name in PROGRAMS:
                PROGRAMS[name](World(module, "tensorflow", Path(place))).write(folder / f"{name}.npz")
            else:
                (folder / f"{name}.txt").write_text(printed_by(name, module, Path(place)), encoding="utf-8")
        print(name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
