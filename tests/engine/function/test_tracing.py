"""tf.function: one trace per signature, what is traced, what a trace gives back, as in TensorFlow 2.21."""

import gc
import logging
import weakref

import numpy as np
import pytest

import reference_impl as tf

c = tf.constant


def counted():
    """A traced function that returns its first argument, and the list its traces are counted in."""
    traces = []

    @tf.function
    def f(a, b=2):
        traces.append(b)
        return a

    return f, traces


def test_the_python_body_runs_once_per_signature():
    f, traces = counted()
    assert [float(f(c(v))) for v in (1.0, 2.0, 3.0)] == [1.0, 2.0, 3.0]
    assert len(traces) == 1


@pytest.mark.parametrize(
    "first, second, traces",
    [
        (c(1.0), c(2.0), 1), (c(1.0), c([1.0]), 2), (c([1.0]), c([1.0, 2.0]), 2), (c(1.0), c(1), 2),
        (1, 1.0, 1), (1, 2, 2),
        (c(1.0), np.float32(2), 1), (np.ones(2), np.zeros(2), 1), ([c(1.0), 2], [c(5.0), 2], 1),
        ([c(1.0), 2], [c(1.0), 3], 2),
        ([c(1.0)], (c(1.0),), 2), ({"a": c(1.0)}, {"a": c(2.0)}, 1), ("s", "t", 2), (None, None, 1),
        (tf.Variable(1.0), tf.Variable(2.0), 1),
    ],
)  # fmt: skip
def test_what_tells_two_signatures_apart(first, second, traces):
    f, seen = counted()
    f(first)
    f(second)
    assert len(seen) == traces == f.experimental_get_tracing_count()


def test_keywords_and_defaults_belong_to_the_same_signature():
    f, traces = counted()
    f(1)
    f(a=1)
    f(1, 2)
    f(b=2, a=1)
    assert traces == [2]
    f(1, b=3)
    assert traces == [2, 3]


def test_open_sizes_have_one_trace():
    traces = []

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def f(x):
        traces.append(x.shape.as_list())
        return tf.reduce_sum(x, 0), tf.shape(x), tf.zeros(tf.shape(x))

    assert f(c([[1.0, 2.0]]))[1].numpy().tolist() == [1, 2]
    total, shape, zeros = f(c([[1.0, 2.0], [3.0, 4.0]]))
    assert total.numpy().tolist() == [4.0, 6.0] and shape.numpy().tolist() == [2, 2] and zeros.shape == (2, 2)
    assert traces == [[None, 2]]


def test_an_open_rank_has_one_trace():
    f = tf.function(lambda x: tf.reduce_sum(x * x), input_signature=[tf.TensorSpec(None, tf.float32)])
    assert [float(f(c(v))) for v in (2.0, [1.0, 2.0], [[3.0]])] == [4.0, 5.0, 9.0]
    assert f.experimental_get_tracing_count() == 1


def test_reduce_retracing_opens_the_sizes_that_vary():
    f = tf.function(lambda x: x * 2.0, reduce_retracing=True)
    assert [f(c([1.0] * k)).shape[0] for k in (1, 2, 3, 4)] == [1, 2, 3, 4]
    assert f.experimental_get_tracing_count() == 2


def test_values_of_the_first_call_do_not_stay_in_the_graph():
    f = tf.function(
        lambda x, i: (x[i], tf.boolean_mask(x, x > 0), tf.where(x > 0), tf.shape(tf.reshape(x, [i + 1, -1])))
    )
    f(c([1.0, 2.0]), c(0))
    picked, masked, where, _ = f(c([-5.0, 7.0]), c(1))
    assert float(picked) == 7.0 and masked.numpy().tolist() == [7.0] and where.numpy().tolist() == [[1]]


