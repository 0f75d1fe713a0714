"""Graph: a Python function's calls, written down once with symbolic tensors and repeated with real ones.

A graph is a list of steps.  A step is a call of a public function or method, with slots in the places of tensors; its
results go into slots.  ``run`` repeats the steps: the very functions run that would run without a graph, on tapes
too, which are made, entered and asked anew each time.

While it is built a graph carries *worlds*: values for which every step is carried out at once, so that shapes, dtypes,
errors and the structure of results are known (an unconnected gradient is None).  The first world has the values of the
first call.  There is a second one, with other sizes, when a signature leaves sizes open: what differs is unknown.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import InaccessibleTensorError
from ..foundation.building import Building
from ..foundation.warnings_log import said_before
from ..tapes.recording import active
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable, _UnreadVariable, unread
from .failed_steps import FAILED, in_spite_of, otherwise
from .graph_errors import check_call
from .invented import fit, forget_shapes, makes_unknown, resized
from .naming import label_of
from .sizes import Sizes, second_world
from .steps import Slot, Step, World, carried_out, filled, leaves_of, slots_in
from .structure import Bound, bound, mapped, original
from .symbols import (
    GraphObject,
    SymbolicTensor,
    object_kind,
    out_of_branch,
    out_of_scope,
    tuple_of,
)

_PACKAGE = os.path.dirname(os.path.dirname(__file__))


class Graph:
    """The calls of one function.  ``call`` adds one; ``run`` repeats them all."""

    def __init__(self, name: str, worlds: list[World], parent: Graph | None = None, parent_envs: Any = None):
        self.name, self.worlds, self.parent = name, worlds, parent
        self.static = len(worlds) == 1  # all shapes are known
        self.given_envs = parent_envs is not None
        self.parent_envs = parent.envs if parent is not None and parent_envs is None else parent_envs
        self.root: Graph = self if parent is None else parent.root
        self.steps: list[Step] = []
        self.size = 0
        self.constants: list[tuple[int, Any]] = []
        self.inputs: list[int] = []  # slots of the parameters, then of what is captured
        self.externals: list[Any] = []  # what is captured
        self.late: list[Any] = []  # what only gradient functions read, which were traced when the graph was finished
        self.late_slots: list[int] = []
        self.structure: Any = None  # what is returned, with symbols
        self.returns: Any = None  # the same with slots
        self.finished = self.returning = False
        self.invented = False  # whether results of Python functions are among its values, or those of graphs in it
        self.checking = active.checking and "graph"  # whether its ops raise where they make inf or nan
        self.branch = False  # of ``cond`` and its like
        self.loops = False  # the body of a loop
        self.may_create: Callable[[Any], None] | None = None if parent is None else parent.may_create
        self.arguments: list[Any] = []  # variables that are parameters
        self.labels: dict[str, int] = {}
        self.envs: list[list] = [[] for _ in worlds]
        self._slots: dict[int, int] = {}  # id of a captured thing -> slot
        self._symbols: dict[int, Any] = {}  # id of the first world's value -> its symbol
        self._sizes = Sizes()

    # ------------------------------------------------------------------------------------ building

    def call(self, function: Any, args: tuple, kwargs: dict, label: str | None = None) -> Any:
        """Add a call, and return its result with symbols in the places of tensors."""
        kwargs = {k: v for k, v in kwargs.items() if not (k == "name" and v is None)}
        check_call(function, args, kwargs)
        step = Step(function, mapped(args, self.placed), mapped(kwargs, self.placed))
        label = label or label_of(function)
        results: list[Any] = []
        sizing = self._sizes.deciding(step, args, self.envs[0])
        if sizing is not None and len(self.worlds) == 1:
            self.open_sizes()
        for world, env in zip(self.worlds, self.envs):
            if self.root.invented:
                fit(step, env)
            try:
                if results and sizing is not None:
                    results.append(self._sizes.with_others(step, world, self.envs, sizing, results[0]))
                else:
                    results.append(carried_out(step, world, env))
            except Exception as error:
                if results:
                    results.append(otherwise(step, world, env, args, results[0]))
                else:
                    results.append(in_spite_of(error, step, world, env, label, args, sizing is not None))
        symbols, step.out = self.bind(results, label)
        if makes_unknown(function):
            forget_shapes(symbols)
            self.root.invented = True
        self._sizes.learn(step, args, self.envs)
        step.makes_object = any(isinstance(s, GraphObject) and not hasattr(s, "_elements_") for s in leaves_of(symbols))
        if step.name == "constant" and not slots_in((step.args, step.kwargs)):
            self.constants.extend((slot.i, self.envs[0][slot.i]) for slot in slots_in(step.out))
        else:
            self.steps.append(step)
        return symbols

    def open_sizes(self) -> bool:
        """A second world, and one in each graph around, for sizes that hang on values; False where none can be made."""
        if len(self.worlds) > 1:
            return True
        if self.given_envs or self.finished or (self.parent is not None and not self.parent.open_sizes()):
            return False
        found = second_world(self)
        if found is None:
            return False
        self.worlds.append(found[0])
        self.envs.append(found[1])
        return True

    def record(self, op: Any, inputs: tuple, outputs: tuple, attributes: dict) -> None:
        """Add a record that a user's gradient function asks for."""
        from .user_gradients import add_record

        add_record(self, op, inputs, outputs, attributes)

    def take_at_its_word(self, symbol: SymbolicTensor) -> None:
        """Make the values of a symbol fit to what a program said of its shape."""
        if symbol._static is not None:
            for env in self.envs:
                resized(env[symbol._slot], symbol._static)

    def new_slot(self, values: list) -> int:
        """A slot for something that has ``values`` in the worlds."""
        for env, value in zip(self.envs, values):
            env.append(value)
        self.size += 1
        return self.size - 1

    def parameters(self, values: list[Any], name: str | list[str], shapes: Any = None) -> Any:
        """Symbols for a nest of parameters, which has ``values`` in the worlds; variables stand for themselves.

        ``name``: what they are called, all the same or each by its own name.
        """
        flat = [leaves_of(v) for v in values]
        made = []
        for k, first in enumerate(flat[0]):
            if type(first) is EagerTensor:
                label = f"{self.unique(name if isinstance(name, str) else name[k])}:0"
                symbol: Any = self.symbol([f[k] for f in flat], label, FAILED if shapes is None else shapes[k])
                self.inputs.append(symbol._slot)
            elif isinstance(first, ResourceVariable):
                symbol = self.argument(first, [f[k] for f in flat])
            elif object_kind(first) is not None:
                symbol = self._proxy([f[k] for f in flat])
                self.inputs.append(symbol._slot)
            else:
                symbol = first
            made.append(symbol)
        left = iter(made)
        return mapped(values[0], lambda _: next(left))

    def argument(self, variable: Any, values: list) -> Any:
        """A variable as a parameter."""
        variable = original(variable)
        storage = variable._handle._a
        if storage not in self.root.resources:
            self.root.resources.append(storage)
        slot = self.new_slot([bound(variable, wrap(storage)) for _ in values])
        self._slots.setdefault(id(variable._handle), slot)
        self.inputs.append(slot)
        self.arguments.append(variable)
        return variable

    def symbol(self, values: list, label: str, static: Any = FAILED) -> SymbolicTensor:
        """A symbolic tensor in a new slot."""
        first = values[0]
        new = self._symbol_at(self.new_slot(values), label, first.dtype)
        new._static = _common_shape(values) if static is FAILED else static
        self._symbols[id(first)] = new
        return new

    def _symbol_at(self, slot: int, label: str, dtype: Any) -> SymbolicTensor:
        new = object.__new__(SymbolicTensor)
        new._graph, new._slot, new._label, new._dtype, new._where = self, slot, label, dtype, _user_frame()
        return new

    def symbol_for(self, value: EagerTensor) -> SymbolicTensor:
        """A symbol for an eager tensor, which is captured."""
        new = self._symbol_at(self.captured(value), f"{self.unique('captured')}:0", value.dtype)
        new._static = value._a.shape
        return new

    def unique(self, label: str) -> str:
        """A label that no other op of the graph has."""
        count = self.labels.get(label, 0)
        self.labels[label] = count + 1
        return f"{label}_{count}" if count else label

    def placed(self, value: Any) -> Any:
        """The slot of a value that is in the graph or is to be captured; anything else as it is."""
        if isinstance(value, (SymbolicTensor, GraphObject)):
            return Slot(self.slot_of(value))
        if type(value) is EagerTensor or isinstance(value, ResourceVariable):
            return Slot(self.captured(value))
        if hasattr(type(value), "_should_act_as_resource_variable"):  # Keras's variables, each around one of these
            return self.placed(value.value)
        return value.copy() if type(value) is np.ndarray else value

    def slot_of(self, symbol: Any) -> int:
        """The slot of a symbol of this graph, or of one around it, which is captured."""
        if symbol._graph is self:
            return symbol._slot
        place = self.place_of(symbol)
        if place is not None:
            return place
        if not self._sees(symbol._graph) and not self._held_around(symbol):
            if self.returning:
                raise InaccessibleTensorError(str(out_of_scope(symbol)))
            raise out_of_branch(symbol, self) if symbol._graph.branch or symbol._graph.loops else out_of_scope(symbol)
        return self.captured(symbol)

    def _held_around(self, symbol: Any) -> bool:
        """True for what the graph around a gradient function captured, which is there when the gradient is made."""
        return self.given_envs and self.parent is not None and self.parent.place_of(symbol) is not None

    def _sees(self, graph: Graph) -> bool:
        """True for a graph around this one, as long as its values are there."""
        parent = self.parent
        if parent is None:
            return False
        return self.given_envs or not graph.finished if parent is graph else parent._sees(graph)

    def place_of(self, value: Any) -> int | None:
        """The slot of something captured, None when it is not."""
        return self._slots.get(id(_identity(value)))

    def captured(self, value: Any) -> int:
        """The slot of something from outside: an eager tensor, a variable, a symbol of a graph around this one."""
        key = _identity(value)
        slot = self._slots.get(id(key))
        if slot is None:
            if self.finished:
                raise out_of_scope(value)
            slot = self.new_slot([self._seen_from_here(value, w) for w in range(len(self.worlds))])
            self._slots[id(key)] = slot  # key stays alive in externals
            self._sizes.settle(slot, value)
            self.externals.append(value)
            self.inputs.append(slot)
        return slot

    def read_late(self, value: Any) -> int:
        """The slot of something from outside that a gradient function reads, also when the graph is finished."""
        if not self.finished:
            return self.captured(value)
        slot = self.late_place_of(value)
        if slot is None:
            slot = self.new_slot([])
            self.late.append(value)
            self.late_slots.append(slot)
        return slot

    def late_place_of(self, value: Any) -> int | None:
        """The slot of something that was captured, be it late."""
        place = self.place_of(value)
        if place is not None:
            return place
        key = _identity(value)
        return next((slot for x, slot in zip(self.late, self.late_slots) if _identity(x) is key), None)

    def _seen_from_here(self, value: Any, w: int) -> Any:
        if isinstance(value, (SymbolicTensor, GraphObject)):
            parent = self.parent
            assert parent is not None
            seen = self.parent_envs[w][value._slot if value._graph is parent else parent.slot_of(value)]
            return wrap(seen._a) if type(seen) is EagerTensor else seen
        if isinstance(value, ResourceVariable):
            storage = value._handle._a
            if storage not in self.root.resources:
                self.root.resources.append(storage)
            return bound(value, wrap(storage))
        return wrap(value._a)

    @property
    def resources(self) -> list:
        """The storage of every variable that the graph, or one inside it, uses."""
        return self.worlds[0].resources

    def creates(self, variable: Any) -> None:
        """A variable is made in the function, be it outside of its graph; ValueError when none may be any more."""
        if self.may_create is None:
            raise ValueError(
                "tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable "
                "is only created once or created outside tf.function. See "
                "https://www.tensorflow.org/guide/function#creating_tfvariables for more information."
            )
        self.may_create(variable)

    def initial_value(self, value: Any) -> Any:
        """The initial value of a variable that is made in the function."""
        value = value() if callable(value) else value
        return mapped(value, lambda v: self.envs[0][self.slot_of(v)] if isinstance(v, SymbolicTensor) else v)

    # ------------------------------------------------------------------------------------ results

    def bind(self, results: list, label: str) -> tuple[Any, Any]:
        """The result as the tracing code gets it, and the slots of its leaves."""
        flat = [leaves_of(r) for r in results]
        usable = [r is not FAILED and len(f) == len(flat[0]) for r, f in zip(results, flat)]
        names = iter(())
        if any(type(v) is EagerTensor for v in flat[0]):
            base = self.unique(label)
            names = (f"{base}:{k}" for k in range(len(flat[0])))
        pairs = []
        for k, first in enumerate(flat[0]):
            values = [f[k] if ok and type(f[k]) is type(first) else first for ok, f in zip(usable, flat)]
            pairs.append(self._leaf(first, values, names, all(usable)))
        made, places = iter([p[0] for p in pairs]), iter([p[1] for p in pairs])
        return mapped(results[0], lambda _: next(made)), mapped(results[0], lambda _: next(places))

    def _leaf(self, first: Any, values: list, names: Any, certain: bool) -> tuple[Any, Any]:
        known = self._symbols.get(id(first))
        if known is not None:
            return known, Slot(known._slot)
        if type(first) is EagerTensor:
            symbol = self.symbol(values, next(names), FAILED if certain else (None,) * first._a.ndim)
            return symbol, Slot(symbol._slot)
        if isinstance(first, ResourceVariable):
            if type(first) is _UnreadVariable:
                return unread(original(first._parent)), None
            return original(first), None
        if isinstance(first, TensorShape):
            return _merged(values), None
        if object_kind(first) is None:
            return first, None
        proxy = self._proxy(values)
        return proxy, Slot(proxy._slot)

    def _proxy(self, values: list) -> Any:
        """What stands for an object that is no tensor."""
        proxy = object.__new__(object_kind(values[0]))  # type: ignore[type-var]
        proxy._graph, proxy._slot = self, self.new_slot(values)
        self._symbols[id(values[0])] = proxy
        return proxy

    def finish(self, returns: Any) -> None:
        """The function has returned: no more calls, and no more worlds."""
        self.structure = returns
        self.returning = not self.branch
        self.returns = mapped(returns, self.placed)
        self.finished = True
        self.envs = []
        self._symbols.clear()

    # ------------------------------------------------------------------------------------ running

    def run(self, values: list) -> Any:
        """Repeat the calls for the values of the inputs (parameters, then what is captured); what is returned.

        What was captured late may follow.
        """
        env: list = [None] * self.size
        for slot, constant in self.constants:
            env[slot] = constant
        for slot, value in zip((*self.inputs, *self.late_slots), values):
            env[slot] = value
        outside, active.checking = active.checking, self.checking
        try:
            with said_before():
                for step in self.steps:
                    step.run(env)
        finally:
            active.checking = outside
        return filled(self.returns, env)


