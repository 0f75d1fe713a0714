"""``tf.debugging.enable_check_numerics``: texts as TensorFlow 2.21 printed them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import reference_impl as tf

_HEAD = (
    "{{function_node __wrapped__CheckNumericsV2_device_/job:localhost/replica:0/task:0/device:CPU:0}} "
    "\n\n!!! Detected Infinity or NaN in output 0 of eagerly-executing op "
)
_TAIL = " values [Op:CheckNumericsV2] name: "


@pytest.fixture(autouse=True)
def _checking() -> Iterator[None]:
    assert tf.debugging.enable_check_numerics() is None
    yield
    tf.debugging.disable_check_numerics()


def _gradient(function: Callable[[Any], Any], value: Any) -> Any:
    x = tf.constant(value)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


_ZERO_AND_MORE = "tf.Tensor([ 0. -1.  4.], shape=(3,), dtype=float32)"
TEXTS = {
    "log": (
        lambda: tf.math.log([0.0, -1.0, 4.0]),
        '"Log" (# of outputs: 1) !!!\n'
        "  dtype: <dtype: 'float32'>\n  shape: (3,)\n  # of -Inf elements: 1\n  # of +NaN elements: 1\n"
        f"\n  Input tensor: {_ZERO_AND_MORE}\n\n : Tensor had -Inf and NaN",
    ),
    "divide": (
        lambda: tf.constant([0.0, -1.0, 4.0]) / 0.0,
        "\"RealDiv\" (# of outputs: 1) !!!\n  dtype: <dtype: 'float32'>\n  shape: (3,)\n  # of -Inf elements: 1\n"
        "  # of +Inf elements: 1\n  # of +NaN elements: 1\n\n  Input tensors (2):\n"
        f"         0: {_ZERO_AND_MORE}\n         1: tf.Tensor(0.0, shape=(), dtype=float32)\n"
        "\n : Tensor had -Inf, +Inf, and NaN",
    ),
    "cast": (
        lambda: tf.cast(tf.constant(1e30), tf.float16),
        "\"Cast\" (# of outputs: 1) !!!\n  dtype: <dtype: 'float16'>\n  shape: ()\n  # of +Inf elements: 1\n"
        "\n  Input tensor: tf.Tensor(1e+30, shape=(), dtype=float32)\n\n : Tensor had +Inf",
    ),
    "sum": (
        lambda: tf.reduce_sum([3e38, 3e38]),
        "\"Sum\" (# of outputs: 1) !!!\n  dtype: <dtype: 'float32'>\n  shape: ()\n  # of +Inf elements: 1\n"
        "\n  Input tensors (2):\n         0: tf.Tensor([3.e+38 3.e+38], shape=(2,), dtype=float32)\n"
        "         1: tf.Tensor([0], shape=(1,), dtype=int32)\n\n : Tensor had +Inf",
    ),
    "gradient": (
        lambda: _gradient(tf.sqrt, 0.0),
        "\"SqrtGrad\" (# of outputs: 1) !!!\n  dtype: <dtype: 'float32'>\n  shape: ()\n  # of +Inf elements: 1\n"
        "\n  Input tensors (2):\n         0: tf.Tensor(0.0, shape=(), dtype=float32)\n"
        "         1: tf.Tensor(1.0, shape=(), dtype=float32)\n\n : Tensor had +Inf",
    ),
}


@pytest.mark.parametrize("case", TEXTS)
def test_the_text(case: str) -> None:
    function, text = TEXTS[case]
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        function()
    assert str(caught.value) == f"{_HEAD}{text}{_TAIL}"


def test_what_is_let_through() -> None:
    odd = tf.constant([float("inf"), 1.0])
    for same in (tf.concat([odd, [1.0]], 0), tf.reshape(odd, [2, 1]), tf.maximum(odd, 1.0), tf.identity(odd)):
        assert float("inf") in same.numpy()
    v = tf.Variable([0.0, 1.0])
    v.assign_add(odd)
    assert tf.constant([1, 2]).dtype == tf.int32


def test_functions_keep_what_they_were_traced_with() -> None:
    log = tf.function(tf.math.log)
    with pytest.raises(tf.errors.InvalidArgumentError, match='output 0 of graph op "Log"'):
        log(tf.constant(0.0))
    tf.debugging.disable_check_numerics()
    with pytest.raises(tf.errors.InvalidArgumentError, match="Tensor had -Inf values"):
        log(tf.constant(0.0))
    assert tf.math.log(0.0).numpy() == float("-inf")


def test_a_finite_function_runs() -> None:
    f = tf.function(lambda x: _gradient(tf.sqrt, 4.0) + x / (x + 1.0))
    assert f(tf.constant(1.0)).numpy() == 0.75


def test_other_threads_are_not_asked() -> None:
    found: list[float] = []
    thread = threading.Thread(target=lambda: found.append(float(tf.math.log(0.0).numpy())))
    thread.start()
    thread.join()
    assert found == [float("-inf")]
