"""The guard around ops on both of its roads: NumPy's context variable, and np.errstate where that is missing."""

import numpy as np
import pytest

from reference_impl import floating_point


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
