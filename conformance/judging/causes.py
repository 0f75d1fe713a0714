"""Causes: many programs differ for one reason. `signature(...)` names it, `to_cause(...)` makes its record.

A signature is (subject, kind wanted, kind got, dtype class): stable between runs, so links and expectations hold. The
subject is the op that the first differing step is most likely about; where no op is (an error about the tape, a source
that nothing connects), it is the kind of step. `attribute(...)` says which rule a program falls
under: `pinned` (it is one of the rule's programs), `looks like` (its first differing step has the features of the
rule's programs), or `unexplained`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adapters import language as lang
from adapters.observations import Observation, Raised
from adapters.program_json import program_id, to_json
from adapters.references import needs
from conformance.judging.compare import Comparison, Difference
from conformance.judging.messages import core_phrase, is_protocol
from conformance.judging.wording import worded
from conformance.optable import row
from reports.records import Cause, Evidence, Line

# Ops that programs use to make one value of several, or that every gradient passes through: rarely to blame.
PLUMBING = frozenset((
    "math.reduce_sum", "reduce_sum", "identity", "math.multiply", "math.add", "math.subtract", "operator.mul",
    "operator.add", "operator.sub", "operator.neg", "reshape", "cast", "convert_to_tensor", "stack", "concat",
    "operator.getitem", "method.read_value", "method.value",
))  # fmt: skip
_CLASSES = {"float16": "half", "bfloat16": "half", "float32": "float", "float64": "float", "complex64": "complex",
            "complex128": "complex", "bool": "integer", "string": "string"}  # fmt: skip
_ABOUT_OPS = (lang.Gradient, lang.Jacobian, lang.Jvp, lang.Invoke, lang.AliveAfterDelete, lang.ReadAgain)
_QUIET = (lang.Constant, lang.MakeVariable, lang.Enter, lang.Exit, lang.Watch)
_STEP_WORDS = {
    lang.Gradient: "gradient", lang.Jacobian: "jacobian", lang.Jvp: "jvp", lang.Call: "value", lang.Watch: "watching",
    lang.Enter: "entering a context", lang.Exit: "leaving a context", lang.Reset: "reset",
    lang.MakeTape: "making a tape",
    lang.StopRecording: "stop_recording", lang.ResumeRecording: "resuming recording", lang.Assign: "assigning",
    lang.MakeAccumulator: "making an accumulator", lang.WatchedVariables: "watched_variables",
    lang.Invoke: "a function's value", lang.Same: "identity of two values", lang.InThread: "a thread",
    lang.AliveAfterDelete: "life after deletion", lang.ReadAgain: "reading again", lang.Ragged: "making ragged",
    lang.MakeVariable: "making a variable", lang.Slices: "making slices", lang.Constant: "a constant",
}  # fmt: skip
_LOOKS_LIKE_FROM = 0.6  # share of common features from which a program looks like a rule's


@dataclass(frozen=True, slots=True)
class KnownRule:
    """What attribution needs of a rule."""

    id: str
    sentence: str
    standing: str
    programs: tuple[lang.Program, ...]


@dataclass(frozen=True, slots=True)
class Attribution:
    """The rule that a difference falls under, and how surely: `pinned`, `looks like` or `unexplained`."""

    rule: KnownRule | None
    how: str


# ---------------------------------------------------------------- what a difference is about


def dtype_class(dtype: str) -> str:
    """`float`, `half`, `complex`, `integer`, `string` or `none`."""
    if not dtype:
        return "none"
    return _CLASSES.get(dtype, "integer")


def steps_behind(program: lang.Program, at: int) -> list[int]:
    """The steps that step `at` rests on, itself included, in order. A tape's watch and enter steps do not count."""
    seen: set[int] = set()
    open_ = [at]
    while open_:
        index = open_.pop()
        if index in seen:
            continue
        seen.add(index)
        step = program.steps[index]
        part: Any = step.target if isinstance(step, lang.Gradient | lang.Jacobian) and index == at else step
        open_ += [ref.step for ref in needs(part) if ref.step < index]
    return sorted(seen)


