"""Pin the rules' programs: ask TensorFlow and write its answers into the corpus.

    python -m conformance.pin            ask what is not recorded yet
    python -m conformance.pin --all      ask everything again
    python -m conformance.pin WATCH OG   only these groups
    python -m conformance.pin --lanes    ask nothing, say anew in which lane each program is judged
    python -m conformance.pin --check    ask everything, write nothing, exit with 1 when an answer is no longer given

An answer is rewritten only when it changed, and a file only when one of its answers did. `repin` (`tapecheck replay
tensorflow --repin`) asks another version about the whole corpus and rewrites the answers that leave their bounds or
change their kind: the difference that git shows is the list of what TensorFlow changed.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adapters import Tape, open_tape
from adapters.language import Program
from adapters.observations import Observation
from adapters.program_json import program_id
from conformance import corpus
from conformance.corpus import Pinned
from conformance.judging.compare import compare
from conformance.judging.judge import FAILED, judge
from conformance.judging.lanes import bounds_of
from conformance.rules import all_rules, programs_of


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand-written program and the rules that it shows."""

    id: str
    rules: tuple[str, ...]
    program: Program

    @property
    def group(self) -> str:
        return self.rules[0].partition("-")[0]


def shown() -> tuple[Shown, ...]:
    """All hand-written programs, in the order of the rules; one that shows several rules stands at the first."""
    found: dict[str, Shown] = {}
    for rule in all_rules():
        for program in programs_of(rule):
            id = program_id(program)
            before = found[id].rules if id in found else ()
            if rule.id not in before:
                found[id] = Shown(id, (*before, rule.id), program)
    return tuple(found.values())


def record(programs: tuple[Shown, ...], tape: Tape, known: Mapping[str, Pinned]) -> tuple[Pinned, ...]:
    """The programs with their answers: those in `known` of the same version, or what `tape` says now."""
    version = tape.identity().version
    pinned = []
    for each in programs:
        before = known.get(each.id)
        answers = before.answers if before and before.tensorflow == version else tape.run(each.program)
        pinned.append(made(each.program, answers, version, each.rules))
    return tuple(pinned)


def made(
    program: Program, answers: tuple[Observation, ...], version: str, rules: tuple[str, ...] = (), why: str = ""
) -> Pinned:
    """A pinned program with the lane in which it is judged and its largest bound."""
    known = compare(program, answers, answers, lambda: bounds_of(program))
    finite = known.error_bound is not None and math.isfinite(known.error_bound)
    bound = float(f"{known.error_bound:.3g}") if finite else None
    return Pinned(program_id(program), rules, program, answers, version, known.lane, bound, why)


def relane(folder: Path = corpus.FOLDER) -> tuple[Path, ...]:
    """Say anew in which lane each pinned program is judged, after a change of bounds; the files that changed."""
    found = {
        path: [made(one.program, one.answers, one.tensorflow, one.rules, one.why) for one in corpus.read(path)]
        for path in sorted(folder.glob("*.jsonl"))
    }
    return tuple(path for path, pinned in found.items() if corpus.write(path, pinned))


def repin(tape: Tape, folder: Path = corpus.FOLDER) -> tuple[str, ...]:
    """Ask a tape about every pinned program, and keep of its answers those that differ from what is recorded; the ids.

    Answers within their bounds stay as they are, so that files change where TensorFlow did.
    """
    version, changed = tape.identity().version, []
    for path in sorted(folder.glob("*.jsonl")):
        kept = []
        for each, answers in zip(before := corpus.read(path), tape.run_many(one.program for one in before)):
            if judge(each.program, each.answers, answers).verdict in (*FAILED, "unsupported"):
                changed.append(each.id)
                each = made(each.program, answers, version, each.rules, each.why)
            kept.append(each)
        corpus.write(path, kept)
    return tuple(changed)


def moved(groups: tuple[str, ...], tape: Tape) -> tuple[Pinned, ...]:
    """The pinned programs that `tape` no longer answers as recorded."""
    pinned = [each for group in groups or corpus.groups() for each in corpus.load(group)]
    return tuple(each for each in pinned if repr(tape.run(each.program)) != repr(each.answers))


def pin(groups: tuple[str, ...] = (), everything: bool = False, folder: Path = corpus.FOLDER) -> tuple[Path, ...]:
    """Record the programs of these groups (all when none is named); the files that changed."""
    programs = [each for each in shown() if not groups or each.group in groups]
    changed = []
    with open_tape("tensorflow") as tape:
        for group in dict.fromkeys(each.group for each in programs):
            path = corpus.path_of(group, folder)
            known = {} if everything or not path.exists() else {each.id: each for each in corpus.read(path)}
            pinned = record(tuple(each for each in programs if each.group == group), tape, known)
            if corpus.write(path, pinned):
                changed.append(path)
    return tuple(changed)


def check(groups: tuple[str, ...] = ()) -> int:
    """Compare with TensorFlow as it is; 1 when an answer moved."""
    with open_tape("tensorflow") as tape:
        found = moved(groups, tape)
    for each in found:
        print(f"{each.id} ({', '.join(each.rules)}): answers changed")
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m conformance.pin", description="Record TensorFlow's answers.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help="prefixes such as WATCH; all groups when left out")
    parser.add_argument("--all", action="store_true", help="ask again what is recorded already")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when an answer changed")
    parser.add_argument("--lanes", action="store_true", help="say anew in which lane each program is judged")
    given = parser.parse_args()
    if given.check:
        return check(tuple(given.groups))
    if given.lanes:
        print(f"{len(relane())} files changed")
        return 0
    for path in pin(tuple(given.groups), given.all):
        print(f"{path.name}: answers changed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
