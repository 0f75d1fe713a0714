"""Which implementations the programs around tapes are asked of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from conformance.test_around import implementation


def _asked(name: str | None) -> Any:
    return SimpleNamespace(config=SimpleNamespace(getoption=lambda *_: name))


@pytest.mark.parametrize("name", ["command: python tape.py", "a_tape_that_is_in_no_environment_here"])
def test_tapes_that_are_no_modules_here_are_skipped(name: str) -> None:
    with pytest.raises(pytest.skip.Exception, match="has not all of Module"):
        implementation(_asked(name))


def test_the_engine_is_asked_all() -> None:
    assert implementation(_asked(None)) == "reference"
