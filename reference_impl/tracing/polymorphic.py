"""``function``: a Python function that is traced once for each signature and repeated from its graph afterwards.

    @function
    def f(x):
        print("traced")
        return x * x

Each dtype and shape of tensors, each Python value, each structure of the arguments is traced by itself.  ``f(2.0)`` and
``f(3.0)`` are two traces, ``f(constant(2.0))`` and ``f(constant(3.0))`` are one.
"""

from __future__ import annotations

import functools
import itertools
import threading
import types
import weakref
from typing import Any

from ..errors import OpError
from ..foundation.building import graph_being_built
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from ..tensors.variable import ResourceVariable
from .concrete import ConcreteFunction
from .graph import Graph, building
from .graph_errors import while_running
from .retracing import detector_of
from .signature import Signature, example, key_of, open_sizes
from .spec import TensorSpec, spec_of
from .steps import World
from .structure import leaves, mapped
from .symbols import GraphObject, SymbolicTensor

_NUMBERS = itertools.count(1)
_MODE = {"eager": False}


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions run their Python bodies on every call (``tf.config.run_functions_eagerly``)."""
    _MODE["eager"] = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """What ``run_functions_eagerly`` was last told."""
    return _MODE["eager"]


def function(
    func: Any = None, input_signature: Any = None, autograph: bool = True, jit_compile: Any = None,
    reduce_retracing: bool = False, experimental_implements: Any = None, experimental_autograph_options: Any = None,
    experimental_attributes: Any = None, experimental_relax_shapes: Any = None, experimental_compile: Any = None,
    experimental_follow_type_hints: Any = None,
) -> Any:  # fmt: skip
    """A function that is traced into a graph (``tf.function``), also as a decorator, with or without arguments.

    ``input_signature`` is a list of TensorSpec: then there is one trace.  ``autograph`` makes Python's ``if``,
    ``for`` and ``while`` depend on tensors.  ``jit_compile`` and the experimental arguments change nothing.
    """
    relax = bool(reduce_retracing or experimental_relax_shapes)

    def decorated(inner: Any) -> Function:
        made = Function(inner, input_signature, autograph, relax)
        functools.update_wrapper(made, inner, updated=())  # type: ignore[arg-type]
        return made

    return decorated if func is None else decorated(func)


class Function:
    """What ``tf.function`` returns."""

    def __init__(self, python_function: Any, input_signature: Any, autograph: bool, relax: bool):
        self._python_function, self._input_signature = python_function, input_signature
        self._autograph, self._relax = autograph, relax
        self._signature = Signature(python_function, input_signature)
        self._traces: dict[Any, ConcreteFunction] = {}
        self._general: list[tuple[dict, ConcreteFunction]] = []
        self._count = 0
        self._detector = detector_of(python_function)
        self._has_traces = self._made_variables = False
        self._bound: dict[int, tuple[Any, Function]] = {}
        self._lock = threading.RLock()

    @property
    def python_function(self) -> Any:
        """The function that is traced."""
        return self._python_function

    @property
    def input_signature(self) -> Any:
        """The specs given, as a tuple, or None."""
        return None if self._input_signature is None else tuple(self._input_signature)

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function was traced."""
        return self._count

    def __copy__(self) -> Function:
        return Function(self._python_function, self._input_signature, self._autograph, self._relax)

    def __deepcopy__(self, memo: dict) -> Function:
        return self.__copy__()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        found = self._bound.get(id(instance))
        if found is not None and found[0]() is instance:
            return _held(found[1], instance)
        method = types.MethodType(self._python_function, instance)
        made = Function(method, self._input_signature, self._autograph, self._relax)
        try:
            alive: Any = weakref.ref(instance, functools.partial(_forget, self._bound, id(instance)))
        except TypeError:
            alive = lambda: instance  # noqa: E731 - what has no weak references is kept
        made._python_function = _Method(self._python_function, alive)
        self._bound[id(instance)] = (alive, made)
        return _held(made, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if functions_run_eagerly():
            return self._python_function(*args, **kwargs)
        values = self._signature.bind(args, kwargs)
        with self._lock:
            found = self._trace_for(values, True)
        return found._call_values(values)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for arguments, which may be TensorSpecs; without arguments, that of the ``input_signature``."""
        if self._signature.specs is not None and not args and not kwargs:
            values = dict(self._signature.specs)
            for p in self._signature.python.parameters.values():
                if p.name not in values and p.default is not p.empty:
                    values[p.name] = p.default
        else:
            values = self._signature.bind(args, kwargs)
        with self._lock:
            return self._trace_for(values, False)

    # ------------------------------------------------------------------------------------ traces

    def _trace_for(self, values: dict, called: bool) -> ConcreteFunction:
        specs = self._specs(values)
        key = key_of(specs if self._signature.specs is not None else values)
        found = self._traces.get(key)
        if found is None and self._relax:
            found = self._fitting(values)
        if found is None:
            if self._relax and self._general:
                specs = self._widened(values, specs)
            found = self._traced(values, specs)
            self._traces[key] = found
            self._general.append((specs, found))
            if called:
                self._detector.traced(self._python_function, self._relax)
        elif called:
            self._detector.not_traced()
        return found

    def _specs(self, values: dict) -> dict:
        """The arguments with specs in the places of tensors."""
        given = self._signature.specs or {}

        def leaf_of(spec: Any) -> Any:
            left = iter(list(leaves(spec))) if spec is not None else None

            def leaf(v: Any) -> Any:
                want = next(left, None) if left is not None else None
                if isinstance(want, TensorSpec):
                    return want
                return spec_of(v) if isinstance(v, EagerTensor) else v

            return leaf

        return {k: mapped(v, leaf_of(given.get(k))) for k, v in values.items()}

    def _fitting(self, values: dict) -> ConcreteFunction | None:
        """A trace with open sizes that takes the arguments."""
        mine = self._specs(values)
        return next((f for specs, f in self._general if _takes(specs, mine)), None)

    def _widened(self, values: dict, specs: dict) -> dict:
        """Specs with the sizes open in which the arguments differ from those of an earlier trace."""
        for earlier, _ in self._general:
            if _shapeless(earlier) == _shapeless(specs):
                left = iter(list(leaves(earlier)))

                def leaf(v: Any, left: Any = left) -> Any:
                    old = next(left)
                    return _wider(old, v) if isinstance(v, TensorSpec) else v

                return mapped(specs, leaf)
        return specs

    def _traced(self, values: dict, specs: dict) -> ConcreteFunction:
        created: list[Any] = []
        made = self._trace_once(values, specs, None if self._made_variables else created.append)
        first, self._has_traces = not self._has_traces, True
        if created:
            self._made_variables = True
            if not first:
                raise ValueError("Creating variables on a non-first call to a function decorated with tf.function.")
            made = self._trace_once(values, specs, None)
        return made

    def _trace_once(self, values: dict, specs: dict, may_create: Any) -> ConcreteFunction:
        parent = graph_being_built()
        label = getattr(self._python_function, "__name__", "f")
        name = f"__inference_{label}_{next(_NUMBERS)}"
        graph = Graph(label, _worlds(parent, specs), parent)
        graph.may_create = may_create
        parameters = _parameters(graph, values, specs, parent)
        body = self.body()
        try:
            with building(graph):
                args, kwargs = self._signature.call_arguments(parameters)
                returned = body(*args, **kwargs)
                returned = mapped(returned, functools.partial(_as_output, self._python_function))
                graph.finish(returned)
        except OpError as error:
            raise while_running(error, name) from error.__cause__
        self._count += 1
        return ConcreteFunction(graph, self._signature, specs, returned, name)

    def body(self) -> Any:
        """What is traced: the Python function, with its own control flow made into that of a graph."""
        if not self._autograph:
            return self._python_function
        from ..autograph.calls import converted

        return converted(self._python_function, entry=True)


class _Held(Function):
    """A function of an instance, which lives as long as this does; all else it shares with the one that is kept."""

    __slots__ = ("_instance",)


def _held(function: Function, instance: Any) -> Function:
    known = function.__dict__.get("_handed_out")
    held = known() if known is not None else None
    if held is None:
        held = object.__new__(_Held)
        held.__dict__, held._instance = function.__dict__, instance
        function.__dict__["_handed_out"] = weakref.ref(held)
    return held


_Held.__name__ = "Function"


def _forget(bound: dict, key: int, _reference: Any) -> None:
    bound.pop(key, None)


class _Method:
    """A method of an instance that may die before it."""

    def __init__(self, function: Any, alive: Any):
        self.__func__, self._alive = function, alive
        self.__name__ = getattr(function, "__name__", "f")

    @property
    def __self__(self) -> Any:
        return self._alive()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__func__(self._alive(), *args, **kwargs)


def _worlds(parent: Any, specs: dict) -> list[World]:
    if parent is not None:
        return [World(w.resources, w.values) for w in parent.worlds]
    resources: list = []
    return [World(resources) for _ in range(2 if open_sizes(specs) else 1)]


def _parameters(graph: Graph, values: dict, specs: dict, parent: Any) -> dict:
    """Symbols for the arguments."""
    shapes: list = []
    flat_specs = list(leaves(specs))

    def seen(value: Any, spec: Any, world: int) -> Any:
        if isinstance(value, SymbolicTensor):
            return parent.envs[world][parent.slot_of(value)]
        return example(value, spec if isinstance(spec, TensorSpec) else None, world)

    parameters = {}
    for name, value in values.items():
        count = len(list(leaves(value)))
        mine, flat_specs = flat_specs[:count], flat_specs[count:]
        shapes = [s.shape._dims if isinstance(s, TensorSpec) else None for s in mine]
        nests = []
        for w in range(len(graph.worlds)):
            left = iter(mine)
            nests.append(mapped(value, lambda v, left=left, w=w: seen(v, next(left), w)))
        parameters[name] = graph.parameters(nests, name, shapes)
    return parameters


def _as_output(where: Any, value: Any) -> Any:
    """What a function returns, as a tensor; None stays."""
    if value is None or isinstance(value, SymbolicTensor):
        return value
    if isinstance(value, ResourceVariable) or type(value) is EagerTensor:
        return convert_to_tensor(value)
    if hasattr(type(value), "_elements_") or isinstance(value, GraphObject):
        return value
    try:
        if isinstance(value, (set, frozenset, type)) or callable(value):
            raise TypeError
        return convert_to_tensor(value)
    except (TypeError, ValueError):
        raise TypeError(
            "To be compatible with tf.function, Python functions must return zero or more Tensors or ExtensionTypes or "
            f"None values; in compilation of {where}, found return value of type {type(value).__name__}, which is not "
            "a Tensor or ExtensionType."
        ) from None


def _takes(general: Any, special: Any) -> bool:
    """True when specs (in equal nests) cover others."""
    if _shapeless(general) != _shapeless(special):
        return False
    pairs = zip(leaves(general), leaves(special))
    return all(a.takes(b) for a, b in pairs if isinstance(a, TensorSpec))


def _shapeless(specs: Any) -> Any:
    return key_of(mapped(specs, lambda v: TensorSpec(None, v.dtype) if isinstance(v, TensorSpec) else v))


def _wider(old: TensorSpec, new: TensorSpec) -> TensorSpec:
    if old.shape.rank is None or old.shape.rank != new.shape.rank:
        return TensorSpec(None, new.dtype)
    sizes = [a if a == b else None for a, b in zip(old.shape.as_list(), new.shape.as_list())]
    return TensorSpec(sizes, new.dtype)