def suspect(program: lang.Program, at: int) -> str:
    """The op that a difference at step `at` is most likely about, or the kind of the step itself.

    Of the ops behind the step, the last one that is not mere plumbing.
    """
    step = program.steps[at]
    if isinstance(step, lang.Call):
        return step.op
    if not isinstance(step, _ABOUT_OPS):
        return _step_name(step)
    ops = [op for index in steps_behind(program, at) for op in ops_in(program.steps[index])]
    telling = [op for op in ops if not is_plumbing(op)]
    if telling:
        return telling[-1]
    return ops[-1] if ops else _step_name(step)


def is_plumbing(op: str) -> bool:
    """Whether an op is rarely to blame; one that takes a value out of several never is."""
    return op in PLUMBING or op.startswith("attribute.")


def _step_name(step: Any) -> str:
    return _STEP_WORDS.get(type(step), type(step).__name__)


def ops_in(step: Any) -> Iterator[str]:
    """The ops that a step calls, in its functions and threads too."""
    if isinstance(step, lang.Call):
        yield step.op
    for inner in _bodies(step):
        for each in inner:
            yield from ops_in(each)


def _bodies(part: Any) -> Iterator[tuple[Any, ...]]:
    match part:
        case lang.InThread(steps=steps) | lang.Function(steps=steps):
            yield steps
        case lang.Call(args=args, kwargs=kwargs) | lang.Invoke(args=args, kwargs=kwargs):
            for operand in (*args, *(value for _, value in kwargs)):
                yield from _bodies(operand)
        case lang.Items(items=items):
            for item in items:
                yield from _bodies(item)


def signature(program: lang.Program, difference: Difference, rule: str | None = None) -> tuple[str, ...]:
    """(subject, kind wanted, kind got, dtype class). Where kinds agree, the second and third say what differs.

    `rule` names a deviation that is expected of the programs of a rule: it stands in the subject's place.
    """
    want, got, dtype = difference.want_kind, difference.got_kind, dtype_class(difference.dtype)
    if want == got or difference.what in ("dtype", "shape", "structure", "indices", "class", "message", "warnings"):
        got = f"other {difference.what}"
    if rule is not None:
        return rule, want, got, dtype
    general = _general_subject(program, difference)
    if general is None:
        return suspect(program, difference.step), want, got, dtype
    if isinstance(difference.got, Raised) and not isinstance(difference.want, Raised):
        want = "an answer"
    return general, want, got, "any"


def _general_subject(program: lang.Program, difference: Difference) -> str | None:
    """What a difference is about where it is the same for every op and dtype; None where the op is what tells."""
    step = program.steps[difference.step]
    name = _step_name(step)
    if difference.what == "warnings":
        return f"{name}: {_opening(difference.detail.replace(chr(39), ' '))}"
    if isinstance(step, lang.Call) or not isinstance(step, _ABOUT_OPS):
        return None
    if isinstance(difference.want, Raised) and is_protocol(difference.want.message):
        return f"{name}: {_opening(difference.want.message)}"
    if isinstance(difference.got, Raised) and not isinstance(difference.want, Raised):
        return name
    if not isinstance(step, lang.Gradient | lang.Jacobian):
        return None
    if difference.what == "shape":
        return f"{name}: its shape"
    return _about_connection(program, step, difference)


def _about_connection(program: lang.Program, step: Any, difference: Difference) -> str | None:
    """The subject where the question is whether there is a gradient at all, and no op has a say in it."""
    name = _step_name(step)
    if difference.want_kind == "none":
        if not _connected(program, step, difference.path):
            return f"{name} of an unconnected source"
        if not any(
            _cuts(op) for index in steps_behind(program, difference.step) for op in ops_in(program.steps[index])
        ):
            return f"{name} of what was not recorded"
    if difference.got_kind in ("none", "zeros") and _rests_on_a_gradient(program, difference.step):
        return f"{name} of a gradient"
    return None


def _cuts(op: str) -> bool:
    """Whether an op may have no gradient of its own."""
    try:
        return row(op).curve == "cut"
    except KeyError:
        return op.partition(".")[0] not in ("operator", "method", "attribute")


def _opening(message: str) -> str:
    """The first words of a message, without what is quoted in it: enough to tell what is said about tapes apart."""
    return " ".join(core_phrase(message).split()[:8])


