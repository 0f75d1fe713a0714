"""CUST: custom_gradient."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, DOCUMENTED, Group, Writer

GROUP = Group("CUST", "custom_gradient", source="tf.custom_gradient")
rule, also = GROUP.rule, GROUP.also


def returning(backward: Any, x: Any = 3.0, persistent: bool = False) -> Writer:
    """The square of x with a gradient function of the test's own; `backward(tf, dy)` writes it."""

    def write(tf: Any) -> None:
        source = tf.constant(x)
        f = tf.custom_gradient(lambda a: (a * a, lambda dy: backward(tf, dy)))
        with tf.GradientTape(persistent=persistent) as t:
            t.watch(source)
            y = f(source)
        t.gradient(y, source)

    return write


def of_two(backward: Any) -> Writer:
    """A product of two inputs with a gradient function of the test's own."""

    def write(tf: Any) -> None:
        x, z = tf.constant(3.0), tf.constant(4.0)
        f = tf.custom_gradient(lambda a, b: (a * b, backward))
        with tf.GradientTape() as t:
            t.watch([x, z])
            y = f(x, z)
        t.gradient(y, [x, z])

    return write


def with_variable(backward: Any) -> Writer:
    """A product of an input with a variable read inside; `backward(dy, variables)` returns what is to be returned."""

    def write(tf: Any) -> None:
        x, v = tf.constant(3.0), tf.Variable(2.0)

        def grad(dy: Any, *, variables: Any) -> Any:
            return backward(dy, variables)

        f = tf.custom_gradient(lambda a: (a * v, grad))
        with tf.GradientTape() as t:
            t.watch(x)
            y = f(x)
        t.gradient(y, [x, v])

    return write


GROUP.shown_by(
    "CUST-01",
    "The gradient of a decorated function is what its own gradient function returns.",
    returning(lambda tf, dy: dy * 7.0),
    standing=DOCUMENTED,
)


@rule("CUST-02", "The gradient function is given what flows back, in the output's shape.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: dy))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x) * 5.0
    t.gradient(y, x)


GROUP.shown_by(
    "CUST-03",
    "For several inputs it may return a list or a tuple.",
    of_two(lambda dy: [dy * 10.0, dy * 20.0]),
    of_two(lambda dy: (dy * 10.0, dy * 20.0)),
    standing=DOCUMENTED,
)
GROUP.shown_by("CUST-04", "Fewer gradients than inputs are a ValueError.", of_two(lambda dy: dy * 10.0))
GROUP.shown_by("CUST-05", "No gradient for one input is a ValueError.", returning(lambda tf, dy: []))
GROUP.shown_by(
    "CUST-06",
    "More gradients than inputs are a ValueError.",
    of_two(lambda dy: [dy, dy, dy]),
)
GROUP.shown_by(
    "CUST-07",
    "A Python float that the gradient function returns reaches the caller as it is.",
    returning(lambda tf, dy: 2.5),
    standing=AGAINST_DOCS,
)


@rule("CUST-08", "A Python float that flows on becomes a tensor in the next op.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: 2.5))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(2.0 * x)
    t.gradient(y, x)


GROUP.shown_by(
    "CUST-09",
    "A NumPy array that the gradient function returns reaches the caller as it is.",
    returning(lambda tf, dy: tf.numpy([2.5, 2.5]), [1.0, 2.0]),
    standing=AGAINST_DOCS,
)
GROUP.shown_by(
    "CUST-10",
    "The shape and the dtype of what it returns are not checked.",
    returning(lambda tf, dy: tf.ones([5])),
    returning(lambda tf, dy: tf.constant(1.0, "float64")),
)


def beside_a_square(backward: Any) -> Writer:
    def write(tf: Any) -> None:
        x = tf.constant(3.0)
        f = tf.custom_gradient(lambda a: (a * a, lambda dy: backward(tf)))
        with tf.GradientTape() as t:
            t.watch(x)
            y = f(x) + x * x
        t.gradient(y, x)

    return write


GROUP.shown_by(
    "CUST-11",
    "A gradient of the wrong shape fails when it is added to another.",
    beside_a_square(lambda tf: tf.ones([5])),
)
GROUP.shown_by(
    "CUST-12",
    "A gradient of the wrong dtype fails when it is added to another.",
    beside_a_square(lambda tf: tf.constant(1.0, "float64")),
)


@rule("CUST-13", "A tensor given by keyword is not differentiated.", DOCUMENTED)
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)

    def forward(a: Any, *, b: Any) -> Any:
        return a * b, lambda dy: dy * 7.0

    f = tf.custom_gradient(forward)
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = f(x, b=z)
    t.gradient(y, [x, z])


GROUP.not_pinned(
    "CUST-14",
    "Keyword arguments are refused inside a tf.function.",
    "the message quotes the source lines of the function that was traced",
    DOCUMENTED,
)


@rule("CUST-15", "Each positional argument must be convertible to a tensor.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.custom_gradient(lambda a, b: (a * 2.0, lambda dy: [dy, None]))
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = f(x, 2.5)
        z = f(x, tf.numpy([1.0, 2.0]))
        f(x, None)
        f(x, "s")
    t.gradient(y, x)
    t.gradient(z, x)


@rule("CUST-16", "The function is given the objects that the caller gave, unconverted.")
def _(tf: Any) -> None:
    f = tf.custom_gradient(lambda a: (tf.constant(tf.python.type_name(a)), lambda dy: None))
    f(2.5)
    f(tf.numpy(2.5))
    f(tf.constant(2.5))


@rule("CUST-17", "A decorated function called without a tape gives its value.")
def _(tf: Any) -> None:
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: dy))
    f(tf.constant(3.0))


