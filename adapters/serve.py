"""Serve an implementation behind the process protocol: `python -m adapters.serve NAME`.

Reads programs from standard input and writes their observations to standard output, one JSON object a line, as
`protocol.py` describes. What the implementation itself prints goes to standard error, and it finds its standard input
empty, so neither can disturb the protocol.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import BinaryIO

from adapters import AdapterError, load
from adapters.backend import Backend
from adapters.interpreter import run
from adapters.json_values import Json, ProgramError
from adapters.noted_gradients import NotedGradients
from adapters.observations import Observation
from adapters.program_json import from_json, observation_to_json
from adapters.protocol import PROTOCOL_VERSION, answer, as_dict, error_text, greeting

Write = Callable[[Json], None]


def main(arguments: list[str]) -> int:
    """Serve until the input ends; the exit status is 1 when the implementation does not start."""
    if len(arguments) != 1:
        print("usage: python -m adapters.serve NAME", file=sys.stderr)
        return 2
    asked, answers = _own_pipes()

    def write(data: Json) -> None:
        answers.write(json.dumps(data, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n")
        answers.flush()

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when this process ends
    try:
        backend = load(arguments[0])
        write(greeting(backend.identity(), backend.capabilities()))
    except AdapterError as error:
        write({"protocol": PROTOCOL_VERSION, "error": str(error)})
        return 1
    gc.collect()
    gc.freeze()  # what an implementation loads at its start is not garbage; collections need not look at it
    for line in asked:
        if not serve_one(line, backend, write):
            return 0
    return 0


def serve_one(line: bytes, backend: Backend, write: Write) -> bool:
    """Answer one line; whether this process may serve another."""
    name = ""
    try:
        data = as_dict(json.loads(line))
        name = str(data.get("id"))
        if data.get("kernels") is True:
            write({"id": name, "kernels": _registry(backend).kernels()})
            return True
        program = from_json(data.get("program"))
    except (ProgramError, ValueError, RecursionError) as error:
        write({"id": name, "error": error_text(error)})
        return True
    seen: list[Observation] = []

    def see(step: int, observation: Observation) -> None:
        seen.append(observation)
        if data.get("trace") is True:
            write({"id": name, "step": step, "observation": observation_to_json(observation)})

    noting = data.get("gradients") is True and getattr(backend, "gradients", None) is not None
    if noting:
        _registry(backend).note()
    try:
        run(program, backend, see)
    except Exception:
        if len(seen) < len(program.steps):
            raise  # the adapter's own fault: the parent sees this process end
        # The program was seen to its end, but could not be cleared away: the next one gets a new process.
        write(answer(name, tuple(seen), last=True))
        return False
    write(answer(name, tuple(seen), gradients=_registry(backend).called() if noting else ()))
    return True


def _registry(backend: Backend) -> NotedGradients:
    found = getattr(backend, "gradients", None)
    if found is None:
        raise ProgramError("it has no registry of gradient functions that can be asked")
    return found


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The protocol's input and output, out of the reach of what the implementation reads and prints."""
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return asked, answers


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
