"""Small tapes that claim things: the tape of `examples/`, with and without `CAPABILITIES`."""

from __future__ import annotations

import types
from typing import Any

from adapters.backend import Capabilities
from adapters.tf_shaped import Hooks, TfShaped
from examples import tiny_tape


def claiming(**claims: Any) -> types.ModuleType:
    """The tiny tape as a module of its own that states these capabilities."""
    module = types.ModuleType("claiming_tape")
    module.__dict__.update({name: value for name, value in vars(tiny_tape).items() if not name.startswith("__")})
    module.CAPABILITIES = claims  # type: ignore[attr-defined]
    return module


def too_proud() -> TfShaped:
    """Claims an op and a feature that it does not have."""
    claims = Capabilities(frozenset({"math.exp", "nn.relu", "operator.mul"}), frozenset({"jacobian", "nests"}))
    return TfShaped(tiny_tape, "proud", claims, Hooks(foreign=True))


def too_modest() -> TfShaped:
    """Does not claim `math.negative` and float64, which it has."""
    ops = frozenset({"math.exp", "math.sin", "operator.mul", "operator.add"})
    claims = Capabilities(ops, frozenset({"nests"}), frozenset({"float32"}), errors="raised", warnings=False)
    return TfShaped(tiny_tape, "modest", claims, Hooks(foreign=True))


def without_open_tapes() -> TfShaped:
    """Claims no open tapes."""
    return TfShaped(tiny_tape, "replaying", Capabilities(features=frozenset({"nests"})), Hooks(foreign=True))
