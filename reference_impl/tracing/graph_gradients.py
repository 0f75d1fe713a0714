"""``gradients`` and ``hessians``: derivatives of symbolic tensors in a function, without a tape."""

from __future__ import annotations

from typing import Any

from .. import nest
from ..foundation.building import graph_being_built
from ..ops.declare import NAMES
from ..tapes.recording import Trace, pop, push, watch
from ..tapes.tape import UnconnectedGradients
from ..tapes.walk import NOTHING, imperative_gradient
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from ..tensors.variable import ResourceVariable
from .call import without_gradient
from .seeds import trainable, zeros_like
from .steps import Slot, Step, stored
from .structure import leaves, mapped
from .symbols import GraphObject, SymbolicTensor

_EAGER = "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."


def gradients(
    ys: Any, xs: Any, grad_ys: Any = None, name: str = "gradients", gate_gradients: bool = False,
    aggregation_method: Any = None, stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list:  # fmt: skip
    """The gradient of the sum of ``ys`` by each of ``xs``, always a list; None where unconnected (``tf.gradients``).

    ``stop_gradients`` are tensors that count as constants.  RuntimeError outside a function.
    """
    graph = graph_being_built()
    if graph is None:
        raise RuntimeError(_EAGER)
    lists = [_listed(v) for v in (ys, xs, grad_ys, stop_gradients)]
    _check_seeds(lists[0], lists[2])
    step = GradientStep(graph, *lists)
    step.fill = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO
    results = []
    for world, env in zip(graph.worlds, graph.envs):
        with world:
            results.append(step.result(env))
    symbols, step.out = graph.bind(results, "gradients")
    graph.steps.append(step)
    return symbols


def _listed(value: Any) -> list:
    if value is None:
        return []
    return [v if isinstance(v, ResourceVariable) or v is None else convert_to_tensor(v) for v in nest.flatten(value)]


def _check_seeds(ys: list, grad_ys: list) -> None:
    """ValueError or TypeError for upstreams of another number, or kind, than that of the targets."""
    if grad_ys and len(grad_ys) != len(ys):
        raise ValueError(f"Length mismatch. Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    for y, dy in zip(ys, grad_ys or [None] * len(ys)):
        if dy is None and y.dtype.is_complex:
            raise TypeError(f"Gradients of complex tensors ({y}) must set grad_ys (y.dtype = {y.dtype.name})")
        if dy is None or isinstance(y, ResourceVariable):
            continue
        real = y.dtype.is_floating or y.dtype.is_integer
        if real and not (dy.dtype.is_floating or dy.dtype.is_integer):
            kind, wanted = "real or integer-valued tensor", "real or integer"
        elif y.dtype.is_complex and not dy.dtype.is_complex:
            kind, wanted = "complex-valued tensor", "real"
        else:
            continue
        raise TypeError(
            f"Gradient type {dy.dtype.name} generated for {kind} {y} with type {y.dtype.name} must be {wanted}"
        )


class GradientStep:
    """A step that repeats those between ``xs`` and ``ys`` under a trace, and walks it."""

    def __init__(self, graph: Any, ys: list, xs: list, grad_ys: list, stops: list):
        self.ys, self.xs, self.grad_ys, stopped = (mapped(v, graph.placed) for v in (ys, xs, grad_ys, stops))
        self.args = (self.ys, self.xs, self.grad_ys)
        self.stopped = {s.i for s in stopped}
        self.between, made = _between(graph.steps, {x.i for x in self.xs}, self.stopped)
        self.roots = [x.i for x in self.xs if x.i not in made]
        self.out: Any = None
        self.fill = False

    def run(self, env: list) -> None:
        """Put the gradients into ``env``."""
        stored(self.out, self.result(env), env)

    def result(self, env: list) -> list:
        """The gradients for the values in ``env``."""
        local = list(env)
        trace = Trace(True, False)
        trace.generating = trace.once = True
        for i in self.roots:
            watch(trace, _tensor(local[i]))
        push(trace)
        try:
            for step in self.between:
                step.run(local)
        finally:
            pop(trace)
        sources = [_tensor(local[x.i]) for x in self.xs]
        found = self._walk(trace, local, sources)
        trace.end()
        return [(zeros_like(s) if self.fill else None) if g is NOTHING else g for g, s in zip(found, sources)]

    def _walk(self, trace: Trace, local: list, sources: list) -> list:
        targets = [_tensor(local[y.i]) for y in self.ys]
        seeds = [None if g is None else local[g.i] for g in self.grad_ys]
        if seeds:
            ones = NAMES["ones_like"]
            seeds = [ones(t) if s is None else s for s, t in zip(seeds, targets)]
        kept = [k for k, t in enumerate(targets) if trainable(t)]
        try:
            return imperative_gradient(trace, [targets[k] for k in kept], sources, [seeds[k] for k in kept if seeds])
        except LookupError as error:
            raise without_gradient(error) from None


def _tensor(value: Any) -> EagerTensor:
    return value._handle if isinstance(value, ResourceVariable) else value


def _between(steps: list, roots: set[int], stopped: set[int]) -> tuple[list, set[int]]:
    """The steps that depend on slots in ``roots``, and the slots they make."""
    chosen: set[int] = set()
    known, made, objects = set(roots) | set(), set(), set()
    size = -1
    while size != len(chosen):
        size = len(chosen)
        for k, step in enumerate(steps):
            uses, makes = _slots(step)
            if k in chosen or _has_effect(step) or makes & stopped:
                continue
            if uses & (known | objects) or makes & objects:
                chosen.add(k)
                made |= makes
                known |= makes
                objects |= {i for i in uses | makes if i in _objects(steps)}
    return [steps[k] for k in sorted(chosen)], made


def _slots(step: Any) -> tuple[set[int], set[int]]:
    """The slots that a step uses, and those it makes."""
    if type(step) is Step or hasattr(step, "args"):
        used = (step.args, getattr(step, "kwargs", {}))
        return _in(used), _in(step.out)
    return _in((step.inputs, step.outputs)), _in(step.outputs)


def _in(template: Any) -> set[int]:
    return {v.i for v in leaves(template) if type(v) is Slot}


def _objects(steps: list) -> set[int]:
    """Slots of objects with state, such as tapes."""
    return {i for step in steps if getattr(step, "makes_object", False) for i in _in(step.out)}


def _has_effect(step: Any) -> bool:
    name = getattr(getattr(step, "function", None), "__name__", "")
    return getattr(step, "pretended", None) is not None or name.startswith(("assign", "scatter_"))


def hessians(
    ys: Any, xs: Any, gate_gradients: bool = False, aggregation_method: Any = None, name: str = "hessians"
) -> list:
    """For each of ``xs`` the second derivatives of ``ys`` by it, shape ``x.shape + x.shape`` (``tf.hessians``)."""
    if graph_being_built() is None:
        raise RuntimeError(_EAGER)
    found = []
    for x, first in zip(_listed(xs), gradients(ys, xs)):
        if first is None:
            found.append(None)
            continue
        shape = x.shape.as_list()
        flat = NAMES["reshape"](first, [-1])
        rows = [gradients(flat[k], x)[0] for k in range(x.shape.num_elements())]
        rows = [NAMES["zeros_like"](x) if r is None else r for r in rows]
        found.append(NAMES["reshape"](NAMES["stack"](rows), [*shape, *shape]))
    return found


__all__ = ["GraphObject", "SymbolicTensor", "gradients", "hessians"]
