"""Processes that do not keep to the protocol: `python tests/running/bad_processes.py NAME`.

They import next to nothing, so that starting them again and again costs little.
"""

from __future__ import annotations

import json
import os
import sys
import time

_GREETING = {"protocol": 1, "language": 1, "identity": {"name": "process", "version": "1"}, "capabilities": {}}


def _greet() -> None:
    print(json.dumps(_GREETING), flush=True)


def dies_at_start() -> None:
    """Says a word on standard error and is gone."""
    print("no licence file was found", file=sys.stderr)
    raise SystemExit(3)


def garbage_at_start() -> None:
    """Greets in its own way."""
    print("Welcome to MyTape 3!", flush=True)
    sys.stdin.read()


def hangs() -> None:
    """Greets, and is silent for ever."""
    _greet()
    for _ in sys.stdin:
        time.sleep(3600)


def prints_garbage() -> None:
    """Answers what nobody can read."""
    _greet()
    for _ in sys.stdin:
        print("Segmentation fault? \x00\x01 {]", flush=True)


def answers_without_end() -> None:
    """Answers one line of a gigabyte."""
    _greet()
    for _ in sys.stdin:
        try:
            for _ in range(1024):
                sys.stdout.write("x" * (1 << 20))
        except BrokenPipeError:
            os._exit(1)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
