"""Find a fault for each rule: `python -m tests.mutants.search [RULE ...]` writes `rules.json`.

A rule's fault is one small change of the engine after which a pinned program of the rule no longer answers as
TensorFlow. Candidates are changes on lines that the rule's programs run; lines that generated programs run too come
first, then those that the fewest pinned programs run, so that a fault breaks its rule and little else. Rules that have
a fault which still breaks them keep it, unless they are named: an engine or a program that was edited since may have
left the place and taken the effect.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from adapters.local import LocalTape
from conformance.generating import sources
from conformance.generating.choices import QUOTAS
from conformance.running.plan import DEFAULT_SEED
from tests.mutants import per_rule
from tests.mutants.answers import Question, healthy_tape, pinned
from tests.mutants.changing import changes_in
from tests.mutants.hunting import Suspect, backend_of, reaching
from tests.mutants.planting import Edit, modules, snapshot, source_of
from tests.mutants.registry import Mutant
from tests.mutants.swapping import Spare, prepared
from tests.mutants.workers import each_apart

TRIED = 600  # changes per rule
GENERATED = 2_000  # programs whose lines come first
_LEFT_ALONE = ("__init__", "printing", "signatures")

Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A rule, its programs, and the changes to try, most telling first."""

    rule: str
    questions: tuple[Question, ...]
    edits: tuple[Edit, ...]


def main(names: Sequence[str]) -> int:
    """Find what is missing; say for which rules nothing was found."""
    questions = pinned()
    kept = _kept(names, questions)
    asked = sorted({rule for one in questions for rule in one.asked.rules if not names or rule in names} - set(kept))
    wanted = list(_wanted(asked, questions))
    prepared(edit for one in wanted for edit in one.edits[:1])
    used = set(kept.values())
    found = dict(kept)
    for rule, edit in each_apart(lambda one: (one.rule, _first(one, used)), wanted, lambda one: (one.rule, None)):
        if edit is not None and edit not in used:
            found[rule] = edit
            used.add(edit)
    per_rule.write(found)
    missing = [rule for rule in asked if rule not in found]
    print(f"{len(found)} rules have a fault; none was found for {len(missing)}: {', '.join(missing)}")
    return 0


def _kept(names: Sequence[str], questions: Sequence[Question]) -> dict[str, Edit]:
    """The faults of the file that their rule's programs still show."""
    stored = {rule: one for rule, one in per_rule.stored().items() if rule not in names}
    own = {rule: tuple(one for one in questions if rule in one.asked.rules) for rule in stored}
    spare = Spare()
    prepared(edit for one in stored.values() for edit in one.edits)
    shown = each_apart(
        lambda rule: (rule, breaks(stored[rule], own[rule], spare)), list(stored), lambda rule: (rule, True)
    )
    return {rule: stored[rule].edits[0] for rule, still in shown if still}


def breaks(one: Mutant, questions: Sequence[Question], spare: Spare | None = None) -> bool:
    """Whether any of the questions shows a fault. spare: an engine that this process may spoil."""
    try:
        asked = reaching(one, questions)
        suspect = Suspect(LocalTape(backend_of(one, spare))) if asked else None
    except Exception:  # no place any more, or an engine that does not start: that says nothing of the rule
        return False
    return suspect is not None and any(suspect.fails(question) is not None for question in asked)


def _first(wanted: Wanted, used: Iterable[Edit]) -> Edit | None:
    """The first change that a program of the rule shows."""
    spare = Spare()
    for edit in wanted.edits:
        one = per_rule.made(wanted.rule, edit)
        # What an earlier change left in the spare engine's caches may show too: a copy of its own decides.
        if edit not in used and breaks(one, wanted.questions, spare) and breaks(one, wanted.questions):
            return edit
        spare.restore()
    return None


def _wanted(rules: Sequence[str], questions: Sequence[Question]) -> Iterator[Wanted]:
    lines = {one.number: lines_of(one.program) for one in questions}
    often = Counter(line for found in lines.values() for line in found)
    common = _lines_of_generated() if rules else frozenset()
    for rule in rules:
        own = tuple(one for one in questions if rule in one.asked.rules)
        run = {line for one in own for line in lines[one.number]}
        ranked = sorted(run & _changes().keys(), key=lambda line: (line not in common, often[line], line))
        yield Wanted(rule, own, tuple(_alternately([_changes()[line] for line in ranked])[:TRIED]))


def _alternately(groups: Sequence[Sequence[Edit]]) -> list[Edit]:
    """Two changes of the best line, two of the next ..., then the rest."""
    first = [edit for group in groups for edit in group[:2]]
    return first + [edit for group in groups for edit in group[2:]]


@cache
def _changes() -> dict[Line, list[Edit]]:
    """Every change of the engine, by the line it stands on."""
    found: dict[Line, list[Edit]] = {}
    for module in modules():
        if module.rpartition(".")[2] in _LEFT_ALONE:
            continue
        text = source_of(module)
        for change in changes_in(text, refusals=True):
            found.setdefault((module, change.line), []).append(change.edit(module, text))
    return found


def _lines_of_generated() -> frozenset[Line]:
    drawn = sources.seeded(DEFAULT_SEED, 0, GENERATED, quotas=QUOTAS)
    return frozenset(line for _, program in drawn for line in lines_of(program))


# ---------------------------------------------------------------- which lines run


@cache
def _tape() -> LocalTape:
    return healthy_tape()


def lines_of(program: Any) -> frozenset[Line]:
    """The lines of the engine that run when a program does."""
    seen: set[tuple[str, int]] = set()
    root = str(snapshot())

    def local(frame: Any, event: str, _: Any) -> Any:
        seen.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    def entered(frame: Any, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(root):
            return None
        seen.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    threading.settrace(entered)
    sys.settrace(entered)
    try:
        _tape().run(program)
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
    return frozenset((_module(file), line) for file, line in seen)


@cache
def _module(file: str) -> str:
    words = file.removeprefix(str(snapshot())).strip("/").removesuffix(".py").split("/")
    return ".".join(words[:-1] if len(words) > 1 and words[-1] == "__init__" else words)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
