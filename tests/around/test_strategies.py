"""``tf.distribute`` on one device, as TensorFlow 2.21 has it."""

from __future__ import annotations

import pytest

import reference_impl as tf


def test_without_a_strategy_code_runs_in_the_default_one() -> None:
    strategy = tf.distribute.get_strategy()
    assert strategy.num_replicas_in_sync == 1 and not tf.distribute.has_strategy()
    assert not tf.distribute.in_cross_replica_context()
    assert strategy.run(lambda a, b=1: a + b, args=(2,), kwargs={"b": 5}) == 7
    assert float(strategy.reduce(tf.distribute.ReduceOp.MEAN, tf.constant([1.0, 2.0]), axis=0)) == 1.5
    with pytest.raises(ValueError, match="'MAX' is not a valid ReduceOp"):
        strategy.reduce("max", 3.0, axis=None)
    with strategy.scope():
        assert not tf.distribute.has_strategy()


@pytest.mark.parametrize("make", [tf.distribute.MirroredStrategy, lambda: tf.distribute.OneDeviceStrategy("/cpu:0")])
def test_a_step_runs_in_the_replica(make: object) -> None:
    strategy = make()  # type: ignore[operator]
    with strategy.scope():
        assert tf.distribute.in_cross_replica_context() and tf.distribute.get_replica_context() is None
        v = tf.Variable([1.0, 2.0])

    def step(x: tf.Tensor) -> tf.Tensor:
        replica = tf.distribute.get_replica_context()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * x)
        v.assign_sub(0.1 * replica.all_reduce("sum", tape.gradient(loss, v)))
        return loss

    @tf.function
    def whole_step(x: tf.Tensor) -> tf.Tensor:
        return strategy.reduce("SUM", strategy.run(step, args=(x,)), axis=None)

    rows = tf.data.Dataset.from_tensor_slices([[3.0, 4.0], [1.0, 1.0]])
    losses = [float(whole_step(x)) for x in strategy.experimental_distribute_dataset(rows)]
    assert [round(loss, 4) for loss in losses] == [11.0, 2.3]


def test_gradients_pass_what_is_reduced() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.distribute.get_strategy().reduce("SUM", tf.distribute.get_strategy().run(lambda: x * x), axis=None)
        z = tf.distribute.get_replica_context().all_reduce("SUM", x * x)
    assert [float(tape.gradient(t, x)) for t in (y, z)] == [6.0, 6.0]


def test_a_mean_over_the_batch_belongs_into_a_step() -> None:
    strategy = tf.distribute.MirroredStrategy()
    text = (
        "You are calling `compute_average_loss` in cross replica context, while it was expected to be called in replica"
    )
    with strategy.scope(), pytest.raises(RuntimeError, match=text):
        tf.nn.compute_average_loss([1.0, 2.0])
    assert float(strategy.run(lambda: tf.nn.compute_average_loss([1.0, 2.0]))) == 1.5
