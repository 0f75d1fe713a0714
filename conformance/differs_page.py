"""Write `docs/tensorflow-differs.md`: where TensorFlow's gradients are not the derivatives of its own forward.

    python -m conformance.differs_page             write the page from what was recorded
    python -m conformance.differs_page --record    ask TensorFlow and both arbiters again first
    python -m conformance.differs_page --check     exit with 1 when the page is stale

The faults are listed in `blaming/faults.py`; what TensorFlow and the arbiters said of them is kept in
`blaming/faults.json`. Recording fails when a listed fault is not verified by both arbiters.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from adapters import Tape, open_tape
from adapters.observations import Observation
from adapters.program_json import observation_from_json, observation_to_json
from conformance.blaming.examining import Element, Examined, examine
from conformance.blaming.faults import FAULTS, Fault
from conformance.scripting.script import script

FILE = Path(__file__).parent / "blaming" / "faults.json"
PAGE = Path(__file__).parents[1] / "docs" / "tensorflow-differs.md"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one version of TensorFlow answers to the programs of the faults, and what the arbiters say."""

    tensorflow: str
    examined: Mapping[str, Examined]


def recorded(path: Path = FILE) -> Recorded:
    """What was recorded last."""
    plain = json.loads(path.read_text(encoding="utf-8"))
    return Recorded(plain["tensorflow"], {name: _examined(one) for name, one in plain["faults"].items()})


def record(tape: Tape) -> Recorded:
    """Ask the tape and the arbiters about every fault."""
    found = {one.name: examine(one.program, tape.run) for one in FAULTS}
    return Recorded(tape.identity().version, found)


def not_verified(found: Recorded) -> tuple[str, ...]:
    """The faults that some arbiter does not confirm."""
    return tuple(name for name, one in found.examined.items() if not one.verified)


def to_json(found: Recorded) -> str:
    """The record as JSON, a fault a line."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(_plain(one))}" for name, one in found.examined.items())
    return f'{{"tensorflow": {json.dumps(found.tensorflow)}, "faults": {{\n{lines}\n}}}}\n'


def _plain(one: Examined) -> dict[str, Any]:
    answers = [observation_to_json(answer) for answer in one.answers]
    return {"answers": answers, "elements": [asdict(element) for element in one.elements]}


def _examined(plain: Mapping[str, Any]) -> Examined:
    answers: tuple[Observation, ...] = tuple(observation_from_json(one) for one in plain["answers"])
    return Examined(answers, tuple(Element(**one) for one in plain["elements"]))


# ---------------------------------------------------------------- the page


def page(found: Recorded) -> str:
    """The page."""
    lines = [
        "# Where TensorFlow differs from the mathematics",
        "",
        f"{len(FAULTS)} gradients of TensorFlow {found.tensorflow} that are not the derivatives of its own forward. At "
        "each of these points the function is differentiable, so this is no matter of convention, and the engine of "
        "this repository answers as TensorFlow does. Two arbiters that share nothing with any gradient confirm each: "
        "the forward in 120-digit arithmetic, differentiated there (*mathematics*), and central differences of what "
        "TensorFlow itself computes in float64 (*differences*). TensorFlow's answer is the last line of each script.",
        "",
        "Made by `python -m conformance.differs_page`; `--record` asks TensorFlow and the arbiters again.",
        "",
        *(f"- [{one.title}](#{_anchor(one.title)})" for one in FAULTS),
    ]
    for one in FAULTS:
        lines += _section(one, found.examined[one.name])
    return "\n".join(lines) + "\n"


def _anchor(title: str) -> str:
    kept = "".join(c for c in title.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _section(fault: Fault, found: Examined) -> list[str]:
    rows = [
        f"| {k} | {one.given} | {one.mathematics} | {one.differences} | {'wrong' if one.verified else ''} |"
        for k, one in enumerate(found.elements)
    ]
    table = ["| element | TensorFlow | mathematics | differences | |", "|---|---|---|---|---|", *rows]
    program = script(fault.program, found.answers).rstrip("\n")
    return ["", f"## {fault.title}", "", fault.why, "", "```python", program, "```", "", *table]


def stale() -> bool:
    """Whether the page in the repository is not the one that would be made."""
    return not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page(recorded())


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m conformance.differs_page", description="Where TensorFlow is wrong."
    )
    parser.add_argument("--record", action="store_true", help="ask TensorFlow and the arbiters again")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when the page is stale")
    given = parser.parse_args()
    if given.check:
        return int(stale())
    if given.record:
        with open_tape("tensorflow") as tape:
            found = record(tape)
        if missing := not_verified(found):
            print(f"not verified by both arbiters: {', '.join(missing)}")
            return 1
        FILE.write_text(to_json(found), encoding="utf-8")
    PAGE.write_text(page(recorded()), encoding="utf-8")
    print(f"{PAGE}: {len(FAULTS)} faults")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
