"""The value of a name that has none."""

from __future__ import annotations

from typing import Any


class Undefined:
    """The value of a name that has none."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def _refuse(self, *_args: Any, **_kwargs: Any) -> Any:
        raise UnboundLocalError(f"'{self.name}' is used before assignment")

    def __getattr__(self, name: str) -> Any:
        return self._refuse()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __call__ = __getitem__ = __iter__ = __bool__ = __len__ = __lt__ = __gt__ = __le__ = __ge__ = __neg__ = _refuse


def is_undefined(value: Any) -> bool:
    """True for the value of a name that has none."""
    return type(value) is Undefined
