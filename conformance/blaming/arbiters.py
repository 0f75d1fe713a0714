"""Who is off? Two arbiters answer the question of a differing gradient, independently of each other and of any engine's
gradients:

- `differences`: central differences of the accused tape's own forward in float64, at two step sizes;
- `mathematics`: the program's forward in 120-digit arithmetic (`mathematics.py`), differentiated there.

`blame(program, comparison, run_tape, oracle)` asks both about the first differing element and gives the verdict
with its evidence. Neither is asked where the program's gradient is not the derivative of its forward (custom gradients,
stopped recording ...), and neither answers at a kink: what a gradient is there is a convention.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import mpmath

from adapters import language as lang
from adapters.language import Array
from adapters.observations import Nest, Nothing, Observation, Outcome, Tensor
from conformance.blaming import mathematics
from conformance.judging.causes import steps_behind
from conformance.judging.compare import Comparison, Difference
from reports.records import Evidence

RunTape = Callable[[lang.Program], Sequence[Observation]]

_STEPS = (2.0**-12, 2.0**-16)  # of the differences, relative to the element
_AGREE = 1e-4  # relative: the two differences, and an answer and its arbiter
_CUTS = ("stop_gradient", "custom_gradient", "recompute_grad", "grad_pass_through", "function", "quantiz", "cast")
_FLOATING = ("float16", "bfloat16", "float32", "float64")


@dataclass(frozen=True, slots=True)
class Question:
    """d(sum of target * upstream) / d(element of a constant): which constant and element, and what each side said."""

    program: lang.Program
    target: lang.Ref
    upstream: tuple[float, ...] | None
    source: int
    element: int
    want: float | None  # None: Python's None
    got: float | None


@dataclass(frozen=True, slots=True)
class Answer:
    """An arbiter's number, or why it has none."""

    value: Any | None
    why: str = ""
    kink: bool = False


def blame(
    program: lang.Program, comparison: Comparison, run_tape: RunTape | None, oracle: str = "tensorflow"
) -> tuple[str, tuple[Evidence, ...]]:
    """Who is off, and the evidence.

    `tape`, `reference` or `TensorFlow differs from the mathematics` (by who the oracle is), `ill-conditioned` or
    `unknown`.
    run_tape: runs a program on the accused tape.
    """
    if comparison.verdict == "ill-conditioned" or comparison.lane == "ill-conditioned":
        return "ill-conditioned", ()
    if comparison.difference is None:
        return "unknown", ()
    question = question_of(program, comparison.difference)
    if isinstance(question, str):
        return "unknown", (Evidence("both", question, "unknown"),)
    answers = [("mathematics", mathematical(question))]
    if run_tape is not None:
        answers.insert(0, ("differences", differences(question, run_tape)))
    evidence = tuple(Evidence(name, _worded(answer), _supports(question, answer)) for name, answer in answers)
    return _verdict({each.supports for each in evidence}, oracle), evidence


def _verdict(supports: set[str], oracle: str) -> str:
    sides = supports - {"unknown", "both"}
    if sides == {"want"}:
        return "tape"
    if sides == {"got"}:
        return "TensorFlow differs from the mathematics" if oracle == "tensorflow" else "reference"
    return "unknown"


def _worded(answer: Answer) -> str:
    return answer.why if answer.value is None else mpmath.nstr(mpmath.mpf(answer.value), 17)


def _supports(question: Question, answer: Answer) -> str:
    """Which side an answer supports: None counts as zero, for the mathematics knows no difference."""
    if answer.value is None:
        return "unknown"
    near = _near(question.want, answer.value), _near(question.got, answer.value)
    return {(True, True): "both", (True, False): "want", (False, True): "got", (False, False): "neither"}[near]


def _near(side: float | None, value: Any) -> bool:
    number = 0.0 if side is None else side
    if not mpmath.isfinite(number):
        return bool(number == value)
    return bool(abs(mpmath.mpf(number) - value) <= _AGREE * max(abs(value), mpmath.mpf(10) ** -12))


# ---------------------------------------------------------------- the question


