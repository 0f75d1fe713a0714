"""Programs as scripts: readable, runnable, and printing what was wanted."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest

import reference_impl
from adapters import language as lang
from adapters.interpreter import run
from adapters.messages import normalise
from adapters.observations import Observation, Raised, Skipped, Unsupported
from adapters.reference import ReferenceBackend
from conformance.generating.sources import seeded
from conformance.handwritten import Script
from conformance.scripting.script import code_lines, expected_output, script


def printed(text: str) -> str:
    """What a script prints when our engine stands in TensorFlow's place, without white space."""
    shown = io.StringIO()
    code = compile(text.replace("import tensorflow as tf", "import reference_impl as tf"), "script", "exec")
    with contextlib.redirect_stdout(shown):
        exec(code, {"__name__": "__main__"})
    return flat(shown.getvalue())


def flat(text: str) -> str:
    """Text without white space, and without what changes from run to run."""
    return "".join(normalise(text).split())


def cubed() -> lang.Program:
    tf = Script()
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        g = inner.gradient(y, x)
    outer.gradient(g, x)
    return tf.program()


def test_a_second_order_program_reads_like_one_written_by_hand() -> None:
    program = cubed()
    text = script(program, run(program, ReferenceBackend()))
    assert text.splitlines() == [
        "import tensorflow as tf",
        "",
        "x = tf.constant(2.0)",
        "with tf.GradientTape() as outer:",
        "    outer.watch(x)",
        "    with tf.GradientTape() as inner:",
        "        inner.watch(x)",
        "        y = x * x",
        '        print("y =", y)  # tf.Tensor(4.0, shape=(), dtype=float32)',
        "        z = y * x",
        '        print("z =", z)  # tf.Tensor(8.0, shape=(), dtype=float32)',
        "    g = inner.gradient(z, x)",
        '    print("g =", g)  # tf.Tensor(12.0, shape=(), dtype=float32)',
        "h = outer.gradient(g, x)",
        'print("h =", h)  # tf.Tensor(12.0, shape=(), dtype=float32)',
    ]


def test_steps_that_raised_are_guarded_and_no_others() -> None:
    tf = Script()
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    tape.gradient(y, x)
    program = tf.program()
    text = script(program, run(program, ReferenceBackend()))
    assert text.count("try:") == 1
    assert "except RuntimeError as error:" in text
    assert "try:" not in script(program)


def test_blocks_that_do_not_nest_are_entered_and_left_by_name() -> None:
    tf = Script()
    x = tf.constant(2.0)
    one, two = tf.GradientTape(), tf.GradientTape()
    for tape in (one, two):
        tf.enter(tape)
        tape.watch(x)
    y = x * x
    tf.leave(one)
    tf.leave(two)
    one.gradient(y, x)
    text = script(tf.program())
    assert "with outer:" in text
    assert "inner.__enter__()" in text and "inner.__exit__(None, None, None)" in text
    assert "g=tf.Tensor(4.0,shape=(),dtype=float32)" in printed(text)


def test_an_exception_passes_through_the_end_of_a_block() -> None:
    tf = Script()
    x = tf.constant(2.0)
    tape = tf.GradientTape()
    tf.enter(tape)
    tape.watch(x)
    y = x * x
    tf.leave(tape, raising=True)
    tape.gradient(y, x)
    text = script(tf.program())
    assert "    raise RuntimeError" in text and "except RuntimeError:" in text
    assert "g=tf.Tensor(4.0,shape=(),dtype=float32)" in printed(text)


def test_a_thread_runs_its_steps_as_a_function() -> None:
    tf = Script()
    x = tf.constant(3.0)
    with tf.in_thread(), tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.gradient(y, x)
    text = script(tf.program())
    assert "threading.Thread(target=in_thread)" in text
    assert "g=tf.Tensor(6.0,shape=(),dtype=float32)" in printed(text)


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (lang.Array("float32", (), (0.10000000149011612,)), "tf.constant(0.1)"),
        (lang.Array("float64", (2,), (0.1, 1.0)), "tf.constant([0.1, 1.0], tf.float64)"),
        (lang.Array("int32", (1, 2), (1, 2)), "tf.constant([[1, 2]])"),
        (lang.Array("float32", (0, 2), ()), "tf.constant([], tf.float32, shape=(0, 2))"),
        (lang.Array("float32", (2,), (float("nan"), float("-inf"))), "tf.constant([nan, -inf])"),
        (lang.Array("complex64", (), (1 - 2j,)), "tf.constant(1.0-2.0j, tf.complex64)"),
        (lang.Array("float32", (), (-0.0,)), "tf.constant(-0.0)"),
    ],
)
def test_arrays_are_spelled_shortly_and_exactly(array: lang.Array, text: str) -> None:
    lines = script(lang.Program((lang.Constant(array),))).splitlines()
    assert lines[-1] == f"x = {text}"
    assert ("from math import inf, nan" in lines) == ("nan" in text)


def test_indices_operators_and_python_numbers_are_spelled_as_python() -> None:
    tf = Script()
    x = tf.constant([1.0, 2.0, 3.0])
    tf.call("operator.getitem", x, (slice(None, None, -1), None))
    tf.call("operator.pow", -1.0, x)
    tf.call("math.reduce_sum", x, axis=[0], keepdims=True)
    lines = code_lines(tf.program())
    assert lines[1] in ("y = x[::-1, None]", "y = x[::-1, tf.newaxis]")
    assert lines[2] == "z = (-1.0) ** x"
    assert lines[3] == "p = tf.math.reduce_sum(x, axis=[0], keepdims=True)"


def test_functions_are_defined_before_they_are_used() -> None:
    tf = Script()
    x = tf.constant(3.0)
    tripled = tf.custom_gradient(lambda a: (a * a, lambda dy: dy * 3.0))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tripled(x)
    tape.gradient(y, x)
    text = script(tf.program())
    assert text.index("def function(") < text.index("tf.custom_gradient(function)")


def test_code_lines_give_one_line_per_step() -> None:
    for _, program in seeded(31, 0, 150):
        lines = code_lines(program)
        assert len(lines) == len(program.steps)
        assert all(line.strip() and "\n" not in line for line in lines)


def supported(want: tuple[Observation, ...]) -> bool:
    return not any(isinstance(one.outcome, Unsupported) for one in want)


def test_scripts_of_drawn_programs_print_the_wanted_answers_on_the_engine() -> None:
    backend: Any = ReferenceBackend()
    checked = 0
    for choices, program in seeded(17, 0, 250):
        want = run(program, backend)
        if not supported(want):
            continue
        text = printed(script(program, want))
        position = 0
        for line in expected_output(program, want):
            found = text.find(flat(line), position)
            assert found >= 0, (choices, line, script(program, want))
            position = found
        checked += 1
    assert checked > 100
    assert reference_impl.__name__ == "reference_impl"


def test_steps_that_were_skipped_are_shown_and_not_run() -> None:
    tf = Script()
    x = tf.constant(2.0)
    y = tf.math.sin(x)
    program = tf.program()
    text = script(program, (Observation(Raised("ValueError", "no")), Observation(Skipped())))
    assert "# not run: y = tf.math.sin(x)" in text
    assert y.index == 1
