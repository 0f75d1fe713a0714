"""Python functions called as ops: ``py_function`` (differentiable through the ops inside) and ``numpy_function`` (not).

``py_function`` cuts the tape: the function gets new tensors, and what it returns is copied.  While something records,
a tape of its own runs around it, which answers for its gradient, once.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors, nest
from ..dtypes import as_dtype, is_trainable
from ..ops.declare import public
from ..tapes.recording import active, record
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable
from .custom_gradients import user_op

PY_FUNCTION = user_op("EagerPyFunc")
_TOKENS = itertools.count()
_ERRORS = (
    ((ValueError, TypeError), errors.InvalidArgumentError),
    (StopIteration, errors.OutOfRangeError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError, errors.UnimplementedError),
)


@public("py_function")
def py_function(func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None) -> Any:
    """Call ``func(*inp)`` on tensors (``tf.py_function``); a decorator when there is no ``func``.

    ``Tout``: the dtype of the result, or a list of them, then the result is a list.  An exception inside becomes an
    error of the kernel: InvalidArgumentError for ValueError and TypeError, UnknownError for most others.
    """
    decorator = _decorator(py_function, "tf.py_function", func, inp, Tout)
    if decorator is not None:
        return decorator
    if not callable(func):
        raise ValueError(f"Expected func to be callable. Received func={func} of type {type(func)}.")
    several = isinstance(Tout, (list, tuple))
    inputs = [convert_to_tensor(x) for x in inp]
    outputs = _call(func, inputs, [as_dtype(t) for t in (Tout if several else [Tout])], False, name)
    return outputs if several else outputs[0]


def _decorator(script_op: Any, name: str, func: Any, inp: Any, Tout: Any) -> Any:
    """The decorator form, None when this is a plain call.  TypeError for what is missing."""
    if Tout is None:
        raise TypeError(
            f"Missing required argument: 'Tout'\n  If using {name} as a decorator, set `Tout`\n  **by name** above the "
            f"function:\n  `@{name}(Tout=tout)`"
        )
    if func is not None:
        if inp is None:
            raise TypeError(
                "Missing argument `inp`:\n  You must set the `inp` argument (the list of arguments to the\n  "
                f"function), unless you use `{name}` as a decorator(`func=None`)."
            )
        return None
    if inp is not None:
        raise TypeError(f"Don't set the `inp` argument when using {name} as a decorator (`func=None`).")

    def decorate(function: Any) -> Any:
        return functools.wraps(function)(lambda *args: script_op(function, inp=args, Tout=Tout))

    return decorate


def _call(func: Callable, inputs: list, dtypes: list, is_gradient: bool, name: str | None) -> list:
    token = f"pyfunc_{next(_TOKENS)}"
    kept: dict[bytes, tuple] = {}
    try:
        given = [wrap(x._a) for x in inputs]
        results = _run(func, given, dtypes, is_gradient, kept, token.encode())
    except Exception as error:
        raise _kernel_error(error, len(inputs), len(dtypes), name) from None
    if len(results) < len(dtypes):
        text = f"{token} returns {len(results)} values, but expects to see {len(dtypes)} values."
        raise errors.InvalidArgumentError(None, None, _said(text, len(inputs), len(dtypes), name))
    outputs = tuple(wrap(y._a) for y in results)

    def backward(*upstream: Any) -> list:
        def gradient(*dy: Any) -> list:
            tape, sources, targets = kept.pop(token.encode())
            return tape.gradient(targets, sources, output_gradients=dy)

        return _call(gradient, [convert_to_tensor(d) for d in upstream], [x.dtype for x in inputs], True, None)

    record(PY_FUNCTION, tuple(inputs), outputs, {"backward": backward})
    return list(outputs)


def unknown_results(
    func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None, differentiable: bool = True
) -> Any:
    """Results of a Python function that is not called while a graph is built: zeros of the shape of the first input.

    Tapes see them as its results.
    """
    inputs = tuple(convert_to_tensor(x) for x in inp)
    dtypes = [as_dtype(t).numpy for t in (Tout if isinstance(Tout, (list, tuple)) else [Tout])]
    outputs = tuple(wrap(np.zeros(inputs[0]._a.shape if inputs else (), t)[()]) for t in dtypes)
    if differentiable and outputs:
        zeros = [wrap(np.zeros_like(x._a)[()]) for x in inputs]
        record(PY_FUNCTION, inputs, outputs, {"backward": lambda *_upstream: zeros})
    return list(outputs) if isinstance(Tout, (list, tuple)) else outputs[0]


def _run(func: Callable, given: list, dtypes: list, is_gradient: bool, kept: dict, token: bytes) -> list:
    """Call the function, under a tape of its own when anything records; ``kept`` gets what its gradient needs."""
    from ..tapes.tape import GradientTape

    if active.cur is None:
        return _converted(func(*given), dtypes, is_gradient)
    with GradientTape() as tape:
        tape.watch([x for x in given if is_trainable(x._a.dtype)])
        results = _converted(func(*given), dtypes, is_gradient)
    kept[token] = tape, given, results
    return results


def _converted(result: Any, dtypes: list, is_gradient: bool) -> list:
    """What a function returned, as tensors of the dtypes promised; a gradient's None becomes zero."""
    if result is None:
        return []
    if not isinstance(result, (list, tuple)):
        return [_tensor(result, dtypes[0], is_gradient)]
    return [_tensor(value, dtype, is_gradient) for value, dtype in zip(result, dtypes)]


def _tensor(value: Any, dtype: Any, is_gradient: bool) -> EagerTensor:
    if isinstance(value, ResourceVariable):
        raise RuntimeError(
            "Attempting to return a variable from an eagerly executed py_func. Only numeric data structures like "
            "Tensors or NumPy arrays should be returned; to return the value of a variable, make sure to obtain the "
            f"Tensor backing it by calling `.read_value()` on the variable in question: {value}"
        )
    return convert_to_tensor(0.0 if value is None and is_gradient else value, dtype=dtype)


def _kernel_error(error: Exception, inputs: int, outputs: int, name: str | None) -> errors.OpError:
    """The error of the kernel for an exception that came out of a Python function."""
    import traceback  # not needed before, and slow to import

    kind = next((made for raised, made in _ERRORS if isinstance(error, raised)), errors.UnknownError)
    says = f"{type(error).__name__}: {error}"
    frames = "\n".join(traceback.format_tb(error.__traceback__))
    text = f"{says}\nTraceback (most recent call last):\n\n{frames}\n{says}\n\n"
    return kind(None, None, _said(text, inputs, outputs, name))


def _said(text: str, inputs: int, outputs: int, name: str | None) -> str:
    """The message of the kernel, which names its numbers of inputs and outputs."""
    message = errors.invalid("EagerPyFunc", text, name).message
    return message.replace("EagerPyFunc_device", f"EagerPyFunc_Tin_{inputs}_Tout_{outputs}_device", 1)


@public("numpy_function")
def numpy_function(
    func: Any = None, inp: Any = None, Tout: Any = None, stateful: bool = True, name: str | None = None
) -> Any:
    """Call ``func`` on copies of the arrays of ``inp`` (``tf.numpy_function``); no gradient flows through it.

    The result is what the function returned, as tensors: the dtypes of ``Tout`` are not enforced.
    """
    decorator = _decorator(numpy_function, "tf.numpy_function", func, inp, Tout)
    if decorator is not None:
        return decorator
    results = nest.flatten(func(*[np.array(x) for x in inp]))
    tensors = [r if r is None else convert_to_tensor(r) for r in results]
    return tensors[0] if len(tensors) == 1 else tensors
