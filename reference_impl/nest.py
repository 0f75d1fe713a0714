"""Structures of lists, tuples, dicts, namedtuples: ``flatten``, ``pack_sequence_as``, ``map_structure`` (``tf.nest``).

Dicts are flattened in the order of their sorted keys and packed back in their own order.  Everything else, sets and
generators among it, is a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def is_nested(structure: Any) -> bool:
    """True for lists, tuples, namedtuples and mappings."""
    return isinstance(structure, (list, tuple, Mapping)) or _fields(structure) is not None


def _fields(structure: Any) -> list[str] | None:
    """The attribute names of an attrs object, None for anything else."""
    attrs = getattr(type(structure), "__attrs_attrs__", None)
    return None if attrs is None else [a.name for a in attrs]


def _children(structure: Any) -> Iterator[Any]:
    if isinstance(structure, Mapping):
        return (structure[k] for k in sorted(structure))
    fields = _fields(structure)
    return iter(structure) if fields is None else (getattr(structure, f) for f in fields)


def leaves(structure: Any) -> Iterator[Any]:
    """The leaves one after another, lazily."""
    if not is_nested(structure):
        yield structure
        return
    for child in _children(structure):
        yield from leaves(child)


def flatten(structure: Any) -> list:
    """The leaves as a list; a leaf alone gives a list of one."""
    return list(leaves(structure))


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """The inverse of flatten: ``structure`` with its leaves replaced, in order.  ValueError for a wrong number."""
    flat = list(flat_sequence)
    size = len(flatten(structure))
    if size != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {size} atoms, but flat_sequence had {len(flat)} items. "
            f"Structure: {structure}, flat_sequence: {flat}."
        )
    return _packed(structure, iter(flat))


def _packed(structure: Any, values: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(values)
    if isinstance(structure, Mapping):
        made = {k: _packed(structure[k], values) for k in sorted(structure)}
        ordered = {k: made[k] for k in structure}
        return _mapping_like(structure, ordered)
    fields = _fields(structure)
    if fields is not None:
        return type(structure)(**{f: _packed(getattr(structure, f), values) for f in fields})
    children = [_packed(c, values) for c in structure]
    if hasattr(structure, "_fields"):
        return type(structure)(*children)
    return type(structure)(children) if type(structure) not in (list, tuple) else type(structure)(children)


def _mapping_like(structure: Mapping, items: dict) -> Any:
    default = getattr(structure, "default_factory", None)
    return type(structure)(default, items) if default is not None else type(structure)(items)


def map_structure(func: Callable, *structures: Any, **_options: Any) -> Any:
    """``func`` applied to corresponding leaves, in the structure of the first argument."""
    if not callable(func):
        raise TypeError(f"Argument `func` must be callable, got: {func}")
    if not structures:
        raise ValueError("Must provide at least one structure")
    for other in structures[1:]:
        assert_same_structure(structures[0], other)
    return pack_sequence_as(structures[0], [func(*vs) for vs in zip(*(flatten(s) for s in structures))])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """ValueError when two structures differ in shape, TypeError when they differ in types."""
    why = _difference(nest1, nest2, check_types)
    if why is None:
        return
    kind, text = why
    first, second = (f"type={type(n).__name__} str={n}" for n in (nest1, nest2))
    raise kind(
        f"The two structures don't have the same nested structure.\n\nFirst structure: {first}\n\nSecond structure: "
        f"{second}\n\nMore specifically: {text}"
    )


def _difference(a: Any, b: Any, check_types: bool) -> tuple[type[Exception], str] | None:
    if is_nested(a) != is_nested(b):
        nested, other = (a, b) if is_nested(a) else (b, a)
        return ValueError, (
            f'Substructure "type={type(nested).__name__} str={nested}" is a sequence, while substructure '
            f'"type={type(other).__name__} str={other}" is not'
        )
    if not is_nested(a):
        return None
    if check_types and type(a) is not type(b) and not (isinstance(a, Mapping) and isinstance(b, Mapping)):
        return TypeError, (
            f"The two structures don't have the same sequence type. First structure has type {type(a)}, while second "
            f"structure has type {type(b)}."
        )
    if isinstance(a, Mapping) and set(a) != set(b):
        return ValueError, (
            f"The two dictionaries don't have the same set of keys. First structure has keys {list(a)}, while second "
            f"structure has keys {list(b)}."
        )
    xs, ys = list(_children(a)), list(_children(b))
    if len(xs) != len(ys):
        return ValueError, (
            f"The two structures don't have the same number of elements. First structure: type={type(a).__name__} "
            f"str={a}. Second structure: type={type(b).__name__} str={b}"
        )
    return next((d for x, y in zip(xs, ys) if (d := _difference(x, y, check_types)) is not None), None)
