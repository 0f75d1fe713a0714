"""RNN, which runs a cell over a sequence, and the layers SimpleRNN, LSTM and GRU; the cells are in recurrent_cells.py.

y = RNN(LSTMCell(8), return_sequences=True)(xs)  # xs of shape [batch, steps, features]
"""

from __future__ import annotations

from typing import Any

from ... import nest
from ...ops.casting import cast
from ...ops.making import shape as dynamic_shape
from ...ops.making import zeros_like
from ...ops.selection import where
from ...ops.shaping import stack, transpose
from ...ops.squeezing import expand_dims
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from ..layer import Layer
from ..naming import scope, snake_case
from ..specs import InputSpec
from ..variables import Variable
from .recurrent_cells import (
    GRUCell,
    LSTMCell,
    SimpleRNNCell,
    StackedRNNCells,
    called,
    drawn_masks,
    initial_state_of,
)


class RNN(Layer):
    """A cell, step by step over a sequence [batch, steps, features]."""

    supports_masking = True

    def __init__(
        self, cell: Any, return_sequences: bool = False, return_state: bool = False, go_backwards: bool = False,
        stateful: bool = False, unroll: bool = False, **kwargs: Any,
    ):  # fmt: skip
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call"):
            raise ValueError(f"Argument `cell` should have a `call` method. Received: cell={cell}")
        if not hasattr(cell, "state_size"):
            raise ValueError(
                "The RNN cell should have a `state_size` attribute (single integer or list of integers, one integer "
                f"per RNN state). Received: cell={cell}"
            )
        super().__init__(**kwargs)
        self.cell, self.return_sequences, self.return_state = cell, return_sequences, return_state
        self.go_backwards, self.unroll, self.stateful = go_backwards, unroll, stateful
        self.input_spec = InputSpec(ndim=3)
        object.__setattr__(self, "states", None)  # variables, which are no weights

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        """Build the cell, and make the states of a stateful layer.  ValueError when their number is not known."""
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build((sequences_shape[0], *sequences_shape[2:]))
        if not self.stateful:
            return
        if self.states is not None:
            self.reset_state()
        elif sequences_shape[0] is None:
            raise ValueError(
                "When using `stateful=True` in a RNN, the batch size must be static. Found dynamic batch size: "
                f"sequence.shape={sequences_shape}"
            )
        else:
            self._make_states(sequences_shape[0])

    def _make_states(self, batch_size: int) -> None:
        def variable(value: Any) -> Variable:
            return Variable(value, trainable=False, dtype=self.variable_dtype, name="rnn_state")

        with scope(self.name, self):
            states = nest.map_structure(variable, self.get_initial_state(batch_size))
        object.__setattr__(self, "states", states)

    def get_initial_state(self, batch_size: Any) -> list:
        """The states before the first step, a list of what the cell says or of zeros."""
        state = initial_state_of(self.cell, batch_size)
        return list(state) if isinstance(state, (list, tuple)) else [state]

    def reset_state(self) -> None:
        """Make the states of a stateful layer zero."""
        for variable in nest.flatten(self.states or []):
            variable.assign(zeros_like(variable.value))

    reset_states = reset_state

    def compute_mask(self, sequences: Any, mask: Any = None) -> Any:
        """The mask of the steps, when all outputs are returned."""
        mask = mask[0] if isinstance(mask, list) else mask
        kept = mask if self.return_sequences else None
        return [kept] if self.return_state else kept

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False) -> Any:
        """The last output, or all of them; the last states too with ``return_state``."""
        xs = convert_to_tensor(sequences)
        states = self._first_states(xs, initial_state)
        drawn_masks(self.cell, xs[:, 0], states)
        run = self._looped if xs.shape[1] is None else self._unrolled
        try:
            result, states = run(xs, states, None if mask is None else convert_to_tensor(mask), training)
        finally:
            if hasattr(self.cell, "forget_masks"):
                self.cell.forget_masks()
        if self.stateful:
            for variable, state in zip(nest.flatten(self.states), nest.flatten(states)):
                variable.assign(state)
        return (result, *states) if self.return_state else result

    def _first_states(self, xs: EagerTensor, given: Any) -> list:
        """The states that were given, those that were kept, or new ones, in the dtype of the cell."""
        if given is None:
            given = self.states if self.stateful else self.get_initial_state(dynamic_shape(xs)[0])
        if self.stateful and self.states is not None:
            expected = nest.flatten(self.states)[0].shape[0]
            if xs.shape[0] is not None and xs.shape[0] != expected:
                raise ValueError(
                    "If an RNN is stateful, the batch size of the input sequences must be the same as the batch size "
                    f"of the initial state. \n- Expected batch size: {expected}\n- Received batch size: {xs.shape[0]}"
                )
        dtype = getattr(self.cell, "compute_dtype", self._dtype)
        given = list(given) if isinstance(given, (list, tuple)) else [given]
        return nest.map_structure(lambda x: cast(convert_to_tensor(x), dtype), given)

    def _unrolled(self, xs: EagerTensor, states: list, mask: Any, training: Any) -> tuple[EagerTensor, list]:
        """Step after step; a step that is masked repeats the output before it, and changes no state."""
        outputs: list[EagerTensor] = []
        steps = xs.shape[1]
        for k in reversed(range(steps)) if self.go_backwards else range(steps):
            output, new = called(self.cell, xs[:, k], states, training)
            if mask is not None:
                before = outputs[-1] if outputs else zeros_like(output)
                output, new = _kept(expand_dims(mask[:, k], -1), (output, new), (before, states))
            states = new
            outputs.append(output)
        return stack(outputs, axis=1) if self.return_sequences else outputs[-1], states

    def _looped(self, xs: EagerTensor, states: list, mask: Any, training: Any) -> tuple[EagerTensor, list]:
        """The same in a loop of a graph, for sequences whose number of steps is not known yet."""
        from ...tracing import TensorArray, while_loop

        steps = dynamic_shape(xs)[1]
        first, _ = called(self.cell, xs[:, 0], states, training)
        written = TensorArray(xs.dtype, size=steps if self.return_sequences else 0)

        def step(k: Any, output: Any, states: Any, written: Any) -> tuple:
            at = steps - 1 - k if self.go_backwards else k
            made = called(self.cell, xs[:, at], states, training)
            if mask is not None:
                made = _kept(expand_dims(mask[:, at], -1), made, (output, states))
            return k + 1, made[0], list(made[1]), written.write(k, made[0]) if self.return_sequences else written

        start = (convert_to_tensor(0), zeros_like(first), states, written)
        _, last, states, written = while_loop(lambda k, *_: k < steps, step, start)
        if not self.return_sequences:
            return last, list(states)
        order = (1, 0, *range(2, len(first.shape) + 1))
        outputs = transpose(written.stack(), order)
        outputs.set_shape((xs.shape[0], None, *first.shape[1:]))
        return outputs, list(states)


