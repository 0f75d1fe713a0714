"""Products of arrays large enough for the short ways, BLAS and strided windows: the same numbers as the long way."""

from __future__ import annotations

import numpy as np
import pytest

from reference_impl.ops.kernels import windows
from reference_impl.ops.kernels.windows import Slide
from reference_impl.ops.products import _einsum


def _drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(-4, 5, shape).astype(np.float32)


@pytest.mark.parametrize(
    "equation", ["bij,bjk->bik", "ij,jk->ki", "aij,jbk->kbia", "bij,bij->bi", "i,jk->kji", "abij,bj->iba"]
)
def test_an_einsum_of_large_operands_is_that_of_numpy(equation: str) -> None:
    size = dict(zip("abijk", (4, 5, 17, 19, 23)))
    operands = [_drawn(*(size[c] for c in labels)) for labels in equation.split("->")[0].split(",")]
    assert np.array_equal(_einsum(*operands, equation=equation), np.einsum(equation, *operands))


class _Foreign(np.ndarray):
    """An array that is not quite NumPy's own, for which the windows are found by indices."""


SLIDES = [
    Slide((3, 3), (1, 1), (1, 1), ((1, 1), (1, 1))),
    Slide((2, 3), (2, 1), (1, 2), ((0, 1), (2, 0))),
    Slide((5, 1), (3, 2), (1, 1), ((0, 0), (0, 0))),
    Slide((9, 9), (1, 1), (1, 1), ((0, 0), (0, 0))),
]


@pytest.mark.parametrize("slide", SLIDES)
def test_windows_are_those_that_indices_find_and_values_come_back_to_their_places(slide: Slide) -> None:
    x = _drawn(2, 7, 8, 3)
    seen = windows.patches(x, slide)
    assert np.array_equal(seen, windows.patches(x.view(_Foreign), slide))
    values = _drawn(*seen.shape)
    assert np.array_equal(windows.placed(values, x.shape, slide), windows.placed(values.view(_Foreign), x.shape, slide))
