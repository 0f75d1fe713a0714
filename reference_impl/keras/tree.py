"""``tf.keras.tree``: nests of lists, tuples and dicts, as layers of one's own take them; None is a leaf.

    tree.map_structure(lambda x: x + 1, {"a": 1, "b": [2, 3]})      # {"a": 2, "b": [3, 4]}

``flatten`` goes through dicts in the order of their keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nest


class MAP_TO_NONE:
    """What a function of ``traverse`` returns to have None in the place."""


def is_nested(structure: Any) -> bool:
    """Whether something is a list, tuple or dict."""
    return nest.is_nested(structure)


def flatten(structure: Any) -> list[Any]:
    """The leaves."""
    return nest.flatten(structure)


def flatten_with_path(structure: Any) -> list[tuple[tuple[Any, ...], Any]]:
    """The leaves, each with the keys and numbers that lead to it."""
    return [pair for pair in _paths(structure, ())]


def _paths(structure: Any, path: tuple[Any, ...]) -> Any:
    if not is_nested(structure):
        yield path, structure
        return
    items = sorted(structure.items()) if isinstance(structure, dict) else enumerate(structure)
    for key, value in items:
        yield from _paths(value, (*path, key))


def map_structure(func: Callable[..., Any], *structures: Any, none_is_leaf: bool = True) -> Any:
    """A nest of what a function gives for the leaves of one or more nests.  ValueError for unlike ones."""
    if not callable(func):
        raise TypeError(f"`func` must be callable. Received: func={func}")
    if not structures:
        raise ValueError("Must be called with at least one structure.")
    for other in structures[1:]:
        _check(structures[0], other)

    def at_leaves(*values: Any) -> Any:
        return None if not none_is_leaf and all(v is None for v in values) else func(*values)

    flat = [at_leaves(*values) for values in zip(*map(flatten, structures))]
    return nest.pack_sequence_as(structures[0], flat) if is_nested(structures[0]) else flat[0]


def map_structure_up_to(shallow_structure: Any, func: Callable[..., Any], *structures: Any) -> Any:
    """A nest like ``shallow_structure`` of what a function gives for what stands in the places of its leaves."""
    for structure in structures:
        _check_prefix(shallow_structure, structure)
    places = [path for path, _ in flatten_with_path(shallow_structure)]
    made = [func(*(_found(structure, path) for structure in structures)) for path in places]
    return pack_sequence_as(shallow_structure, made)


def _found(structure: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        structure = structure[key]
    return structure


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """Leaves in the form of a nest.  ValueError for another number of them."""
    wanted, given = len(flatten(structure)), len(flat_sequence)
    if wanted != given:
        raise ValueError(
            f"Too {'few' if given < wanted else 'many'} leaves for PyTreeSpec; expected: {wanted}"
            f"{f', got: {given}' if given < wanted else ''}."
        )
    return nest.pack_sequence_as(structure, list(flat_sequence)) if is_nested(structure) else flat_sequence[0]


def lists_to_tuples(structure: Any) -> Any:
    """The nest with tuples for its lists."""
    if isinstance(structure, dict):
        return {k: lists_to_tuples(v) for k, v in structure.items()}
    return tuple(map(lists_to_tuples, structure)) if type(structure) in (list, tuple) else structure


def traverse(func: Callable[[Any], Any], structure: Any, top_down: bool = True) -> Any:
    """The nest with what a function gives for its parts in their places; None leaves a part, and goes on inside.

    Without ``top_down`` parts come before what holds them.
    """
    if top_down:
        found = func(structure)
        if found is not None:
            return None if found is MAP_TO_NONE else found
    inside = structure
    if isinstance(structure, dict):
        inside = {k: traverse(func, structure[k], top_down) for k in structure}
    elif is_nested(structure):
        parts = [traverse(func, v, top_down) for v in structure]
        inside = type(structure)(*parts) if hasattr(structure, "_fields") else type(structure)(parts)
    if top_down:
        return inside
    found = func(inside)
    return inside if found is None else None if found is MAP_TO_NONE else found


def map_shape_structure(func: Callable[..., Any], structure: Any) -> Any:
    """The nest with what a function gives for its shapes; tuples and lists of sizes are leaves."""
    if isinstance(structure, (list, tuple)) and all(v is None or isinstance(v, int) for v in structure):
        return func(structure)
    if isinstance(structure, dict):
        return {k: map_shape_structure(func, v) for k, v in structure.items()}
    if isinstance(structure, (list, tuple)):
        return type(structure)(map_shape_structure(func, v) for v in structure)
    return func(structure)


def assert_same_structure(a: Any, b: Any) -> None:
    """ValueError unless two nests are alike, with the same kinds of lists, tuples and dicts."""
    _check(a, b)


def assert_same_paths(a: Any, b: Any) -> None:
    """ValueError unless the same keys and numbers lead to the leaves of two nests."""
    of_a, of_b = ({path for path, _ in flatten_with_path(nested)} for nested in (a, b))
    if of_a == of_b:
        return
    said = "`a` and `b` don't have the same paths."
    for first, second, missing in (("a", "b", of_a - of_b), ("b", "a", of_b - of_a)):
        if missing:
            said += f"\nPaths in `{first}` missing in `{second}`:\n{missing}"
    raise ValueError(said)


def _check(a: Any, b: Any) -> None:
    _check_prefix(a, b)
    of_a, of_b = ([path for path, _ in flatten_with_path(nested)] for nested in (a, b))
    if of_a != of_b:
        raise ValueError("Structures don't have the same nested structure.")


def _check_prefix(a: Any, b: Any) -> None:
    """ValueError unless ``b`` is like ``a``, as far as that goes."""
    if not is_nested(a):
        return
    if type(a) is not type(b):
        wanted = type(a).__name__
        wanted = "dict, collections.OrderedDict, or collections.defaultdict" if wanted == "dict" else wanted
        raise ValueError(f"Expected an instance of {wanted}, got {b!r}.")
    _check_sizes(a, b)
    pairs = [(a[k], b[k]) for k in sorted(a)] if isinstance(a, dict) else list(zip(a, b))
    for first, second in pairs:
        _check_prefix(first, second)


def _check_sizes(a: Any, b: Any) -> None:
    if not isinstance(a, dict):
        if len(a) != len(b):
            kind = type(a).__name__
            raise ValueError(f"{kind} arity mismatch; expected: {len(a)}, got: {len(b)}; {kind}: {b}.")
    elif set(a) != set(b):
        said = f"dictionary key mismatch; expected key(s): {sorted(a)}, got key(s): {sorted(b)}"
        for word, keys in (("missing", set(a) - set(b)), ("extra", set(b) - set(a))):
            said += f", {word} key(s): {sorted(keys)}" if keys else ""
        raise ValueError(f"{said}; dict: {b}.")


__all__ = [
    "MAP_TO_NONE", "assert_same_paths", "assert_same_structure", "flatten", "flatten_with_path", "is_nested",
    "lists_to_tuples", "map_shape_structure", "map_structure", "map_structure_up_to", "pack_sequence_as", "traverse",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)
