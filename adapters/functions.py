"""A `Function` operand as a real Python function, with real parameters.

Implementations look at a user's function: how many parameters it has, whether one is called `variables`. So the
callable is made by `def`, not by `*args`, and wrong calls get Python's own TypeError.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from adapters.language import Function


def callable_of(function: Function, body: Callable[[tuple[Any, ...]], Any]) -> Callable[..., Any]:
    """A Python function with the parameters of `function` that hands their values, in order, to `body`.

    A keyword-only parameter (`function.keyword`) is the last one, and None when the caller leaves it out.
    """
    return _maker(function.parameters, function.keyword)(body)


@cache
def _maker(parameters: int, keyword: str | None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    if keyword is not None and not keyword.isidentifier():
        raise ValueError(f"{keyword!r} cannot be the name of a parameter")
    positional = parameters if keyword is None else parameters - 1
    names = [f"p{index}" for index in range(positional)]
    signature = [*names, *(["*", f"{keyword}=None"] if keyword is not None else [])]
    values = [*names, *([keyword] if keyword is not None else [])]
    packed = "(" + "".join(f"{name}, " for name in values) + ")"
    lines = (
        "def maker(_body):",
        f"    def function({', '.join(signature)}):",
        f"        return _body({packed})",
        "    return function",
    )
    made: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<program>", "exec"), made)
    return made["maker"]
