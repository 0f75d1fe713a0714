"""What the engine must not do: depend on or change NumPy's error state, warn, load much, copy array types."""

import subprocess
import sys
import warnings
from typing import ClassVar

import numpy as np
import pytest

import reference_impl as tf


def _overflowing():
    x = tf.constant([0.0, 1e30, -1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sqrt(x) + tf.math.log(x) / x + tf.exp(x) * x * x
    return y.numpy(), tape.gradient(y, x).numpy()


def test_results_do_not_depend_on_the_users_error_state_and_leave_it_alone():
    want = _overflowing()
    with np.errstate(all="raise"):
        before = np.geterr()
        got = _overflowing()
        assert np.geterr() == before
    np.testing.assert_array_equal(want, got)


def test_nothing_warns_when_warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _overflowing()
        tf.constant(1e-50) * 1e-300


def test_the_error_state_is_the_users_again_after_an_op_failed():
    before = np.geterr()
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.constant([1.0, 2.0]) * tf.constant([1.0, 2.0, 3.0])
    assert np.geterr() == before


def test_the_import_loads_nothing_heavy():
    names = ("scipy", "ml_dtypes", "logging", "inspect")
    program = "import sys, {}; print([m for m in " + repr(names) + " if m in sys.modules])"
    got, base = (
        subprocess.run([sys.executable, "-c", program.format(m)], capture_output=True, text=True, check=True).stdout
        for m in ("reference_impl", "numpy")
    )
    assert got == base


class Wrapped(np.lib.mixins.NDArrayOperatorsMixin):
    """A minimal array type with NumPy's protocols; ``log`` names the ufuncs that ran on it."""

    log: ClassVar[list] = []

    def __init__(self, a):
        self.a = np.asarray(a)

    shape = property(lambda self: self.a.shape)
    dtype = property(lambda self: self.a.dtype)
    ndim = property(lambda self: self.a.ndim)
    size = property(lambda self: self.a.size)

    def reshape(self, *shape):
        return Wrapped(self.a.reshape(*shape))

    def __getitem__(self, key):
        return Wrapped(self.a[key])

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        Wrapped.log.append(ufunc.__name__)
        return Wrapped(getattr(ufunc, method)(*[i.a if isinstance(i, Wrapped) else i for i in inputs], **options))

    def __array_function__(self, function, types, args, options):
        return Wrapped(function(*[a.a if isinstance(a, Wrapped) else a for a in args], **options))


def test_an_array_type_with_numpys_protocols_goes_through_forward_and_backward():
    x = tf.wrap(Wrapped(np.array([1.0, 2.0], "float32")))
    Wrapped.log.clear()
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.sin(x) * x)
        g = inner.gradient(y, x)
    second = outer.gradient(g, x)
    for tensor in (y, g, second):
        assert type(tf.unwrap(tensor)) is Wrapped
    v = np.array([1.0, 2.0], "float32")
    np.testing.assert_allclose(tf.unwrap(second).a, 2 * np.cos(v) - v * np.sin(v), rtol=1e-6)
    assert "sin" in Wrapped.log and "cos" in Wrapped.log
