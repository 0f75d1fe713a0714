"""JAX: `adapters.third_party.jax_tape:JaxTape`. Ops are of `jax.numpy` and `jax.nn`, the derivative is `jax.vjp`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from adapters.backend import UnsupportedStep
from adapters.third_party.engine import Function
from adapters.third_party.jax_more import more_ops
from adapters.third_party.numpy_named import Ops, named, norm_of, numpy_ops, reduction
from adapters.third_party.replay import Replaying

# JAX compiles each op for each shape that it meets, ten a program, and that is nearly all that a run takes. The older
# code generator, on one thread, compiles in less than half the time; results differ in their last digits at most.
_COMPILE_LESS = ("--xla_cpu_use_fusion_emitters=false", "--xla_cpu_parallel_codegen_split_count=1")
_ACTIVATIONS = ("relu", "relu6", "elu", "selu", "silu", "softplus", "sigmoid")


def JaxTape() -> Replaying:
    """JAX on a CPU, with 64-bit types. ImportError when it is not installed."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ["XLA_FLAGS"] = f"{' '.join(_COMPILE_LESS)} {os.environ.get('XLA_FLAGS', '')}".strip()
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_disable_most_optimizations", True)
    # a process that compiles so much is replaced often: what it compiled is kept for the next one
    jax.config.update(
        "jax_compilation_cache_dir", str(Path(tempfile.gettempdir()) / f"tapecheck-jax-{jax.__version__}")
    )
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return Replaying(JaxEngine(jax))


class JaxEngine:
    """See `engine.Engine`."""

    name = "jax"
    dtypes = (
        "float32", "float64", "float16", "bfloat16", "complex64", "complex128", "int8", "int16", "int32", "int64",
        "uint8", "uint16", "uint32", "uint64", "bool",
    )  # fmt: skip
    higher_order = True

    def __init__(self, jax: Any) -> None:
        self._jax, self.version = jax, str(jax.__version__)
        self.details = {"jaxlib": str(jax.lib.__version__)}
        self.ops = _ops(jax)

    def array(self, array: np.ndarray) -> Any:
        return self._jax.numpy.asarray(array)

    def open(self, value: Any) -> np.ndarray:
        return np.asarray(value)

    def floating(self, value: Any) -> bool:
        return bool(self._jax.numpy.issubdtype(value.dtype, self._jax.numpy.inexact))

    def zeros_like(self, value: Any) -> Any:
        return self._jax.numpy.zeros_like(value)

    def ones_like(self, value: Any) -> Any:
        return self._jax.numpy.ones_like(value)

    def vjp(self, function: Function, inputs: list[Any], seeds: list[Any | None]) -> list[Any]:
        try:
            outputs, back = self._jax.vjp(lambda *values: function(values), *inputs)
        except NotImplementedError as error:
            raise UnsupportedStep(f"JAX says: {error}") from None
        weights = [self._jax.numpy.ones_like(y) if seed is None else seed for y, seed in zip(outputs, seeds)]
        # JAX gives the gradient itself where TensorFlow gives its conjugate
        return [self._conj(one) for one in back([self._conj(one) for one in weights])]

    def _conj(self, value: Any) -> Any:
        return self._jax.numpy.conj(value) if np.dtype(value.dtype).kind == "c" else value


def _ops(jax: Any) -> Ops:
    ops = numpy_ops(jax.numpy)
    for name in _ACTIVATIONS:
        ops[f"nn.{name}"] = getattr(jax.nn, name)
    ops["nn.softsign"] = jax.nn.soft_sign
    ops["nn.leaky_relu"] = lambda x, alpha=0.2: jax.nn.leaky_relu(x, alpha)
    ops["nn.gelu"] = lambda x, approximate=False: jax.nn.gelu(x, approximate)
    ops["nn.softmax"] = lambda x, axis=-1: jax.nn.softmax(x, axis)
    ops["nn.log_softmax"] = lambda x, axis=-1: jax.nn.log_softmax(x, axis)
    ops["nn.tanh"] = jax.numpy.tanh
    ops["math.sigmoid"] = ops["sigmoid"] = jax.nn.sigmoid
    ops["math.softplus"] = jax.nn.softplus
    ops["math.log_sigmoid"] = jax.nn.log_sigmoid
    ops["math.rsqrt"] = jax.lax.rsqrt
    ops["math.erf"] = jax.scipy.special.erf
    ops["math.xlogy"] = jax.scipy.special.xlogy
    ops["complex"] = jax.lax.complex
    ops["cast"] = lambda x, dtype: jax.lax.convert_element_type(x, dtype)
    ops["norm"] = norm_of(jax.numpy.linalg.norm)
    named(ops, "reduce_logsumexp", reduction(jax.scipy.special.logsumexp))
    ops["cumsum"] = ops["math.cumsum"] = _cumulative(jax.lax.cumsum)
    ops["math.cumprod"] = _cumulative(jax.lax.cumprod)
    ops["math.cumulative_logsumexp"] = _cumulative(jax.lax.cumlogsumexp)
    return ops | more_ops(jax)


def _cumulative(function: Callable[..., Any]) -> Callable[..., Any]:
    def cumulative(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
        if exclusive:
            raise UnsupportedStep("cumulative ops are not exclusive in JAX")
        return function(x, axis=axis % x.ndim, reverse=reverse)

    return cumulative
