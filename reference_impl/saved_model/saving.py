"""``save``: objects, functions and graphs into the JSON of a saved model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..tensors.tensor import EagerTensor
from ..tensors.variable import ResourceVariable
from ..tracing.concrete import ConcreteFunction
from ..tracing.polymorphic import Function
from ..tracing.signature import example
from ..tracing.spec import TensorSpec
from ..tracing.steps import Slot
from ..tracing.structure import leaves, mapped, original
from ..tracing.symbols import GraphObject, SymbolicTensor
from ..tracing.user_gradients import RecordStep
from . import gradients, trackables
from .callables import name_of
from .files import Arrays, write_folder
from .values import Writer

_UNTRACKED = (
    "Tried to export a function which references an 'untracked' resource. TensorFlow objects (e.g. tf.Variable) "
    "captured by functions must be 'tracked' by assigning them to an attribute of a tracked object or assigned to an "
    "attribute of the main object directly. The function {!r} references {!r}."
)


class SaveOptions:
    """``experimental_custom_gradients``: whether the graphs of users' gradient functions are saved too."""

    def __init__(self, experimental_custom_gradients: bool = True, **others: Any):
        self.experimental_custom_gradients = experimental_custom_gradients
        self.others = others


class LoadOptions:
    """Takes what TensorFlow's takes; changes nothing."""

    def __init__(self, **options: Any):
        self.options = options


def save(obj: Any, export_dir: Any, signatures: Any = None, options: SaveOptions | None = None) -> None:
    """Write a module with its variables, traced functions and what hangs on it to a folder.

    ``signatures`` is a function, or a dict of functions by name; without it, the one function of the module that has an
    input signature, if there is just one.  ValueError for what cannot be saved, AssertionError
    for functions that use variables which do not hang on the module.  Nothing is written unless all can be.
    """
    if not trackables.is_trackable(obj) and not trackables.is_object(obj):
        raise ValueError(
            "Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the `Trackable` class, for "
            f"export. Got {obj} with type {type(obj)}."
        )
    saver = _Saver((options or SaveOptions()).experimental_custom_gradients)
    content = saver.content(obj, _signatures(signatures, obj))
    write_folder(os.fspath(export_dir), content, saver.arrays)


def _signatures(given: Any, obj: Any) -> dict[str, ConcreteFunction]:
    if given is None:
        there = [*dict(trackables.functions(obj)).values(), *dict(trackables.children(obj)).values()]
        signed = [f for f in there if isinstance(f, Function) and f._signature.specs is not None]
        concretes = [c for f in signed if _names_outputs(c := f.get_concrete_function())]
        return {"serving_default": concretes[0]} if len(concretes) == 1 else {}
    named = dict(given) if isinstance(given, Mapping) else {"serving_default": given}
    return {k: f if isinstance(f, ConcreteFunction) else f.get_concrete_function() for k, f in named.items()}


def _names_outputs(function: ConcreteFunction) -> bool:
    """Whether what a function returns is a tensor, or tensors in one list or dict."""
    returned = function._returned
    values = returned.values() if isinstance(returned, dict) else returned
    parts = list(values) if isinstance(returned, (dict, list, tuple)) else [returned]
    return all(isinstance(part, (TensorSpec, EagerTensor)) for part in parts)


