"""How rare a difference must be when few or none were found: an upper bound on the rate, by Clopper and Pearson."""

from __future__ import annotations

import math

from reports.records import Bound

CONFIDENCE = 0.95


def bound(programs: int, differing: int) -> Bound:
    """The bound on the rate of differences over independent programs; with none in n it is just below 3/n."""
    return Bound(programs, differing, upper_limit(programs, differing), CONFIDENCE)


def upper_limit(programs: int, differing: int, confidence: float = CONFIDENCE) -> float:
    """The largest rate at which `differing` or fewer of `programs` still happen with probability 1 - confidence."""
    if differing >= programs:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if _at_most(programs, differing, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(programs: int, differing: int, rate: float) -> float:
    """The probability of at most so many differences."""
    if rate <= 0:
        return 1.0
    if rate >= 1:
        return 0.0
    return math.fsum(math.exp(_log_probability(programs, k, rate)) for k in range(differing + 1))


def _log_probability(programs: int, k: int, rate: float) -> float:
    ways = math.lgamma(programs + 1) - math.lgamma(k + 1) - math.lgamma(programs - k + 1)
    return ways + k * math.log(rate) + (programs - k) * math.log1p(-rate)
