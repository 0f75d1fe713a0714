"""Speak to any gradient tape in one language.

    with open_tape("tensorflow") as tape:
        observations = tape.run(program)

Names: `reference` (the NumPy engine of this project), `tensorflow`, the dotted name of a module shaped like TensorFlow
(`mytape.tf_api`), `package.module:Class` for a class with `Backend`'s methods, `command: ./mytape --serve` for another
program that speaks the protocol of `protocol.py` on its standard input and output, and the names of third parties
(`torch`, `jax`, `tfjs` ...; see `third_party`).

`load(name)` gives the backend itself, in this process. `is_ours` tells this package from others called `adapters`.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from adapters.backend import Backend, Capabilities, Identity, capabilities_of
from adapters.language import Program
from adapters.local import LocalTape
from adapters.observations import Observation
from adapters.process import AdapterError, FailedToStart, ProcessTape, Settings
from adapters.third_party import THIRD_PARTIES, NotInstalled, command_of

__all__ = ["AdapterError", "FailedToStart", "Tape", "is_ours", "load", "open_tape"]

is_ours = True  # other distributions install a package called `adapters` too; none of theirs says this
NAMES = ("reference", "tensorflow")
KNOWN = (*NAMES, *THIRD_PARTIES)
_METHODS = ("identity", "capabilities", "constant", "call", "tape", "gradient", "observe")


class Tape(Protocol):
    """What the suite uses, wherever the implementation runs."""

    def identity(self) -> Identity: ...

    def capabilities(self) -> Capabilities: ...

    def run(self, program: Program, timeout: float | None = None) -> tuple[Observation, ...]: ...

    def run_many(
        self, programs: Iterable[Program], timeout: float | None = None
    ) -> Iterator[tuple[Observation, ...]]: ...

    def close(self) -> None: ...


@contextmanager
def open_tape(name: str, process: bool | None = None, **settings: Any) -> Iterator[Tape]:
    """The tape called `name`, closed at the end of the block. AdapterError, in one sentence, when there is none.

    `process` says whether it runs behind the process protocol (a crash or a hang is then an observation); by default
    TensorFlow and commands do, others run in this process. `settings` are those of `process.Settings`.
    """
    tape = _opened(name, process, settings)
    try:
        yield tape
    finally:
        tape.close()


def _opened(name: str, process: bool | None, settings: dict[str, Any]) -> Tape:
    if name.startswith("command:"):
        return ProcessTape(name, shlex.split(name.removeprefix("command:")), Settings(**settings))
    if name in THIRD_PARTIES:
        try:
            return ProcessTape(name, command_of(name), Settings(**settings))
        except NotInstalled as missing:
            raise AdapterError(str(missing)) from missing
    if process or (process is None and name == "tensorflow"):
        return ProcessTape(name, settings=Settings(**settings))
    return LocalTape(load(name))


def load(name: str) -> Backend:
    """The backend called `name`, in this process. AdapterError, in one sentence, when there is none or it fails."""
    try:
        return _load(name)
    except AdapterError:
        raise
    except ModuleNotFoundError as error:
        raise AdapterError(_not_found(name, error)) from error
    except Exception as error:  # whatever a foreign module raises while it starts
        said = " ".join(str(error).split())
        raise AdapterError(f"the adapter {name!r} failed to start: {type(error).__name__}: {said}") from error


def _load(name: str) -> Backend:
    if name == "reference":
        from adapters.reference import ReferenceBackend

        return ReferenceBackend()
    if name == "tensorflow":
        from adapters.tensorflow import tensorflow_backend

        return tensorflow_backend()
    module_name, colon, attribute = name.partition(":")
    if not all(word.isidentifier() for word in module_name.split(".")):
        raise AdapterError(f"{name!r} is no name of an implementation{_nearest(name)}")
    module = importlib.import_module(module_name)
    if colon:
        return _made(name, module, attribute)
    if not (hasattr(module, "GradientTape") and hasattr(module, "constant")):
        raise AdapterError(
            f"the module {name!r} is not shaped like tensorflow: it has no GradientTape and constant; "
            "an adapter class is named package.module:Class"
        )
    from adapters.tf_shaped import Hooks, TfShaped

    return TfShaped(module, name, _claimed(module), Hooks(foreign=True))


def _claimed(module: Any) -> Capabilities | None:
    """What a module states in its `CAPABILITIES`, if it does."""
    claims = getattr(module, "CAPABILITIES", None)
    if claims is None:
        return None
    try:
        return capabilities_of(claims, f"CAPABILITIES of {module.__name__}")
    except ValueError as error:
        raise AdapterError(str(error)) from error


def _made(name: str, module: Any, attribute: str) -> Backend:
    make = module
    for word in attribute.split("."):
        make = getattr(make, word, None)
        if make is None:
            known = [each for each in vars(module) if not each.startswith("_")]
            raise AdapterError(f"{module.__name__} has no {attribute!r}{_nearest(attribute, known)}")
    backend = make()
    lacking = [method for method in _METHODS if not callable(getattr(backend, method, None))]
    if lacking:
        raise AdapterError(f"{name!r} is no adapter: it has no method {lacking[0]!r} (see adapters/backend.py)")
    return backend


def _not_found(name: str, error: ModuleNotFoundError) -> str:
    missing = error.name or ""
    if name == "tensorflow" and missing.partition(".")[0] == "tensorflow":
        return "TensorFlow is not installed; install the extra tapecheck[tensorflow]"
    if name in NAMES or not name.partition(":")[0].startswith(missing):
        return f"the adapter {name!r} failed to start: there is no module named {missing!r}"
    return f"there is no implementation called {name!r}{_nearest(name)}"


def _nearest(name: str, known: Iterable[str] = KNOWN) -> str:
    near = difflib.get_close_matches(name, list(known), n=2, cutoff=0.5)
    if near:
        return "; did you mean " + " or ".join(near) + "?"
    if set(known) == set(KNOWN):
        return f"; known are {', '.join(KNOWN)}, module names, package.module:Class and command: lines"
    return ""
