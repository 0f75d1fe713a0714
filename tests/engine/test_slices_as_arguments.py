"""IndexedSlices as what functions with custom gradients take, and as what is copied; what TensorFlow 2.21 gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import reference_impl as tf

_NO_TENSOR = r"Expected a type in \(<class 'tensorflow.python.framework.tensor.Tensor'>\), got: .*IndexedSlices'>"


def _slices(values: Any) -> tf.IndexedSlices:
    return tf.IndexedSlices(values, tf.constant([0]), tf.constant([2, 2]))


def _gradient_by_values(f: Callable[[Any], Any]) -> Any:
    v = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = f(_slices(v))
    return tape.gradient(y, v)


_DECORATED = {
    "custom gradient": tf.custom_gradient(lambda s: (tf.convert_to_tensor(s) * 2.0, lambda dy: dy * 3.0)),
    "result without them": tf.custom_gradient(lambda s: (tf.ones([2, 2]), lambda dy: dy * 3.0)),
    "recomputed": tf.recompute_grad(lambda s: tf.convert_to_tensor(s) * 3.0),
}


@pytest.mark.parametrize("name", _DECORATED)
def test_slices_are_arguments_of_custom_gradients_in_eager_code_only(name: str) -> None:
    got = _gradient_by_values(_DECORATED[name])
    assert tf.convert_to_tensor(got).numpy().tolist() == [[3.0, 3.0]]
    with pytest.raises(TypeError, match=_NO_TENSOR):
        tf.function(lambda: _gradient_by_values(_DECORATED[name]))()


def test_a_gradient_without_rows_is_none_of_slices() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="params must be at least 1 dimensional"):
        _gradient_by_values(tf.custom_gradient(lambda s: (tf.constant(1.0), lambda dy: dy * 3.0)))


@pytest.mark.parametrize("pick", [lambda y: tf.gather(y, [0]), lambda y: tf.nn.embedding_lookup(y, [0])])
def test_what_is_recomputed_for_many_rows_at_once_takes_no_slices(pick: Callable[[Any], Any]) -> None:
    x = tf.constant([[7.5, 7.5], [-7.5, -16.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = pick(tf.recompute_grad(lambda a: a * a)(x))
    with pytest.raises(TypeError, match=_NO_TENSOR):
        tape.jacobian(z, x)
    assert tape.jacobian(z, x, experimental_use_pfor=False).shape == (1, 2, 2, 2)
    assert tf.convert_to_tensor(tape.gradient(z, x)).numpy().tolist() == [[15.0, 15.0], [0.0, 0.0]]


def test_slices_that_are_copied_stay_slices() -> None:
    v = tf.constant([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(v)
        copied = tf.identity(_slices(v * 2.0))
    assert isinstance(copied, tf.IndexedSlices)
    assert tape.gradient(copied.values, v).numpy().tolist() == [[2.0, 2.0]]
    with pytest.raises(AttributeError, match="'IndexedSlices' object has no attribute '_id'"):
        tape.gradient(copied, v)


def test_the_jacobian_of_slices_asks_for_their_shape() -> None:
    v = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(v)
        slices = tf.IndexedSlices(v * 2.0, tf.constant([0]))
    with pytest.raises(ValueError, match=r"Tensor conversion requested for IndexedSlices .*without dense_shape"):
        tape.jacobian(slices, v)
