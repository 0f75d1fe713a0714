"""What surprises people around tapes, variables and functions, as TensorFlow 2.21 answers it."""

from __future__ import annotations

import copy
import logging
import pickle
from typing import Any

import numpy as np
import pytest

import reference_impl as tf


def test_a_constant_of_a_variable_is_off_the_tape_but_the_variable_is_watched() -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.constant(v) * v
    assert tape.gradient(y, v).numpy().tolist() == [1.0, 2.0]
    with tf.GradientTape() as tape:
        tf.constant(v)
    assert len(tape.watched_variables()) == 1
    assert tf.constant(v, tf.float64).dtype is tf.float64
    assert tf.constant(v, shape=[2, 1]).shape == (2, 1)
    assert tf.constant(tf.TensorShape([1, 2]), tf.int64).numpy().tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"Attempt to convert a value .*IndexedSlices"):
        tf.constant(tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([2, 1])))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("__iadd__", r"`variable \+= value` with `tf.Variable`s is not supported. Use `variable.assign_add\(value\)`"),
        ("__isub__", r"`variable -= value` with `tf.Variable`s is not supported."),
        ("__imul__", r"`var \*= value` .* Use `var.assign\(var \* value\)` to modify the variable, or `out = var \*"),
        ("__itruediv__", "`var /= value`"),
        ("__ipow__", r"`var \*\*= value`"),
    ],
)
def test_variables_refuse_operators_in_place(name: str, text: str) -> None:
    v = tf.Variable(2.0)
    with pytest.raises(RuntimeError, match=text):
        getattr(v, name)(1.0)


def test_other_operators_in_place_make_a_tensor() -> None:
    v = tf.Variable(7)
    v //= 2
    assert tf.is_tensor(v) and int(v) == 3


def test_the_same_variable_by_copy_and_another_by_pickle() -> None:
    v = tf.Variable([1.0, 2.0], name="nm", trainable=False)
    assert copy.copy(v) is v
    twin = pickle.loads(pickle.dumps(v))
    assert (twin.name, twin.trainable, twin.numpy().tolist()) == ("nm:0", False, [1.0, 2.0])
    twin.assign([3.0, 4.0])
    assert v.numpy().tolist() == [1.0, 2.0]


def test_tapes_that_recorded_are_not_copied_and_functions_are() -> None:
    tape = tf.GradientTape()
    with tape:
        pass
    with pytest.raises(TypeError, match=r"cannot pickle 'tfe.Tape' object"):
        copy.deepcopy(tape)
    f = copy.deepcopy(tf.function(lambda x: x * 2.0))
    assert float(f(tf.constant(2.0))) == 4.0


def test_errors_of_kernels_have_a_message_and_no_arguments() -> None:
    error = tf.errors.NotFoundError(None, None, "a")
    assert (repr(error), error.args, str(error)) == ("NotFoundError()", (), "a")


def test_arguments_of_variables_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match=r"Argument `constraint` must be None or a callable. a callable. Got a"):
        tf.Variable(1.0, constraint=3)
    with pytest.raises(ValueError, match="name for name_scope must be a string"):
        tf.Variable(1.0, name=3)


def test_a_tensor_of_nothing_is_false() -> None:
    assert not tf.constant([]) and not tf.zeros([0, 2])


