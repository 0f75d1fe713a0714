"""Containers that tell their owner what is put into them, so that a layer knows its variables and layers."""

from __future__ import annotations

from typing import Any


class Store:
    """What belongs to a layer, by kind; ``lock`` refuses anything new."""

    __slots__ = ("_ids", "kinds", "locked")

    def __init__(self, kinds: tuple[str, ...]):
        self.kinds: dict[str, list] = {kind: [] for kind in kinds}
        self._ids: dict[str, set[int]] = {kind: set() for kind in kinds}
        self.locked = False

    def add(self, kind: str, value: Any) -> None:
        """Take a thing, unless it is there.  ValueError when locked."""
        if id(value) in self._ids[kind]:
            return
        if self.locked:
            raise ValueError(
                "You cannot add new elements of state (variables or sub-layers) to a layer that is already built. All "
                "state must be created in the `__init__()` method or in the `build()` method."
            )
        self.kinds[kind].append(value)
        self._ids[kind].add(id(value))

    def remove(self, value: Any) -> None:
        """Forget a thing."""
        for kind, ids in self._ids.items():
            if id(value) in ids:
                ids.remove(id(value))
                self.kinds[kind][:] = [v for v in self.kinds[kind] if v is not value]


def tracked(value: Any, owner: Any) -> Any:
    """A value as an attribute of ``owner``: lists, dicts and tuples in forms that tell it what they get."""
    owner._notice(value)
    kind = type(value)
    if kind is list:
        return TrackedList((tracked(v, owner) for v in value), owner)
    if kind is dict:
        return TrackedDict(((k, tracked(v, owner)) for k, v in value.items()), owner)
    if kind is tuple:
        return tuple([tracked(v, owner) for v in value])
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind(*[tracked(v, owner) for v in value])
    return value


class TrackedList(list):
    """A list whose owner knows what is in it."""

    def __init__(self, values: Any = (), owner: Any = None):
        super().__init__(values)
        self._owner = owner

    def append(self, value: Any) -> None:
        super().append(self._noticed(value))

    def insert(self, index: Any, value: Any) -> None:
        super().insert(index, self._noticed(value))

    def extend(self, values: Any) -> None:
        super().extend([self._noticed(v) for v in values])

    def pop(self, index: Any = -1) -> Any:
        value = super().pop(index)
        self._forget(value)
        return value

    def remove(self, value: Any) -> None:
        super().remove(value)
        self._forget(value)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, self._noticed(value))

    def _noticed(self, value: Any) -> Any:
        return value if self._owner is None else tracked(value, self._owner)

    def _forget(self, value: Any) -> None:
        if self._owner is not None:
            self._owner._store.remove(value)


class TrackedDict(dict):
    """A dict whose owner knows what is in it."""

    def __init__(self, values: Any = (), owner: Any = None):
        super().__init__(values)
        self._owner = owner

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value if self._owner is None else tracked(value, self._owner))

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*args, **kwargs).items():
            self[key] = value
