"""What the gradient of a graph warns of, casts that drop imaginary parts, as often as TensorFlow makes that gradient.

A graph warns of its own casts, and of those in its branches and loops, whenever its gradient is made.  A function that
it calls makes a gradient of its own once, for all callers, and once more when the call has been given further results:
the values that the first gradient uses.
"""

from __future__ import annotations

from typing import Any

from ..foundation.warnings_log import warn


class Casts:
    """The warnings of one graph's gradient: ``texts``, and those of the functions that the graph calls."""

    __slots__ = ("called", "made", "texts", "widened")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.called: dict[int, tuple[Casts, bool]] = {}  # those of functions, and whether they hand on values
        self.widened = False  # the calls in the graph have been given further results
        self.made: set[bool] = set()  # called by another graph: made for the results alone, and for further ones

    def __bool__(self) -> bool:
        return bool(self.texts or self.called)

    def meet(self, region: Any, values: list) -> None:
        """The gradient comes into a ``region``, which was called with ``values``."""
        if hasattr(type(region), "bends") and hasattr(type(region), "region"):
            self._meet_primal(region, values)
            return
        if hasattr(type(region), "casts") and region.places is None:
            if region.casts and id(region.casts) not in self.called:
                self.called[id(region.casts)] = (region.casts, region.computes_used(values))
            return
        for part in _parts_of(region):
            self.texts += part.casts.texts
            self.called.update(part.casts.called)

    def _meet_primal(self, derivative: Any, values: list) -> None:
        """From a derivative a walk goes on to the function that it is of, if it changes with what that computes."""
        function = derivative.region
        uses = hasattr(type(function), "casts") and any(derivative.connections(values)[: len(derivative.connected)])
        if uses and function.computes_used(values[0]):
            self.meet(function, values[0])

    def write(self) -> None:
        """Warn of all that is made when the gradient of the graph is."""
        for text in self.texts:
            warn(text)
        for inner, hands_on in self.called.values():
            inner._write_inside(self.widened and hands_on)
        self.widened = True

    def _write_inside(self, widened: bool) -> None:
        if widened not in self.made:
            self.made.add(widened)
            self.write()


def _parts_of(region: Any) -> list:
    """The branches of a choice, or the body of a loop."""
    parts = [*getattr(region, "regions", ()), *([region.body] if hasattr(type(region), "body") else [])]
    return [part for part in parts if hasattr(type(part), "casts")]
