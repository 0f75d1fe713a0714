"""Tapes of other projects behind the common interface: `THIRD_PARTIES`, and `command_of(name)` that starts one.

    tapecheck run torch

Each runs in a process of its own, in the Python that has its library: this one, or `FOLDER/NAME/bin/python` where
`TAPECHECK_ENVIRONMENTS` names the folder (for TensorFlow.js, the folder `FOLDER/tfjs` that holds `node_modules`). That
Python needs no more than the library and NumPy: this package is put at the end of its path.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

ENVIRONMENTS = "TAPECHECK_ENVIRONMENTS"
_ROOT = Path(__file__).resolve().parents[2]
_SERVE = "import sys; sys.path.append({root!r}); from adapters.serve import main; raise SystemExit(main(sys.argv[1:]))"


class NotInstalled(Exception):
    """A library (or Node) is missing. The message is one sentence that says what to install."""


@dataclass(frozen=True, slots=True)
class ThirdParty:
    """A tape of another project: its adapter, the module that must be importable, and what to install for it.

    `programs` are generated for it by default, besides the corpus. `shrink_calls` bounds the work on each cause, where
    a program takes a good part of a second.
    """

    name: str
    adapter: str
    module: str
    requirements: tuple[str, ...]
    sentence: str
    shrink_calls: int | None = None
    programs: int = 2_000


_HERE = "adapters.third_party"
_TRACED = ("tensorflow==2.21.0", "keras==3.15.1")
_TORCH = ("torch==2.13.0", "numpy>=2", "ml_dtypes")
_AUTOGRAD = ("autograd", "numpy>=2", "scipy")

THIRD_PARTIES: dict[str, ThirdParty] = {
    one.name: one
    for one in (
        ThirdParty(
            "tf.function", f"{_HERE}.traced:tf_function", "tensorflow", _TRACED, "TensorFlow under tf.function", None,
            1_200,
        ),
        ThirdParty(
            "tf.function-jit", f"{_HERE}.traced:tf_function_jit", "tensorflow", _TRACED,
            "TensorFlow under tf.function(jit_compile=True)", 40, 800,
        ),
        ThirdParty("torch", f"{_HERE}.torch_tape:TorchTape", "torch", _TORCH, "PyTorch"),
        ThirdParty("jax", f"{_HERE}.jax_tape:JaxTape", "jax", ("jax", "jaxlib"), "JAX", 30, 700),
        ThirdParty("autograd", f"{_HERE}.autograd_tape:AutogradTape", "autograd", _AUTOGRAD, "HIPS autograd"),
        ThirdParty("mygrad", f"{_HERE}.mygrad_tape:MyGradTape", "mygrad", ("mygrad", "numpy>=2"), "MyGrad"),
        ThirdParty(
            "tinygrad", f"{_HERE}.tinygrad_tape:TinygradTape", "tinygrad", ("tinygrad==0.14.0", "numpy>=2"), "tinygrad",
            80, 1_400,
        ),
        ThirdParty("tfjs", "", "@tensorflow/tfjs", ("@tensorflow/tfjs@4.22.0",), "TensorFlow.js in Node"),
    )
}  # fmt: skip


def command_of(name: str, environments: Path | None = None) -> list[str]:
    """The command that serves a third party behind the process protocol.

    NotInstalled, in one sentence, when its library cannot be found. `environments` defaults to what
    `TAPECHECK_ENVIRONMENTS` names.
    """
    party = THIRD_PARTIES[name]
    folder = environments or (Path(os.environ[ENVIRONMENTS]) if os.environ.get(ENVIRONMENTS) else None)
    if name == "tfjs":
        return _node_command(party, folder)
    return serving(_python_of(party, folder), party.adapter)


def serving(python: Path, adapter: str) -> list[str]:
    """The command by which another Python, which needs no more than the library and NumPy, serves an adapter."""
    return [str(python), "-c", _SERVE.format(root=str(_ROOT)), adapter]


def _python_of(party: ThirdParty, folder: Path | None) -> Path:
    if folder is not None:
        for own in (party.name, party.module):
            for python in (folder / own / "bin" / "python", folder / own / "Scripts" / "python.exe"):
                if python.exists():
                    return python
    if importlib.util.find_spec(party.module) is not None:
        return Path(sys.executable)
    raise NotInstalled(f"{party.sentence} is not installed; install {' '.join(party.requirements)}")


def _node_command(party: ThirdParty, folder: Path | None) -> list[str]:
    node = shutil.which("node")
    if node is None:
        raise NotInstalled(f"{party.sentence} is not here: there is no node")
    script = Path(__file__).resolve().parents[1] / "tfjs" / "serve.js"
    places = [script.parent, Path.cwd(), *([folder / "tfjs"] if folder else [])]
    found = next((place for place in places if (place / "node_modules" / "@tensorflow" / "tfjs").is_dir()), None)
    if found is None:
        raise NotInstalled(f"{party.sentence} is not installed; npm install {party.requirements[0]}")
    return [node, str(script), str(found)]
