"""Products of tensors beyond matmul: matvec, tensordot, einsum, cross."""

from __future__ import annotations

import math as _math
import string
from typing import Any

import numpy as np

from ..dtypes import F32, NARROW
from ..errors import FailedPreconditionError, invalid
from ..tapes.recording import active
from ..tapes.rows import Unvectorized
from ..tensors.conversion import convert_to_tensor, unsupported
from ..tensors.tensor import EagerTensor
from . import matrix_fitting
from .arguments import check
from .declare import kernel, public
from .kernels.refusals import brackets
from .matrix import matmul
from .run import mismatch
from .shaping import reshape, transpose
from .squeezing import expand_dims, squeeze


@public("linalg.matvec")
def matvec(
    a: Any, b: Any, transpose_a: bool = False, adjoint_a: bool = False, a_is_sparse: bool = False,
    b_is_sparse: bool = False, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Matrix times vector (``tf.linalg.matvec``)."""
    return squeeze(matmul(a, expand_dims(b, -1), transpose_a=transpose_a, adjoint_a=adjoint_a), -1)


def _contracted(a: EagerTensor, axes: Any) -> tuple[list[int], list[int]]:
    """The axes of both operands that ``tensordot`` sums over.  TensorFlow's errors for others."""
    if isinstance(axes, (int, np.integer)):
        if axes < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        rank = a._a.ndim
        if axes > rank:
            raise ValueError(
                f"`axes` must not be larger than the number of dimensions of tensor {a}.  Received {axes}, vs "
                f"tensor dimensions {rank}."
            )
        return list(range(rank - axes, rank)), list(range(axes))
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    first, second = ([int(part)] if np.ndim(part) == 0 else [int(p) for p in part] for part in axes)
    if len(first) != len(second):
        raise ValueError(f"Different number of contraction axes `a` and `b`, {len(first)} != {len(second)}.")
    return first, second


def _as_matrix(x: EagerTensor, axes: list[int], flipped: bool) -> tuple[EagerTensor, list[int]]:
    """The tensor as a matrix whose columns (rows, when ``flipped``) are summed over, and its free sizes."""
    shape = x._a.shape
    axes = [a + len(shape) if a < 0 else a for a in axes]
    if any(not 0 <= a < len(shape) for a in axes):
        raise IndexError("list index out of range")
    free = [k for k in range(len(shape)) if k not in axes]
    perm = axes + free if flipped else free + axes
    sizes = [_math.prod(shape[k] for k in part) for part in ((axes, free) if flipped else (free, axes))]
    moved = x if perm == list(range(len(shape))) else transpose(x, perm)
    return (moved if list(moved._a.shape) == sizes else reshape(moved, sizes)), [shape[k] for k in free]


@public("tensordot linalg.tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> EagerTensor:
    """The sum over pairs of axes of two tensors (``tf.tensordot``), as one matrix product."""
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    first, second = _contracted(a, axes)
    left, left_free = _as_matrix(a, first, False)
    right, right_free = _as_matrix(b, second, True)
    product = matmul(left, right)
    shape = left_free + right_free
    return product if list(product._a.shape) == shape else reshape(product, shape)


def _crossed(a: Any, b: Any) -> Any:
    (a0, a1, a2), (b0, b1, b2) = ([v[..., k] for k in range(3)] for v in (a, b))
    return np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], axis=-1)


cross_ = kernel(
    "cross", "Cross", forward=_crossed, inputs="a b",
    fits=lambda a, b: matrix_fitting.refuse("Cross", matrix_fitting.crossed(a.shape, b.shape), None),
    gradient=lambda F, dy, _y, a, b: (F.cross(b, dy), F.cross(dy, a))
)  # fmt: skip


@public("linalg.cross")
def cross(a: Any, b: Any, name: str | None = None) -> EagerTensor:
    """The cross product of vectors of three numbers (``tf.linalg.cross``)."""
    a = convert_to_tensor(a)
    b = convert_to_tensor(b, dtype_hint=a.dtype)
    check("Cross", name, a=a, b=b)
    matrix_fitting.refuse("Cross", matrix_fitting.crossed(a._a.shape, b._a.shape), name)
    if a._a.shape[-1] != 3:
        message = invalid("Cross", "Cross-products are only defined for 3-element vectors.", name).message
        raise FailedPreconditionError(None, None, message)
    return cross_(a, b)


# ------------------------------------------------------------------------------------------------------ einsum