def _connected(program: lang.Program, step: Any, path: tuple[int, ...]) -> bool:
    """Whether the target rests on the source that the difference is about (on any source, where that is not known)."""
    sources = step.sources
    for position in path:
        if not isinstance(sources, lang.Items) or position >= len(sources.items):
            break
        sources = sources.items[position]
    behind: set[int] = set()
    for ref in needs(step.target):
        behind |= set(steps_behind(program, ref.step))
    return any(ref.step in behind for ref in needs(sources))


def _rests_on_a_gradient(program: lang.Program, at: int) -> bool:
    return any(
        isinstance(program.steps[index], lang.Gradient | lang.Jacobian)
        for index in steps_behind(program, at)
        if index != at
    )


def cause_id(signature_: tuple[str, ...]) -> str:
    """The permanent id of a signature: 12 hexadecimal digits."""
    return hashlib.sha256("\x1f".join(signature_).encode()).hexdigest()[:12]


def title(program: lang.Program, difference: Difference, op: str | None = None) -> str:
    """One sentence: what of which op differs, and what each side gave. op: the one found to be at fault."""
    step = program.steps[difference.step]
    what = _step_name(step)
    about = op or suspect(program, difference.step)
    general = _general_subject(program, difference) or ""
    subject = general if general.startswith(f"{what} of ") else f"{what} of {about}" if about != what else what
    if difference.what == "warnings":
        return f"{subject}: {difference.detail}"
    want, got = _side(difference, difference.want), _side(difference, difference.got)
    return f"{subject}: wanted {want}, got {got}"


def _side(difference: Difference, outcome: Any) -> str:
    for position in difference.path:
        inner = getattr(outcome, "items", None)
        outcome = inner[position] if isinstance(inner, tuple) and position < len(inner) else outcome
    text = worded(outcome)
    return text if len(text) <= 120 else text[:117] + "..."


# ---------------------------------------------------------------- rules


def attribute(program: lang.Program, difference: Difference, rules: Sequence[KnownRule]) -> Attribution:
    """The rule that a program's first difference falls under."""
    known = _known(rules)
    pinned = known.by_id.get(program_id(program))
    if pinned is not None:
        return Attribution(pinned, "pinned")
    own = step_features(program, difference.step)
    best, score = None, _LOOKS_LIKE_FROM
    for features, rule in known.by_features:
        likeness = _likeness(own, features)
        if likeness > score:
            best, score = rule, likeness
    return Attribution(best, "looks like" if best else "unexplained")


@dataclass(frozen=True, slots=True)
class _Known:
    """The rules by the ids of their programs, and by the features of what those programs judge."""

    rules: Sequence[KnownRule]
    by_id: dict[str, KnownRule]
    by_features: tuple[tuple[frozenset[str], KnownRule], ...]


_known_last: list[_Known] = []  # of the table that was used last: a run has one


def _known(rules: Sequence[KnownRule]) -> _Known:
    if not _known_last or _known_last[0].rules is not rules:
        by_id: dict[str, KnownRule] = {}
        by_features: dict[tuple[frozenset[str], str], KnownRule] = {}
        for rule in rules:
            for each in rule.programs:
                by_id.setdefault(program_id(each), rule)
                for at in _judged_steps(each):
                    by_features.setdefault((step_features(each, at), rule.id), rule)
        found = tuple((features, rule) for (features, _), rule in by_features.items())
        _known_last[:] = [_Known(rules, by_id, found)]
    return _known_last[0]


