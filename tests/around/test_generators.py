"""Where generators of random numbers stand: their counters move as TensorFlow's do, whatever numbers come of it."""

import pytest

import reference_impl as tf

_LOW = 2**63


@pytest.mark.parametrize(
    ("seed", "state"),
    [
        (0, [0, 0, 0]),
        (3, [3, 0, 0]),
        (-1, [-1, -1, -1]),
        (_LOW, [-_LOW, 0, 0]),
        ([1, 2], [0, 1, 2]),
        (12345678901234567890, [-6101065172474983726, 0, 0]),
    ],
)
def test_a_seed_is_the_state(seed, state):
    assert tf.random.Generator.from_seed(seed).state.numpy().tolist() == state


def test_every_number_moves_the_counter():
    g, seen = tf.random.Generator.from_seed(4), []
    for draw in (
        lambda: g.skip(7), lambda: g.make_seeds(3), lambda: g.split(2), lambda: g.normal([2, 2]),
        lambda: g.truncated_normal([3]), lambda: g.uniform([]), lambda: g.uniform([0]),
    ):  # fmt: skip
        before = int(g.state[0])
        draw()
        seen.append((int(g.state[0]) - before) // 256)
    assert seen == [7, 3, 2, 4, 3, 1, 0]


def test_a_function_that_is_traced_draws_once():
    g = tf.random.Generator.from_seed(3)

    @tf.function
    def draws(k):
        return g.uniform([2]), g.normal([k]), g.make_seeds(2), g.uniform_full_int([3], dtype=tf.int32)

    found = []
    for k in (2, 4):
        draws(tf.constant(k))
        found.append(g.state.numpy().tolist())
    assert found == [[2307, 0, 0], [5123, 0, 0]]
