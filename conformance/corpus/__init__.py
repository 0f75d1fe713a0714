"""The corpus: programs pinned for good, each with the answers that TensorFlow gave.

`load()` gives them all, sorted by rule; `path_of("WATCH")` is the file of one group, a line of JSON per program:

    {"answers": [...], "id": "0123456789abcdef", "program": {...}, "rules": ["WATCH-01"], "tensorflow": "2.21.0"}

`python -m conformance.pin` writes these files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from adapters.language import Program
from adapters.observations import Observation
from adapters.program_json import canonical, from_json, observation_from_json, observation_to_json, to_json

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Pinned:
    """A pinned program: its permanent id, the rules it shows, what TensorFlow of that version answered."""

    id: str
    rules: tuple[str, ...]
    program: Program
    answers: tuple[Observation, ...]
    tensorflow: str

    @property
    def crashes(self) -> bool:
        """Whether TensorFlow's process died of it."""
        return any(type(answer.outcome).__name__ == "Crashed" for answer in self.answers)


@cache
def load(folder: Path = FOLDER) -> tuple[Pinned, ...]:
    """Every pinned program. ValueError that names file and line when one of them cannot be read."""
    return tuple(pinned for path in sorted(folder.glob("*.jsonl")) for pinned in read(path))


def read(path: Path) -> tuple[Pinned, ...]:
    """The pinned programs of one file."""
    pinned = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            pinned.append(_pinned(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error
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
    return Pinned(data["id"], tuple(data["rules"]), from_json(data["program"]), answers, data["tensorflow"])


def _line(pinned: Pinned) -> str:
    return canonical(
        {
            "answers": [observation_to_json(answer) for answer in pinned.answers],
            "id": pinned.id,
            "program": to_json(pinned.program),
            "rules": list(pinned.rules),
            "tensorflow": pinned.tensorflow,
        }
    )
