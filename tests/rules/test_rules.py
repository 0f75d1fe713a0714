"""The table of rules: ids, sentences, standings, and that each rule is shown or says why it is not."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from conformance.rules import STANDINGS, Group, RuleError, all_rules, find, groups, programs_of

ID = re.compile(r"[A-Z]+-\d{2,3}")


def test_ids_are_unique_and_of_one_form() -> None:
    ids = [rule.id for rule in all_rules()]
    assert len(ids) >= 120
    assert [id for id, count in Counter(ids).items() if count > 1] == []
    assert [id for id in ids if not ID.fullmatch(id)] == []


def test_every_rule_says_one_thing_of_its_own() -> None:
    sentences = Counter(rule.sentence for rule in all_rules())
    assert [sentence for sentence, count in sentences.items() if count > 1] == []
    assert [sentence for sentence in sentences if not sentence.endswith(".") or len(sentence) > 160] == []


def test_every_rule_has_a_standing_and_a_source() -> None:
    assert {rule.standing for rule in all_rules()} == set(STANDINGS)
    assert [rule.id for rule in all_rules() if not rule.source.startswith("tf")] == []


def test_every_rule_is_shown_by_a_program_or_says_why_not() -> None:
    assert [rule.id for rule in all_rules() if bool(rule.writers) == bool(rule.not_pinned)] == []


def test_the_programs_of_a_rule_come_shortest_first() -> None:
    for rule in all_rules():
        lengths = [len(program.steps) for program in programs_of(rule)]
        assert lengths == sorted(lengths), rule.id


def test_a_rule_is_found_by_its_id_and_a_wrong_id_names_the_nearest() -> None:
    assert find("watch-03") is find("WATCH-03")
    with pytest.raises(RuleError, match="WATCH-03"):
        find("WACTH-03")


def test_the_groups_hold_all_rules() -> None:
    assert sum(len(group.rules) for group in groups()) == len(all_rules())
    assert len({group.title for group in groups()}) == len(groups())


def test_a_rule_cannot_be_added_twice_nor_to_another_group() -> None:
    group = Group("LIFE", "Life", source="tf")
    group.not_pinned("LIFE-01", "It lives.", "a reason")
    with pytest.raises(ValueError, match="LIFE-01"):
        group.not_pinned("LIFE-01", "It lives on.", "a reason")
    with pytest.raises(ValueError, match="WATCH-01"):
        group.not_pinned("WATCH-01", "It is seen.", "a reason")
