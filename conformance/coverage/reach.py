"""Which gradient functions programs can reach, and why the others cannot be: `unreachable(name, why_not)`.

TensorFlow's own registry is the list; the oracle's process says which kernels cannot run there at all. `BEYOND` takes
away what runs but is no deterministic op of eager mode on one CPU. `LEFT` explains what could be reached and is not.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_GRAPHS = "it is control flow of TensorFlow 1's graphs, which neither eager mode nor tf.function uses"
_ARRAYS = "it takes a TensorArray of TensorFlow 1; TensorFlow 2 makes lists of them"
_DEVICES = "it is about several devices or a compiler"
_DRAWN = "its values are drawn by rejection from a stream of random bits, so there is no formula to agree on"

# Shell-style patterns of kernel names -> why a program of eager mode on one CPU cannot reach their gradient.
BEYOND: dict[str, str] = {
    "Enter": _GRAPHS,
    "Exit": _GRAPHS,
    "LoopCond": _GRAPHS,
    "Merge": _GRAPHS,
    "NextIteration": _GRAPHS,
    "Switch": _GRAPHS,
    "TensorArray*": _ARRAYS,
    "Xla*": _DEVICES,
    "CopyToMesh*": _DEVICES,
    "Relayout*": _DEVICES,
    "RandomGamma": _DRAWN,
    "StatelessParameterizedTruncatedNormal": _DRAWN,
    "StatelessRandomGamma*": _DRAWN,
}

_DRAWN_ELSEWHERE = "the full count covers it; this run drew no program that calls it and agreed"
_MISSING = "the engine does not have the op yet"
_REMOVED = "TensorFlow itself refuses to run the op: it was removed from graphs of today's version"
_STATEFUL = "it is traced only where a body of control flow has side effects, which no program draws yet"
_RARE = "it is reached by a higher order that no program of the run asked"

# Shell-style patterns of kernels within reach that no program of the suite covers, and why; the first that fits.
LEFT: dict[str, str] = {
    "TopK": "TensorFlow itself cannot make its kernel: it asks for a type of the indices, which the op does not have",
    "BatchNormWithGlobalNormalization": _REMOVED,
    "QuantizeAndDequantize": _REMOVED,
    "Case": _STATEFUL,
    "If": _STATEFUL,
    "While": _STATEFUL,
    "StatelessCase": "switch_case inside a traced function: no program draws it yet",
    "_EagerConst": "nothing can call it: TensorFlow makes it to compile with XLA, and its gradient function raises",
    "BiasAddGrad": _RARE,
    "*Grad": _RARE,
    "*GradGrad": _RARE,
    "*BackpropInput*": _RARE,
    "*BackpropFilter*": _RARE,
    "*GradV2": _RARE,
    "*GradV3": _RARE,
    "*": _MISSING,
}


@cache
def _counted() -> frozenset[str]:
    """What the full count covers, which ships with the suite."""
    text = (Path(__file__).parent / "agreed.json").read_text(encoding="utf-8")
    return frozenset(json.loads(text)["covered"])


def why_left(name: str) -> str:
    """Why no program of a run covers a kernel's gradient function that is within reach."""
    if name in _counted():
        return _DRAWN_ELSEWHERE
    return next(why for pattern, why in LEFT.items() if fnmatch.fnmatchcase(name, pattern))


def unreachable(name: str, why_not: str) -> str:
    """Why a kernel's gradient function cannot be reached, "" where it can. `why_not`: what the oracle says of it."""
    return why_not or next((why for pattern, why in BEYOND.items() if fnmatch.fnmatchcase(name, pattern)), "")


def reachable(kernels: dict[str, str]) -> tuple[str, ...]:
    """The kernels whose gradient function programs can reach, sorted."""
    return tuple(sorted(kernels.keys() - beyond(kernels).keys()))


def beyond(kernels: dict[str, str]) -> dict[str, str]:
    """The kernels whose gradient function programs cannot reach, with the reason of each."""
    found = {name: unreachable(name, why_not) for name, why_not in kernels.items()}
    return {name: why for name, why in found.items() if why}


def covered(kernels: dict[str, str], called: Mapping[str, int]) -> tuple[str, ...]:
    """The kernels within reach whose gradient function was called."""
    return tuple(name for name in reachable(kernels) if called.get(name))


def left(kernels: dict[str, str], called: Mapping[str, int]) -> dict[str, str]:
    """The kernels within reach whose gradient function was not called, with the reason of each."""
    return {name: why_left(name) for name in reachable(kernels) if not called.get(name)}