def _einsum(*operands: Any, equation: str) -> Any:
    dtype = operands[0].dtype
    if dtype in NARROW:  # which NumPy's einsum does not know
        return _einsum(*(x.astype(np.float32) for x in operands), equation=equation).astype(dtype)
    inputs, output = equation.split("->")
    if _repeats(output):
        return _onto_diagonal(operands, inputs, output)
    if len(operands) == 2:
        parts = inputs.split(",")
        alone = (set(parts[0]) ^ set(parts[1])) - set(output) - {"."}
        if alone:  # summed away first: of zeros the sign may hang on it
            left = ["".join(c for c in dict.fromkeys(p) if c not in alone) if "." not in p else p for p in parts]
            operands = tuple(
                x if one == part else np.einsum(f"{part}->{one}", x) for x, part, one in zip(operands, parts, left)
            )
            parts = left
        if "" in parts:  # a number, which makes a zero of a sum negative where it is negative
            number, rest = (0, 1) if not parts[0] else (1, 0)
            return np.einsum(f"{parts[rest]}->{output}", operands[rest]) * operands[number]
        inputs = ",".join(parts)
        equation = f"{inputs}->{output}"
    if len(operands) == 2 and all(type(x) is np.ndarray and x.dtype.kind in "fc" for x in operands):
        a, b = inputs.split(",")
        plain = "." not in equation and not _repeats(a) and not _repeats(b)
        if (
            plain
            and operands[0].size * operands[1].size > _FOR_MATMUL
            and set(a + b) == set(output) | (set(a) & set(b))
        ):
            return _by_matmul(operands[0], operands[1], a, b, output)
    return np.einsum(equation, *operands)


_FOR_MATMUL = 1 << 12  # below this NumPy's einsum is the faster one


def _by_matmul(x: Any, y: Any, a: str, b: str, output: str) -> Any:
    """An einsum of two whose labels stand in both or in the output, as a product of batches of matrices."""
    both = [c for c in a if c in b]
    batch, inner = [c for c in both if c in output], [c for c in both if c not in output]
    left, right = [c for c in a if c not in b], [c for c in b if c not in a]
    size = dict(zip(a + b, x.shape + y.shape))

    def matrices(array: Any, labels: str, rows: list[str], columns: list[str]) -> Any:
        axes = [labels.index(c) for c in (*batch, *rows, *columns)]
        sides = (_math.prod(size[c] for c in rows), _math.prod(size[c] for c in columns))
        return array.transpose(axes).reshape((*(size[c] for c in batch), *sides))

    made = np.matmul(matrices(x, a, left, inner), matrices(y, b, inner, right))
    labels = [*batch, *left, *right]
    return made.reshape([size[c] for c in labels]).transpose([labels.index(c) for c in output])


def _repeats(labels: str) -> bool:
    plain = labels.replace("...", "")
    return len(set(plain)) < len(plain)


def _onto_diagonal(operands: tuple, labels: str, output: str) -> Any:
    """An equation that repeats a label in its output: the values stand on the diagonal, zeros elsewhere."""
    plain = output.replace("...", "")
    unique = "".join(dict.fromkeys(plain))
    dots = "..." if "..." in output else ""
    arranged = np.einsum(f"{labels}->{dots}{unique}", *operands)
    sizes = dict(zip(reversed(unique), reversed(arranged.shape)))
    batch = arranged.ndim - len(unique)
    mask = np.ones((), bool)
    index = []
    for place, label in enumerate(plain):
        grid = np.arange(sizes[label]).reshape([-1 if k == place else 1 for k in range(len(plain))])
        if label in plain[:place]:
            mask = mask & (grid == index[plain.index(label)])
        index.append(grid)
    first = [index[plain.index(label)] for label in unique]
    return np.where(
        mask, arranged[(slice(None),) * batch + tuple(np.broadcast_arrays(*first))], np.zeros((), arranged.dtype)
    )


def _reduced(F: Any, dy: Any, output: str, labels: str, shape: tuple[int, ...], gone: set[str]) -> Any:
    """The gradient of an einsum of one operand that sums over the labels in ``gone``."""
    left = "".join(c for c in labels if c not in gone)
    if not _repeats(labels) and not _repeats(output) and left == output:
        kept = list(shape)
        for label in gone:
            kept[_axis(labels, label)] = 1
        return F.broadcast_to(F.reshape(dy, shape=tuple(kept)), shape=shape)
    summed = "".join(sorted(gone))
    sizes = tuple(shape[_axis(labels, label)] for label in summed)
    have = F.shape(dy)
    wide = F.broadcast_to(F.reshape(dy, shape=(1,) * len(sizes) + have), shape=sizes + have)
    return _diagonal_free(F, f"{summed}{output}->{labels}", wide)


