"""A tape in another process: `ProcessTape(name)` speaks the protocol of `protocol.py` to a child and keeps it alive.

Death, a hang, garbage and an answer without end are observations, and the child is started anew. Several programs are
kept in flight, so that the parent and the child work at the same time; each program's id is written to the journal
before it is sent. A child is replaced after a number of programs or when it has grown too large.
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from adapters.backend import Capabilities, Identity
from adapters.child import Child, Gone, Silent, TooLong
from adapters.json_values import Json, ProgramError
from adapters.language import Program
from adapters.observations import Crashed, Observation, Outcome, TimedOut, Unsupported
from adapters.program_json import dumps, id_of_text, observation_from_json
from adapters.protocol import KERNELS, as_dict, read_gradients, read_greeting, read_kernels, read_observations, request

_QUOTED = 60  # characters of what nobody can read that a report shows
_MEMORY_EVERY = 100  # programs between two looks at the child's size
# Like `-m adapters.serve`, but the current folder comes last: it may hold another package called adapters.
_SERVE = (
    "import sys; sys.path.sort(key=lambda path: not path); "
    "from adapters.serve import main; raise SystemExit(main(sys.argv[1:]))"
)


class AdapterError(Exception):
    """There is no such implementation, or it does not start. The message is one sentence."""


class FailedToStart(AdapterError):
    """Its process died, hung or wrote garbage instead of greeting: a fault that deserves a report."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits of a process: seconds per program and for the start, programs in flight, when to start anew.

    gradients: ask which registered gradient functions were called (`ProcessTape.called`).
    """

    timeout: float = 60.0
    start_timeout: float = 300.0
    window: int = 32
    restart_after: int = 5000
    most_memory: int = 2 << 30
    longest_answer: int = 64 << 20
    journal: Path | None = None
    gradients: bool = False


@dataclass(slots=True, eq=False)
class _Asked:
    """A program that was sent."""

    name: str
    text: str
    steps: int
    seconds: float
    answer: tuple[Observation, ...] | None = None
    called: frozenset[str] = frozenset()


class _Failure(Exception):
    """Why there is no answer to the program at the head of the line."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


@dataclass(slots=True)
class _Count:
    sent: int = 0
    answered: int = 0
    too_large: bool = False


