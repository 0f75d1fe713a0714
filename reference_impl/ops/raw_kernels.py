"""Kernels of ``tf.raw_ops`` whose arguments mean something else than those of the public function that runs them.

raw_names.py calls them with all of the kernel's parameters in TensorFlow's order; tensors are converted already.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, kernel_name
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from . import (
    arguments,
    comparison,
    complex_numbers,
    elementwise,
    fourier,
    joining,
    matrix_fitting,
    ordering,
    randomness,
    squeezing,
    sums,
    tiling,
)
from .casting import cast_, cast_to_complex, discards, identity, stop_gradient
from .declare import kernel, tensors
from .decompositions import eigh_, lu, square, svd
from .decompositions import svd_ as svd_kernel
from .eigen import eig_
from .eigen import square as square_of_any
from .extremes import argmax, argmin
from .indexing import check_spans, checked
from .isotonic import isotonic_
from .joining import strided_slice as slice_of
from .kernels.layer_checks import check_bits
from .kernels.refusals import brackets, refuse
from .losses import check_labels, softmax_xent, sparse_xent
from .making import linspace
from .matrix import batch_matmul as batch_matmul_
from .matrix import matmul as matmul_
from .products import einsum_
from .shaping import ints

# -------------------------------------------------------------------------------------------- dtypes and numbers


_NUMBERS = {"float32": 1, "float64": 2, "complex64": 8, "complex128": 18}  # of dtypes in TensorFlow's messages
_PARTS = {"complex64": "float32", "complex128": "float64"}


def _has_kernel(kernel: str, fits: bool, word: str) -> None:
    """NotFoundError where the dtype asked for the result is not the one that goes with the operand's."""
    if not fits:
        raise arguments.refusal(kernel, word, None, "Tout" if kernel != "IsotonicRegression" else "output_dtype")


def complex_abs(x: EagerTensor, Tout: Any) -> EagerTensor:
    """The absolute value of complex numbers."""
    have, want = as_dtype(Tout), _PARTS[x.dtype.name]
    if have.name != want:
        kinds = [f"{x.dtype.name}->{kernel_name(v.numpy)}" for v in (have, as_dtype(want))]
        raise invalid("ComplexAbs", f"Signature mismatch, have: {kinds[0]} expected: {kinds[1]}")
    return complex_numbers.complex_abs(x)


def _part(kernel: str, function: Any) -> Any:
    def part(input: EagerTensor, Tout: Any) -> EagerTensor:
        want = as_dtype(Tout)
        _has_kernel(kernel, want.name == _PARTS[input.dtype.name], kernel_name(want.numpy))
        return function(input)

    return part


angle, real, imag = (
    _part(kernel, getattr(complex_numbers, kernel.lower())) for kernel in ("Angle", "Real", "Imag")
)  # fmt: skip


def complex_(real: EagerTensor, imag: EagerTensor, Tout: Any) -> EagerTensor:
    """Complex numbers of their parts."""
    want = as_dtype(Tout)
    _has_kernel("Complex", real.dtype.name == _PARTS[want.name], kernel_name(want.numpy))
    return complex_numbers.complex(real, imag)


def sign(x: EagerTensor) -> EagerTensor:
    """-1, 0 or 1, or x / |x| of complex numbers; the gradient of this kernel is zero of those, too."""
    return _flat_(x) if x.dtype.is_complex else elementwise.sign(x)


_flat_ = kernel(
    "complex_sign", "Sign", forward=lambda x: np.divide(x, np.abs(x), out=np.zeros_like(x), where=x != 0),
    gradient=lambda F, dy, _y, x: F.zeros_like_op(x),
)  # fmt: skip


def leaky_relu_grad(gradients: EagerTensor, features: EagerTensor, alpha: float) -> EagerTensor:
    """The upstream where the features are positive, else alpha times as much."""
    return tensors.leaky_relu_grad(gradients, features, alpha=float(np.float32(alpha)))


def line(start: EagerTensor, stop: EagerTensor, num: Any) -> EagerTensor:
    """Evenly spaced numbers; this kernel has no gradient."""
    return stop_gradient(linspace(start, stop, num))


