"""Order, aggregation, memory and depth of the backward walk."""

import gc
import random
import threading
import time
import weakref

import numpy as np
import pytest

import reference_impl as tf
from reference_impl.tapes import start_order as start_orders
from reference_impl.tapes import walk as walking
from reference_impl.tapes.start_order import start_order


def test_three_contributions_add_up_in_order_of_arrival():
    sums = []
    for weights in [(1e8, 1.0, -1e8), (1.0, 1e8, -1e8), (1e8, -1e8, 1.0), (-1e8, 1.0, 1e8)]:
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * weights[0] + x * weights[1] + x * weights[2]
        sums.append(tape.gradient(y, x).numpy())
    assert sums == [1.0, 0.0, 0.0, 1.0]


def test_targets_start_in_the_order_of_a_hash_map():
    twenty = start_order(list(range(20)), list(range(19, -1, -1)))
    assert twenty == [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 6, 5, 4, 3, 2, 1, 0]
    assert start_order([0, 1, 2], [2, 1, 0]) == [2, 1, 0]


def _random_graph(choices, exact):
    pick = random.Random(choices)
    x = tf.constant(np.linspace(0.5, 1.5, 3).astype("float32"))
    values = [x]
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(12):
            a, b = pick.choice(values), pick.choice(values)
            values.append(pick.choice([tf.add, tf.multiply, tf.subtract, tf.maximum])(a, b))
        y = tf.reduce_sum(tf.sin(values[-1]))
    tape._tape.ordered = exact
    return tape.gradient(y, x)


def test_an_order_that_is_remembered_belongs_to_its_links():
    want = {seed: _random_graph(seed, True).numpy() for seed in range(6)}
    for seed in [*range(6), *range(6), 3, 3]:  # of one size, with one target
        assert _random_graph(seed, False).numpy().tobytes() == want[seed].tobytes()


def test_few_orders_are_remembered_and_nothing_but_numbers():
    for ops in range(3, 60):
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.add_n([x * x for _ in range(ops)])
        tape.gradient(y, x)
    assert 0 < len(start_orders._orders) <= 16
    for links in start_orders._orders.values():
        flat = [j for part in links for one in part for j in (one if type(one) is tuple else (one,))]
        assert {type(j) for j in flat} <= {int, type(None)}


@pytest.mark.parametrize("seed", range(40))
def test_the_plain_walk_and_the_exact_walk_agree_to_the_last_bit(seed):
    plain, exact = _random_graph(seed, False), _random_graph(seed, True)
    if exact is None:
        assert plain is None
    else:
        assert plain.numpy().tobytes() == exact.numpy().tobytes()


def _twice(choices, exact):
    pick = random.Random(choices)
    x = tf.constant(np.linspace(0.5, 1.5, 3).astype("float32"))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            values = [x, x * 0.7]
            for _ in range(8):
                a, b = pick.choice(values), pick.choice(values)
                values.append(pick.choice([tf.add, tf.multiply, tf.subtract, tf.maximum])(a, tf.sin(b)))
            y = tf.reduce_sum(values[-1] * x)
        inner._tape.ordered = exact
        first = inner.gradient(y, x)
    outer._tape.ordered = exact
    return outer.gradient(first, x)


@pytest.mark.parametrize("seed", range(40))
def test_a_recorded_plain_walk_leaves_the_records_that_the_exact_walk_leaves(seed):
    plain, exact = _twice(seed, False), _twice(seed, True)
    assert (plain is None) == (exact is None)
    assert plain is None or plain.numpy().tobytes() == exact.numpy().tobytes()


def _times_places(values, places):
    return values * tf.cast(places + 1, tf.float32)


SEVERAL_OUTPUTS = {
    "a loss": lambda x: tf.nn.softmax_cross_entropy_with_logits(labels=tf.sin(x), logits=x * 2.0),
    "one part": lambda x: tf.split(x * x, 3, axis=1)[1],
    "one part twice": lambda x: tf.multiply(*[tf.unstack(tf.sin(x), axis=1)[2]] * 2),
    "two parts": lambda x: tf.multiply(*tf.unstack(tf.sin(x), axis=1)[:2]),
    "the larger ones": lambda x: tf.math.top_k(x * x, 2)[0],
    "the larger ones and their places": lambda x: _times_places(*tf.math.top_k(tf.sin(x), 2)),
    "singular values": lambda x: tf.linalg.svd(x * x)[0],
    "a loss of a part": lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], tf.split(x * x, [2, 1], 1)[0]),
}


