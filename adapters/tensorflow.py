"""TensorFlow itself as a backend, made repeatable: `tensorflow_backend()`.

One thread, no oneDNN, no GPU. Before each program its log counters are cleared (a warning that TensorFlow logs once per
process is then logged once per program), random seeds, registered gradients and the eager-functions switch are set
back, and a probe proves that no tape is active. The only file that imports TensorFlow.
"""

from __future__ import annotations

import gc
import logging
import os
import platform
from collections.abc import Callable
from typing import Any

from adapters.noted_gradients import NotedGradients
from adapters.tf_shaped import Hooks, TfShaped

# Read by TensorFlow when it is imported.
_ENVIRONMENT = {
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "CUDA_VISIBLE_DEVICES": "-1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
_SEED = 20_150_109


class TapeLeft(RuntimeError):
    """A tape is still active although the program that made it is over; the process must not be used again."""


def tensorflow_backend() -> TfShaped:
    """TensorFlow behind the common interface. ImportError when it is not installed."""
    os.environ.update(_ENVIRONMENT)
    import tensorflow as tf

    tf.config.set_visible_devices([], "GPU")
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    gradients = _noted_gradients()
    before = _before(tf, gradients)
    hooks = Hooks(before=before, between=_between(), after=_after(), function=_not_converted, details=_details(tf))
    backend = TfShaped(tf, "tensorflow", hooks=hooks)
    backend.gradients = gradients
    return backend


def _noted_gradients() -> NotedGradients:
    """The registry of gradient functions, each of which can be made to say that it was called."""
    from tensorflow.python.framework import kernels, op_def_registry, ops

    def why_not(name: str) -> str:
        definition = op_def_registry.get(name)
        if definition is None:
            return "this build has no such op"
        devices = {kernel.device_type for kernel in kernels.get_registered_kernels_for_op(name).kernel}
        if not devices & {"CPU", "DEFAULT"}:
            return "it has no kernel for the CPU"
        if any(argument.is_ref for argument in (*definition.input_arg, *definition.output_arg)):
            return "it takes references, which eager mode does not have"
        return ""

    return NotedGradients(ops.gradient_registry._registry, why_not)


def _before(tf: Any, gradients: NotedGradients) -> Callable[[], None]:
    from tensorflow.python.eager.polymorphic_function import polymorphic_function
    from tensorflow.python.platform import tf_logging
    from tensorflow.python.util import deprecation, tf_should_use

    idle, seed, forget_gradients = _idle(), _seeding(tf), _gradient_registry()
    # That TensorFlow itself calls a function of its own that is deprecated, or drops a list that it made, is nobody's
    # business; the second is told whenever the garbage collector comes by.
    deprecation._PRINT_DEPRECATION_WARNINGS = False
    tf_should_use._TFShouldUseHelper._check_sated = lambda *_, **__: None
    # The advice that a function is traced too often counts calls and is not about tapes: nothing is counted.
    traced = _forward_mode()
    detectors = type(polymorphic_function._frequent_tracing_detector_manager)
    detectors.called_with_tracing = detectors.called_without_tracing = lambda *_: None

    def before() -> None:
        tf_logging._log_counter_per_token.clear()
        deprecation._PRINTED_WARNING.clear()
        traced.clear()
        gradients.called()
        tf.config.run_functions_eagerly(False)
        forget_gradients()
        seed()
        if not idle():
            raise TapeLeft("a tape of an earlier program is still active")

    return before


def _forward_mode() -> dict[str, int]:
    """How often the derivative of each op was traced: after 32 times TensorFlow forgets its shapes.

    What is logged during such a trace is not heard: whether there is a trace depends on earlier programs.
    """
    from tensorflow.python import pywrap_tfe
    from tensorflow.python.eager import forwardprop

    derivative, logger = forwardprop._jvp_dispatch, logging.getLogger("tensorflow")

    def quietly(*arguments: Any) -> Any:
        before, logger.disabled = logger.disabled, True
        try:
            return derivative(*arguments)
        finally:
            logger.disabled = before

    pywrap_tfe.TFE_Py_RegisterJVPFunction(quietly)
    return forwardprop._TRACE_COUNT


def _seeding(tf: Any) -> Callable[[], None]:
    """Set the seed back, but only after random ops: it drops every cached kernel, which costs 0.2 ms an op."""
    from tensorflow.python.eager import context

    tf.random.set_seed(_SEED)
    running = context.context()
    fresh = running._rng.getstate()

    def seed() -> None:
        if running._rng.getstate() != fresh:
            tf.random.set_seed(_SEED)

    return seed


def _gradient_registry() -> Callable[[], None]:
    """Forget the gradients that a program registered; a name can be registered only once."""
    from tensorflow.python.framework import ops

    gradients = ops.gradient_registry._registry
    registered = frozenset(gradients)

    def forget() -> None:
        if len(gradients) != len(registered):
            for name in gradients.keys() - registered:
                del gradients[name]

    return forget


def _between() -> Callable[[], None]:
    """TensorFlow keeps the tensors of Python's scalars, and gives the one of 0.0 for -0.0: whichever came first."""
    from tensorflow.python import pywrap_tfe

    forget: Callable[[], None] = pywrap_tfe.TFE_ClearScalarCache
    return forget


def _after() -> Callable[[], None]:
    idle = _idle()

    def after() -> None:
        if idle():
            return
        gc.collect()  # a tape in a cycle keeps recording until it is found
        if not idle():
            raise TapeLeft("a tape is still active after its program")

    return after


def _idle() -> Callable[[], bool]:
    """Whether neither a tape nor an accumulator is active on this thread."""
    from tensorflow.python import pywrap_tfe

    return pywrap_tfe.TFE_Py_TapeSetIsEmpty


def _not_converted(body: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as one that AutoGraph has nothing to convert in: its source is this package's interpreter."""
    body.autograph_info__ = {}  # type: ignore[attr-defined]
    return body


def _details(tf: Any) -> dict[str, str]:
    import keras
    import numpy as np

    return {
        "keras": str(keras.__version__),
        "numpy": np.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cpu": " ".join(_cpu_features()),
        "git": str(tf.version.GIT_VERSION),
        "threads": "1",
        "onednn": "off",
    }


def _cpu_features() -> list[str]:
    """The vector extensions of this processor, which decide the last bits of some kernels."""
    wanted = {"sse4_2", "avx", "avx2", "fma", "avx512f", "avx512_bf16", "amx_tile", "avx_vnni", "asimd", "sve"}
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
            flags = next((line for line in lines if line.startswith(("flags", "Features"))), "")
    except OSError:
        return []
    return sorted(wanted & set(flags.split()))
