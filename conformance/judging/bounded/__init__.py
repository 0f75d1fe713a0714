"""Arrays that know how far any implementation may be off: see `array.py` for `Bounded` and `run.py` for decisions."""

from conformance.judging.bounded.array import Bounded, BoundError, bounded, lift
from conformance.judging.bounded.run import Run, watching

__all__ = ["BoundError", "Bounded", "Run", "bounded", "lift", "watching"]
