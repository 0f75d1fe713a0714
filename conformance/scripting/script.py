"""A program as text that runs on plain TensorFlow: `script(program, want)`.

The text starts `import tensorflow as tf`, uses `with` where blocks nest, and prints what each step answered, beside
the wanted answer as a comment. `try` stands around exactly the steps that raised in the wanted answer, so the script is
a function of program and wanted answer (`None`: nothing is known, nothing is caught). `code_lines` gives one line per
step for traces, and `expected_output` what the script prints on a tape that gives the wanted answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adapters import language as lang
from adapters.observations import Nest, Observation, Outcome, Raised, Skipped, Variable
from conformance.scripting.arrays import constant_text, holds_slices, printed, printed_apart, variable_text
from conformance.scripting.blocks import Block, blocks_of
from conformance.scripting.names import Names
from conformance.scripting.spelling import Scope, Speller, special_names

LONGEST_COMMENT = 160

Want = Sequence[Observation] | None
_IMPORTS = {"numpy": "import numpy as np"}
_MAKE_NOTHING = (lang.Enter, lang.Exit, lang.Watch, lang.Reset, lang.ResumeRecording)
_NAME_OF = [
    "def name_of(variable):",
    "    return next(name for name, value in globals().items() if value is variable)",
    "",
]


def script(program: lang.Program, want: Want = None) -> str:
    """The program as a script; see the module docstring."""
    writer = _Writer.for_program(program)
    writer.steps(program.steps, want)
    modules = writer.speller.modules
    helper = _NAME_OF if "name_of" in modules else []
    return "\n".join([*_imports(modules - {"name_of"}), "", *helper, *writer.lines]) + "\n"


def code_lines(program: lang.Program, want: Want = None) -> tuple[str, ...]:
    """One line of code per step, for traces: no prints, blocks only hinted at, `;` where a step takes several."""
    writer = _Writer.for_program(program)
    blocks = blocks_of(program.steps, want)
    ends = {block.end for block in blocks.values()}
    lines = []
    for at, step in enumerate(program.steps):
        if isinstance(step, lang.Enter) and at in blocks:
            lines.append(f"with {writer.speller.operand(step.context)}:")
        elif isinstance(step, lang.Exit) and at in ends:
            how = "an exception leaves" if step.raising else "leave"
            lines.append(f"# {how} the block of {writer.speller.operand(step.context)}")
        elif isinstance(step, lang.InThread):
            lines.append(f"# in another thread: {'; '.join(writer.inner_lines(at, step))}")
        else:
            lines.append("; ".join([*writer.plain(at, step)]))
        writer.speller.take_definitions()
    return tuple(lines)


def expected_output(program: lang.Program, want: Sequence[Observation]) -> tuple[str, ...]:
    """The lines that the script prints where the wanted answer is given, white space collapsed."""
    writer = _Writer.for_program(program)
    writer.steps(program.steps, want)
    return tuple(writer.expected)


def _imports(modules: set[str]) -> list[str]:
    """TensorFlow first: what one sees at a glance."""
    special = sorted(modules & {"nan", "inf"})
    others = [_IMPORTS.get(name, f"import {name}") for name in sorted(modules - {"nan", "inf"})]
    return ["import tensorflow as tf", *others, *([f"from math import {', '.join(special)}"] if special else [])]


@dataclass(slots=True)
class _Writer:
    """Writes the steps of one scope, line by line."""

    speller: Speller
    lines: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    depth: int = 0

    @classmethod
    def for_program(cls, program: lang.Program) -> _Writer:
        names = Names()
        speller = Speller(names, [Scope(names.of_steps(program.steps), program.steps)], _definition)
        for at, step in enumerate(program.steps):
            if isinstance(step, lang.InThread):
                speller.scopes[0].inner[at] = names.of_steps(step.steps)
        return cls(speller)

    @property
    def scope(self) -> Scope:
        return self.speller.scopes[-1]

    def put(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line for line in lines]

    # ---------------------------------------------------------------- sequences

    def steps(self, steps: Sequence[lang.Step], want: Want) -> None:
        """All steps, with their blocks, guards and prints."""
        blocks = blocks_of(steps, want)
        made = {block.made for block in blocks.values()}
        ends = _ends(blocks)
        for at, step in enumerate(steps):
            outcome = None if want is None else want[at].outcome
            for block in ends.get(at, ()):
                self._close(block)
            if at in blocks:
                self._open(blocks[at], step, steps)
            elif at not in made and not ends.get(at):
                self._statement(at, step, outcome)
        for block in ends.get(len(steps), ()):
            self._close(block)

    def _open(self, block: Block, step: lang.Step, steps: Sequence[lang.Step]) -> None:
        if block.raising:
            self.put("try:")
            self.depth += 1
        self.put(f"with {self._context(block, step, steps)}:")
        self.depth += 1
        self.lines.append("")  # replaced by the block's first line, or by `pass`
        self.lines.pop()

    def _context(self, block: Block, step: lang.Step, steps: Sequence[lang.Step]) -> str:
        if isinstance(step, lang.StopRecording):
            return f"{self.speller.operand(step.tape)}.stop_recording()"
        assert isinstance(step, lang.Enter)
        name = self.speller.operand(step.context)
        if block.made is None:
            return name
        return f"{self._value(block.made, steps[block.made])} as {name}"

    def _close(self, block: Block) -> None:
        opening = "    " * (self.depth - 1) + "with "
        if block.raising:
            self.put('raise RuntimeError("passes through the block")')
        elif self.lines and self.lines[-1].startswith(opening):
            self.put("pass")
        self.depth -= 1
        if block.raising:
            self.depth -= 1
            self.put("except RuntimeError:", "    pass")

    def _statement(self, at: int, step: lang.Step, outcome: Outcome | None) -> None:
        lines = self.plain(at, step) if not isinstance(step, lang.InThread) else self._thread(at, step, outcome)
        self.put(*self.speller.take_definitions())
        if isinstance(outcome, Skipped):
            self.put(*(f"# not run: {line}" for line in lines))
        elif isinstance(outcome, Raised):
            self._guarded(lines, outcome)
        else:
            self.put(*lines)
            self._print(at, step, outcome)

    def _guarded(self, lines: list[str], outcome: Raised) -> None:
        first = (outcome.message.splitlines() or [""])[0]
        self.put("try:", *(f"    {line}" for line in lines))
        self.put(f"except {_caught(outcome.cls)} as error:  # {outcome.cls}: {first}"[:240])
        self.put("    print(type(error).__name__ + ':', error)")
        self.expected.append(f"{outcome.cls.split('.')[-1]}: {first}".strip())

    def _print(self, at: int, step: lang.Step, outcome: Outcome | None) -> None:
        if not _answers(step):
            return
        name = self.scope.names[at]
        shown, wanted = name, None
        if isinstance(outcome, Nest) and holds_slices(outcome):
            shown, wanted = f"*{name}{'.values()' if outcome.kind == 'dict' else ''}", printed_apart(outcome)
        elif outcome is not None:
            wanted = self._wanted(step, outcome)
        if outcome is not None and wanted is None:
            return
        self.put(f'print("{name} =", {shown}){_comment(wanted)}')
        if wanted is not None:
            self.expected.append(f"{name} = {wanted}")

    def _wanted(self, step: lang.Step, outcome: Outcome) -> str | None:
        if not isinstance(step, lang.WatchedVariables) or not isinstance(outcome, Nest):
            return printed(outcome)
        names = self.speller.scopes[0].names
        made = self.speller.scopes[0].steps
        found = [item.step for item in outcome.items if isinstance(item, Variable)]
        return (
            str([names[at] for at in found]) if all(isinstance(made[at], lang.MakeVariable) for at in found) else None
        )

    # ---------------------------------------------------------------- steps

    def plain(self, at: int, step: lang.Step) -> list[str]:
        """The lines of one step, without guard or print."""
        name = self.scope.names[at]
        spell = self.speller.operand
        match step:
            case lang.Enter(context):
                return [f"{spell(context)}.__enter__()"]
            case lang.Exit(context, raising):
                return [f"{spell(context)}.__exit__({_passing(raising)})"]
            case lang.Watch(tape, tensor):
                return [f"{spell(tape)}.watch({spell(tensor)})"]
            case lang.Reset(tape):
                return [f"{spell(tape)}.reset()"]
            case lang.StopRecording(tape):
                return [f"{name} = {spell(tape)}.stop_recording()", f"{name}.__enter__()"]
            case lang.ResumeRecording(context, raising):
                return [f"{spell(context)}.__exit__({_passing(raising)})"]
            case lang.Assign(variable, value, how):
                return [f"{name} = {spell(variable)}.{how}({spell(value)})"]
            case lang.ReadAgain(value):
                self.speller.modules.add("numpy")
                read = f"np.asarray({spell(value)}.numpy())"
                return [f"copy = {read}.copy()", "copy[...] = 0", f"{name} = {spell(value)}"]
            case lang.AliveAfterDelete(value):
                self.speller.modules |= {"weakref", "gc"}
                held = spell(value)
                return [f"alive = weakref.ref({held})", f"del {held}", "gc.collect()", f"{name} = alive() is not None"]
            case lang.InThread():
                return self._thread(at, step, None)
            case lang.Call("python.raise"):
                return [self.speller.call(step)]
        return [f"{name} = {self._value(at, step)}"]

    def _value(self, at: int, step: lang.Step) -> str:
        """The expression of a step that makes something."""
        spell = self.speller.operand
        match step:
            case lang.Constant(array):
                self.speller.modules |= special_names(array)
                return constant_text(array)
            case lang.MakeVariable(lang.NumPy(array), trainable):
                self.speller.modules |= special_names(array)
                return variable_text(array, trainable)
            case lang.MakeVariable(initial, trainable):
                return f"tf.Variable({spell(initial)}{'' if trainable else ', trainable=False'})"
            case lang.MakeTape():
                return f"tf.GradientTape({_tape_options(step, spell)})"
            case lang.Call():
                return self.speller.call(step)
            case lang.Invoke(function, args, kwargs):
                given = [*map(spell, args), *(f"{key}={spell(value)}" for key, value in kwargs)]
                return f"{spell(function)}({', '.join(given)})"
            case lang.Same(left, right):
                return f"{spell(left)} is {spell(right)}"
            case lang.WatchedVariables(tape):
                self.speller.modules.add("name_of")
                return f"[name_of(one) for one in {spell(tape)}.watched_variables()]"
            case lang.Slices(values, indices, dense_shape):
                return f"tf.IndexedSlices({spell(values)}, {spell(indices)}, {spell(dense_shape)})"
            case lang.Ragged(values, row_splits):
                return f"tf.RaggedTensor.from_row_splits({spell(values)}, {spell(row_splits)})"
            case lang.MakeAccumulator(primals, tangents):
                return f"tf.autodiff.ForwardAccumulator({spell(primals)}, {spell(tangents)})"
        return self._question(step)

    def _question(self, step: lang.Step) -> str:
        spell = self.speller.operand
        match step:
            case lang.Gradient(tape, target, sources):
                options = self._options(step, ("output_gradients", "unconnected_gradients"))
                return f"{spell(tape)}.gradient({spell(target)}, {spell(sources)}{options})"
            case lang.Jacobian(tape, target, sources, batch):
                options = self._options(step, ("unconnected_gradients", "parallel_iterations", "experimental_use_pfor"))
                method = "batch_jacobian" if batch else "jacobian"
                return f"{spell(tape)}.{method}({spell(target)}, {spell(sources)}{options})"
            case lang.Jvp(accumulator, primals):
                return f"{spell(accumulator)}.jvp({spell(primals)}{self._options(step, ('unconnected_gradients',))})"
        raise TypeError(f"{step!r} is no step")

    def _options(self, step: lang.Step, names: tuple[str, ...]) -> str:
        given = [(name, getattr(step, name)) for name in names]
        return "".join(f", {name}={self.speller.operand(value)}" for name, value in given if value is not None)

    def inner_lines(self, at: int, step: lang.InThread) -> list[str]:
        """The lines of a thread's steps."""
        scope = Scope(self.scope.inner[at], step.steps)
        inner = _Writer(Speller(self.speller.names, [*self.speller.scopes, scope], _definition))
        return [line for each, one in enumerate(step.steps) for line in inner.plain(each, one)]

    def _thread(self, at: int, step: lang.InThread, outcome: Outcome | None) -> list[str]:
        """A function, and a thread that runs it; what the steps make is global."""
        self.speller.modules.add("threading")
        names = self.scope.inner.get(at) or self.speller.names.of_steps(step.steps)
        inner = _Writer(Speller(self.speller.names, [*self.speller.scopes, Scope(names, step.steps)], _definition))
        inner.speller.modules = self.speller.modules
        items = outcome.items if isinstance(outcome, Nest) else None
        inner.steps(step.steps, None if items is None else [Observation(item) for item in items])
        self.expected += inner.expected
        name = self.scope.names[at]
        made = [one for one, each in zip(names, step.steps) if not isinstance(each, _MAKE_NOTHING)]
        body = [f"global {', '.join(made)}", *inner.lines] if made else inner.lines
        run = [f"thread = threading.Thread(target={name})", "thread.start()", "thread.join()"]
        return [f"def {name}():", *(f"    {line}" for line in body), *run]


