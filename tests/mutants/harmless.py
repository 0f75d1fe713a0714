"""Mechanical changes that are proven to change nothing: they are not drawn, and each says why.

    harmless(module, line, after, at)      the proof, or None

A proof is about one line of the engine, and about some or all changes that begin on it.
"""

from __future__ import annotations

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
    Proof("ops.scattering", "return F.gather_nd(dy, F.stopped(indices))",
          "indices are integers, which no tape records", "(indices)"),
    Proof("ops.shaping", "if axes:", "a sum over no axes is the array itself", "True"),
    *(Proof("ops.arithmetic", 'return a if dtype is F32 or dtype.kind != "c" else np.conjugate(a)',
            "the conjugate of a real array is itself", after)
      for after in ("(dtype is F32 and dtype.kind != 'c')", "(dtype is F32)", "(dtype.kind != 'c')",
                    "(np.conjugate(a))")),
    Proof("ops.elementwise", 'return sign + x.dtype.type(0) if x.dtype.kind == "V" else sign',
          "NumPy's own sign of a zero is +0 already, and adding 0 to +0, 1 or -1 changes nothing",
          "(sign + x.dtype.type(0))"),
    Proof("ops.rounding", 'return np.where(r == 0, np.fmod(a, b), r)[()] if a.dtype.kind not in "iu" else r',
          "an integer that leaves no remainder leaves none either way", "(np.where(r == 0, np.fmod(a, b), r)[()])"),
    Proof("ops.arithmetic", 'return 1 / a if a.dtype.kind == "c" else np.reciprocal(a)',
          "the reciprocal of a real array is 1 / a", "(1 / a)"),
    Proof("ops.convolutions", "_check_backward(kernel_name, (*x.shape[-1:], 0), x.shape, slide)",
          "of these two sizes only the first is read", "1"),
    *(Proof("ops.arithmetic", "if type(dy) is np.ndarray and dy.size > _LARGE and dy.all():",
            "where no upstream is 0, what is not copied is what a copy would hold", after)
      for after in ("(dy.size < _LARGE)", "(dy.size >= _LARGE)")),
    Proof("ops.bands",
          "whole = flat.take(np.maximum(places, 0).ravel(), axis=-1).reshape((*diagonals.shape[:-2], size, size))",
          "the larger of two integers is the same in either order", "(np.maximum(0, places))"),
    Proof("ops.diagonals",
          "return np.where(places >= 0, read, np.asarray(padding, x.dtype)) if (places < 0).any() else read",
          "where no place is padding, all are read", "(np.where(places >= 0, read, np.asarray(padding, x.dtype)))"),
)  # fmt: skip


def harmless(module: str, line: str, after: str, at: int) -> Proof | None:
    """The proof that a change beginning at a place of a line of a module changes nothing; None where there is none."""
    return next((one for one in PROOFS if one.fits(module, line, after, at)), None)
