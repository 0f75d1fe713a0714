"""What a program needs of a tape: `words_of(program, want)` and `needs_of(words)`.

Words are the generator's words for what a program uses and those of what was answered; needs are the features that a
tape can claim (`adapters.backend.FEATURES`). A feature is needed where one of its words fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from adapters import language as lang
from adapters.observations import Observation, Raised
from conformance.generating.features import answer_words, features_of, functions_in, walk
from conformance.judging.messages import is_protocol

_WRONG_ARGUMENT = ("AttributeError", "TypeError", "ValueError")
_CUSTOM = ("custom_gradient", "recompute_grad", "grad_pass_through", "RegisterGradient")

# Feature -> the words that need it.
WORDS: dict[str, frozenset[str]] = {
    "variables": frozenset({"variables"}),
    "assign": frozenset({"assign"}),
    "persistent": frozenset({"persistent", "odd_flags"}),
    "several_tapes": frozenset({"several tapes"}),
    "nesting": frozenset({"nesting", "second_order"}),
    "jacobian": frozenset({"jacobian"}),
    "forward_mode": frozenset({"forward_mode"}),
    "custom_gradient": frozenset({"custom_gradient"}),
    "function": frozenset({"function"}),
    "nests": frozenset({"several_targets", "nested_sources", "watched_nest"}),
    "output_gradients": frozenset({"output_gradients"}),
    "unconnected_gradients": frozenset({"unconnected_zero", "unconnected_other"}),
    "open_tapes": frozenset({"reenter", "late_watch", "integer_watch", "odd_watch", "exception", "misuse"}),
    "stop_recording": frozenset({"stop_recording"}),
    "reset": frozenset({"reset"}),
    "watched_variables": frozenset({"watched_variables"}),
    "threads": frozenset({"thread", "thread_gradient"}),
    "slices": frozenset({"slices", "slices_gradient"}),
    "ragged": frozenset({"ragged"}),
    "numpy_operands": frozenset({"numpy_operand"}),
    "host_values": frozenset({"host value"}),
    "identity": frozenset({"identity", "read_again", "lifetime"}),
}  # fmt: skip

_ABOUT_TAPES = (
    lang.MakeTape, lang.Enter, lang.Exit, lang.Watch, lang.StopRecording, lang.ResumeRecording, lang.Reset,
    lang.Gradient, lang.Jacobian, lang.WatchedVariables,
)  # fmt: skip


def words_of(program: lang.Program, want: Sequence[Observation] = ()) -> frozenset[str]:
    """The words for what a program uses and, where it is known, for what was answered."""
    words = set(features_of(program)) | answer_words(want) | {f"dtype {name}" for name in dtypes_of(program)}
    if sum(isinstance(step, lang.MakeTape) for step in program.steps) > 1:
        words.add("several tapes")
    for step in walk(program.steps):
        words |= _step_words(step)
    if any(_is_misuse(step, seen) for step, seen in zip(program.steps, want)):
        words.add("misuse")
    return frozenset(words)


def needs_of(words: Iterable[str]) -> frozenset[str]:
    """The features that a program with these words needs."""
    used = frozenset(words)
    return frozenset(feature for feature, telling in WORDS.items() if used & telling)


def dtypes_of(program: lang.Program) -> frozenset[str]:
    """The dtypes of a program's constants, NumPy arrays and dtype objects."""
    return frozenset(name for step in walk(program.steps) for name in _dtypes_in(step))


def _step_words(step: Any) -> set[str]:
    match step:
        case lang.Call(op=op) if op.startswith(("python.", "numpy.")):
            return {"host value"}
        case lang.Call(op=op) if op.rpartition(".")[2] in _CUSTOM:
            return {"custom_gradient"}
        case lang.Call() if functions_in(step):
            return {"function"}
        case lang.AliveAfterDelete():
            return {"lifetime"}
        case lang.Ragged():
            return {"ragged"}
        case lang.Slices():
            return {"slices"}
    return set()


def _is_misuse(step: Any, seen: Observation) -> bool:
    """Whether what a step asked of a tape was refused."""
    outcome = seen.outcome
    if not (isinstance(outcome, Raised) and isinstance(step, _ABOUT_TAPES)):
        return False
    return is_protocol(outcome.message) or outcome.cls in _WRONG_ARGUMENT


def _dtypes_in(part: Any) -> Iterable[str]:
    match part:
        case lang.Array(dtype=dtype):
            yield dtype
        case lang.DTypeName(name=name):
            yield name
        case lang.Constant(array=array) | lang.NumPy(array=array):
            yield array.dtype
        case lang.MakeVariable(initial=initial):
            yield from _dtypes_in(initial)
        case lang.Items(items=items):
            for item in items:
                yield from _dtypes_in(item)
        case lang.Call(args=args, kwargs=kwargs) | lang.Invoke(args=args, kwargs=kwargs):
            for operand in (*args, *(value for _, value in kwargs)):
                yield from _dtypes_in(operand)
        case lang.Assign(value=value):
            yield from _dtypes_in(value)
