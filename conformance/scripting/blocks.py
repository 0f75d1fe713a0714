"""Which steps of a program open and close `with` blocks.

`blocks_of(steps, want)` finds the entries that can be written as `with` because they nest lexically: each is left once,
innermost first, and neither entering nor leaving raised in the wanted answer. An entry that is never left is closed by
the end of the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adapters import language as lang
from adapters.observations import Observation, Raised, Skipped


@dataclass(frozen=True, slots=True)
class Block:
    """A `with` block: the steps that open and close it, and whether an exception passes through its end."""

    start: int
    end: int
    raising: bool
    made: int | None  # the step that made the context, where the `with` line can make it itself


def blocks_of(steps: Sequence[lang.Step], want: Sequence[Observation] | None) -> dict[int, Block]:
    """The blocks by the step that opens them."""
    found = [block for block in (_block(steps, at) for at in range(len(steps))) if block is not None]
    found = [block for block in found if not _fails(block.start, want) and not _fails(block.end, want)]
    kept: list[Block] = []
    for block in found:
        if not any(_cross(one, block) for one in kept):
            kept.append(block)
    return {block.start: block for block in kept}


def _block(steps: Sequence[lang.Step], at: int) -> Block | None:
    match steps[at]:
        case lang.Enter(lang.Ref() as context):
            end, raising = _end(steps, at, context)
            return Block(at, end, raising, _made_here(steps, at, context))
        case lang.StopRecording():
            for later in range(at + 1, len(steps)):
                step = steps[later]
                if isinstance(step, lang.ResumeRecording) and step.context == lang.Ref(at):
                    return Block(at, later, step.raising, None)
            return Block(at, len(steps), False, None)
    return None


def _end(steps: Sequence[lang.Step], at: int, context: lang.Ref) -> tuple[int, bool]:
    for later in range(at + 1, len(steps)):
        step = steps[later]
        if isinstance(step, lang.Exit) and step.context == context:
            return later, step.raising
    return len(steps), False


def _made_here(steps: Sequence[lang.Step], at: int, context: lang.Ref) -> int | None:
    """The step before, if it makes the context: `with tf.GradientTape() as tape` says both."""
    before = steps[at - 1] if at else None
    if context == lang.Ref(at - 1) and isinstance(before, (lang.MakeTape, lang.MakeAccumulator)):
        return at - 1
    return None


def _fails(at: int, want: Sequence[Observation] | None) -> bool:
    return want is not None and at < len(want) and isinstance(want[at].outcome, (Raised, Skipped))


def _cross(one: Block, other: Block) -> bool:
    """Whether two blocks overlap without one holding the other (two that end together hold each other too)."""
    if one.end == other.end:
        return one.end < 10**9 and one.start == other.start
    first, second = (one, other) if one.start < other.start else (other, one)
    return first.start < second.start < first.end < second.end
