"""Words for what programs use, and their least shares."""

from __future__ import annotations

import functools
import math
from collections import Counter
from itertools import combinations

from adapters.language import Program
from conformance.generating import features
from conformance.generating.choices import QUOTAS
from conformance.generating.sources import seeded
from conformance.handwritten import Script
from reports.summary import SHARES_FROM


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


@functools.cache
def drawn() -> tuple[frozenset[str], ...]:
    """The words of 6,000 programs, drawn as a run draws them."""
    return tuple(features.features_of(program) for _, program in seeded(20_240, 0, 6_000, quotas=QUOTAS))


def test_a_run_of_a_thousand_programs_reaches_every_least_share_whatever_its_seed() -> None:
    """Three standard deviations off the mean count of a thousand are still enough: the least run that is held to it."""
    found = Counter(word for words in drawn() for word in words)
    means = {word: SHARES_FROM * found[word] / len(drawn()) for word in features.LEAST_SHARES}
    low = {
        word: (mean, SHARES_FROM * features.LEAST_SHARES[word])
        for word, mean in means.items()
        if mean - 3 * math.sqrt(mean) < SHARES_FROM * features.LEAST_SHARES[word]
    }
    assert not low


def test_any_two_features_that_must_meet_do_so_often_enough_in_a_thorough_run() -> None:
    of = 38_000  # what a thorough run draws by its quotas
    met = Counter(
        pair for words in drawn() for pair in combinations([word for word in features.PAIRED if word in words], 2)
    )
    rare = {
        pair: met[pair]
        for pair in combinations(features.PAIRED, 2)
        if met[pair] * of < len(drawn()) * features.LEAST_OF_A_PAIR
    }
    assert not rare
