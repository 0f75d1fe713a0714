"""Functions with gradients of their own: ``custom_gradient``, ``recompute_grad``, ``grad_pass_through``.

    @custom_gradient
    def log1pexp(x):
        e = exp(x)
        return log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))

Ops in the body are recorded as usual.  What the function returns is new tensors, for which a second record is made: it
has the arguments (and the variables that the body read) as inputs and the user's function as gradient.  Nothing that
this function returns is checked or converted, except for the number of gradients.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import nest
from ..foundation.building import graph_being_built
from ..ops.casting import identity
from ..ops.declare import Op, publish
from ..tapes.composites import gradient_components, replaced
from ..tapes.recording import active, active_stack, knows, only, record, stop_recording, watch
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import wrap

_NO_KEYWORDS = (
    "The custom_gradient decorator currently supports keywords arguments only when eager execution is enabled."
)
_NONE = "None values not supported."
_TOO_FEW = "Must return gradient for each variable from @custom_gradient grad_fn."


def user_op(name: str) -> Op:
    """An op whose gradient is the function in its attribute ``backward``, which gets and returns what users do."""
    op = Op(name, name, None, None, 3, {"user": True, "sparse": True})
    op.gradient = _call
    op.keeps_all = True  # the walk judges the gradients by the inputs' shapes and dtypes
    return op


def _call(*upstream: Any, backward: Callable[..., list]) -> list:
    return backward(*upstream)


CUSTOM = user_op("CustomGradient")
BUNDLE = Op("bundle", "IdentityN", None, lambda F, dy, _y, *_xs: dy, 3, {"sparse": True})
BUNDLE.keeps_all = False  # no value is needed


class Decorated:
    """A decorated function.  ``way(function, args, kwargs)`` runs it; as a method it binds its instance first."""

    def __init__(self, function: Any, way: Callable[[Any, tuple, dict], Any]):
        functools.update_wrapper(self, function)
        self._function, self._way = function, way  # after what a decorated function holds of its own

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._way(self._function, args, kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Decorated:
        return self if instance is None else Decorated(self._function.__get__(instance, owner), self._way)


Decorated.__name__ = Decorated.__qualname__ = "Bind"  # what TensorFlow's errors call it


class watched_variables:
    """Context manager: a dict (order of creation -> variable) of the trainable variables read inside on this thread."""

    __slots__ = ("_seen",)

    def __enter__(self) -> dict[int, Any]:
        self._seen: dict[int, Any] = {}
        active.watchers = (*active.watchers, self._seen)
        return self._seen

    def __exit__(self, *_: object) -> None:
        active.watchers = tuple(w for w in active.watchers if w is not self._seen)


def custom_gradient(f: Any = None) -> Any:
    """Decorator for a function that returns its result and the function of its gradient (``tf.custom_gradient``).

    ``f(*args, **kwargs)`` returns ``(result, grad_fn)``; ``grad_fn(*upstream)`` returns one gradient for each
    argument, or ``(gradients, variable_gradients)`` when it is called with ``variables=``, a list of the trainable
    variables that ``f`` read.  Keyword arguments are constants.  TypeError when ``f`` reads variables that
    ``grad_fn`` does not accept; ValueError for a wrong number of gradients.
    """
    return custom_gradient if f is None else Decorated(f, _run)


def _run(f: Any, args: tuple, kwargs: dict) -> Any:
    in_graph = graph_being_built() is not None
    if in_graph:
        if kwargs:
            raise ValueError(_NO_KEYWORDS)
        args = nest.map_structure(_tensor_in_graph, args, expand_composites=True)
    with watched_variables() as seen:
        result, grad_fn = f(*args, **kwargs)
    flat_args = gradient_components(nest.flatten(args))
    if in_graph or active.vectorizing or active.pretending:
        _check_in_graph(flat_args)
    given = {id(x) for x in (*flat_args, *gradient_components(nest.flatten(kwargs)))}
    variables = [v for _, v in sorted(seen.items()) if id(v) not in given]
    if in_graph:
        variables.sort(key=lambda v: v.name)
    if not _takes_variables(grad_fn) and variables:
        raise TypeError(
            "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function uses variables: "
            f"{variables}"
        )
    flat_result = nest.flatten(result)
    results = gradient_components(flat_result)
    if in_graph and any(x is None for x in results):
        raise ValueError(f"Tried to convert 'input' to a tensor and failed. Error: {_NONE}")
    results = [convert_to_tensor(x) for x in results]
    outputs = tuple(map(identity, results))
    inputs = tuple(convert_to_tensor(x) for x in (*flat_args, *variables))
    f.__name__  # noqa: B018 - TensorFlow names the record after it, and stumbles over what has no name
    backward = _backward(grad_fn, flat_result, None if in_graph else len(flat_args), variables)
    if in_graph:
        record(CUSTOM, inputs, outputs, {"backward": InGraph(backward, f.__name__, results)})
    elif active.loop is not None and any(knows(active.loop, x) for x in (*results, *inputs)):
        with only(*(r for r in active_stack() if r not in active.around)):
            record(CUSTOM, inputs, outputs, {"backward": backward})
        with around_loop():
            record(BUNDLE, (*results, *inputs), (*outputs, *(wrap(x._a) for x in inputs)), {})
    else:
        record(CUSTOM, inputs, outputs, {"backward": backward})
    return nest.pack_sequence_as(result, replaced(flat_result, list(outputs)))


def _tensor_in_graph(x: Any) -> Any:
    if x is None:
        raise ValueError(_NONE)
    return convert_to_tensor(x)


def _check_in_graph(arguments: list) -> None:
    """TypeError for slices: in graphs TensorFlow looks for variables between arguments and results, node by node."""
    if any(isinstance(x, IndexedSlices) for x in arguments):
        raise TypeError(
            "Expected a type in (<class 'tensorflow.python.framework.tensor.Tensor'>), got: "
            "<class 'tensorflow.python.framework.indexed_slices.IndexedSlices'>"
        )


def around_loop() -> only:
    """Context manager: inside, only what is around a vectorized loop records.

    Such a loop makes an op anew for all rows, whose gradient is then the op's own, not the user's; and what is not
    recorded in it is in its graph all the same.
    """
    return only(*(r for r in active_stack() if r in active.around))


def _takes_variables(grad_fn: Any) -> bool:
    """True when ``grad_fn`` has a parameter ``variables`` or takes any keyword.  TypeError for what is no function."""
    import inspect

    while isinstance(grad_fn, Decorated):
        grad_fn = grad_fn._function
    spec = inspect.getfullargspec(grad_fn)
    return "variables" in spec.args or "variables" in spec.kwonlyargs or spec.varkw is not None


class InGraph(NamedTuple):
    """A call's gradient function in a graph, which judges what it returns when it makes the gradients of its nodes."""

    backward: Callable[..., list]
    function: str  # the name of the decorated function
    results: list  # what the function returned, as tensors


