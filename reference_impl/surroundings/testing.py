"""``tf.test.TestCase``: unit tests that compare tensors, arrays and nests of them."""

from __future__ import annotations

import contextlib
import tempfile
import unittest
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from .. import nest
from ..dtypes import as_dtype
from ..errors import OpError
from ..tensors.tensor import is_tensor

_NARROW = ("bfloat16", "float8_e5m2", "float8_e4m3fn")


def _array(value: Any) -> np.ndarray:
    return np.asarray(value.numpy() if hasattr(value, "numpy") else value)


def _wide(a: np.ndarray) -> np.ndarray:
    return a.astype(np.float32) if a.dtype.name in _NARROW else a


class TestCase(unittest.TestCase):
    """A unittest.TestCase that knows tensors."""

    __test__ = False  # for pytest: this class itself is no test

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__test__" not in vars(cls):
            cls.__test__ = True

    # ------------------------------------------------------------------------------------ sessions of old

    @contextlib.contextmanager
    def session(self, *_args: Any, **_kwargs: Any) -> Iterator[None]:
        """Context manager that changes nothing: there are no sessions."""
        yield None

    cached_session = session

    def test_session(self, *_args: Any, **_kwargs: Any) -> Any:
        """The same; when it is run as a test, which its name makes it, it is skipped."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        return self.session()

    def evaluate(self, tensors: Any) -> Any:
        """The values of a nest of tensors."""
        return nest.map_structure(lambda x: x.numpy() if hasattr(x, "numpy") else x, tensors)

    def get_temp_dir(self) -> str:
        """A directory that is empty at first."""
        return tempfile.mkdtemp()

    # ------------------------------------------------------------------------------------ near and equal

    def assertAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None) -> None:
        """Nests have the same structure and near values."""
        self._near(a, b, rtol, atol, msg or "", "")

    def _near(self, a: Any, b: Any, rtol: float, atol: float, msg: str, at: str) -> None:
        a, b = (x._asdict() if hasattr(x, "_asdict") else x for x in (a, b))
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{at} vs b{at}. {msg}")
        if isinstance(a, Mapping):
            self.assertCountEqual(
                a.keys(), b.keys(), f"mismatched keys: a{at} has keys {a.keys()}, but b{at} has keys {b.keys()}. {msg}"
            )
            for key in a:
                self._near(a[key], b[key], rtol, atol, msg, f"{at}[{key}]")
            return
        try:
            self._near_arrays(
                _array(a), _array(b), rtol, atol, f"Mismatched value: a{at} is different from b{at}. {msg}"
            )
        except (ValueError, TypeError):
            if not isinstance(a, (list, tuple)):
                raise
            if len(a) != len(b):
                raise ValueError(
                    f"Mismatched length: a{at} has {len(a)} items, but b{at} has {len(b)} items. {msg}"
                ) from None
            for k, (x, y) in enumerate(zip(a, b)):
                self._near(x, y, rtol, atol, msg, f"{at}[{k}]")

    def _near_arrays(self, a: np.ndarray, b: np.ndarray, rtol: float, atol: float, msg: str) -> None:
        text = f"Shape mismatch: expected {a.shape}, got {b.shape}"
        self.assertEqual(a.shape, b.shape, f"{text} with contents {b}." if b.ndim <= 3 or b.size < 500 else f"{text}.")
        np.testing.assert_allclose(_wide(a), _wide(b), rtol=rtol, atol=atol, err_msg=msg, equal_nan=True)

    def assertNotAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None) -> None:
        """Nests are not near everywhere."""
        try:
            self.assertAllClose(a, b, rtol, atol, msg)
        except AssertionError:
            return
        raise AssertionError(f"The two values are close at all elements. {msg or ''}")

    def assertAllCloseAccordingToType(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, float_rtol: float = 1e-6,
        float_atol: float = 1e-6, half_rtol: float = 1e-3, half_atol: float = 1e-3, bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2, msg: str | None = None,
    ) -> None:  # fmt: skip
        """Nests are near, as near as their dtypes allow."""
        names = {_array(x).dtype.name for x in (a, b)}
        for name, r, t in (
            ("float32", float_rtol, float_atol), ("complex64", float_rtol, float_atol),
            ("float16", half_rtol, half_atol), ("bfloat16", bfloat16_rtol, bfloat16_atol),
        ):  # fmt: skip
            if name in names:
                rtol, atol = max(rtol, r), max(atol, t)
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Arrays have the same shape and values; nan is nan."""
        a, b = _array(a), _array(b)
        text = f"Shape mismatch: expected {a.shape}, got {b.shape}."
        text += f" Contents: {b!r}. \n{msg or ''}." if b.ndim <= 3 or b.size < 500 else f" {msg or ''}"
        self.assertEqual(a.shape, b.shape, text)
        np.testing.assert_array_equal(_wide(a), _wide(b), err_msg=msg or "")

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Arrays differ somewhere."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        raise AssertionError(f"The two values are equal at all elements. {msg or ''}")

    def assertNear(self, f1: float, f2: float, err: float, msg: str | None = None) -> None:
        """Two numbers are as near as said."""
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, f"{f1:f} != {f2:f} +/- {err:f}{f' ({msg})' if msg else ''}")

    def assertArrayNear(self, farray1: Any, farray2: Any, err: float, msg: str | None = None) -> None:
        """The numbers of two vectors are as near as said."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2):
            self.assertNear(float(f1), float(f2), err, msg)

    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float, msg: str | None = None) -> None:
        """The distance of two arrays is less than said."""
        distance = np.linalg.norm(_array(ndarray1) - _array(ndarray2))
        self.assertTrue(bool(distance < err), msg)

    # ------------------------------------------------------------------------------------ bounds and kinds

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """All elements are greater."""
        self.assertGreater(_array(a).min(), comparison_target)

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """All elements are less."""
        self.assertLess(_array(a).max(), comparison_target)

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """All elements are as great or greater."""
        self.assertGreaterEqual(_array(a).min(), comparison_target)

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """All elements are as small or smaller."""
        self.assertLessEqual(_array(a).max(), comparison_target)

    def assertAllInRange(
        self, target: Any, lower_bound: Any, upper_bound: Any, open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:  # fmt: skip
        """All elements are between two bounds."""
        a = _array(target)
        low = a <= lower_bound if open_lower_bound else a < lower_bound
        high = a >= upper_bound if open_upper_bound else a > upper_bound
        outside = np.argwhere(low | high | np.isnan(a))
        self.assertEqual(len(outside), 0, f"{len(outside)} element(s) are outside the range: {a}")

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """All elements are in a set."""
        found = set(_array(target).ravel().tolist())
        self.assertTrue(found <= set(expected_set), f"{found} is not in {expected_set}")

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """An array has a dtype."""
        self.assertEqual(as_dtype(_array(target).dtype), as_dtype(expected_dtype))

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """Two arrays or tensors have the same shape.  TypeError for anything else."""
        for name, x in (("input_a", input_a), ("input_b", input_b)):
            if not isinstance(x, (np.ndarray, np.generic)) and not is_tensor(x):
                raise TypeError(f"{name} must be a Numpy ndarray, Numpy scalar, or a Tensor.Instead received {type(x)}")
        self.assertEqual(tuple(input_a.shape), tuple(input_b.shape), msg)

    def assertStartsWith(self, actual: Any, expected_start: Any, msg: str | None = None) -> None:
        """A text begins with another one."""
        self.assertTrue(actual.startswith(expected_start), msg or f"{actual!r} does not start with {expected_start!r}")

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type: Any, expected_err_re_or_predicate: Any) -> Iterator[None]:
        """Context manager: an error is raised whose text a pattern or a predicate accepts."""
        expected = expected_err_re_or_predicate
        if not isinstance(expected, Callable):  # type: ignore[arg-type]
            with self.assertRaisesRegex(exception_type, expected):
                yield
            return
        with self.assertRaises(exception_type) as caught:
            yield
        self.assertTrue(expected(caught.exception))

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """Context manager: a kernel raises an error."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)
