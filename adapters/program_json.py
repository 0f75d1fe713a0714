"""Programs and observations as exact, canonical JSON, both ways.

`dumps(program)` is one line; `loads(text)` gives the program back, or raises `ProgramError` with a sentence saying
where the text is no program. `program_id(program)` is permanent: it hashes the canonical JSON, in which keys are sorted
and what has its default is left out, together with the language version. `observation_to_json` and
`observation_from_json` do the same for what was seen.

    {"steps": [{"do": "constant", "array": {"dtype": "float32", "shape": [], "values": [3.0]}},
               {"do": "make_tape", "persistent": {"is": "py", "value": true}},
               {"do": "enter", "context": {"is": "ref", "step": 1}}], "version": 1}
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import MISSING, dataclass, fields
from typing import Any, cast

from adapters import language as lang
from adapters import observations as seen
from adapters.json_values import (
    Json,
    ProgramError,
    canonical,
    expect,
    read_array,
    read_bool,
    read_float,
    read_int,
    read_scalar,
    read_text,
    write_array,
    write_float,
    write_scalar,
)
from adapters.references import dangling

__all__ = [
    "ProgramError", "dumps", "from_json", "loads", "observation_from_json", "observation_to_json", "program_id",
    "to_json",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """One class of the language: its word, and its fields with how each is written and whether it may be left out."""

    cls: type
    word: str
    fields: tuple[tuple[str, str, Any], ...]  # name, how, default (MISSING when it must be given)


def _word(cls: type) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in cls.__name__).lstrip("_")


def _kind(cls: type, word: str | None = None) -> Kind:
    described = tuple((field.name, str(field.type), field.default) for field in fields(cls))
    return Kind(cls, word or _word(cls), described)


def _table(classes: Any, words: dict[type, str]) -> tuple[dict[type, Kind], dict[str, Kind]]:
    kinds = [_kind(cls, words.get(cls)) for cls in classes.__args__]
    return {kind.cls: kind for kind in kinds}, {kind.word: kind for kind in kinds}


_STEPS, _STEP_WORDS = _table(lang.Step, {})
_OPERANDS, _OPERAND_WORDS = _table(lang.Operand, {lang.NumPy: "numpy", lang.DTypeName: "dtype"})
_OUTCOMES, _OUTCOME_WORDS = _table(seen.Outcome, {cls: word.replace(" ", "_") for cls, word in seen.KINDS.items()})

# What the schema of the protocol is made of: the key that holds a kind's word, and the kinds.
TABLES: dict[str, tuple[str, dict[type, Kind]]] = {
    "step": ("do", _STEPS),
    "operand": ("is", _OPERANDS),
    "outcome": ("saw", _OUTCOMES),
}


# ---------------------------------------------------------------- programs


def to_json(program: lang.Program) -> dict[str, Json]:
    """The program as JSON data: {"version": ..., "steps": [...]}."""
    return {"version": lang.LANGUAGE_VERSION, "steps": _write(program.steps, "tuple[Step, ...]")}


def dumps(program: lang.Program) -> str:
    """The program as one line of canonical JSON: sorted keys, no spaces, ASCII, defaults left out."""
    return canonical(to_json(program))


def program_id(program: lang.Program) -> str:
    """The permanent name of a program: 16 hexadecimal digits."""
    return id_of_text(dumps(program))


def id_of_text(canonical_text: str) -> str:
    """The permanent name of the program that `dumps` spelled so."""
    text = f"tapecheck program {lang.LANGUAGE_VERSION}\n{canonical_text}"
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def loads(text: str) -> lang.Program:
    """The program that `text` spells; ProgramError when it spells none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProgramError(f"this is not JSON: {error}") from None
    return from_json(data)


def from_json(data: Json) -> lang.Program:
    """The program of JSON data; ProgramError for what is no program of this or an older language version."""
    expect(type(data) is dict, "a program is a JSON object with the fields version and steps")
    expect("version" in data and "steps" in data, "a program has the fields version and steps")
    version = data["version"]
    expect(type(version) is int and version >= 1, f"{version!r} is no version of the language")
    expect(
        version <= lang.LANGUAGE_VERSION,
        f"the program is written in version {version} of the language, newer than {lang.LANGUAGE_VERSION}, "
        "which is the newest one known here",
    )
    extra = set(data) - {"version", "steps"}
    expect(not extra, f"a program has no field {min(extra, default='')!r}")
    program = lang.Program(_read(data["steps"], "tuple[Step, ...]"))
    fault = dangling(program)
    expect(fault is None, fault or "")
    return program


# ---------------------------------------------------------------- observations


def observation_to_json(observation: seen.Observation) -> dict[str, Json]:
    """One observation as JSON data: its outcome's fields beside "saw", and the warnings when there are any."""
    data = _write(observation.outcome, "Outcome")
    if observation.warnings:
        data["warnings"] = list(observation.warnings)
    return data


def observation_from_json(data: Json) -> seen.Observation:
    """The observation of JSON data; ProgramError for anything else."""
    if type(data) is not dict or "warnings" not in data:
        return seen.Observation(_read_kind(data, _OUTCOME_WORDS, "saw", "outcome"))
    rest = dict(data)
    warnings = _read_list(rest.pop("warnings"), "str")
    return seen.Observation(_read_kind(rest, _OUTCOME_WORDS, "saw", "outcome"), warnings)


