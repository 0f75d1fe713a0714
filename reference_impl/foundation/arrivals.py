"""Tell a listener what is hung on an object later: how a checkpoint reaches variables that do not exist yet.

    listen(module, lambda name, value: ...)   # called by the assignment module.name = value, before it happens

Modules, layers, optimizers and checkpoints ask ``if listeners:`` before they tell, which costs next to nothing.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

Listener = Callable[[str, Any], None]
listeners: dict[int, tuple[Any, list[Listener]]] = {}  # id -> weak reference to the object, and who listens to it


def listen(holder: Any, listener: Listener) -> None:
    """Call ``listener(name, value)`` for what is hung on an object from now on.  The object is not kept alive."""
    key = id(holder)
    if key not in listeners:
        listeners[key] = (weakref.ref(holder, lambda _, known=listeners: known.pop(key, None)), [])
    listeners[key][1].append(listener)


def arrived(holder: Any, name: str, value: Any) -> None:
    """Tell the listeners of an object what is about to hang on it; what they raise ends the assignment."""
    found = listeners.get(id(holder))
    if found is not None:
        for listener in list(found[1]):
            listener(name, value)


def forget(wanted: Callable[[Listener], bool]) -> None:
    """Call no more the listeners that ``wanted`` picks."""
    for key, (_, known) in list(listeners.items()):
        known[:] = [each for each in known if not wanted(each)]
        if not known:
            del listeners[key]
