"""What kernels of matrices ask of shapes, each with TensorFlow's sentence for what does not fit (None: it fits).

``refuse(kernel, misfit, name)`` raises the sentence; the other functions find one, from shapes alone.
"""

from __future__ import annotations

from ..errors import invalid
from .kernels.refusals import brackets

Shape = tuple[int, ...]


def refuse(kernel: str, misfit: str | None, name: str | None) -> None:
    """InvalidArgumentError with a sentence, if there is one."""
    if misfit is not None:
        raise invalid(kernel, misfit, name)


def batches(kernel: str, *shapes: Shape) -> str | None:
    """Matrices of one rank with the same outer axes."""
    for k, shape in enumerate(shapes):
        if len(shape) < 2:
            which = "" if kernel == "Lu" else f" {k}"
            if k == 0 or len(shape) == len(shapes[0]):
                return f"Input tensor{which} must have rank >= 2, got {len(shape)}"
        if len(shape) != len(shapes[0]):
            return "All input tensors must have the same rank."
        if shape[:-2] != shapes[0][:-2]:
            return "All input tensors must have the same outer dimensions."
    return None


def solved(kernel: str, a: Shape, b: Shape) -> str | None:
    """A system of square matrices, and as many right-hand sides."""
    misfit = batches(kernel, a, b)
    if misfit is None and a[-1] != a[-2]:
        return "First input (lhs) must be a square matrix."
    if misfit is None and a[-2] != b[-2]:
        return "Input matrix and rhs are incompatible."
    return misfit


def triangular(a: Shape, b: Shape, lower: bool, adjoint: bool, banded: bool = False) -> str | None:
    """Triangular matrices, or their bands, and right-hand sides, whose outer axes are broadcast."""
    for k, shape in enumerate((a, b)):
        if len(shape) < 2:
            return f"In[{k}] ndims must be >= 2: {len(shape)}"
    if not banded and a[-1] != a[-2]:
        return f"In[0] matrices in the last dimensions must be square ({a[-1]} =/= {a[-2]})"
    if any(d != e and 1 not in (d, e) for d, e in zip(a[-3::-1], b[-3::-1])):
        return f"In[0] and In[1] must have compatible batch dimensions: {brackets(a)} vs. {brackets(b)}"
    if a[-1] != b[-2]:
        return f"In[0] mismatch In[1] shape: {a[-1]} vs. {b[-2]}: {brackets(a)} {brackets(b)} {lower:d} {adjoint:d}"
    return None


def tridiagonal_system(a: Shape, b: Shape) -> str | None:
    """Three diagonals and right-hand sides, one vector or a matrix; TensorFlow's ValueError."""
    rank = len(a)
    if rank and rank < 2:
        return f"Expected diagonals to have rank at least 2, got {rank}"
    if b and len(b) not in (rank, rank - 1):
        return f"Expected the rank of rhs to be {rank - 1} or {rank}, got {len(b)}"
    if b and a[:-2] != b[: rank - 2]:
        mine, theirs = (f"({', '.join(map(str, s))}{',' * (len(s) == 1)})" for s in (a[:-2], b[: rank - 2]))
        return f"Batch shapes {mine} and {theirs} are incompatible"
    return f"Expected 3 diagonals got {a[-2]}" if a[-2] not in (0, 3) else None


def tridiagonal_product(diagonals: list[Shape], x: Shape) -> str | None:
    """Three diagonals, each a row as long as the matrix has rows."""
    misfit = batches("TridiagonalMatMul", *diagonals, x)
    for word, shape in zip(("superdiagonal", "maindiagonal", "subdiagonal"), diagonals):
        if misfit is None and shape[-2:] != (1, x[-2]):
            return f"Invalid {word} shape."
    return misfit


def band(shape: Shape, low: int, high: int, stop: str = ".") -> str | None:
    """A band that matrices have; ``stop`` is how the kernel ends its first sentence."""
    rows, columns = shape[-2:]
    for word, d in (("lower", low), ("upper", high)):
        if d and not -rows < d < columns:
            return f"{word}_diag_index is out of bound: {d}{stop} It must be between {-rows} and {columns}"
    if low > high:
        return f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}"
    return None


def band_index(k: tuple[int, ...]) -> str | None:
    """One diagonal or the ends of a band."""
    if not k:
        return "diag_index must have at least one element"
    return f"diag_index must have only one or two elements, received {len(k)} elements." if len(k) > 2 else None


def banded_matrix(d: Shape, low: int, high: int) -> str | None:
    """Diagonals that a matrix is made of."""
    if not d:
        return "diagonal must be at least 1-dim, received shape: []"
    if low > high:
        return f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}"
    if low != high and (len(d) < 2 or d[-2] != high - low + 1):
        return (
            "The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index "
            "range."
        )
    return None


def new_size(size: tuple[int, int], longest: int, low: int, high: int) -> str | None:
    """Rows and columns in which the diagonals of a new matrix have room, one of them without any to spare."""
    least = longest - min(high, 0), longest + max(low, 0)
    for word, have, want in zip(("rows", "columns"), size, least):
        if have < want:
            return f"The number of {word} is too small."
    if size[0] != least[0] and size[1] != least[1]:
        return "The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal."
    return None


def new_band(shape: Shape, d: Shape, low: int, high: int) -> str | None:
    """Diagonals that are put into matrices."""
    if not d:
        return "diagonal must be at least 1-dim, received shape: []"
    misfit = band(shape, low, high, stop="")
    if misfit is not None:
        return misfit
    longest = min(shape[-2] + min(high, 0), shape[-1] - max(low, 0))
    want = (*shape[:-2], *((high - low + 1,) if low != high else ()), longest)
    if low != high and (len(d) < len(want) or d[len(want) - 2] != want[-2]):
        return (
            "The number of diagonals provided in `diagonal` is not consistent with `lower_diag_index` and "
            "`upper_diag_index`"
        )
    if d == want:
        return None
    where = "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to "
    found = f"Input shape: {brackets(shape)}\nDiagonal shape: {brackets(d)}\nExpected diagonal shape: {brackets(want)}"
    return f"{where}the longests diagonal in range [lower_diag_index:upper_diag_index].\n{found}"


def whole_diagonal(shape: Shape) -> str | None:
    """A tensor whose second half of axes is like its first."""
    if not shape or len(shape) % 2:
        gap = " " * 42
        return f"The rank of the tensor should be{gap}even and positive, got shape {brackets(shape)}"
    half = len(shape) // 2
    for k in range(half):
        if shape[k] != shape[k + half]:
            return f"Invalid shape {brackets(shape)}: dimensions {k} and {k + half} do not match."
    return None


def crossed(a: Shape, b: Shape) -> str | None:
    """Vectors of three numbers, of one shape."""
    if a != b:
        return f"Both inputs must be of same shape: {brackets(a)} vs. {brackets(b)}"
    if not a:
        return "Input must be at least 1D"
    return None