# ---------------------------------------------------------------- how each field is written and read


def _write_kind(value: Any, kinds: dict[type, Kind], key: str) -> Json:
    kind = kinds.get(type(value))
    if kind is None:
        raise ProgramError(f"a {type(value).__name__} has no place in a program")
    data: dict[str, Json] = {key: kind.word}
    for name, how, default in kind.fields:
        held = getattr(value, name)
        # == alone would drop what Python calls equal: Py(1) for Py(True), Py(0) for Py(False), -0.0 for 0.0
        if default is MISSING or held != default or repr(held) != repr(default):
            data[name] = _WRITERS[how](held)
    return data


def _read_kind(data: Json, words: dict[str, Kind], key: str, noun: str) -> Any:
    if type(data) is not dict or key not in data:
        raise ProgramError(f"{_short(data)} is no {noun}: it has no field {key!r}")
    word = data[key]
    kind = words.get(word) if type(word) is str else None
    if kind is None:
        raise ProgramError(f"there is no {noun} called {word!r}")
    held: dict[str, Any] = {}
    for name, how, default in kind.fields:
        if name in data:
            held[name] = _read_field(data[name], how, kind.word, name)
        elif default is MISSING:
            raise ProgramError(f"{kind.word} lacks the field {name!r}")
    if len(held) + 1 != len(data):
        extra = set(data) - set(held) - {key}
        raise ProgramError(f"{kind.word} has no field {min(extra)!r}")
    return kind.cls(**held)


def _read_field(data: Json, how: str, word: str, name: str) -> Any:
    try:
        return _READERS[how](data)
    except ProgramError as error:
        raise ProgramError(f"{word}.{name}: {error}") from None


def _short(data: Json) -> str:
    text = repr(data)
    return text if len(text) <= 60 else text[:57] + "..."


def _read_list(data: Json, how: str) -> tuple[Any, ...]:
    if type(data) is not list:
        raise ProgramError(f"{_short(data)} is no list")
    read = _READERS[how]
    return tuple([read(item) for item in data])


def _read_steps(data: Json) -> tuple[Any, ...]:
    if type(data) is not list:
        raise ProgramError(f"{_short(data)} is no list of steps")
    steps = []
    for index, item in enumerate(data):
        try:
            steps.append(_read_kind(item, _STEP_WORDS, "do", "step"))
        except ProgramError as error:
            raise ProgramError(f"step {index}: {error}") from None
    return tuple(steps)


def _read_pairs(data: Json) -> tuple[Any, ...]:
    if type(data) is not list or any(type(item) is not list or len(item) != 2 for item in data):
        raise ProgramError(f"{_short(data)} is no list of pairs of a keyword and an operand")
    return tuple((read_text(name), _read(operand, "Operand")) for name, operand in data)


def _read_ref(data: Json) -> Any:
    ref = _read(data, "Operand")
    expect(type(ref) is lang.Ref, "only a reference can stand here")
    return ref


_WRITERS: dict[str, Any] = {
    "str": lambda value: value,
    "int": int,
    "bool": bool,
    "float": write_float,
    "int | None": lambda value: value,
    "str | None": lambda value: value,
    "Any": write_scalar,
    "tuple[Any, ...]": lambda value: [write_scalar(item) for item in value],
    "Array": write_array,
    "Ref": lambda value: _write_kind(value, _OPERANDS, "is"),
    "Operand": lambda value: _write_kind(value, _OPERANDS, "is"),
    "Operand | None": lambda value: None if value is None else _write_kind(value, _OPERANDS, "is"),
    "tuple[Operand, ...]": lambda value: [_write_kind(item, _OPERANDS, "is") for item in value],
    "tuple[tuple[str, Operand], ...]": lambda value: [
        [name, _write_kind(item, _OPERANDS, "is")] for name, item in value
    ],
    "tuple[Step, ...]": lambda value: [_write_kind(item, _STEPS, "do") for item in value],
    "Outcome": lambda value: _write_kind(value, _OUTCOMES, "saw"),
    "tuple[Outcome, ...]": lambda value: [_write_kind(item, _OUTCOMES, "saw") for item in value],
}

_READERS: dict[str, Any] = {
    "str": read_text,
    "int": read_int,
    "bool": read_bool,
    "float": read_float,
    "int | None": lambda data: None if data is None else read_int(data),
    "str | None": lambda data: None if data is None else read_text(data),
    "Any": read_scalar,
    "tuple[Any, ...]": lambda data: tuple(read_scalar(item) for item in _read_list(data, "plain")),
    "plain": lambda data: data,
    "Array": read_array,
    "Ref": _read_ref,
    "Operand": lambda data: _read_kind(data, _OPERAND_WORDS, "is", "operand"),
    "Operand | None": lambda data: None if data is None else _read_kind(data, _OPERAND_WORDS, "is", "operand"),
    "tuple[Operand, ...]": lambda data: _read_list(data, "Operand"),
    "tuple[tuple[str, Operand], ...]": _read_pairs,
    "tuple[Step, ...]": _read_steps,
    "Outcome": lambda data: _read_kind(data, _OUTCOME_WORDS, "saw", "outcome"),
    "tuple[Outcome, ...]": lambda data: _read_list(data, "Outcome"),
}


def _write(value: Any, how: str) -> Json:
    return _WRITERS[how](value)


def _read(data: Json, how: str) -> Any:
    return cast(Any, _READERS[how](data))