def question_of(program: lang.Program, difference: Difference) -> Question | str:
    """What the arbiters are to be asked about a difference, or a sentence why they cannot be."""
    step = program.steps[difference.step]
    if not isinstance(step, lang.Gradient):
        return "the arbiters know gradients alone"
    if difference.what not in ("value", "zero", "sign", "finite", "kind"):
        return f"a difference of {difference.what} is no question of mathematics"
    source = _chosen_source(step.sources, difference.path)
    if not isinstance(step.target, lang.Ref) or source is None or source.part is not None or source.up:
        return "the target or the source is no single value"
    if not isinstance(program.steps[source.step], lang.Constant | lang.MakeVariable):
        return "the source is no constant"
    cut = _cut(program, difference.step)
    if cut:
        return cut
    upstream = _upstream(program, step)
    if isinstance(upstream, str):
        return upstream
    return _asked(program, difference, step.target, source.step, upstream)


def _chosen_source(sources: Any, path: tuple[int, ...]) -> lang.Ref | None:
    for position in path:
        if not isinstance(sources, lang.Items) or position >= len(sources.items):
            return None
        sources = sources.items[position]
    return sources if isinstance(sources, lang.Ref) else None


def _cut(program: lang.Program, at: int) -> str | None:
    """Why the gradient at a step need not be the derivative of the forward."""
    for step in program.steps[:at]:
        if isinstance(step, lang.StopRecording | lang.Reset | lang.Assign | lang.InThread | lang.Invoke):
            return f"the program has a step of the kind {type(step).__name__}: its gradient need not be its derivative"
    for index in steps_behind(program, at):
        step = program.steps[index]
        if isinstance(step, lang.Call) and any(word in step.op for word in _CUTS):
            return f"{step.op} is behind the target: its gradient need not be its derivative"
    return None


def _upstream(program: lang.Program, step: lang.Gradient) -> tuple[float, ...] | str | None:
    if step.output_gradients is None:
        return None
    given = step.output_gradients
    if isinstance(given, lang.Items) and len(given.items) == 1:
        given = given.items[0]
    made = program.steps[given.step] if isinstance(given, lang.Ref) else None
    if isinstance(made, lang.Constant):
        return tuple(made.array.values)
    return "the output gradients are no constant"


def _asked(
    program: lang.Program, difference: Difference, target: lang.Ref, source: int, upstream: tuple[float, ...] | None
) -> Question | str:
    want, got = _leaf_of(difference.want, difference.path), _leaf_of(difference.got, difference.path)
    element = 0
    if difference.mismatch is not None and difference.mismatch.element is not None:
        element = difference.mismatch.element
    elif isinstance(want, Nothing) or isinstance(got, Nothing):
        element = _telling_element(want, got)
    values = _element_of(want, element), _element_of(got, element)
    if "absent" in values:
        return "the answers are neither numbers nor None"
    constant = array_of_step(program.steps[source])
    if constant is None or constant.dtype not in _FLOATING or element >= len(constant.values):
        return "the source is no real floating constant"
    return Question(program, target, upstream, source, element, *values)


def _leaf_of(outcome: Outcome, path: tuple[int, ...]) -> Outcome:
    """A difference carries the outcomes at its place; a nest is entered along the path if it carries the whole."""
    for position in path:
        if isinstance(outcome, Nest):
            outcome = outcome.items[position]
    return outcome


def _telling_element(want: Outcome, got: Outcome) -> int:
    """Where None meets a tensor: its first element that is not zero."""
    for side in (want, got):
        if isinstance(side, Tensor):
            return next((i for i, v in enumerate(side.array.values) if v), 0)
    return 0


def _element_of(outcome: Outcome, element: int) -> Any:
    if isinstance(outcome, Nothing):
        return None
    if isinstance(outcome, Tensor) and element < len(outcome.array.values):
        value = outcome.array.values[element]
        return value if isinstance(value, float) else "absent"
    return "absent"


def array_of_step(step: Any) -> Array | None:
    """The array that a constant step, or a variable made of a NumPy array, starts from."""
    match step:
        case lang.Constant(array=array):
            return array
        case lang.MakeVariable(initial=lang.NumPy(array=array)):
            return array
    return None


