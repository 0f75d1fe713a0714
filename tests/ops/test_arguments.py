"""Signatures of kernels are read, and arguments are converted and checked by them before a kernel sees them."""

from __future__ import annotations

import pytest

import reference_impl as tf
from reference_impl.ops import arguments
from reference_impl.ops.signatures import described


def test_a_signature_is_read_into_inputs_and_attributes() -> None:
    known = arguments.parameters("MaxPool3DGrad")
    assert known is not None
    assert [(i.name, i.attribute) for i in known.inputs] == [
        ("orig_input", "TInput"), ("orig_output", "TInput"), ("grad", "T"),
    ]  # fmt: skip
    assert known.attributes["ksize"].minimum == 5
    assert known.attributes["padding"].allowed == ("SAME", "VALID")
    assert known.missing["TInput"] == ("half",)


def test_every_listed_signature_can_be_read() -> None:
    from reference_impl.ops.signatures import _ROWS

    for kernel in _ROWS:
        signature, known = described(kernel), arguments.parameters(kernel)
        assert signature is not None and known is not None
        assert signature.text.count("attr=") == len(known.attributes), kernel


def test_python_values_take_the_dtype_of_the_tensor_beside_them() -> None:
    x, w = arguments.taken("MatMul", a=[[1, 2]], b=tf.constant([[1.0], [2.0]], tf.float64))
    assert x.dtype == w.dtype == tf.float64
    with pytest.raises(TypeError, match="Cannot convert"):
        arguments.taken("MatMul", a=tf.constant([[1]]), b=[[1.5]])


def test_what_an_input_does_not_say_is_left_alone() -> None:
    with pytest.raises(LookupError):
        arguments.taken("NoSuchKernel", x=1)
    arguments.check("NoSuchKernel", x=1)
    assert arguments.whole("Sum", "reduction_indices", [0, 1]) == [0, 1]
    assert arguments.whole("NoSuchKernel", "axis", 1.5) == 1.5


def test_the_count_of_a_list_of_tensors_has_a_minimum() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Value for attr 'N' of 1 must be at least minimum 2"):
        tf.raw_ops.Concat(concat_dim=0, values=[tf.constant([1.0])])


def test_none_stands_for_the_default_of_an_attribute() -> None:
    x = tf.constant([[1.0, 2.0]])
    assert tf.raw_ops.BatchMatMul(x=x, y=x, adj_x=None, adj_y=True).shape == (1, 1)
    with pytest.raises(TypeError, match="Expected int for argument 'block_size' not None"):
        tf.raw_ops.BatchToSpace(input=x, crops=[[0, 0], [0, 0]], block_size=None)


def test_a_fraction_is_cut_off_where_an_attribute_is_a_whole_number() -> None:
    x = tf.reshape(tf.range(12.0) + 1, [1, 1, 2, 6])
    for radius, whole in ((1.5, 1), (0.5, 0), (-0.5, 0), (tf.constant(1.5), 1), (True, 1), (None, 5)):
        assert tf.nn.lrn(x, radius).numpy().tolist() == tf.nn.lrn(x, whole).numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="depth_radius = -1 larger than int max"):
        tf.nn.lrn(x, -1.5)
    with pytest.raises(TypeError, match="Expected int for argument 'depth_radius' not nan"):
        tf.nn.lrn(x, float("nan"))
    with pytest.raises(TypeError, match="Expected float for argument 'beta' not"):
        tf.nn.lrn(x, beta=tf.constant(0.5))
