"""Functions that are traced into graphs: ``function``, control flow in them, and what goes with them.

Loaded when a name of it is first used.
"""

from __future__ import annotations

from .composite_specs import (
    IndexedSlicesSpec,
    RaggedTensorSpec,
    SparseTensorSpec,
    TensorArraySpec,
    type_spec_from_value,
)
from .control_flow import case, cond, switch_case
from .graph_gradients import gradients, hessians
from .loops import while_loop
from .mapping import foldl, foldr, map_fn, scan, vectorized_map
from .polymorphic import function
from .spec import TensorSpec, TypeSpec
from .tensor_array import TensorArray

__all__ = [
    "IndexedSlicesSpec",
    "RaggedTensorSpec",
    "SparseTensorSpec",
    "TensorArray",
    "TensorArraySpec",
    "TensorSpec",
    "TypeSpec",
    "case",
    "cond",
    "foldl",
    "foldr",
    "function",
    "gradients",
    "hessians",
    "map_fn",
    "scan",
    "switch_case",
    "type_spec_from_value",
    "vectorized_map",
    "while_loop",
]