def cast(x: EagerTensor, DstT: Any, Truncate: bool) -> EagerTensor:
    """``x`` with another dtype; a new tensor in any case."""
    want = as_dtype(DstT)
    if want.is_complex and x._a.dtype.kind in "fc" and x.dtype is not want:
        return cast_to_complex(x, dtype=want.numpy)
    if want.is_floating and x._a.dtype.kind == "c":
        discards(x._a.dtype, want.numpy)
    return cast_(x, dtype=want.numpy)


def add_n(inputs: list[EagerTensor]) -> EagerTensor:
    """The sum of tensors of one shape; of a single one a new tensor."""
    return sums.add_n(inputs) if len(inputs) > 1 else identity(inputs[0])


def equal(x: Any, y: Any, incompatible_shape_error: bool) -> Any:
    """Where two tensors are equal; True or False of shapes that do not fit, where that is asked for."""
    return comparison.equal(x, y) if incompatible_shape_error or _alike(x, y) else convert_to_tensor(False)


def not_equal(x: Any, y: Any, incompatible_shape_error: bool) -> Any:
    """Where two tensors are not equal."""
    return comparison.not_equal(x, y) if incompatible_shape_error or _alike(x, y) else convert_to_tensor(True)


def _alike(x: EagerTensor, y: EagerTensor) -> bool:
    """Whether the shapes broadcast."""
    return all(a == b or 1 in (a, b) for a, b in zip(x._a.shape[::-1], y._a.shape[::-1]))


def arg_max(input: EagerTensor, dimension: Any, output_type: Any) -> EagerTensor:
    """The index of the largest element along an axis."""
    return argmax(input, ints(dimension)[0], output_type)


def arg_min(input: EagerTensor, dimension: Any, output_type: Any) -> EagerTensor:
    """The index of the smallest element along an axis."""
    return argmin(input, ints(dimension)[0], output_type)


def stateless_random_normal(shape: Any, seed: Any, dtype: Any) -> EagerTensor:
    """Normally distributed numbers, the same for the same seed."""
    return randomness.stateless_normal(shape, seed, dtype=dtype)


def approximate_equal(x: EagerTensor, y: EagerTensor, tolerance: float) -> Any:
    """Where two tensors differ by less than a number."""
    text = f"x and y must be of the same shape. x shape: {brackets(x._a.shape)}. y shape: {brackets(y._a.shape)}"
    refuse("ApproximateEqual", x._a.shape != y._a.shape, text)
    return wrap(np.abs(x._a - y._a) < x._a.dtype.type(tolerance))


def stateless_random_uniform_int(shape: Any, seed: Any, minval: Any, maxval: Any) -> EagerTensor:
    """Whole numbers from ``minval`` to below ``maxval``, the same for the same seed."""
    low = convert_to_tensor(minval)
    bounds = (int(low._a), int(convert_to_tensor(maxval)._a))
    text = f"Need minval < maxval, got {bounds[0]} >= {bounds[1]}"
    refuse("StatelessRandomUniformInt", not bounds[0] < bounds[1], text)
    return randomness.stateless_uniform(shape, seed, low, maxval, low.dtype)


def stateless_random_uniform(shape: Any, seed: Any, dtype: Any) -> EagerTensor:
    """Evenly distributed numbers in [0, 1), the same for the same seed."""
    return randomness.stateless_uniform(shape, seed, dtype=dtype)


# -------------------------------------------------------------------------------------------------------- matrices


def matmul(a: EagerTensor, b: EagerTensor, transpose_a: bool, transpose_b: bool, *_of_gradients: Any) -> EagerTensor:
    """The product of two matrices, either transposed first."""
    left, right = a._a.shape, b._a.shape
    if len(left) != len(right):
        text = f"In[0] and In[1] has different ndims: {brackets(left)} vs. {brackets(right)}"
        raise invalid("MatMul", text)
    if len(left) != 2:
        raise invalid("MatMul", f"In[0] and In[1] ndims must be == 2: {len(left)}")
    return matmul_(a, b, transpose_a, transpose_b)


def batch_matmul(x: EagerTensor, y: EagerTensor, adj_x: bool, adj_y: bool, *_of_gradients: Any) -> EagerTensor:
    """Products of matrices, the batches broadcast, either adjoint first."""
    return batch_matmul_(x, y, ta=False, tb=False, aa=adj_x, ab=adj_y)


