"""A tape of a hundred lines, shaped like TensorFlow, to test adapters with: first order, `+`, `*`, `sin`, one thread.

It also misbehaves on request: `misbehave.exit()`, `misbehave.hang()`, `misbehave.print()`, `misbehave.leak()`.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from types import SimpleNamespace

import numpy as np

__version__ = "0.1"
_tapes: list[GradientTape] = []
_logged: set[str] = set()


class InvalidArgumentError(Exception):
    """Like tf.errors.InvalidArgumentError."""


errors = SimpleNamespace(InvalidArgumentError=InvalidArgumentError)


class Tensor:
    def __init__(self, value):
        self.value = np.asarray(value)

    @property
    def dtype(self):
        return SimpleNamespace(name=self.value.dtype.name)

    def numpy(self):
        return self.value.copy()

    def __mul__(self, other):
        return _recorded(self.value * _value(other), (self, other), (_value(other), self.value))

    def __add__(self, other):
        if np.shape(_value(other)) not in ((), self.value.shape):
            raise InvalidArgumentError(
                "{{function_node __wrapped__AddV2_device_/job:localhost/replica:0/task:0/device:CPU:0}} "
                f"Incompatible shapes: {list(self.value.shape)} vs. {list(np.shape(_value(other)))} [Op:AddV2] name: "
            )
        return _recorded(self.value + _value(other), (self, other), (1.0, 1.0))


class Variable:
    def __init__(self, initial, trainable=True):
        self.value, self.trainable = np.asarray(_value(initial), np.float32), trainable

    def assign(self, value):
        self.value = np.asarray(_value(value), np.float32)
        return self

    def read_value(self):
        read = Tensor(self.value)
        for tape in _tapes:
            tape.variables.append(self)
            tape.records.append((read, (self,), (1.0,)))
            tape.known |= {id(self), id(read)}
        return read


class IndexedSlices:
    def __init__(self, values, indices, dense_shape=None):
        self.values, self.indices, self.dense_shape = values, indices, dense_shape


class GradientTape:
    def __init__(self, persistent=False):
        self.persistent, self.records, self.known, self.variables, self.used = persistent, [], set(), [], False

    def __enter__(self):
        if self in _tapes:
            raise ValueError("Tape is still recording")
        _tapes.append(self)
        return self

    def __exit__(self, kind, error, at):
        if self in _tapes:
            _tapes.remove(self)

    def watch(self, tensor):
        if not isinstance(tensor, Tensor):
            raise ValueError(f"Passed in object {tensor} of type {type(tensor).__name__!r}")
        if tensor.value.dtype.kind != "f" and "dtype" not in _logged:
            _logged.add("dtype")
            logging.getLogger("tensorflow").warning("The dtype of the watched tensor must be floating")
        self.known.add(id(tensor))

    def watched_variables(self):
        return tuple(dict.fromkeys(self.variables))

    def gradient(self, target, sources, output_gradients=None):
        if self.used and not self.persistent:
            raise RuntimeError("A non-persistent GradientTape can only be used once")
        self.used = True
        grads = {id(target): np.ones_like(target.value) if output_gradients is None else output_gradients.value}
        for made, inputs, locals_ in reversed(self.records):
            if id(made) in grads:
                for each, local in zip(inputs, locals_):
                    if id(each) in self.known:
                        grads[id(each)] = grads.get(id(each), 0) + grads[id(made)] * local
        listed = sources if isinstance(sources, list) else [sources]
        found = [Tensor(np.float32(grads[id(each)])) if id(each) in grads else None for each in listed]
        return found if isinstance(sources, list) else found[0]


def _value(thing):
    return thing.value if isinstance(thing, (Tensor, Variable)) else np.float32(thing)


def _recorded(value, inputs, locals_):
    made = Tensor(np.asarray(value))
    for tape in _tapes:
        if any(id(each) in tape.known for each in inputs):
            tape.known.add(id(made))
            tape.records.append((made, inputs, locals_))
    return made


def constant(array):
    return Tensor(array)


def _apply(function, *args, **kwargs):
    return function(*args, **kwargs)


def _hang():
    time.sleep(1000)


def _print():
    print("this must not reach the protocol")
    os.write(1, b"nor this\n")
    return sys.stdin.read()


math = SimpleNamespace(sin=lambda x: _recorded(np.sin(x.value), (x,), (np.cos(x.value),)))
apply = _apply
misbehave = SimpleNamespace(exit=lambda: os._exit(7), hang=_hang, print=_print, error=lambda: 1 / 0)
