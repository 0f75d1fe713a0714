"""Matrix products: matmul."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import F32, bfloat16
from ..errors import invalid
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import check
from .declare import Op, arrays, kernel, public, tensors
from .kernels.no_rows import of_product
from .kernels.refusals import brackets
from .run import make_binary, mismatch


def _adjoint(a: Any, flip: bool, adjoint: bool) -> Any:
    if not flip and not adjoint:
        return a
    a = a.swapaxes(-1, -2)
    return np.conjugate(a) if adjoint and a.dtype.kind == "c" else a


def _product(a: Any, b: Any, ta: bool = False, tb: bool = False, aa: bool = False, ab: bool = False) -> Any:
    """a @ b with either transposed (ta, tb) or adjoint (aa, ab) first."""
    if ta or aa:
        a = _adjoint(a, ta, aa)
    if tb or ab:
        b = _adjoint(b, tb, ab)
    return np.matmul(a, b)


def _left(product: Any, F: Any, dy: Any, b: Any, ta: bool, tb: bool, aa: bool, ab: bool) -> Any:
    """The gradient by a of op(a) @ op(b), where op is nothing, a transposition (t) or an adjoint (a)."""
    if ta:
        return product(F.conj(b), dy, ta=tb, tb=True) if not ab else product(b, dy, ta=True, tb=True)
    if aa:
        return product(b, dy, ta=tb, aa=ab, ab=True)
    return product(dy, b if ab else F.conj(b), tb=not (tb or ab))


def _right(product: Any, F: Any, dy: Any, a: Any, ta: bool, tb: bool, aa: bool, ab: bool) -> Any:
    """The gradient by b of op(a) @ op(b)."""
    if tb:
        return product(dy, F.conj(a), ta=True, tb=ta) if not aa else product(dy, a, ta=True, tb=True)
    if ab:
        return product(dy, a, aa=True, tb=ta, ab=aa)
    return product(a if aa else F.conj(a), dy, ta=not (ta or aa))


def _of_matrices(a: Any, b: Any, **_flips: Any) -> Any:
    """The kernel of two matrices, which refuses a batch of them beside one."""
    mismatch(matmul_.op, a._a.dtype, b._a.dtype, None)
    left, right = (brackets(v._a.shape) for v in (a, b))
    raise invalid("MatMul", f"In[0] and In[1] has different ndims: {left} vs. {right}")


def _of_sparse(a: Any, b: Any, ta: bool = False, tb: bool = False, aa: bool = False, ab: bool = False) -> Any:
    """The kernel of mostly empty matrices, which takes bfloat16 beside another dtype."""
    check("SparseMatMul", None, a=a, b=b)
    return tensors.sparse_matmul(a, b, ta=ta or aa, tb=tb or ab)


def _mixed(F: Any, dy: Any, other: Any) -> bool:
    """True for two that are no batches, where one alone is bfloat16."""
    dtypes = {F.dtype(dy), F.dtype(other)}
    return len(dtypes) == 2 and bfloat16.numpy in dtypes and F.rank(dy) <= 2 >= F.rank(other)


def _ill(F: Any, dy: Any, y: Any, a: Any) -> bool:
    """True where an upstream has another shape than the product, or another dtype."""
    return type(dy) is EagerTensor and y is not None and (dy._a.shape != F.shape(y) or dy._a.dtype != F.dtype(a))


def _unbatched(F: Any, g: Any, mine: tuple[int, ...], other: tuple[int, ...]) -> Any:
    """The gradient summed over the axes of batches that were broadcast, judged by the shapes of the operands."""
    batch = mine[:-2]
    if batch == other[:-2]:
        return g
    rank = max(len(mine), len(other)) - 2
    axes = tuple(k for k, d in enumerate((1,) * (rank - len(batch)) + batch) if d == 1)
    have = F.shape(g)
    if axes and (len(have) != rank + 2 or any(have[k] != 1 for k in axes)):
        g = F.sum(g, axis=axes, keepdims=False)
    return g if F.shape(g) == mine else F.reshape(g, shape=mine)


def _bent(F: Any, g: Any, left: bool) -> Any:
    """The gradient of no rows by one of two matrices; ``left``: the upstream stood on the left of the product."""
    shape = of_product(*F.shape(g), left)
    return g if shape == F.shape(g) else F.broadcast_to(F.sum(g, axis=(0, 1), keepdims=False), shape=shape)


def _gradients(name: str) -> tuple[Any, Any]:
    """The gradients by both operands of the product that ``F`` holds under ``name``, which they are made of too."""
    plain = name == "matmul"

    def product(F: Any, dy: Any, other: Any) -> Any:
        """The product of batches, but of two matrices or less, as a wrong upstream may be, the plain one."""
        if plain and F.recording and type(dy) is EagerTensor and F.rank(dy) > 2 == F.rank(other):
            return _of_matrices
        if not plain and F.recording and _mixed(F, dy, other):
            return _of_sparse
        return getattr(F, name if plain or F.rank(dy) > 2 or F.rank(other) > 2 else "matmul")

    def by_a(
        F: Any, dy: Any, _y: Any, a: Any, b: Any, ta: bool = False, tb: bool = False, aa: bool = False, ab: bool = False
    ) -> Any:
        if plain and not (ta or aa or ab or active.rowless):
            if F.recording:
                if _fit(dy, b, 1, 0 if tb else 1):
                    return (_fitting if tb else _by_transposed)(dy, b)
            elif b.dtype.kind != "c":
                return dy @ (b if tb else b.swapaxes(-1, -2))
        g = _left(product(F, dy, b), F, dy, b, ta, tb, aa, ab)
        if plain and F.rank(a) == F.rank(b) == 2:
            return g if not active.rowless else _bent(F, g, not (ta or aa))
        if not _ill(F, dy, _y, a):
            return _unbatched(F, g, F.shape(a), F.shape(b))
        other = _right(product(F, dy, a), F, dy, a, ta, tb, aa, ab)  # in which TensorFlow may fail, too
        g = _unbatched(F, g, F.shape(a), F.shape(b))
        _unbatched(F, other, F.shape(b), F.shape(a))
        return g

    def by_b(
        F: Any, dy: Any, _y: Any, a: Any, b: Any, ta: bool = False, tb: bool = False, aa: bool = False, ab: bool = False
    ) -> Any:
        if plain and not (tb or aa or ab or active.rowless):
            if F.recording:
                if _fit(a, dy, 1 if ta else 0, 0):
                    return (_fitting if ta else _of_transposed)(a, dy)
            elif a.dtype.kind != "c":
                return (a if ta else a.swapaxes(-1, -2)) @ dy
        if plain and F.rank(a) == F.rank(b) == 2:
            g = _right(product(F, dy, a), F, dy, a, ta, tb, aa, ab)
            return g if not active.rowless else _bent(F, g, tb or ab)
        ill = _ill(F, dy, _y, a)
        other = _left(product(F, dy, b), F, dy, b, ta, tb, aa, ab) if ill else None
        g = _right(product(F, dy, a), F, dy, a, ta, tb, aa, ab)
        if ill:
            _unbatched(F, other, F.shape(a), F.shape(b))
        return _unbatched(F, g, F.shape(b), F.shape(a))

    return by_a, by_b


def _checked(a: Any, b: Any, ta: bool = False, tb: bool = False, aa: bool = False, ab: bool = False) -> Any:
    """``_product``, after the checks that upstream gradients of another shape or dtype need."""
    if a.dtype is not b.dtype:
        mismatch((matmul_ if a.ndim <= 2 and b.ndim <= 2 else batch_matmul).op, a.dtype, b.dtype, None)
    if a.ndim < 2 or b.ndim < 2:
        _check(a.shape, b.shape, ta or aa, tb or ab, True, None)
    try:
        return _product(a, b, ta, tb, aa, ab)
    except ValueError:
        _check(a.shape, b.shape, ta or aa, tb or ab, a.ndim <= 2 and b.ndim <= 2, None)
        raise


def _checked_batch(a: Any, b: Any, ta: bool = False, tb: bool = False, aa: bool = False, ab: bool = False) -> Any:
    mismatch(batch_matmul.op, a.dtype, b.dtype, None)
    _check(a.shape, b.shape, ta or aa, tb or ab, False, None)
    return _checked(a, b, ta, tb, aa, ab)


batch_matmul = kernel("batch_matmul", "BatchMatMulV2", forward=_checked_batch, gradient=_gradients("batch_matmul"))
matmul_ = kernel("matmul", "MatMul", forward=_checked, gradient=_gradients("matmul"))
arrays.matmul = arrays.batch_matmul = _product  # a walk on arrays only meets shapes that fit


def _fit(a: Any, b: Any, i: int, j: int) -> bool:
    """True for two float32 Tensors that are matrices, with as many entries along axis ``i`` as along ``j``."""
    if not (type(a) is type(b) is EagerTensor):
        return False
    a, b = a._a, b._a
    return a.dtype is b.dtype is F32 and a.ndim == b.ndim == 2 and a.shape[i] == b.shape[j]


def _declared(forward: Any, by_a: Any, by_b: Any) -> Any:
    """A product of two matrices that are known to fit and taken as they are, at half of what ``matmul_`` costs."""
    return make_binary(Op("matmul", "MatMul", forward, (by_a, by_b), 2, {"broadcasting": False}))


product_gradients = _by_a, _by_b = _gradients("matmul")
_fitting = _declared(np.matmul, _by_a, _by_b)
_by_transposed = _declared(
    lambda a, b: np.matmul(a, b.swapaxes(-1, -2)),
    lambda F, dy, _y, a, b: _by_a(F, dy, _y, a, b, tb=True),
    lambda F, dy, _y, a, b: _by_b(F, dy, _y, a, b, tb=True),
)
_of_transposed = _declared(
    lambda a, b: np.matmul(a.swapaxes(-1, -2), b),
    lambda F, dy, _y, a, b: _by_a(F, dy, _y, a, b, ta=True),
    lambda F, dy, _y, a, b: _by_b(F, dy, _y, a, b, ta=True),
)


@public("matmul linalg.matmul")
def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False, output_type: Any = None,
    grad_a: bool = False, grad_b: bool = False, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Matrix product over the last two axes, the others broadcast (``tf.matmul``)."""
    if not (transpose_a or transpose_b or adjoint_a or adjoint_b):
        a = a._dense_() if type(a) is not EagerTensor and hasattr(type(a), "_dense_") else a
        b = b._dense_() if type(b) is not EagerTensor and hasattr(type(b), "_dense_") else b
        if type(a) is EagerTensor and type(b) is EagerTensor and a._a.dtype is b._a.dtype:
            s, t = a._a.shape, b._a.shape
            if len(s) == len(t) == 2 and s[1] == t[0]:
                return _fitting(a, b, name)
    if transpose_a and adjoint_a:
        raise ValueError(
            f"Only one of `transpose_a` and `adjoint_a` can be True. Received `transpose_a`={transpose_a}, "
            f"`adjoint_a`={adjoint_a}."
        )
    if transpose_b and adjoint_b:
        raise ValueError(
            f"Only one of `transpose_b` and `adjoint_b` can be True. Received `transpose_b`={transpose_b}, "
            f"`adjoint_b`={adjoint_b}."
        )
    a = convert_to_tensor(a)
    b = convert_to_tensor(b, dtype_hint=a.dtype)
    plain = a._a.ndim <= 2 and b._a.ndim <= 2
    op = matmul_ if plain else batch_matmul
    mismatch(op.op, a._a.dtype, b._a.dtype, name)
    op.op.check(a._a.dtype, name)
    _check(a._a.shape, b._a.shape, transpose_a or adjoint_a, transpose_b or adjoint_b, plain, name)
    return op(a, b, ta=bool(transpose_a), tb=bool(transpose_b), aa=bool(adjoint_a), ab=bool(adjoint_b))


def _check(a: tuple, b: tuple, flip_a: bool, flip_b: bool, plain: bool, name: str | None) -> None:
    if len(a) == len(b) == 2 and a[-2 if flip_a else -1] == b[-1 if flip_b else -2]:
        return
    left, right = ("[" + ",".join(map(str, s)) + "]" for s in (a, b))
    if plain and len(a) != len(b):
        raise invalid("MatMul", f"In[0] and In[1] has different ndims: {left} vs. {right}", name)
    if plain and len(a) != 2:
        raise invalid("MatMul", f"In[0] and In[1] ndims must be == 2: {len(a)}", name)
    kernel_name = "MatMul" if plain else "BatchMatMulV2"
    if min(len(a), len(b)) < 2:
        raise invalid(kernel_name, f"In[{int(len(a) >= 2)}] ndims must be >= 2: {min(len(a), len(b))}", name)
    if a[-2 if flip_a else -1] != b[-1 if flip_b else -2]:
        raise invalid(kernel_name, f"Matrix size-incompatible: In[0]: {left}, In[1]: {right}", name)
    try:
        np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise invalid(
            kernel_name, f"In[0] and In[1] must have compatible batch dimensions: {left} vs. {right}", name
        ) from None
