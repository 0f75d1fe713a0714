"""What surrounds a program changes no answer of it: NumPy's error state, warnings as errors, another thread's tape."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import reference_impl as tf
from adapters import load
from adapters.interpreter import run
from conformance.generating.sources import seeded
from conformance.judging.sameness import identical

PROGRAMS = [program for _, program in seeded(5, 0, 250)]


@contextmanager
def strict_numpy() -> Iterator[None]:
    with np.errstate(all="raise"):
        yield
        assert set(np.geterr().values()) == {"raise"}, "the engine changed the caller's error state"


@contextmanager
def strict_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@contextmanager
def a_tape_in_another_thread() -> Iterator[None]:
    """While the block runs, another thread has a tape open and records on it."""
    opened, over = threading.Event(), threading.Event()

    def record() -> None:
        with tf.GradientTape(persistent=True) as tape:
            x = tf.constant(2.0)
            tape.watch(x)
            opened.set()
            while not over.is_set():
                tf.sin(x) * x
                over.wait(0.001)

    thread = threading.Thread(target=record)
    thread.start()
    opened.wait()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("surroundings", [strict_numpy, strict_warnings, a_tape_in_another_thread])
def test_answers_and_logged_warnings_do_not_depend_on(surroundings: object) -> None:
    backend = load("reference")
    usual = [run(program, backend) for program in PROGRAMS]
    with surroundings():  # type: ignore[operator]
        told = [run(program, backend) for program in PROGRAMS]
    changed = [at for at, (want, got) in enumerate(zip(usual, told)) if not identical(want, got)]
    assert changed == []
    assert any(observation.warnings for answers in usual for observation in answers), "no warning was there to compare"
