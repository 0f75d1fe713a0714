"""SPARSE: gradients that are IndexedSlices, ragged tensors, and what turns them dense."""

from __future__ import annotations

from typing import Any

from conformance.rules import Group, gradient_at

GROUP = Group("SPARSE", "IndexedSlices and ragged gradients", source="tf.IndexedSlices")
rule, also = GROUP.rule, GROUP.also

MATRIX = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def gathered(tf: Any, x: Any, indices: Any, **options: Any) -> Any:
    return tf.gather(x, tf.constant(indices), **options)


GROUP.shown_by(
    "SPARSE-01",
    "The gradient of gather along axis 0 is IndexedSlices: upstream rows, the indices as given, repeats kept.",
    gradient_at(lambda tf, x: gathered(tf, x, [2, 0, 2]), MATRIX),
)


@rule("SPARSE-02", "Gathering from a variable gives IndexedSlices too.")
def _(tf: Any) -> None:
    v = tf.Variable(MATRIX)
    with tf.GradientTape() as t:
        y = tf.gather(v, tf.constant([2, 0, 2]))
    t.gradient(y, v)


@rule("SPARSE-03", "embedding_lookup keeps the indices' int64 dtype.")
def _(tf: Any) -> None:
    v = tf.Variable(MATRIX)
    with tf.GradientTape() as t:
        y = tf.nn.embedding_lookup(v, tf.constant([1, 1], "int64"))
    t.gradient(y, v)


@rule("SPARSE-04", "Indices of several axes are flattened, and the values with them.")
def _(tf: Any) -> None:
    v = tf.Variable(MATRIX)
    with tf.GradientTape() as t:
        y = tf.nn.embedding_lookup(v, tf.constant([[0, 1]]))
    t.gradient(y, v)


for _id, _sentence, _function, _value in (
    ("05", "A scalar index becomes a vector of one.", lambda tf, x: tf.gather(x, 1), MATRIX),
    ("06", "gather along another axis has a dense gradient.", lambda tf, x: gathered(tf, x, [1, 1], axis=1), MATRIX),
    (
        "07",
        "gather with batch_dims has a dense gradient.",
        lambda tf, x: gathered(tf, x, [[0], [1], [1]], batch_dims=1),
        MATRIX,
    ),
    (
        "08",
        "A negative axis that means axis 0 has a dense gradient: only a literal 0 gives IndexedSlices.",
        lambda tf, x: gathered(tf, x, [1], axis=-2),
        MATRIX,
    ),
    (
        "09",
        "IndexedSlices turn dense as soon as they flow into a dense op.",
        lambda tf, x: gathered(tf, 2.0 * x, [0, 0]),
        MATRIX,
    ),
    (
        "15",
        "gather of a gather has the inner gather's IndexedSlices, with repeats of the outer one summed.",
        lambda tf, x: gathered(tf, gathered(tf, x, [2, 1]), [0, 0]),
        MATRIX,
    ),
    ("16", "The values carry what flows back.", lambda tf, x: gathered(tf, x, [0]) * 3.0, MATRIX),
    (
        "19",
        "boolean_mask has a dense gradient.",
        lambda tf, x: tf.boolean_mask(x, tf.constant([True, False, True])),
        MATRIX,
    ),
    (
        "21",
        "gather_nd with one index column has IndexedSlices.",
        lambda tf, x: tf.gather_nd(x, tf.constant([[0], [2]])),
        MATRIX,
    ),
    (
        "24",
        "unsorted_segment_sum has a dense gradient that gathers back.",
        lambda tf, x: (
            tf.math.unsorted_segment_sum(x, tf.constant([0, 1, 0]), 2) * tf.constant([[1.0, 1.0], [10.0, 10.0]])
        ),
        MATRIX,
    ),
    ("25", "unstack has a dense gradient.", lambda tf, x: tf.unstack(x).parts(2)[1], MATRIX),
    (
        "31",
        "An index that is out of range is an error of the op itself.",
        lambda tf, x: gathered(tf, x, [3]),
        MATRIX,
    ),
    (
        "32",
        "A negative index is out of range: it does not count from the end.",
        lambda tf, x: gathered(tf, x, [-1]),
        MATRIX,
    ),
    ("36", "Gathering from a vector gives values of rank one.", lambda tf, x: gathered(tf, x, [1, 1]), [1.0, 2.0, 3.0]),
    (
        "38",
        "Behind where, the gradient of gather is dense.",
        lambda tf, x: gathered(tf, tf.where(tf.constant(True), x, 0.0), [0]),
        MATRIX,
    ),
    (
        "40",
        "Behind reshape, the gradient of gather is dense.",
        lambda tf, x: gathered(tf, tf.reshape(x, [2, 3]), [1]),
        MATRIX,
    ),
):
    GROUP.shown_by(f"SPARSE-{_id}", _sentence, gradient_at(_function, _value))

