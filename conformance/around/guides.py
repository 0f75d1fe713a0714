"""Code as the guides of TensorFlow 2 have it, run unchanged: `guides/*.txt` are programs that import tensorflow.

`snippets/*.txt` are more of what people write around a tape: `fit` with callbacks, steps of their own, checkpoints.
`printed_by(name, module, folder)` runs one with `module` in the place of TensorFlow, in a folder of its own, and gives
what it printed.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
GUIDES = {path.stem: path for path in sorted((_HERE / "guides").glob("*.txt"))}
SNIPPETS = {path.stem: path for path in sorted((_HERE / "snippets").glob("*.txt"))}


def printed_by(name: str, module: Any, folder: Path) -> str:
    """What the program of a guide or a snippet prints; what goes to the log is left out."""
    script = folder / f"{name}.py"
    shutil.copyfile({**GUIDES, **SNIPPETS}[name], script)
    out = io.StringIO()
    module.keras.backend.clear_session()  # names of layers and optimizers are counted from the beginning
    with _in_place_of_tensorflow(module), _inside(folder), contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runpy.run_path(str(script), run_name="__main__")
    return out.getvalue()


@contextlib.contextmanager
def _in_place_of_tensorflow(module: Any) -> Iterator[None]:
    before = sys.modules.get("tensorflow")
    sys.modules["tensorflow"] = module
    try:
        yield
    finally:
        if before is None:
            del sys.modules["tensorflow"]
        else:
            sys.modules["tensorflow"] = before


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.environ.setdefault("MPLBACKEND", "Agg")
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
