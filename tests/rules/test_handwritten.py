"""Writing programs by hand."""

from __future__ import annotations

from typing import Any

import pytest

from adapters import language as lang
from conformance.handwritten import Script, array_of, written


def test_a_program_reads_like_tensorflow() -> None:
    def write(tf: Any) -> None:
        x = tf.constant(3.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = 2.0 * x
        t.gradient(y, [x], unconnected_gradients="zero")

    x, t = lang.Ref(0), lang.Ref(1)
    assert written(write).steps == (
        lang.Constant(lang.Array("float32", (), (3.0,))),
        lang.MakeTape(),
        lang.Enter(t),
        lang.Watch(t, x),
        lang.Call("operator.mul", (lang.Py(2.0), x)),
        lang.Exit(t),
        lang.Gradient(t, lang.Ref(4), lang.Items("list", (x,)), None, lang.Py("zero")),
    )


def test_a_function_is_traced_once_and_reaches_outward() -> None:
    tf = Script()
    x = tf.constant(3.0)
    tf.custom_gradient(lambda a: (a * x, lambda dy: dy * a))
    function = tf.program().steps[1].args[0]
    inner = lang.Function(1, (lang.Call("operator.mul", (lang.Param(0), lang.Param(0, 1))),), lang.Ref(0))
    assert function == lang.Function(
        1,
        (lang.Call("operator.mul", (lang.Param(0), lang.Ref(0, None, 1))),),
        lang.Items("tuple", (lang.Ref(0), inner)),
    )


def test_a_keyword_only_parameter_is_the_last_one() -> None:
    def backward(dy: Any, *, variables: Any) -> Any:
        return dy, [variables]

    tf = Script()
    tf.call("f", backward)
    function = tf.program().steps[0].args[0]
    assert (function.parameters, function.keyword) == (2, "variables")


def test_what_a_thread_made_is_a_part_of_its_step() -> None:
    tf = Script()
    x = tf.constant(3.0)
    with tf.in_thread():
        y = x * x
    z = y + y
    assert tf.program().steps[1] == lang.InThread((lang.Call("operator.mul", (lang.Ref(0, None, 1),) * 2),))
    assert z.index == 2
    assert tf.program().steps[2].args == (lang.Ref(1, 0), lang.Ref(1, 0))


def test_a_value_made_inside_a_function_cannot_leave_it() -> None:
    leaked = []
    tf = Script()
    tf.call("f", lambda a: leaked.append(a * 2.0) or a)
    with pytest.raises(ValueError, match="not visible outside"):
        tf.identity(leaked[0])


def test_what_a_program_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot hold"):
        Script().identity(object())


@pytest.mark.parametrize(
    ("value", "dtype", "array"),
    [
        (3, None, lang.Array("int32", (), (3,))),
        ([True], None, lang.Array("bool", (1,), (True,))),
        (0.1, None, lang.Array("float32", (), (0.10000000149011612,))),
        (0.1, "float64", lang.Array("float64", (), (0.1,))),
        (1j, None, lang.Array("complex128", (), (1j,))),
        ("a", None, lang.Array("string", (), ("a",))),
        ([], None, lang.Array("float32", (0,), ())),
    ],
)
def test_arrays_are_exact(value: Any, dtype: str | None, array: lang.Array) -> None:
    assert array_of(value, dtype) == array
