"""Does a process keep to the protocol (docs/protocol.md)? `faults(name)` speaks to it directly, line by line.

`name` is any implementation: one that is not a command of its own is served by `python -m adapters.serve`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from adapters import THIRD_PARTIES, AdapterError
from adapters import language as lang
from adapters.arrays import array_of
from adapters.child import Child, Gone, Silent, TooLong
from adapters.json_values import ProgramError
from adapters.language import Program, Ref
from adapters.program_json import dumps, id_of_text
from adapters.protocol import as_dict, read_greeting, read_observations, request
from adapters.third_party import command_of

SECONDS = 60.0
_GOOD = Program((lang.Constant(array_of([1.0, -0.0])), lang.Call("no.such_op", (Ref(0),))))


def faults(name: str) -> Iterator[tuple[str, str]]:
    """Each check's name and what is wrong, "" for nothing. After one that ends the talk there are no others."""
    child = Child(_command(name), ours=_command(name)[0] == sys.executable)
    try:
        for title, check in CHECKS:
            try:
                fault = check(child)
            except Gone as gone:
                fault = f"the process ended: {gone}"
            except Silent:
                fault = f"no line came within {SECONDS:g} s"
            except TooLong:
                fault = "a line has no end"
            except (ProgramError, ValueError) as error:
                fault = str(error)
            yield title, fault
            if fault:
                return
    finally:
        child.end()


def _command(name: str) -> list[str]:
    import shlex

    if name.startswith("command:"):
        return shlex.split(name.removeprefix("command:"))
    if name in THIRD_PARTIES:
        return command_of(name)
    return [sys.executable, "-m", "adapters.serve", name]


def _line(child: Child) -> dict[str, Any]:
    return as_dict(json.loads(child.receive(time.monotonic() + SECONDS)))


def _ask(child: Child, program: Program, trace: bool = False) -> str:
    text = dumps(program)
    child.send(request(id_of_text(text), text, trace))
    return id_of_text(text)


def _greets(child: Child) -> str:
    greeting = _line(child)
    if "error" in greeting:
        raise AdapterError(f"it does not start: {greeting['error']}")
    read_greeting(greeting)
    return ""


def _answers(child: Child) -> str:
    name = _ask(child, _GOOD)
    said = _line(child)
    if said.get("id") != name:
        return f"the answer to {name} names the program {said.get('id')!r}"
    first, second = read_observations(said, len(_GOOD.steps))
    return "" if first.outcome is not None and second.outcome is not None else "an observation is empty"


def _keeps_the_order(child: Child) -> str:
    names = [_ask(child, Program((lang.Constant(array_of(float(number))),))) for number in range(20)]
    got = [_line(child).get("id") for _ in names]
    return "" if got == names else "programs in flight are not answered in the order asked"


def _refuses(child: Child) -> str:
    for what, line in (
        ("a line that is not JSON", "{this is not JSON"),
        ("a step of an unknown kind", '{"id":"a1","program":{"version":1,"steps":[{"do":"levitate"}]}}'),
        ("a program of a newer version", '{"id":"a2","program":{"version":999,"steps":[]}}'),
    ):
        child.send(line)
        said = _line(child)
        seen = said.get("observations")
        unsupported = isinstance(seen, list) and all(one.get("saw") == "unsupported" for one in seen)
        if "error" not in said and not (unsupported and "levitate" in line):
            return f"{what} must be answered with an error, not with {json.dumps(said)[:100]}"
    return ""


def _traces(child: Child) -> str:
    """Lines that tell steps one by one may come before the answer; the answer comes all the same."""
    name = _ask(child, _GOOD, trace=True)
    steps = []
    while "observations" not in (said := _line(child)):
        if said.get("id") != name or "step" not in said:
            return f"between request and answer came {json.dumps(said)[:100]}"
        steps.append(said["step"])
    if steps and steps != list(range(len(_GOOD.steps))):
        return f"the steps told one by one are {steps}"
    read_observations(said, len(_GOOD.steps))
    return ""


def _ends(child: Child) -> str:
    """A process ends when its input does."""
    assert child.process.stdin
    child.process.stdin.close()
    deadline = time.monotonic() + 10
    while child.process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    return "" if child.process.poll() is not None else "it goes on although its input is closed"


CHECKS: tuple[tuple[str, Callable[[Child], str]], ...] = (
    ("the greeting", _greets),
    ("an answer", _answers),
    ("answers in the order asked", _keeps_the_order),
    ("refusing what is no program", _refuses),
    ("telling steps one by one", _traces),
    ("ending with its input", _ends),
)
