"""Which op a wrong gradient goes wrong at first: `nearest(program, ask)`, `culprit(program, at)`.

That the gradient of `square(xlogy(x, y))` is off says nothing yet of which op is: the cause is named by the last op,
and shrinking for that cause keeps it. So the gradients of what the target rests on are asked one after the other, in
the order of the program. The first that is off in the same way stands nearest to the fault, for what it rests on has
gradients that agree. Behind a gradient of a gradient the inner one is asked in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters import language as lang
from adapters.observations import Nest, Observation, Tensor
from adapters.references import needs
from conformance.judging.causes import is_plumbing, steps_behind, suspect
from conformance.judging.judge import FAILED, Judged
from conformance.shrinking.rewrite import change_refs, drop, with_step
from conformance.shrinking.shrink import shrink_stored

Ask = Callable[[lang.Program], Judged]
Answers = Sequence[Observation]
MOST = 24  # gradients asked
CALLS = 150  # to make the nearest small once more
_TARGET = {lang.Gradient: "target", lang.Jacobian: "target", lang.Jvp: "primals"}
_MADE = (lang.Call, lang.Invoke)
_SEEDS = (2, 0, -3, 4, 5, -6, 7)  # nowhere 1, and a zero: what divides by its upstream shows there
_SEEDED = ("float16", "float32", "float64", "complex64", "complex128")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program with another target of the derivative at a step."""

    program: lang.Program
    at: int


def nearest(program: lang.Program, ask: Ask, want: Answers, max_calls: int = CALLS) -> lang.Program:
    """A small program that shows the fault of a failing one where it goes wrong first; the program itself where its
    cause is named by that op already. want: the answers wanted, for the shapes of what it makes."""
    judged = ask(program)
    at = _step_of(judged)
    if at is None:
        return program
    first = first_wrong(program, judged, ask, want) or Candidate(program, at)
    op = culprit(first.program, first.at)
    if op is None or (first.program == program and op == suspect(program, at)):
        return first.program
    kinds = ask(first.program).signature[1:]

    def still(smaller: lang.Program) -> bool:
        again = ask(smaller)
        step = _step_of(again)
        return again.signature[1:] == kinds and step is not None and culprit(smaller, step) == op

    return shrink_stored(first.program, still, max_calls=max_calls)


def first_wrong(program: lang.Program, judged: Judged, ask: Ask, want: Answers) -> Candidate | None:
    """The first target that is off by itself; None where no other than the program's own is.

    One that differs in the way of the whole (kinds and dtypes) comes before one that differs otherwise.
    """
    at = _step_of(judged)
    if at is None or type(program.steps[at]) not in _TARGET:
        return None
    otherwise = None
    for _, candidate in zip(range(MOST), _candidates(program, at, want), strict=False):
        found = ask(candidate.program)
        if found.verdict not in FAILED or _step_of(found) != candidate.at:
            continue
        if found.signature[1:] == judged.signature[1:]:
            return candidate
        otherwise = otherwise or candidate
    return otherwise


def _step_of(judged: Judged) -> int | None:
    difference = judged.comparison.difference
    return difference.step if judged.verdict in FAILED and difference is not None else None


def _candidates(program: lang.Program, at: int, want: Answers) -> Iterator[Candidate]:
    """Every target in order; then each once more with an upstream that is not the same everywhere, and nowhere 1."""
    ways = list(_ways(program, at))
    for way in ways:
        candidate = _of(program, at, way)
        if candidate != program:
            yield Candidate(candidate, at)
    yield from (Candidate(*found) for way in ways if (found := _seeded(program, at, way, want)) is not None)


Way = tuple[lang.Ref, ...]  # the target of a derivative, the target of that one where it is a derivative, and so on


def _ways(program: lang.Program, at: int) -> Iterator[Way]:
    """The ways from a derivative to the values that it rests on, in the order of the program."""
    *behind, _ = steps_behind(program, at)
    parts = [getattr(program.steps[at], _TARGET[type(program.steps[at])]), *(program.steps[one] for one in behind)]
    refs = {ref.step: ref for part in reversed(parts) for ref in needs(part)}
    for before in behind:
        if before in refs and type(program.steps[before]) in _TARGET:
            yield from ((refs[before], *way) for way in _ways(program, before))
        elif before in refs and isinstance(program.steps[before], _MADE):
            yield (refs[before],)


def _of(program: lang.Program, at: int, way: Way) -> lang.Program:
    """The program in which a derivative is that of the value to which a way leads."""
    for derivative, target in zip((at, *(ref.step for ref in way)), way, strict=False):
        program = of_target(program, derivative, target)
    return program