class _Saver:
    """Numbers objects, functions and graphs, and writes each once."""

    def __init__(self, custom_gradients: bool):
        self.custom_gradients = custom_gradients
        self.arrays = Arrays()
        self.writer = Writer(self.arrays, self._graph_number)
        self.objects: list[Any] = []
        self.object_numbers: dict[int, int] = {}
        self.said: list[Any] = []
        self.concretes: list[Any] = []
        self.graphs: list[Any] = []
        self.graph_numbers: dict[int, int] = {}
        self.saved_graphs: list[Any] = []  # keeps the ids above valid

    def content(self, root: Any, signatures: dict[str, ConcreteFunction]) -> dict:
        """The whole JSON of a saved model."""
        self._number(root)
        for value in self.objects:  # grows while it is gone through
            self.said.append(self._object(value))
        for said, value in zip(self.said, self.objects):
            if isinstance(value, (Function, ConcreteFunction)):
                said["concretes"] = [self._concrete(c) for c in _traces(value)]
        signed = {name: self._concrete(c) for name, c in signatures.items()}
        return {"objects": self.said, "functions": self.concretes, "graphs": self.graphs, "signatures": signed}

    def _number(self, value: Any) -> int:
        value = _known_by(value)
        number = self.object_numbers.get(id(value))
        if number is None:
            number = self.object_numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        return number

    def _object(self, value: Any) -> dict:
        if isinstance(value, ResourceVariable):
            return {
                "kind": "variable", "value": self.arrays.put(value._peek()), "trainable": value.trainable,
                "name": value._name, "shape": self.writer.write(value.shape),
            }  # fmt: skip
        if isinstance(value, (Function, ConcreteFunction)):
            return {"kind": "function", **self._parameters(value)}
        kind = {list: "list", tuple: "tuple", dict: "dict"}.get(_plain_type(value), "object")
        pairs = dict(trackables.children(value))
        if kind == "object":
            pairs.update(trackables.functions(value))
        return {"kind": kind, "children": {name: self._number(child) for name, child in pairs.items()}}

    def _parameters(self, function: Any) -> dict:
        signature = function._signature
        rows = []
        for p in signature.python.parameters.values():
            row: dict[str, Any] = {"name": p.name, "kind": int(p.kind)}
            if p.default is not p.empty:
                row["default"] = self._literal(p.default)
            rows.append(row)
        specs = None if signature.specs is None else self.writer.write(dict(signature.specs))
        return {"name": _name_of(function), "parameters": rows, "specs": specs}

    def _literal(self, value: Any) -> Any:
        """A default as JSON; one that has no JSON can only be missing then."""
        try:
            return {"value": self.writer.write(value)}
        except ValueError:
            return None

    # ------------------------------------------------------------------------------------ graphs

    def _concrete(self, function: ConcreteFunction) -> int:
        if self.custom_gradients:
            _trace_gradients(function)
        graph = function._graph
        if graph.arguments:
            raise ValueError(f"a function with variables as arguments cannot be saved: {graph.name}")
        self.concretes.append(
            {
                "name": function._name,
                "graph": self._graph_number(graph),
                "parameters": self._parameters(function),
                "specs": self.writer.write(function._specs),
                "captures": [self._capture(x, graph.name) for x in graph.externals],
                "returns": self.writer.write(mapped(function._returned, _as_spec)),
            }
        )
        return len(self.concretes) - 1

    def _capture(self, value: Any, where: str) -> list:
        if isinstance(value, ResourceVariable):
            number = self.object_numbers.get(id(_known_by(value)))
            if number is None:
                raise AssertionError(_UNTRACKED.format(where, value))
            return ["object", number]
        if type(value) is not EagerTensor:
            raise ValueError(f"the function {where!r} captures {value!r}, which cannot be saved")
        return self.writer.write(value)

    def _graph_number(self, graph: Any) -> int:
        number = self.graph_numbers.get(id(graph))
        if number is None:
            number = self.graph_numbers[id(graph)] = len(self.graphs)
            self.saved_graphs.append(graph)
            self.graphs.append(None)
            self.graphs[number] = self._graph(graph)
        return number

    def _graph(self, graph: Any) -> dict:
        return {
            "name": graph.name, "size": graph.size, "inputs": list(graph.inputs),
            "constants": [[slot, self.writer.write(value)] for slot, value in graph.constants],
            "steps": [self._step(graph, step) for step in graph.steps],
            "returns": self.writer.write(graph.returns),
        }  # fmt: skip

    def _step(self, graph: Any, step: Any) -> dict:
        if isinstance(step, RecordStep) or not hasattr(step, "function"):
            return self._record(graph, step)
        said = {
            "call": name_of(step.function),
            "args": self.writer.write(step.args),
            "out": self.writer.write(step.out),
        }
        if step.kwargs:
            said["kwargs"] = self.writer.write(step.kwargs)
        if step.makes_object:
            said["object"] = True
        return said

    def _record(self, graph: Any, step: Any) -> dict:
        gradient = step.gradient
        said: dict[str, Any] = {
            "record": {
                "inputs": self.writer.write(tuple(step.inputs)),
                "outputs": self.writer.write(tuple(step.outputs)),
            }
        }
        if isinstance(gradient, gradients.LoadedGradient):
            said["gradient"] = [self._graph_number(gradient.graph), self.writer.write(gradient.outside)]
        elif not isinstance(gradient, gradients.MissingGradient):
            said["key"] = gradients.key_of(gradient)
            traced = next(iter(gradient.traced.values()), None)
            if self.custom_gradients and traced is not None:
                outside = [self._outside(gradient, x, traced.name) for x in traced.externals]
                said["gradient"] = [self._graph_number(traced), ["list", *outside]]
        return said

    def _outside(self, gradient: Any, external: Any, where: str) -> Any:
        """What a gradient graph captured: a slot of the graph around it, or a constant."""
        owner = gradient.graph
        if isinstance(external, (SymbolicTensor, GraphObject)):
            slot = external._slot if external._graph is owner else owner.captured(external)
        else:
            slot = owner.place_of(external)
        return self._capture(external, where) if slot is None else self.writer.write(Slot(slot))


def _name_of(function: Any) -> str:
    if isinstance(function, ConcreteFunction):
        return str(function._graph.name)
    python = getattr(function, "_python_function", function)
    return str(getattr(python, "__name__", getattr(function, "__name__", "f")))


def _known_by(value: Any) -> Any:
    variable = trackables.inner_variable(value)
    return value if variable is None else original(variable)


def _plain_type(value: Any) -> type:
    return next((kind for kind in (list, tuple, dict) if isinstance(value, kind)), object)


def _as_spec(value: Any) -> Any:
    return (
        TensorSpec(value.shape, value.dtype, value.name.partition(":")[0])
        if isinstance(value, SymbolicTensor)
        else value
    )


def _traces(function: Any) -> list[ConcreteFunction]:
    """The traces of a function; one with an input signature is traced for it if it was not."""
    if isinstance(function, ConcreteFunction):
        return [function]
    if not function._traces and function._signature.specs is not None:
        function.get_concrete_function()
    return list(function._traces.values())


def _trace_gradients(function: ConcreteFunction) -> None:
    """Have the gradient functions in a graph traced, by a gradient on made-up arguments that changes nothing."""
    from ..tracing.regions import Derivative
    from ..tracing.steps import World

    flat = [example(None, s, 0) for s in leaves(function._specs) if isinstance(s, TensorSpec)]
    values = [*flat, *function._graph.externals]
    storage = [x._handle._a for x in values if isinstance(x, ResourceVariable)]
    try:
        with World(storage):
            outputs = [t for t in leaves(function._region.run(values)) if type(t) is EagerTensor]
            upstream = [t for t in outputs if t.dtype.is_floating or t.dtype.is_complex]
            Derivative(function._region, [True] * len(values), True).run([values, upstream])
    except Exception:  # whatever a function may raise on made-up arguments; its gradients are then not saved
        return
