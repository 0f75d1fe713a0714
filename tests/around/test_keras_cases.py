"""Training with Keras: masks, recurrent layers, several outputs, calls without state, as TensorFlow 2.21 has them."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

from .keras_cases import CASES, RECORDED, plain

WANT = json.loads(RECORDED.read_text(encoding="utf-8"))


def compare(want: Any, got: Any, place: str) -> None:
    if isinstance(want, dict):
        assert set(want) == set(got), place
        for key in want:
            compare(want[key], got[key], f"{place}/{key}")
    elif isinstance(want, list):
        assert len(want) == len(got), place
        for k, (a, b) in enumerate(zip(want, got)):
            compare(a, b, f"{place}/{k}")
    elif isinstance(want, float):
        np.testing.assert_allclose(got, want, rtol=2e-4, atol=2e-5, err_msg=place)
    else:
        assert got == want, place


@pytest.mark.parametrize("name", sorted(CASES))
def test_what_is_trained_is_what_tensorflow_trained(name: str) -> None:
    tf.keras.utils.set_random_seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compare(WANT[name], plain(CASES[name](tf)), name)


def test_every_case_is_recorded() -> None:
    assert set(WANT) == set(CASES)