def test_a_symbolic_tensor_has_no_value():
    def refused(use, error):
        with pytest.raises(error) as raised:
            tf.function(use, autograph=False)(c([1.0, 2.0]))
        return str(raised.value)

    not_allowed = tf.errors.OperatorNotAllowedInGraphError
    assert refused(bool, not_allowed).startswith("Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.")
    assert refused(list, not_allowed).startswith("Iterating over a symbolic `tf.Tensor` is not allowed.")
    assert refused(lambda x: x.numpy(), AttributeError) == "'SymbolicTensor' object has no attribute 'numpy'"
    assert refused(float, TypeError) == "float() argument must be a string or a real number, not 'SymbolicTensor'"
    assert "len is not well defined for a symbolic Tensor" in refused(len, TypeError)
    assert refused(lambda x: np.array(x) + 1, NotImplementedError).startswith(
        "Cannot convert a symbolic tf.Tensor (x:0) to a numpy array."
    )


def test_symbolic_tensors_show_names_and_not_values():
    shown = []

    def f(x):
        shown.extend([str(x), repr(x), str(x * 2), (x * 3).name, str(tf.sin(x)), str(c(1.0))])
        return x

    tf.function(f)(c(1.0))
    assert shown == [
        'Tensor("x:0", shape=(), dtype=float32)', "<tf.Tensor 'x:0' shape=() dtype=float32>",
        'Tensor("mul:0", shape=(), dtype=float32)', "mul_1:0", 'Tensor("Sin:0", shape=(), dtype=float32)',
        'Tensor("Const:0", shape=(), dtype=float32)',
    ]  # fmt: skip


def test_a_tensor_that_leaks_is_out_of_scope():
    leaked = []
    tf.function(lambda x: leaked.append(x * 2.0), autograph=False)(c(1.0))
    with pytest.raises(
        TypeError, match=r"<tf.Tensor 'mul:0' shape=\(\) dtype=float32> is out of scope and cannot be used"
    ):
        tf.sin(leaked[0])
    with pytest.raises(TypeError, match="is out of scope"):
        tf.function(lambda: leaked[0] + 1.0)()


def test_results_become_tensors_in_their_nest():
    v = tf.Variable(4.0)
    got = tf.function(lambda x: (1, 2.5, "s", None, [x], {"b": x, "a": 1}, v))(c(7.0))
    assert [t.dtype.name for t in got[:3]] == ["int32", "float32", "string"] and got[3] is None
    assert float(got[4][0]) == 7.0 and list(got[5]) == ["b", "a"] and float(got[6]) == 4.0
    x = c(1.0)
    assert tf.function(lambda a: a)(x) is not x


@pytest.mark.parametrize("value, kind", [(object(), "object"), ({1}, "set"), (tf.float32, "DType")])
def test_results_that_are_no_tensors_are_refused(value, kind):
    with pytest.raises(TypeError, match=f"found return value of type {kind}, which is not a Tensor or ExtensionType"):
        tf.function(lambda: value)()


def test_variables_are_read_and_assigned_in_program_order():
    v = tf.Variable(0.0)

    @tf.function
    def f(a):
        v.assign(a * 2.0)
        r = v * v
        v.assign_add(1.0)
        return r, v.read_value()

    assert [float(t) for t in f(c(2.0))] == [16.0, 5.0] and float(v) == 5.0
    assert [float(t) for t in f(c(3.0))] == [36.0, 7.0] and float(v) == 7.0


def test_variables_are_made_on_the_first_call_only():
    made, traces = [], []

    @tf.function
    def f(x):
        traces.append(1)
        if not made:
            made.append(tf.Variable(x * 2.0))
        return x * made[0]

    assert [float(f(c(2.0))), float(f(c(5.0)))] == [8.0, 20.0] and len(traces) == 2
    with pytest.raises(
        ValueError, match=r"tf\.function only supports singleton tf\.Variables created on the first call"
    ):
        tf.function(lambda x: x * tf.Variable(3.0))(c(1.0))


def test_tracing_does_not_change_variables():
    v = tf.Variable(1.0)
    tf.function(lambda x: v.assign(x) + 0.0).get_concrete_function(tf.TensorSpec([], tf.float32))
    assert float(v) == 1.0


