"""Functions of elements, as ``Dataset.map`` takes them: traced once by the specs of the elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tracing import function
from ..tracing.spec import TensorSpec
from ..tracing.structure import mapped


def of_elements(python_function: Callable[..., Any], spec: Any) -> tuple[Callable[[Any], Any], Any]:
    """A function of one element, and the specs of what it returns."""

    def unpacked(element: Any) -> Any:
        result = python_function(*element) if isinstance(element, tuple) else python_function(element)
        return tuple(result) if isinstance(result, list) else result

    traced = function(unpacked).get_concrete_function(spec)
    result = mapped(traced.structured_outputs, lambda t: TensorSpec(t.shape, t.dtype))
    return traced, result
