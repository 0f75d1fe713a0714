"""Arguments that do not fit, and concrete functions: texts as TensorFlow 2.21 has them."""

import pytest

import reference_impl as tf

c = tf.constant
SPEC = "TensorSpec(shape=(None, 2), dtype=tf.float32, name=None)"


def text_of(error, function, *args, **kwargs):
    with pytest.raises(error) as raised:
        function(*args, **kwargs)
    return str(raised.value)


def specified():
    return tf.function(lambda x: x * 2.0, input_signature=[tf.TensorSpec([None, 2], tf.float32)])


def test_python_values_are_converted_to_the_dtype_of_the_signature():
    f = specified()
    assert f([[1, 2]]).numpy().tolist() == [[2.0, 4.0]] == f(tf.Variable([[1.0, 2.0]])).numpy().tolist()


@pytest.mark.parametrize(
    "args, kwargs, why",
    [
        ((c([1.0, 2.0]),), {}, f"Can not cast TensorSpec(shape=(2,), dtype=tf.float32, name=None) to {SPEC}"),
        ((c([[1, 2]]),), {}, f"Can not cast TensorSpec(shape=(1, 2), dtype=tf.int32, name=None) to {SPEC}"),
        ((None,), {}, "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor."),
        ((), {}, "missing a required argument: 'x'"),
        ((1, 2), {}, "too many positional arguments"),
    ],
)
def test_arguments_that_do_not_fit_a_signature_are_refused(args, kwargs, why):
    assert text_of(TypeError, specified(), *args, **kwargs) == (
        f"Binding inputs to tf.function failed due to `{why}`. Received args: {args} and kwargs: {kwargs} for "
        f"signature: (x: {SPEC})."
    )


def test_arguments_that_do_not_fit_the_parameters_are_refused():
    f = tf.function(lambda a, b=2: a)
    end = "for signature: (a, b=<captured_default_value>)."
    assert text_of(TypeError, f) == (
        "Binding inputs to tf.function failed due to `missing a required argument: 'a'`. Received args: () and kwargs: "
        f"{{}} {end}"
    )
    assert "`got an unexpected keyword argument 'c'`" in text_of(TypeError, f, 1, c=3)


def test_signatures_are_checked_when_the_function_is_made():
    spec = tf.TensorSpec([], tf.float32)
    assert text_of(TypeError, tf.function, lambda x, y: x, input_signature=[spec]) == (
        "input_signature missing type constraint for y"
    )
    assert text_of(TypeError, tf.function, lambda x: x, input_signature=[3]) == (
        "input_signature must be a possibly nested sequence of TensorSpec objects, got invalid args [3] with types "
        "[<class 'int'>]."
    )
    assert text_of(TypeError, tf.function, lambda x: x, input_signature=spec).startswith(
        "input_signature must be either a tuple or a list, got "
    )


def concrete():
    def named(x, y):
        return {"r": x + y}

    return tf.function(named).get_concrete_function(tf.TensorSpec([None]), tf.TensorSpec([], name="why"))


def test_a_concrete_function_tells_what_it_takes_and_gives():
    f = concrete()
    x, why = tf.TensorSpec([None], name="x"), tf.TensorSpec([], name="why")
    assert f.structured_input_signature == ((x, why), {})
    assert f.structured_outputs["r"].shape.as_list() == [None]
    assert str(f) == (
        "ConcreteFunction Input Parameters:\n"
        "  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(None,), dtype=tf.float32, name=None)\n"
        "  y (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.float32, name='why')\n"
        "Output Type:\n  Dict[['r', TensorSpec(shape=(None,), dtype=tf.float32, name=None)]]\nCaptures:\n  None"
    )


def test_a_concrete_function_is_called_by_position_or_by_either_name():
    f = concrete()
    for got in (f(c([1.0]), c(2.0)), f(x=c([1.0]), why=c(2.0)), f(x=c([1.0]), y=c(2.0)), f([1.0], 2.0)):
        assert got["r"].numpy().tolist() == [3.0]


def test_a_concrete_function_refuses_what_it_was_not_traced_for():
    f = concrete()
    assert "Fallback to flat signature also failed due to: named(x, why) missing required arguments: why." in text_of(
        TypeError, f, c([1.0])
    )
    assert "named(x, why) takes 2 positional arguments, got 3." in text_of(TypeError, f, c([1.0]), c(1.0), c(1.0))
    got = text_of(tf.errors.InvalidArgumentError, f, c([1]), c(2.0))
    assert (
        got.startswith("cannot compute __inference_named_")
        and "was expected to be a float tensor but is a int32" in got
    )
    literal = tf.function(lambda x, k: x * k).get_concrete_function(c([1.0]), 3.0)
    assert literal(c([4.0])).numpy().tolist() == [12.0] == literal(c([4.0]), 3.0).numpy().tolist()
    assert "Can not cast 5.0 to Literal[3.0]" in text_of(TypeError, literal, c([4.0]), 5.0)


def test_a_concrete_function_lists_the_variables_it_captures():
    v, w = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    f = tf.function(lambda x: x * v * w).get_concrete_function(c(1.0))
    assert [a is b for a, b in zip(f.variables, (v, w))] == [True, True] and f.trainable_variables[0] is v
    assert len(f.captured_inputs) == 2


def test_specs_compare_and_print():
    spec = tf.TensorSpec([None, 3], tf.float64, "a")
    assert repr(spec) == "TensorSpec(shape=(None, 3), dtype=tf.float64, name='a')"
    assert spec == tf.TensorSpec((None, 3), "float64", "a") != tf.TensorSpec((None, 3), "float64")
    assert spec.is_compatible_with(tf.zeros([2, 3], tf.float64)) and not spec.is_compatible_with(tf.zeros([2, 3]))
    assert tf.TensorSpec.from_tensor(c([1.0])) == tf.TensorSpec([1])
