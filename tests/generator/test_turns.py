"""Nothing is left out by chance where things take turns."""

from __future__ import annotations

from collections import Counter

from conformance.generating import turns
from conformance.generating.choices import FLAVOURS, draw, setting_pool
from conformance.optables.row import Digits

ROWS = (3, 5, 5, 5, 8)


def test_a_row_has_a_turn_for_each_time_it_is_there() -> None:
    drawn = [turns.taken(7, turn, ROWS)[0] for turn in range(10 * len(ROWS))]
    assert Counter(drawn) == {3: 10, 5: 30, 8: 10}
    assert Counter(drawn[: len(ROWS)]) == Counter(ROWS)


def test_the_first_decisions_of_a_row_go_through_all_their_values() -> None:
    numbers = [number for row, number in (turns.taken(7, turn, ROWS) for turn in range(20)) if row == 5]
    pairs = [(draw(3), draw(4)) for draw in map(Digits, numbers)]
    assert len(pairs) == 12 == len(set(pairs))


def test_another_seed_gives_other_numbers_in_another_order() -> None:
    turn = [[turns.taken(seed, at, tuple(range(40))) for at in range(40)] for seed in (1, 2)]
    assert [row for row, _ in turn[0]] != [row for row, _ in turn[1]]
    assert {number for _, number in turn[0]}.isdisjoint(number for _, number in turn[1])


def test_each_flavour_comes_as_often_as_its_share() -> None:
    shares = {one.name: one.share for one in FLAVOURS}
    assert Counter(draw(5, index)[0] for index in range(sum(shares.values()))) == shares


def test_every_row_with_a_setting_is_called_by_a_few_hundred_programs() -> None:
    wanted = set(setting_pool("*"))
    count = 3 * len(setting_pool("*"))
    called = {choice[1] for index in range(count) for choice in draw(5, index)[1] if choice[0] == 0}
    assert wanted <= called
