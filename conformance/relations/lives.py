"""Relations between two lives of a tape: a program is written twice, with a change that must not show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from adapters import language as lang
from adapters.language import Program, Py, Ref
from adapters.observations import Nest, Observation, Raised, Skipped, Unsupported, Variable
from conformance.relations.related import Related
from conformance.shrinking.rewrite import change_refs

Answers = Sequence[Observation]
_ABOUT_LIFE = (lang.Same, lang.AliveAfterDelete, lang.InThread, lang.StopRecording, lang.Reset, lang.WatchedVariables)


def persistent_is_not(program: Program, answers: Answers) -> Related | None:
    """A persistent tape gives the gradient that a tape for one gradient gives."""
    tapes = {at: step for at, step in enumerate(program.steps) if isinstance(step, lang.MakeTape)}
    if not _plain(program, answers) or any(not _asked_once_outside(program, at) for at in tapes):
        return None
    if lang.MakeTape(Py(False)) not in tapes.values():
        return None
    return _twice(program, answers, {at: replace(step, persistent=Py(True)) for at, step in tapes.items()})


def watch_order(program: Program, answers: Answers) -> Related | None:
    """The order of watches does not matter."""
    if not _plain(program, answers):
        return None
    for at in range(len(program.steps) - 1):
        first, second = program.steps[at : at + 2]
        if isinstance(first, lang.Watch) and isinstance(second, lang.Watch) and first.tape == second.tape:
            return _twice(program, answers, {at: second, at + 1: first})
    return None


def reset_is_fresh(program: Program, answers: Answers) -> Related | None:
    """A tape that was reset is as good as new."""
    if not _plain(program, answers):
        return None
    for at, step in enumerate(program.steps):
        if isinstance(step, lang.Enter) and isinstance(step.context, Ref):
            leaf = next((k for k in range(at) if _leaf(program.steps[k])), None)
            made = program.steps[step.context.step]
            if leaf is not None and isinstance(made, lang.MakeTape) and _entered_once(program, step.context):
                return _twice(program, answers, {at: step}, after=at, more=_past(step.context, Ref(leaf)))
    return None


def _past(tape: Ref, leaf: Ref) -> tuple[lang.Step, ...]:
    """What a tape saw before it was reset. The product's place is left open: it is the third step before the reset."""
    return (lang.Watch(tape, leaf), lang.Call("math.multiply", (leaf, leaf)), lang.Reset(tape))


def _leaf(step: lang.Step) -> bool:
    return isinstance(step, lang.Constant) and step.array.dtype == "float32"


def _entered_once(program: Program, tape: Ref) -> bool:
    return sum(isinstance(step, lang.Enter) and step.context == tape for step in program.steps) == 1


# ---------------------------------------------------------------- which programs, and how they are doubled


def _plain(program: Program, answers: Answers) -> bool:
    """Whether nothing went wrong and nothing is about the life of objects: then both halves are alike."""
    if any(isinstance(step, _ABOUT_LIFE) for step in program.steps):
        return False
    if any(isinstance(one.outcome, Raised | Skipped | Unsupported) for one in answers):
        return False
    entered = [step.context for step in program.steps if isinstance(step, lang.Enter)]
    left = [step.context for step in program.steps if isinstance(step, lang.Exit)]
    return len(entered) == len(left) and not any(isinstance(step, lang.ResumeRecording) for step in program.steps)


def _asked_once_outside(program: Program, tape: int) -> bool:
    asked = [
        at
        for at, step in enumerate(program.steps)
        if isinstance(step, lang.Gradient | lang.Jacobian) and step.tape == Ref(tape)
    ]
    left = [at for at, step in enumerate(program.steps) if isinstance(step, lang.Exit) and step.context == Ref(tape)]
    return len(asked) <= 1 and all(at > max(left, default=-1) for at in asked)


def _twice(
    program: Program, answers: Answers, changed: dict[int, Any], after: int = -1, more: tuple[lang.Step, ...] = ()
) -> Related:
    """The program, and behind it the same with some steps changed and some added `after` one of them."""
    places: dict[int, int] = {}
    steps = list(program.steps)

    def moved(ref: Ref) -> Ref:
        return replace(ref, step=places[ref.step])

    for at, step in enumerate(program.steps):
        places[at] = len(steps)
        steps.append(change_refs(changed.get(at, step), moved))
        if at == after:
            steps.extend(change_refs(one, moved) for one in more)
    pairs = tuple((at, place) for at, place in places.items() if not _names_variables(answers[at].outcome))
    return Related(Program(tuple(steps)), pairs)


def _names_variables(outcome: Any) -> bool:
    """An observation that says which step made a variable is not the same in the second half."""
    return isinstance(outcome, Variable) or (
        isinstance(outcome, Nest) and any(_names_variables(item) for item in outcome.items)
    )
