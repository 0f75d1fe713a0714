"""Specs of ragged and sparse tensors, slices and arrays, alone and in signatures; answers of TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import pytest

import reference_impl as tf


def _ragged() -> Any:
    return tf.ragged.constant([[1.0, 2.0], [], [3.0]])


def _sparse() -> Any:
    return tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])


def _slices() -> Any:
    return tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([2, 1]))


def test_specs_are_written_with_their_arguments() -> None:
    assert (
        repr(tf.RaggedTensorSpec([None, None]))
        == "RaggedTensorSpec(TensorShape([None, None]), tf.float32, 1, tf.int64)"
    )
    assert repr(tf.SparseTensorSpec([None, 2])) == "SparseTensorSpec(TensorShape([None, 2]), tf.float32)"
    text = "IndexedSlicesSpec(TensorShape(None), tf.float32, tf.int64, None, TensorShape([None]))"
    assert repr(tf.IndexedSlicesSpec()) == text
    assert repr(tf.TensorArraySpec([2])) == "TensorArraySpec(TensorShape([2]), tf.float32, False, True)"


def test_what_no_ragged_spec_is() -> None:
    with pytest.raises(ValueError, match="Must specify ragged_rank or a shape with a known rank"):
        tf.RaggedTensorSpec()
    with pytest.raises(ValueError, match=r"Argument `ragged_rank` \(5\) must be less than rank \(2\)"):
        tf.RaggedTensorSpec([2, None], ragged_rank=5)
    with pytest.raises(TypeError, match=r"Argument `ragged_rank` must be an int. Received a"):
        tf.RaggedTensorSpec([2, None], ragged_rank="a")


def test_specs_of_values() -> None:
    assert (
        repr(tf.type_spec_from_value(_ragged())) == "RaggedTensorSpec(TensorShape([3, None]), tf.float32, 1, tf.int64)"
    )
    assert tf.type_spec_from_value(_sparse()) == tf.SparseTensorSpec([2, 2])
    assert tf.type_spec_from_value(_slices()) == tf.IndexedSlicesSpec([2, 1], tf.float32, tf.int32, tf.int32, [1])
    assert tf.type_spec_from_value([1, 2.0]) == tf.TensorSpec([2])
    assert tf.type_spec_from_value(tf.TensorArray(tf.float32, 2)) == tf.TensorArraySpec()
    with pytest.raises(TypeError, match=r"Could not build a TypeSpec for .* of unsupported type <class 'object'>"):
        tf.type_spec_from_value(object())


def test_specs_take_values_and_other_specs() -> None:
    open_, two, three = (tf.RaggedTensorSpec([n, None]) for n in (None, 2, 3))
    assert open_.is_compatible_with(_ragged()) and not two.is_compatible_with(_ragged())
    assert open_.is_compatible_with(three) and two.is_subtype_of(open_) and not open_.is_subtype_of(two)
    assert two.most_specific_compatible_type(three) == open_
    assert not tf.SparseTensorSpec([None, 2]).is_compatible_with(tf.constant(1.0))
    with pytest.raises(ValueError, match="No TypeSpec is compatible with both SparseTensorSpec"):
        tf.SparseTensorSpec([2]).most_specific_compatible_type(tf.SparseTensorSpec([3], tf.int32))
    assert isinstance(open_, tf.TypeSpec) and isinstance(tf.TensorSpec([]), tf.TypeSpec)
    assert len({tf.SparseTensorSpec([2]), tf.SparseTensorSpec([2]), tf.SparseTensorSpec([3])}) == 2


def test_a_signature_of_a_ragged_tensor_is_traced_once() -> None:
    f = tf.function(
        lambda x: tf.reduce_sum(x * 2.0, axis=1), input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)]
    )
    assert f(_ragged()).numpy().tolist() == [6.0, 0.0, 6.0]
    assert f(tf.ragged.constant([[1.0], [2.0, 5.0]])).numpy().tolist() == [2.0, 14.0]
    assert f.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match="don't have the same nested structure"):
        f(1.0)
    with pytest.raises(TypeError, match=r"to TensorSpec\(shape=\(None,\), dtype=tf.float32, name=None\)"):
        f(tf.ragged.constant([[1]]))
    text = "RaggedTensorSpec(TensorShape([None, None]), tf.float32, 1, tf.int64)"
    assert text in repr(f.get_concrete_function(tf.RaggedTensorSpec([3, None], tf.float32)))


def test_a_signature_of_a_sparse_tensor_and_of_slices() -> None:
    f = tf.function(lambda x: tf.sparse.to_dense(x) * 2.0, input_signature=[tf.SparseTensorSpec([None, None])])
    assert f(_sparse()).numpy().tolist() == [[0.0, 2.0], [4.0, 0.0]]
    assert f(tf.SparseTensor([[0, 1]], [7.0], [1, 3])).numpy().tolist() == [[0.0, 14.0, 0.0]]
    with pytest.raises(TypeError, match="object has no attribute 'indices'"):
        f(tf.constant([[1.0]]))
    spec = tf.IndexedSlicesSpec([None, None], tf.float32, tf.int32, tf.int32)
    assert tf.function(lambda x: x.values * 2.0, input_signature=[spec])(_slices()).numpy().tolist() == [[2.0]]


def test_a_concrete_function_of_a_spec_alone() -> None:
    spec = tf.RaggedTensorSpec([None, None], tf.float32)
    f = tf.function(lambda x: x.to_tensor(), input_signature=[spec]).get_concrete_function()
    assert f(_ragged()).numpy().tolist() == [[1.0, 2.0], [0.0, 0.0], [3.0, 0.0]]
    g = tf.function(lambda x: tf.reduce_sum(x, axis=1))
    assert g.get_concrete_function(spec)(_ragged()).numpy().tolist() == [3.0, 0.0, 3.0]


def test_gradients_and_nests_under_such_signatures() -> None:
    spec = tf.RaggedTensorSpec([None, None], tf.float32)

    @tf.function(input_signature=[spec])
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x.flat_values)
            y = tf.reduce_sum(x * x)
        return tape.gradient(y, x.flat_values)

    assert slope(_ragged()).numpy().tolist() == [2.0, 4.0, 6.0]
    both = tf.function(lambda d: tf.reduce_sum(d["a"]) + d["b"], input_signature=[{"a": spec, "b": tf.TensorSpec([])}])
    assert float(both({"a": _ragged(), "b": tf.constant(1.0)})) == 7.0