@pytest.mark.parametrize("f", SEVERAL_OUTPUTS.values(), ids=SEVERAL_OUTPUTS)
def test_an_op_of_which_one_output_is_in_use_has_the_gradients_of_the_exact_walk(f):
    found = []
    for exact in (False, True):
        x = tf.constant([[0.5, 1.5, 1.0], [0.25, -1.0, 2.0]])
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape(persistent=True) as inner:
                inner.watch(x)
                y = f(x)
            inner._tape.ordered = exact
            first = inner.gradient(y, x)
        outer._tape.ordered = exact
        found.append([first, outer.gradient(first, x), inner.jacobian(y, x), outer.jacobian(first, x)])
    for plain, want in zip(*found):
        assert plain.numpy().tobytes() == want.numpy().tobytes()
        assert np.abs(want.numpy()).max() > 0.0


def test_a_source_that_is_an_output_of_an_op_with_several_is_told_from_the_others():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        first, second = tf.unstack(x * x)
        y = first * 3.0
    assert tape.gradient(y, second) is None
    assert tape.gradient(y, [second, first])[1].numpy().tolist() == [3.0, 3.0]
    assert tape.gradient(y, x).numpy().tolist() == [[6.0, 12.0], [0.0, 0.0]]


def test_values_die_with_the_gradient_of_a_non_persistent_tape():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        h = x * 2
        y = h * h
        alive = weakref.ref(h)
        del h
    assert alive() is not None
    tape.gradient(y, x)
    assert alive() is None


@pytest.mark.parametrize("way", ["del", "reset"])
def test_values_die_with_a_persistent_tape_and_with_reset(way):
    gc.disable()
    try:
        x = tf.constant(3.0)
        tape = tf.GradientTape(persistent=True)
        with tape:
            tape.watch(x)
            h = x * 2
            y = h * h
            alive = weakref.ref(h)
            del h
            assert alive() is not None
            if way == "reset":
                tape.reset()
                assert alive() is None
        if way == "del":
            del tape
            assert alive() is None
        assert y.numpy() == 36.0
    finally:
        gc.enable()


def test_results_nobody_can_ask_about_leave_an_active_tape():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        h = x * x
        y = h * h
        alive = weakref.ref(h)
        del h
        assert alive() is not None
        del y
        assert alive() is None


def test_a_long_chain_differentiates_and_dies_without_recursion():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(100_000):
            y = y * 1.0
    assert tape.gradient(y, x).numpy() == 1.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(100_000):
            y = y * 1.0
        del y


def test_time_grows_with_the_length_of_a_chain_not_faster():
    x = tf.constant(1.0)

    def seconds(length):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(length):
                y = tf.sin(y)
        start = time.process_time()
        tape.gradient(y, x)
        return time.process_time() - start

    short = min(seconds(5_000) for _ in range(3))
    assert seconds(100_000) < 20 * short * 3


def test_another_threads_tape_records_nothing_of_this_thread():
    x, results = tf.constant(3.0), []
    with tf.GradientTape() as tape:
        tape.watch(x)
        worker = threading.Thread(target=lambda: results.append(x * x))
        worker.start()
        worker.join()
    assert tape.gradient(results[0], x) is None


def test_gradient_may_be_asked_from_another_thread():
    x, results = tf.constant(3.0), []
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    worker = threading.Thread(target=lambda: results.append(tape.gradient(y, x)))
    worker.start()
    worker.join()
    assert results[0].numpy() == 6.0


def test_a_walk_on_arrays_is_used_only_while_no_tape_records(monkeypatch):
    seen = []
    monkeypatch.setattr(walking.Walk, "go", lambda self, roots: seen.append(self.raw))
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)
    tape.gradient(y, x)
    assert seen == [False, True]


