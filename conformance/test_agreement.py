"""The main job as test items: each chunk of programs is run on both tapes, and what differs is recorded by cause."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from conformance.plugin import BEGAN, FOLDER, PLAN
from conformance.running.plan import Chunk
from conformance.running.run import surprises, work
from conformance.running.session import Abandoned, Session


def of_kinds(*kinds: str) -> Callable[[Any], Any]:
    """Mark which kinds of chunks a test takes."""

    def mark(test: Any) -> Any:
        test.chunk_kinds = kinds
        return test

    return mark


def agree(chunk: Chunk, tapes: Session, request: pytest.FixtureRequest) -> None:
    """Run a chunk; fail with its unexpected causes. What is shrunk and explained stands at the end of the run."""
    stash = request.config.stash
    limit = stash[PLAN].max_seconds
    if limit is not None and time.monotonic() - stash[BEGAN] > limit:
        pytest.skip("the time that was asked for is over")
    try:
        result = work(chunk, tapes, stash[FOLDER])
    except Abandoned as abandoned:
        request.node.user_properties.append(("abandoned", str(abandoned)))
        pytest.fail(str(abandoned), pytrace=False)
    request.node.user_properties.append(("programs", result.programs))
    request.node.user_properties.append(("differ", result.differing))
    told = surprises(result, tapes)
    if told:
        pytest.fail("\n".join(told), pytrace=False)


@of_kinds("corpus", "replay")
def test_pinned_programs_give_the_wanted_answers(chunk: Chunk, tapes: Session, request: pytest.FixtureRequest) -> None:
    agree(chunk, tapes, request)


@of_kinds("generated", "explored")
def test_generated_programs_agree(chunk: Chunk, tapes: Session, request: pytest.FixtureRequest) -> None:
    agree(chunk, tapes, request)


@of_kinds("relations")
def test_relations_between_answers_hold(chunk: Chunk, tapes: Session, request: pytest.FixtureRequest) -> None:
    agree(chunk, tapes, request)
