"""Structures of lists, tuples, dicts, namedtuples: ``flatten``, ``pack_sequence_as``, ``map_structure`` (``tf.nest``).

Dicts are flattened in the order of their sorted keys and packed back in their own order.  Other sequences, views of
dicts, attrs objects and objects with ``__tf_flatten__`` are structures too; everything else is a leaf: strings,
arrays, sets, generators, plain dataclasses, None.  With ``expand_composites`` the tensors of slices and ragged
tensors are leaves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, MappingView, MutableMapping, Sequence
from typing import Any

_LEAF, _SEQUENCE, _MAPPING, _VIEW, _ATTRS, _CUSTOM = range(6)
_KINDS: dict[type, int] = {
    list: _SEQUENCE,
    tuple: _SEQUENCE,
    dict: _MAPPING,
    str: _LEAF,
    bytes: _LEAF,
    bytearray: _LEAF,
}


def _kind(value: Any) -> int:
    cls = type(value)
    kind = _KINDS.get(cls)
    if kind is None:
        kind = _KINDS[cls] = _kind_of_class(cls)
    return kind


def _kind_of_class(cls: type) -> int:
    if issubclass(cls, (str, bytes, bytearray)):
        return _LEAF
    for base, kind in ((Mapping, _MAPPING), (MappingView, _VIEW), (Sequence, _SEQUENCE)):
        if issubclass(cls, base):
            return kind
    if hasattr(cls, "__attrs_attrs__"):
        return _ATTRS
    return _CUSTOM if hasattr(cls, "__tf_flatten__") and hasattr(cls, "__tf_unflatten__") else _LEAF


def is_nested(structure: Any) -> bool:
    """True for sequences but strings, mappings and their views, attrs objects."""
    return _kind(structure) != _LEAF


def _parts(value: Any, composites: bool) -> list | None:
    """The values directly inside, None for a leaf."""
    kind = _kind(value)
    if kind == _LEAF:
        return value._parts_() if composites and hasattr(type(value), "_parts_") else None
    if kind == _MAPPING:
        return [value[k] for k in sorted(value)]
    if kind == _ATTRS:
        return [getattr(value, a.name) for a in type(value).__attrs_attrs__]
    return list(value.__tf_flatten__()[1]) if kind == _CUSTOM else list(value)


def leaves(structure: Any, expand_composites: bool = False) -> Iterator[Any]:
    """The leaves one after another, lazily."""
    parts = _parts(structure, expand_composites)
    if parts is None:
        yield structure
        return
    for part in parts:
        yield from leaves(part, expand_composites)


def flatten(structure: Any, expand_composites: bool = False) -> list:
    """The leaves as a list; a leaf alone gives a list of one.  TypeError for dict keys that do not compare."""
    parts = _parts(structure, expand_composites)
    return [structure] if parts is None else [leaf for part in parts for leaf in leaves(part, expand_composites)]


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """The inverse of flatten: ``structure`` with its leaves replaced, in order.

    ValueError for a wrong number of leaves, TypeError when ``flat_sequence`` is no sequence.
    """
    if not is_nested(flat_sequence):
        raise TypeError(
            f"Attempted to pack value:\n  {_short(flat_sequence)}\ninto a structure, but found incompatible type "
            f"`{type(flat_sequence)}` instead."
        )
    count = len(flat_sequence)
    if _parts(structure, expand_composites) is None:
        if count != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n  {_short(structure)}\nHowever the input is a "
                f"sequence ({type(flat_sequence)}) of length {count}.\n  {_short(flat_sequence)}\nnest cannot "
                "guarantee that it is safe to map one to the other."
            )
        return flat_sequence[0]
    size = len(flatten(structure, expand_composites))
    if size != count:
        raise ValueError(
            f"Could not pack sequence. Structure had {size} atoms, but flat_sequence had {count} items.  Structure: "
            f"{structure}, flat_sequence: {flat_sequence}."
        )
    return _packed(structure, (flat_sequence[k] for k in range(count)), expand_composites)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 100 else text[:100] + "..."


def _packed(structure: Any, values: Iterator[Any], composites: bool) -> Any:
    parts = _parts(structure, composites)
    return next(values) if parts is None else _like(structure, [_packed(p, values, composites) for p in parts])


def _like(structure: Any, parts: list) -> Any:
    """A structure of the same type with other parts, which come in the order of ``_parts``."""
    kind, cls = _kind(structure), type(structure)
    if kind == _MAPPING:
        return _mapping_like(structure, dict(zip(sorted(structure), parts)))
    if kind == _VIEW or cls is range:
        return parts
    if kind == _CUSTOM:
        return structure.__tf_unflatten__(structure.__tf_flatten__()[0], tuple(parts))
    if kind in (_ATTRS, _LEAF) or hasattr(structure, "_fields"):
        return cls(*parts)
    return cls(parts)


def _mapping_like(structure: Mapping, parts: dict) -> Any:
    cls = type(structure)
    if isinstance(structure, MutableMapping):
        made = cls(structure.default_factory) if isinstance(structure, defaultdict) else cls()
        for key in structure:
            made[key] = parts[key]
        return made
    from .foundation.warnings_log import warn_first

    warn_first(1, "mapping", "Mapping types may not work well with tf.nest. Prefer using MutableMapping for %s", cls)
    try:
        return cls((key, parts[key]) for key in structure)
    except TypeError as error:
        raise TypeError(
            f"Error creating an object of type {cls} like {structure}. Note that it must accept a single positional "
            f"argument representing an iterable of key-value pairs, in addition to self. Cause: {error}"
        ) from error


def map_structure(func: Callable, *structure: Any, **kwargs: Any) -> Any:
    """``func`` applied to corresponding leaves, in the structure of the first argument.

    Keyword arguments: ``check_types`` (True), ``expand_composites`` (False).  Errors of ``assert_same_structure``.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    composites = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(
            "Only valid keyword arguments are `check_types` and `expand_composites`, not: "
            f"`{'`, `'.join(kwargs)}`"
        )  # fmt: skip
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, composites)
    results = [func(*values) for values in zip(*(flatten(s, composites) for s in structure))]
    return pack_sequence_as(structure[0], results, composites)


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """ValueError when two structures differ in shape or keys, TypeError when they differ in types."""
    found = _difference(nest1, nest2, bool(check_types), bool(expand_composites))
    if found is None:
        return
    kind, text = found
    raise kind(
        f"The two structures don't have the same nested structure.\n\nFirst structure: {_said(nest1)}\n\nSecond "
        f"structure: {_said(nest2)}\n\nMore specifically: {text}\nEntire first structure:\n{_outline(nest1)}\nEntire "
        f"second structure:\n{_outline(nest2)}"
    )


