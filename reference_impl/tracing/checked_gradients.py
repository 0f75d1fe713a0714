"""What a graph asks of the gradients that a user's function made for one of its nodes.

In a graph a call of a function with a gradient of its own is a node, ``IdentityN``, of the results, the arguments and
the variables.  When the graph is differentiated, that node's gradients are judged: their number, whether each has a
name, their shapes, their types.  A tape inside the function only counts them.
"""

from __future__ import annotations

import itertools
from typing import Any

from ..dtypes import kernel_name
from ..errors import InternalError
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from .symbols import SymbolicTensor

_numbers = itertools.count()


class IdentityNode:
    """The node of one call: of ``results``, tensors that the function returned, and ``inputs`` that it was given."""

    __slots__ = ("before", "function", "name", "parts", "shapes", "type")

    def __init__(self, graph: Any, function: str, results: list, inputs: tuple):
        self.name, self.function, self.before = graph.unique("IdentityN"), function, len(results)
        self.type = f"CustomGradient-{next(_numbers)}"
        self.parts = [(_name(x), kernel_name(x.dtype.numpy)) for x in (*results, *inputs)]
        self.shapes = [x.shape for x in inputs]

    def count(self, found: list) -> None:
        """InternalError of a tape for a wrong number of gradients."""
        if len(found) != len(self.shapes):
            text = f"Recorded operation '{self.function}' returned too few gradients. Expected {len(self.parts)} but "
            error = InternalError(None, None, f"{text}received {self.before + len(found)}")
            error.inferred = error.message  # while the function is traced
            raise error

    def judge(self, found: list, needed: list[bool]) -> None:
        """The errors of a graph for gradients of a wrong number, kind or shape; ``needed``: the inputs it asks for."""
        if len(found) != len(self.shapes):
            raise ValueError(
                f"Num gradients {self.before + len(found)} generated for op {self} do not match num inputs "
                f"{len(self.parts)}"
            )
        for g in found:
            if g is not None and not isinstance(g, IndexedSlices):
                g.name  # noqa: B018 - TensorFlow logs it, and stumbles over what has none
        for k, (g, shape) in enumerate(zip(found, self.shapes)):
            if isinstance(g, SymbolicTensor) and not shape.is_compatible_with(g.shape):
                raise ValueError(
                    "Incompatible shapes between op input and calculated input gradient. Forward operation: "
                    f"{self.name}. Input index: {self.before + k}. Original input shape: {shape}. Calculated input "
                    f"gradient shape: {g.shape}"
                )
        for g, wanted in zip(found, needed):
            if wanted and g is not None and not isinstance(g, (EagerTensor, IndexedSlices)):
                raise TypeError(
                    f"Invalid gradient {[g]} [index = 0]. Gradients have to be either all Tensors or all IndexedSlices"
                )

    def __str__(self) -> str:
        """The node as TensorFlow prints it."""
        inputs = "".join(f'input: "{name}"\n' for name, _ in self.parts)
        types = "".join(f"      type: DT_{kind.upper()}\n" for _, kind in self.parts)
        return (
            f'name: "{self.name}"\nop: "IdentityN"\n{inputs}attr {{\n  key: "_gradient_op_type"\n  value {{\n'
            f'    s: "{self.type}"\n  }}\n}}\nattr {{\n  key: "T"\n  value {{\n    list {{\n{types}    }}\n  }}\n}}\n'
        )


def _name(x: Any) -> str:
    return x.name.removesuffix(":0") if isinstance(x, SymbolicTensor) else "Const"
