"""One small call of every op of the suite's table, forward and gradient, for a module with TensorFlow's names.

The calls are drawn like the suite's programs: the first of a seed that calls the op, with finite operands, and that
both modules answer.  What the program does before the call is done once, outside the measured time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import numpy as np

from adapters import language as lang
from adapters.tf_shaped import TfShaped
from benchmarks.measure import Candidate
from conformance.generating.sources import seeded
from conformance.optable import TABLE

_TRIED = 12  # programs looked at for one op


def small_calls(modules: dict[str, Any]) -> Iterator[tuple[str, dict[str, Candidate]]]:
    """The name of each op that every module differentiates in some drawn call, and the call for each module."""
    backends = {name: TfShaped(module, name) for name, module in modules.items()}
    for row in TABLE:
        for _, program in islice(seeded(1, 0, _TRIED, row.name), _TRIED):
            found = {name: _candidate(backend, program, row.name) for name, backend in backends.items()}
            if all(found.values()):
                yield row.name, {name: run for name, run in found.items() if run is not None}
                break


def _candidate(backend: TfShaped, program: lang.Program, op: str) -> Candidate | None:
    """Tape, call and gradient by all floating operands; None where the program does not get there."""
    values: list[Any] = []
    with suppress(Exception):  # a program may be there to fail: then another one is taken
        for step in program.steps:
            if isinstance(step, lang.Call) and step.op == op:
                args = tuple(_operand(backend, a, values) for a in step.args)
                run = _run(backend, op, args, {k: _operand(backend, a, values) for k, a in step.kwargs})
                return run if run() else None
            values.append(_made(backend, step, values))
    return None


def _made(backend: TfShaped, step: lang.Step, values: list[Any]) -> Any:
    match step:
        case lang.Constant(array):
            return backend.constant(array)
        case lang.MakeVariable(initial, trainable):
            return backend.variable(_operand(backend, initial, values), trainable)
        case lang.Call(op, args, kwargs):
            given = {name: _operand(backend, a, values) for name, a in kwargs}
            return backend.call(op, tuple(_operand(backend, a, values) for a in args), given)
    return None


def _operand(backend: TfShaped, operand: lang.Operand, values: list[Any]) -> Any:
    match operand:
        case lang.Ref(step, part):
            return values[step] if part is None else values[step][part]
        case lang.Py(value):
            return value
        case lang.Items(kind, items):
            made = [_operand(backend, item, values) for item in items]
            return dict(zip(operand.keys, made)) if kind == "dict" else tuple(made) if kind == "tuple" else made
        case lang.NumPy(array):
            return backend.numpy(array)
        case lang.DTypeName(name):
            return backend.dtype(name)
        case lang.Marker(name):
            return backend.marker(name)
    raise TypeError(f"{operand!r} stands in no call of an op")


def _run(backend: TfShaped, op: str, args: tuple, kwargs: dict[str, Any]) -> Candidate:
    tape_of, call = backend.named("GradientTape"), backend.call
    sources = [one for one in _leaves((args, kwargs)) if getattr(getattr(one, "dtype", None), "is_floating", False)]
    tensors = [one for one in sources if not hasattr(one, "assign")]
    if not sources or not all(np.isfinite(np.asarray(one, np.float64)).all() for one in sources):
        raise ValueError("nothing to differentiate by")

    def run() -> Any:
        with tape_of() as tape:
            tape.watch(tensors)
            made = call(op, args, kwargs)
        return [g for g in tape.gradient(made, sources) if g is not None]

    return run


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        yield from _leaves(list(value.values()))
    else:
        yield value