class _Dot:
    def __repr__(self) -> str:
        return "."


def _outline(structure: Any) -> str:
    return str(map_structure(lambda _: _Dot(), structure))


def _said(value: Any) -> str:
    return f"type={type(value).__name__} str={value!s}"


def _difference(a: Any, b: Any, check_types: bool, composites: bool) -> tuple[type[Exception], str] | None:
    """The first difference, depth first, as the class and the text of its error."""
    xs, ys = _parts(a, composites), _parts(b, composites)
    if (xs is None) != (ys is None):
        inner, other = (a, b) if ys is None else (b, a)
        text = f'Substructure "{_said(inner)}" is a sequence, while substructure "{_said(other)}" is not'
        return ValueError, text
    if xs is None or ys is None:
        return None
    mappings = isinstance(a, Mapping) and isinstance(b, Mapping)
    if check_types:
        if not mappings and not _same_type(a, b):
            return TypeError, (
                f"The two namedtuples don't have the same sequence type. First structure {_said(a)} has type "
                f"{type(a).__name__}, while second structure {_said(b)} has type {type(b).__name__}"
            )
        if mappings and set(a) != set(b):
            return ValueError, (
                "The two dictionaries don't have the same set of keys. First structure has keys "
                f"{_said(list(a))}, while second structure has keys {_said(list(b))}"
            )
    if len(xs) != len(ys):
        text = "The two structures don't have the same number of elements."
        return ValueError, f"{text} First structure: {_said(a)}. Second structure: {_said(b)}"
    return next((d for x, y in zip(xs, ys) if (d := _difference(x, y, check_types, composites)) is not None), None)


def _same_type(a: Any, b: Any) -> bool:
    """One type; for namedtuples the same name and fields are enough."""
    if type(a) is type(b):
        return True
    fields = getattr(a, "_fields", None)
    return fields is not None and fields == getattr(b, "_fields", None) and type(a).__name__ == type(b).__name__
