"""The expectation files of third parties: no entry is unused, and none speaks of everything."""

from __future__ import annotations

import pytest

from adapters.third_party import THIRD_PARTIES
from conformance.running.expectations import Expected, load
from tests.third_party.seen import Seen, names, seen

SEEN = seen()


def test_each_third_party_has_a_file_and_each_file_a_third_party() -> None:
    assert names() == sorted(THIRD_PARTIES)


@pytest.mark.parametrize("name", names())
def test_each_entry_speaks_of_a_difference_that_was_seen(name: str) -> None:
    unused = [entry for entry in load(name) if not any(one.falls_to(entry) for one in SEEN[name])]
    assert unused == []


@pytest.mark.parametrize("name", names())
def test_each_entry_names_a_rule_or_an_op_or_kinds_of_difference(name: str) -> None:
    assert [entry for entry in load(name) if not _names_enough(entry)] == []


@pytest.mark.parametrize("name", names())
def test_no_entry_speaks_of_a_quarter_of_what_was_seen(name: str) -> None:
    for entry in load(name):
        share = sum(one.falls_to(entry) for one in SEEN[name]) / len(SEEN[name])
        assert share < 0.25, entry


def test_an_entry_for_everything_would_be_found() -> None:
    everything = Expected("never", "because", signature=("*", "*", "*", "*"))
    assert not _names_enough(everything)
    assert Seen(("nn.relu", "nan", "zeros", "float"), "NUM-01", ()).falls_to(everything)


def _names_enough(entry: Expected) -> bool:
    """By rule; by op and one kind; or, whatever the op, by both kinds."""
    if entry.signature is None:
        return entry.rule is not None
    op, want, got, _ = entry.signature
    return (op != "*" and (want, got) != ("*", "*")) or ("*" not in (want, got))
