# ruff: noqa: E731  # questions are short functions, many of them bound in a loop
"""What is asked of the ops that make arrays and move their elements about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.ops.asking import Case

inf = float("inf")
V = [1.0, 2.0, 3.0]
M = [[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]]
CUBE = [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [1.5, 2.5, 3.5]]]


def case(name: str, function: Callable[..., Any], *inputs: Any, **options: Any) -> Case:
    """A case whose gradient is squared first, so that its second derivative says something."""
    return Case(name, function, inputs, **options)


def _shapes() -> Iterator[Case]:
    yield case("expand_dims", lambda tf, x: [tf.expand_dims(x, k) for k in (0, 1, -1)], V)
    yield case("expand_dims squared", lambda tf, x: tf.expand_dims(x * x, 0) ** 2, V)
    yield case("expand_dims of a bad axis", lambda tf, x: tf.expand_dims(x, 3), V, order=0)
    yield case("squeeze", lambda tf, x: tf.squeeze(x) ** 2, [[[1.0, 2.0]]])
    yield case(
        "squeeze axis", lambda tf, x: [tf.squeeze(x, 0), tf.squeeze(x, [0, 1]), tf.squeeze(x, -2)], [[[1.0, 2.0]]]
    )
    yield case("squeeze of an axis that is not one", lambda tf, x: tf.squeeze(x, 2), [[[1.0, 2.0]]], order=0)
    yield case("squeeze of a bad axis", lambda tf, x: tf.squeeze(x, 5), [[[1.0, 2.0]]], order=0)
    yield case("reshape", lambda tf, x: [tf.reshape(x, [-1]), tf.reshape(x, [3, 2]), tf.reshape(x, (6, -1))], M)
    yield case("reshape squared", lambda tf, x: tf.reshape(x, [-1]) ** 2, M)
    yield case("reshape that does not fit", lambda tf, x: tf.reshape(x, [4]), M, order=0)
    yield case("reshape by no multiple", lambda tf, x: tf.reshape(x, [4, -1]), M, order=0)
    yield case("reshape with two unknowns", lambda tf, x: tf.reshape(x, [-1, -1]), M, order=0)
    yield case("reshape by a tensor", lambda tf, x: tf.reshape(x, tf.constant([3, 2])), M)
    yield case("transpose", lambda tf, x: tf.transpose(x) ** 2, M)
    yield case("transpose perm", lambda tf, x: tf.transpose(x, [1, 2, 0]), CUBE)
    yield case("transpose of a bad perm", lambda tf, x: tf.transpose(x, [0, 0]), M, order=0)
    yield case("transpose of a short perm", lambda tf, x: tf.transpose(x, [0]), M, order=0)
    yield case("transpose conjugate", lambda tf, z: tf.transpose(z, conjugate=True), ([[1 + 2j, 3j]], "complex64"))
    yield case("adjoint", lambda tf, z: tf.linalg.adjoint(z), ([[1 + 2j, 3j]], "complex64"))
    yield case("matrix_transpose", lambda tf, x: tf.linalg.matrix_transpose(x), CUBE)
    yield case("broadcast_to", lambda tf, x: tf.broadcast_to(x, [2, 3]) ** 2, V)
    yield case("broadcast_to of ones", lambda tf, x: tf.broadcast_to(x, [4, 2, 3]), [[1.0], [2.0]])
    yield case("broadcast_to that does not fit", lambda tf, x: tf.broadcast_to(x, [2]), V, order=0)
    yield case("tile", lambda tf, x: tf.tile(x, [2, 3]) ** 2, M)
    yield case("tile by none", lambda tf, x: tf.tile(x, [1, 0]), M)
    yield case("tile of a bad length", lambda tf, x: tf.tile(x, [2]), M, order=0)
    yield case("repeat", lambda tf, x: tf.repeat(x, 2) ** 2, M)
    yield case("repeat axis", lambda tf, x: tf.repeat(x, [1, 2, 0], axis=1), M)
    yield case("repeat axis 0", lambda tf, x: tf.repeat(x, [2, 1], axis=0), M)
    yield case("repeat one for all", lambda tf, x: tf.repeat(x, [2], axis=-1), M)
    yield case("reverse", lambda tf, x: tf.reverse(x, [0, -1]) ** 2, M)
    yield case("reverse of a bad axis", lambda tf, x: tf.reverse(x, [2]), M, order=0)
    yield case("roll", lambda tf, x: [tf.roll(x, 1, 0), tf.roll(x, [1, -1], [0, 1])], M)
    yield case("roll squared", lambda tf, x: tf.roll(x, 4, 1) ** 2, M)
    yield case("ensure_shape", lambda tf, x: tf.ensure_shape(x, [None, 3]) ** 2, M)
    yield case("ensure_shape that does not hold", lambda tf, x: tf.ensure_shape(x, [3, None]), M, order=0)
    yield case("meshgrid", lambda tf, x, y: tf.meshgrid(x, y), V, [1.0, 2.0])
    yield case("meshgrid ij", lambda tf, x, y: [g * g for g in tf.meshgrid(x, y, indexing="ij")], V, [1.0, 2.0])
    yield case("identity", lambda tf, x: tf.identity(x), M)
    yield case("identity_n", lambda tf, x, y: tf.identity_n([x, y]), V, [1.0])
    yield case("rot90-like composition", lambda tf, x: tf.reverse(tf.transpose(x), [0]) ** 2, M)


def _joins() -> Iterator[Case]:
    for axis in (0, 1, -1, -2):
        yield case(f"concat axis={axis}", lambda tf, x, y, axis=axis: tf.concat([x, y * y], axis) ** 2, M, M)
        yield case(f"stack axis={axis}", lambda tf, x, y, axis=axis: tf.stack([x, y * y], axis) ** 2, V, V)
    yield case("concat of one", lambda tf, x: tf.concat([x], 0), V)
    yield case("concat of an empty one", lambda tf, x, y: tf.concat([x, y], 0), V, [])
    yield case("concat of one twice", lambda tf, x: tf.concat([x, x], 0), V)
    yield case("concat of scalars", lambda tf, x: tf.concat([x, x], 0), 1.0, order=0)
    yield case("concat of a bad axis", lambda tf, x: tf.concat([x, x], 2), M, order=0)
    yield case("concat of shapes that do not fit", lambda tf, x, y: tf.concat([x, y], 0), M, [[1.0]], order=0)
    yield case("concat of ranks that do not fit", lambda tf, x, y: tf.concat([x, y], 0), M, V, order=0)
    yield case("concat of two dtypes", lambda tf, x, y: tf.concat([x, y], 0), V, ([1], "int32"), order=0)
    yield case("stack of shapes that do not fit", lambda tf, x, y: tf.stack([x, y]), V, [1.0], order=0)
    yield case("stack of one", lambda tf, x: tf.stack([x]), V)
    yield case("stack of a bad axis", lambda tf, x: tf.stack([x, x], axis=3), V, order=0)
    yield case("stack of Python numbers", lambda tf, x: tf.stack([x, 2.0]), 1.0)
    yield case("unstack", lambda tf, x: tf.unstack(x), M)
    yield case("unstack axis", lambda tf, x: tf.unstack(x, axis=-1)[1] ** 2, M)
    yield case("unstack of one", lambda tf, x: tf.unstack(x)[0] ** 2, [[1.0, 2.0]])
    yield case("unstack of a scalar", lambda tf, x: tf.unstack(x), 1.0, order=0)
    yield case("unstack of a bad number", lambda tf, x: tf.unstack(x, num=3), M, order=0)
    yield case("split", lambda tf, x: tf.split(x, 3, axis=1), M)
    yield case("split sizes", lambda tf, x: tf.split(x, [1, 2], axis=-1), M)
    yield case("split with a rest", lambda tf, x: tf.split(x, [1, -1], axis=1)[1] ** 2, M)
    yield case("split one part used", lambda tf, x: tf.split(x, 2)[1] ** 2, M)
    yield case("split in one", lambda tf, x: tf.split(x, 1), M)
    yield case("split unevenly", lambda tf, x: tf.split(x, 2, axis=1), M, order=0)
    yield case("split by sizes that do not fit", lambda tf, x: tf.split(x, [1, 1], axis=1), M, order=0)
    yield case("split of a bad axis", lambda tf, x: tf.split(x, 2, axis=2), M, order=0)


def _pads() -> Iterator[Case]:
    widths = [[1, 2], [0, 1]]
    for mode in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        yield case(f"pad {mode}", lambda tf, x, mode=mode: tf.pad(x, [[1, 1], [2, 1]], mode) ** 2, [V, [4.0, 5.0, 6.0]])
        yield case(f"pad {mode} once", lambda tf, x, mode=mode: tf.pad(x, [[1, 0]], mode), V)
    yield case("pad with a value", lambda tf, x: tf.pad(x, widths, constant_values=7.0), M)
    yield case("pad of another mode", lambda tf, x: tf.pad(x, widths, "EDGE"), M, order=0)
    yield case("pad of a bad shape", lambda tf, x: tf.pad(x, [[1, 1]]), M, order=0)
    yield case("pad too wide to reflect", lambda tf, x: tf.pad(x, [[3, 0]], "REFLECT"), V, order=0)
    yield case("pad too wide to be symmetric", lambda tf, x: tf.pad(x, [[4, 0]], "SYMMETRIC"), V, order=0)
    yield case("pad by less than nothing", lambda tf, x: tf.pad(x, [[-1, 0]]), V, order=0)


def _slices() -> Iterator[Case]:
    forms: dict[str, Callable[..., Any]] = {
        "x[0]": lambda tf, x: x[0] ** 2,
        "x[-1]": lambda tf, x: x[-1],
        "x[1:]": lambda tf, x: x[1:],
        "x[::-1]": lambda tf, x: x[::-1] ** 2,
        "x[:, 1]": lambda tf, x: x[:, 1],
        "x[..., 0]": lambda tf, x: x[..., 0],
        "x[None]": lambda tf, x: x[None],
        "x[:, None, ::2]": lambda tf, x: x[:, tf.newaxis, ::2] ** 2,
        "x[0, 1:]": lambda tf, x: x[0, 1:],
        "x[5:]": lambda tf, x: x[5:],
        "x[:, ::-2]": lambda tf, x: x[:, ::-2],
        "x[mask]": lambda tf, x: x[x > 0] ** 2,
        "x[tensor]": lambda tf, x: x[tf.constant(1)],
        "x[1][2]": lambda tf, x: x[1][2] ** 2,
        "x[...]": lambda tf, x: x[...],
        "x[2]": lambda tf, x: x[2],
        "x[0, 0, 0]": lambda tf, x: x[0, 0, 0],
        "x['a']": lambda tf, x: x["a"],
        "x[1.5]": lambda tf, x: x[1.5],
        "x[::0]": lambda tf, x: x[::0],
        "x[-3]": lambda tf, x: x[-3],
    }
    for name, form in forms.items():
        yield case(name, form, M)
    yield case("slice", lambda tf, x: tf.slice(x, [0, 1], [2, -1]) ** 2, M)
    yield case("slice of nothing", lambda tf, x: tf.slice(x, [0, 1], [0, 1]), M)
    yield case("slice too long", lambda tf, x: tf.slice(x, [0, 1], [2, 3]), M, order=0)
    yield case("slice too late", lambda tf, x: tf.slice(x, [3, 0], [1, 1]), M, order=0)
    yield case("slice of a bad length", lambda tf, x: tf.slice(x, [0], [1]), M, order=0)
    yield case("strided_slice", lambda tf, x: tf.strided_slice(x, [0, 0], [2, 3], [1, 2]) ** 2, M)
    masks = {"begin_mask": 1, "end_mask": 2, "shrink_axis_mask": 1}
    yield case("strided_slice with masks", lambda tf, x: tf.strided_slice(x, [1, 1], [2, 2], **masks), M)


def _gathers() -> Iterator[Case]:
    yield case("gather", lambda tf, x: tf.gather(x, [2, 0, 2]) ** 2, V)
    yield case("gather rows", lambda tf, x: tf.gather(x, [1, 0, 1]), M)
    yield case("gather of a scalar index", lambda tf, x: tf.gather(x, 1), M)
    yield case("gather of a matrix of indices", lambda tf, x: tf.gather(x, [[0, 1], [1, 1]]), M)
    yield case("gather axis 1", lambda tf, x: tf.gather(x, [2, 0], axis=1) ** 2, M)
    yield case("gather axis from the end", lambda tf, x: tf.gather(x, [0, 0], axis=-2), M)
    yield case("gather axis 1 of matrices", lambda tf, x: tf.gather(x, [[0, 1], [1, 1]], axis=1), M)
    yield case("gather batch_dims", lambda tf, x: tf.gather(x, [[2, 0], [1, 1]], batch_dims=1) ** 2, M)
    yield case(
        "gather batch_dims, later axis", lambda tf, x: tf.gather(x, [[2, 0], [1, 1]], axis=2, batch_dims=1), CUBE
    )
    yield case("gather batch_dims of rank one", lambda tf, x: tf.gather(x, [2, 0], batch_dims=1), M)
    yield case("gather axis 2", lambda tf, x: tf.gather(x, [0, 2], axis=2), CUBE)
    yield case("gather of nothing", lambda tf, x: tf.gather(x, tf.zeros([0], tf.int32)), M)
    yield case("gather beyond", lambda tf, x: tf.gather(x, [3]), V, order=0)
    yield case("gather before", lambda tf, x: tf.gather(x, [-1]), V, order=0)
    yield case("gather beyond along an axis", lambda tf, x: tf.gather(x, [[3]], axis=1), M, order=0)
    yield case("gather of a bad axis", lambda tf, x: tf.gather(x, [0], axis=2), M, order=0)
    yield case("gather of float indices", lambda tf, x: tf.gather(x, [0.0]), M, order=0)
    yield case("gather of a gather", lambda tf, x: tf.gather(tf.gather(x, [1, 1, 0]), [0, 2]), M)
    yield case("gather_nd", lambda tf, x: tf.gather_nd(x, [[0, 1], [1, 2], [0, 1]]) ** 2, M)
    yield case("gather_nd rows", lambda tf, x: tf.gather_nd(x, [[0], [1], [0]]), M)
    yield case("gather_nd of one index", lambda tf, x: tf.gather_nd(x, [1, 2]), M)
    yield case("gather_nd batch_dims", lambda tf, x: tf.gather_nd(x, [[1], [2]], batch_dims=1), M)
    yield case("gather_nd beyond", lambda tf, x: tf.gather_nd(x, [[0, 3]]), M, order=0)
    yield case("boolean_mask", lambda tf, x: tf.boolean_mask(x, [True, False]) ** 2, M)
    yield case("boolean_mask of all axes", lambda tf, x: tf.boolean_mask(x, x > 0), M)
    yield case("boolean_mask axis", lambda tf, x: tf.boolean_mask(x, [True, False, True], axis=1), M)
    yield case("boolean_mask of a bad shape", lambda tf, x: tf.boolean_mask(x, [True]), M, order=0)
    yield case("boolean_mask by a scalar", lambda tf, x: tf.boolean_mask(x, True), M, order=0)
    yield case("embedding_lookup", lambda tf, x: tf.nn.embedding_lookup(x, [[0, 1]]), M)
    yield case(
        "embedding_lookup with a norm", lambda tf, x: tf.nn.embedding_lookup(x, [0, 1], max_norm=2.0), M, scale=50
    )


def _scatters() -> Iterator[Case]:
    yield case("scatter_nd", lambda tf, u: tf.scatter_nd([[1], [3], [1]], u, [4]) ** 2, V)
    yield case("scatter_nd rows", lambda tf, u: tf.scatter_nd([[2], [0]], u, [3, 3]), M)
    yield case("scatter_nd beyond", lambda tf, u: tf.scatter_nd([[1], [4], [1]], u, [4]), V, order=0)
    for name in ("update", "add", "sub", "max", "min"):
        call = lambda tf, x, u, name=name: getattr(tf, f"tensor_scatter_nd_{name}")(x, [[0], [2]], u)
        yield case(f"tensor_scatter_nd_{name}", call, V, [5.0, 0.5])
        yield case(f"tensor_scatter_nd_{name} ties", call, V, [1.0, 3.0])
        squared = lambda tf, x, u, call=call: call(tf, x * x, u * u) ** 2
        yield case(f"tensor_scatter_nd_{name} squared", squared, V, [5.0, 0.5])
        twice = lambda tf, x, u, name=name: getattr(tf, f"tensor_scatter_nd_{name}")(x, [[1], [1]], u)
        yield case(f"tensor_scatter_nd_{name} of one place twice", twice, V, [5.0, 0.5])
        beyond = lambda tf, x, u, name=name: getattr(tf, f"tensor_scatter_nd_{name}")(x, [[3]], u)
        yield case(f"tensor_scatter_nd_{name} beyond", beyond, V, [1.0], order=0)
    data, ids = [[1.0, 5.0], [3.0, 0.0], [3.0, 2.0], [0.0, 0.0]], [0, 1, 1, 3]
    for name in ("sum", "mean", "max", "min", "prod"):
        call = lambda tf, x, name=name: getattr(tf.math, f"segment_{name}")(x, ids)
        yield case(f"segment_{name}", call, data)
        yield case(f"segment_{name} squared", lambda tf, x, call=call: call(tf, x * x) ** 2, data)
        yield case(f"segment_{name} of ties", call, [[2.0, 2.0], [3.0, 3.0], [3.0, 3.0], [0.0, 1.0]])
        bad = lambda tf, x, name=name: getattr(tf.math, f"segment_{name}")(x, [1, 0, 1, 3])
        yield case(f"segment_{name} of unsorted ids", bad, data, order=0)
    for name in ("sum", "mean", "sqrt_n", "max", "min", "prod"):
        call = lambda tf, x, name=name: getattr(tf.math, f"unsorted_segment_{name}")(x, [2, 0, 2, -1], 4)
        yield case(f"unsorted_segment_{name}", call, data)
        yield case(f"unsorted_segment_{name} squared", lambda tf, x, call=call: call(tf, x * x) ** 2, data)
        plain = lambda tf, x, name=name: getattr(tf.math, f"unsorted_segment_{name}")(x, [0, 0, 1, 1], 2)
        yield case(f"unsorted_segment_{name} of ties", plain, [[2.0, 0.0], [2.0, 0.0], [3.0, 3.0], [0.0, 1.0]])
        bad = lambda tf, x, name=name: getattr(tf.math, f"unsorted_segment_{name}")(x, [2, 0, 2, 9], 4)
        yield case(f"unsorted_segment_{name} beyond", bad, data, order=0)
    yield case("dynamic_partition", lambda tf, x: tf.dynamic_partition(x, [0, 1, 0], 2), V)
    yield case("dynamic_stitch", lambda tf, x, y: tf.dynamic_stitch([[0, 2], [1]], [x, y]), [1.0, 2.0], [3.0])


def _orders() -> Iterator[Case]:
    ties = [[2.0, 1.0, 2.0, 3.0], [0.0, -1.0, 5.0, 0.0]]
    for direction in ("ASCENDING", "DESCENDING"):
        yield case(f"sort {direction}", lambda tf, x, d=direction: tf.sort(x, direction=d) ** 2, ties)
        yield case(f"sort {direction} axis 0", lambda tf, x, d=direction: tf.sort(x, axis=0, direction=d), ties)
        yield case(f"argsort {direction}", lambda tf, x, d=direction: tf.argsort(x, direction=d), ties, order=0)
        integers = lambda tf, x, d=direction: [tf.sort(x, direction=d), tf.argsort(x, direction=d)]
        yield case(f"sort integers {direction}", integers, ([3, 1, 2, 1], "int32"), order=0)
    yield case("sort with infinities", lambda tf, x: tf.sort(x), [2.0, 1.0, inf, -inf], order=0)
    yield case("sort in no direction", lambda tf, x: tf.sort(x, direction="UP"), V, order=0)
    yield case("top_k", lambda tf, x: tf.math.top_k(x, k=2).values ** 2, ties)
    yield case("top_k indices", lambda tf, x: tf.math.top_k(x, k=3).indices, ties, order=0)
    yield case("top_k ties", lambda tf, x: tf.nn.top_k(x, 2)[0], [3.0, 3.0, 3.0])
    yield case("top_k too many", lambda tf, x: tf.math.top_k(x, k=5), ties, order=0)
    yield case("top_k of a scalar", lambda tf, x: tf.math.top_k(x), 1.0, order=0)
    yield case(
        "gradient of the indices of top_k", lambda tf, x: tf.math.top_k(x, 2).indices, V, upstream="ones", order=1
    )
    yield case("searchsorted", lambda tf, x: tf.searchsorted(x, [0.0, 2.0, 2.5, 9.0]), V, order=0)
    yield case("searchsorted right", lambda tf, x: tf.searchsorted(x, [0.0, 2.0, 2.5, 9.0], side="right"), V, order=0)
    yield case("nth_element", lambda tf, x: tf.raw_ops.NthElement(input=x, n=1), [3.0, 1.0, 1.0])


def _makers() -> Iterator[Case]:
    yield case("zeros", lambda tf: [tf.zeros([2]), tf.zeros([2, 2], tf.int32), tf.zeros([], tf.bool)], order=0)
    yield case("ones", lambda tf: [tf.ones([2]), tf.ones((1, 2), tf.float64), tf.ones(3, tf.bool)], order=0)
    yield case("fill", lambda tf, x: tf.fill([2, 3], x), 2.0)
    yield case("fill with an integer", lambda tf: tf.fill([2], 3), order=0)
    yield case("fill with a vector", lambda tf, x: tf.fill([2], x), V, order=0)
    yield case("fill of a bad shape", lambda tf, x: tf.fill([-1], x), 1.0, order=0)
    yield case("zeros_like", lambda tf, x: tf.zeros_like(x) + x, V)
    yield case("ones_like", lambda tf, x: [tf.ones_like(x), tf.ones_like(x, tf.int32)], V, order=0)
    yield case(
        "zeros_like of another dtype", lambda tf, x: [tf.zeros_like(x, tf.bool), tf.zeros_like([1, 2])], V, order=0
    )
    yield case("shape", lambda tf, x: [tf.shape(x), tf.shape(x, out_type=tf.int64), tf.size(x), tf.rank(x)], M, order=0)
    yield case("shape_n", lambda tf, x: tf.shape_n([x, x[0]]), M, order=0)
    yield case("eye", lambda tf: [tf.eye(2), tf.eye(2, 3), tf.eye(2, batch_shape=[2], dtype=tf.float64)], order=0)
    yield case("range", lambda tf: [tf.range(4), tf.range(1, 4), tf.range(5, 0, -2), tf.range(0.0, 1.0, 0.25)], order=0)
    yield case(
        "range by dtype",
        lambda tf: [tf.range(3, dtype=tf.float32), tf.range(3.0), tf.range(2, dtype=tf.int64)],
        order=0,
    )
    yield case("range of a tensor", lambda tf, x: tf.range(x), 3.0, order=1)
    yield case("range with no step", lambda tf: tf.range(0, 3, 0), order=0)
    yield case("range the wrong way", lambda tf: tf.range(3, 0), order=0)
    yield case("linspace", lambda tf, a, b: tf.linspace(a, b, 5) ** 2, 1.0, 2.0)
    yield case("linspace of one", lambda tf, a, b: tf.linspace(a, b, 1), 1.0, 2.0)
    yield case("linspace of vectors", lambda tf, a, b: tf.linspace(a, b, 3), [0.0, 1.0], [2.0, 5.0])
    yield case("linspace axis", lambda tf, a, b: tf.linspace(a, b, 3, axis=1), [0.0, 1.0], [2.0, 5.0])
    yield case("one_hot", lambda tf: [tf.one_hot([0, 2, -1, 3], 3), tf.one_hot([1], 2, axis=0)], order=0)
    yield case("one_hot with values", lambda tf: tf.one_hot([0, 1], 2, on_value=5.0, off_value=-1.0), order=0)
    yield case("one_hot by dtype", lambda tf: [tf.one_hot([1], 2, dtype=tf.int32), tf.one_hot(1, 3)], order=0)
    yield case("one_hot of tensors", lambda tf, a, b: tf.one_hot([0, 1], 2, on_value=a, off_value=b), 5.0, -1.0)
    yield case(
        "sequence_mask", lambda tf: [tf.sequence_mask([1, 3, 0]), tf.sequence_mask([1, 2], 3, tf.float32)], order=0
    )
    yield case("unique", lambda tf: list(tf.unique([3, 1, 3, 2])), order=0)
    yield case("unique of a source", lambda tf, x: tf.unique(x)[0], V)
    yield case("invert_permutation", lambda tf: tf.math.invert_permutation([2, 0, 1]), order=0)
    yield case("broadcast_static_shape", lambda tf: tf.broadcast_dynamic_shape([2, 1], [3]), order=0)
    yield case("bincount", lambda tf: tf.math.bincount([1, 1, 3]), order=0)
    yield case("confusion_matrix", lambda tf: tf.math.confusion_matrix([0, 1, 1], [1, 1, 0]), order=0)


def _diagonals() -> Iterator[Case]:
    square = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]
    yield case("band_part", lambda tf, x: tf.linalg.band_part(x, 1, 0) ** 2, square)
    yield case("band_part of all below", lambda tf, x: tf.linalg.band_part(x, -1, 1), square)
    yield case("band_part of a batch", lambda tf, x: tf.linalg.band_part(x, 0, 0), CUBE)
    yield case("diag", lambda tf, x: tf.linalg.diag(x) ** 2, V)
    yield case("diag of a batch", lambda tf, x: tf.linalg.diag(x), M)
    yield case("diag above", lambda tf, x: tf.linalg.diag(x, k=1), V)
    yield case("diag below with padding", lambda tf, x: tf.linalg.diag(x, k=-1, padding_value=9.0), V)
    yield case("diag in a given size", lambda tf, x: tf.linalg.diag(x, num_rows=3, num_cols=4), V)
    yield case(
        "diag of a band",
        lambda tf, x: tf.linalg.diag(x, k=(-1, 1)),
        [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 0.0]],
    )
    yield case("diag_part", lambda tf, x: tf.linalg.diag_part(x) ** 2, square)
    yield case("diag_part of a wide matrix", lambda tf, x: tf.linalg.diag_part(x), M)
    yield case("diag_part above", lambda tf, x: tf.linalg.diag_part(x, k=1), square)
    yield case("diag_part of a band", lambda tf, x: tf.linalg.diag_part(x, k=(-1, 1)), square)
    yield case("diag_part of a band, left", lambda tf, x: tf.linalg.diag_part(x, k=(-1, 1), align="LEFT_LEFT"), square)
    yield case("diag_part of a vector", lambda tf, x: tf.linalg.diag_part(x), V, order=0)
    yield case("set_diag", lambda tf, x, d: tf.linalg.set_diag(x, d) ** 2, square, V)
    yield case("set_diag of a wide matrix", lambda tf, x, d: tf.linalg.set_diag(x, d), M, [8.0, 9.0])
    yield case("set_diag above", lambda tf, x, d: tf.linalg.set_diag(x, d, k=1), square, [8.0, 9.0])
    yield case("trace", lambda tf, x: tf.linalg.trace(x) ** 2, square)
    yield case("trace of a batch", lambda tf, x: tf.linalg.trace(x), CUBE)
    yield case("tensor_diag", lambda tf, x: tf.linalg.tensor_diag(x), V)
    yield case("tensor_diag_part", lambda tf, x: tf.linalg.tensor_diag_part(x), square)


def _known() -> Iterator[Case]:
    """Ops without a gradient still make tensors that the tape knows."""
    for name in ("zeros_like", "ones_like", "floor", "round"):
        made = lambda tf, x, name=name: _through(tf, x, getattr(tf, name))
        yield case(f"result of {name} as a source", made, V, order=0)
    yield case("result of stop_gradient as a source", lambda tf, x: _through(tf, x, tf.stop_gradient), V, order=0)
    yield case("result of range as a source", lambda tf, x: _through(tf, x, tf.range), 3.0, order=0)
    hot = lambda tf, x: _through(tf, x, lambda v: tf.one_hot([0], 2, on_value=v, off_value=0.0))
    yield case("result of one_hot as a source", hot, 3.0, order=0)


def _through(tf: Any, x: Any, op: Callable[[Any], Any]) -> list[Any]:
    with tf.GradientTape() as tape:
        tape.watch(x)
        made = op(x)
        y = made * 3.0
    return tape.gradient(y, [made, x])


GROUPS = (_shapes, _joins, _pads, _slices, _gathers, _scatters, _orders, _makers, _diagonals, _known)
CASES = tuple(one for group in GROUPS for one in group())
