"""The corpus: programs pinned for good, each with the answers that TensorFlow gave.

`load()` gives them all, `load("WATCH")` those of one group, `load("WATCH-0*")` those that show a rule whose id fits;
`path_of("WATCH")` is the file of a group, with a line of JSON per program:

    {"answers": [...], "error_bound": 1e-7, "id": "0123456789abcdef", "lane": "numeric", "program": {...},
     "rules": ["WATCH-01"], "tensorflow": "2.21.0"}

`python -m conformance.pin` writes these files. Programs that show no rule are in `chosen.jsonl`: they were generated,
and kept because each covers something or shows a fault that no smaller one does (`python -m tests.mutants.choosing`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from adapters.language import Program
from adapters.observations import Observation
from adapters.program_json import canonical, from_json, observation_from_json, observation_to_json, program_id, to_json

FOLDER = Path(__file__).parent


class CorpusError(ValueError):
    """The corpus cannot be read, or holds nothing of the kind that was asked for."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """A pinned program: its permanent id, the rules it shows, what TensorFlow of that version answered.

    lane, error_bound: how it is judged, so that a tape that answers to the bit as TensorFlow needs no run with bounds.
    why: what a program without rules was chosen for.
    """

    id: str
    rules: tuple[str, ...]
    program: Program
    answers: tuple[Observation, ...]
    tensorflow: str
    lane: str = ""
    error_bound: float | None = None
    why: str = ""


def load(which: str | None = None) -> tuple[Pinned, ...]:
    """The pinned programs of a group, of the rules that fit a shell pattern, or all; CorpusError when it is none."""
    if which is None:
        return tuple(pinned for group in groups() for pinned in _group(group))
    if "-" not in which and not set("*?[") & set(which):
        return _group(which)
    found = tuple(pinned for pinned in load() if any(fnmatchcase(rule, which) for rule in pinned.rules))
    if not found:
        raise CorpusError(f"no pinned program shows a rule that fits {which!r}; ids look like WATCH-03")
    return found


def shows(pattern: str) -> bool:
    """Whether some pinned program shows a rule whose id fits a shell pattern."""
    return any(fnmatchcase(rule, pattern) for pinned in load() for rule in pinned.rules)


def answers_to(program: Program) -> tuple[Observation, ...] | None:
    """What TensorFlow answered to a program when it was pinned; None for a program that is not pinned."""
    return _answers().get(program_id(program))


@cache
def _answers() -> dict[str, tuple[Observation, ...]]:
    return {pinned.id: pinned.answers for pinned in load()}


def of_rules() -> tuple[Pinned, ...]:
    """The pinned programs that show rules."""
    return tuple(pinned for pinned in load() if pinned.rules)


def groups(pattern: str | None = None) -> tuple[str, ...]:
    """What to `load` one after the other: every group, or only `pattern` itself once it is known to fit something."""
    if pattern is None:
        return tuple(sorted(path.stem.upper() for path in FOLDER.glob("*.jsonl")))
    load(pattern)
    return (pattern,)


@cache
def _group(group: str) -> tuple[Pinned, ...]:
    path = path_of(group)
    if not path.exists():
        raise CorpusError(f"no group of rules is called {group!r}; there are {', '.join(groups())}")
    return read(path)


def read(path: Path) -> tuple[Pinned, ...]:
    """The pinned programs of one file; CorpusError that names file and line when one of them cannot be read."""
    pinned = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            pinned.append(_pinned(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise CorpusError(f"{path.name}, line {number}: {error}") from error
    return tuple(pinned)


def write(path: Path, pinned: Iterable[Pinned]) -> bool:
    """Write one file; False, and nothing written, when it holds exactly this already."""
    text = "".join(_line(each) + "\n" for each in pinned)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8")
    return True


def path_of(prefix: str, folder: Path = FOLDER) -> Path:
    """The file of the group with that prefix."""
    return folder / f"{prefix.lower()}.jsonl"


def _pinned(data: dict[str, Any]) -> Pinned:
    answers = tuple(observation_from_json(answer) for answer in data["answers"])
    return Pinned(
        data["id"], tuple(data["rules"]), from_json(data["program"]), answers, data["tensorflow"],
        data.get("lane", ""), data.get("error_bound"), data.get("why", ""),
    )  # fmt: skip


def _line(pinned: Pinned) -> str:
    return canonical(
        {
            "answers": [observation_to_json(answer) for answer in pinned.answers],
            **({} if pinned.error_bound is None else {"error_bound": pinned.error_bound}),
            "id": pinned.id,
            "lane": pinned.lane,
            "program": to_json(pinned.program),
            "rules": list(pinned.rules),
            "tensorflow": pinned.tensorflow,
            **({"why": pinned.why} if pinned.why else {}),
        }
    )
