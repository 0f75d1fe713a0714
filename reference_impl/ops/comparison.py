"""Comparisons, element by element; their results are bool and carry no gradient."""

from __future__ import annotations

import operator
from typing import Any

from .declare import binary


def _compare(name: str, kernel: str, forward: Any, types: str = "float int") -> Any:
    return binary(f"math.{name} {name}", kernel=kernel, forward=forward, gradient=(None, None), types=types, dull=True)


_ANY = "float complex int bool string"
equal = _compare("equal", "Equal", operator.eq, _ANY)
not_equal = _compare("not_equal", "NotEqual", operator.ne, _ANY)
less = _compare("less", "Less", operator.lt)
less_equal = _compare("less_equal", "LessEqual", operator.le)
greater = _compare("greater", "Greater", operator.gt)
greater_equal = _compare("greater_equal", "GreaterEqual", operator.ge)
