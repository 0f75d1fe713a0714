"""Forward mode: ``ForwardAccumulator`` carries tangents from primals through every op that runs in its block.

    with ForwardAccumulator(x, tangent) as accumulator:
        y = x * x
    accumulator.jvp(y)

No op declares a forward derivative.  Its gradient is a linear function of the upstream; that function is recorded once,
at an upstream of ones, and differentiated by the upstream: the transpose of the transpose.  So tangents have the
conventions of gradients (ties, zeros, None, missing gradients), and an op whose gradient cannot be differentiated
fails in forward mode.  An input that is trainable but carries no tangent counts as one with a tangent of zeros.

Accumulators and tapes that were entered earlier see the ops that make a tangent; those entered later do not.
"""

from __future__ import annotations

from typing import Any

from .. import nest
from ..foundation.building import Building
from ..foundation.warnings_log import warn_first
from ..ops.declare import NAMES
from ..tapes.recording import active, pop, push
from ..tapes.tape import UnconnectedGradients
from ..tensors.conversion import convert_to_tensor
from .tangent_store import Tangents


class ForwardAccumulator:
    """Computes products of the jacobian with a vector while ops run (``tf.autodiff.ForwardAccumulator``).

    ``primals``: tensors or variables, any nest of them; ``tangents``: what goes with them, in the same nest, converted
    to their dtypes but of unchecked shape.  ValueError for a primal given twice, for other structures and dtypes.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> ForwardAccumulator:
        if type(active.cur) is Building and cls is ForwardAccumulator:
            return active.cur.graph.call(ForwardAccumulator, args, kwargs)
        return object.__new__(cls)

    def __init__(self, primals: Any, tangents: Any):
        self._accumulator = Tangents()
        self._recording = False
        seen: set[int] = set()
        for primal in nest.flatten(primals):
            if id(primal) in seen:
                raise ValueError(
                    "Tensor {} was specified as a primal multiple times. This may indicate an error. If it was "
                    "intended, please sum the corresponding tangents."
                )
            seen.add(id(primal))
        nest.map_structure(self._watch, primals, tangents)

    def _watch(self, primal: Any, tangent: Any) -> None:
        dtype = primal.dtype
        if not dtype.is_floating:
            text = "The dtype of the watched primal must be floating (e.g. tf.float32), got %r"
            warn_first(5, None, text, dtype)
        value = convert_to_tensor(tangent, dtype=dtype)
        primal = getattr(primal, "_handle", primal)
        primal._id  # noqa: B018 - what is no tensor raises AttributeError here, as in TensorFlow
        self._accumulator.put(primal, value)

    def __enter__(self) -> ForwardAccumulator:
        if self._recording:
            raise ValueError("Accumulator is already recording.")
        push(self._accumulator)
        self._recording = True
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if self._recording:
            pop(self._accumulator)
            self._recording = False

    def __del__(self) -> None:
        held = getattr(self, "_accumulator", None)
        if held is not None and not self._recording:
            held.over = True
            held.records = {}

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The tangents of tensors (any nest); where there is none None, or zeros with ``unconnected_gradients="zero"``.

        Computes nothing: only ops that ran inside the block have a tangent.
        """
        zero = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO

        def fetch(x: Any) -> Any:
            tensor = getattr(x, "_handle", x)
            tensor._id  # noqa: B018 - as in __init__
            found = self._accumulator.of(tensor)
            return NAMES["zeros_like"](x) if found is None and zero else found

        return nest.map_structure(fetch, primals)


__all__ = ["ForwardAccumulator"]