@rule("CUST-18", "The gradients may come in a nested structure; it is flattened.")
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    f = tf.custom_gradient(lambda a, b: (a * b, lambda dy: [{"k": dy * 20.0}, dy * 10.0]))
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = f(x, z)
    t.gradient(y, [x, z])


@rule("CUST-19", "Of two outputs the one that is not used sends zeros of its shape.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    f = tf.custom_gradient(lambda a: ((tf.reduce_sum(a), a * 2.0), lambda d0, d1: d0 + d1 * 100.0))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x).parts(1)[0]
    t.gradient(y, x)


@rule("CUST-20", "Both outputs used, the gradient function is given both.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    f = tf.custom_gradient(lambda a: ((a * 3.0, a * 2.0), lambda d0, d1: d0 + d1 * 100.0))
    with tf.GradientTape() as t:
        t.watch(x)
        y, z = f(x).parts(2)
    t.gradient([y, z], x)


@rule("CUST-21", "What flows back to a string output is None.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    seen = tf.Variable("unset")

    def backward(d0: Any, d1: Any) -> Any:
        seen.assign(tf.python.type_name(d1))
        return d0

    f = tf.custom_gradient(lambda a: ((a * 3.0, tf.constant("s")), backward))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x).parts(1)[0]
    t.gradient(y, x)
    seen.read_value()


@rule("CUST-22", "A dict of outputs is flattened by its sorted keys for the gradient function, and returned as a dict.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.custom_gradient(lambda a: ({"b": a * 2.0, "a": a * 3.0}, lambda da, db: da * 1000.0 + db))
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        outputs = f(x)
        first, second = outputs["b"], outputs["a"]
    t.gradient(first, x)
    t.gradient(second, x)


@rule("CUST-23", "A Python number or a NumPy array as output becomes a tensor; None as output is a ValueError.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    for output in (2.5, tf.numpy([1.0, 2.0]), "s", None):
        tf.custom_gradient(answering(output))(x)


def answering(output: Any) -> Any:
    return lambda a: (output, lambda dy: dy)


@rule("CUST-24", "A function that does not return a pair fails on being unpacked.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    tf.custom_gradient(lambda a: a * 2.0)(x)
    tf.custom_gradient(lambda a: (a * 2.0, lambda dy: dy, 1.0))(x)


@rule(
    "CUST-25",
    "Reading a variable without a gradient function that takes variables is a TypeError.",
    DOCUMENTED,
)
def _(tf: Any) -> None:
    v = tf.Variable(2.0)
    f = tf.custom_gradient(lambda a: (a * v, lambda dy: dy))
    f(tf.constant(3.0))


GROUP.shown_by(
    "CUST-26",
    "With variables, the gradient function returns gradients of the inputs and a list of those of the variables.",
    with_variable(lambda dy, variables: (dy * 10.0, [dy * 20.0])),
    standing=DOCUMENTED,
)
GROUP.not_pinned(
    "CUST-27",
    "A gradient function that takes any keyword is given variables.",
    "a program's functions name their keyword",
)


@rule("CUST-28", "A gradient function that takes variables is called without them when none was read.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    seen = tf.Variable("unset")

    def backward(dy: Any, *, variables: Any) -> Any:
        seen.assign(tf.python.type_name(variables))
        return dy

    f = tf.custom_gradient(lambda a: (a * a, backward))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)
    seen.read_value()


GROUP.shown_by(
    "CUST-29",
    "A list of variable gradients that is too short is a ValueError.",
    with_variable(lambda dy, variables: (dy * 10.0, [])),
)
GROUP.shown_by(
    "CUST-30",
    "With variables, a gradient function that does not return a pair fails on being unpacked.",
    with_variable(lambda dy, variables: dy * 10.0),
)
GROUP.shown_by(
    "CUST-31",
    "Variable gradients given as a tuple are a TypeError.",
    with_variable(lambda dy, variables: (dy * 10.0, (dy * 20.0,))),
)


@rule("CUST-32", "A variable given as an argument is an input: no variables keyword is needed for it.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: dy * 7.0))
    with tf.GradientTape() as t:
        y = f(v)
    t.gradient(y, v)


@rule("CUST-33", "A variable that is not trainable may be read without the keyword.")
def _(tf: Any) -> None:
    x, v = tf.constant(3.0), tf.Variable(2.0, trainable=False)
    f = tf.custom_gradient(lambda a: (a * v, lambda dy: dy * 7.0))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)


GROUP.shown_by(
    "CUST-34",
    "None for a variable's gradient leaves the variable unconnected.",
    with_variable(lambda dy, variables: (dy * 10.0, [None])),
)


@rule("CUST-35", "Ops inside a decorated function are recorded: what leaks out of it escapes the custom gradient.")
def _(tf: Any) -> None:
    x, leaked = tf.constant(3.0), tf.python.list([])

    def forward(a: Any) -> Any:
        z = a * a
        tf.call("method.append", leaked, z)
        return z * 2.0, lambda dy: dy * 7.0

    f = tf.custom_gradient(forward)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
        w = y + leaked[0]
    t.gradient(w, x)


@rule("CUST-36", "A function that returns its input gives a new tensor.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.custom_gradient(lambda a: (a, lambda dy: dy * 7.0))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    tf.same(y, x)
    t.gradient(y, x)


@rule("CUST-37", "The gradient function runs once for each gradient() that reaches it, needed or not.")
def _(tf: Any) -> None:
    x, z, calls = tf.constant(3.0), tf.constant(4.0), tf.Variable(0.0)

    def backward(dy: Any) -> Any:
        calls.assign_add(1.0)
        return dy

    f = tf.custom_gradient(lambda a: (a * a, backward))
    with tf.GradientTape(persistent=True) as t:
        t.watch([x, z])
        y = f(x) + z
    t.gradient(y, x)
    t.gradient(y, x)
    calls.read_value()
    t.gradient(y, z)
    calls.read_value()


@rule("CUST-38", "An exception in the gradient function reaches the caller unchanged.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)

    def backward(dy: Any) -> Any:
        tf.call("python.raise", "KeyError", "boom")
        return dy

    f = tf.custom_gradient(lambda a: (a * a, backward))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)
    t.gradient(y, x)


@rule("CUST-39", "An exception in the function itself reaches the caller, and the tape goes on recording.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)

    def forward(a: Any) -> Any:
        tf.call("python.raise", "RuntimeError", "boom")
        return a, lambda dy: dy

    f = tf.custom_gradient(forward)
    with tf.GradientTape() as t:
        t.watch(x)
        f(x)
        y = x * x
    t.gradient(y, x)


def twice(function: Any) -> Writer:
    """First and second derivative of a decorated function at 3; `function(tf)` makes it."""

    def write(tf: Any) -> None:
        x = tf.constant(3.0)
        f = function(tf)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            g = inner.gradient(y, x)
        outer.gradient(g, x)

    return write


GROUP.shown_by(
    "CUST-40",
    "The second derivative is that of the gradient function: None where it does not use the input.",
    twice(lambda tf: tf.custom_gradient(lambda a: (a * a, lambda dy: dy * 7.0))),
)
GROUP.shown_by(
    "CUST-41",
    "A decorated function inside a gradient function gives the second derivative its own rule.",
    twice(
        lambda tf: tf.custom_gradient(
            lambda a: (a * a, lambda dy: dy * tf.custom_gradient(lambda b: (b * 5.0, lambda ddy: ddy * 11.0))(a))
        )
    ),
    standing=DOCUMENTED,
)
GROUP.not_pinned(
    "CUST-42",
    "A method may be decorated; self is no input.",
    "a program cannot define a class",
)
GROUP.not_pinned(
    "CUST-43",
    "The decorator may be written with empty parentheses, and keeps the function's name and docstring.",
    "a program's functions have neither name nor docstring",
)


@rule("CUST-44", "A gradient function may be given IndexedSlices.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    f = tf.custom_gradient(lambda a: (a * 1.0, lambda dy: dy))
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.gather(f(x), tf.constant([1]))
    t.gradient(y, x)


@rule("CUST-45", "A decorated function of an integer is not recorded.")
def _(tf: Any) -> None:
    i = tf.constant(3)
    f = tf.custom_gradient(lambda a: (a * 2, lambda dy: dy))
    with tf.GradientTape() as t:
        t.watch(i)
        y = f(i)
    t.gradient(y, i)


@rule("CUST-46", "A function without inputs may be differentiated in the variables that it reads.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)

    def backward(dy: Any, *, variables: Any) -> Any:
        return [], [dy * 9.0]

    f = tf.custom_gradient(lambda: (v * v, backward))
    with tf.GradientTape() as t:
        y = f()
    t.gradient(y, v)


@rule("CUST-47", "The variables that the gradient function is given are those that the function read.")
def _(tf: Any) -> None:
    x, v, w = tf.constant(3.0), tf.Variable(2.0), tf.Variable(5.0)

    def backward(dy: Any, *, variables: Any) -> Any:
        return dy, [dy * tf.call("operator.getitem", variables, 0)]

    f = tf.custom_gradient(lambda a: (a * w, backward))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, [x, v, w])


@rule("CUST-48", "Inside a tf.function the custom gradient holds too.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: dy * 7.0))
    g = tf.function(f)
    with tf.GradientTape() as t:
        t.watch(x)
        y = g(x)
    t.gradient(y, x)


@rule("CUST-49", "A gradient function may return IndexedSlices.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    f = tf.custom_gradient(
        lambda a: (a * 1.0, lambda dy: tf.IndexedSlices(tf.constant([5.0]), tf.constant([1]), tf.constant([2])))
    )
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)


@rule("CUST-50", "A tape may be used inside a gradient function.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)

    def forward(a: Any) -> Any:
        def backward(dy: Any) -> Any:
            with tf.GradientTape() as t:
                t.watch(a)
                y = a * a * 4.0
            return dy * t.gradient(y, a)

        return a * a, backward

    f = tf.custom_gradient(forward)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)


@rule("CUST-51", "A variable that is an argument and is read inside counts as the argument.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    f = tf.custom_gradient(lambda a: (a * v, lambda dy: dy * 7.0))
    with tf.GradientTape() as t:
        y = f(v)
    t.gradient(y, v)


@rule("CUST-52", "A gradient of None from the gradient function ends the path.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: None))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)
