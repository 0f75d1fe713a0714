"""What becomes of the values of a checkpoint that is read: each goes to the variable that hangs at its path.

A variable that exists gets its value at once, or nothing is assigned at all.  One that is made later gets it when it is
hung on its object: ``module.w = tf.Variable(...)`` after ``read``, a layer built by its first call, the moments of an
optimizer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..foundation.arrivals import forget, listen
from ..saved_model.trackables import children, inner_variable, is_trackable
from ..tensors.conversion import convert_to_tensor
from ..tensors.variable import ResourceVariable

SUFFIX = "/.ATTRIBUTES/VARIABLE_VALUE"


def hanging(root: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Everything that hangs on an object with its path, breadth first; objects come once."""
    seen, left = {id(root)}, deque([(prefix, root)])
    while left:
        path, value = left.popleft()
        for name, child in children(value):
            place = f"{path}/{_escaped(name)}" if path else _escaped(name)
            if inner_variable(child) is None:
                if id(child) in seen:
                    continue
                seen.add(id(child))
                left.append((place, child))
            yield place, child


def variables_of(root: Any, shared: bool = False) -> Iterator[tuple[str, ResourceVariable]]:
    """The variables that hang on an object with their paths; ``shared``: by every path to them."""
    done: set[int] = set()
    for path, value in hanging(root):
        variable = inner_variable(value)
        if variable is not None and (shared or id(variable._handle) not in done):
            done.add(id(variable._handle))
            yield path, variable


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


class Restoration:
    """The values of one ``read`` and who got them; what is left waits for objects that are still to come."""

    def __init__(self, root: Any, values: dict[str, Any], also: dict[str, str]):
        """``values`` by key, and the paths of values that are not in their keys, with those that are."""
        self.root, self.left, self.also = root, dict(values), also
        self._handles: dict[int, Any] = {}  # the handles are kept, so that their ids stay theirs

    def begin(self) -> None:
        """Assign all that can be assigned now.  ValueError for a wrong shape or dtype; then nothing is assigned."""
        matched = [
            (p, v, _fitting(self.left[self._key(p)], v)) for p, v in variables_of(self.root, True) if self._has(p)
        ]
        for path, variable, value in matched:
            self._give(path, variable, value)
        if self.left:
            for top in (self.root, getattr(self.root, "_root", None)):
                self._attend("", top)
            for path, value in hanging(self.root):
                self._attend(path, value)

    def got(self, variable: ResourceVariable) -> bool:
        """Whether a variable got a value."""
        return id(variable._handle) in self._handles

    @property
    def nontrivial(self) -> bool:
        """Whether any variable got a value."""
        return bool(self._handles)

    def take(self, path: str, value: Any) -> None:
        """Something is about to hang at a path: give it, and what hangs on it, the values that wait there."""
        if not self.left or not is_trackable(value):
            return
        below = hanging(value, path) if inner_variable(value) is None else ()
        for place, child in [(path, value), *below]:
            variable = inner_variable(child)
            if variable is None:
                self._attend(place, child)
            elif self._has(place):
                self._give(place, variable, _fitting(self.left[self._key(place)], variable))
        if not self.left:
            forget(lambda each: isinstance(each, _Place) and each.restoration is self)

    def _key(self, path: str) -> str:
        return self.also.get(path, path) + SUFFIX

    def _has(self, path: str) -> bool:
        return self._key(path) in self.left

    def _give(self, path: str, variable: ResourceVariable, value: Any) -> None:
        variable._store(value, False)
        self._handles[id(variable._handle)] = variable._handle
        self.left.pop(self._key(path), None)

    def _attend(self, path: str, value: Any) -> None:
        """Listen to an object when values wait below it."""
        start = f"{path}/" if path else ""
        waiting = [*self.left, *(p for p, name in self.also.items() if name + SUFFIX in self.left)]
        if _can_grow(value) and any(key.startswith(start) for key in waiting):
            listen(value, _Place(self, path))


def _can_grow(value: Any) -> bool:
    return inner_variable(value) is None and not isinstance(value, (list, tuple, dict)) and hasattr(value, "__dict__")


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A listener: where an object hangs."""

    restoration: Restoration
    path: str

    def __call__(self, name: str, value: Any) -> None:
        # what an optimizer keeps arrives as "_variables/3", which is a path and not a name
        place = name if "/" in name else _escaped(name)
        self.restoration.take(f"{self.path}/{place}" if self.path else place, value)


def _fitting(value: Any, variable: ResourceVariable) -> Any:
    a = convert_to_tensor(value)._a
    if a.dtype != variable._peek().dtype or not variable.shape.is_compatible_with(a.shape):
        shape = f"({', '.join(map(str, a.shape))}{',' * (a.ndim == 1)})"
        raise ValueError(
            f"Received incompatible tensor with shape {shape} when attempting to restore variable with shape "
            f"{variable.shape} and name {variable.name}."
        )
    return a


class CheckpointLoadStatus:
    """What became of a ``read`` up to now."""

    def __init__(self, restoration: Restoration | None = None):
        self._restoration = restoration

    def assert_consumed(self) -> CheckpointLoadStatus:
        """AssertionError unless every variable got a value and every value was used."""
        self.assert_existing_objects_matched()
        if self._restoration is not None and self._restoration.left:
            key = min(self._restoration.left)
            path = key.removesuffix(SUFFIX).replace("/", ".")
            raise AssertionError(
                f'Unresolved object in checkpoint (root).{path}: attributes {{\n  name: "VARIABLE_VALUE"\n  '
                f'checkpoint_key: "{key}"\n}}\n'
            )
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """AssertionError unless every variable that there is now got a value."""
        if self._restoration is None:
            return self
        known = {id(v._handle): v for _, v in variables_of(self._restoration.root)}
        unmatched = [v for v in known.values() if not self._restoration.got(v)]
        if unmatched:
            count = len(unmatched)
            raise AssertionError(
                f"Found {count} Python objects that were not bound to checkpointed values, likely due to changes in "
                f"the Python program. Showing {min(count, 10)} of {count} unmatched objects: {unmatched[:10]}"
            )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """AssertionError unless some variable got a value."""
        if self._restoration is None or not self._restoration.nontrivial:
            raise AssertionError("Nothing to load, or no variable got a value.")
        return self

    def expect_partial(self) -> CheckpointLoadStatus:
        """Say that values may be left over."""
        return self