def einsum(inputs: list[EagerTensor], equation: str) -> EagerTensor:
    """Products and sums of one or two tensors by named axes."""
    count = equation.partition("->")[0].count(",") + 1
    refuse("Einsum", count > 2, f"Expecting 1 or 2 input subscripts in equation '{equation}' but got: {count}")
    return einsum_(*inputs, equation=equation)


def eig(input: EagerTensor, Tout: Any, compute_v: bool) -> Any:
    """Complex eigenvalues, and eigenvectors where they are asked for."""
    x, want = square_of_any(input, None), as_dtype(Tout).name
    have = x.dtype.name if x.dtype.is_complex else {v: k for k, v in _PARTS.items()}[x.dtype.name]
    refuse("Eig", want != have, f"Invalid output dtype {_NUMBERS.get(want)} vs {_NUMBERS[have]}")
    return _without(eig_(x, compute_v=compute_v), compute_v)


def _without(results: Any, vectors: bool) -> Any:
    """Values alone: TensorFlow's kernels leave a number without a meaning where vectors were not asked for."""
    return results if vectors else (results[0], *[wrap(r._a.dtype.type(0)) for r in results[1:]])


def self_adjoint_eig_v2(input: EagerTensor, compute_v: bool) -> Any:
    """Eigenvalues, ascending, and eigenvectors where they are asked for."""
    return _without(eigh_(square(eigh_, input, None), compute_v=compute_v), compute_v)


def singular_values(input: EagerTensor, compute_uv: bool, full_matrices: bool) -> Any:
    """Singular values, of the dtype of the matrices, and vectors where they are asked for."""
    if input._a.ndim < 2:
        svd(input)
    return _without(svd_kernel(input, compute_uv=compute_uv, full_matrices=full_matrices), compute_uv)


def factors(input: EagerTensor, output_idx_type: Any) -> Any:
    """Both triangular factors in one matrix, and the permutation of rows."""
    both, places = lu(input)
    return both, places if output_idx_type == places.dtype else cast_(places, dtype=as_dtype(output_idx_type).numpy)


def tridiagonal_product(
    superdiag: EagerTensor, maindiag: EagerTensor, subdiag: EagerTensor, rhs: EagerTensor
) -> EagerTensor:
    """Tridiagonal matrices, given as three diagonals in rows, times matrices."""
    parts = (superdiag, maindiag, subdiag)
    for k, x in enumerate((*parts, rhs)):
        rank = x._a.ndim
        refuse("TridiagonalMatMul", rank < 2, f"Input tensor {k} must have rank >= 2, got {rank}")
    alike = all(p._a.ndim == rhs._a.ndim for p in parts)
    refuse("TridiagonalMatMul", not alike, "All input tensors must have the same rank.")
    misfit = matrix_fitting.tridiagonal_product([p._a.shape for p in parts], rhs._a.shape)
    matrix_fitting.refuse("TridiagonalMatMul", misfit, None)
    return tensors.tridiagonal_matmul(*parts, rhs)


def _spectrum(kernel: str, function: Any) -> Any:
    """A Fourier transform of real numbers or back, of no more elements than there are."""
    back, n = kernel.startswith("I"), 2 if kernel.endswith("2D") else 1

    def transform(input: EagerTensor, fft_length: Any, out: Any) -> EagerTensor:
        have, want = input.dtype.name, as_dtype(out).name
        way, real_one, other = ("backward", want, have) if back else ("forward", have, want)
        types = f"Wrong types for {way} real FFT: in={_NUMBERS.get(have)} out={_NUMBERS.get(want)}"
        refuse(kernel, input._a.ndim < n, f"Input must have rank of at least {n} but got: {brackets(input._a.shape)}")
        shape, sizes = convert_to_tensor(fft_length)._a.shape, ints(fft_length)
        refuse(kernel, shape != (n,), f"fft_length must have shape [{n}]")
        for k, (size, there) in enumerate(zip(sizes, input._a.shape[-n:])):
            least = size // 2 + 1 if back and k == n - 1 and size else size
            text = f"Input dimension {k + input._a.ndim - n} must have length of at least {least} but got: {there}"
            refuse(kernel, there < least, text)
        refuse(kernel, _PARTS.get(other) != real_one, types)
        return function(input, fft_length)

    return transform