def _judged_steps(program: lang.Program) -> Iterator[int]:
    for at, step in enumerate(program.steps):
        if not isinstance(step, _QUIET):
            yield at


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Common features by all features; nothing where the kinds of step differ or no op or mark is shared."""
    if not {f for f in one if f.startswith("step ")} <= other:
        return 0.0
    telling = {f for f in one & other if not f.startswith(("step ", "plumbing"))}
    if not telling:
        return 0.0
    return len(one & other) / len(one | other)


def step_features(program: lang.Program, at: int) -> frozenset[str]:
    """Words for what one step is about: its kind, the ops and options behind it, dtypes and special values."""
    words = {f"step {type(program.steps[at]).__name__}"}
    for index in steps_behind(program, at):
        words.update(_words(program.steps[index]))
    for step in program.steps[:at]:
        if isinstance(step, lang.StopRecording | lang.Reset | lang.ResumeRecording | lang.InThread | lang.Assign):
            words.add(type(step).__name__)
    tapes = sum(isinstance(step, lang.MakeTape) for step in program.steps[: at + 1])
    if tapes > 1:
        words.add("several tapes")
    return frozenset(words)


def _words(step: Any) -> Iterator[str] | set[str]:
    words = {("plumbing " if op in PLUMBING else "op ") + op for op in ops_in(step)}
    match step:
        case lang.Constant(array=array):
            words |= {f"dtype {dtype_class(array.dtype)}"} if array.dtype != "float32" else set()
            words |= {f"value {mark}" for mark in _special_values(array.values)}
        case lang.Gradient():
            words |= {"output_gradients"} if step.output_gradients is not None else set()
            words |= {"unconnected_gradients"} if step.unconnected_gradients is not None else set()
            words |= {"several targets"} if isinstance(step.target, lang.Items) else set()
        case lang.MakeTape(persistent=persistent) if persistent != lang.Py(False):
            words.add("persistent")
        case lang.Slices() | lang.Ragged() | lang.MakeVariable() | lang.MakeAccumulator() | lang.Jacobian():
            words.add(type(step).__name__)
    return words


def _special_values(values: Iterable[Any]) -> set[str]:
    marks = set()
    for value in values:
        if isinstance(value, float):
            if value != value:
                marks.add("nan")
            elif value in (float("inf"), float("-inf")):
                marks.add("inf")
            elif value == 0:
                marks.add("0")
    return marks


# ---------------------------------------------------------------- the record


def to_cause(
    program: lang.Program,
    comparison: Comparison,
    want: Sequence[Observation],
    got: Sequence[Observation],
    *,
    script: str,
    code: Sequence[str],
    replay: str,
    rules: Sequence[KnownRule] = (),
    blame: str = "unknown",
    evidence: tuple[Evidence, ...] = (),
    op: str | None = None,
) -> Cause:
    """The record of a cause, with the trace of its program.

    script: the program as text. code: the script's line (or lines) of each step. replay: the command that replays it.
    op: the one found to be at fault, where that was asked; the one that the difference is most likely about otherwise.
    ValueError if the comparison found no difference.
    """
    difference = comparison.difference
    if difference is None:
        raise ValueError("a comparison without a difference has no cause")
    attribution = attribute(program, difference, rules)
    rule = attribution.rule
    named = signature(program, difference)
    about = op or suspect(program, difference.step)
    return Cause(
        id=cause_id(named), signature=named, title=title(program, difference, op),
        rule=rule.id if rule else None, rule_sentence=rule.sentence if rule else "",
        rule_standing=rule.standing if rule else "", attribution=attribution.how,
        op=about if "." in about or about in _all_ops(program) else None,
        program=to_json(program), program_id=program_id(program), script=script,
        trace=trace(program, difference, want, got, code), blame=blame, evidence=evidence, replay=replay,
        steps_besides=sum(not isinstance(step, _QUIET) for step in program.steps),
    )  # fmt: skip


def _all_ops(program: lang.Program) -> set[str]:
    return {op for step in program.steps for op in ops_in(step)}


def trace(
    program: lang.Program, difference: Difference, want: Sequence[Observation], got: Sequence[Observation],
    code: Sequence[str],
) -> tuple[Line, ...]:  # fmt: skip
    """One worded line per step: what ran, what each side gave, and where they part."""
    return tuple(
        _line(at, difference, want[at], got[at], code[at] if at < len(code) else "") for at in range(len(program.steps))
    )


def _line(at: int, difference: Difference, want: Observation, got: Observation, code: str) -> Line:
    if at == difference.step:
        return Line(at, code, worded(want.outcome), worded(got.outcome), "differs", difference.detail)
    mark = "same" if at < difference.step else "after"
    texts = worded(want.outcome), worded(got.outcome)
    if texts == ("skipped", "skipped"):
        mark = "skipped"
    return Line(at, code, *texts, mark)