def of_target(program: lang.Program, at: int, target: lang.Operand) -> lang.Program:
    """The program with another target of the derivative at a step; what was given for the old one's shape goes."""
    step: Any = program.steps[at]
    name = _TARGET[type(step)]
    if getattr(step, name) == target:
        return program
    given = {"output_gradients": None} if isinstance(step, lang.Gradient) else {}
    return with_step(program, at, replace(step, **{name: target}, **given))


def _seeded(program: lang.Program, at: int, way: Way, want: Answers) -> tuple[lang.Program, int] | None:
    """The program in which the gradient at a step is that of the value to which a way leads, and each gradient on the
    way has an upstream, made by first steps; and where that step is then. None where nothing can be given."""
    derivatives = (at, *(ref.step for ref in way[:-1]))
    found, added = _of(program, at, way), 0
    for derivative, ref in zip(derivatives, way, strict=True):
        seed = _seed(want, ref)
        if seed is None or not isinstance(program.steps[derivative], lang.Gradient):
            continue
        steps = (lang.Constant(seed), *(change_refs(step, _one_later) for step in found.steps))
        added += 1
        gradient: Any = replace(steps[derivative + added], output_gradients=lang.Ref(0))
        found = with_step(lang.Program(steps), derivative + added, gradient)
    return (found, at + added) if added else None


def _seed(want: Answers, ref: lang.Ref) -> lang.Array | None:
    """An upstream for a value in its shape; None where it is no floating tensor."""
    outcome = want[ref.step].outcome
    if ref.part is not None and isinstance(outcome, Nest) and ref.part < len(outcome.items):
        outcome = outcome.items[ref.part]
    if not isinstance(outcome, Tensor) or outcome.array.dtype not in _SEEDED:
        return None
    kind = complex if outcome.array.dtype.startswith("complex") else float
    values = tuple(kind(_SEEDS[at % len(_SEEDS)]) for at in range(len(outcome.array.values)))
    return lang.Array(outcome.array.dtype, outcome.array.shape, values)


def _one_later(ref: lang.Ref) -> lang.Ref:
    return replace(ref, step=ref.step + 1)


def culprit(program: lang.Program, at: int) -> str | None:
    """The op whose value, or whose value's derivative, a step is; None where it is not that of one op: several targets,
    or one whose bodies run others."""
    step = program.steps[at]
    made = step if isinstance(step, lang.Call) else _made(program, at)
    if not isinstance(made, lang.Call) or (made is not step and _has_a_body(made)):
        return None
    return made.op


def _made(program: lang.Program, at: int) -> lang.Step | None:
    """The step that makes the one target of a derivative, through derivatives and what takes a value out of several."""
    step = program.steps[at]
    operand = step.args[0] if isinstance(step, lang.Call) else getattr(step, _TARGET.get(type(step), ""), None)
    if not isinstance(operand, lang.Ref):
        return None
    made = program.steps[operand.step]
    through = type(made) in _TARGET or (isinstance(made, lang.Call) and made.op.startswith("attribute."))
    return _made(program, operand.step) if through else made


def _has_a_body(call: lang.Call) -> bool:
    return any(isinstance(one, lang.Function) for one in (*call.args, *(value for _, value in call.kwargs)))


def named(program: lang.Program, at: int) -> str:
    """The op that a small program's difference is said to be about.

    A gradient of a gradient shows a fault of a linear op only where something that is not linear follows: there it is
    the op that cannot be left out although it is not the last.
    """
    op = culprit(program, at)
    if op is None:
        return suspect(program, at)
    inner = [program.steps[before] for before in steps_behind(program, at)[:-1]]
    others = [step.op for step in inner if isinstance(step, lang.Call) and step.op != op and not is_plumbing(step.op)]
    return others[-1] if others and any(type(step) in _TARGET for step in inner) else op


def without(program: lang.Program, at: int, op: str) -> lang.Program:
    """The program as far as it goes without the op that it is said to be about: what that was made of is
    differentiated in its place, or takes its place."""
    step = program.steps[at]
    target = getattr(step, _TARGET.get(type(step), ""), None)
    if isinstance(step, lang.Call) or not isinstance(target, lang.Ref):
        return lang.Program(program.steps[:at])
    made = program.steps[target.step]
    if op == culprit(program, at) and type(made) in _TARGET:
        return without(program, target.step, op)
    if op == culprit(program, at):
        operands = tuple(dict.fromkeys(needs(made)))
        return of_target(program, at, lang.Items("list", operands)) if operands else lang.Program(program.steps[:at])
    called = [one for one in steps_behind(program, at) if getattr(program.steps[one], "op", None) == op]
    if not called:  # inside a function's body
        return program
    operands = tuple(needs(program.steps[called[-1]]))
    return drop(program, {called[-1]}, {called[-1]: operands[0]} if operands else {})