rfft, rfft2d, irfft, irfft2d = (
    _spectrum(kernel, getattr(fourier, kernel.lower())) for kernel in ("RFFT", "RFFT2D", "IRFFT", "IRFFT2D")
)  # fmt: skip


# ---------------------------------------------------------------------------------------------------------- losses


def dense_loss(features: EagerTensor, labels: EagerTensor) -> Any:
    """The loss of each row, and its gradient by the logits."""
    word = "SoftmaxCrossEntropyWithLogits"
    shapes = (features._a.shape, labels._a.shape)
    try:
        whole = np.broadcast_shapes(*shapes)
    except ValueError:
        sizes = f"logits_size={brackets(shapes[0])} labels_size={brackets(shapes[1])}"
        raise invalid(word, f"logits and labels must be broadcastable: {sizes}") from None
    refuse(word, len(whole) != 2, "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional")
    return softmax_xent(features, labels)


def sparse_loss(features: EagerTensor, labels: EagerTensor) -> Any:
    """The loss of each row at its label, and its gradient by the logits."""
    word = "SparseSoftmaxCrossEntropyWithLogits"
    x, y = features._a.shape, labels._a.shape
    refuse(word, len(x) != 2, f"logits must be 2-D, but got shape {brackets(x)}")
    refuse(word, len(y) != 1, f"labels must be 1-D, but got shape {brackets(y)}")
    text = "logits and labels must have the same first dimension, got logits shape "
    refuse(word, x[0] != y[0], f"{text}{brackets(x)} and labels shape {brackets(y)}")
    flat = np.asarray(labels._a)
    check_labels(flat, x[1], None)
    return sparse_xent(features, labels=flat)


# ---------------------------------------------------------------------------------------------------------- layout


def split(axis: Any, value: EagerTensor, num_split: int) -> list[EagerTensor]:
    """A tensor cut into equal parts."""
    return joining.split(convert_to_tensor(value), int(num_split), axis)


def split_v(value: EagerTensor, size_splits: Any, axis: Any, num_split: int) -> list[EagerTensor]:
    """A tensor cut into parts of given sizes."""
    given = convert_to_tensor(size_splits)._a
    text = f"size of the split_tensor must be 1-D and have the same elements as outputs got {given.ndim} -D and "
    refuse("SplitV", given.shape != (num_split,), f"{text}{given.size} elements")
    return joining.split(value, size_splits, axis, num_split)


def strided_slice(input: EagerTensor, begin: EagerTensor, end: EagerTensor, strides: EagerTensor, *masks: int) -> Any:
    """A slice given by its ends and steps."""
    check_spans("StridedSlice", *(convert_to_tensor(v)._a.shape for v in (begin, end, strides)), None)
    return slice_of(input, begin, end, strides, *masks)


def squeeze(input: EagerTensor, axis: Any) -> EagerTensor:
    """A tensor without axes of size 1."""
    if not isinstance(axis, (list, tuple)):
        raise TypeError(f"Expected list for 'axis' argument to 'squeeze' Op, not {axis!r}.")
    return squeezing.squeeze(input, axis or None)


def tile(input: EagerTensor, multiples: Any) -> EagerTensor:
    """A tensor repeated along its axes."""
    shape = convert_to_tensor(multiples)._a.shape
    refuse("Tile", len(shape) != 1, f"Expected multiples to be 1-D, but got shape {brackets(shape)}")
    return tiling.tile(input, multiples)


def mirror_pad_grad(input: EagerTensor, paddings: Any, mode: str) -> EagerTensor:
    """What stands in a mirrored border added to what it mirrors."""
    pairs = tuple(map(tuple, np.asarray(convert_to_tensor(paddings)._a).tolist()))
    return tensors.mirror_pad_grad(input, paddings=pairs, mode=mode.lower())


def approx_top_k(
    input: EagerTensor, k: int, reduction_dimension: int, recall_target: float, is_max_k: bool, *_sizes: Any
) -> Any:
    """The ``k`` largest of the last axis and their indices."""
    return (ordering.approx_max_k if is_max_k else ordering.approx_min_k)(input, k, reduction_dimension)


