"""The guard around ops on both of its roads: NumPy's context variable, and np.errstate where that is missing."""

import numpy as np
import pytest

import reference_impl as tf
from reference_impl.foundation import floating_point
from reference_impl.ops.declare import Op
from reference_impl.ops.run import make_unary


@pytest.mark.parametrize(
    "enter, leave, state",
    [
        (floating_point.quiet, floating_point.restore, floating_point.QUIET),
        (floating_point._enter, floating_point._leave, None),
    ],
    ids=["as chosen", "np.errstate"],
)
def test_between_quiet_and_restore_nothing_warns_and_afterwards_the_user_decides_again(enter, leave, state):
    with np.errstate(all="raise"):
        token = enter(state)
        assert np.isinf(np.float32(1e38) * np.float32(10))
        leave(token)
        with pytest.raises(FloatingPointError):
            np.float32(1e38) * np.float32(10)


def test_guards_nest():
    with np.errstate(all="raise"):
        with floating_point.silent():
            with floating_point.silent():
                pass
            assert np.isnan(np.float32(np.inf) - np.float32(np.inf))
        with pytest.raises(FloatingPointError):
            np.float32(np.inf) - np.float32(np.inf)


def test_numpy_versions_without_the_context_variable_take_the_other_road(monkeypatch):
    monkeypatch.setattr(np._core.umath, "_make_extobj", None)
    assert floating_point._direct() is None


@pytest.mark.parametrize("call", [floating_point.run, floating_point.guarded], ids=["run", "guarded"])
def test_a_guarded_call_is_silent_and_leaves_the_users_settings_alone(call):
    with np.errstate(all="raise"):
        assert np.isinf(call(np.multiply, np.float32(1e38), np.float32(10)))
        with pytest.raises(FloatingPointError):
            np.float32(1e38) * np.float32(10)


def test_ops_inside_a_guarded_call_find_another_way():
    def kernel(a):
        assert np.isinf(tf.exp(tf.constant(1e4)).numpy())
        return (tf.constant(1e38) * tf.constant([10.0])).numpy() + tf.reduce_sum(tf.constant([a, a])).numpy()

    with np.errstate(all="raise"):
        assert np.isinf(floating_point.run(kernel, np.float32(1)))


def test_a_kernels_own_error_comes_through_the_guard():
    def kernel(_):
        raise RuntimeError("from the kernel")

    with pytest.raises(RuntimeError, match="from the kernel"):
        make_unary(Op("broken", "Broken", kernel, None, 1, {}))(tf.constant(1.0))


@pytest.mark.parametrize("exponent", [0.5, tf.constant(0.5), tf.constant([0.5])])
def test_a_power_of_one_half_is_no_square_root_at_minus_zero_and_minus_infinity(exponent):
    power = (tf.constant([-0.0, -np.inf, 4.0]) ** exponent).numpy()
    assert power.tolist() == [0.0, np.inf, 2.0]
    assert not np.signbit(power[0])
