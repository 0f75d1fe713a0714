"""Words for what a program uses: `features_of(program)`, and the least share of each that a run must have.

The words are those of the report's table of shares: a run in which a feature hardly occurs has not tested it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from adapters import language as lang
from adapters.observations import Nest, Nothing, Observation, Outcome, Raised, Skipped, SparseSlices
from adapters.references import holding

COSTLY = ("jacobian", "forward_mode", "function", "custom_gradient")

# The least share of generated programs, below which a run says that it has not tested the feature.
LEAST_SHARES: dict[str, float] = {
    "nesting": 0.12, "side_by_side": 0.03, "persistent": 0.12, "stop_recording": 0.02, "reset": 0.015, "reenter": 0.015,
    "second_order": 0.08, "alias": 0.10, "reuse": 0.15, "late_watch": 0.02, "unconnected_zero": 0.01,
    "output_gradients": 0.015, "several_targets": 0.01, "nested_sources": 0.10, "intermediate_source": 0.01,
    "variables": 0.20, "assign": 0.015, "thread": 0.005, "integer_watch": 0.005, "asked_twice": 0.03,
    "complex": 0.015, "half": 0.02, "float64": 0.03, "integer": 0.03, "kink": 0.10, "nonfinite": 0.005, "empty": 0.02,
    "broadcasting": 0.03, "python_number": 0.04, "numpy_operand": 0.02, "watched_variables": 0.01, "identity": 0.005,
}  # fmt: skip

# Any two of these meet in so many programs of a run that is large enough.
PAIRED = (
    *COSTLY, "gathered", "thread", "exception", "complex", "half", "float64", "integer", "bool",
)  # fmt: skip
LEAST_OF_A_PAIR = 20
PAIRS_FROM = 36_000


def ops_of(program: lang.Program) -> tuple[str, ...]:
    """The dotted names of the ops that a program calls, sorted, each once."""
    return tuple(sorted({step.op for step in walk(program.steps) if isinstance(step, lang.Call)}))


def walk(steps: tuple[lang.Step, ...]) -> Iterator[lang.Step]:
    """All steps, those in threads and in function bodies too."""
    for step in steps:
        yield step
        if isinstance(step, lang.InThread):
            yield from walk(step.steps)
        else:
            for function in functions_in(step):
                yield from walk(function.steps)


def functions_in(part: Any) -> Sequence[lang.Function]:
    """The functions among the operands of a step."""
    match part:
        case lang.Function():
            return (part,)
        case lang.Items():
            return functions_in(part.items)
        case tuple():
            return [one for item in part if type(item) not in _PLAIN for one in functions_in(item)]
        case lang.InThread():
            return ()
    fields = (getattr(part, name) for name in holding(type(part)))
    return [one for field in fields if type(field) not in _PLAIN for one in functions_in(field)]


_PLAIN = (lang.Ref, lang.Py, lang.Array, str, type(None))  # hold no functions; nearly all operands are such


def features_of(program: lang.Program) -> frozenset[str]:
    """The words that fit a program, read off its steps alone (nothing is run)."""
    seen = _Reader()
    for at, step in enumerate(program.steps):
        seen.step(at, step)
    return frozenset(seen.words | seen.at_the_end())


def answer_words(want: Sequence[Observation]) -> frozenset[str]:
    """Words that fit what was answered: `error_step`, `warning`, `none_gradient`, `slices_gradient`, `skipped_step`."""
    words: set[str] = set()
    for one in want:
        if one.warnings:
            words.add("warning")
        for outcome in _leaves(one.outcome):
            words |= _ANSWER_WORDS.get(type(outcome), set())
    return frozenset(words)


def _leaves(outcome: Outcome) -> Iterator[Outcome]:
    if isinstance(outcome, Nest):
        for item in outcome.items:
            yield from _leaves(item)
    else:
        yield outcome


_ANSWER_WORDS: dict[type, set[str]] = {
    Raised: {"error_step"},
    Skipped: {"skipped_step"},
    Nothing: {"none_gradient"},
    SparseSlices: {"slices_gradient"},
}


class _Reader:
    """Reads steps in order and remembers what later words depend on."""

    def __init__(self) -> None:
        self.words: set[str] = set()
        self.open: list[int] = []
        self.left: set[int] = set()
        self.asked: dict[int, int] = {}
        self.gradients: set[int] = set()
        self.uses: dict[tuple[int, int | None], int] = {}
        self.used_in_ops: set[int] = set()
        self.integers: set[int] = set()
        self.leaves: set[int] = set()
        self.shapes: dict[int, tuple[int, ...]] = {}

    def step(self, at: int, step: lang.Step) -> None:
        """Take in one step."""
        match step:
            case lang.Constant(array):
                self.leaves.add(at)
                self._array(array, at)
            case lang.MakeVariable(initial):
                self.words.add("variables")
                self.leaves.add(at)
                if isinstance(initial, lang.NumPy):
                    self._array(initial.array, at)
            case lang.Call():
                self._call(step)
            case lang.Gradient():
                self._gradient(at, step)
            case lang.InThread():
                self.words.add("thread")
                self._inner(step)
            case _:
                self._tape_step(step)

    def _array(self, array: lang.Array, at: int) -> None:
        self.words |= _dtype_words(array.dtype)
        self.shapes[at] = array.shape
        if array.dtype.startswith(("int", "bool")):
            self.integers.add(at)
        if 0 in array.shape:
            self.words.add("empty")
        parts = [
            part for one in array.values for part in ((one.real, one.imag) if isinstance(one, complex) else (one,))
        ]
        if any(part != part or part in (float("inf"), float("-inf")) for part in parts):
            self.words.add("nonfinite")
        if any(part == 0 for part in parts) or len(set(array.values)) < len(array.values):
            self.words.add("kink")

    def _call(self, step: lang.Call) -> None:
        elementwise = (
            step.op.startswith(("operator.", "math.")) and len(step.args) == 2 and step.op not in _NO_BROADCAST
        )
        operands = [one for arg in step.args for one in (arg.items if isinstance(arg, lang.Items) else (arg,))]
        refs = [(one.step, one.part) for one in operands if isinstance(one, lang.Ref)]
        if len(set(refs)) < len(refs):
            self.words.add("alias")
        for ref in set(refs):
            self.uses[ref] = self.uses.get(ref, 0) + 1
            self.used_in_ops.add(ref[0])
        shapes = {self.shapes[ref[0]] for ref in refs if ref[0] in self.shapes}
        if elementwise and len(shapes) > 1:
            self.words.add("broadcasting")
        if elementwise and any(isinstance(one, lang.Py) for one in operands):
            self.words.add("python_number")
        if any(isinstance(one, lang.NumPy) for one in operands):
            self.words.add("numpy_operand")
        self.words |= {"gathered"} if step.op in _SLICING and refs else set()
        self.words |= {"function"} if step.op == "function" else set()
        self.words |= {"custom_gradient"} if step.op in ("custom_gradient", "recompute_grad") else set()

    def _gradient(self, at: int, step: lang.Gradient) -> None:
        tape = step.tape.step if isinstance(step.tape, lang.Ref) else -1
        self.asked[tape] = self.asked.get(tape, 0) + 1
        targets, sources = refs_in(step.target), refs_in(step.sources)
        if any(ref.step in self.gradients for ref in targets):
            self.words.add("second_order")
        if isinstance(step.target, lang.Items):
            self.words.add("several_targets")
        if isinstance(step.sources, lang.Items):
            self.words.add("nested_sources")
        if any(ref.step not in self.leaves for ref in sources):
            self.words.add("intermediate_source")
        if step.output_gradients is not None:
            self.words.add("output_gradients")
        if step.unconnected_gradients in (lang.Py("zero"), lang.Marker("UnconnectedGradients.ZERO")):
            self.words.add("unconnected_zero")
        elif step.unconnected_gradients is not None:
            self.words.add("unconnected_other")
        self.gradients.add(at)

    def _tape_step(self, step: lang.Step) -> None:
        match step:
            case lang.MakeTape(persistent):
                self.words |= {"persistent"} if persistent == lang.Py(True) else set()
                self.words |= {"odd_flags"} if persistent not in (lang.Py(True), lang.Py(False)) else set()
            case lang.Enter(lang.Ref(context)):
                self.words |= {"nesting"} if self.open else {"side_by_side"} if self.left else set()
                self.words |= {"reenter"} if context in self.left or context in self.open else set()
                self.open.append(context)
            case lang.Exit(lang.Ref(context), raising):
                self.words |= {"exception"} if raising else set()
                self.left.add(context)
                if context in self.open:
                    self.open.remove(context)
            case lang.Watch(_, tensor):
                self._watch(tensor)
            case lang.MakeAccumulator() | lang.Jvp():
                self.words.add("forward_mode")
            case _:
                self.words |= _PLAIN_WORDS.get(type(step), set())

    def _watch(self, tensor: lang.Operand) -> None:
        refs = refs_in(tensor)
        if any(ref.step in self.used_in_ops for ref in refs):
            self.words.add("late_watch")
        if any(ref.step in self.integers for ref in refs):
            self.words.add("integer_watch")
        if not refs or isinstance(tensor, lang.Items):
            self.words.add("odd_watch" if not refs else "watched_nest")

    def _inner(self, step: lang.InThread) -> None:
        if any(isinstance(one, lang.Gradient) for one in step.steps):
            self.words.add("thread_gradient")

    def at_the_end(self) -> set[str]:
        """Words that need the whole program."""
        words = {"reuse"} if any(count > 1 for count in self.uses.values()) else set()
        if any(count > 1 for count in self.asked.values()):
            words.add("asked_twice")
        return words


_SLICING = ("gather", "nn.embedding_lookup")  # their gradients are IndexedSlices
_NO_BROADCAST = ("operator.getitem", "operator.matmul")

_PLAIN_WORDS: dict[type, set[str]] = {
    lang.StopRecording: {"stop_recording"},
    lang.Reset: {"reset"},
    lang.Assign: {"assign"},
    lang.WatchedVariables: {"watched_variables"},
    lang.Same: {"identity"},
    lang.ReadAgain: {"read_again"},
    lang.Jacobian: {"jacobian"},
    lang.Slices: {"slices"},
    lang.Ragged: {"ragged"},
}


def _dtype_words(dtype: str) -> set[str]:
    if dtype.startswith("complex"):
        return {"complex"}
    if dtype in ("float16", "bfloat16"):
        return {"half"}
    if dtype.startswith(("int", "uint")):
        return {"integer"}
    return {dtype} if dtype in ("float64", "bool") else set()


def refs_in(operand: lang.Operand) -> list[lang.Ref]:
    """The references in an operand or nest of operands."""
    match operand:
        case lang.Ref():
            return [operand]
        case lang.Items():
            return [ref for item in operand.items for ref in refs_in(item)]
    return []