def test_bits_of_floats_and_negative_powers_of_integers() -> None:
    for wrong in (lambda: ~tf.constant(1.0), lambda: tf.constant(1.0) & tf.constant(1.0)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Value for attr 'T' of float is not in the list"):
            wrong()
    with pytest.raises(tf.errors.InvalidArgumentError, match="Integers to negative integer powers are not allowed"):
        tf.constant(2) ** -1
    with pytest.raises(TypeError, match="'x' of 'LogicalNot' Op has type int32 that does not match expected type of"):
        tf.function(lambda x: tf.logical_not(x + 0))(tf.constant(2))


_SHAPES = [
    ("SGD", tf.errors.InvalidArgumentError, r"shape \[2\] using a Tensor with shape \[1,1\].*AssignSubVariableOp"),
    ("Adam", tf.errors.InvalidArgumentError, r"shape \[2\] using a Tensor with shape \[1,2\].*AssignAddVariableOp"),
    ("Adagrad", tf.errors.InvalidArgumentError, r"shape \[2\] using a Tensor with shape \[1,1\].*AssignAdd"),
    ("RMSprop", ValueError, r"velocity:0': Shape mismatch.The variable shape \(2,\), and the assigned value shape \(1"),
    ("Adadelta", ValueError, r"accumulated_grad:0': Shape mismatch"),
    ("Lion", tf.errors.InvalidArgumentError, r"shape \[2\] using a Tensor with shape \[1,2\].*AssignSubVariableOp"),
    ("Adafactor", ValueError, r"velocity:0': Shape mismatch"),
    ("Nadam", tf.errors.InvalidArgumentError, r"shape \[2\] using a Tensor with shape \[1,2\].*AssignAddVariableOp"),
]


@pytest.mark.parametrize(("name", "kind", "text"), _SHAPES)
def test_optimizers_refuse_a_gradient_of_another_shape(name: str, kind: Any, text: str) -> None:
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(kind, match=text):
        getattr(tf.keras.optimizers, name)(0.1).apply_gradients([(tf.constant([[1.0]]), v)])
    assert v.numpy().tolist() == [1.0, 2.0]


def test_optimizers_know_variables_by_what_is_one() -> None:
    with pytest.raises(AttributeError, match="'float' object has no attribute '_unique_id'"):
        tf.keras.optimizers.SGD(0.1).apply_gradients([(tf.constant(1.0), 1.0)])


@tf.function
def last_of(n: Any) -> Any:
    y = None
    while n > 0:
        n -= 1
        y = n
    return y


@tf.function
def sum_to(n: Any) -> Any:
    y = None
    for i in tf.range(n):
        if y is None:
            y = i
        else:
            y = y + i
    return y


@tf.function
def sometimes(n: Any) -> Any:
    y = None
    for i in tf.range(n):
        if i > 2:
            y = i
    return y


def test_loops_on_tensors_begin_with_none() -> None:
    assert int(last_of(tf.constant(5))) == 0
    assert int(sum_to(tf.constant(5))) == 10
    with pytest.raises(tf.errors.InvalidArgumentError):
        last_of(tf.constant(0))
    with pytest.raises(ValueError, match="'y' is not allowed to be None before the loop"):
        sometimes(tf.constant(5))


def test_an_input_signature_is_held_to() -> None:
    spec = tf.TensorSpec([])
    with pytest.raises(TypeError, match="input_signature contains 1 extra type constraints"):
        tf.function(lambda x: x, input_signature=[spec, spec])(tf.constant(1.0))
    f = tf.function(lambda x: x, input_signature=[{"a": spec, "b": spec}])
    one = tf.constant(1.0)
    with pytest.raises(TypeError, match=r"has different keys with the TraceType Dict\[\['a', TensorSpec"):
        f({"a": one})
    with pytest.raises(TypeError, match="to a Dict type"):
        f([one, one])
    assert sorted(f({"b": 2.0, "a": 1.0})) == ["a", "b"]
    pair = tf.function(lambda x: x, input_signature=[(spec, spec)])
    with pytest.raises(TypeError, match="to have length of 2"):
        pair((one,))
    with pytest.raises(TypeError, match="to tuple type"):
        pair([one, one])
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'a'"):
        tf.function(lambda x, **k: x, input_signature=[spec])(one, a=2)
    with pytest.raises(TypeError, match=r"Can not cast 2 to Literal\[3\]"):
        tf.function(lambda x, *, a=3: x * a, input_signature=[spec])(one, a=2)


def test_a_concrete_function_refuses_what_does_not_fit() -> None:
    f = tf.function(lambda x: x, input_signature=[tf.TensorSpec([2, 2])]).get_concrete_function()
    text = r"expected argument #0\(zero-based\) to be a Tensor; got int \(1\)"
    with pytest.raises(TypeError, match=text):
        f(1)
    assert f([[1.0, 2.0], [3.0, 4.0]]).shape == (2, 2)


def test_functions_made_in_a_loop_are_warned_of() -> None:
    logger = tf.get_logger()
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(handler)
    try:
        for k in range(8):
            tf.function(lambda x: x + k)(tf.constant(1.0))  # noqa: B023
    finally:
        logger.removeHandler(handler)
    assert [text[:29] for text in said if "retracing" in text] == [
        "5 out of the last 5 calls to ", "6 out of the last 6 calls to ",
    ]  # fmt: skip


def test_parallel_iterations_need_a_persistent_tape() -> None:
    x = tf.ones([2, 3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(RuntimeError, match="persistent=True to compute the batch_jacobian with parallel_iterations"):
        tape.batch_jacobian(y, x, parallel_iterations=3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.batch_jacobian(y, x, parallel_iterations=4).shape == (2, 3, 3)


def test_a_batch_jacobian_of_integers_is_zero() -> None:
    x = tf.ones([2, 3], tf.int32)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.identity(x)
    found = tape.batch_jacobian(y, x)
    assert found.dtype is tf.int32 and not found.numpy().any() and found.shape == (2, 3, 3)


@pytest.mark.parametrize("name", ["bogus", 3, "/device:", "xla_cpu:0", [1]])
def test_names_of_no_device(name: Any) -> None:
    with pytest.raises(ValueError, match=r"Unknown attribute|Expecting a string device name"), tf.device(name):
        tf.constant(1.0) + 1.0


@pytest.mark.parametrize("name", ["/CPU:0", "gpu:1", None, "", "/job:localhost/replica:0/task:0/device:CPU:0", "CPU"])
def test_names_of_devices(name: Any) -> None:
    with tf.device(name):
        assert float(tf.constant(1.0) + 1.0) == 2.0


def test_ragged_tensors_are_no_bools_and_no_keys() -> None:
    ragged = tf.ragged.constant([[1.0], []])
    with pytest.raises(TypeError, match="RaggedTensor may not be used as a boolean"):
        bool(ragged)
    with pytest.raises(TypeError, match="RaggedTensor is unhashable"):
        hash(ragged)
    with pytest.raises(TypeError, match="unsupported operand type"):
        ragged @ ragged


def test_slices_stay_slices_and_have_no_name() -> None:
    slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([2, 1]))
    again = tf.identity(slices)
    assert isinstance(again, tf.IndexedSlices) and again.values.numpy().tolist() == [[1.0]]
    with pytest.raises(AttributeError, match=r"Tensor.name is undefined when eager execution is enabled"):
        _ = slices.name


def test_scattered_updates_that_do_not_fit() -> None:
    v = tf.Variable(tf.zeros([2, 3]))
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0, 3.0]]), tf.constant([0, 1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"The shape of indices \(\[2\]\) must be a prefix of the"):
        v.scatter_add(slices)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Dimensions \[0,1\) of indices\[shape=\[1,2\]\] = 1"):
        v.scatter_nd_add([[0, 0]], [1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Dimensions \[1,2\) of input\[shape=\[2,3\]\] must"):
        v.scatter_nd_update([[0]], [1.0])
    v.scatter_update(tf.IndexedSlices(tf.constant(1.0), tf.constant([0])))
    np.testing.assert_array_equal(v.numpy(), [[1, 1, 1], [0, 0, 0]])


def test_what_is_printed_ends_with_a_text() -> None:
    with pytest.raises(TypeError, match="Expected string for argument 'end' not 3"):
        tf.print(1, end=3)


def test_no_condition_is_no_condition() -> None:
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.cond(None, lambda: 1, lambda: 2)
    assert repr(tf.VariableAggregation.SUM) == "<VariableAggregationV2.SUM: 1>"


class Scaler:
    @tf.function
    def scale(self, x: Any) -> Any:
        return x * 2.0


def test_a_traced_method_keeps_its_instance_as_long_as_it_is_held() -> None:
    assert float(Scaler().scale(tf.constant(1.0))) == 2.0
    assert float(Scaler().scale.get_concrete_function(tf.constant(1.0))(tf.constant(2.0))) == 4.0
    scaler = Scaler()
    assert scaler.scale is scaler.scale


_LEAKED: list[Any] = []


@tf.function
def rows_in_a_list(n: Any) -> Any:
    _LEAKED.clear()
    for i in tf.range(n):
        _LEAKED.append(i)
    return _LEAKED[-1]


@tf.function
def sum_of_a_leak(n: Any) -> Any:
    _LEAKED.clear()
    for i in tf.range(n):
        _LEAKED.append(i)
    return _LEAKED[-1] + 1


def test_tensors_of_a_loops_body_stay_there() -> None:
    with pytest.raises(ValueError, match="is out of scope and cannot be used here") as caught:
        rows_in_a_list(tf.constant(3))
    assert type(caught.value).__name__ == "InaccessibleTensorError"
    with pytest.raises(ValueError, match=r"cannot be accessed from FuncGraph\(name=sum_of_a_leak, id=") as caught:
        sum_of_a_leak(tf.constant(3))
    assert type(caught.value).__name__ == "InaccessibleTensorError"


_PRINTED = [
    (lambda: tf.ragged.constant([[1.0, 2.0], [], [3.0]]), "[[1.000000, 2.000000], [], [3.000000]]"),
    (lambda: tf.ragged.constant([["a"], []]), "[['a'], []]"),
    (lambda: tf.ragged.constant([[True], []]), "[[true], []]"),
    (lambda: tf.ragged.range([10, 3]), "[[0, 1, 2, ..., 7, 8, 9], [0, 1, 2]]"),
    (
        lambda: tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2]),
        "'SparseTensor(indices=[[0 1]\n [1 0]], values=[1 2], shape=[2 2])'",
    ),
]


@pytest.mark.parametrize(("value", "text"), _PRINTED)
def test_tensors_of_several_parts_are_printed(value: Any, text: str, tmp_path: Any) -> None:
    path = tmp_path / "said"
    tf.print(value(), output_stream=f"file://{path}")
    tf.print([value()], output_stream=f"file://{path}")
    assert path.read_text() == f"{text}\n[{text}]\n"


def test_a_spec_is_made_of_a_tensor_alone() -> None:
    for other in (tf.Variable(1.0), 1.0, np.ones(2)):
        with pytest.raises(ValueError, match=r"`tensor` should be a tf.Tensor, but got type"):
            tf.TensorSpec.from_tensor(other)
