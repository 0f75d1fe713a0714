"""``keras.ops``, its namespaces and what stands beside it, against what TensorFlow gave (recorded answers)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reference_impl as tf
from tests.around.programs_of_keras_ops import observed, programs

_WANT: dict[str, Any] = json.loads((Path(__file__).parent / "recorded_ops_of_keras.json").read_text())
_PROGRAMS = programs(tf)


def _compare(want: Any, got: Any, where: str) -> None:
    if isinstance(want, dict) and "values" in want:
        assert isinstance(got, dict) and "values" in got, f"{where}: {got}"
        assert (got["dtype"], got["shape"]) == (want["dtype"], want["shape"]), where
        close = 1e-2 if want["dtype"] in ("float16", "bfloat16") else 2e-4
        np.testing.assert_allclose(got["values"], want["values"], rtol=close, atol=2e-5, err_msg=where)
    elif isinstance(want, list):
        assert isinstance(got, list) and len(got) == len(want), f"{where}: {got}"
        for k, (a, b) in enumerate(zip(want, got)):
            _compare(a, b, f"{where}[{k}]")
    else:
        assert got == want, where


@pytest.mark.parametrize("name", sorted(_WANT))
def test_a_program_gives_what_it_gave_in_tensorflow(name: str) -> None:
    _compare(_WANT[name], json.loads(json.dumps(observed(_PROGRAMS[name]))), name)


def test_each_program_is_recorded() -> None:
    assert sorted(_WANT) == sorted(_PROGRAMS)
