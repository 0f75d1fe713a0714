"""What kernels of sparse tensors ask of shapes and places, each with TensorFlow's sentence for what does not fit.

``refuse(kernel, misfit, name)`` raises the sentence that one of the other functions found, None being none.  They take
shapes as tuples (``sizes`` gives those of any tensors) and places as int64 arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import unnamed
from ..ops.kernels.refusals import brackets
from ..tensors.conversion import convert_to_tensor

Shape = tuple[int, ...]


def sizes(*given: Any) -> list[Shape]:
    """The shape of each."""
    return [convert_to_tensor(value)._a.shape for value in given]


def refuse(kernel: str, misfit: str | None, name: str | None) -> None:
    """InvalidArgumentError with a sentence, if there is one."""
    if misfit is not None:
        raise unnamed(kernel, misfit, name)


def negative(shape: Any) -> str | None:
    """A dense shape with a negative number."""
    below = [int(d) for d in shape if d < 0]
    return f"Expected shape dimensions to be non-negative, got {below[0]}" if below else None


def parts(indices: Shape, values: Shape, shape: Shape) -> str | None:
    """A matrix of places, a vector of values and a vector of sizes that belong together."""
    for word, rank, one in (("indices", 2, indices), ("values", 1, values), ("shape", 1, shape)):
        if len(one) != rank:
            return f"Sparse {word} must be rank {rank} but is rank {len(one)}"
    if indices[0] != values[0]:
        return f"Number of elements in indices ({indices[0]}) and values ({values[0]}) do not match"
    if indices[1] != shape[0]:
        return f"Index rank ({indices[1]}) and shape rank ({shape[0]}) do not match"
    return None


def inside(at: Any, shape: Any) -> str | None:
    """Places within a dense shape."""
    bad = np.nonzero(((at < 0) | (at >= np.asarray(shape))).any(axis=1))[0]
    if not bad.size:
        return None
    return f"Sparse index tuple indices[{bad[0]}, :] = {brackets(at[bad[0]])} is out of bounds"


def matrix_and_vectors(prefix: str, indices: Shape, values: Shape, shape: Shape) -> str | None:
    """The ranks of the three parts, named with a prefix."""
    if len(indices) != 2:
        return f"Input {prefix}_indices should be a matrix but received shape: {brackets(indices)}"
    if len(values) != 1 or len(shape) != 1:
        both = f"{brackets(values)} and {brackets(shape)}"
        return f"Inputs {prefix}_values and {prefix}_shape should be vectors but received shapes: {both}"
    return None


def created(indices: Shape, values: Shape, rank: int) -> str | None:
    """Parts of which a tensor of some rank can be made."""
    if len(values) != 1:
        return f"vals must be a vec, but got: {brackets(values)}"
    if indices[:1] != values:
        rows = f"(indices = {indices[0] if indices else 0}, values = {values[0]})"
        return f"indices and values rows (indexing dimension) must match. {rows}"
    if (indices[1] if len(indices) > 1 else 1) != rank:
        return "Order length must be SparseTensor rank."
    return None


# ------------------------------------------------------------------------------------------------- of one kernel


def to_dense(indices: Shape, values: Shape, default: Shape, shape: Any) -> str | None:
    """SparseToDense: up to two axes of places, one value or one for each place."""
    rank = indices[1] if len(indices) > 1 else 1
    rows = indices[0] if indices else 1
    if len(indices) > 2:
        return f"sparse_indices should be a scalar, vector, or matrix, got shape {brackets(indices)}"
    if shape.ndim != 1:
        return f"output_shape must be rank 1, got shape {brackets(shape.shape)}"
    if len(shape) != rank:
        return f"output_shape has incorrect number of elements: {len(shape)} should be: {rank}"
    if values not in ((), (rows,)):
        return f"sparse_values has incorrect shape {brackets(values)}, should be [] or [{rows}]"
    if default:
        return "default_value should be a scalar."
    below = [int(d) for d in shape if d < 0]
    return f"Dimension {below[0]} must be >= 0" if below else None


def softmax(indices: Shape, values: Shape, shape: Any) -> str | None:
    """SparseSoftmax: parts of at least two axes."""
    misfit = matrix_and_vectors("sp", indices, values, shape.shape)
    if misfit is None and len(shape) < 2:
        return f"Input should have rank >= 2, but received shape: {' '.join(map(str, shape.tolist()))}"
    return misfit or negative(shape) or created(indices, values, len(shape))


def reduced(shape: Shape, axes: Shape) -> str | None:
    """SparseReduceSum: a vector of sizes, and axes of at most one axis."""
    if len(shape) != 1:
        return f"Expected input_shape to be a vector; got shape: {brackets(shape)}"
    if len(axes) > 1:
        return f"Expected reduction_axes to be a scalar or a vector; got shape: {brackets(axes)}"
    return None


def beside_dense(indices: Shape, values: Shape, shape: Any) -> str | None:
    """The kernels of a sparse and a dense operand."""
    misfit = matrix_and_vectors("sp", indices, values, shape.shape)
    if misfit is None and indices[0] != values[0]:
        return f"The first dimension of values and indices should match. ({values[0]} vs. {indices[0]})"
    if misfit is None and indices[1] != len(shape):
        text = "Number of dimensions must match second dimension of indices."
        return f"{text} Got {len(shape)} dimensions, indices shape: {brackets(indices)}"
    return misfit or negative(shape)


def dense_sum(indices: Shape, values: Shape, shape: Any, dense: Shape, at: Any) -> str | None:
    """SparseTensorDenseAdd: parts as large as the dense tensor."""
    misfit = matrix_and_vectors("a", indices, values, shape.shape)
    if misfit is not None:
        return misfit
    for a, b in ((indices[0], values[0]), (indices[1], len(shape))):
        if a != b:
            return f"Dimensions {a} and {b} are not compatible"
    if len(shape) != len(dense):
        return f"Two operands have different ranks; received: {len(shape)} and {len(dense)}"
    for k, (d, e) in enumerate(zip(shape, dense)):
        if d != e:
            return f"Dimension {k} does not equal (no broadcasting is supported): sparse side {d} vs dense side {e}"
    bad = np.argwhere((at < 0) | (at >= np.asarray(dense)))
    if not len(bad):
        return None
    row, axis = bad[0]
    where = f"a_indices({row},{axis}) = {at[row, axis]}, dense tensor shape: {' '.join(map(str, dense))}"
    return f"Sparse tensor has an invalid index on dimension {axis}: {where}"


def times_dense(indices: Shape, values: Shape, shape: Any, dense: Shape, aa: bool, ab: bool) -> str | None:
    """SparseTensorDenseMatMul: a sparse matrix and a dense one that it can be multiplied with."""
    ranks = (("b", 2, dense), ("a_shape", 1, shape.shape))
    for word, rank, one in (*ranks, ("a_values", 1, values), ("a_indices", 2, indices)):
        if word == "a_values" and len(shape) != 2:
            return "Tensor 'a_shape' must have 2 elements"
        if len(one) != rank:
            return f"Tensor '{word}' is not a {'matrix' if rank == 2 else 'vector'}"
    if indices[0] != values[0]:
        return "Number of rows of a_indices does not match number of entries in a_values"
    if indices[1] != 2:
        return "Number of columns of a_indices does not match number of entries in a_shape"
    left, right = int(shape[0 if aa else 1]), dense[1 if ab else 0]
    if left != right:
        text = f"Cannot multiply A and B because inner dimension does not match: {left} vs. {right}."
        both = f"Dimensions of A: [{shape[0]}, {shape[1]}).  Dimensions of B: {brackets(dense)}"
        return f"{text}  Did you forget a transpose?  {both}"
    return None


def factors_inside(at: Any, shape: Any, aa: bool) -> str | None:
    """Places of a matrix in a product: k counts along the axis that is summed, m along the other one."""
    inner = 0 if aa else 1
    for row, place in enumerate(at):
        for word, axis in (("k", inner), ("m", 1 - inner)):
            if not 0 <= place[axis] < shape[axis]:
                return f"{word} ({place[axis]}) from index[{row},{axis}] out of bounds (>={shape[axis]})"
    return None


def sliced(indices: Shape, values: Shape, shape: Shape, start: Any, size: Any) -> str | None:
    """SparseSlice: parts, and a box of as many axes."""
    misfit = parts(indices, values, shape)
    if misfit is not None:
        return misfit
    for word, one in (("start", start), ("size", size)):
        if one.ndim != 1:
            return f"Input {word} should be a vector but received shape {brackets(one.shape)}"
    for word, one in (("start", start), ("size", size)):
        if len(one) != shape[0]:
            return f"Expected {word} to be a vector of length {shape[0]} but got length {len(one)}"
    below = [int(d) for d in size if d < 0]
    return f"Expected a non-negative size, got {below[0]}" if below else None


def filled(indices: Shape, values: Shape, shape: Any, default: Shape, at: Any) -> str | None:
    """SparseFillEmptyRows: parts, one value, and rows that there are."""
    if shape.ndim != 1:
        return f"dense_shape must be a vector, saw: {brackets(shape.shape)}"
    if len(indices) != 2:
        return f"indices must be a matrix, saw: {brackets(indices)}"
    if len(values) != 1:
        return f"values must be a vector, saw: {brackets(values)}"
    if indices[0] != values[0]:
        return f"The length of `values` ({values[0]}) must match the first dimension of `indices` ({indices[0]})."
    if default:
        return f"default_value must be a scalar, saw: {brackets(default)}"
    if len(shape) != indices[1]:
        lengths = f"({len(shape)}) must match the second dimension of `indices` ({indices[1]})"
        return f"The length of `dense_shape` {lengths}."
    return negative(shape) or rows_inside(at[:, 0], int(shape[0]))


def rows_inside(rows: Any, count: int) -> str | None:
    """Rows that a tensor of so many has."""
    bad = np.nonzero((rows < 0) | (rows >= count))[0]
    return f"indices({bad[0]}, 0) is invalid: {rows[bad[0]]} >= {count}" if bad.size else None


def added(a: list[Shape], b: list[Shape], a_shape: Any, b_shape: Any, threshold: Shape) -> str | None:
    """SparseAdd: ``a`` and ``b`` are the shapes of places, values and shape."""
    for k, word, rank, are in (
        (0, "Input indices should be matrices but received shapes:", 2, "{} and {}"),
        (1, "Input values should be vectors but received shapes:", 1, "{} and {}"),
    ):
        if len(a[k]) != rank or len(b[k]) != rank:
            return f"{word} {are.format(brackets(a[k]), brackets(b[k]))}"
    if (a[0][0], b[0][0]) != (a[1][0], b[1][0]):
        return f"Expected {a[0][0]} and {b[0][0]} non-empty input values, got {a[1][0]} and {b[1][0]}"
    if len(a[2]) != 1 or len(b[2]) != 1:
        return f"Input shapes should be a vector but received shapes {brackets(a[2])} and {brackets(b[2])}"
    if a[0][1] != a[2][0]:
        return f"Second dimension of a_indices and length of a_shape must match, got {a[0][1]} and {a[2][0]}"
    if a[2] != b[2]:
        mine, theirs = (" ".join(str(int(d)) for d in shape) for shape in (a_shape, b_shape))
        return f"Operands do not have the same ranks; got shapes: {mine} and {theirs}"
    if threshold:
        return f"The magnitude threshold must be a scalar: got shape {brackets(threshold)}"
    return None


def compressed(dense: Shape, at: Any) -> str | None:
    """DenseToCSRSparseMatrix: places of the dense matrix."""
    if at.ndim != 2:
        return f"indices must be a matrix, but saw shape: {brackets(at.shape)}"
    if at.shape[1] != len(dense):
        return f"indices.shape[1] must be equal to the rank of params, but saw: {at.shape[1]} vs. {len(dense)}"
    bad = np.nonzero(((at < 0) | (at >= np.asarray(dense))).any(axis=1))[0]
    if not bad.size:
        return None
    place = ", ".join(str(int(k)) for k in at[bad[0]])
    where = f"indices[{bad[0]}] = [{place}] does not index into param shape {brackets(dense)}"
    return f"{where}, node name: DenseToCSRSparseMatrix"