def _array_at(program: lang.Program, at: int) -> Array:
    """The array that step `at` starts from. ValueError when it starts from none."""
    array = array_of_step(program.steps[at])
    if array is None:
        raise ValueError(f"step {at} starts from no array")
    return array


# ---------------------------------------------------------------- differences of the tape's own forward


def differences(question: Question, run_tape: RunTape) -> Answer:
    """Central differences of what the tape itself computes, in float64 throughout."""
    wide = widened(question.program)
    if wide is None:
        return Answer(None, "the program fixes a dtype other than float64")
    x = _array_at(wide, question.source).values[question.element]
    found = []
    for relative in _STEPS:
        h = relative * max(abs(x), 2.0**-6)
        ends = [_total(question, _moved(wide, question, x + side * h), run_tape) for side in (1, 0, -1)]
        if any(end is None or not mpmath.isfinite(end) for end in ends):
            return Answer(None, "the tape's own forward gives no finite number near the point")
        right, left = (ends[0] - ends[1]) / h, (ends[1] - ends[2]) / h
        found.append(((ends[0] - ends[2]) / (2 * h), abs(right - left), h))
    (first, _, _), (second, bend, h) = found
    if bend > 64 * h * max(abs(second), 1.0) and abs(first - second) <= _AGREE * max(abs(second), 1e-6):
        return Answer(None, "the slopes of the two sides differ: a kink", kink=True)
    if abs(first - second) > _AGREE * max(abs(first), abs(second), 1e-8):
        return Answer(None, f"the differences at two step sizes disagree: {float(first)!r} and {float(second)!r}")
    return Answer(second)


def widened(program: lang.Program) -> lang.Program | None:
    """The program with all real floating arrays in float64; None where it names another dtype."""
    steps = []
    for step in program.steps:
        match step:
            case lang.Constant(array=array) if array.dtype in _FLOATING:
                step = lang.Constant(replace(array, dtype="float64"))
            case lang.MakeVariable(initial=lang.NumPy(array=array)) if array.dtype in _FLOATING:
                step = replace(step, initial=lang.NumPy(replace(array, dtype="float64")))
            case lang.Call() if any(isinstance(a, lang.DTypeName | lang.NumPy) for a in _all_operands(step)):
                return None
        steps.append(step)
    return lang.Program(tuple(steps))


def _all_operands(step: lang.Call) -> tuple[Any, ...]:
    return (*step.args, *(value for _, value in step.kwargs))


def _moved(program: lang.Program, question: Question, value: float) -> lang.Program:
    """The program with one element of the source at another value."""
    steps = list(program.steps)
    array = _array_at(program, question.source)
    values = (*array.values[: question.element], value, *array.values[question.element + 1 :])
    moved = replace(array, values=values)
    step = steps[question.source]
    if isinstance(step, lang.MakeVariable):
        steps[question.source] = replace(step, initial=lang.NumPy(moved))
    else:
        steps[question.source] = lang.Constant(moved)
    return lang.Program(tuple(steps))


def _total(question: Question, program: lang.Program, run_tape: RunTape) -> Any:
    """The sum of the target's elements, weighted by the upstream gradient."""
    outcome = run_tape(program)[question.target.step].outcome
    if question.target.part is not None:
        if not isinstance(outcome, Nest) or question.target.part >= len(outcome.items):
            return None
        outcome = outcome.items[question.target.part]
    if not isinstance(outcome, Tensor) or outcome.array.dtype != "float64":
        return None
    weights = question.upstream or (1.0,) * len(outcome.array.values)
    if len(weights) != len(outcome.array.values):
        return None
    # Summed without rounding, so that the difference of two sums loses nothing but what the tape lost.
    return mpmath.fsum(mpmath.mpf(w) * v for w, v in zip(weights, outcome.array.values, strict=True))


# ---------------------------------------------------------------- the mathematics


def mathematical(question: Question) -> Answer:
    """The derivative in 120-digit arithmetic, where `mathematics.py` knows every op behind the target."""
    try:
        value, kink = mathematics.derivative(
            question.program, question.target, question.upstream, question.source, question.element
        )
    except mathematics.NotKnown as error:
        return Answer(None, str(error))
    if kink:
        return Answer(None, "the slopes of the two sides differ: a kink", kink=True)
    return Answer(value)
