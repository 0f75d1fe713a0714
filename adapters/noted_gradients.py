"""Which gradient functions of an implementation's registry were really called: `NotedGradients(registry, usable)`.

A backend that has such a registry carries one as its attribute `gradients`. Nothing is noted before `note()` is called;
from then on `called()` gives the names whose function ran since it was last asked.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

Entry = dict[str, Any]


class NotedGradients:
    """`registry` maps a kernel's name to an entry whose "type" is its gradient function, or None where it has none.

    `why_not(name)` says in a few words why a kernel cannot run here, "" where it can.
    """

    def __init__(self, registry: MutableMapping[str, Entry], why_not: Callable[[str], str]) -> None:
        self._registry, self._why_not = registry, why_not
        self._called: set[str] = set()
        self._noting = False

    def note(self) -> None:
        """Note calls from now on; calling it again changes nothing."""
        if self._noting:
            return
        self._noting = True
        for name, entry in list(self._registry.items()):
            if entry["type"] is not None:
                self._registry[name] = {**entry, "type": self._noted(name, entry["type"])}

    def _noted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        called = self._called

        def gradient(*arguments: Any) -> Any:
            called.add(name)
            return function(*arguments)

        return gradient

    def called(self) -> tuple[str, ...]:
        """The kernels whose gradient function was called since this was last asked, sorted."""
        names = tuple(sorted(self._called))
        self._called.clear()
        return names

    def kernels(self) -> dict[str, str]:
        """Every kernel with a gradient function, and why it cannot run here ("" where it can)."""
        return {
            name: self._why_not(name) for name, entry in sorted(self._registry.items()) if entry["type"] is not None
        }