@dataclass(slots=True)
class ProcessTape:
    """See the module docstring. `command` defaults to this Python serving `name`.

    called: the kernels whose gradient function ran in the program answered last, where the settings ask for them.
    outgrown: how many processes were replaced because they held too much memory.
    """

    name: str
    command: list[str] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    _in_flight: deque[_Asked] = field(default_factory=deque)
    _count: _Count = field(default_factory=_Count)
    _since: float = 0.0  # when the program at the head of the line got there
    _child: Child | None = None
    _standby: Child | None = None  # the next child, starting while this one still works
    _who: tuple[Identity, Capabilities] | None = None
    called: frozenset[str] = frozenset()
    outgrown: int = 0

    def __post_init__(self) -> None:
        self.command = self.command or [sys.executable, "-c", _SERVE, self.name]
        self._start()

    def identity(self) -> Identity:
        assert self._who
        return self._who[0]

    def capabilities(self) -> Capabilities:
        assert self._who
        return self._who[1]

    def run(self, program: Program, timeout: float | None = None) -> tuple[Observation, ...]:
        """One observation per step; what a dead or silent process did not answer is `Crashed` or `TimedOut`."""
        return self._answer(self._ask(program, timeout))

    def run_many(self, programs: Iterable[Program], timeout: float | None = None) -> Iterator[tuple[Observation, ...]]:
        """The observations of each program, in order, up to `window` programs ahead of the one asked for.

        `run` may be called between two of them.
        """
        waiting: deque[_Asked] = deque()
        try:
            for program in programs:
                waiting.append(self._ask(program, timeout))
                if len(waiting) >= self.settings.window:
                    yield self._answer(waiting.popleft())
            while waiting:
                yield self._answer(waiting.popleft())
        finally:
            for asked in waiting:  # the caller stopped early: these answers still come, nobody reads them
                asked.answer = asked.answer or ()

    def kernels(self) -> dict[str, str]:
        """Every kernel with a gradient function there, and why it cannot run ("" where it can).

        AdapterError where the implementation has no such registry. Not while programs are in flight.
        """
        if self._child is None or self._in_flight:
            raise AdapterError(f"the process of {self.name!r} is closed, or at work")
        self._child.send(KERNELS)
        try:
            return read_kernels(as_dict(json.loads(self._child.receive(time.monotonic() + self.settings.timeout))))
        except (Gone, Silent, TooLong, ValueError) as failure:
            raise AdapterError(f"{self.name!r} names no kernels: {failure}") from failure

    def close(self) -> None:
        """End the process. Safe to call twice."""
        for child in (self._child, self._standby):
            if child:
                child.end()
        self._child = self._standby = None
        self._in_flight.clear()

    # ------------------------------------------------------------ starting

    def _start(self) -> None:
        child = self._standby or self._popen()
        self._child, self._standby, self._count = child, None, _Count()
        try:
            line = child.receive(time.monotonic() + self.settings.start_timeout)
            greeted = json.loads(line)
            who = read_greeting(greeted)
        except Silent:
            self._refuse(f"it did not greet within {self.settings.start_timeout:g} s")
        except (Gone, TooLong) as gone:
            said = child.complaints()
            self._refuse(f"{gone or 'its first line has no end'}{': ' + said if said else ''}")
        except ProgramError as fault:
            self._refuse(str(fault), AdapterError)
        except ValueError:
            self._refuse(f"its first line is not JSON: {_quoted(line)}")
        else:
            self._who = self._who or who

    def _popen(self) -> Child:
        try:
            return Child(self.command, self.settings.longest_answer, ours=self.command[0] == sys.executable)
        except OSError as error:
            raise AdapterError(f"the adapter {self.name!r} failed to start: {error}") from error

    def _refuse(self, why: str, kind: type[AdapterError] = FailedToStart) -> None:
        assert self._child
        self._child.kill()
        self._child.end()
        self._child = None
        raise kind(f"the adapter {self.name!r} failed to start: {why}")

    def _restart(self) -> None:
        if self._child:
            self._child.end()
        self._start()

    # ------------------------------------------------------------ asking and answering

    def _ask(self, program: Program, timeout: float | None) -> _Asked:
        text = dumps(program)
        asked = _Asked(id_of_text(text), text, len(program.steps), timeout or self.settings.timeout)
        if self._count.sent >= self.settings.restart_after or self._count.too_large:
            while self._in_flight:
                self._settle()
            self.outgrown += self._count.too_large
            self._restart()
        self._send(asked)
        return asked

    def _send(self, asked: _Asked, trace: bool = False) -> None:
        if self._child is None:
            raise AdapterError(f"the process of {self.name!r} is closed")
        if self.settings.journal:
            with open(self.settings.journal, "a", encoding="ascii") as journal:
                journal.write(asked.name + "\n")
        if not self._in_flight:
            self._since = time.monotonic()
        self._in_flight.append(asked)
        self._child.send(request(asked.name, asked.text, trace, self.settings.gradients))
        self._count.sent += 1
        if self._standby is None and self._count.sent == self.settings.restart_after * 9 // 10:
            self._standby = self._popen()

    def _answer(self, asked: _Asked) -> tuple[Observation, ...]:
        while asked.answer is None:
            self._settle()
        self.called = asked.called
        return asked.answer

    def _settle(self) -> None:
        """Get the answer to the program at the head of the line, whatever it takes."""
        asked = self._in_flight[0]
        try:
            said = self._receive(asked)
            answer = _observations(said, asked.steps)
            asked.called = _called(said)
        except _Failure as failure:
            self._recover(failure)
            return
        self._settled(asked, answer)
        if said.get("last") is True:
            waiting, self._in_flight = list(self._in_flight), deque()
            self._restart()
            self._resend(waiting)

    def _settled(self, asked: _Asked, answer: tuple[Observation, ...]) -> None:
        if asked.answer is None:
            asked.answer = answer
        self._in_flight.popleft()
        self._since = time.monotonic()
        self._count.answered += 1
        if self._count.answered % _MEMORY_EVERY == 0:
            assert self._child
            self._count.too_large = self._child.memory() > self.settings.most_memory

    def _receive(self, asked: _Asked) -> dict[str, Json]:
        """The next object the child writes about `asked`."""
        assert self._child
        try:
            line = self._child.receive(self._since + asked.seconds)
            said = as_dict(json.loads(line))
        except Gone as gone:
            raise _Failure(Crashed(str(gone))) from gone
        except Silent:
            raise _Failure(TimedOut(asked.seconds)) from None
        except TooLong:
            raise _Failure(Crashed(f"the answer is longer than {_size(self.settings.longest_answer)}")) from None
        except (ValueError, RecursionError):
            raise _Failure(Crashed(f"the answer is not a JSON object: {_quoted(line)}")) from None
        if said.get("id") != asked.name:
            raise _Failure(Crashed("the answer is to another program"))
        return said

    # ------------------------------------------------------------ after a death

    def _resend(self, waiting: list[_Asked]) -> None:
        """Ask the new child what the old one did not answer."""
        for asked in waiting:
            self._send(asked)

    def _recover(self, failure: _Failure) -> None:
        """Run the program that failed once more, alone and step by step, to learn which step it is."""
        assert self._child
        self._child.kill()
        waiting, self._in_flight = list(self._in_flight), deque()
        asked = waiting.pop(0)
        self._restart()
        if asked.answer is None:
            asked.answer = self._traced(asked, failure)
        self._resend(waiting)

    def _traced(self, asked: _Asked, failure: _Failure) -> tuple[Observation, ...]:
        seen: list[Observation] = []
        self._send(asked, trace=True)
        try:
            while "observations" not in (said := self._receive(asked)) and "error" not in said:
                seen.append(_traced_step(said, len(seen), failure))
            self._in_flight.clear()
            seen.clear()  # it survived alone: nothing says which step it was
        except _Failure as again:
            failure = again
            assert self._child
            self._child.kill()
            self._in_flight.clear()
            self._restart()
        return tuple(seen[: asked.steps]) + (Observation(failure.outcome),) * (asked.steps - len(seen[: asked.steps]))


