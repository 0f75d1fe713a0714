"""Tensors as Python sees them: printing, conversion, operators, indexing, NumPy."""

import numpy as np
import pytest

import reference_impl as tf

X = tf.constant([1.0, 2.0])


@pytest.mark.parametrize(
    "value, shown, printed",
    [
        (3.0, "<tf.Tensor: shape=(), dtype=float32, numpy=3.0>", "tf.Tensor(3.0, shape=(), dtype=float32)"),
        (
            [1.0, 2.0],
            "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>",
            "tf.Tensor([1. 2.], shape=(2,), dtype=float32)",
        ),
        ("a", "<tf.Tensor: shape=(), dtype=string, numpy=b'a'>", "tf.Tensor(b'a', shape=(), dtype=string)"),
        (
            1 + 2j,
            "<tf.Tensor: shape=(), dtype=complex128, numpy=(1+2j)>",
            "tf.Tensor((1+2j), shape=(), dtype=complex128)",
        ),
        (
            [[1], [2]],
            "<tf.Tensor: shape=(2, 1), dtype=int32, numpy=\narray([[1],\n       [2]], dtype=int32)>",
            "tf.Tensor(\n[[1]\n [2]], shape=(2, 1), dtype=int32)",
        ),
    ],
)
def test_tensors_print_as_tensorflow_prints_them(value, shown, printed):
    assert repr(tf.constant(value)) == shown
    assert str(tf.constant(value)) == printed


@pytest.mark.parametrize(
    "value, dtype, want",
    [
        (300, tf.uint8, (44, "uint8")),
        (2**40, None, (2**40, "int64")),
        ([1, 2.0], None, ([1.0, 2.0], "float32")),
        (True, tf.float32, (1.0, "float32")),
        (np.float64(1), None, (1.0, "float64")),
        ([], None, ([], "float32")),
        ([1.0, np.float64(2)], None, ([1.0, 2.0], "float32")),
        ([np.float64(1), 2.0], None, ([1.0, 2.0], "float64")),
        (np.array([1.5]), tf.int32, ([1], "int32")),
        (range(3), None, ([0, 1, 2], "int32")),
        (np.array([1], ">f4"), None, ([1.0], "float32")),
        ([np.array([1.0]), [2.0]], None, ([[1.0], [2.0]], "float64")),
    ],
)
def test_values_become_tensors_of_tensorflows_dtype(value, dtype, want):
    tensor = tf.constant(value, dtype)
    assert (tensor.numpy().tolist(), tensor.dtype.name) == want


@pytest.mark.parametrize(
    "value, dtype, kind, text",
    [
        (1.5, tf.int32, TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32"),
        (1j, tf.float32, TypeError, "Cannot convert 1j to EagerTensor of dtype float"),
        (1, tf.bool, TypeError, "Cannot convert 1 to EagerTensor of dtype bool"),
        (
            None,
            None,
            ValueError,
            "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor.",
        ),
        ([1.0, "a"], None, ValueError, "Can't convert Python sequence with mixed types to Tensor."),
        ([True, 1], None, ValueError, "Can't convert Python sequence with mixed types to Tensor."),
        ([[1], [1, 2]], None, ValueError, "Can't convert non-rectangular Python sequence to Tensor."),
        (2**70, None, ValueError, "Can't convert Python sequence with out-of-range integer to Tensor."),
        (1.0, "float99", TypeError, "Cannot convert the argument `type_value`: 'float99' to a TensorFlow DType."),
        (X, tf.float64, TypeError, "Expected tensor [1. 2.] with dtype tf.float64, but got dtype tf.float32."),
    ],
)
def test_values_that_do_not_fit_are_refused_in_tensorflows_words(value, dtype, kind, text):
    with pytest.raises(kind) as error:
        tf.constant(value, dtype)
    assert str(error.value) == text


def test_lists_that_hold_tensors_are_packed_and_the_packing_is_recorded():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.convert_to_tensor([X, 2 * X, [3.0, 4.0]])
    assert y.shape == (3, 2)
    assert tape.gradient(y, X).numpy().tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    "f, text",
    [
        (
            lambda: tf.constant([1]) + 1.5,
            "cannot compute AddV2 as input #1(zero-based) was expected to be a int32 tensor but "
            "is a float tensor [Op:AddV2] name: ",
        ),
        (
            lambda: X * tf.constant(1.0, tf.float64),
            "cannot compute Mul as input #1(zero-based) was expected to be a float "
            "tensor but is a double tensor [Op:Mul] name: ",
        ),
        (lambda: tf.constant([1]) * 1.5, "Cannot convert 1.5 to EagerTensor of dtype int32"),
        (lambda: X + tf.constant([1.0, 2.0, 3.0]), "Incompatible shapes: [2] vs. [3] [Op:AddV2] name: "),
        (lambda: X / tf.constant([1, 2]), "`x` and `y` must have the same dtype, got tf.float32 != tf.int32."),
        (
            lambda: X + None,
            "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor.",
        ),
        (lambda: X @ X, "In[0] and In[1] ndims must be == 2: 1 [Op:MatMul] name: "),
        (lambda: +X, "bad operand type for unary +: 'tensorflow.python.framework.ops.EagerTensor'"),
    ],
)
def test_operators_never_promote_and_say_why(f, text):
    with pytest.raises(Exception) as error:
        f()
    assert str(error.value).endswith(text)


