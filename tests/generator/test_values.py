"""Aimed values are exact in their dtype."""

from __future__ import annotations

import math

import numpy as np
import pytest

from conformance.generating.moves import values


@pytest.mark.parametrize("dtype", values.DTYPES)
@pytest.mark.parametrize("style", range(len(values.STYLES)))
def test_values_are_exact_in_their_dtype_and_the_same_each_time(dtype: str, style: int) -> None:
    array = values.make(dtype, (2, 3), style, 41, (0.5, 1e9))
    assert repr(array) == repr(values.make(dtype, (2, 3), style, 41, (0.5, 1e9)))
    assert len(array.values) == 6
    if dtype == "bfloat16":
        bits = np.array(array.values, dtype=np.float32).view(np.uint32)
        assert not (bits & 0xFFFF)[np.isfinite(array.values)].any()
    else:
        back = np.array(array.values).astype(dtype)
        assert np.array_equal(back, np.array(array.values), equal_nan=dtype.startswith(("f", "c")))


def test_kinks_are_hit() -> None:
    array = values.make("float32", (4,), values.STYLE["kinks"], 3, (6.0,))
    assert set(array.values) <= {6.0, 0.0, 1.0, -1.0, 0.5}


def test_special_values_contain_nan_and_infinities_sooner_or_later() -> None:
    found = [one for seed in range(20) for one in values.make("float32", (3,), values.STYLE["special"], seed).values]
    assert any(math.isnan(one) for one in found)
    assert math.inf in found


def test_partners_tie_in_some_elements_and_not_in_others() -> None:
    sketch = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    partner = values.tied_with(sketch, "float32", 8)
    equal = [one == other for one, other in zip(partner.values, sketch)]
    assert any(equal) and not all(equal)


def test_empty_shapes_have_no_values() -> None:
    assert values.make("float32", (0, 2), 0, 1).values == ()
