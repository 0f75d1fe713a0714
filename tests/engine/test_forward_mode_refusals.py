"""What forward mode refuses: ops whose tangents have no gradient, sparse gradients, tangents of other shapes."""

import pytest

import reference_impl as tf

Accumulator = tf.autodiff.ForwardAccumulator


def tangent_of(f, x, tangent=None):
    with Accumulator(x, tf.ones_like(x) if tangent is None else tangent) as accumulator:
        y = f(x)
    return accumulator.jvp(y)


def _pooled(x):
    return tf.raw_ops.MaxPoolV2(input=x, ksize=[1, 1, 2, 1], strides=[1, 1, 1, 1], padding="SAME")


def test_the_missing_gradient_of_a_transposed_gradient_is_named_by_both_scopes():
    x = tf.constant([[[[1.0], [2.0]], [[4.0], [3.0]]]])
    assert tangent_of(_pooled, x).numpy().ravel().tolist() == [1.0] * 4
    for recorder in (tf.GradientTape(), Accumulator(x, tf.ones_like(x))):
        with recorder as outer, Accumulator(x, tf.ones_like(x)):
            if type(outer) is tf.GradientTape:
                outer.watch(x)
            with pytest.raises(LookupError, match="operation'gradient_tape/gradient_tape/MaxPoolGradGradV2'"):
                _pooled(x)


def test_a_tape_entered_after_the_accumulator_is_refused_too_though_it_will_not_see_the_tangent():
    x = tf.constant([0.5, 1.0])
    with Accumulator(x, tf.ones_like(x)), tf.GradientTape() as tape:
        tf.math.igamma(x, 1.0)
        tape.watch(x)
        with pytest.raises(LookupError, match="operation'gradient_tape/IgammaGradA'"):
            tf.math.igamma(x, 1.0)


def test_the_first_version_of_a_gather_has_sparse_gradients_and_so_no_tangents():
    x = tf.constant([1.0, 2.0, 3.0])
    assert tangent_of(lambda x: tf.gather(x, [0, 1]), x).numpy().tolist() == [1.0, 1.0]
    with pytest.raises(AttributeError, match="'IndexedSlices' object has no attribute '_id'"):
        tangent_of(lambda x: tf.raw_ops.Gather(params=x, indices=[0, 1]), x)


@pytest.mark.parametrize(
    ("tangent", "text"),
    [
        ([1.0], "Shapes must be equal rank, but are 0 and 1\n\tFrom merging shape 0 with other shapes. for '{{node"),
        ([[1.0]], "Shapes must be equal rank, but are 0 and 2\n\tFrom merging"),
    ],
)
def test_a_tangent_of_another_rank_does_not_merge_with_that_of_the_other_operand(tangent, text):
    with pytest.raises(ValueError) as caught:
        tangent_of(lambda x: x * 2.0, tf.constant(1.0), tf.constant(tangent))
    assert str(caught.value).startswith(text)


def test_a_tangent_of_another_size_does_not_merge_with_that_of_the_other_operand():
    with pytest.raises(ValueError) as caught:
        tangent_of(lambda x: x - x * 2.0, tf.constant([1.0, 2.0, 3.0]), tf.constant([1.0]))
    want = "Dimension 0 in both shapes must be equal, but are 1 and 3. Shapes are [1] and [3]."
    assert str(caught.value).startswith(want)


def test_a_tangent_of_more_axes_passes_through_operands_of_equal_shapes():
    x = tf.constant([1.0, 2.0, 3.0])
    assert tangent_of(lambda x: x * x, x, tf.constant([[1.0], [2.0]])).shape == (2, 3)
    assert tangent_of(tf.sin, x, tf.constant([[1.0]])).shape == (1, 3)
