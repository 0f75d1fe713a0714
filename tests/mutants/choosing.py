"""Choose programs for the corpus: `python -m tests.mutants.choosing` writes `corpus/chosen.jsonl`.

Generated programs, smallest first: one is kept when it covers something that no smaller pinned program does, an op on
a dtype and rank or an op together with something that is done or answered, and when it is the first that shows a
planted fault which nothing pinned shows. Each says what it was chosen for. Which faults those are is read from the
kill matrix that was written last.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from adapters import open_tape
from adapters.language import Program
from adapters.observations import Observation
from adapters.program_json import program_id
from conformance import corpus, pin
from conformance.capabilities.needs import words_of
from conformance.generating.features import ops_of
from conformance.meaning.cells import called
from conformance.running.plan import DEFAULT_SEED, PROFILES
from tests.mutants import matrix
from tests.mutants.answers import Question, generated

MOST_STEPS = 12
PATH = corpus.path_of("chosen")


def covers(program: Program, want: Sequence[Observation]) -> frozenset[str]:
    """What a program covers, as text: `math.sin float32 rank 2`, `math.sin with nesting`."""
    cells = {f"{op} {dtype} rank {rank}" for op, dtype, rank in called(program, want)}
    words = words_of(program, want)
    return frozenset(cells | {f"{op} with {word}" for op in ops_of(program) for word in words})


def choose(questions: Iterable[Question], known: Iterable[corpus.Pinned]) -> Iterator[tuple[Question, str]]:
    """The programs that cover something new, smallest first, and what."""
    covered = {key for one in known for key in covers(one.program, one.answers)}
    for question in sorted(questions, key=lambda one: (len(one.program.steps), program_id(one.program))):
        new = covers(question.program, question.want) - covered
        if new:
            yield question, f"covers {min(new)}"
            covered |= new


def unshown() -> dict[int, str]:
    """The generated programs, by number, that show a fault first which nothing pinned shows, by the stored matrix."""
    rows = matrix.load().rows if matrix.FILE.exists() else ()
    return {row.after: row.name for row in rows if row.after is not None and not row.corpus and not matrix.fresh(row)}


def parser() -> argparse.ArgumentParser:
    """The command's grammar."""
    made = argparse.ArgumentParser(prog="python -m tests.mutants.choosing")
    made.add_argument("--programs", type=int, default=PROFILES["default"])
    made.add_argument("--seed", type=int, default=DEFAULT_SEED)
    made.add_argument("--answers", type=Path, help="keep TensorFlow's answers in this file, or take them from it")
    return made


def main(arguments: Sequence[str]) -> int:
    asked = parser().parse_args(arguments)
    drawn = generated(asked.programs, asked.seed, asked.answers)
    small = [one for one in drawn if len(one.program.steps) <= MOST_STEPS]
    why = {one.number: text for one, text in choose(small, corpus.of_rules())}
    why |= {number: f"shows {name}" for number, name in unshown().items() if number not in why}
    with open_tape("tensorflow") as tape:
        version = tape.identity().version
    by_number = {one.number: one for one in drawn}
    chosen = [pin.made(by_number[n].program, by_number[n].want, version, why=text) for n, text in sorted(why.items())]
    sure = [one for one in chosen if one.lane != "ill-conditioned"]
    corpus.write(PATH, sorted(sure, key=lambda one: (len(one.program.steps), one.id)))
    print(f"{len(sure)} programs chosen; {len(sure) + len(corpus.of_rules())} are pinned")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