def test_python_and_numpy_values_take_the_dtype_of_the_tensor():
    for y in (X + 1, 1 + X, X + np.ones(2), np.ones(2) + X, X * True, X + [1, 2], np.float64(1) * X):
        assert y.dtype == tf.float32 and isinstance(y, tf.Tensor)
    assert (tf.constant([7]) / tf.constant([2])).dtype == tf.float64
    assert (tf.constant([1], tf.uint8) + 300).numpy().tolist() == [45]


def test_equality_is_elementwise_or_false():
    assert (X == X).numpy().tolist() == [True, True]
    assert (X == None) is False and (X != None) is True  # noqa: E711 - the comparison is what is tested
    assert (tf.constant([1.0, 2.0, 3.0]) == X).numpy() == np.False_
    with pytest.raises(TypeError, match=r"Tensor is unhashable\. Instead, use tensor\.ref\(\) as the key\."):
        hash(X)
    assert X.ref() == X.ref() and X.ref().deref() is X


def test_python_conversions_follow_numpy():
    assert int(tf.constant(3.7)) == 3 and [1, 2, 3][tf.constant(1)] == 2 and bool(tf.constant([True]))
    with pytest.raises(TypeError, match="only 0-dimensional arrays can be converted to Python scalars"):
        float(tf.constant([3.0]))
    with pytest.raises(TypeError, match=r"Scalar tensor has no `len\(\)`"):
        len(tf.constant(3.0))
    with pytest.raises(TypeError, match=r"Cannot iterate over a scalar tensor\."):
        iter(tf.constant(3.0))


def test_nobody_can_write_into_a_tensor():
    source = np.array([1.0, 2.0], "float32")
    tensor = tf.constant(source)
    source[0] = 9.0
    tensor.numpy()[0] = 9.0
    assert tensor.numpy().tolist() == [1.0, 2.0]
    assert not np.asarray(tensor).flags.writeable


@pytest.mark.parametrize(
    "key, want",
    [
        (0, 1.0),
        (-1, 2.0),
        (slice(None, None, -1), [2.0, 1.0]),
        (slice(0, 5), [1.0, 2.0]),
        (None, [[1.0, 2.0]]),
        ((Ellipsis, None), [[1.0], [2.0]]),
        (tf.constant(1), 2.0),
        (slice(1, tf.constant(2)), [2.0]),
        (np.array([True, False]), [1.0]),
        (tf.constant([False, True]), [2.0]),
        (np.int64(1), 2.0),
    ],
)
def test_indexing_is_tensorflows_strided_slice(key, want):
    assert X[key].numpy().tolist() == want


