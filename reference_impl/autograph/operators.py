"""What rewritten code calls: Python's statements and operators, which in a graph may depend on tensors."""

from __future__ import annotations

from .calls import call, not_
from .conditions import and_, if_exp, if_stmt, or_, returned, value_of
from .loops import for_stmt, while_stmt
from .undefined import Undefined, is_undefined

__all__ = [
    "Undefined",
    "and_",
    "call",
    "for_stmt",
    "if_exp",
    "if_stmt",
    "is_undefined",
    "not_",
    "or_",
    "returned",
    "value_of",
    "while_stmt",
]
