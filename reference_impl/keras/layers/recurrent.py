"""Recurrent cells (one step of SimpleRNN, LSTM, GRU) and RNN, which runs a cell over a sequence.

cell = LSTMCell(8)
output, [h, c] = cell(x, [h, c])          # x of shape [batch, features]
y = RNN(cell, return_sequences=True)(xs)  # xs of shape [batch, steps, features]
"""

from __future__ import annotations

from typing import Any

from ... import math, nest
from ...ops.joining import split
from ...ops.making import shape as dynamic_shape
from ...ops.making import zeros, zeros_like
from ...ops.products import matmul
from ...ops.selection import where
from ...ops.shaping import concat, stack, transpose
from ...ops.squeezing import expand_dims
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from .. import activations, initializers, regularizers
from ..layer import Layer
from ..naming import snake_case
from ..seeds import SeedGenerator
from ..specs import InputSpec


class _Cell(Layer):
    """What cells have in common: ``kernel``, ``recurrent_kernel`` and ``bias`` for ``gates`` gates."""

    gates = 1

    def __init__(
        self, units: int, activation: Any = "tanh", use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, seed: Any = None, **kwargs: Any,
    ):  # fmt: skip
        if units <= 0:
            raise ValueError(
                f"Received an invalid value for argument `units`, expected a positive integer, got {units}."
            )
        if dropout or recurrent_dropout:
            raise NotImplementedError("cells have no dropout in this engine: dropout must be 0")
        super().__init__(**kwargs)
        self.units, self.activation, self.use_bias = units, activations.get(activation), use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.recurrent_regularizer = regularizers.get(recurrent_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.dropout = self.recurrent_dropout = 0.0
        self.seed = seed
        self.seed_generator = SeedGenerator(seed)
        self.state_size: Any = units
        self.output_size = units

    def build(self, input_shape: Any) -> None:
        """Make the kernels [features, gates * units] and [units, gates * units], and the bias."""
        width = self.units * self.gates
        self.kernel = self.add_weight(
            shape=(input_shape[-1], width), name="kernel", initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            shape=(self.units, width), name="recurrent_kernel", initializer=self.recurrent_initializer,
            regularizer=self.recurrent_regularizer,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            shape, initializer = self._bias(width)
            self.bias = self.add_weight(
                shape=shape, name="bias", initializer=initializer, regularizer=self.bias_regularizer
            )

    def _bias(self, width: int) -> tuple[tuple[int, ...], Any]:
        return (width,), self.bias_initializer

    def get_initial_state(self, batch_size: Any = None) -> list:
        """Zeros for each state."""
        sizes = self.state_size if isinstance(self.state_size, (list, tuple)) else [self.state_size]
        return [zeros((batch_size, size), self._dtype) for size in sizes]


class SimpleRNNCell(_Cell):
    """``activation(x @ kernel + bias + h @ recurrent_kernel)``."""

    def call(self, sequence: Any, states: Any, training: Any = False) -> tuple:
        """The output, and the new state in the form of ``states``."""
        nested = isinstance(states, (list, tuple))
        h = matmul(sequence, self.kernel)
        if self.bias is not None:
            h = math.add(h, self.bias)
        output = self.activation(h + matmul(states[0] if nested else states, self.recurrent_kernel))
        return output, [output] if nested else output


class LSTMCell(_Cell):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997); its states are ``[h, c]``."""

    gates = 4

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        unit_forget_bias: bool = True, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(units, activation, use_bias, **kwargs)
        self.recurrent_activation, self.unit_forget_bias = activations.get(recurrent_activation), unit_forget_bias
        self.state_size = [units, units]

    def _bias(self, width: int) -> tuple[tuple[int, ...], Any]:
        if not self.unit_forget_bias:
            return (width,), self.bias_initializer

        def with_ones_for_forgetting(_shape: Any, dtype: Any = None) -> EagerTensor:
            parts = [(self.bias_initializer, 1), (initializers.Ones(), 1), (self.bias_initializer, 2)]
            return concat([make((self.units * count,), dtype=dtype) for make, count in parts], 0)

        return (width,), with_ones_for_forgetting

    def call(self, inputs: Any, states: Any, training: Any = False) -> tuple:
        """The output, and the new states ``[h, c]``."""
        h, c = states[0], states[1]
        z = math.add(matmul(inputs, self.kernel), matmul(h, self.recurrent_kernel))
        if self.bias is not None:
            z = math.add(z, self.bias)
        z_in, z_forget, z_new, z_out = split(z, 4, axis=1)
        gate = self.recurrent_activation
        enter, forget = gate(z_in), gate(z_forget)
        c = forget * c + enter * self.activation(z_new)
        h = gate(z_out) * self.activation(c)
        return h, [h, c]


class GRUCell(_Cell):
    """Gated recurrent unit (Cho et al., 2014); with ``reset_after`` the reset gate comes after the product."""

    gates = 3

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        reset_after: bool = True, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(units, activation, use_bias, **kwargs)
        self.recurrent_activation, self.reset_after = activations.get(recurrent_activation), reset_after

    def _bias(self, width: int) -> tuple[tuple[int, ...], Any]:
        return (2, width) if self.reset_after else (width,), self.bias_initializer

    def call(self, inputs: Any, states: Any, training: Any = False) -> tuple:
        """The output, and the new state in the form of ``states``."""
        nested = isinstance(states, (list, tuple))
        h, n = states[0] if nested else states, self.units
        for_inputs, for_states = self._biases()
        x = matmul(inputs, self.kernel)
        if for_inputs is not None:
            x = math.add(x, for_inputs)
        x_update, x_reset, x_new = split(x, 3, axis=-1)
        known = self.recurrent_kernel if self.reset_after else self.recurrent_kernel[:, : 2 * n]
        inner = matmul(h, known)
        if for_states is not None:
            inner = inner + for_states
        update = self.recurrent_activation(x_update + inner[:, :n])
        reset = self.recurrent_activation(x_reset + inner[:, n : 2 * n])
        if self.reset_after:
            recurrent = reset * inner[:, 2 * n :]
        else:
            recurrent = matmul(reset * h, self.recurrent_kernel[:, 2 * n :])
        output = update * h + (1 - update) * self.activation(x_new + recurrent)
        return output, [output] if nested else output

    def _biases(self) -> tuple[Any, Any]:
        if self.bias is None:
            return None, None
        return (self.bias[0], self.bias[1]) if self.reset_after else (self.bias, None)


class StackedRNNCells(Layer):
    """Cells one above the other, as one cell: the state is a list of theirs."""

    def __init__(self, cells: Any, **kwargs: Any):
        super().__init__(**kwargs)
        for cell in cells:
            if not hasattr(cell, "state_size"):
                raise ValueError(
                    f"All cells must have a `state_size` attribute. Received cell without a `state_size`: {cell}"
                )
        self.cells = list(cells)

    @property
    def state_size(self) -> list[Any]:
        """The sizes of the states of each cell."""
        return [cell.state_size for cell in self.cells]

    @property
    def output_size(self) -> Any:
        """The size of the outputs of the last cell."""
        return self.cells[-1].output_size

    def get_initial_state(self, batch_size: Any = None) -> list[Any]:
        """Zeros for each cell."""
        return [cell.get_initial_state(batch_size=batch_size) for cell in self.cells]

    def build(self, input_shape: Any) -> None:
        """Build cell after cell, each for the outputs of the one below."""
        shape = input_shape
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                cell.build(shape)
            shape = (input_shape[0], cell.output_size)

    def call(self, inputs: Any, states: Any, training: Any = False) -> tuple:
        """The output of the last cell, and the new states of all."""
        new = []
        for cell, state in zip(self.cells, states):
            inputs, kept = cell(inputs, list(state), training=training)
            new.append(kept)
        return inputs, new


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
        if stateful:
            raise NotImplementedError("RNN layers keep no state between calls in this engine: stateful must be False")
        super().__init__(**kwargs)
        self.cell, self.return_sequences, self.return_state = cell, return_sequences, return_state
        self.go_backwards, self.unroll = go_backwards, unroll
        self.input_spec = InputSpec(ndim=3)

    def build(self, sequences_shape: Any) -> None:
        """Build the cell."""
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build((sequences_shape[0], *sequences_shape[2:]))

    def compute_mask(self, sequences: Any, mask: Any = None) -> Any:
        """The mask of the steps, when all outputs are returned."""
        mask = mask[0] if isinstance(mask, list) else mask
        kept = mask if self.return_sequences else None
        return [kept] if self.return_state else kept

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False) -> Any:
        """The last output, or all of them; the last states too with ``return_state``."""
        xs = convert_to_tensor(sequences)
        if initial_state is None:
            states = list(self.cell.get_initial_state(batch_size=dynamic_shape(xs)[0]))
        else:
            states = list(initial_state) if isinstance(initial_state, (list, tuple)) else [initial_state]
        run = self._looped if xs.shape[1] is None else self._unrolled
        result, states = run(xs, states, None if mask is None else convert_to_tensor(mask), training)
        return (result, *states) if self.return_state else result

    def _unrolled(self, xs: EagerTensor, states: list, mask: Any, training: Any) -> tuple[EagerTensor, list]:
        """Step after step; a step that is masked repeats the output before it, and changes no state."""
        outputs: list[EagerTensor] = []
        steps = xs.shape[1]
        for k in reversed(range(steps)) if self.go_backwards else range(steps):
            output, new = self.cell(xs[:, k], states, training=training)
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
        first, _ = self.cell(xs[:, 0], states, training=training)
        written = TensorArray(xs.dtype, size=steps if self.return_sequences else 0)

        def step(k: Any, output: Any, states: Any, written: Any) -> tuple:
            at = steps - 1 - k if self.go_backwards else k
            made = self.cell(xs[:, at], states, training=training)
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
        for ignored in ("use_cudnn", "implementation", "time_major"):
            kwargs.pop(ignored, None)
        about_cell = {k: own[k] for k in ("dtype", "trainable") if k in own}
        cell = self.cell_class(units, *args, name=snake_case(self.cell_class.__name__), **kwargs, **about_cell)
        super().__init__(cell, **own)

    def get_config(self) -> dict[str, Any]:
        """The arguments of the cell, and those of the layer."""
        own = {name: getattr(self, name) for name in _OWN if name not in ("stateful", "dtype", "trainable")}
        cell = self.cell.get_config()
        return {**cell, **own, "trainable": self._trainable}

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