@pytest.mark.parametrize(
    "key, text",
    [
        (2, "slice index 2 of dimension 0 out of bounds. [Op:StridedSlice] name: strided_slice/"),
        (-3, "slice index -1 of dimension 0 out of bounds. [Op:StridedSlice] name: strided_slice/"),
        ((0, 0), "Index out of range using input dim 1; input has only 1 dims [Op:StridedSlice] name: strided_slice/"),
        (slice(None, None, 0), "strides[0] must be non-zero [Op:StridedSlice] name: strided_slice/"),
        ((Ellipsis, Ellipsis), "Multiple ellipses in slice spec not allowed [Op:StridedSlice] name: strided_slice/"),
        (1.0, "scalar tf.int32/tf.int64 tensors are valid indices, got 1.0"),
        (True, "mask cannot be scalar."),
    ],
)
def test_bad_indices_are_refused_in_tensorflows_words(key, text):
    with pytest.raises(Exception) as error:
        X[key]
    assert str(error.value).endswith(text)


def test_dtypes_compare_with_everything_that_names_them():
    assert tf.float32 == "float32" and tf.float32 == np.float32 and tf.float32 != None and repr(tf.bool) == "tf.bool"  # noqa: E711
    assert tf.as_dtype(1) is tf.float32 and tf.int32.min == -(2**31) and tf.complex64.real_dtype is tf.float32
    with pytest.raises(TypeError, match="`type_value`: <class 'int'>"):
        tf.as_dtype(int)


def test_shapes_print_and_compare_as_tensorflows():
    assert repr(tf.TensorShape([1, None])) == "TensorShape([1, None])" and str(tf.TensorShape([1])) == "(1,)"
    assert tf.TensorShape([1, 2]) == (1, 2) and [3] + tf.TensorShape([1]) == [3, 1]
    with pytest.raises(ValueError, match=r"Shapes \(1,\) and \[2\] are incompatible"):
        tf.TensorShape([1]).assert_is_compatible_with([2])


@pytest.mark.parametrize(
    "use, text",
    [
        (lambda t: t.nothing, "'tensorflow.python.framework.ops.EagerTensor' object has no attribute 'nothing'"),
        (lambda t: t.assign, "'tensorflow.python.framework.ops.EagerTensor' object has no attribute 'assign'"),
        (lambda t: t.name, "Tensor.name is undefined when eager execution is enabled."),
        (lambda t: t.astype, "EagerTensor object has no attribute 'astype'"),
        (lambda t: t(), "'tensorflow.python.framework.ops.EagerTensor' object is not callable"),
        (lambda t: t << 1, "unsupported operand type(s) for <<: 'tensorflow.python.framework.ops.EagerTensor' and"),
    ],
)
def test_what_a_tensor_cannot_do_is_refused_under_its_full_name(use, text):
    with pytest.raises((AttributeError, TypeError)) as error:
        use(tf.constant(1.0))
    assert str(error.value).startswith(text)
    assert type(tf.constant(1.0)).__name__ == "EagerTensor" and not hasattr(tf.constant(1.0), "T")


@pytest.mark.parametrize("value", [1e300, [1.0, 1e39], 10**39, [2**70, 1.0]])
def test_a_number_beyond_an_asked_dtype_is_infinite(value):
    assert np.isinf(np.max(tf.constant(value, tf.float16)))


@pytest.mark.parametrize("value", [1e39, [1.0, -1e39], (3.4028236e38,)])
def test_a_float_beyond_float32_needs_a_dtype(value):
    with pytest.raises(ValueError, match="out of range for a double-precision float"):
        tf.constant(value)


@pytest.mark.parametrize("dtype", [None, "int32", "int64", "uint8", "bfloat16", "complex64"])
def test_an_integer_beyond_int64_is_refused_but_by_wide_types(dtype):
    with pytest.raises(ValueError, match="out-of-range integer"):
        tf.constant(2**63, dtype)
    assert tf.constant(2**63, tf.uint64).numpy() == 2**63
    assert tf.constant(2**63, tf.float32).numpy() == 2.0**63


def test_what_cannot_be_converted_is_named_whole():
    with pytest.raises(TypeError, match=r"Cannot convert \[1, 2.5\] to EagerTensor of dtype int32"):
        tf.constant([1, 2.5], tf.int32)
    with pytest.raises(ValueError, match="mixed types"):
        tf.constant([1, 1j], tf.complex64)
