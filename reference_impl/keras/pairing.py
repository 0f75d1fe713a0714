"""Labels and predictions as nests: what a loss object is given, leaf by leaf, as Keras takes it.

``[1.0, 2.0]`` is a nest of two numbers here, not a vector; two nests must have one structure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..nest import is_nested, pack_sequence_as


def in_pairs(function: Callable[[Any, Any], tuple[Any, Any]], first: Any, second: Any) -> tuple[Any, Any]:
    """Both nests, with each pair of leaves as ``function`` returns it; ValueError where the structures differ."""
    if not is_nested(first) and not is_nested(second):
        return function(first, second)
    pairs = list(_paired(first, second))[::-1]
    if any(is_nested(b) for _, b in pairs):
        raise ValueError("Structures don't have the same nested structure.")
    made = [function(a, b) for a, b in pairs]
    return pack_sequence_as(first, [a for a, _ in made]), pack_sequence_as(second, [b for _, b in made])


def _paired(first: Any, second: Any) -> Iterator[tuple[Any, Any]]:
    """Each leaf of the first nest with what stands there in the second, the last one first, as Keras goes."""
    if not is_nested(first):
        yield first, second
        return
    kind = type(first).__name__
    if type(first) is not type(second):
        raise ValueError(f"Expected an instance of {kind}, got {second!r}.")
    if isinstance(first, dict):
        _check_keys(sorted(first), sorted(second), second)
        first, second = ([nest[key] for key in sorted(nest)] for nest in (first, second))
    elif len(first) != len(second):
        raise ValueError(f"{kind} arity mismatch; expected: {len(first)}, got: {len(second)}; {kind}: {second!r}.")
    for a, b in zip(reversed(first), reversed(second)):
        yield from _paired(a, b)


def _check_keys(want: list, got: list, second: dict) -> None:
    missing, extra = [k for k in want if k not in got], [k for k in got if k not in want]
    if missing or extra:
        words = [f"expected key(s): {want}", f"got key(s): {got}"]
        words += [f"{word} key(s): {keys}" for word, keys in (("missing", missing), ("extra", extra)) if keys]
        raise ValueError(f"dictionary key mismatch; {', '.join(words)}; dict: {second!r}.")
