"""The rules: what a tape does, each as one sentence with a permanent id, and the programs that show it.

`all_rules()` is the table, `find("WATCH-03")` one rule, `programs_of(rule)` the hand-written programs that show it.
Rules live in one module per group under `rule_groups/`; a group's module makes a `Group` and adds rules to it:

    LIFE = Group("LIFE", "Life of a tape", source="tf.GradientTape")

    @LIFE.rule("LIFE-01", "Ops on a watched tensor are recorded and can be differentiated after the block.", DOCUMENTED)
    def _(tf): ...

An id is never renumbered or reused. A rule whose programs the language cannot express says why (`not_pinned`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

from adapters.language import Program
from conformance.handwritten import written

DOCUMENTED = "documented"
OBSERVED = "observed"
AGAINST_DOCS = "against the docs"
AGAINST_MATHS = "against the mathematics"
STANDINGS = (DOCUMENTED, OBSERVED, AGAINST_DOCS, AGAINST_MATHS)

GROUPS = (
    "life", "watch", "variables", "targets", "sources", "output_gradients", "unconnected", "integers", "slices",
    "dtypes", "complex", "order", "higher", "several", "threads", "forward", "custom", "stop", "recompute",
    "pass_through", "registry", "graph_gradients", "internals", "jacobian", "batch_jacobian", "functions",
    "elementwise", "ties", "shapes", "special", "zero_upstream", "miscellaneous", "relations",
)  # fmt: skip


class RuleError(LookupError):
    """There is no rule of that id."""


Writer = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id, its sentence, where it stands, which public name (or page) it is about, its programs."""

    id: str
    sentence: str
    standing: str
    source: str
    writers: tuple[Writer, ...] = ()
    not_pinned: str = ""

    @property
    def group(self) -> str:
        return self.id.partition("-")[0]


@dataclass
class Group:
    """Rules that share a prefix and a title; `source` is what a rule is about unless it says otherwise."""

    prefix: str
    title: str
    source: str
    rules: dict[str, Rule] = field(default_factory=dict)

    def rule(self, id: str, sentence: str, standing: str = OBSERVED, source: str = "") -> Callable[[Writer], Writer]:
        """Decorate the writer of the program that shows a new rule."""

        def add(writer: Writer) -> Writer:
            self._add(Rule(id, sentence, standing, source or self.source, (writer,)))
            return writer

        return add

    def also(self, id: str) -> Callable[[Writer], Writer]:
        """Decorate the writer of one more program of a rule that exists."""

        def add(writer: Writer) -> Writer:
            rule = self.rules[id]
            self.rules[id] = replace(rule, writers=(*rule.writers, writer))
            return writer

        return add

    def shown_by(self, id: str, sentence: str, *writers: Writer, standing: str = OBSERVED, source: str = "") -> None:
        """Add a rule with ready-made writers."""
        self._add(Rule(id, sentence, standing, source or self.source, writers))

    def not_pinned(self, id: str, sentence: str, reason: str, standing: str = OBSERVED, source: str = "") -> None:
        """Add a rule that no program of the language can show, and say why."""
        self._add(Rule(id, sentence, standing, source or self.source, (), reason))

    def _add(self, rule: Rule) -> None:
        if rule.id in self.rules or rule.group != self.prefix or rule.standing not in STANDINGS:
            raise ValueError(f"rule {rule.id} is already there, of another group, or of an unknown standing")
        self.rules[rule.id] = rule


def gradient_at(function: Callable[..., Any], *inputs: Any, dtype: str | None = None, **options: Any) -> Writer:
    """The writer of the commonest program: watch `inputs`, call `function(tf, *inputs)`, take the gradient."""

    def write(tf: Any) -> None:
        values = [tf.constant(value, dtype) for value in inputs]
        with tf.GradientTape() as t:
            for value in values:
                t.watch(value)
            y = function(tf, *values)
        t.gradient(y, values if len(values) > 1 else values[0], **options)

    return write


@cache
def groups() -> tuple[Group, ...]:
    """All groups, in the order of the guide; those that share a prefix are merged."""
    merged: dict[str, Group] = {}
    for name in GROUPS:
        group = import_module(f"conformance.rule_groups.{name}").GROUP
        into = merged.setdefault(group.prefix, Group(group.prefix, group.title, group.source))
        for rule in group.rules.values():
            into._add(rule)
    return tuple(merged.values())


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, sorted by group and number."""
    return tuple(rule for group in groups() for _, rule in sorted(group.rules.items(), key=lambda kv: _place(kv[0])))


def find(id: str) -> Rule:
    """The rule of that id; RuleError, with the nearest ids, when there is none."""
    rule = _by_id().get(id.upper())
    if rule is None:
        near = get_close_matches(id.upper(), _by_id(), n=3)
        raise RuleError(f"there is no rule {id!r}" + (f"; did you mean {', '.join(near)}?" if near else ""))
    return rule


def programs_of(rule: Rule) -> tuple[Program, ...]:
    """The rule's hand-written programs, shortest first."""
    return tuple(sorted((written(writer) for writer in rule.writers), key=lambda program: len(program.steps)))


@cache
def _by_id() -> dict[str, Rule]:
    return {rule.id: rule for rule in all_rules()}


def _place(id: str) -> tuple[str, int]:
    prefix, _, number = id.partition("-")
    return prefix, int(number)
