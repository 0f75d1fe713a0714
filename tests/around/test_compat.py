"""``tf.compat`` without sessions, with what TensorFlow 2.21 gave."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

v1 = tf.compat.v1


def test_switches_of_eager_programs_do_nothing() -> None:
    v1.enable_eager_execution()
    v1.enable_v2_behavior()
    v1.set_random_seed(1)
    v1.reset_default_graph()
    assert v1.executing_eagerly() and v1.global_variables_initializer() is None
    with pytest.raises(RuntimeError, match=r"tf\.placeholder\(\) is not compatible with eager execution\."):
        v1.placeholder(tf.float32)
    assert v1.GradientTape is tf.GradientTape is tf.compat.v2.GradientTape


def test_texts_and_bytes() -> None:
    assert (tf.compat.as_str(b"a"), tf.compat.as_bytes("c"), tf.compat.as_str_any(3)) == ("a", b"c", "3")
    with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
        tf.compat.as_bytes(3)


def test_older_words() -> None:
    assert v1.reduce_mean([[1.0, 2.0]], keep_dims=True).numpy().tolist() == [[1.5]]
    assert int(v1.reduce_sum([1, 2], reduction_indices=0)) == 3
    assert v1.squeeze([[1.0]], squeeze_dims=[0]).shape == (1,) and int(v1.div(3, 2)) == 1
    assert v1.to_float(3).dtype == tf.float32 and int(v1.argmax([1, 2], dimension=0)) == 1


@pytest.mark.parametrize(
    ("optimizer", "want"),
    [
        (v1.train.GradientDescentOptimizer(0.1), [0.51199996, 1.0239999]),
        (v1.train.AdamOptimizer(0.1), [0.7015873, 1.7006245]),
        (v1.train.MomentumOptimizer(0.1, 0.9), [0.06200001, 0.12400001]),
        (v1.train.AdagradOptimizer(0.1), [0.7822992, 1.7762966]),
        (v1.train.RMSPropOptimizer(0.1), [0.57452303, 1.4053718]),
    ],
)
def test_optimizers_of_tensorflow_1_take_gradients_of_tapes(optimizer: v1.train.Optimizer, want: list) -> None:
    x = tf.Variable([1.0, 2.0])
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x * x)
        optimizer.apply_gradients([(tape.gradient(loss, x), x)])
    optimizer.minimize(lambda: tf.reduce_sum(x * x), var_list=[x])
    np.testing.assert_allclose(x.numpy(), want, rtol=1e-5)


def test_gradients_in_a_function() -> None:
    twice = tf.function(lambda x: v1.gradients(x**3, x, grad_ys=2.0))
    assert float(twice(tf.constant(2.0))[0]) == 24.0


def test_tensors_refuse_what_graphs_have() -> None:
    x, v = tf.constant(2.5), tf.Variable(1.0)
    with pytest.raises(NotImplementedError, match="eval is not supported when eager execution is enabled"):
        x.eval()
    with pytest.raises(RuntimeError, match="GPU:0 unknown device"):
        x.gpu()
    with pytest.raises(AttributeError, match="EagerTensor object has no attribute 'astype'"):
        round(x)  # type: ignore[call-overload]
    assert float(x.cpu()) == 2.5 and str(v.synchronization) == "VariableSynchronization.AUTO"
    assert str(v.aggregation) == "VariableAggregation.NONE"
