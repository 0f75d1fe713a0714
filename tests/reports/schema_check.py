"""The part of JSON Schema that `records.schema.json` uses, small enough to be read: `faults(value, schema)`.

Knows $ref, anyOf, oneOf, const, enum, type, properties, required, additionalProperties, items, minimum and maximum, and
refuses a schema that uses anything else.
"""

from __future__ import annotations

from typing import Any

KNOWN = {
    "$schema",
    "$defs",
    "$ref",
    "title",
    "description",
    "anyOf",
    "oneOf",
    "const",
    "enum",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minimum",
    "maximum",
}
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def faults(value: Any, schema: dict[str, Any], whole: dict[str, Any] | None = None, where: str = "$") -> list[str]:
    """What is wrong with a value, in words; empty when it fits."""
    whole = whole or schema
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"this checker does not know {unknown}")
    if "$ref" in schema:
        return faults(value, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], whole, where)
    for word, allowed in (("anyOf", range(1, 100)), ("oneOf", (1,))):
        if word in schema and sum(not faults(value, one, whole, where) for one in schema[word]) not in allowed:
            return [f"{where}: {value!r} fits not {'one' if word == 'oneOf' else 'any'} of the choices"]
    return [*_simple(value, schema, where), *_inside(value, schema, whole, where)]


def _simple(value: Any, schema: dict[str, Any], where: str) -> list[str]:
    wrong = []
    if "const" in schema and value != schema["const"]:
        wrong.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{where}: {value!r} is none of {schema['enum']}")
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean")):
        return [*wrong, f"{where}: {value!r} is no {kind}"]
    if "minimum" in schema and value < schema["minimum"]:
        wrong.append(f"{where}: {value} is below {schema['minimum']}")
    if "maximum" in schema and value > schema["maximum"]:
        wrong.append(f"{where}: {value} is above {schema['maximum']}")
    return wrong


def _inside(value: Any, schema: dict[str, Any], whole: dict[str, Any], where: str) -> list[str]:
    wrong = []
    if isinstance(value, list) and "items" in schema:
        for at, item in enumerate(value):
            wrong += faults(item, schema["items"], whole, f"{where}[{at}]")
    if isinstance(value, dict):
        wrong += [f"{where}: {name} is missing" for name in schema.get("required", ()) if name not in value]
        others = schema.get("additionalProperties", True)
        for name, item in value.items():
            if name in schema.get("properties", {}):
                wrong += faults(item, schema["properties"][name], whole, f"{where}.{name}")
            elif others is False:
                wrong.append(f"{where}: {name} is unknown")
            elif isinstance(others, dict):
                wrong += faults(item, others, whole, f"{where}.{name}")
    return wrong
