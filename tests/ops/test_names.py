"""Every public name is found where TensorFlow has it, and says what it is; dtypes follow the kernels' signatures."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import reference_impl as tf
from reference_impl.ops.declare import NAMES, OPS
from reference_impl.ops.signatures import described


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_public_name_is_found_in_its_namespace(name: str) -> None:
    found = tf
    for part in name.split("."):
        found = getattr(found, part)
    assert found is NAMES[name]


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_public_function_has_a_docstring(name: str) -> None:
    assert (NAMES[name].__doc__ or "").strip()


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("math.sin", ["x", "name"]),
        ("nn.relu", ["features", "name"]),
        ("reduce_sum", ["input_tensor", "axis", "keepdims", "name"]),
        ("gather", ["params", "indices", "validate_indices", "axis", "batch_dims", "name"]),
        ("nn.conv2d", ["input", "filters", "strides", "padding", "data_format", "dilations", "name"]),
        ("linalg.svd", ["tensor", "full_matrices", "compute_uv", "name"]),
    ],
)
def test_parameters_are_those_of_tensorflow(name: str, parameters: list[str]) -> None:
    assert list(inspect.signature(NAMES[name]).parameters) == parameters


def test_a_kernels_signature_names_the_dtypes_it_allows() -> None:
    signature = described("Exp")
    assert signature is not None
    assert signature.allowed == ("bfloat16", "half", "float", "double", "complex64", "complex128")
    assert described("NoSuchKernel") is None


def test_a_dtype_without_a_kernel_on_the_cpu_is_not_found() -> None:
    with pytest.raises(tf.errors.NotFoundError, match=r"Could not find device for node: \{\{node Reciprocal\}\}"):
        tf.math.reciprocal(tf.constant([1, 2]))


def test_kernels_are_declared_once_under_tensorflows_names() -> None:
    assert {"Exp", "AddV2", "MatMul", "Conv2D", "GatherV2", "StridedSliceGrad"} <= set(OPS)


def test_ops_leave_the_callers_error_state_alone() -> None:
    with np.errstate(all="raise"):
        before = np.geterr()
        assert np.isinf(tf.math.reciprocal(tf.constant([0.0])).numpy()).all()
        assert np.isnan(tf.nn.softmax(tf.constant([np.inf, 1.0])).numpy()).any()
        assert np.geterr() == before