def test_the_gradient_of_a_large_tensor_by_itself_has_memory_of_its_own():
    x = tf.constant(np.zeros(70_000, np.float32))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x + 1.0
    for gradient in (tape.gradient(y, x), tape.gradient(x, x)):
        assert tf.unwrap(gradient).strides == (4,)
        assert float(tf.reduce_sum(gradient)) == 70_000.0


@pytest.mark.parametrize("count", [2, 3])
def test_a_sum_of_large_gradients_leaves_arrays_alone_that_someone_else_has(count):
    x = tf.zeros(100_000)
    with tf.GradientTape() as tape:
        tape.watch(x)
        targets = [x + float(k) for k in range(count)]
    upstream = [tf.zeros(100_000) + float(k + 1) for k in range(count)]  # memory of their own, no views
    gradient = tape.gradient(targets, x, upstream)
    assert set(gradient.numpy()) == {count * (count + 1) / 2}
    assert [set(u.numpy()) for u in upstream] == [{float(k + 1)} for k in range(count)]


def test_a_sum_of_large_gradients_is_that_of_small_ones():
    grads = {}
    for size in (4, 100_000):
        x = tf.fill([size], 0.75)
        with tf.GradientTape() as tape:
            tape.watch(x)
            a = tf.tanh(x)
            y = tf.exp(-(a * x)) * a + tf.sqrt(x) * a + x * x
        grads[size] = tape.gradient(y, x).numpy()
    assert np.allclose(grads[100_000], grads[4][0], rtol=1e-6)  # the exponential function of small arrays is better


def test_zeros_in_the_upstream_of_a_large_root_count_more_than_infinite_slopes():
    x = tf.constant(np.zeros(70_000, np.float32))
    upstream = np.ones(70_000, np.float32)
    upstream[3] = 0.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sqrt(x)
    gradient = tape.gradient(y, x, output_gradients=upstream).numpy()
    assert gradient[3] == 0.0 and np.isinf(np.delete(gradient, 3)).all()


def test_what_gradients_of_eigenvalues_warn_of_comes_in_the_order_of_the_walk(caplog):
    x, z = tf.constant([[0.5]], tf.float64), tf.constant([[1.0, -0.25], [-0.125, 2.5]])
    for targets, want in (("yp", ["complex64", "complex128"]), ("py", ["complex128", "complex64"])):
        with tf.GradientTape() as tape:
            tape.watch([x, z])
            made = {"y": tf.linalg.eigvals(x), "p": tf.linalg.eig(z)[0]}
        caplog.clear()
        tape.gradient([made[name] for name in targets], [x, z])
        assert [record.getMessage().split()[7] for record in caplog.records] == want


@pytest.mark.parametrize(
    "combined, other, watched, same",
    [
        (tf.add, 3.0, False, True),
        (tf.subtract, 3.0, False, True),
        (tf.add, [5.0], False, False),
        (tf.subtract, [[5.0, 6.0]], False, False),
        (tf.add, [5.0, 6.0], False, True),
        (tf.add, 3.0, True, False),
        (tf.multiply, 1.0, False, False),
        (lambda x, _: tf.identity(x), 3.0, False, True),
        (lambda x, _: tf.broadcast_to(x, [2]), 3.0, False, False),
        (lambda x, _: tf.reshape(x, [2]), 3.0, False, False),
    ],
)
def test_a_gradient_next_to_what_was_broadcast_is_another_tensor(combined, other, watched, same):
    x, c = tf.constant([1.0, 2.0]), tf.constant(other)
    with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch([x, c] if watched else x)
        y = combined(x, c)
    dx, dy = tape.gradient(y, [x, y])
    assert dx.shape == (2,) and (dx is dy) == same
    upstream = tf.ones_like(y)
    assert (tape.gradient(y, x, output_gradients=upstream) is upstream) == same
    twice = tape.gradient([y, y], [x, y])
    assert (twice[0] is twice[1]) == same


def test_a_source_beside_a_gradient_counts_as_known():
    x, c = tf.constant([1.0, 2.0]), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x + c
    dx, dc, dy = tape.gradient(y, [x, c, y])
    assert dx is not dy and dc is None