def test_methods_have_traces_for_each_instance():
    class Model:
        def __init__(self, scale):
            self.scale, self.traces = scale, 0

        @tf.function
        def times(self, x):
            self.traces += 1
            return x * self.scale

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def total(self, x):
            return tf.reduce_sum(x) * self.scale

    a, b = Model(2.0), Model(3.0)
    assert [float(a.times(c(1.0))), float(a.times(c(2.0))), float(b.times(c(2.0)))] == [2.0, 4.0, 6.0]
    assert (a.traces, b.traces) == (1, 1) and a.times is a.times
    assert float(a.total(c([1.0, 2.0]))) == 6.0
    alive = weakref.ref(a)
    del a
    gc.collect()
    assert alive() is None


def test_functions_can_be_run_eagerly():
    traces = []
    f = tf.function(lambda x: (traces.append(tf.executing_eagerly()), x)[1])
    try:
        tf.config.run_functions_eagerly(True)
        assert tf.config.functions_run_eagerly()
        f(c(1.0))
        f(c(1.0))
    finally:
        tf.config.run_functions_eagerly(False)
    f(c(1.0))
    assert traces == [True, True, False]


def test_init_scope_runs_at_once():
    seen = []

    @tf.function
    def f(x):
        with tf.init_scope():
            seen.append((tf.executing_eagerly(), float(c(7.0) + 1.0)))
        return x * 2.0

    assert float(f(c(2.0))) == 4.0 and seen == [(True, 8.0)]


def test_jit_compile_and_experimental_arguments_are_accepted():
    f = tf.function(lambda x: x * x, jit_compile=True, experimental_implements="f", experimental_attributes={})
    assert float(f(c(3.0))) == 9.0


def test_kernel_errors_name_the_function_and_the_node():
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        tf.function(lambda x, i: tf.gather(x, i) + 0.0)(c([1.0, 2.0]), c(5))
    text = str(raised.value)
    assert text.startswith("{{function_node __inference_<lambda>_") and "}} indices = 5 is not in [0, 2)\n" in text
    assert "\t [[{{node GatherV2}}]] [Op:__inference_<lambda>_" in text


@pytest.mark.parametrize(
    "call, error, text",
    [
        (
            lambda x, y: x + y,
            ValueError,
            "Dimensions must be equal, but are 2 and 3 for '{{node add}} = AddV2[T=DT_FLOAT](x, y)' with input shapes: "
            "[2], [3].",
        ),
        (
            lambda x, y: tf.reshape(x, [5]),
            ValueError,
            "Cannot reshape a tensor with 2 elements to shape [5] (5 elements) for '{{node Reshape}} = "
            "Reshape[T=DT_FLOAT, Tshape=DT_INT32](x, Reshape/shape)' with input shapes: [2], [1] and with input "
            "tensors computed as partial shapes: input[1] = [5].",
        ),
        (
            lambda x, y: x + tf.cast(x, tf.int32),
            TypeError,
            "Input 'y' of 'AddV2' Op has type int32 that does not match type float32 of argument 'x'.",
        ),
    ],
)
def test_shapes_and_dtypes_are_judged_while_tracing(call, error, text):
    with pytest.raises(error) as raised:
        tf.function(call, autograph=False)(c([1.0, 2.0]), c([1.0, 2.0, 3.0]))
    assert str(raised.value) == text


def test_a_function_that_is_traced_again_and_again_is_warned_about(caplog):
    f = tf.function(lambda k: c(k) + 1)
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        for k in range(8):
            f(k)
    texts = [r.getMessage() for r in caplog.records if "out of the last" in r.getMessage()]
    assert [t[:23] for t in texts] == ["5 out of the last 5 cal", "6 out of the last 6 cal"]


@pytest.mark.parametrize(
    "call, text",
    [
        (tf.sin, "Tried to convert 'x' to a tensor and failed. Error: None values not supported."),
        (tf.nn.relu, "Tried to convert 'features' to a tensor and failed. Error: None values not supported."),
        (tf.reduce_sum, "None values not supported."),
    ],
)
def test_none_in_the_place_of_a_tensor_is_refused_in_the_words_of_graphs(call, text):
    with pytest.raises(ValueError) as raised:
        tf.function(lambda: call(None), autograph=False)()
    assert str(raised.value) == text
