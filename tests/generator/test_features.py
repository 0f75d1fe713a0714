"""Words for what programs use, and their least shares."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from adapters.language import Program
from conformance.generating import features
from conformance.generating.choices import QUOTAS
from conformance.generating.sources import seeded
from conformance.handwritten import Script


def second_order() -> Program:
    tf = Script()
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        g = inner.gradient(y, x)
    outer.gradient(g, x)
    return tf.program()


def test_second_order_nesting_and_alias_are_seen() -> None:
    words = features.features_of(second_order())
    assert {"second_order", "nesting", "alias"} <= words
    assert not {"persistent", "variables", "thread", "late_watch"} & words


def test_late_watch_reset_and_zero_are_seen() -> None:
    tf = Script()
    x = tf.constant([1.0, 2.0])
    z = tf.constant([0.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * z
        tape.watch(z)
        tape.reset()
    tape.gradient(y, [x, z], unconnected_gradients="zero")
    words = features.features_of(tf.program())
    assert {"late_watch", "reset", "persistent", "unconnected_zero", "nested_sources", "kink"} <= words


def test_ops_are_listed_once_and_sorted() -> None:
    assert features.ops_of(second_order()) == ("operator.mul",)


def test_a_thousand_drawn_programs_reach_every_least_share() -> None:
    count = 1500
    found = Counter(word for _, program in seeded(20_240, 0, count) for word in features.features_of(program))
    low = {word: found[word] / count for word, least in features.LEAST_SHARES.items() if found[word] < least * count}
    assert not low


def test_any_two_features_that_must_meet_do_so_often_enough_in_a_thorough_run() -> None:
    count, of = 6_000, 38_000  # what a thorough run draws by its quotas
    met: Counter[tuple[str, ...]] = Counter()
    for _, program in seeded(20_240, 0, count, quotas=QUOTAS):
        words = features.features_of(program)
        met.update(combinations([word for word in features.PAIRED if word in words], 2))
    rare = {
        pair: met[pair]
        for pair in combinations(features.PAIRED, 2)
        if met[pair] * of < count * features.LEAST_OF_A_PAIR
    }
    assert not rare