def _quoted(line: bytes) -> str:
    """The beginning of what a process wrote, as one can read it."""
    text = line[:_QUOTED].decode("utf-8", "replace")
    return repr(text)[:-1] + ("..." if len(line) > _QUOTED else "") + repr(text)[-1]


def _size(count: int) -> str:
    """A number of bytes as one says it: `64 MB`."""
    return f"{count >> 20:,} MB" if count >= 1 << 20 else f"{count:,} bytes"


def _observations(said: dict[str, Json], steps: int) -> tuple[Observation, ...]:
    if "error" in said:
        return (Observation(Unsupported(f"it refused the program: {said['error']}")),) * steps
    try:
        return read_observations(said, steps)
    except ProgramError as fault:
        raise _Failure(Crashed(f"the answer is garbage: {fault}")) from fault


def _called(said: dict[str, Json]) -> frozenset[str]:
    try:
        return read_gradients(said)
    except ProgramError as fault:
        raise _Failure(Crashed(f"the answer is garbage: {fault}")) from fault


def _traced_step(said: dict[str, Json], expected: int, failure: _Failure) -> Observation:
    """The observation of the next step; the failure to be explained when this line does not tell it."""
    try:
        if said.get("step") == expected:
            return observation_from_json(said.get("observation"))
    except ProgramError as fault:
        raise failure from fault
    raise failure
