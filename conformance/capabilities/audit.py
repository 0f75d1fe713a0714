"""What a run showed of a tape's claims and named levels, in records: `capabilities(...)`, `level_results(...)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from adapters.backend import FEATURES
from conformance import corpus, optable
from conformance.capabilities.able import Able
from conformance.capabilities.needs import needs_of, words_of
from conformance.generating.moves.values import DTYPES
from conformance.levels import LEVELS, NAMES, level_of
from reports.records import Capability, LevelResult, Outcome, RuleResult

_AGREE, _UNSUPPORTED = ("agrees", "ill-conditioned"), "unsupported"


def level_results(outcomes: Sequence[Outcome], rules: Iterable[RuleResult]) -> list[LevelResult]:
    """How each level fared. A rule belongs to the highest level among its pinned programs."""
    statuses: dict[str, Counter[str]] = {name: Counter() for name in NAMES}
    levels = rule_levels()
    for rule in rules:
        if rule.rule in levels:
            statuses[levels[rule.rule]][rule.status] += 1
    verdicts: dict[str, Counter[str]] = {name: Counter() for name in NAMES}
    for one in outcomes:
        verdicts[level_of(one.features)][one.verdict] += 1
    return [
        LevelResult(
            level.name,
            order,
            level.sentence,
            statuses[level.name]["passed"],
            statuses[level.name].total(),
            sum(verdicts[level.name][word] for word in _AGREE),
            verdicts[level.name].total() - verdicts[level.name][_UNSUPPORTED],
            verdicts[level.name].total(),
        )
        for order, level in enumerate(LEVELS)
    ]


@cache
def rule_levels() -> dict[str, str]:
    """The level of each pinned rule."""
    levels: dict[str, int] = {}
    for pinned in corpus.load():
        own = NAMES.index(level_of(words_of(pinned.program, pinned.answers)))
        for rule in pinned.rules:
            levels[rule] = max(levels.get(rule, 0), own)
    return {rule: NAMES[at] for rule, at in levels.items()}


def capabilities(outcomes: Sequence[Outcome], able: Able) -> list[Capability]:
    """Each feature, op of the table and dtype: the claim, the probe, and the programs that need it."""
    shown: dict[tuple[str, str], Counter[str]] = {}
    for one in outcomes:
        told = "agree" if one.verdict in _AGREE else "unsupported" if one.verdict == _UNSUPPORTED else "differ"
        for key in _keys(one):
            shown.setdefault(key, Counter())[told] += 1
    found = [_capability("feature", name, text, able, shown) for name, text in FEATURES.items()]
    found += [_capability("op", row.name, "", able, shown) for row in optable.TABLE]
    return found + [_capability("dtype", name, "", able, shown) for name in DTYPES]


def _keys(one: Outcome) -> Iterable[tuple[str, str]]:
    yield from (("feature", name) for name in needs_of(one.features))
    yield from (("op", name) for name in one.ops)
    yield from (("dtype", word.removeprefix("dtype ")) for word in one.features if word.startswith("dtype "))


def _capability(
    kind: str, name: str, sentence: str, able: Able, shown: dict[tuple[str, str], Counter[str]]
) -> Capability:
    claimed = getattr(able.claims, f"{kind}s")
    missing = getattr(able.found, f"{kind}s")
    counts = shown.get((kind, name), Counter())
    claim = "not stated" if claimed is None else "yes" if name in claimed else "no"
    probe = "missing" if name in missing else "there" if able.probed else "not probed"
    return Capability(kind, name, sentence, claim, probe, counts["agree"], counts["differ"], counts["unsupported"])