def _backward(grad_fn: Any, results: list, count: int | None, variables: list) -> Callable[..., list]:
    """The gradient function of one call: ``count`` gradients for the arguments, then one for each variable.

    Without ``count`` there may be any number.
    """

    def backward(*upstream: Any) -> list:
        upstreams = replaced(results, list(upstream))
        variable_gradients: list = []
        if variables:
            gradients, variable_gradients = grad_fn(*upstreams, variables=variables)
            if len(variable_gradients) != len(variables):
                raise ValueError(_TOO_FEW)
        else:
            gradients = grad_fn(*upstreams)
        flat = gradient_components(nest.flatten(gradients))
        if count is not None and len(flat) != count:
            raise ValueError(
                f"custom_gradient function expected to return {count} gradients, but returned {len(flat)} instead."
            )
        return flat + variable_gradients

    return backward


def recompute_grad(f: Any) -> Any:
    """Decorator: nothing of the function stays on the tape; gradients run it once more (``tf.recompute_grad``).

    Keyword arguments are constants.  An input that the function does not use gets zeros.  NotImplementedError in
    forward mode.
    """

    @custom_gradient
    def once(*args: Any, **kwargs: Any) -> tuple:
        with stop_recording() if active.loop is None else around_loop():
            result = f(*args, **kwargs)

        def gradient(*upstream: Any, variables: Any = None) -> Any:
            @custom_gradient
            def again(*dresult: Any) -> tuple:
                return _again(f, args, kwargs, variables, *dresult)

            return again(*upstream)

        return result, gradient

    return _named_after(f, once)


def _named_after(f: Any, wrapper: Decorated) -> Decorated:
    """A decorated function under the name of another, which may be decorated itself, and with its attributes."""
    own = dict(vars(wrapper))
    functools.update_wrapper(wrapper, f)
    wrapper._function, wrapper._way = own["_function"], own["_way"]
    return wrapper


def _again(f: Any, args: tuple, kwargs: dict, variables: Any, *upstream: Any) -> tuple:
    """The gradients of ``f`` by ``args`` and ``variables``, from running it once more."""
    from ..tapes.tape import GradientTape, UnconnectedGradients

    known = list(variables or ())
    if upstream and (active.vectorizing or active.pretending):
        _check_largest(upstream[0])
    with GradientTape() as tape:
        own = nest.map_structure(_copied, args)
        if active.loop is not None:  # in a graph they are made to wait for the upstream
            for x in own:
                watch(active.loop, x)
        tape.watch(own)
        if variables is not None:
            tape.watch(variables)
        result = f(*own, **kwargs)
    found = tape.gradient(result, [*own, *known], upstream, UnconnectedGradients.ZERO)

    def transpose(*_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError(
            f"recompute_grad tried to transpose grad of {f.__name__}. Consider not using recompute_grad in forward "
            "modeautodiff"
        )

    return (found[: len(own)], found[len(own) :]), transpose


def _copied(x: Any) -> Any:
    """A copy of an argument; slices become dense."""
    return identity(convert_to_tensor(x) if type(x) is IndexedSlices else x)


_ORDERED = (
    "float32, float64, int32, uint8, int16, int8, int64, bfloat16, uint16, float16, uint32, uint64, qint8, quint8, "
    "qint32, qint16, quint16"
)


def _check_largest(upstream: Any) -> None:
    """TypeError for a complex upstream: in graphs TensorFlow looks at the largest element, which must exist."""
    name = getattr(getattr(upstream, "dtype", None), "name", "")
    if name.startswith("complex"):
        raise TypeError(
            f"Value passed to parameter 'input' has DataType {name} not in list of allowed values: {_ORDERED}"
        )


def grad_pass_through(f: Any) -> Any:
    """Decorator: the function's values with the gradients of an identity (``tf.grad_pass_through``).

    Variables that the function reads get None.
    """

    @custom_gradient
    def _grad_pass_through_op(*args: Any, **kwargs: Any) -> tuple:
        def gradient(*upstream: Any, **options: Any) -> Any:
            variables = options.get("variables")
            return upstream if variables is None else (upstream, [None] * len(variables))

        return f(*args, **kwargs), gradient

    return _named_after(f, _grad_pass_through_op)


for _name, _function in (
    ("custom_gradient", custom_gradient),
    ("recompute_grad", recompute_grad),
    ("grad_pass_through", grad_pass_through),
):
    publish(_name, _function)

__all__ = ["CUSTOM", "Decorated", "custom_gradient", "grad_pass_through", "recompute_grad", "user_op"]