def _definition(speller: Speller, function: lang.Function, name: str) -> list[str]:
    """The lines that define a function among the operands."""
    count = function.parameters - (function.keyword is not None)
    parameters = [speller.names.fresh(("p", "q", "r")) for _ in range(count)]
    named = [*parameters, *([function.keyword] if function.keyword else [])]
    signature = ", ".join([*parameters, *(["*", f"{function.keyword}=None"] if function.keyword else [])])
    scope = Scope(speller.names.of_steps(function.steps), function.steps, named)
    inner = _Writer(Speller(speller.names, [*speller.scopes, scope], _definition))
    inner.speller.modules = speller.modules
    for at, step in enumerate(function.steps):
        lines = inner.plain(at, step)
        inner.put(*inner.speller.take_definitions(), *lines)
    returns = inner.speller.operand(function.returns)
    inner.put(*inner.speller.take_definitions(), f"return {returns}")
    return [f"def {name}({signature}):", *(f"    {line}" for line in inner.lines)]


def _ends(blocks: dict[int, Block]) -> dict[int, list[Block]]:
    """The blocks that each step closes, the innermost first."""
    ends: dict[int, list[Block]] = {}
    for block in sorted(blocks.values(), key=lambda one: -one.start):
        ends.setdefault(block.end, []).append(block)
    return ends


