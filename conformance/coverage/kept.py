"""The counts of `tapecheck coverage --each`, kept as JSON with one op a line: `read(path)`, `write(kept, path)`.

A run over some of the ops replaces their lines and leaves the others, so the whole table can be asked in pieces; each
line is what one run counted. Pieces must have asked alike: the same seed, the same TensorFlow.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.coverage.each import CORPUS, RowCounts
from conformance.coverage.reach import beyond, covered, left, reachable
from conformance.optable import TABLE
from conformance.running.plan import PlanError


@dataclass(slots=True)
class Kept:
    """asked: what all pieces have in common. kernels: every registered gradient function, with why the oracle cannot
    run it ("" where it can). rows: by op, in the order of the table; the pinned programs come last."""

    asked: dict[str, Any]
    kernels: dict[str, str]
    rows: dict[str, RowCounts] = field(default_factory=dict)

    @property
    def called(self) -> Counter[str]:
        """How many programs that agreed called each gradient function."""
        total: Counter[str] = Counter()
        for one in self.rows.values():
            total.update(one.kernels)
        return total

    @property
    def covered(self) -> tuple[str, ...]:
        """The gradient functions within reach that were called."""
        return covered(self.kernels, self.called)

    @property
    def left(self) -> dict[str, str]:
        """What is within reach and was not called, with its reason."""
        return left(self.kernels, self.called)

    @property
    def unreachable(self) -> dict[str, str]:
        """What cannot be reached, with its reason."""
        return beyond(self.kernels)

    @property
    def ops(self) -> dict[str, RowCounts]:
        """The counts without those of the pinned programs."""
        return {name: one for name, one in self.rows.items() if name != CORPUS}

    def faults(self, each: int, names: Iterable[str] | None = None) -> list[str]:
        """What is lacking, a line each, where so many programs of each op are to agree: of the ops named, or of all."""
        wanted = self.rows if names is None else {name: self.rows[name] for name in names}
        return [
            f"{name}: {fault}" for name, one in wanted.items() for fault in one.faults(0 if name == CORPUS else each)
        ]

    def enough(self, each: int) -> frozenset[str]:
        """The ops that need not be asked again: they lack nothing."""
        return frozenset(name for name in self.rows if not self.faults(each, [name]))

    def told(self) -> str:
        """The counts as text."""
        ops = self.ops.values()
        verdicts = sum((one.verdicts for one in ops), Counter[str]())
        spread = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
        counted = sum(one.counted for one in ops)
        hit, refused, missed = (sum(len(getattr(one, name)) for one in ops) for name in ("hits", "refused", "missed"))
        lines = [
            f"{len(self.ops)} of {len(TABLE)} ops: {verdicts.total()} programs, of which {counted} count ({spread})",
            f"{hit} of {hit + refused + missed} goals hit (attribute values, kinks, ties, dtypes, ranks, shapes); "
            f"TensorFlow refuses {refused}",
            f"covered {len(self.covered)} / {len(reachable(self.kernels))} of TensorFlow's gradient functions",
        ]
        if len(self.ops) == len(TABLE):
            lines += [f"  left: {name}: {why}" for name, why in self.left.items()]
        return "\n".join(lines)

    def add(self, name: str, counts: RowCounts) -> None:
        """Keep the counts of an op in place of what was there."""
        self.rows[name] = counts
        order = {one.name: at for at, one in enumerate(TABLE)}
        self.rows = dict(sorted(self.rows.items(), key=lambda item: order.get(item[0], len(order))))


def opened(path: Path | None, asked: dict[str, Any], kernels: dict[str, str]) -> Kept:
    """The counts in a file, to be added to; none where there is no file. PlanError where it was asked otherwise."""
    if path is None or not path.exists():
        return Kept(asked, kernels)
    before = read(path)
    if before.asked != asked:
        raise PlanError(f"{path} holds counts of {before.asked}, which cannot be joined with {asked}.")
    return Kept(asked, kernels, before.rows)


def read(path: Path) -> Kept:
    """The counts in a file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return Kept(found["asked"], found["kernels"], {name: _counts(plain) for name, plain in found["rows"].items()})


def write(kept: Kept, path: Path) -> None:
    """Keep the counts, one op a line; the file is whole at any time."""
    lines = ",\n".join(f"{_text(name)}: {_text(_plain(one))}" for name, one in kept.rows.items())
    text = f'{{"asked": {_text(kept.asked)},\n"kernels": {_text(kept.kernels)},\n"rows": {{\n{lines}\n}}}}\n'
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def _text(plain: Any) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"))


_COUNTERS = ("verdicts", "hits", "refused", "traits", "kernels", "titles")


def _plain(one: RowCounts) -> dict[str, Any]:
    found: dict[str, Any] = {"asked": one.asked, "counted": one.counted}
    found |= {"missed": list(one.missed)} if one.missed else {}
    return found | {name: dict(getattr(one, name)) for name in _COUNTERS if getattr(one, name)}


def _counts(plain: Mapping[str, Any]) -> RowCounts:
    counters = {name: Counter(plain.get(name, {})) for name in _COUNTERS}
    return RowCounts(plain["asked"], plain["counted"], missed=tuple(plain.get("missed", ())), **counters)