def _diagonal_free(F: Any, equation: str, *xs: Any) -> Any:
    """An einsum of a gradient; TensorFlow's loop over the rows of a jacobian refuses one that fills a diagonal."""
    if active.vectorizing:
        inputs, output = equation.split("->")
        if _repeats(output):
            free = next(c for c in string.ascii_letters if c not in equation)
            parts = [free + part if k == 0 else part for k, part in enumerate(inputs.split(","))]
            raise Unvectorized(_TWICE.format(f"{','.join(parts)}->{free}{output}"))
    return F.einsum(*xs, equation=equation)


def _axis(labels: str, label: str) -> int:
    """The axis of a label, counted from the end when it comes after the dots."""
    before, _, after = labels.partition("...")
    return before.index(label) if label in before else after.index(label) - len(after)


def _by_one(F: Any, dy: Any, other: Any, shape: tuple[int, ...], mine: str, others: str, output: str) -> Any:
    gone = set(mine) - set(output + others + ".")
    left = "".join(c for c in mine if c not in gone)
    g = _diagonal_free(F, f"{output},{others}->{left}", dy, other)
    return _reduced(F, g, left, mine, shape, gone) if gone else g


def _by_operand(k: int) -> Any:
    """The gradient of an einsum by operand ``k`` of one or two."""

    def rule(F: Any, dy: Any, _y: Any, *xs: Any, equation: str) -> Any:
        inputs, output = equation.split("->")
        if len(xs) == 1:
            if dy is None:
                raise unsupported(None)
            gone = set(inputs) - set(output + ".")
            if gone:
                return _reduced(F, dy, output, inputs, F.shape(xs[0]), gone)
            return _diagonal_free(F, f"{output}->{inputs}", dy)
        F.dtype(dy)  # None has none
        labels = [part if "..." not in output or "..." in part else part + "..." for part in inputs.split(",")]
        both = F.recording and F.shape(dy) != F.shape(_y)  # then TensorFlow may fail in the other
        found = [_by_this(F, dy, xs, j, labels, output) if both or j == k else None for j in (0, 1)]
        return found[k] if "..." not in output else _unwidened(F, found[k], F.shape(xs[k]), labels[k])

    return rule


def _by_this(F: Any, dy: Any, xs: tuple, k: int, labels: list[str], output: str) -> Any:
    return _by_one(F, dy, F.conj(xs[1 - k]), F.shape(xs[k]), labels[k], labels[1 - k], output)


def _unwidened(F: Any, g: Any, shape: tuple[int, ...], labels: str) -> Any:
    """The gradient summed over the axes under the dots along which the operand was broadcast."""
    have = F.shape(g)
    if have == shape:
        return g
    start = labels.index("...")
    extra = len(have) - len(shape)
    padded = shape[:start] + (1,) * extra + shape[start:]
    axes = tuple(k for k in range(len(have)) if padded[k] == 1 and (have[k] != 1 or start <= k < start + extra))
    return F.reshape(F.sum(g, axis=axes, keepdims=False), shape=shape)


def _check_ranks(*operands: Any, equation: str) -> None:
    if operands[0].dtype is not F32:
        einsum_.op.check(operands[0].dtype)
    for k, x in enumerate(operands):
        if x.dtype is not operands[0].dtype:
            mismatch(einsum_.op, operands[0].dtype, x.dtype, None, k)
    for k, (labels, x) in enumerate(zip(equation.partition("->")[0].split(","), operands)):
        if "..." not in labels and len(labels) != x.ndim:
            text = f"Expected input {k} to have rank {len(labels)} but got: {x.ndim}"
            raise invalid("Einsum", text, count=len(operands))
    if len(operands) == 2 or _repeats(equation.partition("->")[0]):
        _check_lengths([x.shape for x in operands], equation)
    if "..." in equation:
        _check_dots([x.shape for x in operands], *equation.split("->"))