def _answers(step: lang.Step) -> bool:
    asked = (lang.Gradient, lang.Jacobian, lang.Jvp, lang.WatchedVariables)
    looked = (lang.Call, lang.Invoke, lang.Same, lang.ReadAgain, lang.AliveAfterDelete)
    return isinstance(step, asked + looked)


def _comment(wanted: str | None) -> str:
    if wanted is None:
        return ""
    return f"  # {wanted}" if len(wanted) <= LONGEST_COMMENT else f"  # {wanted[:LONGEST_COMMENT]} ..."


def _tape_options(step: lang.MakeTape, spell: object) -> str:
    given = []
    if repr(step.persistent) != repr(lang.Py(False)):  # 0 == False, and yet another setting
        given.append(f"persistent={spell(step.persistent)}")  # type: ignore[operator]
    if repr(step.watch_accessed_variables) != repr(lang.Py(True)):
        given.append(f"watch_accessed_variables={spell(step.watch_accessed_variables)}")  # type: ignore[operator]
    return ", ".join(given)


def _passing(raising: bool) -> str:
    return 'RuntimeError, RuntimeError("passes through the block"), None' if raising else "None, None, None"


def _caught(cls: str) -> str:
    import builtins

    if cls.startswith("errors."):
        return f"tf.{cls}"
    return cls if hasattr(builtins, cls) else "Exception"
