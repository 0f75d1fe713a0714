"""What is seen when a step runs: one `Observation` per step, a sum type whose kinds never blur.

None, zeros, an array, slices and a raised error are different answers. `kind_of(outcome)` gives the short word used
in cause signatures and reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

from adapters.language import Array


@dataclass(frozen=True, slots=True)
class Tensor:
    """A dense tensor of the implementation."""

    array: Array


@dataclass(frozen=True, slots=True)
class Host:
    """A value that is not a tensor: a NumPy array, or a Python number, string or bool (`type_name` says which)."""

    type_name: str
    array: Array


@dataclass(frozen=True, slots=True)
class SparseSlices:
    """IndexedSlices."""

    values: Outcome
    indices: Outcome
    dense_shape: Outcome


@dataclass(frozen=True, slots=True)
class RaggedTensor:
    values: Outcome
    row_splits: Outcome


@dataclass(frozen=True, slots=True)
class Nothing:
    """Python's None, as a value that was returned."""


@dataclass(frozen=True, slots=True)
class Done:
    """The step has no value to look at (entering, watching, making a tape or a function ...)."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, named by the step that made it."""

    step: int


@dataclass(frozen=True, slots=True)
class Nest:
    """A structure of outcomes: `list`, `tuple` or `dict` (with `keys`, in the order returned)."""

    kind: str
    items: tuple[Outcome, ...]
    keys: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception: its class (`RuntimeError`, `errors.InvalidArgumentError`) and its normalised message."""

    cls: str
    message: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """Not run: something it needs was never made."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The implementation says that it does not have what the step asks for."""

    reason: str


@dataclass(frozen=True, slots=True)
class Crashed:
    """The implementation's process died."""

    reason: str


@dataclass(frozen=True, slots=True)
class TimedOut:
    seconds: float


Outcome = Union[
    Tensor, Host, SparseSlices, RaggedTensor, Nothing, Done, Variable, Nest, Raised, Skipped, Unsupported, Crashed,
    TimedOut,
]  # fmt: skip

KINDS: dict[type, str] = {
    Tensor: "tensor", Host: "host", SparseSlices: "slices", RaggedTensor: "ragged", Nothing: "none", Done: "done",
    Variable: "variable", Nest: "nest", Raised: "raised", Skipped: "skipped", Unsupported: "unsupported",
    Crashed: "crashed", TimedOut: "timed out",
}  # fmt: skip


def kind_of(outcome: Outcome) -> str:
    """The short word for an outcome's kind."""
    return KINDS[type(outcome)]


@dataclass(frozen=True, slots=True)
class Observation:
    """The outcome of one step and the warnings logged while it ran."""

    outcome: Outcome
    warnings: tuple[str, ...] = ()