def _kept(kept: EagerTensor, new: Any, old: Any) -> Any:
    """The new output and states where a step counts, the old ones where it is masked."""
    return nest.map_structure(lambda a, b: where(kept, a, b), (new[0], list(new[1])), (old[0], list(old[1])))


_OWN = ("return_sequences", "return_state", "go_backwards", "stateful", "unroll", "name", "dtype", "trainable")


class _Recurrent(RNN):
    """A layer with a cell of its own class."""

    cell_class: Any = None

    def __init__(self, units: int, *args: Any, **kwargs: Any):
        own = {k: kwargs.pop(k) for k in _OWN if k in kwargs}
        kwargs.pop("use_cudnn", None)
        if "time_major" in kwargs:
            raise ValueError(
                f"Unrecognized keyword arguments passed to {type(self).__name__}: "
                f"{{'time_major': {kwargs['time_major']}}}"
            )
        about_cell = {k: own[k] for k in ("dtype", "trainable") if k in own}
        cell = self.cell_class(units, *args, name=snake_case(self.cell_class.__name__), **kwargs, **about_cell)
        super().__init__(cell, **own)

    @property
    def units(self) -> int:
        """The size of the outputs."""
        return self.cell.units


class SimpleRNN(_Recurrent):
    """SimpleRNNCell over a sequence."""

    cell_class = SimpleRNNCell


class LSTM(_Recurrent):
    """LSTMCell over a sequence."""

    cell_class = LSTMCell


class GRU(_Recurrent):
    """GRUCell over a sequence."""

    cell_class = GRUCell
