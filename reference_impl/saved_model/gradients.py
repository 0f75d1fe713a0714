"""Gradient functions that users wrote, in saved graphs.

In the process that made it such a function is still there and is found again by its key.  In another one its graph is
used, if it was saved; without it a gradient raises TensorFlow's LookupError.
"""

from __future__ import annotations

import functools
import uuid
from typing import Any

from ..tapes.recording import record
from ..tracing.steps import filled
from ..tracing.structure import tensors_in
from ..tracing.user_gradients import UserGradient
from ..user_gradients.custom_gradients import CUSTOM

_KNOWN: dict[str, UserGradient] = {}  # kept alive, as TensorFlow's registry keeps them


def key_of(gradient: UserGradient) -> str:
    """The key of a gradient function of this process."""
    for key, known in _KNOWN.items():
        if known is gradient:
            return key
    key = uuid.uuid4().hex
    _KNOWN[key] = gradient
    return key


class LoadedGradient:
    """The saved graph of a gradient function; ``outside``: for what it captured, the slot around it or the thing."""

    __slots__ = ("graph", "outside")

    def __init__(self, graph: Any, outside: list):
        self.graph, self.outside = graph, outside

    def run(self, env: list, *upstream: Any) -> list:
        """The gradients, in terms of the values ``env`` of the graph around."""
        return self.graph.run([*tensors_in(upstream), *filled(self.outside, env)])


class MissingGradient:
    """In the place of a gradient function that was not saved."""

    __slots__ = ()

    def run(self, _env: list, *_upstream: Any) -> list:
        """Always TensorFlow's LookupError."""
        raise LookupError("gradient registry has no entry for: IdentityN")


class LoadedRecord:
    """A step that makes the record of a user's gradient function; see tracing/user_gradients.py."""

    __slots__ = ("gradient", "inputs", "outputs")
    makes_object = False
    op = CUSTOM

    def __init__(self, inputs: Any, outputs: Any, key: str, saved: LoadedGradient | None):
        self.inputs, self.outputs = inputs, outputs
        self.gradient: Any = _KNOWN.get(key) or saved or MissingGradient()

    def run(self, env: list) -> None:
        """Make the record for the values in ``env``."""
        backward = functools.partial(self.gradient.run, env)
        record(CUSTOM, filled(self.inputs, env), filled(self.outputs, env), {"backward": backward})
