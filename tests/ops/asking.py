"""Ask an op for its value, its gradient and the gradient of its gradient, and write the answers down as plain data.

``ask(tf, case)`` runs one ``Case`` on any module shaped like TensorFlow; ``differences(want, got)`` lists where two
answers differ.  The answers in ``recorded/`` were made by ``python tests/ops/record.py FAMILY``, which runs the same
cases on TensorFlow itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

WEIGHTS = (1.0, 2.0, 0.5, -1.5, 3.0, 0.25, -2.0)
TOLERANCES = {
    "float64": 1e-9,
    "complex128": 1e-9,
    "float32": 4e-5,
    "complex64": 4e-5,
    "float16": 4e-3,
    "bfloat16": 3e-2,
}


@dataclass(frozen=True, slots=True)
class Case:
    """One question: ``function(tf, *inputs)`` at ``inputs`` (lists, or (list, dtype) pairs), up to ``order`` gradients.

    ``upstream``: "weights" (different numbers for each element), "ones" (what the tape starts with) or "zeros".
    ``scale``: how many times the usual tolerance is granted, for answers that cancel.
    ``loose``: errors are compared without the name at their end and the attributes of a node without a kernel.
    """

    name: str
    function: Callable[..., Any]
    inputs: tuple[Any, ...]
    order: int = 2
    upstream: str = "weights"
    scale: float = 1.0
    loose: bool = False


def tensor(tf: Any, spec: Any) -> Any:
    """A constant from a list (float32) or a pair (list, dtype name)."""
    values, dtype = spec if isinstance(spec, tuple) else (spec, "float32")
    return tf.constant(values, dtype=getattr(tf, dtype))


def ask(tf: Any, case: Case) -> dict[str, Any]:
    """The answers of ``tf`` to a case: {"value": ..., "gradient": [...], "second": [[...] or None, ...]}."""
    answers: dict[str, Any] = {}
    try:
        inputs = [tensor(tf, spec) for spec in case.inputs]
        if case.order == 0:
            return {"value": plain(tf, case.function(tf, *inputs))}
        answers.update(_gradients(tf, case, inputs))
    except Exception as error:  # whatever was raised is the answer
        answers["raised"] = [type(error).__name__, readable(str(error), case.loose)]
    return answers


def _gradients(tf: Any, case: Case, inputs: list[Any]) -> dict[str, Any]:
    outer = tf.GradientTape(persistent=True)
    inner = tf.GradientTape()
    with outer:
        with inner:
            for tape in (outer, inner):
                for x in inputs:
                    if x.dtype.is_floating or x.dtype.is_complex:
                        tape.watch(x)
            y = case.function(tf, *inputs)
        answers = {"value": plain(tf, y)}
        seeds = None if case.upstream == "ones" else _map(lambda part: _seed(tf, part, case.upstream), y)
        first = inner.gradient(y, inputs, output_gradients=seeds)
        answers["gradient"] = [plain(tf, g) for g in first]
        dense = [None if g is None else tf.convert_to_tensor(g) for g in first]
        seeds = [None if g is None else _seed(tf, g, "weights") for g in dense]
    if case.order > 1:
        answers["second"] = [
            None if g is None else [plain(tf, h) for h in outer.gradient(g, inputs, output_gradients=seed)]
            for g, seed in zip(dense, seeds)
        ]
    return answers


def _map(function: Callable[[Any], Any], nest: Any) -> Any:
    if isinstance(nest, (list, tuple)):
        return [_map(function, part) for part in nest]
    return function(nest)


def _seed(tf: Any, y: Any, kind: str) -> Any:
    size = math.prod(y.shape)
    numbers = [0.0 if kind == "zeros" else WEIGHTS[at % len(WEIGHTS)] for at in range(size)]
    return tf.cast(tf.reshape(tf.constant(numbers, tf.float64), y.shape), y.dtype)


def plain(tf: Any, value: Any) -> Any:
    """A tensor, None, slices or a nest of them as lists of [kind, ...]."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return ["nest", *(plain(tf, part) for part in value)]
    if hasattr(value, "dense_shape"):
        return ["slices", *(plain(tf, part) for part in (value.values, value.indices, value.dense_shape))]
    array = np.asarray(value.numpy())
    return ["array", value.dtype.name, list(array.shape), [_number(one) for one in array.ravel()]]


def _number(one: Any) -> Any:
    if isinstance(one, (bytes, str)):
        return repr(one)
    if isinstance(one, (complex, np.complexfloating)):
        return [repr(float(one.real)), repr(float(one.imag))]
    if isinstance(one, (bool, np.bool_)):
        return bool(one)
    return int(one) if isinstance(one, np.integer) else repr(float(one))


def readable(message: str, loose: bool = False) -> str:
    """An error's text without the parts that name a device or a function."""
    if loose:
        message = re.sub(r"(Could not find device for node: .*) = .*", r"\1", re.sub(r"\] name: \w*$", "]", message))
    message = re.sub(r"\{\{function_node [^}]*\}\} ", "", message)
    return re.sub(r"(All kernels registered for op \w+:).*", r"\1 ...", message, flags=re.DOTALL)


def differences(want: Any, got: Any, scale: float = 1.0) -> Iterator[str]:
    """Where ``got`` is not ``want``: kinds, dtypes, shapes and messages exactly, numbers within a few roundings."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key in sorted(want.keys() | got.keys()):
            for text in differences(want.get(key), got.get(key), scale):
                yield f"{key}: {text}"
    elif _is_array(want) and _is_array(got):
        yield from _array_differences(want, got, scale)
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for at, (w, g) in enumerate(zip(want, got)):
            for text in differences(w, g, scale):
                yield f"[{at}] {text}"
    elif want != got:
        yield f"want {want!r}, got {got!r}"


def _is_array(answer: Any) -> bool:
    return isinstance(answer, list) and len(answer) == 4 and answer[0] == "array"


def _array_differences(want: list, got: list, scale: float) -> Iterator[str]:
    if want[1:3] != got[1:3]:
        yield f"want {want!r}, got {got!r}"
        return
    w, g = ([complex(*map(float, one)) if isinstance(one, list) else one for one in side[3]] for side in (want, got))
    if not all(_agree(a, b, TOLERANCES.get(want[1], 0.0) * scale) for a, b in zip(w, g)):
        yield f"want {want[3]}, got {got[3]}"


def _agree(want: Any, got: Any, tolerance: float) -> bool:
    if want == got:
        return True
    if isinstance(want, complex):
        return _agree(repr(want.real), repr(got.real), tolerance * (1 + abs(want))) and _agree(
            repr(want.imag), repr(got.imag), tolerance * (1 + abs(want))
        )
    try:
        a, b = float(want), float(got)
    except (TypeError, ValueError):
        return False
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or (math.isfinite(a) and math.isfinite(b) and abs(a - b) <= tolerance * (0.01 + abs(a)))
