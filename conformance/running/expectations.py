"""Expected deviations: what a tape does differently on purpose, one JSON file per tape.

    [{"rule": "ORDER-13", "kind": "never", "reason": "TensorFlow takes this order from a hash map."},
     {"signature": ["nn.relu", "tensor", "none", "float"], "shown_by": "NUM-04", "kind": "not yet", "reason": "..."}]

In a signature `*` stands for anything, `nan|zeros` for either, `a value` for any numbers (`tensor|zeros|nan|infinite`)
and `another value` for any other numbers than wanted, but not for another sign of zero, dtype or shape.

`"uses": ["maximum", "math.maximum"]` narrows an entry to causes where the answer that differs rests on one of these ops
(where an op ties, the signature names what came after it), or, with an option's name such as `output_gradients`, was
asked for with that option. `"of": "gradient"` narrows it to gradients that differ, `"second gradient"` to gradients of
gradients, `"jacobian"` to jacobians, `"value"` to values of ops. Where the tape's process died, each answer of the
program rests on all of its ops.

An entry fits by rule (its pinned programs), or by a cause's signature, never by the id of a generated program. `kind`
is `never`, `not yet` or `TensorFlow's fault`. `shown_by` names a rule whose pinned programs fall to a signature. When
the programs of an entry's rule are asked and agree, the entry is stale, and that fails the run. What no pinned program
shows cannot go stale.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from adapters.language import Call, Gradient, Jacobian, Program
from adapters.program_json import from_json
from conformance import rules
from conformance.judging.causes import ops_in, steps_behind
from conformance.running.plan import PlanError
from reports.records import Cause, RuleResult, Stale

SHIPPED = Path(__file__).parents[1] / "expected"
KINDS = ("never", "not yet", "TensorFlow's fault")
OF = ("gradient", "second gradient", "jacobian", "value")
OPTIONS = ("output_gradients", "unconnected_gradients")  # of a gradient, that an entry may name

_VALUES = ("tensor", "zeros", "nan", "infinite")
GROUPS = {
    "a value": _VALUES,
    "another value": (*_VALUES, "other value", "other zero", "other sign", "other finite"),
}  # of kinds, by the name that stands for them in a signature


@dataclass(frozen=True, slots=True)
class Expected:
    """One expected deviation."""

    kind: str
    reason: str
    rule: str | None = None
    signature: tuple[str, ...] | None = None
    shown_by: str | None = None
    uses: tuple[str, ...] = ()
    of: str | None = None

    def fits(self, cause: Cause) -> bool:
        """Whether this entry speaks of that cause."""
        pinned = cause.rule if cause.attribution == "pinned" else None
        by_rule = self.rule is not None and self.rule == pinned
        return by_rule or self.fits_signature(cause.signature, used_in(cause) if self.uses or self.of else ())

    def fits_signature(self, signature: Sequence[str], used: Collection[str]) -> bool:
        """Whether this entry speaks of causes of that signature, whose answer is told by these words of `used`."""
        if self.signature is None:
            return self.rule is not None and self.rule == signature[0]
        if (self.uses and not set(self.uses) & set(used)) or (self.of is not None and self.of not in used):
            return False
        return len(self.signature) == len(signature) and all(map(_fits, self.signature, signature))


def _fits(pattern: str, part: str) -> bool:
    """Whether a part of a signature is one that an entry names: by itself, by a pattern, or by a group of kinds."""
    either = [each for one in pattern.split("|") for each in GROUPS.get(one, (one,))]
    return pattern == part or any(fnmatchcase(part, one.replace("[", "[[]")) for one in either)


def used_in(cause: Cause) -> set[str]:
    """The words of `used` for the first answer that differs."""
    at = next((line.step for line in cause.trace if line.mark == "differs"), None)
    program = from_json(cause.program)
    if cause.signature[2] == "crashed":
        return {op for step in program.steps for op in ops_in(step)}
    return used(program, len(program.steps) - 1 if at is None else at)


def used(program: Program, at: int) -> set[str]:
    """The ops that the answer of step `at` rests on, whether it is a gradient or a value, and a gradient's options."""
    step, behind = program.steps[at], [program.steps[one] for one in steps_behind(program, at) if one != at]
    words = {op for one in (*behind, step) for op in ops_in(one)}
    match step:
        case Call():
            words.add("value")
        case Gradient() | Jacobian():
            words |= {"gradient"} | {name for name in OPTIONS if getattr(step, name, None) is not None}
            words |= {"second gradient" for one in behind if isinstance(one, Gradient | Jacobian)}
            words |= {"jacobian"} if isinstance(step, Jacobian) else set()
    return words


def load(implementation: str, path: str | None = None) -> tuple[Expected, ...]:
    """The expected deviations of an implementation: those of a file, or the ones that ship, or none."""
    file = Path(path) if path is not None else SHIPPED / f"{implementation}.json"
    if path is None and not file.exists():
        return ()
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PlanError(f"The expectation file {file} cannot be read: {error}.") from error
    if not isinstance(entries, list):
        raise PlanError(f"The expectation file {file} must hold a list of entries.")
    return tuple(_entry(plain, number, file) for number, plain in enumerate(entries, 1))


def _entry(plain: Any, number: int, file: Path) -> Expected:
    known = {"kind", "reason", "rule", "signature", "shown_by", "uses", "of"}
    if not isinstance(plain, dict) or not plain.keys() <= known or not {"kind", "reason"} <= plain.keys():
        raise PlanError(f"Entry {number} of {file} must have kind, reason, and a rule or a signature.")
    if plain["kind"] not in KINDS:
        raise PlanError(f"Entry {number} of {file}: kind is {plain['kind']!r}; it must be one of {', '.join(KINDS)}.")
    if ("rule" in plain) == ("signature" in plain):
        raise PlanError(f"Entry {number} of {file} must have either a rule or a signature.")
    for name in ("rule", "shown_by"):
        if name in plain and plain[name] not in {rule.id for rule in rules.all_rules()}:
            raise PlanError(f"Entry {number} of {file}: there is no rule {plain[name]!r}.")
    if plain.get("of", "gradient") not in OF:
        raise PlanError(f"Entry {number} of {file}: `of` is {plain['of']!r}; it must be one of {', '.join(OF)}.")
    signature = tuple(plain["signature"]) if "signature" in plain else None
    uses = tuple(plain.get("uses", ()))
    return Expected(
        plain["kind"], plain["reason"], plain.get("rule"), signature, plain.get("shown_by"), uses, plain.get("of")
    )


def mark(cause: Cause, expected: Sequence[Expected]) -> Cause:
    """The cause, with the reason of the entry that expects it."""
    for entry in expected:
        if entry.fits(cause):
            return replace(cause, expected=entry.reason, expected_kind=entry.kind)
    return cause


def stale(expected: Sequence[Expected], results: Sequence[RuleResult]) -> list[Stale]:
    """The entries whose rule was asked and holds."""
    passed = {result.rule for result in results if result.status == "passed"}
    ruled = [(entry.rule or entry.shown_by, entry) for entry in expected]
    return [Stale(rule, entry.kind, entry.reason) for rule, entry in ruled if rule is not None and rule in passed]
