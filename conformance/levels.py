"""Named levels, so that a badge means something: core, persistent, higher-order, full.

A level is a set of features; it holds those before it. A program belongs to the lowest level that has all it needs, a
rule to the highest level among its pinned programs. `--level NAME` asks nothing beyond a level, and every report says
for each level how many of its rules and programs agree, out of how many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from adapters.backend import FEATURES
from conformance.capabilities.needs import needs_of

_MORE_DTYPES = frozenset({"complex", "half"})


@dataclass(frozen=True, slots=True)
class Level:
    """A level: its name, what it is in one sentence, and the features that it adds to those before it."""

    name: str
    sentence: str
    adds: frozenset[str]


LEVELS: tuple[Level, ...] = (
    Level(
        "core",
        "first-order gradients of one tape: watching, sources and targets in nests, None where nothing is connected",
        frozenset({"variables", "nests", "output_gradients", "unconnected_gradients"}),
    ),
    Level(
        "persistent",
        "the life of tapes: persistent ones, several of them, stopping, resetting, re-entering, refusing misuse",
        frozenset(
            {
                "persistent",
                "several_tapes",
                "open_tapes",
                "stop_recording",
                "reset",
                "watched_variables",
                "assign",
                "numpy_operands",
                "host_values",
            }
        ),
    ),
    Level(
        "higher-order",
        "tapes inside tapes, gradients of gradients, jacobians, forward mode",
        frozenset({"nesting", "jacobian", "forward_mode"}),
    ),
    Level(
        "full",
        "everything: custom gradients, functions, slices, ragged tensors, complex and half precision",
        frozenset(FEATURES),
    ),
)
NAMES = tuple(level.name for level in LEVELS)


def features_up_to(name: str) -> frozenset[str]:
    """The features of a level and of those before it. ValueError when there is no such level."""
    return frozenset().union(*(level.adds for level in LEVELS[: NAMES.index(name) + 1]))


def level_of(words: Iterable[str]) -> str:
    """The lowest level that a program with these words (see `needs.words_of`) belongs to."""
    used = frozenset(words)
    if used & _MORE_DTYPES:
        return NAMES[-1]
    needed = needs_of(used)
    return next(level.name for level in LEVELS if needed <= features_up_to(level.name))


def within(words: Iterable[str], level: str | None) -> bool:
    """Whether a program with these words asks nothing beyond a level (None: beyond nothing)."""
    return level is None or NAMES.index(level_of(words)) <= NAMES.index(level)
