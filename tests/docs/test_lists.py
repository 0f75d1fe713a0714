"""The page that lists what is around a tape lists everything that there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import reference_impl as tf

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "around.md").read_text(encoding="utf-8")
LISTED = {
    m[1]: set(re.findall(r"`(\w+)`", m[2])) for m in re.finditer(r"\*\*([\w.]+)\*\*:(.*?)\.\n\n", PAGE, re.DOTALL)
}


def _of(path: str) -> Any:
    found: Any = tf
    for word in path.split(".")[1:]:
        found = getattr(found, word)
    return found


@pytest.mark.parametrize("path", sorted(LISTED))
def test_a_list_names_what_there_is(path: str) -> None:
    found = _of(path)
    there = getattr(found, "__all__", None) or [n for n in dir(found) if not n.startswith("_")]
    assert LISTED[path] == set(there)
    assert all(hasattr(found, name) for name in LISTED[path])


def test_every_part_has_its_list() -> None:
    assert len(LISTED) == 35
