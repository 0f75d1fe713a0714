"""The two tapes of a run, opened once per worker process and closed at its end.

`Session(plan)` gives `.oracle` and `.tape`, opened when first used. When TensorFlow is not installed, the oracle of
generated programs is the reference engine (the report says so), and the corpus is judged by TensorFlow's recorded
answers.
"""

from __future__ import annotations

import importlib.util
import platform
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import Any

import numpy

from adapters import Tape, open_tape
from adapters.backend import Identity
from adapters.language import Program
from adapters.observations import Crashed, Observation, TimedOut
from conformance import corpus
from conformance.capabilities.able import Able, able
from conformance.judging.judge import Judged, judged_same
from conformance.judging.sameness import identical
from conformance.running import expectations
from conformance.running.asked import Asked
from conformance.running.plan import Plan

RECORDED = "recorded"
NOBODY = "nobody"  # no oracle: relations between the tape's own answers
Answers = tuple[Observation, ...]
TIMEOUT = 20.0  # seconds for one program
MOST_HUNG, MOST_DIED = 6, 20  # programs in a row after which a tape is not asked any more


def believed(plan: Plan) -> Plan:
    """The plan with the oracle that can really be had on this machine."""
    if plan.oracle == "tensorflow" and importlib.util.find_spec("tensorflow") is None:
        return plan.with_oracle("reference")
    return plan


class Abandoned(Exception):
    """The tape answers no more; the message says in a sentence why nothing further was asked."""


@dataclass(slots=True)
class Silence:
    """How often in a row a tape's process died or hung."""

    most_hung: int = MOST_HUNG
    most_died: int = MOST_DIED
    hung: int = 0
    died: int = 0

    def note(self, answers: Answers) -> None:
        """Take in the answers to one program."""
        outcomes = [one.outcome for one in answers]
        hung = any(isinstance(one, TimedOut) for one in outcomes)
        died = any(isinstance(one, Crashed) for one in outcomes)
        self.hung = self.hung + 1 if hung else 0 if not died else self.hung
        self.died = self.died + 1 if died else 0 if not hung else self.died

    @property
    def gives_up(self) -> bool:
        """Whether it makes no sense to go on."""
        return self.hung >= self.most_hung or self.died >= self.most_died

    @property
    def sentence(self) -> str:
        """What happened."""
        if self.hung >= self.most_hung:
            what = f"the last {self.hung} programs hung, none was answered in the time that a tape has"
        else:
            what = f"the tape's process died, or wrote what nobody can read, on the last {self.died} programs"
        return f"The run was abandoned: {what}; nothing further was asked."


class Session:
    """Opened tapes. Use as a context manager, or call `close()`. `oracle_settings` are those of `open_tape`."""

    def __init__(self, plan: Plan, **oracle_settings: Any) -> None:
        self.plan = plan
        self._oracle_settings = oracle_settings
        self._open = ExitStack()
        self._silent = Silence()

    @cached_property
    def oracle(self) -> Tape:
        """The tape whose answers are wanted."""
        return self._open.enter_context(open_tape(self.plan.oracle, **self._oracle_settings))

    @cached_property
    def tape(self) -> Tape:
        """The tape under test, in a process of its own unless it is this project's."""
        name = self.plan.implementation
        here = self.plan.in_process or name == "reference"
        return self._open.enter_context(open_tape(name, process=not here, timeout=self.plan.timeout or TIMEOUT))

    def answers(self, programs: Sequence[Program]) -> Iterator[Answers]:
        """The answers of the tape under test, in order. Abandoned when it answers no more."""
        yield from self._heard(programs, self._silent)

    def _heard(self, programs: Sequence[Program], silence: Silence) -> Iterator[Answers]:
        for answers in self.tape.run_many(programs):
            if silence.gives_up:
                raise Abandoned(silence.sentence)
            silence.note(answers)
            yield answers

    @property
    def outgrown(self) -> int:
        """How many processes of the tape under test were replaced because they held too much memory."""
        return getattr(self.tape, "outgrown", 0)

    @cached_property
    def able(self) -> Able:
        """What the tape under test can be asked."""
        claims = self.tape.capabilities()
        try:
            return able(claims, lambda programs: self._heard(programs, Silence(1, 3)), self.plan.implementation)
        except Abandoned:
            return Able(claims)  # what it claims is all that is known of it

    @cached_property
    def expected(self) -> tuple[expectations.Expected, ...]:
        """The deviations that are expected of the tape under test."""
        return expectations.load(self.tape.identity().name, self.plan.expectations)

    def judged(self, asked: Asked, want: Answers, got: Answers, words: Iterable[str]) -> Judged:
        """The verdict on a program. Where an entry expects a rule to deviate, the cause is named by that rule."""
        if asked.lane and want is asked.recorded and identical(want, got):
            return judged_same(asked.program, want, asked.lane, asked.error_bound)
        rules = {entry.rule for entry in self.expected if entry.rule is not None}
        rule = next((one for one in asked.rules if one in rules), None)
        return self.able.judged(asked.program, want, got, words, rule)

    @property
    def live(self) -> bool:
        """Whether there is an oracle to ask; if not, only recorded answers count."""
        return self.plan.oracle not in (RECORDED, NOBODY)

    def wants(self, programs: Sequence[Program], recorded: Sequence[Answers | None]) -> Iterator[Answers]:
        """The wanted answers, in order. A recorded one (TensorFlow's) counts unless TensorFlow itself is asked."""
        if self.plan.oracle == "tensorflow":
            yield from self.oracle.run_many(programs)
            return
        for program, answers in zip(programs, recorded):
            yield self.want(program, answers)

    def want(self, program: Program, recorded: Answers | None = None) -> Answers:
        """The wanted answer to one program."""
        if recorded is not None and self.plan.oracle != "tensorflow":
            return recorded
        return self.oracle.run(program)

    def oracle_identity(self) -> Identity:
        """Who is believed."""
        if self.plan.oracle == NOBODY:
            return Identity("its own answers", "")
        if not self.live:
            return Identity("tensorflow, recorded", corpus.load()[0].tensorflow)
        return self.oracle.identity()

    def environment(self) -> dict[str, str]:
        """What a reader must know about this machine."""
        tested = self.tape.identity().details
        return {
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "system": platform.system(),
            "machine": platform.machine(),
            **{f"implementation: {key}": value for key, value in tested.items()},
        }

    def close(self) -> None:
        """Close whatever was opened. Safe to call twice."""
        self._open.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
