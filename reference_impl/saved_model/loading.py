"""``load``: a saved model back into objects, variables and functions."""

from __future__ import annotations

import inspect
import os
from typing import Any

from ..ops.declare import Op
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor
from ..tensors.variable import ResourceVariable
from ..tracing.concrete import ConcreteFunction
from ..tracing.graph import Graph
from ..tracing.polymorphic import Function
from ..tracing.signature import Signature
from ..tracing.spec import TensorSpec, spec_of
from ..tracing.steps import Step
from ..tracing.structure import leaves
from .callables import function_named
from .files import bad_file, read_folder, taken
from .gradients import LoadedGradient, LoadedRecord
from .values import Reader

_DAMAGED = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OverflowError, MemoryError)


class _UserObject:
    """An object of a saved model: what hung on it, without its class."""

    def _tracked_(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "signatures"}


class _Callable(_UserObject):
    """A saved object with a traced ``__call__``."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return vars(self)["__call__"](*args, **kwargs)


_Callable.__name__ = _Callable.__qualname__ = _UserObject.__name__


class _SignatureMap(dict):
    """The signatures of a saved model, by name."""

    def __repr__(self) -> str:
        return f"_SignatureMap({dict.__repr__(self)})"


def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """The object saved in a folder: its variables, containers and functions are attributes.

    OSError for a folder without a saved model and for a file that is damaged, foreign or of a newer version.
    """
    content, arrays, path = read_folder(os.fspath(export_dir))
    try:
        return _Loader(content, arrays).root()
    except _DAMAGED as error:
        raise bad_file(path, f"it is damaged ({type(error).__name__}: {error})") from None


class _Loader:
    def __init__(self, content: dict, arrays: dict):
        self._content, self._arrays = content, arrays
        self._graphs: dict[int, Graph] = {}
        self._reader = Reader(arrays, self._graph)
        self._objects: list[Any] = []

    def root(self) -> Any:
        """The object that was saved."""
        said = self._content["objects"]
        self._objects = [self._made(s) for s in said]
        concretes = [self._concrete(c) for c in self._content["functions"]]
        for made, s in zip(self._objects, said):
            if isinstance(made, RestoredFunction):
                made.concretes.extend(concretes[k] for k in s["concretes"])
        finished: dict[int, Any] = {}
        root = self._finished(0, finished, ())
        if isinstance(root, _UserObject):
            signed = {name: _Signed(concretes[k]) for name, k in self._content["signatures"].items()}
            root.signatures = _SignatureMap(signed)
        return root

    def _made(self, said: dict) -> Any:
        kind = said["kind"]
        if kind == "variable":
            shape = self._reader.read(said["shape"])
            value, name = taken(said["value"], self._arrays), str(said["name"])
            open_shape = None if TensorShape(value.shape) == shape else shape
            made = ResourceVariable(value, trainable=bool(said["trainable"]), shape=open_shape)
            made._name = made._handle._a.name = name
            return made
        if kind == "function":
            return RestoredFunction(str(said["name"]), self._signature(said))
        if kind not in ("object", "list", "tuple", "dict"):
            raise ValueError(f"{kind!r} is no kind of object")
        if kind != "object":
            return None
        return _Callable() if "__call__" in said["children"] else _UserObject()

    def _finished(self, number: int, finished: dict[int, Any], above: tuple[int, ...]) -> Any:
        """An object with what hangs on it."""
        if number in finished:
            return finished[number]
        said, made = self._content["objects"][number], self._objects[number]
        if "children" not in said:
            return made
        if isinstance(made, _UserObject):
            finished[number] = made
        elif number in above:
            raise ValueError("a container is inside itself")
        inside = {str(k): self._finished(n, finished, (*above, number)) for k, n in said["children"].items()}
        if isinstance(made, _UserObject):
            for name, child in inside.items():
                setattr(made, name, child)
            return made
        values = list(inside.values())
        finished[number] = inside if said["kind"] == "dict" else tuple(values) if said["kind"] == "tuple" else values
        return finished[number]

    # ------------------------------------------------------------------------------------ functions

    def _signature(self, said: dict) -> Signature:
        parameters = []
        for row in said["parameters"]:
            default = inspect.Parameter.empty
            if row.get("default") is not None:
                default = self._reader.read(row["default"]["value"])
            kind = list(inspect._ParameterKind)[row["kind"]]
            parameters.append(inspect.Parameter(str(row["name"]), kind, default=default))
        made = object.__new__(Signature)
        made.python = inspect.Signature(parameters)
        made.names = [p.name for p in parameters]
        made.specs = self._reader.read(said["specs"])
        return made

    def _concrete(self, said: dict) -> ConcreteFunction:
        graph = _with_captures(self._graph(said["graph"]), [self._capture(c) for c in said["captures"]])
        specs, returns = self._reader.read(said["specs"]), self._reader.read(said["returns"])
        return ConcreteFunction(graph, self._signature(said["parameters"]), specs, returns, str(said["name"]))

    def _capture(self, said: Any) -> Any:
        if type(said) is list and said[0] == "object":
            variable = self._objects[said[1]]
            if not isinstance(variable, ResourceVariable):
                raise ValueError(f"the object {said[1]} is no variable")
            return variable
        return self._reader.read(said)

    def _graph(self, number: int) -> Graph:
        if number not in self._graphs:
            said = self._content["graphs"][number]
            made = self._graphs[number] = Graph(str(said["name"]), [])
            self._fill(made, said)
        return self._graphs[number]

    def _fill(self, graph: Graph, said: dict) -> None:
        graph.size, graph.inputs = int(said["size"]), [int(i) for i in said["inputs"]]
        if not 0 <= graph.size <= 10_000_000 or any(not 0 <= i < graph.size for i in graph.inputs):
            raise ValueError("a graph has slots out of range")
        graph.constants = [(int(slot), self._reader.read(value)) for slot, value in said["constants"]]
        graph.steps = [self._step(s) for s in said["steps"]]
        graph.returns = self._reader.read(said["returns"])
        graph.finished = True
        graph.envs = []

    def _step(self, said: dict) -> Any:
        if "record" in said:
            return self._record(said)
        args, kwargs = self._reader.read(said["args"]), self._reader.read(said.get("kwargs", ["dict"]))
        function = function_named(said["call"])
        if said["call"] == "op" and not isinstance(args[0], Op):
            raise ValueError("a step runs an op that is none")
        step = Step(function, args, kwargs)
        step.out = self._reader.read(said["out"])
        step.makes_object = bool(said.get("object", False))
        return step

    def _record(self, said: dict) -> LoadedRecord:
        inputs, outputs = (self._reader.read(said["record"][k]) for k in ("inputs", "outputs"))
        saved = None
        if "gradient" in said:
            number, outside = said["gradient"]
            things = [self._capture(x) for x in outside[1:]]
            saved = LoadedGradient(self._graph(number), things)
        return LoadedRecord(inputs, outputs, str(said.get("key", "")), saved)


def _by_name(returned: Any) -> Any:
    """Results with dicts in the order of their keys, as a loaded function gives them."""
    if isinstance(returned, dict):
        return {k: _by_name(returned[k]) for k in sorted(returned)}
    if type(returned) in (list, tuple):
        return type(returned)(_by_name(v) for v in returned)
    return returned


def _with_captures(graph: Graph, captures: list) -> Graph:
    graph.externals = captures
    return graph


class RestoredFunction(Function):
    """A function of a saved model: it has the traces that were saved, and makes no others."""

    def __init__(self, name: str, signature: Signature):
        self.__name__ = name
        self._signature = signature
        self._input_signature = None if signature.specs is None else list(signature.specs.values())
        self.concretes: list[ConcreteFunction] = []

    @property
    def _traces(self) -> dict:  # type: ignore[override]
        return dict(enumerate(self.concretes))

    def __get__(self, instance: Any, owner: Any = None) -> RestoredFunction:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = self._signature.bind(args, kwargs)
        return _by_name(self._chosen(values)._call_values(values))

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for arguments, which may be TensorSpecs; the only one, without arguments."""
        if not args and not kwargs and len(self.concretes) == 1:
            return self.concretes[0]
        return self._chosen(self._signature.bind(args, kwargs))

    def _chosen(self, values: dict) -> ConcreteFunction:
        for function in self.concretes:
            if _fits(function._specs, values):
                return function
        raise ValueError(self._no_match(values))

    def _no_match(self, values: dict) -> str:
        if not self.concretes:
            return "Found zero restored functions for caller function."
        text = (
            f"Could not find matching concrete function to call loaded from the SavedModel. Got:\n{_listed(values)}\n\n"
        )
        text += f" Expected these arguments to match one of the following {len(self.concretes)} option(s):"
        for k, function in enumerate(self.concretes):
            text += f"\n\nOption {k + 1}:\n{_listed(function._named_specs())}"
        return text

    def __repr__(self) -> str:
        return f"<reference_impl.saved_model.loading.RestoredFunction {self.__name__}>"


