"""Tell packages of other distributions that are called `adapters` or `reports` from those installed beside this one.

Both names are common. `check()` raises ForeignPackage, in one sentence that says what was found where and what to do
about it, before anything of the other package has run; it returns when both are ours.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

NAMES = ("adapters", "reports")
_HOME = Path(__file__).resolve().parents[1]


class ForeignPackage(ImportError):
    """Another package answers to the name of one that tapecheck consists of, or none does."""


def check() -> None:
    """Return when `adapters` and `reports` are ours; ForeignPackage, in one sentence, when one is not."""
    for name in NAMES:
        _check(name)


def _check(name: str) -> None:
    found = _folder(name)
    if found is None:
        raise ForeignPackage(f"tapecheck's package {name} is missing from {_HOME}: install tapecheck again")
    if found != _HOME / name:
        raise ForeignPackage(
            f"tapecheck needs its own package {name}, in {_HOME / name}, but Python finds another one of that name "
            f"first, in {found}: move that one off Python's path, or install tapecheck in an environment of its own"
        )
    if not getattr(importlib.import_module(name), "is_ours", False):
        raise ForeignPackage(
            f"another distribution has written its package {name} over tapecheck's, in {found}: "
            "install tapecheck in an environment of its own"
        )


def _folder(name: str) -> Path | None:
    """Where Python finds the package, or the module, of that name; nothing of it is run."""
    spec = getattr(sys.modules.get(name), "__spec__", None) or importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return None
    origin = Path(spec.origin).resolve()
    return origin.parent if origin.stem == "__init__" else origin
