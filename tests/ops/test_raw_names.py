"""Kernels under their own names: how they are called, what TensorFlow says of wrong calls, and when they are made."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import reference_impl as tf
from reference_impl.ops.arguments import snake
from reference_impl.ops.raw_names import KERNELS

POSITIONAL = {
    "AddV2": "add_v2 only takes keyword args (possible keys: ['x', 'y', 'name']). "
    "Please pass these args as kwargs instead.",
    "Concat": "concat only takes keyword args (possible keys: ['concat_dim', 'values', 'name']). "
    "Please pass these args as kwargs instead.",
}
LACKING = {
    "AddV2": ({"x": 1}, "add_v2() missing 1 required positional argument: 'y'"),
    "Abs": ({}, "_abs() missing 1 required positional argument: 'x'"),
    "SelectV2": ({}, "select_v2() missing 3 required positional arguments: 'condition', 't', and 'e'"),
    "MatMul": ({}, "mat_mul() missing 2 required positional arguments: 'a' and 'b'"),
    "Sum": ({"foo": 1}, "_sum() got an unexpected keyword argument 'foo'"),
}


@pytest.mark.parametrize("kernel", sorted(KERNELS))
def test_a_kernel_of_the_table_can_be_made_and_takes_a_name(kernel: str) -> None:
    function = getattr(tf.raw_ops, kernel)
    *_, last = inspect.signature(function).parameters.values()
    assert (last.name, last.default) == ("name", None)
    assert kernel in function.__doc__ and kernel in dir(tf.raw_ops)


@pytest.mark.parametrize("kernel", sorted(POSITIONAL))
def test_arguments_without_names_are_refused(kernel: str) -> None:
    with pytest.raises(TypeError) as raised:
        getattr(tf.raw_ops, kernel)(1, 2)
    assert str(raised.value) == POSITIONAL[kernel]


@pytest.mark.parametrize("kernel", sorted(LACKING))
def test_arguments_left_out_or_unknown_are_refused(kernel: str) -> None:
    given, text = LACKING[kernel]
    with pytest.raises(TypeError) as raised:
        getattr(tf.raw_ops, kernel)(**given)
    assert str(raised.value) == text


def test_vectors_that_were_not_asked_for_are_numbers() -> None:
    assert tf.raw_ops.SelfAdjointEigV2(input=[[1.0]], compute_v=False).v.shape == ()
    assert tf.raw_ops.Svd(input=[[1.0]], compute_uv=False).u.shape == ()
    assert tf.raw_ops.Eig(input=[[1.0]], Tout=tf.complex64, compute_v=False).v.dtype == tf.complex64


def test_kernels_are_traced_like_public_functions() -> None:
    def product(x: tf.Tensor) -> tf.Tensor:
        return tf.raw_ops.MatMul(a=x, b=x, transpose_b=True) + tf.raw_ops.Sum(input=x, axis=[0, 1])

    assert tf.function(product)(tf.ones([2, 2])).numpy().tolist() == [[6.0, 6.0], [6.0, 6.0]]


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        ("FFT2D", "fft2d"), ("Conv3DBackpropInputV2", "conv3d_backprop_input_v2"), ("RGBToHSV", "rgb_to_hsv"),
        ("TopKV2", "top_kv2"), ("MaxPool3DGrad", "max_pool3d_grad"), ("BatchToSpaceND", "batch_to_space_nd"),
        ("CTCLoss", "ctc_loss"), ("BlockLSTMV2", "block_lstmv2"), ("LRNGrad", "lrn_grad"),
    ],
)  # fmt: skip
def test_functions_are_called_as_in_tensorflow(kernel: str, name: str) -> None:
    assert snake(kernel) == name


def test_the_table_is_read_when_it_is_first_asked() -> None:
    asked = (
        "import sys, reference_impl as tf; print('reference_impl.ops.raw_names' in sys.modules, tf.raw_ops.Abs(x=-1))"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False ")


def test_a_name_that_is_no_kernel_is_not_there() -> None:
    assert not hasattr(tf.raw_ops, "NoSuchKernel") and not hasattr(tf.raw_ops, "Anything")