def _listed(values: dict) -> str:
    lines = [f"    * {_shown(name, v)}" for name, v in values.items()]
    return "\n".join([f"  Positional arguments ({len(values)} total):", *lines, "  Keyword arguments: {}"])


def _shown(name: str, value: Any) -> str:
    """A tensor as what it is inside the loaded function, a placeholder; everything else as it is."""
    if type(value) is not EagerTensor:
        return repr(value)
    return f"<tf.Tensor '{name}:0' shape={value.shape} dtype={value.dtype.name}>"


def _fits(specs: Any, values: Any) -> bool:
    wanted, given = list(leaves(specs)), list(leaves(values))
    if len(wanted) != len(given) or list(specs) != list(values):
        return False
    return all(_leaf_fits(want, got) for want, got in zip(wanted, given))


def _leaf_fits(want: Any, got: Any) -> bool:
    if not isinstance(want, TensorSpec):
        return type(want) is type(got) and want == got
    if isinstance(got, TensorSpec):
        return want.takes(got)
    if isinstance(got, (bool, int, float, complex)):
        return want.shape.is_compatible_with(())
    return hasattr(got, "shape") and hasattr(got, "dtype") and want.takes(spec_of(got))


class _Signed:
    """A function as a signature: keywords in, a dict of outputs out."""

    def __init__(self, function: ConcreteFunction):
        self._function = function
        outputs = [s for s in leaves(function._returned) if isinstance(s, TensorSpec)]
        named = function._returned if isinstance(function._returned, dict) else None
        named = named or {f"output_{k}": s for k, s in enumerate(outputs)}
        self.structured_outputs = {
            k: TensorSpec(s.shape, s.dtype, k) if isinstance(s, TensorSpec) else s for k, s in sorted(named.items())
        }

    def __call__(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        result = _by_name(self._function(*args, **kwargs))
        if isinstance(result, dict):
            return result
        return {f"output_{k}": t for k, t in enumerate(leaves(result))}

    @property
    def structured_input_signature(self) -> Any:
        """The arguments, with a TensorSpec for each tensor."""
        return self._function.structured_input_signature
