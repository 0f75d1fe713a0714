"""Faults in the life of a tape: persistence, reset, stopping, entering again, exceptions."""

from __future__ import annotations

import sys
from typing import Any

from tests.mutants.planting import part, replace
from tests.mutants.registry import mutant


@mutant("A tape that is not persistent answers twice.")
def second_call_is_answered(engine: Any) -> None:
    tape = part(engine, "tapes.tape")
    replace(tape, "Trace", lambda old: lambda persistent, accessed: old(True, accessed))
    tape.GradientTape._finish = lambda self: None


@mutant("A persistent tape is used up by its first gradient.")
def persistent_tape_is_used_up(engine: Any) -> None:
    def finish(self: Any) -> None:
        self.watched_variables()
        self._end()

    part(engine, "tapes.tape").GradientTape._finish = finish


@mutant("reset() keeps what was watched.")
def reset_keeps_watches(engine: Any) -> None:
    def reset(self: Any) -> None:
        self._pop()
        self._tape.records[:] = [None] * len(self._tape.records)
        self._push()

    part(engine, "tapes.tape").GradientTape.reset = reset


@mutant("reset() does nothing but check.")
def reset_forgets_nothing(engine: Any) -> None:
    def reset(self: Any) -> None:
        self._pop()
        self._push()

    part(engine, "tapes.tape").GradientTape.reset = reset


@mutant("Ops inside stop_recording are recorded.")
def stopped_ops_are_recorded(engine: Any) -> None:
    tape = part(engine, "tapes.tape")

    def make(old: Any) -> Any:
        def pop(self: Any) -> None:
            active = self._tape
            old(self)
            if sys._getframe(1).f_code.co_name == "stop_recording":
                tape.push(active)

        return pop

    replace(tape.GradientTape, "_pop", make)


@mutant("A recording goes on after an exception left the block.")
def recording_leaks_after_an_exception(engine: Any) -> None:
    def make(old: Any) -> Any:
        def leave(self: Any, kind: Any, value: Any, traceback: Any) -> None:
            if kind is None:
                old(self, kind, value, traceback)

        return leave

    replace(part(engine, "tapes.tape").GradientTape, "__exit__", make)


@mutant("Entering a tape again starts a new trace.")
def entering_again_forgets(engine: Any) -> None:
    def make(old: Any) -> Any:
        def enter(self: Any) -> Any:
            if self._tape is not None and not self._recording:
                self._end()
            return old(self)

        return enter

    replace(part(engine, "tapes.tape").GradientTape, "__enter__", make)


@mutant("gradient() inside the block of a tape that is not persistent leaves it recording.")
def gradient_inside_keeps_recording(engine: Any) -> None:
    tape = part(engine, "tapes.tape")

    def make(old: Any) -> Any:
        def gradient(self: Any, *args: Any, **kwargs: Any) -> Any:
            was = self._recording
            result = old(self, *args, **kwargs)
            if was and not self._recording:
                self._push()
            return result

        return gradient

    replace(tape.GradientTape, "gradient", make)


@mutant("An active tape may be entered again.")
def reentry_of_an_active_tape_is_allowed(engine: Any) -> None:
    def make(old: Any) -> Any:
        def enter(self: Any) -> Any:
            return self if self._recording else old(self)

        return enter

    replace(part(engine, "tapes.tape").GradientTape, "__enter__", make)