GROUP.shown_by(
    "SPARSE-44",
    "Behind concat along another axis, all rows of a gradient stay, each cut to the width of the input.",
    gradient_at(lambda tf, x: gathered(tf, tf.concat([x, x * 2.0, x], 1), [0, 2, 2]), MATRIX),
    gradient_at(lambda tf, x: gathered(tf, tf.concat([x, tf.constant(MATRIX)], -1), [1, 0]), MATRIX),
)
GROUP.shown_by(
    "SPARSE-45",
    "Behind concat along axis 0, each input gets the rows that are its own, counted from its start.",
    gradient_at(lambda tf, x: gathered(tf, tf.concat([tf.constant(MATRIX), x], 0), [0, 4, 3, 4]), MATRIX),
)
GROUP.also("SPARSE-21")(gradient_at(lambda tf, x: tf.gather_nd(x, tf.constant([[0, 1]])), MATRIX))


@also("SPARSE-25")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
        kept = tf.dynamic_partition(x, tf.constant([1, 0, 1]), 2).parts(2)[1]
    t.gradient(kept, x)


@rule("SPARSE-10", "IndexedSlices pass through identity unchanged.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.gather(tf.identity(x), tf.constant([1]))
    t.gradient(y, x)


@rule("SPARSE-11", "Several IndexedSlices for one source are strung together, not merged.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
        y = gathered(tf, x, [0])
        z = gathered(tf, x, [2, 2])
    t.gradient([y, z], x)


@rule("SPARSE-12", "Strung together, int32 and int64 indices become int64.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
        y = gathered(tf, x, [0])
        z = tf.gather(x, tf.constant([1], "int64"))
    t.gradient([y, z], x)


@rule("SPARSE-13", "IndexedSlices and a dense contribution add up to a dense gradient.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.reduce_sum(gathered(tf, x, [0]))
        z = tf.reduce_sum(x * 2.0)
    t.gradient([y, z], x)


@rule("SPARSE-14", "A variable that is gathered from and read whole has a dense gradient.")
def _(tf: Any) -> None:
    v = tf.Variable(MATRIX)
    with tf.GradientTape() as t:
        y = tf.reduce_sum(tf.gather(v, tf.constant([0]))) + tf.reduce_sum(v * 2.0)
    t.gradient(y, v)


@rule("SPARSE-17", "Converting IndexedSlices to a tensor sums the repeats.")
def _(tf: Any) -> None:
    slices = tf.IndexedSlices(
        tf.constant([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]), tf.constant([2, 0, 2]), tf.constant([3, 2])
    )
    tf.convert_to_tensor(slices)


@rule("SPARSE-18", "IndexedSlices have a dtype and parts of their own, and neither numpy(), arithmetic nor indexing.")
def _(tf: Any) -> None:
    slices = tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([2]), tf.constant([3, 2]))
    tf.attribute(slices, "dtype")
    tf.attribute(slices, "values")
    tf.attribute(slices, "indices")
    tf.call("method.numpy", slices)
    slices + 1.0
    slices[0]


@rule("SPARSE-22", "gather_nd from a variable has IndexedSlices.")
def _(tf: Any) -> None:
    v = tf.Variable(MATRIX)
    with tf.GradientTape() as t:
        y = tf.gather_nd(v, tf.constant([[0], [2]]))
    t.gradient(y, v)


@rule("SPARSE-23", "sparse_read() of a variable has IndexedSlices.")
def _(tf: Any) -> None:
    v = tf.Variable(MATRIX)
    with tf.GradientTape() as t:
        y = v.sparse_read([1, 1])
    t.gradient(y, v)


@rule("SPARSE-26", "A sparse matrix times a dense one is differentiable in the sparse values and in the dense operand.")
def _(tf: Any) -> None:
    values, b = tf.constant([2.0, 3.0]), tf.constant([[1.0], [4.0]])
    with tf.GradientTape() as t:
        t.watch([values, b])
        sparse = tf.sparse.SparseTensor(tf.constant([[0, 0], [1, 1]], "int64"), values, tf.constant([2, 2], "int64"))
        y = tf.sparse.sparse_dense_matmul(sparse, b)
    t.gradient(y, [values, b])


@rule("SPARSE-27", "IndexedSlices come back through a tf.function.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    f = tf.function(lambda a: tf.gather(a, [2, 0]))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)


@rule("SPARSE-28", "A tf.function may return IndexedSlices that a tape inside it made.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)

    def body(a: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch(a)
            y = tf.gather(a, [2, 0])
        return t.gradient(y, a)

    tf.function(body)(x)


@rule("SPARSE-29", "A variable gathered from inside a tf.function has IndexedSlices outside.")
def _(tf: Any) -> None:
    v = tf.Variable(MATRIX)
    f = tf.function(lambda: tf.gather(v, [2, 0]))
    with tf.GradientTape() as t:
        y = f()
    t.gradient(y, v)


@rule("SPARSE-30", "IndexedSlices are no target for an outer tape; their values and their dense form are.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.gather(x, [0, 0]) ** 3
        g = inner.gradient(y, x)
        values = tf.attribute(g, "values")
        dense = tf.convert_to_tensor(g)
    outer.gradient(g, x)
    outer.gradient(values, x)
    outer.gradient(dense, x)


@rule("SPARSE-33", "embedding_lookup_sparse has IndexedSlices whose values carry the weights of each row.")
def _(tf: Any) -> None:
    v = tf.Variable(MATRIX)
    ids = tf.sparse.SparseTensor(
        tf.constant([[0, 0], [0, 1], [1, 0]], "int64"),
        tf.constant([1, 2, 1], "int64"),
        tf.constant([2, 2], "int64"),
    )
    with tf.GradientTape() as t:
        y = tf.nn.embedding_lookup_sparse(v, ids, None, combiner="sum")
    t.gradient(y, v)


@rule("SPARSE-34", "clip_by_norm and clip_by_global_norm keep IndexedSlices.")
def _(tf: Any) -> None:
    ones = tf.constant([[1.0, 1.0], [1.0, 1.0]])
    slices = tf.IndexedSlices(ones, tf.constant([2, 0]), tf.constant([3, 2]))
    tf.clip_by_norm(slices, 1.0)
    tf.clip_by_global_norm([slices], 1.0)


@rule("SPARSE-35", "global_norm takes the norm of the values, repeats and all.")
def _(tf: Any) -> None:
    ones = tf.constant([[1.0, 1.0], [1.0, 1.0]])
    slices = tf.IndexedSlices(ones, tf.constant([2, 2]), tf.constant([3, 2]))
    tf.linalg.global_norm([slices])


@rule("SPARSE-37", "A ragged source has a ragged gradient with its own row splits.")
def _(tf: Any) -> None:
    x = tf.ragged(tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 2, 3], "int64"))
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.reduce_sum(x * x, axis=1)
    t.gradient(y, x)


@rule("SPARSE-39", "Behind concat, each source of a gather has IndexedSlices of its own.")
def _(tf: Any) -> None:
    a, b = tf.constant([[1.0], [2.0]]), tf.constant([[3.0], [4.0]])
    with tf.GradientTape() as t:
        t.watch([a, b])
        y = tf.gather(tf.concat([a, b], 0), tf.constant([0, 3]))
    t.gradient(y, [a, b])


@rule(
    "SPARSE-41",
    "Ragged rows picked or joined side by side have IndexedSlices of their values, joined ones below have not.",
)
def _(tf: Any) -> None:
    values, splits = tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 2, 2, 3], "int64")
    with tf.GradientTape(persistent=True) as t:
        t.watch(values)
        x = tf.ragged(values, splits)
        picked = tf.gather(x, [0, 0])
        beside, below = tf.concat([x, x], 1), tf.concat([x, x], 0)
        parts = [tf.attribute(y, "values") for y in (picked, beside, below)]
    for part in parts:
        t.gradient(part, values)


@rule("SPARSE-42", "A sparse tensor times a dense one has gradients by both; concatenated sparse tensors have none.")
def _(tf: Any) -> None:
    values, dense = tf.constant([2.0, 3.0]), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as t:
        t.watch([values, dense])
        x = tf.sparse.SparseTensor(tf.constant([[0, 0], [1, 1]], "int64"), values, tf.constant([2, 2], "int64"))
        product = tf.attribute(x * dense, "values")
        joined = tf.attribute(tf.sparse.concat(0, [x, x]), "values")
        total = tf.sparse.add(x, x)
        summed = tf.attribute(total, "values")
    t.gradient(product, [values, dense])
    t.gradient(joined, values)
    t.gradient(summed, values)


@rule("SPARSE-43", "The values kept by sparse.retain have IndexedSlices, those in a sparse.slice a dense gradient.")
def _(tf: Any) -> None:
    values = tf.constant([2.0, 3.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(values)
        x = tf.sparse.SparseTensor(tf.constant([[0, 0], [1, 1]], "int64"), values, tf.constant([2, 2], "int64"))
        kept = tf.attribute(tf.sparse.retain(x, [True, False]), "values")
        inside = tf.attribute(tf.sparse.slice(x, [0, 0], [1, 2]), "values")
    t.gradient(kept, values)
    t.gradient(inside, values)
