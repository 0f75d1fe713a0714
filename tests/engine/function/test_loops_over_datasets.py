"""Datasets and iterators in traced functions: loops over them are loops of the graph, next elements are steps of it."""

import sys

import numpy as np
import pytest

import reference_impl as tf


def _numbers(count=7, batch=3):
    return tf.data.Dataset.from_tensor_slices(np.arange(count, dtype="float32")).batch(batch)


def _lists(values):
    return [v.numpy().tolist() for v in tf.nest.flatten(values)]


def test_a_loop_over_a_dataset_is_traced_once_and_goes_through_what_it_is_given():
    shapes = []

    @tf.function
    def total(dataset):
        s, n = 0.0, 0
        for x in dataset:
            shapes.append(x.shape.as_list())
            s += tf.reduce_sum(x)
            n += 1
        return s, n

    data = _numbers()
    assert _lists(total(data)) == [21.0, 3] and _lists(total(data)) == [21.0, 3]
    assert shapes == [[None]]
    assert _lists(total(data.skip(1))) == [18.0, 2]
    assert _lists(total(data.take(0))) == [0.0, 0]
    assert _lists(total(iter(data))) == [21.0, 3]


def test_an_iterator_goes_on_from_call_to_call_and_break_leaves_the_rest():
    @tf.function
    def until(iterator):
        s = 0.0
        for x in iterator:
            if s > 1.0:
                break
            s += tf.reduce_sum(x)
        return s

    iterator = iter(_numbers())
    assert float(until(iterator)) == 3.0
    assert next(iterator).numpy().tolist() == [6.0]
    assert float(until(iter(_numbers().repeat()))) == 3.0


@pytest.mark.parametrize("given", [True, False])
def test_the_next_element_is_another_one_in_every_call(given):
    mine = iter(_numbers())

    @tf.function
    def step(iterator=None):
        return next(mine if iterator is None else iterator) * 2.0

    found = [step(mine) if given else step() for _ in range(3)]
    assert _lists(found) == [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0], [12.0]]
    with pytest.raises(tf.errors.OutOfRangeError):
        step(mine) if given else step()


def test_iterators_over_like_elements_share_a_trace():
    @tf.function
    def pair(iterator):
        return next(iterator), iterator.get_next()

    for _ in range(3):
        assert _lists(pair(iter(_numbers()))) == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert pair.experimental_get_tracing_count() == 1


def test_training_in_a_loop_over_a_dataset():
    w, optimizer = tf.Variable(1.0), tf.keras.optimizers.SGD(0.01)

    @tf.function
    def train(dataset):
        total = 0.0
        for x in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * x - 2.0) ** 2)
            optimizer.apply_gradients([(tape.gradient(loss, w), w)])
            total += loss
        return total

    np.testing.assert_allclose([train(_numbers()).numpy(), w.numpy()], [15.3698063, 0.4727111], rtol=1e-5)
    np.testing.assert_allclose([train(_numbers()).numpy(), w.numpy()], [3.5447280, 0.3775648], rtol=1e-5)
    assert int(optimizer.iterations) == 6


def test_structures_counted_and_zipped_datasets():
    pairs = tf.data.Dataset.from_tensor_slices((np.arange(6, dtype="float32").reshape(3, 2), [0.0, 1.0, 0.0]))

    @tf.function
    def weighed(dataset):
        s = tf.zeros([2])
        for x, y in dataset:
            s += x * (y + 1.0)
        return s

    @tf.function
    def counted(dataset):
        s = 0.0
        for i, x in enumerate(dataset):
            s += tf.cast(i, tf.float32) * tf.reduce_sum(x)
        return s

    @tf.function
    def zipped(one, other):
        s = 0.0
        for x, y in zip(one, other):
            s += tf.reduce_sum(x * y)
        return s

    @tf.function
    def named(dataset):
        s = 0.0
        for row in dataset:
            s += row["a"] * row["b"]
        return s

    assert weighed(pairs).numpy().tolist() == [8.0, 12.0]
    assert float(counted(_numbers())) == 24.0
    assert float(zipped(_numbers(), _numbers())) == 91.0
    assert float(named(tf.data.Dataset.from_tensor_slices({"a": [1.0, 2.0], "b": [3.0, 4.0]}))) == 11.0


def test_reductions_and_rounds_of_rounds():
    @tf.function
    def reduced(dataset):
        return dataset.reduce(0.0, lambda s, x: s + tf.reduce_sum(x))

    @tf.function
    def twice(dataset):
        s = 0.0
        for _ in tf.range(2):
            for x in dataset:
                s += tf.reduce_sum(x)
        return s

    assert float(reduced(_numbers())) == 21.0 and float(twice(_numbers())) == 42.0


def test_gradients_do_not_come_out_of_a_loop_over_a_dataset():
    w = tf.Variable(2.0)

    @tf.function
    def loss(dataset):
        s = 0.0
        for x in dataset:
            s += tf.reduce_sum(x * w) ** 2
        return s

    with tf.GradientTape() as tape:
        value = loss(_numbers())
    assert float(value) == 756.0 and tape.gradient(value, w) is None


def test_what_a_loop_over_batches_defines_first_has_no_known_shape():
    @tf.function
    def last(dataset):
        for x in dataset.take(1):
            y = x
        return y

    with pytest.raises(ValueError, match="'y' must be defined before the loop"):
        last(_numbers())


def test_what_is_printed_is_printed_once_for_each_element(capfd):

    @tf.function
    def printed(dataset):
        for x in dataset:
            tf.print(tf.shape(x), output_stream=sys.stdout)

    printed(_numbers())
    assert capfd.readouterr().out.split("\n") == ["[3]", "[3]", "[1]", ""]
