"""ConcreteFunction: one trace of a function, callable with tensors of its dtypes and shapes."""

from __future__ import annotations

from typing import Any

from ..dtypes import kernel_name
from ..errors import InvalidArgumentError, OpError
from ..foundation.building import Building
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from ..tensors.variable import ResourceVariable
from .call import call
from .graph_errors import while_running
from .regions import GraphRegion
from .signature import conformed, type_text
from .spec import TensorSpec
from .structure import leaves, mapped, original
from .symbols import SymbolicTensor


class ConcreteFunction:
    """A traced function.  Called with the arguments of the Python function, or with its tensors alone."""

    def __init__(self, graph: Any, signature: Any, specs: dict, returned: Any, name: str):
        self._graph, self._signature, self._specs, self._returned = graph, signature, specs, returned
        self._name = name
        self._region = GraphRegion(graph, static=all(s.shape.is_fully_defined() for s in self.inputs))

    # ------------------------------------------------------------------------------------ what it is

    @property
    def name(self) -> bytes:
        """The name of the function in error messages."""
        return self._name.encode()

    @property
    def graph(self) -> Any:
        """The graph."""
        return self._graph

    @property
    def structured_input_signature(self) -> tuple[tuple, dict]:
        """The arguments, with a TensorSpec for each tensor."""
        positional, keywords = self._signature.call_arguments(self._named_specs())
        return tuple(positional), keywords

    @property
    def structured_outputs(self) -> Any:
        """What the function returns, with symbolic tensors."""
        return self._returned

    @property
    def inputs(self) -> list:
        """The specs of the tensors it takes."""
        return [s for s in leaves(self._named_specs()) if isinstance(s, TensorSpec)]

    @property
    def outputs(self) -> list:
        """The symbolic tensors it returns."""
        return [t for t in leaves(self._returned) if isinstance(t, SymbolicTensor)]

    @property
    def captured_inputs(self) -> list:
        """The tensors and variables' handles from outside that it uses."""
        return [x._handle if isinstance(x, ResourceVariable) else x for x in self._graph.externals]

    @property
    def variables(self) -> tuple:
        """The variables it uses that are not arguments."""
        return tuple(original(x) for x in self._graph.externals if isinstance(x, ResourceVariable))

    @property
    def trainable_variables(self) -> tuple:
        """Those of the variables that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    def _named_specs(self) -> dict:
        def named(name: str, spec: Any) -> Any:
            return mapped(
                spec, lambda s: TensorSpec(s.shape, s.dtype, s.name or name) if isinstance(s, TensorSpec) else s
            )

        return {k: named(k, v) for k, v in self._specs.items()}

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self._shown()} at 0x{id(self):X}>"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def _shown(self) -> str:
        inputs = ", ".join(f"{k}: {type_text(v)}" for k, v in self._specs.items())
        return f"({inputs}) -> {type_text(mapped(self._returned, _spec_or_value))}"

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The parameters, results and captures in words."""
        lines = [f"  {k} (POSITIONAL_OR_KEYWORD): {type_text(v)}" for k, v in self._specs.items()] or ["  None"]
        output = type_text(mapped(self._returned, _spec_or_value))
        captures = [f"  {id(x)}: {type_text(_spec_or_value(x))}" for x in self._graph.externals] or ["  None"]
        return "\n".join(["Input Parameters:", *lines, "Output Type:", f"  {output}", "Captures:", *captures])

    # ------------------------------------------------------------------------------------ calls

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._call_values(self._bound(args, kwargs))
        except _Misfit as error:
            flat = self._flat_arguments(args, kwargs, error)
            return self._run(flat)

    def _bound(self, args: tuple, kwargs: dict) -> dict:
        try:
            bound = self._signature.python.bind(*args, **kwargs)
            bound.apply_defaults()
            values = dict(bound.arguments)
            for name, spec in self._specs.items():
                if not isinstance(spec, TensorSpec) and name in values:
                    _check_literal(spec, values[name])
            return {k: conformed(v, self._specs.get(k), self._tensor) for k, v in values.items()}
        except (TypeError, ValueError) as error:
            raise _Misfit(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and kwargs: {kwargs} "
                f"for signature: {self._shown()}."
            ) from None

    def _flat_arguments(self, args: tuple, kwargs: dict, why: Exception) -> list:
        """The tensors, given by position or by the names of their specs."""
        names = [s.name for s in self.inputs]
        title = f"{self._graph.name}({', '.join(names)})"
        given = dict(zip(names, args))
        missing = [n for n in names if n not in given and n not in kwargs]
        if len(args) > len(names):
            problem = f"{title} takes {len(names)} positional arguments, got {len(args)}."
        elif missing:
            problem = f"{title} missing required arguments: {', '.join(missing)}."
        else:
            merged = {**given, **kwargs}
            flat = [merged[n] for n in names]
            wrong = [k for k, x in enumerate(flat) if not isinstance(x, (EagerTensor, ResourceVariable))]
            if not wrong:
                return [self._tensor(x, s) for x, s in zip(flat, self.inputs)]
            got = flat[wrong[0]]
            what = f"{type(got).__name__} ({got})"
            problem = f"{title}: expected argument #{wrong[0]}(zero-based) to be a Tensor; got {what}."
        raise TypeError(f"{why}\nFallback to flat signature also failed due to: {problem}") from None

    def _tensor(self, value: Any, spec: TensorSpec) -> Any:
        if isinstance(value, EagerTensor):
            return value
        made = convert_to_tensor(value, dtype=spec.dtype)
        if not spec.takes(TensorSpec(made.shape, made.dtype)):
            have, want = TensorSpec(made.shape, made.dtype), TensorSpec(spec.shape, spec.dtype)
            raise TypeError(f"Can not cast {have} to {want}")
        return made

    def _call_values(self, values: dict) -> Any:
        flat_specs = iter(list(leaves(self._specs)))
        flat = []
        for value in values.values():
            for leaf in leaves(value):
                spec = next(flat_specs, None)
                if isinstance(spec, TensorSpec) or isinstance(leaf, ResourceVariable) or hasattr(leaf, "_trace_key_"):
                    flat.append(leaf)
        return self._run(flat)

    def _run(self, flat: list) -> Any:
        self._check(flat)
        if type(active.cur) is Building:
            return call(self._region, [*flat, *self._graph.externals])
        try:
            return call(self._region, [*flat, *self._graph.externals])
        except OpError as error:
            raise while_running(error, self._name) from error.__cause__

    def _check(self, flat: list) -> None:
        tensors = [x for x in flat if type(x) is EagerTensor]
        for k, (x, spec) in enumerate(zip(tensors, self.inputs)):
            if x.dtype is not spec.dtype:
                want, got = kernel_name(spec.dtype.numpy), kernel_name(x._a.dtype)
                raise InvalidArgumentError(
                    None, None,
                    f"cannot compute {self._name} as input #{k}(zero-based) was expected to be a {want} tensor but is "
                    f"a {got} tensor [Op:{self._name}]",
                )  # fmt: skip


class _Misfit(TypeError):
    """Arguments do not fit the Python function's parameters."""


def _check_literal(want: Any, got: Any) -> None:
    """TypeError when a Python value is not the one of the trace."""
    flat = (int, float, bool, complex, str, bytes, type(None))
    for a, b in zip(leaves(want), leaves(got)):
        if isinstance(a, flat) and not isinstance(a, TensorSpec) and isinstance(b, flat) and a != b:
            raise TypeError(f"Can not cast {b!r} to Literal[{a!r}]")


def _spec_or_value(value: Any) -> Any:
    if isinstance(value, (EagerTensor, ResourceVariable)):
        return TensorSpec(value.shape, value.dtype)
    return value