def _check_dots(shapes: list[tuple[int, ...]], inputs: str, output: str) -> None:
    """What stands under the dots of two operands is broadcast, and stays."""
    parts = []
    for k, (part, shape) in enumerate(zip(inputs.split(","), shapes)):
        before, dots, after = part.partition("...")
        least = len(part.replace("...", _DOTS)) - 1
        if dots and len(shape) < least:
            text = f"Expected input {k} to have rank at least {least} but got: {len(shape)}"
            raise invalid("Einsum", text, count=len(shapes))
        parts.append(shape[len(before) : len(shape) - len(after)] if dots else ())
    wide = max(map(len, parts))
    if wide and "..." not in output:
        text = f"Output contains {wide} broadcasting dimension(s) but no ellipsis (...) was found in the output"
        raise invalid("Einsum", f"{text} subscripts.", count=len(shapes))
    if len(parts) == 2 and any(d != e and 1 not in (d, e) for d, e in zip(parts[0][::-1], parts[1][::-1])):
        left, right = (brackets((*part, 1)) for part in parts)
        raise invalid("Einsum", f"Invalid broadcasting dimensions: {left} vs. {right}", count=len(shapes))


def _check_lengths(shapes: list[tuple[int, ...]], equation: str) -> None:
    """A label has one length wherever it stands."""
    found: dict[str, int] = {}
    for labels, shape in zip(equation.partition("->")[0].split(","), shapes):
        before, _, after = labels.partition("...")
        named = [*zip(before, range(len(before))), *zip(after, range(len(shape) - len(after), len(shape)))]
        for label, axis in named:
            want = found[label] = found.get(label) or shape[axis]  # TensorFlow takes a length of 0 for an unknown one
            if want != shape[axis]:
                text = f"Expected dimension {want} at axis {axis} of the input shaped {brackets(shape)}"
                raise invalid("Einsum", f"{text} but got dimension {shape[axis]}", count=len(shapes))


einsum_ = kernel("einsum", "Einsum", forward=_einsum, gradient=(_by_operand(0), _by_operand(1)), fits=_check_ranks)


_TWICE = "Output subscripts contain a label appearing more than once: {}"
_DOTS = "0"  # what stands for three dots while an equation is read, in messages too


def _parsed(equation: str, count: int) -> tuple[list[str], str]:
    """The labels of each operand and of the result.  TensorFlow's errors."""
    short = equation.replace(" ", "")
    dots = "..." in equation
    if dots and _DOTS in short:
        raise ValueError(f'Invalid character "{_DOTS}" in equation: {equation}.')
    short = short.replace("...", _DOTS)
    inputs, arrow, output = short.partition("->")
    letters = string.ascii_letters + _DOTS * dots
    if set(inputs) - {*letters, ","} or set(output) - set(letters):
        raise ValueError(f"Subscripts have incorrect format: {short}")
    parts = inputs.split(",")
    if len(parts) != count:
        raise ValueError(f'Got {count} inputs for equation "{equation}", expecting {len(parts)}')
    if not arrow:
        output = "".join(c for c in sorted(set(inputs) - {","}) if inputs.count(c) == 1)
    _check_output(output, inputs, equation)
    return [part.replace(_DOTS, "...") for part in parts], output.replace(_DOTS, "...")


def _check_output(output: str, inputs: str, equation: str) -> None:
    """Every label of the result stands there once, and in an operand."""
    if len(set(output)) != len(output):
        raise ValueError(_TWICE.format(equation))
    for label in output:
        if label != _DOTS and label not in inputs:
            raise ValueError(f"Output subscripts contain the label {label} not present in the input subscripts.")


@public("einsum linalg.einsum")
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> EagerTensor:
    """Products and sums by named axes (``tf.einsum``); more than two operands are taken two by two."""
    for x in inputs:
        if not hasattr(x, "shape"):
            raise AttributeError(f"{type(x).__name__!r} object has no attribute 'shape'")
    tensors = [convert_to_tensor(x) for x in inputs]
    parts, output = _parsed(equation, len(tensors))
    if len(tensors) <= 2:
        return einsum_(*tensors, equation=f"{','.join(parts)}->{output}")
    return _in_pairs(tensors, parts, output)


def _in_pairs(tensors: list[EagerTensor], parts: list[str], output: str) -> EagerTensor:
    path, _ = np.einsum_path(
        f"{','.join(parts)}->{output}",
        *[np.broadcast_to(np.float32(0), t._a.shape) for t in tensors],
        optimize="greedy",
    )
    for places in path[1:]:
        chosen = sorted(places, reverse=True)
        operands = [tensors.pop(k) for k in chosen]
        labels = [parts.pop(k) for k in chosen]
        used = set("".join(parts) + output)
        kept = output if not parts else "".join(sorted({c for part in labels for c in part if c != "." and c in used}))
        if parts and any("..." in part for part in labels):
            kept = "..." + kept
        tensors.append(einsum_(*operands, equation=f"{','.join(labels)}->{kept}"))
        parts.append(kept)
    return tensors[0]