def isotonic_regression(input: EagerTensor, output_dtype: Any) -> Any:
    """The nearest decreasing rows, and the pools of equal values."""
    want, have = as_dtype(output_dtype), input.dtype
    fits = want is have if have.is_floating else want.name == ("float32" if have.size < 4 else "float64")
    _has_kernel("IsotonicRegression", fits, kernel_name(want.numpy))
    return isotonic_(input, dtype=want.numpy)


def strided_slice_grad(shape: Any, begin: Any, end: Any, strides: Any, dy: EagerTensor, *masks: int) -> EagerTensor:
    """The upstream of a slice where the slice was, and zeros around it."""
    check_spans("StridedSliceGrad", *(convert_to_tensor(v)._a.shape for v in (begin, end, strides)), None)
    whole = ints(shape)
    index = checked(whole, joining.spelled(ints(begin), ints(end), ints(strides), *masks))
    want = np.broadcast_to(np.int8(0), whole)[index].shape
    text = f"shape of dy was {brackets(dy._a.shape)} instead of {brackets(want)}"
    refuse("StridedSliceGrad", dy._a.shape != want, text)
    return tensors.slice_grad(dy, index=index, shape=whole)


def broadcast_gradient_args(s0: Any, s1: Any) -> Any:
    """The axes along which the gradients by two broadcast tensors are added up, given their shapes."""
    a, b = (list(ints(s)) for s in (s0, s1))
    rank = max(len(a), len(b))
    padded = [[1] * (rank - len(s)) + s for s in (a, b)]
    if any(m != n and 1 not in (m, n) for m, n in zip(*padded)):
        text = f"Incompatible shapes: {brackets(tuple(a))} vs. {brackets(tuple(b))}"
        raise invalid("BroadcastGradientArgs", text)
    dtype = np.int64 if any(convert_to_tensor(s).dtype.name == "int64" for s in (s0, s1)) else np.int32
    alike = a == b
    found = ([k for k in range(rank) if s[k] == 1 and not alike] for s in padded)
    return tuple(wrap(np.array(axes, dtype)) for axes in found)


# ---------------------------------------------------------------------------------------------------- quantization


def _bounds(kernel: str, min: float, max: float) -> dict[str, Any]:
    refuse(kernel, not min < max, f"min has to be smaller than max, was: {min:g} >= {max:g}")
    return {"low": np.float32(min), "high": np.float32(max)}


def fake_quant_gradient(
    gradients: EagerTensor, inputs: EagerTensor, min: float, max: float, num_bits: int, narrow_range: bool
) -> EagerTensor:
    """The upstream where the inputs lie between two numbers, else zero."""
    check_bits("FakeQuantWithMinMaxArgsGradient", num_bits, None)
    attributes = {"num_bits": num_bits, "narrow_range": narrow_range}
    bounds = _bounds("FakeQuantWithMinMaxArgsGradient", min, max)
    return tensors.fake_quant_args_grad(gradients, inputs, **bounds, **attributes)


def fake_quant_vars(*given: Any) -> Any:
    """The upstream by the inputs and by both bounds."""
    return _by_bounds("FakeQuantWithMinMaxVars", tensors.fake_quant_vars_grad, given)


def fake_quant_channels(*given: Any) -> Any:
    """The same, with bounds for each place along the last axis."""
    return _by_bounds("FakeQuantWithMinMaxVarsPerChannel", tensors.fake_quant_channels_grad, given)


def _by_bounds(kernel: str, op: Any, given: tuple) -> Any:
    *parts, num_bits, narrow_range = given
    word, (dy, x, low, high) = f"{kernel}Gradient", [v._a.shape for v in parts]
    refuse(word, dy != x, "gradient and input must be the same size")
    ranks = int(kernel.endswith("PerChannel"))
    for name, shape in (("min", low), ("max", high)):
        refuse(word, len(shape) != ranks, f"`{name}` must be rank {ranks} but is rank {len(shape)}")
    for name, shape in (("min", low), ("max", high)) if ranks and x else ():
        refuse(word, shape[0] != x[-1], f"{name} has incorrect size, expected {x[-1]} was {shape[0]}")
    check_bits(word, num_bits, None)
    return op(*parts, num_bits=num_bits, narrow_range=narrow_range)
