"""``tf.strings``, with what TensorFlow 2.21 gave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf

S = tf.strings


@pytest.mark.parametrize(
    ("found", "want"),
    [
        (lambda: S.as_string([1.0, 2.5, float("nan"), float("inf")]), [b"1.000000", b"2.500000", b"nan", b"inf"]),
        (lambda: S.as_string([1, -2]), [b"1", b"-2"]),
        (lambda: S.as_string([True]), [b"true"]),
        (lambda: S.as_string(3.14159, precision=2), b"3.14"),
        (lambda: S.as_string(2, width=5, fill="0"), b"00002"),
        (lambda: S.as_string(2.5, scientific=True), b"2.500000e+00"),
        (lambda: S.as_string(2.5, shortest=True), b"2.5"),
        (lambda: S.as_string(tf.constant(1 + 2j)), b"(1.000000,2.000000)"),
        (lambda: S.format("{} and {}", (tf.constant([1.0, 2.0]), tf.constant(3))), b"[1 2] and 3"),
        (lambda: S.format("x %s", tf.range(10), placeholder="%s", summarize=2), b"x [0 1 ... 8 9]"),
        (lambda: S.format("{}", tf.constant("a")), b'"a"'),
        (lambda: S.join([["a", "b"], "c"], separator="-"), [b"a-c", b"b-c"]),
        (lambda: S.join([]), b""),
        (lambda: S.length("\u00e9"), 2),
        (lambda: S.length("\u00e9", unit="UTF8_CHAR"), 1),
        (lambda: S.substr(["hello", "world"], -3, 2), [b"ll", b"rl"]),
        (lambda: S.split("a,b,,c", ","), [b"a", b"b", b"", b"c"]),
        (lambda: S.split(["a b", "c"]).to_list(), [[b"a", b"b"], [b"c"]]),
        (lambda: S.to_number(["1.5", "2"]), [1.5, 2.0]),
        (lambda: S.to_number("3", tf.int32), 3),
        (lambda: S.regex_replace("hello", "l+", "L"), b"heLo"),
        (lambda: S.regex_full_match(["ab", "b"], "a.*"), [True, False]),
        (lambda: S.reduce_join([["a", "b"], ["c", "d"]], axis=1, separator="-"), [b"a-b", b"c-d"]),
        (lambda: S.reduce_join([["a", "b"], ["c", "d"]], axis=[0, 1]), b"acbd"),
        (lambda: S.reduce_join([["a", "b"], ["c", "d"]]), b"abcd"),
        (lambda: S.bytes_split("abc"), [b"a", b"b", b"c"]),
        (lambda: S.lower("ABC"), b"abc"),
        (lambda: S.strip([" a "]), [b"a"]),
        (lambda: tf.constant("a") + tf.constant("b"), b"ab"),
        (lambda: tf.function(lambda x: S.join(["v=", S.as_string(x)]))(tf.constant(1.0)), b"v=1.000000"),
    ],
)
def test_texts_are_those_of_tensorflow(found: Any, want: Any) -> None:
    value = found()
    assert (value if type(value) is list else np.asarray(value.numpy(), object).tolist()) == want


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: S.format("{} {}", tf.constant(1)), ValueError, "The template expects 2 tensors, but the inputs only"),
        (lambda: S.substr("a", 5, 1), tf.errors.InvalidArgumentError, "pos 5 out of range for string b'a' at index 0"),
        (lambda: S.to_number("x"), tf.errors.InvalidArgumentError, "StringToNumberOp could not correctly convert"),
        (lambda: S.lower(3), TypeError, "Cannot convert 3 to EagerTensor of dtype string"),
    ],
)
def test_what_is_refused(call: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_no_gradient_passes_a_text() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = S.to_number(S.as_string(x * x)) * x
    assert float(tape.gradient(y, x)) == 9.0
