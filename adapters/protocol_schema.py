"""The JSON Schema of the process protocol, made of the same tables that read and write it.

    python -m adapters.protocol_schema        writes adapters/protocol.schema.json

A line of the protocol is one of `greeting`, `refusal`, `request`, `answer`, `step_told` and `fault`. A test fails when
the file is stale.
"""

from __future__ import annotations

import json
from dataclasses import MISSING
from pathlib import Path
from typing import Any

from adapters.backend import ERRORS, FEATURES
from adapters.language import LANGUAGE_VERSION
from adapters.program_json import TABLES, Kind
from adapters.protocol import PROTOCOL_VERSION

FILE = Path(__file__).with_name("protocol.schema.json")
Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_TRUTH: Schema = {"type": "boolean"}
_ID: Schema = {"type": "string", "description": "The name of a program; an answer repeats it."}


def schema() -> Schema:
    """The whole schema."""
    kinds = [definition for word, (key, table) in TABLES.items() for definition in _kinds(word, key, table)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of tapecheck's process protocol",
        "description": "A field of a step, operand or outcome that has its default value may be left out.",
        "oneOf": [_ref(name) for name in _LINES],
        "$defs": {**_LINES, **_PARTS, **dict(kinds)},
    }


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps(schema(), indent=1) + "\n"


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(description: str, required: Schema, optional: Schema | None = None) -> Schema:
    return {
        "description": description,
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _list_of(item: Schema) -> Schema:
    return {"type": "array", "items": item}


_LINES: dict[str, Schema] = {
    "greeting": _object(
        "The child's first line.",
        {
            "protocol": {"const": PROTOCOL_VERSION},
            "language": {"type": "integer", "minimum": LANGUAGE_VERSION},
            "identity": _ref("identity"),
        },
        {"capabilities": _ref("capabilities")},
    ),
    "refusal": _object(
        "The child's first line when it cannot start.", {"protocol": {"type": "integer"}, "error": _TEXT}
    ),
    "request": _object(
        "The parent asks for one program. A child may ignore `trace` and `gradients`.",
        {"id": _ID, "program": _ref("program")},
        {"trace": _TRUTH, "gradients": _TRUTH},
    ),
    "answer": _object(
        "The child's answer: one observation per step. After `last` the child ends and another is started.",
        {"id": _ID, "observations": _list_of(_ref("observation"))},
        {"last": _TRUTH, "gradients": _list_of(_TEXT)},
    ),
    "step_told": _object(
        "With `trace`, what was seen at a step, as soon as it is over.",
        {"id": _ID, "step": {"type": "integer", "minimum": 0}, "observation": _ref("observation")},
    ),
    "fault": _object("The line that was asked is no program that the child reads.", {"id": _ID, "error": _TEXT}),
}

_PARTS: dict[str, Schema] = {
    "identity": _object(
        "Who answers.",
        {"name": _TEXT, "version": _TEXT},
        {"details": {"type": "object", "additionalProperties": _TEXT}},
    ),
    "capabilities": _object(
        "What the tape says it supports; what is left out is not stated.",
        {},
        {
            "ops": _list_of(_TEXT),
            "features": _list_of({"enum": sorted(FEATURES)}),
            "dtypes": _list_of(_TEXT),
            "traced": _TRUTH,
            "errors": {"enum": list(ERRORS)},
            "warnings": _TRUTH,
        },
    ),
    "program": _object(
        "Steps in order.", {"version": {"type": "integer", "minimum": 1}, "steps": _list_of(_ref("step"))}
    ),
    "array": _object(
        "An exact array: values in row-major order.",
        {"dtype": _TEXT, "shape": _list_of({"type": "integer", "minimum": 0}), "values": _list_of(_ref("element"))},
    ),
    "element": {
        "description": "A number, true or false, a text; nan, inf and -inf as text; an integer beyond 2**53 as text; a "
        "complex number as the list of its two parts.",
        "anyOf": [{"type": "number"}, _TRUTH, _TEXT, _list_of(_ref("float"))],
    },
    "float": {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}]},
    "scalar": {
        "description": "A plain Python value. Where the type shows in no other way, it is named: {\"float\": 1.0}.",
        "anyOf": [
            {"type": "null"}, _TRUTH, {"type": "integer"}, _TEXT,
            _object("A float.", {"float": _ref("float")}),
            _object("An integer beyond 2**53.", {"int": _TEXT}),
            _object("A complex number.", {"complex": _list_of(_ref("float"))}),
            _object("Bytes, in hexadecimal digits.", {"bytes": _TEXT}),
        ],
    },
    "keyword": {
        "description": "A keyword and its operand.", "type": "array", "items": {"anyOf": [_TEXT, _ref("operand")]},
    },
}  # fmt: skip

_HOW: dict[str, Schema] = {
    "str": _TEXT,
    "int": {"type": "integer"},
    "bool": _TRUTH,
    "float": _ref("float"),
    "int | None": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "str | None": {"anyOf": [_TEXT, {"type": "null"}]},
    "Any": _ref("scalar"),
    "tuple[Any, ...]": _list_of(_ref("scalar")),
    "Array": _ref("array"),
    "Ref": _ref("operand_ref"),
    "Operand": _ref("operand"),
    "Operand | None": {"anyOf": [_ref("operand"), {"type": "null"}]},
    "tuple[Operand, ...]": _list_of(_ref("operand")),
    "tuple[tuple[str, Operand], ...]": _list_of(_ref("keyword")),
    "tuple[Step, ...]": _list_of(_ref("step")),
    "Outcome": _ref("outcome"),
    "tuple[Outcome, ...]": _list_of(_ref("outcome")),
}


def _kinds(word: str, key: str, table: dict[type, Kind]) -> list[tuple[str, Schema]]:
    """The definitions of a sum type's kinds, then of the choice between them."""
    names = {kind.word: f"{word}_{kind.word}" for kind in table.values()}
    made = [(names[kind.word], _kind(kind, key, {})) for kind in table.values()]
    made.append((word, {"oneOf": [_ref(name) for name in names.values()]}))
    if word == "outcome":  # an observation is an outcome and, where there are any, the warnings logged
        warned = [_kind(kind, key, {"warnings": _list_of(_TEXT)}) for kind in table.values()]
        made.append(("observation", {"oneOf": warned}))
    return made


def _kind(kind: Kind, key: str, more: Schema) -> Schema:
    documented = (kind.cls.__doc__ or kind.word).partition("\n")[0]
    required = {key: {"const": kind.word}} | {n: _HOW[how] for n, how, default in kind.fields if default is MISSING}
    optional = {n: _HOW[how] for n, how, default in kind.fields if default is not MISSING}
    described = documented if not documented.startswith(f"{kind.cls.__name__}(") else kind.word.replace("_", " ")
    return _object(described, required, {**optional, **more})


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