class building:
    """Context manager: calls on this thread go into a graph."""

    __slots__ = ("_around", "_graph", "_outer")

    def __init__(self, graph: Graph):
        self._graph = graph

    def __enter__(self) -> Graph:
        self._outer, active.cur = active.cur, Building(self._graph)
        self._around, active.tracing = active.tracing, self._graph
        return self._graph

    def __exit__(self, *_: object) -> None:
        active.cur, active.tracing = self._outer, self._around


def _user_frame() -> tuple[str, int, str]:
    """Where the user's code is: file, line, function."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name


def _identity(value: Any) -> Any:
    """What a captured thing is known by: a variable by its handle."""
    return original(value)._handle if isinstance(value, ResourceVariable) else value


def _common_shape(values: list) -> tuple | None:
    return tuple_of(_merged([v.shape for v in values]))


def _merged(shapes: list[TensorShape]) -> TensorShape:
    """What all shapes have in common; other sizes are unknown."""
    first = shapes[0]
    for other in shapes[1:]:
        if first.rank is None or other.rank != first.rank:
            return TensorShape(None)
        first = TensorShape(tuple(a if a == b else None for a, b in zip(first.as_list(), other.as_list())))
    return first


__all__ = ["Bound", "Graph", "Slot", "Step", "World", "building", "filled"]
