"""Turn plain JSON objects into records, checking every field on the way.

`decode({"record": "notice", "text": "..."})` gives `Notice("...")`. The checks are derived from the annotations of the
record types, so a field that is added there is checked here without another word.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any

from reports import records
from reports.errors import RecordsError

Check = Callable[[Any], Any]  # gives the decoded value, or raises `_Wrong`


def names_of(kind: type) -> str:
    """The word that stands for a record type in a file: `CauseCount` is `cause_count`."""
    return "".join("_" * (letter.isupper() and at > 0) + letter.lower() for at, letter in enumerate(kind.__name__))


TYPES: dict[str, type] = {names_of(kind): kind for kind in typing.get_args(records.Record)}


class _Wrong(Exception):
    """What was wanted instead, in words."""


def decode(plain: dict[str, Any]) -> Any:
    """The record that a plain object with a known `record` field describes.

    Raises `RecordsError` for a field that is unknown, missing or of the wrong type.
    """
    name = plain["record"]
    fields = {key: value for key, value in plain.items() if key != "record"}
    try:
        return _build(TYPES[name], fields)
    except _Wrong as wrong:
        raise RecordsError(f"in a record of kind {name}, {wrong}.") from None


def _build(kind: type, plain: dict[str, Any]) -> Any:
    checks = _checks(kind)
    for key in plain:
        if key not in checks:
            raise _Wrong(f"the field `{key}` is unknown")
    values = {}
    for key, value in plain.items():
        try:
            values[key] = checks[key](value)
        except _Wrong as wrong:
            raise _Wrong(f"`{key}` must be {wrong}, not {_short(value)}") from None
    try:
        return kind(**values)
    except TypeError:
        missing = [field.name for field in dataclasses.fields(kind) if _required(field) and field.name not in plain]
        raise _Wrong(f"the field `{missing[0]}` is missing") from None


def _required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


@cache
def _checks(kind: type) -> dict[str, Check]:
    hints = typing.get_type_hints(kind)
    return {field.name: _check(hints[field.name]) for field in dataclasses.fields(kind)}


def _check(hint: Any) -> Check:
    """The check for one annotation: scalars, tuples of one kind, dicts, nested record parts, and `... | None`."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        inner = _check(next(argument for argument in arguments if argument is not type(None)))
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        return _tuple_of(_check(arguments[0]))
    if origin is dict:
        return _dict_of(_check(arguments[1]))
    if dataclasses.is_dataclass(hint):
        return _object_of(typing.cast(type, hint))
    return {str: _text, int: _whole, float: _number, bool: _truth}.get(hint, _anything)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Wrong("text")
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Wrong("a whole number")
    return value


def _number(value: Any) -> float:
    if value in ("inf", "-inf", "nan"):
        return float(value)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise _Wrong("a number")
    return float(value)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("true or false")
    return value


def _anything(value: Any) -> Any:
    return value


def _tuple_of(inner: Check) -> Check:
    def check(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise _Wrong("a list")
        return tuple(inner(item) for item in value)

    return check


def _dict_of(inner: Check) -> Check:
    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _Wrong("an object")
        return {key: inner(item) for key, item in value.items()}

    return check


def _object_of(kind: type) -> Check:
    def check(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _Wrong("an object")
        return _build(kind, value)

    return check


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
