"""Names of devices, read as far as TensorFlow reads them: a word that means nothing is refused."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidArgumentError

_KINDS = ("CPU", "GPU", "TPU", "TPU_SYSTEM", "TPU_HOST", "XLA_CPU", "XLA_GPU")
_NUMBERED = ("replica", "task")


def checked_device(name: Any) -> None:
    """ValueError for what is no name of a device; InvalidArgumentError for a job or task that is not this process.

    None, functions and names of devices that there are not are taken: what runs there runs on the CPU.
    """
    if name is None or callable(name):
        return
    if not isinstance(name, str):
        raise ValueError(f"Expecting a string device name. Got {type(name)}({name})")
    job, task = "localhost", 0
    for part in (p for p in name.split("/") if p):
        word, *rest = part.split(":")
        if word == "job" and len(rest) == 1:
            job = rest[0]
        elif word in _NUMBERED and len(rest) == 1:
            task = int(rest[0]) if word == "task" else task
        elif word == "device" and len(rest) == 2 and rest[1]:
            _number(rest[1])
        elif word.upper() in _KINDS[:4] and len(rest) < 2:
            _number(rest[0] if rest else "*")
        else:
            raise ValueError(f"Unknown attribute '{word}' is encountered while parsing the device spec: '{name}'.")
    if job != "localhost" or task:
        raise InvalidArgumentError(None, None, f"/job:{job}/replica:0/task:{task}/device:CPU:0 unknown device.")


def _number(text: str) -> None:
    if text != "*":
        int(text)
