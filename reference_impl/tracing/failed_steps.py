"""Steps that fail while a graph is being built: errors of TensorFlow's now or later, and sizes that do not fit."""

from __future__ import annotations

from typing import Any

from ..errors import OpError
from .graph_errors import UNCONVERTED, none_refused, of_values, while_tracing
from .invented import fitting
from .sizes import broadcast
from .steps import Step, World, carried_out, harmless
from .symbols import SymbolicTensor

FAILED = object()  # in the second world, which stands for other sizes, something went wrong


def in_spite_of(error: Exception, step: Step, world: World, env: list, label: str, given: tuple, sized: bool) -> Any:
    """What a step that failed in the first world returns all the same; raises what TensorFlow raises while it traces.

    Errors that hang on values are found when the graph runs only, and so are those of sizes that do (``sized``).
    """
    if str(error) == UNCONVERTED:
        raise none_refused(step.function, given) from None
    if not isinstance(error, OpError):
        raise error
    if of_values(error):
        return carried_out(step, world, harmless(env))
    if sized or any(None in v._static for v in given if isinstance(v, SymbolicTensor) and v._static):
        try:
            return carried_out(step, world, fitting(step, env))
        except OpError:
            pass  # what it says of a shape did not help: it is an error of what is known
    raise while_tracing(error, label, given) from None


def otherwise(step: Step, world: World, env: list, given: tuple, first: Any) -> Any:
    """What is known of what a step returns that failed in the second world, where its operands' sizes do not fit.

    What it says of a shape is true, and so is what it takes for one.
    """
    found = broadcast(step, given, first)
    if found is not None:
        return found
    try:
        return carried_out(step, world, fitting(step, env))
    except Exception:
        return FAILED
