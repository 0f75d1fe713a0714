"""``tf.test.TestCase``, with the texts of TensorFlow 2.21, and what Keras 3 says of optimizers of Keras 2."""

from __future__ import annotations

import io
import unittest
from typing import Any

import pytest

import reference_impl as tf


class Passing(tf.test.TestCase):  # type: ignore[misc]
    def test_gradients(self) -> None:
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = x * x
        self.assertAllClose(tape.gradient(y, x), [2.0, 4.0])
        self.assertAllClose({"a": x, "b": [x, 1.0]}, {"a": [1.0, 2.0], "b": [[1.0, 2.0], 1.0]})
        self.assertNotAllClose(x, [1.0, 3.0])
        self.assertAllEqual(self.evaluate(x), x)
        self.assertAllInRange(x, 0, 3)
        self.assertDTypeEqual(x, "float32")
        with self.cached_session(), self.assertRaisesOpError("Condition x == y"):
            tf.debugging.assert_equal(1, 2)


class Failing(tf.test.TestCase):  # type: ignore[misc]
    __test__ = False

    def test_a(self) -> None:
        self.assertAllClose({"a": 1}, [1])

    def test_b(self) -> None:
        self.assertAllClose([1.0, [2.0]], [1.0, [2.0, 3.0]])

    def test_c(self) -> None:
        self.assertNotAllEqual([1], [1])

    def test_d(self) -> None:
        self.assertAllEqual([1, 2], [1, 3])


def test_what_fails_says_what_tensorflow_says() -> None:
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Failing)
    found = unittest.TextTestRunner(stream=io.StringIO()).run(tests)
    texts = {str(case).split()[0]: text for case, text in found.failures + found.errors}
    assert "ValueError: Can't compare dict to non-dict, a vs b." in texts["test_a"]
    assert "Shape mismatch: expected (1,), got (2,) with contents [2. 3.]." in texts["test_b"]
    assert "The two values are equal at all elements." in texts["test_c"]
    assert "DESIRED: array([1, 3])" in texts["test_d"]


@pytest.mark.parametrize("name", ["Adam", "SGD", "RMSprop"])
def test_optimizers_of_keras_2_are_refused(name: str) -> None:
    make: Any = getattr(tf.keras.optimizers.legacy, name)
    with pytest.raises(ImportError, match=r"`keras\.optimizers\.legacy` is not supported in Keras 3\."):
        make(1e-3)
