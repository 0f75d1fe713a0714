"""Which functions a saved graph may call, and by what names: ops and methods of this engine, and nothing else."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

from ..ops import run as running
from ..ops.declare import NAMES, OPS
from ..ops.indexing import get_item
from ..randomness import functions as random_functions
from ..tapes.recording import stop_recording
from ..tapes.tape import GradientTape
from ..tensors import conversion
from ..tensors.tensor import EagerTensor
from ..tensors.variable import ResourceVariable, read
from ..tensors.variable_updates import batch_scatter_update
from ..tracing.call import call

# what takes Python functions, changes the engine or writes where its arguments say
_NEVER = frozenset(
    ("RegisterGradient", "no_gradient", "AggregationMethod", "Graph", "custom_gradient", "recompute_grad",
     "py_function",
     "grad_pass_through", "numpy_function", "print")
)  # fmt: skip
_METHODS = ("assign", "assign_add", "assign_sub", "gather_nd", "read_value", "sparse_read", "value")
_OPERATORS = f"{__name__.partition('.')[0]}.ops."
_TAPE = ("__enter__", "__exit__", "batch_jacobian", "gradient", "jacobian", "reset", "stop_recording", "watch")


def bare(function: Any) -> Any:
    """What a step calls: the function inside the one that looks whether a graph is being built."""
    return getattr(function, "__wrapped__", function)


@functools.cache
def by_name() -> dict[str, Any]:
    """Every function that a graph may call, by its name in files."""
    found = {f"tf.{name}": bare(f) for name, f in NAMES.items() if name not in _NEVER and callable(f)}
    for name in dir(random_functions):
        function = getattr(random_functions, name)
        if hasattr(function, "__wrapped__"):
            found.setdefault(f"tf.random.{name}", bare(function))
    for kind in (ResourceVariable, EagerTensor):
        for name, method in vars(kind).items():
            if getattr(method, "__module__", "").startswith(_OPERATORS) and callable(method):
                found[f"operator.{name}"] = bare(method)
    variable_methods = [n for n in dir(ResourceVariable) if n.startswith("scatter_")] + list(_METHODS)
    found.update({f"Variable.{n}": bare(getattr(ResourceVariable, n)) for n in variable_methods})
    found["Variable.batch_scatter_update"] = bare(batch_scatter_update)
    found.update({f"GradientTape.{n}": bare(getattr(GradientTape, n)) for n in _TAPE})
    context = contextlib._GeneratorContextManager
    found.update({"Context.__enter__": context.__enter__, "Context.__exit__": context.__exit__})
    more = {
        "GradientTape": GradientTape, "stop_recording": stop_recording, "read": read, "get_item": get_item,
        "call": call,
        "op": running.apply, "constant": conversion.constant, "convert_to_tensor": conversion.convert_to_tensor,
    }  # fmt: skip
    return {**found, **{name: bare(function) for name, function in more.items()}}


@functools.cache
def _by_identity() -> dict[int, str]:
    return {id(f): name for name, f in reversed(by_name().items())}


def name_of(function: Any) -> str:
    """The name of a function in files.  ValueError for one that a graph may not call."""
    name = _by_identity().get(id(bare(function)))
    if name is None:
        shown = getattr(function, "__name__", repr(function))
        raise ValueError(f"a function that calls {shown!r} cannot be saved: it is no op of this engine")
    return name


def function_named(name: str) -> Any:
    """The function of a name.  ValueError for a name that is not in the list."""
    if name not in by_name():
        raise ValueError(f"a graph calls {name!r}, which is no op of this engine")
    return by_name()[name]


def op_named(kernel: str, name: str) -> Any:
    """The op of a kernel.  ValueError when there is none."""
    op = OPS.get(kernel)
    if op is None or op.name != name:
        raise ValueError(f"a graph uses the kernel {kernel!r} as {name!r}, which this engine does not have")
    return op
