"""``tf.debugging.enable_check_numerics``: after it, every op that makes an infinity or a nan raises.

Nothing of this is looked at before the first ``enable_check_numerics``: that call puts functions that look at results
in the places of the two that run kernels (``ops/run.py``).  They look on the threads that asked for it alone, and
never while a function is being traced, where values are invented.  A function that is traced meanwhile keeps its
checks, and one that was traced before gets none, as in TensorFlow.

What the text cannot have in functions: the names of the tensors that went in, and the places where ops were made.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..errors import invalid
from ..foundation import floating_point
from ..ops import run as running
from ..tapes.recording import active
from ..tensors.tensor import wrap

SAFE = frozenset(
    (
        "Concat", "ConcatV2", "ExpandDims", "Fill", "Gather", "Identity", "Maximum", "Minimum", "Reshape", "Slice",
        "Squeeze", "Stack", "StridedSlice", "StridedSliceGrad", "TensorListConcatV2", "TensorListGather",
        "TensorListGetItem", "TensorListPopBack", "TensorListStack", "Transpose", "Unpack",
    )
)  # fmt: skip
_NORMALIZING = "FusedBatchNorm"  # its statistics may be nan without harm
_REDUCING = frozenset(("Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm"))  # whose axes are a tensor in TensorFlow
EAGERLY, IN_GRAPH = "eagerly-executing", "graph"


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on every op of this thread that makes an infinity or a nan raises InvalidArgumentError.

    The limits are those of the call stacks in TensorFlow's messages; there are none here.
    """
    active.checking = EAGERLY
    if running.run is not _run:
        running.run, running.guarded = _run, _guarded


def disable_check_numerics() -> None:
    """Ops of this thread may make infinities and nans again; functions traced meanwhile keep their checks."""
    active.checking = None


def _run(function: Any, *args: Any, **options: Any) -> Any:
    result = floating_point.run(function, *args, **options)
    return _looked_at(result, args, options) if active.checking else result


def _guarded(function: Any, *args: Any, **options: Any) -> Any:
    result = floating_point.guarded(function, *args, **options)
    return _looked_at(result, args, options) if active.checking else result


def _looked_at(result: Any, inputs: tuple, attributes: dict) -> Any:
    """The result of a kernel.  The op is the ``op`` of whoever runs it, two calls up: all of ops/run.py has it."""
    if active.pretending:
        return result
    outputs = result if type(result) is tuple else (result,)
    for slot, output in enumerate(outputs):
        if _bad(output):
            kernel = sys._getframe(2).f_locals["op"].kernel
            if kernel not in SAFE and not (slot and kernel.startswith(_NORMALIZING)):
                raise _error(kernel, slot, len(outputs), output, _as_tensors(kernel, inputs, attributes))
    return result


def _bad(output: Any) -> bool:
    dtype = getattr(output, "dtype", None)
    if dtype is None or not (dtype.kind == "f" or dtype.name == "bfloat16"):
        return False
    return not np.isfinite(output).all()


def _as_tensors(kernel: str, inputs: tuple, attributes: dict) -> list:
    """The inputs as they are printed; axes are one of them where TensorFlow has a tensor of them."""
    tensors = [wrap(a) for a in inputs]
    if kernel in _REDUCING and "axis" in attributes:
        axis = attributes["axis"]
        axes = range(np.ndim(inputs[0])) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        tensors.append(wrap(np.array(axes, np.int32)))
    return tensors


def _error(kernel: str, slot: int, count: int, output: Any, inputs: list) -> Exception:
    """InvalidArgumentError in TensorFlow's words."""
    kinds = {"-Inf": np.isneginf(output), "+Inf": np.isposinf(output), "NaN": np.isnan(output)}
    found = {kind: int(np.sum(where)) for kind, where in kinds.items() if np.any(where)}
    tensor = wrap(output)
    lines = [
        f'\n\n!!! Detected Infinity or NaN in output {slot} of {active.checking} op "{kernel}" (# of outputs: {count}) '
        "!!!",
        f"  dtype: {tensor.dtype!s}",
        f"  shape: {tensor._a.shape}" if active.checking == EAGERLY else f"  shape: {tensor.shape}",
    ]
    if active.checking == EAGERLY:
        lines += [f"  # of {'+NaN' if kind == 'NaN' else kind} elements: {n}" for kind, n in found.items()]
        lines += _listed(inputs)
    what = "\n".join(lines)
    return invalid("CheckNumericsV2", f"{what}\n\n : Tensor had {_in_words([*found])} values")


def _listed(inputs: list) -> list[str]:
    if len(inputs) == 1:
        return [f"\n  Input tensor: {inputs[0]!s}"]
    numbered = [f"         {k}: {x!s}" for k, x in enumerate(inputs)]
    return [f"\n  Input tensors ({len(inputs)}):", *numbered] if inputs else []


def _in_words(kinds: list[str]) -> str:
    if len(kinds) < 3:
        return " and ".join(kinds)
    return f"{', '.join(kinds[:-1])}, and {kinds[-1]}"
