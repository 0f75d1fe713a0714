"""HIPS autograd: `adapters.third_party.autograd_tape:AutogradTape`.

Ops are of `autograd.numpy` and `autograd.scipy`, the derivative is `autograd.core.make_vjp`. What autograd has no
derivative for is unsupported.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np

from adapters.backend import UnsupportedStep
from adapters.third_party.engine import Function
from adapters.third_party.numpy_named import Ops, named, norm_of, numpy_ops, reduction
from adapters.third_party.replay import Replaying

_SPECIAL = {
    "lgamma": "gammaln", "digamma": "digamma", "erfc": "erfc", "erfinv": "erfinv", "erfcinv": "erfcinv",
    "bessel_i0": "i0", "bessel_i1": "i1", "special.bessel_j0": "j0", "special.bessel_j1": "j1",
    "special.bessel_y0": "y0", "special.bessel_y1": "y1", "polygamma": "polygamma", "betainc": "betainc",
    "igamma": "gammainc", "igammac": "gammaincc",
}  # fmt: skip


def AutogradTape() -> Replaying:
    """Autograd on NumPy. ImportError when it is not installed."""
    import autograd

    return Replaying(AutogradEngine(autograd))


class AutogradEngine:
    """See `engine.Engine`."""

    name = "autograd"
    dtypes = ("float32", "float64", "float16", "complex64", "complex128", "int32", "int64", "int8", "uint8", "bool")
    higher_order = True

    def __init__(self, autograd: Any) -> None:
        import autograd.builtins
        import autograd.core
        import autograd.numpy

        self.version, self._autograd = version("autograd"), autograd
        self.details: dict[str, str] = {}
        self.ops = _ops(autograd.numpy)

    def array(self, array: np.ndarray) -> Any:
        return np.asarray(array)

    def open(self, value: Any) -> np.ndarray:
        return np.asarray(value)

    def floating(self, value: Any) -> bool:
        return self._autograd.numpy.result_type(value).kind in "fc"

    def zeros_like(self, value: Any) -> Any:
        return np.zeros_like(value)

    def ones_like(self, value: Any) -> Any:
        return np.ones_like(value)

    def vjp(self, function: Function, inputs: list[Any], seeds: list[Any | None]) -> list[Any]:
        anp, as_tuple = self._autograd.numpy, self._autograd.builtins.tuple
        try:
            back, outputs = self._autograd.core.make_vjp(lambda values: as_tuple(function(values)), as_tuple(inputs))
            weights = [anp.ones_like(y) if seed is None else seed for y, seed in zip(outputs, seeds)]
            # autograd gives the gradient itself where TensorFlow gives its conjugate
            return [_conj(anp, one) for one in back(as_tuple([_conj(anp, one) for one in weights]))]
        except NotImplementedError as error:
            raise UnsupportedStep(f"autograd says: {error}") from None
        except KeyError as error:  # what it looks up by the number of an argument
            raise UnsupportedStep(f"autograd has no derivative by argument {error} of one of these ops") from None
        except AssertionError as error:
            if "supported" in str(error):
                raise UnsupportedStep(f"autograd says: {error}") from None
            raise


def _conj(anp: Any, value: Any) -> Any:
    return anp.conj(value) if anp.result_type(value).kind == "c" else value


def _ops(anp: Any) -> Ops:
    ops = numpy_ops(anp)
    ops["cast"] = _cast
    ops["norm"] = norm_of(anp.linalg.norm)
    # autograd's gradient of a trace takes no axes: it is given none where there are but two
    ops["linalg.trace"] = lambda x: anp.trace(x) if x.ndim == 2 else anp.trace(x, 0, -2, -1)
    # autograd differentiates indexing where it does not differentiate take and flip
    ops["gather"] = lambda x, indices, axis=0: _along(x, axis, np.asarray(indices))
    ops["nn.embedding_lookup"] = lambda params, ids: params[ids]
    ops["reverse"] = _reversed
    ops["repeat"] = lambda x, repeats, axis=None: _repeated(anp, x, repeats, axis)
    try:
        from autograd.scipy import special
    except ImportError:
        return ops
    ops["math.erf"] = special.erf
    ops["math.sigmoid"] = ops["sigmoid"] = ops["nn.sigmoid"] = special.expit
    named(ops, "reduce_logsumexp", reduction(special.logsumexp))
    for ours, theirs in _SPECIAL.items():
        ops[f"math.{ours}"] = getattr(special, theirs)
    return ops


def _along(x: Any, axis: int, index: Any) -> Any:
    return x[(*(slice(None),) * (axis % x.ndim), index)]


def _repeated(anp: Any, x: Any, repeats: Any, axis: Any) -> Any:
    if not isinstance(repeats, int):
        raise UnsupportedStep("autograd repeats each element as often as the others")
    return anp.repeat(x, repeats, axis)


def _reversed(x: Any, axis: list[int]) -> Any:
    for one in axis:
        x = _along(x, one, slice(None, None, -1))
    return x


def _cast(x: Any, dtype: Any) -> Any:
    if np.dtype(dtype).kind not in "fc":
        raise UnsupportedStep("autograd differentiates casts to floating types only")
    return x.astype(dtype)
