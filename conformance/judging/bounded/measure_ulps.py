"""Measure how far TensorFlow's and NumPy's kernels are off, and rewrite the table in `ulps.py`.

    python -m conformance.judging.bounded.measure_ulps            # print what was measured
    python -m conformance.judging.bounded.measure_ulps --write    # and rewrite the table

Each operation is asked at random and at extreme arguments in each dtype; the answers are compared with the same
function in the wider dtype (float64 for the 16- and 32-bit formats, the platform's long double for float64).
Needs TensorFlow, through its adapter alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import adapters
from adapters.arrays import from_numpy, to_numpy
from conformance.judging.bounded.formats import Format, format_of

MARGIN = 1.25
COUNT = 100_000
DTYPES = ("float16", "bfloat16", "float32", "float64")
_FLOOR_ABOVE = 8.0  # a kernel further off than this near its zeros gets an absolute share


@dataclass(frozen=True, slots=True)
class Case:
    """A ufunc's name in the table, TensorFlow's operation, the reference, and where to ask."""

    name: str
    op: str
    reference: Callable[..., Any]
    domain: str
    arity: int = 1
    numpy: Callable[..., Any] | None = None


def _scipy(name: str) -> Callable[..., Any]:
    import scipy.special

    return getattr(scipy.special, name)


def cases() -> list[Case]:
    """Every elementwise operation that TensorFlow has a kernel for."""
    named = [
        ("exp", "math.exp", "moderate"), ("expm1", "math.expm1", "moderate"), ("log", "math.log", "positive"),
        ("log1p", "math.log1p", "above -1"), ("sqrt", "math.sqrt", "positive"), ("sin", "math.sin", "angles"),
        ("cos", "math.cos", "angles"), ("tan", "math.tan", "angles"), ("tanh", "math.tanh", "moderate"),
        ("sinh", "math.sinh", "moderate"), ("cosh", "math.cosh", "moderate"), ("arcsinh", "math.asinh", "any"),
        ("arccosh", "math.acosh", "above 1"), ("arctanh", "math.atanh", "unit"), ("arcsin", "math.asin", "unit"),
        ("arccos", "math.acos", "unit"), ("arctan", "math.atan", "any"),
    ]  # fmt: skip
    found = [Case(name, op, getattr(np, name), domain, 1, getattr(np, name)) for name, op, domain in named]
    found += [
        Case("reciprocal", "math.reciprocal", lambda x: 1 / x, "any"),
        Case("rsqrt", "math.rsqrt", lambda x: 1 / np.sqrt(x), "positive"),
        Case("sigmoid", "math.sigmoid", lambda x: 1 / (1 + np.exp(-x)), "moderate"),
        Case("softplus", "math.softplus", lambda x: np.logaddexp(x, 0), "moderate"),
        Case("power", "math.pow", np.power, "powers", 2, np.power),
        Case("arctan2", "math.atan2", np.arctan2, "pairs", 2, np.arctan2),
        Case("true_divide", "math.divide", np.true_divide, "pairs", 2, np.true_divide),
    ]
    special = [
        ("erf", "math.erf", "moderate"), ("erfc", "math.erfc", "moderate"), ("erfinv", "math.erfinv", "unit"),
        ("ndtri", "math.ndtri", "zero to one"), ("gammaln", "math.lgamma", "gamma"), ("psi", "math.digamma", "gamma"),
        ("i0e", "math.bessel_i0e", "moderate"), ("i1e", "math.bessel_i1e", "moderate"),
        ("i0", "math.bessel_i0", "moderate"), ("i1", "math.bessel_i1", "moderate"),
        ("k0e", "math.special.bessel_k0e", "positive 50"), ("k1e", "math.special.bessel_k1e", "positive 50"),
        ("k0", "math.special.bessel_k0", "positive 50"), ("k1", "math.special.bessel_k1", "positive 50"),
        ("j0", "math.special.bessel_j0", "moderate"), ("j1", "math.special.bessel_j1", "moderate"),
        ("y0", "math.special.bessel_y0", "positive 50"), ("y1", "math.special.bessel_y1", "positive 50"),
        ("dawsn", "math.special.dawsn", "moderate"), ("expi", "math.special.expint", "positive 50"),
        ("spence", "math.special.spence", "positive 50"),
    ]  # fmt: skip
    found += [Case(name, op, _scipy(name), domain) for name, op, domain in special]
    found += [
        Case("gammainc", "math.igamma", _scipy("gammainc"), "shapes", 2),
        Case("gammaincc", "math.igammac", _scipy("gammaincc"), "shapes", 2),
        Case("betainc", "math.betainc", _scipy("betainc"), "beta", 3),
        Case("xlogy", "math.xlogy", _scipy("xlogy"), "positive pairs", 2),
        Case("xlog1py", "math.xlog1py", _scipy("xlog1py"), "positive pairs", 2),
        Case("zeta", "math.zeta", _scipy("zeta"), "zeta", 2),
    ]
    return found


def arguments(domain: str, arity: int, dtype: np.dtype, rng: np.random.Generator) -> list[np.ndarray]:
    """Random arguments of a domain, half of them moderate and half spread over many magnitudes."""
    fmt = format_of(dtype)
    return [_drawn(domain, position, fmt, rng).astype(dtype) for position in range(arity)]


def _drawn(domain: str, position: int, fmt: Format, rng: np.random.Generator) -> np.ndarray:
    near, small = rng.uniform(-4, 4, COUNT // 2), rng.uniform(-1, 1, COUNT)
    reach = min(-np.log10(fmt.tiny), 30.0) * 0.9
    spread = 10.0 ** rng.uniform(-reach, min(reach, np.log10(fmt.max)), COUNT - COUNT // 2)
    signed = spread * rng.choice([-1.0, 1.0], spread.size)
    top = 0.95 * np.log(fmt.max)
    whole = np.concatenate([near, signed])
    match domain:
        case "any" | "pairs":
            return whole
        case "moderate":
            return np.concatenate([near, rng.uniform(-top, top, COUNT // 4), np.clip(signed[: COUNT // 4], -top, top)])
        case "angles":
            return np.concatenate(
                [near, rng.uniform(-1000, 1000, COUNT // 4), np.clip(signed[: COUNT // 4], -8000, 8000)]
            )
        case "positive" | "positive pairs":
            return np.abs(whole)
        case "positive 50":
            return np.abs(small) * 50
        case "above -1":
            return np.where(whole > -0.99, whole, small * 0.99)
        case "above 1":
            return 1 + np.abs(whole)
        case "unit":
            return small * 0.999
        case "zero to one":
            return np.clip(np.abs(small), 0.001, 0.999)
        case "gamma":
            return np.abs(np.concatenate([near, rng.uniform(0.01, 50, COUNT // 2)])) + 0.01
        case "shapes":
            return np.abs(small) * 8 + 0.1
        case "beta":
            return np.abs(small) * 5 + 0.1 if position < 2 else np.clip(np.abs(small), 0.01, 0.99)
        case "zeta":
            return np.abs(small) * 8 + (1.5 if position == 0 else 0.2)
        case "powers":
            return np.abs(near).repeat(2) if position == 0 else small * 6
    raise ValueError(domain)


def off_by(got: np.ndarray, case: Case, given: list[np.ndarray], fmt: Format) -> tuple[float, float]:
    """(k, floor): the errors seen are at most ulp * (k * |x| + floor). Values that over- or underflow are left out."""
    wide = [a.astype(fmt.wide) for a in given]
    try:
        x = case.reference(*wide).astype(fmt.wide)
    except TypeError:  # SciPy has no long double: the kernels are then compared with each other
        x = case.reference(*(a.astype(np.float64) for a in wide)).astype(fmt.wide)
    size = np.abs(x)
    judged = np.isfinite(x) & (size < fmt.max) & (size > fmt.tiny * 4)
    for a in wide:  # subnormal arguments are read as zero
        judged &= np.abs(a) >= fmt.tiny
    error = np.abs(got.astype(fmt.wide) - x)[judged] / fmt.ulp
    size = size[judged]
    if not error.size:
        return 0.5, 0.0
    relative = error / size
    worst = float(relative.max())
    if worst <= _FLOOR_ABOVE:
        return worst, 0.0
    usual = float(np.quantile(relative, 0.98))
    floor = float(np.maximum(error - usual * size, 0).max())
    return (usual, floor) if floor < 1e3 else (worst, 0.0)  # far off at large values, not near zeros


def measure(case: Case, dtype_name: str, backend: Any, seed: int) -> tuple[float, float] | None:
    """The larger of TensorFlow's and NumPy's errors in one dtype, or None where TensorFlow has no such kernel."""
    dtype = np.dtype(dtype_name) if dtype_name != "bfloat16" else _bfloat16()
    given = arguments(case.domain, case.arity, dtype, np.random.default_rng(seed))
    try:
        tensors = tuple(backend.constant(from_numpy(a)) for a in given)
        outcome = backend.observe(backend.call(case.op, tensors, {}))
    except Exception as error:  # whatever TensorFlow raises for a dtype it lacks
        print(f"  {case.name} {dtype_name}: {type(error).__name__}", file=sys.stderr)
        return None
    found = off_by(to_numpy(outcome.array), case, given, format_of(dtype))
    if case.numpy is not None and dtype_name in ("float32", "float64"):
        own = off_by(case.numpy(*given), case, given, format_of(dtype))
        found = (max(found[0], own[0]), max(found[1], own[1]))
    return found


def _bfloat16() -> np.dtype:
    import ml_dtypes

    return np.dtype(ml_dtypes.bfloat16)


def main() -> None:
    table: dict[str, dict[str, tuple[float, float]]] = {}
    backend = adapters.load("tensorflow")
    with np.errstate(all="ignore"):
        for case in cases():
            row = {name: measure(case, name, backend, seed=7) for name in DTYPES}
            print(case.name, {k: tuple(round(float(x), 2) for x in v) for k, v in row.items() if v})
            table[case.name] = {k: v for k, v in row.items() if v}
    if "--write" in sys.argv:
        rewrite(table)


def rewrite(table: dict[str, dict[str, tuple[float, float]]]) -> None:
    """Put the measured numbers, with a margin, between the markers of `ulps.py`."""
    lines = ["MEASURED: dict[str, dict[str, tuple[float, float]]] = {"]
    for name, row in sorted(table.items()):
        cells = ", ".join(
            f'"{dtype}": ({_with_margin(k)}, {_with_margin(f, 0.0) if f else 0.0})' for dtype, (k, f) in row.items()
        )
        lines.append(f'    "{name}": {{{cells}}},')
    lines.append("}")
    path = Path(__file__).with_name("ulps.py")
    head, _, rest = path.read_text().partition("# table: begin\n")
    _, _, tail = rest.partition("# table: end\n")
    path.write_text(head + "# table: begin\n" + "\n".join(lines) + "\n# table: end\n" + tail)


def _with_margin(k: float, least: float = 0.5) -> float:
    """Kernels that round correctly need no margin: their worst case is known."""
    correct = 0.502
    return round(max(k if k <= correct else k * MARGIN + 0.25, least), 2)


if __name__ == "__main__":
    main()
