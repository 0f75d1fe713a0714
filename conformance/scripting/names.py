"""Readable names for what steps make: x, a, b for constants, y, z for results, tape or outer and inner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from adapters import language as lang

_CONSTANTS = ("x", "a", "b", "c", "d", "e")
_VARIABLES = ("v", "w", "u")
_RESULTS = ("y", "z", "p", "q", "r", "s")
_GRADIENTS = ("g", "h")
_LEVELS = {2: ("outer", "inner"), 3: ("outer", "middle", "inner")}  # names of nested tapes


class Names:
    """Gives each step of a program, thread or body a name that no other has."""

    def __init__(self) -> None:
        self._used: set[str] = {"tf", "np", "e", "f"}

    def fresh(self, wished: Sequence[str]) -> str:
        """The first wished name that is free, or the last wished one with a number."""
        for name in chain(wished, _numbered(wished[0])):
            if name not in self._used:
                self._used.add(name)
                return name
        raise AssertionError("numbers do not run out")

    def of_steps(self, steps: Sequence[lang.Step]) -> list[str]:
        """One name per step."""
        tapes = [at for at, step in enumerate(steps) if isinstance(step, lang.MakeTape)]
        levels = _LEVELS.get(len(tapes), ())
        nested = all(_inside(steps, one, other) for one, other in pairwise(tapes))
        places = dict(zip(tapes, levels)) if nested else {}
        names = [self.fresh((places[at],) if at in places else _wishes(step)) for at, step in enumerate(steps)]
        return names


def _numbered(stem: str) -> Iterator[str]:
    number = 2
    while True:
        yield f"{stem}{number}"
        number += 1


def _inside(steps: Sequence[lang.Step], outer: int, inner: int) -> bool:
    """Whether the second tape is entered while the first is."""
    open_tapes: set[int] = set()
    for step in steps:
        match step:
            case lang.Enter(lang.Ref(context)):
                if context == inner and outer in open_tapes:
                    return True
                open_tapes.add(context)
            case lang.Exit(lang.Ref(context)):
                open_tapes.discard(context)
    return False


def _wishes(step: lang.Step) -> Sequence[str]:
    match step:
        case lang.Constant():
            return _CONSTANTS
        case lang.MakeVariable():
            return _VARIABLES
        case lang.Gradient():
            return _GRADIENTS
        case lang.Jacobian():
            return ("jacobian",)
        case lang.MakeTape():
            return ("tape",)
        case lang.StopRecording():
            return ("pause",)
        case lang.MakeAccumulator():
            return ("accumulator",)
        case lang.Jvp():
            return ("jvp",)
        case lang.InThread():
            return ("in_thread",)
        case lang.Slices():
            return ("slices",)
        case lang.Ragged():
            return ("ragged",)
        case lang.Same() | lang.AliveAfterDelete() | lang.ReadAgain() | lang.WatchedVariables():
            return ("seen",)
        case lang.Call() | lang.Invoke() | lang.Assign():
            return _RESULTS
    return ("done",)
