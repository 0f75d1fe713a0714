"""WATCH: what watch() takes, what is watched by itself, and what counts as the same tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.rules import DOCUMENTED, OBSERVED, Group, Writer

GROUP = Group("WATCH", "watch() and automatic watching", source="tf.GradientTape.watch")
rule, also = GROUP.rule, GROUP.also


def watching(make: Callable[[Any], Any]) -> Writer:
    """A program whose point is the watch itself."""

    def write(tf: Any) -> None:
        value = make(tf)
        with tf.GradientTape() as t:
            t.watch(value)

    return write


def watching_constant(value: Any, dtype: str) -> Writer:
    return watching(lambda tf: tf.constant(value, dtype))


def touching(touch: Callable[[Any, Any], Any]) -> Writer:
    """A program that does one thing with a variable under a tape and asks what the tape watches."""

    def write(tf: Any) -> None:
        v = tf.Variable([3.0, 4.0])
        with tf.GradientTape() as t:
            touch(tf, v)
        t.watched_variables()

    return write


@rule("WATCH-01", "watch() returns None.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        tf.call("method.watch", t, x)


@rule("WATCH-02", "watch() takes any nest of tensors.")
def _(tf: Any) -> None:
    x, y, z = tf.constant(3.0), tf.constant(2.0), tf.constant(1.0)
    with tf.GradientTape() as t:
        t.watch({"a": x, "b": [y, (z,)]})
        w = x * y + y * z
    t.gradient(w, [x, y, z])


@rule("WATCH-03", "Watching an empty list, dict or tuple is nothing.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        t.watch([])
        t.watch({})
        t.watch(())


@rule("WATCH-04", "watch(None) is a ValueError that names the object and its type.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        t.watch(None)


@rule("WATCH-05", "Watching a Python number or a string is a ValueError.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        t.watch(1.0)
        t.watch(3)
        t.watch("x")


@rule("WATCH-06", "Watching a NumPy array or scalar is a ValueError with the object's own text in it.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        t.watch(tf.numpy([1.0, 1.0], "float64"))
        t.watch(tf.numpy(1.0))


@rule("WATCH-07", "In a watched list each element must be a tensor; a set is a single object, and refused.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        t.watch([1.0, 2.0])
        t.watch({1.0})


@rule("WATCH-08", "When watching a list fails, the elements before the bad one stay watched.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch([x, 1.0])
        y = x * x
    t.gradient(y, x)


@rule("WATCH-09", "When watching a list fails, the elements after the bad one are not watched.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch([1.0, x])
        y = x * x
    t.gradient(y, x)


@rule("WATCH-10", "Watching an object that is no tensor at all is a ValueError.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        t.watch(tf.object)


for _number, _dtype, _warned in (
    ("12", "int64", True), ("13", "bool", True), ("14", "string", True), ("15", "uint8", True),
    ("16", "float16", False), ("17", "bfloat16", False), ("18", "complex64", False), ("19", "complex128", False),
    ("98", "float64", False), ("99", "int8", True), ("100", "uint16", True),
):  # fmt: skip
    _value: Any = {"bool": True, "string": "a"}.get(_dtype, 1)
    GROUP.shown_by(
        f"WATCH-{_number}",
        f"Watching a tensor of dtype {_dtype} {'warns about its dtype' if _warned else 'is silent'}.",
        watching_constant(_value, _dtype),
        standing=DOCUMENTED if not _warned else OBSERVED,
    )


@rule("WATCH-11", "Watching an integer tensor is no error: it warns, and its gradient is None.")
def _(tf: Any) -> None:
    i = tf.constant(3)
    with tf.GradientTape() as t:
        t.watch(i)
        y = i * i
    t.gradient(y, i)


GROUP.shown_by(
    "WATCH-20",
    "Watching a float8 tensor warns about its dtype.",
    watching(lambda tf: tf.cast(tf.constant(1.0), tf.dtypes.experimental.float8_e5m2)),
)


GROUP.not_pinned(
    "WATCH-21",
    "Watching an int4 tensor warns about its dtype.",
    "the language has no arrays of four-bit integers",
)


@rule("WATCH-23", "The warning about a watched dtype is given the first five times in a process, then never.")
def _(tf: Any) -> None:
    i = tf.constant(1)
    with tf.GradientTape() as t:
        for _ in range(8):
            t.watch(i)


@rule("WATCH-24", "Watching an integer variable warns and lists it.")
def _(tf: Any) -> None:
    v = tf.Variable(1)
    with tf.GradientTape() as t:
        t.watch(v)
    t.watched_variables()


@rule("WATCH-25", "An op whose only watched inputs are integers is not recorded.")
def _(tf: Any) -> None:
    i = tf.constant(3)
    with tf.GradientTape(persistent=True) as t:
        t.watch(i)
        f = tf.cast(i, tf.float32)
        y = f * 2.0
    t.gradient(y, i)
    t.gradient(y, f)


@rule("WATCH-26", "A trainable variable is watched as soon as it is read.", DOCUMENTED, "tf.GradientTape")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = v * v
    t.watched_variables()
    t.gradient(y, v)


@rule("WATCH-27", "A variable made with trainable=False is not watched when it is read.", DOCUMENTED, "tf.GradientTape")
def _(tf: Any) -> None:
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as t:
        y = v * v
    t.watched_variables()
    t.gradient(y, v)


@rule("WATCH-28", "A variable that is not trainable can be watched by hand, and is then listed.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as t:
        t.watch(v)
        y = v * v
    t.watched_variables()
    t.gradient(y, v)


@rule(
    "WATCH-29", "With watch_accessed_variables=False no variable is watched by itself.", DOCUMENTED, "tf.GradientTape"
)
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as t:
        y = v * v
    t.watched_variables()
    t.gradient(y, v)


@rule("WATCH-30", "A variable watched by hand after its first read has only its later reads recorded.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape(persistent=True, watch_accessed_variables=False) as t:
        y = v * v
        t.watch(v)
        z = v * v * v
    t.gradient(y, v)
    t.gradient(z, v)


@rule(
    "WATCH-31",
    "watched_variables() lists variables in the order they were made, not read.",
    source="tf.GradientTape.watched_variables",
)
def _(tf: Any) -> None:
    a, b, c = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as t:
        c * 1.0
        a * 1.0
        b * 1.0
    t.watched_variables()


@rule("WATCH-32", "watched_variables() lists each variable once.", source="tf.GradientTape.watched_variables")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        v * v
        v + v
    t.watched_variables()


@rule(
    "WATCH-33",
    "watched_variables() still answers when the tape is used up.",
    source="tf.GradientTape.watched_variables",
)
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = v * v
    t.gradient(y, v)
    t.watched_variables()


@also("WATCH-33")
def _(tf: Any) -> None:
    v = tf.Variable([3.0])
    with tf.GradientTape() as t:
        y = v * v
    t.jacobian(y, v)
    t.watched_variables()


@rule(
    "WATCH-34",
    "A used tape entered again begins its new life without watched variables.",
    source="tf.GradientTape.watched_variables",
)
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = v * v
    t.gradient(y, v)
    with t:
        t.watched_variables()


@rule("WATCH-35", "An integer variable that is read is listed as watched, though its gradient is None.")
def _(tf: Any) -> None:
    v = tf.Variable(1)
    with tf.GradientTape() as t:
        y = tf.cast(v, tf.float32) * 2.0
    t.watched_variables()
    t.gradient(y, v)


for _number, _how, _touch in (
    ("36", "Adding to a variable", lambda tf, v: v + 0.0),
    ("37", "Calling read_value()", lambda tf, v: v.read_value()),
    ("38", "Calling value()", lambda tf, v: v.value()),
    ("39", "Converting a variable with convert_to_tensor", lambda tf, v: tf.convert_to_tensor(v)),
    ("40", "Calling numpy() on a variable", lambda tf, v: v.numpy()),
    ("42", "Assigning to a variable", lambda tf, v: v.assign([1.0, 2.0])),
    ("43", "Adding to a variable in place with assign_add", lambda tf, v: v.assign_add([1.0, 2.0])),
    ("45", "Asking a variable for its repr", lambda tf, v: tf.python.repr(v)),
    ("46", "Asking for the shape with tf.shape", lambda tf, v: tf.shape(v)),
    ("47", "Indexing a variable", lambda tf, v: v[0]),
    ("48", "Copying a variable with identity", lambda tf, v: tf.identity(v)),
    ("51", "Comparing a variable with itself", lambda tf, v: tf.call("operator.eq", v, v)),
    ("53", "Calling sparse_read()", lambda tf, v: v.sparse_read([0])),
    ("54", "Calling gather_nd() on a variable", lambda tf, v: v.gather_nd([[0]])),
    ("58", "Making zeros_like a variable", lambda tf, v: tf.zeros_like(v)),
    ("59", "Asking for the size with tf.size", lambda tf, v: tf.size(v)),
):
    GROUP.shown_by(f"WATCH-{_number}", f"{_how} counts as reading it.", touching(_touch))

for _number, _how, _touch in (
    ("49", "Passing a variable to stop_gradient", lambda tf, v: tf.stop_gradient(v)),
    ("50", "Asking a variable whether it is initialised", lambda tf, v: v.is_initialized()),
    ("57", "Asking whether a variable is numeric", lambda tf, v: tf.debugging.is_numeric_tensor(v)),
    ("61", "Making a variable from a variable", lambda tf, v: tf.Variable(v)),
):
    GROUP.shown_by(f"WATCH-{_number}", f"{_how} does not count as reading it.", touching(_touch))


@rule("WATCH-44", "A variable's static shape, dtype and name can be read without watching it.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        tf.attribute(v, "shape")
        tf.attribute(v, "dtype")
        tf.attribute(v, "name")
    t.watched_variables()


@rule("WATCH-60", "Asking a variable whether it is trainable does not count as reading it.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        tf.attribute(v, "trainable")
    t.watched_variables()


@rule("WATCH-52", "Converting a variable to a NumPy array counts as reading it.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        tf.call("numpy.array", v)
    t.watched_variables()


@rule("WATCH-56", "Copying a variable with copy.deepcopy counts as reading it.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        tf.python.deepcopy(v)
    t.watched_variables()


@rule("WATCH-62", "watch() does not reach back: ops before it stay unrecorded.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        y = x * x
        t.watch(x)
        z = x * x
    t.gradient(y, x)
    t.gradient(z, x)


@rule("WATCH-63", "Watching a result that is recorded already does not cut it off from what made it.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        t.watch(y)
        z = y * y
    t.gradient(z, [x, y])


@rule("WATCH-64", "A result that is watched though its inputs are not is a leaf.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        y = x * x
        t.watch(y)
        z = y * y
    t.gradient(z, [x, y])


@rule("WATCH-65", "Watching a tensor twice does not double its gradient.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        t.watch(x)
        y = x * x
    t.gradient(y, x)


GROUP.not_pinned(
    "WATCH-66",
    "A tape knows objects, not Python names: binding a name anew changes nothing.",
    "a program has no names to bind anew; WATCH-88 pins that objects are what is known",
)


@rule(
    "WATCH-67",
    "Converting to a tensor, constant(), a cast to the same dtype and add_n of one give the same object back.",
)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    for call in (tf.convert_to_tensor(x), tf.constant(x), tf.cast(x, tf.float32), tf.math.real(x), tf.add_n([x])):
        tf.same(call, x)


@also("WATCH-67")
def _(tf: Any) -> None:
    x = tf.constant([3.0])
    for call in (
        tf.identity(x), x + 0.0, tf.reshape(x, [1]), tf.stop_gradient(x), x[...], tf.ensure_shape(x, [1]),
        tf.squeeze(x, []), tf.transpose(x), tf.broadcast_to(x, [1]), tf.reduce_sum(x, []), tf.math.conj(x),
        tf.tile(x, [1]), tf.concat([x], 0),
    ):  # fmt: skip
        tf.same(call, x)


@also("WATCH-67")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    for call in (tf.python.copy(x), tf.python.deepcopy(x), tf.call("operator.pos", x)):
        tf.same(call, x)


@rule("WATCH-68", "A copy of a watched tensor is not the tensor; constant() and a cast to its own dtype are.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    copy = tf.identity(x)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, [copy, tf.constant(x), tf.cast(x, tf.float32), tf.convert_to_tensor(x)])


@rule("WATCH-69", "identity() of a watched tensor is a recorded op, and its result a source of its own.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        x2 = tf.identity(x)
        y = x2 * x2
    t.gradient(y, [x, x2])


@rule("WATCH-70", "A value that went through NumPy is a constant.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        n = x.numpy()
        y = x + n * n
    t.gradient(y, x)


@rule("WATCH-71", "A NumPy function of a tensor leaves the tape: its result is no target.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.call("numpy.square", x)
    t.gradient(y, x)


@rule("WATCH-72", "A NumPy scalar or array times a tensor is the tensor's product, and recorded.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.call("operator.mul", tf.numpy(2.0), x)
        z = tf.call("operator.mul", tf.numpy([1.0, 1.0]), x)
    t.gradient(y, x)
    t.gradient(z, x)


@rule("WATCH-73", "Each read of a variable keeps the value it read; their contributions add up.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = v * v
        v.assign(5.0)
        z = v * v
        w = y + z
    t.gradient(w, v)


@rule("WATCH-74", "Assigning to a variable is not differentiated: it cuts the chain.", source="tf.Variable.assign")
def _(tf: Any) -> None:
    x = tf.constant(4.0)
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        v.assign(x * 2.0)
        y = v * v
    t.gradient(y, [x, v])


@rule(
    "WATCH-75",
    "assign() gives back an object of its own whose reads count as the variable's.",
    source="tf.Variable.assign",
)
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        r = v.assign(5.0)
        y = r * r
    tf.same(r, v)
    t.gradient(y, v)


@rule("WATCH-76", "A gradient uses the value that was read, not the variable's value when it is asked.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = v * v
    v.assign(100.0)
    t.gradient(y, v)


@rule("WATCH-77", "A read of a variable is an intermediate tensor; a later read is another one.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        r = v.read_value()
        y = r * r
    t.gradient(y, [r, v, v.read_value()])


@rule("WATCH-78", "A variable's initial value is not differentiated.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        v = tf.Variable(x * 2.0)
        y = v * v
    t.gradient(y, [x, v])


@rule("WATCH-79", "A deep copy of a variable is another variable.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = v * v
    t.gradient(y, tf.python.deepcopy(v))


@rule("WATCH-80", "Watching a variable's handle watches its reads, without listing the variable.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as t:
        t.watch(tf.attribute(v, "handle"))
        y = v * v
    t.watched_variables()
    t.gradient(y, v)


@rule("WATCH-81", "A variable that is watched and never read is unconnected.")
def _(tf: Any) -> None:
    v = tf.Variable([3.0, 4.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(v)
        y = tf.constant(1.0) * 2.0
    t.gradient(y, v)
    t.gradient(y, v, unconnected_gradients="zero")


@rule("WATCH-82", "Watching IndexedSlices watches the values, and warns about the integer parts.")
def _(tf: Any) -> None:
    values = tf.constant([3.0])
    slices = tf.IndexedSlices(values, tf.constant([0]), tf.constant([2]))
    with tf.GradientTape() as t:
        t.watch(slices)
        y = values * values
    t.gradient(y, values)


@rule("WATCH-83", "Watching a SparseTensor watches its values, and warns about the integer parts.")
def _(tf: Any) -> None:
    values = tf.constant([1.0, 2.0])
    sparse = tf.sparse.SparseTensor(tf.constant([[0], [1]], "int64"), values, tf.constant([2], "int64"))
    with tf.GradientTape() as t:
        t.watch(sparse)
        y = tf.sparse.reduce_sum(sparse)
    t.gradient(y, values)


@rule("WATCH-84", "Watching a RaggedTensor works, warns about its splits, and its gradient is ragged.")
def _(tf: Any) -> None:
    x = tf.ragged(tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 2, 3], "int64"))
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)


GROUP.not_pinned(
    "WATCH-85",
    "Watching an ExtensionType watches its tensor fields.",
    "a program cannot define a class",
)


@rule("WATCH-86", "Watching a TensorArray is a ValueError.")
def _(tf: Any) -> None:
    array = tf.TensorArray(tf.float32, 2)
    with tf.GradientTape() as t:
        t.watch(array)


@rule("WATCH-87", "Watching a dataset is silent.")
def _(tf: Any) -> None:
    dataset = tf.data.Dataset.range(3)
    with tf.GradientTape() as t:
        t.watch(dataset)


@rule("WATCH-88", "Two equal constants are two tensors.")
def _(tf: Any) -> None:
    a, b = tf.constant(3.0), tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(a)
        y = a * b
    t.gradient(y, [a, b])


@rule(
    "WATCH-89", "An operand that is not watched has no gradient, though its op was recorded for the other.", DOCUMENTED
)
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * z
    t.gradient(y, z)


@rule(
    "WATCH-90",
    "A tensor watched only after an op has its gradient from it, if the op was recorded for another operand.",
)
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * z
        t.watch(z)
    t.gradient(y, [x, z])


GROUP.not_pinned(
    "WATCH-91",
    "The wrappers that a module puts around its lists and dicts are taken as sources and given back as such.",
    "a program cannot define a module with attributes",
)


@rule(
    "WATCH-92",
    "watched_variables() is a tuple, empty when nothing was read.",
    source="tf.GradientTape.watched_variables",
)
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        t.watched_variables()


@rule("WATCH-93", "The argument of watch() is called tensor.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        tf.call("method.watch", t, tensor=x)
        y = x * x
    t.gradient(y, x)


@rule("WATCH-94", "A read of a variable is noticed by every tape that is active.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        v * v
    outer.watched_variables()
    inner.watched_variables()


@rule("WATCH-95", "watch() is about its own tape and no other.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        inner.watch(x)
        y = x * x
    outer.gradient(y, x)
    inner.gradient(y, x)


@rule("WATCH-96", "Watching a variable that is not trainable is not noticed by other tapes.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        inner.watch(v)
        y = v * v
    outer.watched_variables()
    inner.watched_variables()
    outer.gradient(y, v)


@rule("WATCH-97", "Python's max() of variables gives one of them back: the others have no gradient.")
def _(tf: Any) -> None:
    a, b, c = tf.Variable(1.0), tf.Variable(3.0), tf.Variable(2.0)
    with tf.GradientTape() as t:
        y = tf.python.max([a, b, c]) * 1.0
    t.gradient(y, [a, b, c])
