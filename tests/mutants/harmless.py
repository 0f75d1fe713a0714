"""Mechanical changes that are proven to change nothing: they are not drawn, and each says why.

    harmless(module, line, after, at)      the proof, or None

A proof is about one line of the engine, and about some or all changes that begin on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proof:
    """Why changes that begin on a line (`after`: what it becomes; all changes where it is empty) change nothing.

    beyond, before: only changes that begin after the one text of the line and before the other, which comes later.
    """

    module: str
    line: str
    why: str
    after: str = ""
    beyond: str = ""
    before: str = ""

    def fits(self, module: str, line: str, after: str, at: int) -> bool:
        """Whether it is about a change at a place of a line."""
        if (self.module, self.line) != (module, line) or self.after not in ("", after):
            return False
        first = line.index(self.beyond) + len(self.beyond)
        return first <= at and (not self.before or at < line.index(self.before, first))


@dataclass(frozen=True, slots=True)
class Kind:
    """Why changes of a kind change nothing: what stands before them on their line, what they begin with, what they
    become, each as a pattern; `modules` are those whose code it is true of, all where there are none."""

    before: str
    change: str
    after: str
    why: str
    modules: tuple[str, ...] = ()

    def fits(self, module: str, line: str, after: str, at: int) -> bool:
        """Whether it is about a change at a place of a line."""
        return (
            (not self.modules or module in self.modules)
            and re.search(f"(?:{self.before})$", line[:at]) is not None
            and re.match(self.change, line[at:]) is not None
            and re.fullmatch(self.after, after) is not None
        )


KINDS: tuple[Kind, ...] = (
    Kind(r"(?<!F)\.reshape\([(\[]?-", r"1\b", "2", "NumPy takes any negative number for the length that it is to find"),
    Kind(r"\bzip\(.*shape\[1:", r"3\]", "[46]", "a zip ends with the shorter one, which has two"),
    Kind("", r"np\.take_along_axis\(x, places, axis=-1\)", r"\(np\.take_along_axis\(x, places\)\)",
         "the last axis is NumPy's default"),
    Kind("", r"np\.maximum\((places|ids|floor\.astype\(np\.int64\)), 0\)", r"\(np\.maximum\(0, .*\)\)",
         "the larger of two integers is the same in either order"),
    Kind("", "-1", r"\(1\)", "logits are a matrix there, whose last axis is axis 1", ("ops.losses",)),
    Kind("", r"np\.add\.reduce\(.*dtype=", r"(?!.*dtype)\(np\.add\.reduce\(.*axis=.*\)\)",
         "NumPy adds up floating-point numbers in their own dtype", ("ops.losses", "ops.norms", "ops.softmax")),
    Kind("", r"F\.stopped\(indices\)", r"\(indices\)", "indices are integers, which no tape records",
         ("ops.gathering", "ops.scattering")),
    Kind(r"F\.reshape\(F\.sum\(\w+, axis=.*keepdims=", "False", "True", "the sum is given its shape anyway"),
    Kind(r"F\.reshape\(.*shape=\(-", r"1\b", "2", "NumPy takes any negative number for the length that it is to find"),
    Kind(r"band_part\(.*=-", r"1\b", "2", "any negative number keeps a whole side"),
    Kind(r"shape=\(-", r"1\b", "2", "any negative size is one that is to be found", ("ops.lists",)),
)  # fmt: skip

_SPREAD = "spread = dy - reduce_mean(dy, rest, keepdims=True) - reciprocal(variance + epsilon) * weighed * centred"
_LOOSENED = "return x if own is None else own(x, _ULPS * float(np.finfo(dtype).eps / np.finfo(x.dtype).eps))"

PROOFS: tuple[Proof, ...] = (
    Proof("ops.ctc", _LOOSENED, "only arrays that carry error bounds have such a method; those of a tape are NumPy's",
          beyond="if own is None else "),
    Proof("ops.ctc", _LOOSENED, "only arrays that carry error bounds have such a method; those of a tape are NumPy's",
          "(x)"),
    Proof("ops.layers", "return x + bias.reshape([-1 if k == axis else 1 for k in range(x.ndim)])",
          "NumPy takes any negative number for the length that it is to find", "2", beyond="reshape([-", before="if k"),
    Proof("ops.complex_numbers", "return a.astype(dtype) + b.astype(dtype) * dtype.type(1j)",
          "only arrays that carry error bounds get here; those of a tape are NumPy's and have returned above"),
    Proof("ops.checks", "return _quantized(x, none + low, none + high, num_bits, narrow_range).reshape(x.shape)",
          "`none` is 0: it only lends the bounds its kind of array, for error bounds", "(low)"),
    Proof("ops.checks", "return _quantized(x, none + low, none + high, num_bits, narrow_range).reshape(x.shape)",
          "`none` is 0: it only lends the bounds its kind of array, for error bounds", "(high)"),
    Proof("ops.scattering", "if len(np.unique(flat, axis=0)) == len(flat):",
          "where no index is there twice, row by row gives what all at once does", "False"),
    *(Proof("ops.bands", line, "only arrays that carry error bounds get here; those of a tape are NumPy's")
      for line in ("return np.linalg.solve(_dense(diagonals), b)",
                   "size = diagonals.shape[-1]",
                   "at = np.arange(size)",
                   "places = np.zeros((size, size), np.int64) - 1",
                   "places[at[:-1], at[1:]], places[at, at], places[at[1:], at[:-1]]"
                   " = at[:-1], size + at, 2 * size + at[1:]",
                   "flat = diagonals.reshape((*diagonals.shape[:-2], 3 * size))",
                   "whole = flat.take(np.maximum(places, 0).ravel(), axis=-1)"
                   ".reshape((*diagonals.shape[:-2], size, size))",
                   "return np.where(places >= 0, whole, np.zeros((), diagonals.dtype))")),
    Proof("ops.bands", "if type(diagonals) is not np.ndarray:  # with error bounds, which know what is singular",
          "only arrays that carry error bounds are of another class; those of a tape are NumPy's", "False"),
    Proof("ops.matrix", "if axes and (len(have) != rank + 2 or any(have[k] != 1 for k in axes)):",
          "a sum over axes of size 1, or over none, changes the shape alone, which is given anyway", "True"),
    Proof("ops.shaping", "return np.zeros(shape, x.dtype)[()]",
          "there are no rows, so that none of its numbers is ever seen", "(np.ones(shape, x.dtype))"),
    Proof("ops.selection",
          "return np.zeros(no_rows.parted(y.shape if condition.shape == y.shape else x.shape), x.dtype)",
          "there are no rows, so that none of its numbers is ever seen",
          "(np.ones(no_rows.parted(y.shape if condition.shape == y.shape else x.shape), x.dtype))"),
    Proof("ops.scatter", "return np.zeros((*indices.shape, *x.shape[1:]), x.dtype)", "it holds nothing",
          "(np.ones((*indices.shape, *x.shape[1:]), x.dtype))"),
    Proof("ops.recurrent", "cells = whole.shape[-1] // 4", "the last axis of a matrix is axis 1", "(1)"),
    Proof("ops.decompositions", "f = _safe_reciprocal(F, _expand(F, e, -2) - _expand(F, e, -1))",
          "an axis beyond the end is put at the end", "(1)", beyond="_expand(F, e, -2)"),
    Proof("ops.casting", 'if a.dtype.kind == "c" and dtype.kind not in "cb":',
          "the real part of what is real is itself", "(dtype.kind not in 'cb')"),
    Proof("ops.shaping", "if axes:", "a sum over no axes is the array itself", "True"),
    *(Proof("ops.arithmetic", 'return a if dtype is F32 or dtype.kind != "c" else np.conjugate(a)',
            "the conjugate of a real array is itself", after)
      for after in ("(dtype is F32 and dtype.kind != 'c')", "(dtype is F32)", "(dtype.kind != 'c')",
                    "(np.conjugate(a))")),
    Proof("ops.extremes", "if not x.size:", "no number lies beyond the one that it starts with", "True"),
    Proof("ops.extremes", "if not keepdims:", "with axes kept, both have the shape that they are given here", "True"),
    *(Proof("ops.elementwise", 'return sign + x.dtype.type(0) if x.dtype.kind == "V" else sign',
            "NumPy's own sign of a zero is +0 already, and 0 more or less than +0, 1 or -1 is the same", after)
      for after in ("(sign + x.dtype.type(0))", "(sign - x.dtype.type(0))")),
    Proof("ops.rounding", 'return np.where(r == 0, np.fmod(a, b), r)[()] if a.dtype.kind not in "iu" else r',
          "an integer that leaves no remainder leaves none either way", "(np.where(r == 0, np.fmod(a, b), r)[()])"),
    Proof("ops.arithmetic", 'return 1 / a if a.dtype.kind == "c" else np.reciprocal(a)',
          "the reciprocal of a real array is 1 / a", "(1 / a)"),
    Proof("ops.convolutions", "_check_backward(kernel_name, (*x.shape[-1:], 0), x.shape, slide)",
          "of these two sizes only the first is read", "1"),
    *(Proof("ops.arithmetic", "if type(dy) is np.ndarray and dy.size > _LARGE and dy.all():",
            "where no upstream is 0, what is not copied is what a copy would hold", after)
      for after in ("False", "(dy.size < _LARGE)", "(dy.size >= _LARGE)", "(type(dy) is not np.ndarray)",
                    "(dy.all())")),
    Proof("ops.bands",
          "whole = flat.take(np.maximum(places, 0).ravel(), axis=-1).reshape((*diagonals.shape[:-2], size, size))",
          "the larger of two integers is the same in either order", "(np.maximum(0, places))"),
    Proof("ops.diagonals",
          "return np.where(places >= 0, read, np.asarray(padding, x.dtype)) if (places < 0).any() else read",
          "where no place is padding, all are read", "(np.where(places >= 0, read, np.asarray(padding, x.dtype)))"),
    *(Proof("ops.shaping", "if math.prod(shape) <= _SMALL and isinstance(x, (np.ndarray,"
            " np.number)) and x.ndim <= len(shape):",
            "NumPy's view holds the same numbers, and refuses what does not fit", after)
      for after in ("False", "(math.prod(shape) < _SMALL)", "(math.prod(shape) > _SMALL)", "(x.ndim < len(shape))",
                    "(x.ndim <= len(shape))")),
    Proof("ops.gathering", "return not x.size and 0 in (*x.shape[:axis], *x.shape[axis + 1 :])",
          "an axis without a place leaves no element", "(0 in (*x.shape[:axis], *x.shape[axis + 1:]))"),
    *(Proof("ops.gathering",
            "F, F.gather(dy, indices, literal=axis or 1, axis=axis, batch_dims=batch_dims), F.shape(_dy)",
            "of the literal axis it only counts whether it is 0", after, beyond="literal=", before=", axis=")
      for after in ("2", "(1)")),
    Proof("ops.gathering", "if picked.ndim == 2 and picked.shape[-1] == 1:  # rows of what may be rows itself",
          "the last axis of a matrix is axis 1", "(1)"),
    *(Proof("ops.images",
            "np.minimum(np.floor((np.arange(m) + 0.5) * (n / m)).astype(n"
            "p.int64), n - 1) for n, m in zip(shape[1:3], size)",
            "half a place before m, times n / m, lies below n", after)
      for after in ("(n)", "(n + 1)",
                    "(np.minimum(n - 1, np.floor((np.arange(m) + 0.5) * (n / m)).astype(np.int64)))")),
    Proof("ops.images", "high = np.minimum(np.ceil(at).astype(np.int64), size - 1)",
          "the smaller of two integers is the same in either order",
          "(np.minimum(size - 1, np.ceil(at).astype(np.int64)))"),
    Proof("ops.only_raw", "forward=lambda x, value, index: scatter_set(x, index, value) if x[index].size else x,",
          "to write nothing leaves all as it is", "(scatter_set(x, index, value))"),
    *(Proof("ops.cumulative", "return F.ones_like(x) * (float(as_dtype(F.dtype(x)).min) / 2)",
            "any number so low that its exponential is 0 is as good", after)
      for after in ("3", "4", "(float(as_dtype(F.dtype(x)).min) / 2)")),
    Proof("ops.decompositions", "return F.matrix_diag_part(x, padding=0, **_MAIN)", "the main diagonal is whole", "1"),
    *(Proof("ops.sums",
            "if type(total) is np.ndarray and type(x) is np.ndarray and x.dtype == total.dtype:",
            "added in place or not, the sum is the same", after)
      for after in ("False", "(type(total) is not np.ndarray)", "(type(x) is not np.ndarray)",
                    "(x.dtype == total.dtype)")),
    Proof("ops.indexing", "want = np.broadcast_to(np.int8(0), shape)[index].shape", "only its shape is read", "1"),
    *(Proof("ops.matrix", line, "the general road gives the same product", after)
      for line, after in (
          ("if not (type(a) is type(b) is EagerTensor):", "True"),
          ("if plain and not (ta or aa or ab or active.rowless):", "False"),
          ('elif a.dtype.kind != "c":', "False"),
          ('elif b.dtype.kind != "c":', "False"),
          *(("return a.dtype is b.dtype is F32 and a.ndim == b.ndim == 2 and a.shape[i] == b.shape[j]", after)
            for after in ("3", "4", "None")),
          ("if plain and not (tb or aa or ab or active.rowless):", "False"),
          ("return False", "None"),
          ("if _fit(a, dy, 1 if ta else 0, 0):", "False"),
          ("if _fit(dy, b, 1, 0 if tb else 1):", "False"))),
    *(Proof("ops.matrix", line, "what is neither transposed nor adjoint stays as it is", "True")
      for line in ("if ta or aa:", "if tb or ab:")),
    Proof("ops.matrix", "if a.dtype is not b.dtype:", "what comes next compares the dtypes itself", "True"),
    Proof("ops.fractional",
          "gradient=lambda F, dy, y, x, mean, **windows: F.fractional_max_grad(x, y[0], dy[0], **windows),",
          "the places of the largest elements are found anew, not by the output", "1", beyond="(x, y[", before="], dy"),
    Proof("ops.matrix", 'return np.conjugate(a) if adjoint and a.dtype.kind == "c" else a',
          "the conjugate of a real array is itself", "(adjoint)"),
    *(Proof("ops.matrix", line, "the last axis of a matrix is axis 1", "(1)", beyond="swapaxes(", before=", -2")
      for line in ("lambda a, b: np.matmul(a, b.swapaxes(-1, -2)),", "lambda a, b: np.matmul(a.swapaxes(-1, -2), b),")),
    *(Proof("ops.diagonals",
            "return np.where(places >= 0, read, np.asarray(padding, x.dtype)) if (places < 0).any() else read",
            "where no place is padding, all are read", after, beyond="if (")
      for after in ("(places <= 0)", "1")),
    Proof("ops.projecting", "_mapped(np.where(nowhere, F32(0), at), n, fill_mod"
            "e) for at, n in zip((rows, columns), x.shape[1:3])",
          "what lies nowhere is filled, wherever it is read", "1", beyond="F32(", before=", at)"),
    Proof("ops.scattering", "whole = np.zeros((length, *tail), data[0].dtype)",
          "TensorFlow leaves undefined what no index names, so that no program may leave one out",
          "(np.ones((length, *tail), data[0].dtype))"),
    *(Proof("ops.products",
            'if len(operands) == 2 and all(type(x) is np.ndarray and x.dtype.kind in "fc" for x in operands):',
            "NumPy's einsum and products of matrices have one value", after)
      for after in ("False", "3", "4", "(x.dtype.kind not in 'fc')", "(x.dtype.kind in 'fc')")),
    *(Proof("ops.kernels.special", "return result if result.dtype == dtype else result.astype(dtype)",
            "SciPy keeps single and double precision", after)
      for after in ("(result.astype(dtype))", "(result.dtype != dtype)", "(result)")),
    Proof("ops.ordering", 'ordered = np.take_along_axis(x, np.argsort(x, axis=-1, kind="stable"), axis=-1)',
          "the last axis is NumPy's default", "(np.argsort(x, kind='stable'))"),
    *(Proof("ops.complex_numbers",
            "if isinstance(a, (np.ndarray, np.generic)) and isinstance(b, (np.ndarray, np.generic)):",
            "only arrays that carry error bounds are of another class; those of a tape are NumPy's", after)
      for after in ("True", "(isinstance(a, (np.ndarray, np.generic)))", "(isinstance(b, (np.ndarray, np.generic)))",
                    "(isinstance(a, (np.ndarray, np.generic)) or isinstance(b, (np.ndarray, np.generic)))")),
    Proof("ops.norms", 'squares = x * (np.conjugate(x) if x.dtype.kind == "c" else x)',
          "the conjugate of a real array is itself", "(np.conjugate(x))"),
    Proof("ops.losses", "return more if g is None else g + more", "the loss has an upstream here, of zeros if need be",
          "(g + more)"),
    Proof("ops.reductions", "if len(axes) == len(shape):", "each of all axes is one of them", "False"),
    Proof("ops.scatter",
          "p is None or p is Ellipsis or isinstance(p, (int, slice)) fo"
            "r p in (index if type(index) is tuple else (index,))",
          "of an array of indices no element is a Python number", "(index)"),
    Proof("ops.softmax",
          "last = -1 if x is None else F.rank(x) - 1  # an upstream may be of a wrong rank, or none at all",
          "there is nothing to add up: that is refused before any axis is read", "(1)"),
    *(Proof("ops.arithmetic",
            "if type(a) is _scalar or a.dtype is F32:  # the same, and sooner when dy holds many rows",
            "a product of real numbers is the same in either order, and a scalar of this type has this dtype", after)
      for after in ("False", "(type(a) is _scalar and a.dtype is F32)", "(type(a) is _scalar)", "(a.dtype is F32)")),
    *(Proof("ops.arithmetic", "return dy * (b if type(b) is _scalar or b.dtype is F32 else F.conj(b))",
            "the conjugate of a real array is itself", after)
      for after in ("(F.conj(b))", "(type(b) is _scalar and b.dtype is F32)", "(type(b) is _scalar)",
                    "(b.dtype is F32)")),
    *(Proof("ops.arithmetic",
            "return F.multiply(dy, b if type(b) is EagerTensor and type(b._a) is _scalar else F.conj(b))",
            "the conjugate of a real tensor is itself", after)
      for after in ("(F.conj(b))", "(type(b._a) is _scalar)", "(type(b) is not EagerTensor)")),
    Proof("ops.arithmetic", "if type(dy) is type(a) is type(b) is _scalar:",
          "three scalars of one type have one dtype and shape", "False"),
    Proof("ops.arithmetic", "if not F.recording:", "a product of real numbers is the same in either order", "False"),
    Proof("ops.blocks", "sizes = [n * b for n, b in zip(x.shape[1 : 1 + rank], block)]",
          "a product of two integers is the same in either order", "(zip(block, x.shape[1:1 + rank]))"),
    *(Proof("ops.layers", 'if type(dy) is EagerTensor and (dy._a.ndim < 2 or dy._a.dtype.kind in "bO"):',
            "a sum of what can be added up is made, and nobody takes it", after)
      for after in ("True", "3", "(dy._a.ndim <= 2)")),
    Proof("ops.gathering",
          "return scatter_add(shape, _grid(shape, indices, axis, batch_dims) if batch_dims else (*lead, indices), dy)",
          "without axes of batches the grid leads to the same places", "(_grid(shape, indices, axis, batch_dims))"),
    Proof("ops.kernels.logistic",
          "power = exponentials.exp(np.minimum(x, x.dtype.type(_ONE_FRO"
          "M_HALF if x.dtype.itemsize == 2 else _ONE_FROM)))",
          "the smaller number is the same in either order, but for the sign of a zero, and the limit is none",
          "(np.minimum(x.dtype.type(_ONE_FROM_HALF if x.dtype.itemsize == 2 else _ONE_FROM), x))"),
    *(Proof("ops.cropping", line, "what comes after the third is not read", after)
      for line in ("rows = tuple(v[:, :, None] for v in vertical[1:4])",
                   "columns = tuple(v[:, None, :] for v in horizontal[1:4])")
      for after in ("5", "8")),
    *(Proof("ops.fused", line, "without their axes the means of channels stand at the last axis, too", after)
      for line, after in (
          ("mean = reduce_mean(x, rest, keepdims=True)", "False"),
          ("mean = reduce_mean(x, rest, keepdims=True)", "(reduce_mean(x, rest))"),
          ("variance = reduce_mean(squared_difference(x, stop_gradient(mean)), rest, keepdims=True)", "False"),
          ("variance = reduce_mean(squared_difference(x, stop_gradient(mean)), rest, keepdims=True)",
           "(reduce_mean(squared_difference(x, stop_gradient(mean)), rest))"),
          ("weighed = reduce_mean(dy * centred, rest, keepdims=True)", "False"),
          ("weighed = reduce_mean(dy * centred, rest, keepdims=True)", "(reduce_mean(dy * centred, rest))"),
          (_SPREAD,
           "False"),
          (_SPREAD,
           "(reduce_mean(dy, rest))"))),
    *(Proof("ops.ctc", line, "logits are a matrix here, whose last axis is axis 1", "(1)")
      for line in ("blank = x.shape[-1] - 1", "powers = np.exp(x - np.maximum.reduce(x, axis=-1, keepdims=True))",
                   "y = powers / np.add.reduce(powers, axis=-1, keepdims=True)")),
    Proof("ops.ctc", "before = np.concatenate([[-1, -1], path[:-2]])[: path.size]",
          "of the first two places, which have nothing before them, it is not read", before=", path["),
    Proof("ops.arithmetic", "if F.recording:", "the general road gives the same product", "True"),
    *(Proof("ops.checks", line, "the larger or smaller of two numbers is the same in either order, but for the sign of"
            " a zero, which is lost when a half is added", after)
      for line, after in (
          ("zero = np.minimum(np.maximum(first - low / scale, first), last)",
           "(np.maximum(first, first - low / scale))"),
          ("zero = np.minimum(np.maximum(first - low / scale, first), last)",
           "(np.minimum(last, np.maximum(first - low / scale, first)))"),
          ("inside = np.maximum(np.minimum(x, top), bottom) - bottom", "(np.maximum(bottom, np.minimum(x, top)))"),
          ("inside = np.maximum(np.minimum(x, top), bottom) - bottom", "(np.minimum(top, x))"))),
    *(Proof("ops.colours", "spread = value - np.minimum(np.minimum(red, green), blue)",
            "the smaller of two numbers is the same in either order, but for the sign of a zero, and a spread of"
            " zero is none of either sign", after)
      for after in ("(np.minimum(blue, np.minimum(red, green)))", "(np.minimum(green, red))")),
    Proof("ops.older", "return x if F.dtype(x) == _SINGLE else F.cast(x, dtype=_SINGLE)",
          "what is single already is cast to itself", "(F.cast(x, dtype=_SINGLE))"),
    Proof("ops.ordering", 'ascending = np.argsort(np.flip(x, -1), axis=-1, kind="stable")',
          "the last axis is NumPy's default", "(np.argsort(np.flip(x, -1), kind='stable'))"),
    Proof("ops.gathering", "return g if F.shape(g) == shape else F.reshape(g, shape=shape)",
          "what has the shape already is reshaped to it", "(F.reshape(g, shape=shape))"),
    Proof("ops.kernels.special", "if found is None:", "the function is looked up again", "True"),
    Proof("ops.lists", "pairs = zip(self.items, other.items)", "a sum of two is the same in either order",
          "(zip(other.items, self.items))"),
    Proof("ops.lists", "found = _filled(held, shape) or [np.zeros((0, *(shape or held.shape)[1:]), held.dtype)]",
          "it holds nothing", "(np.ones((0, *(shape or held.shape)[1:]), held.dtype))"),
    *(Proof("ops.shaping", "dy = F.sum(dy, axis=axes, keepdims=True)", "the sum is given its shape anyway", after)
      for after in ("(F.sum(dy, axis=axes))", "False")),
    *(Proof("ops.sums", "if count <= _AT_ONCE:", "of so many or less, none is left after the first eights", after)
      for after in ("False", "(count < _AT_ONCE)")),
)  # fmt: skip


def harmless(module: str, line: str, after: str, at: int) -> Proof | Kind | None:
    """The proof that a change beginning at a place of a line of a module changes nothing; None where there is none."""
    return next((one for one in (*PROOFS, *KINDS) if one.fits(module, line, after, at)), None)
