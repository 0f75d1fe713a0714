"""Recurrent cells, each one step of a layer: SimpleRNNCell, LSTMCell, GRUCell, and StackedRNNCells.

cell = LSTMCell(8)
output, [h, c] = cell(x, [h, c])          # x of shape [batch, features]
"""

from __future__ import annotations

from typing import Any

from ... import math
from ...ops.joining import split
from ...ops.making import ones_like, zeros
from ...ops.products import matmul
from ...ops.shaping import concat
from ...tensors.tensor import EagerTensor
from .. import activations, constraints, initializers, regularizers
from ..biases import add_bias
from ..layer import Layer
from ..seeds import SeedGenerator
from .elementwise import dropped


class Cell(Layer):
    """What cells have in common: ``kernel``, ``recurrent_kernel`` and ``bias`` for ``gates`` gates, and dropout.

    The masks of dropout are drawn once and kept, as a sequence has the same at all its steps, until `forget_masks`.
    """

    gates = 1

    def __init__(
        self, units: int, activation: Any = "tanh", use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, seed: Any = None, **kwargs: Any,
    ):  # fmt: skip
        if units <= 0:
            raise ValueError(
                f"Received an invalid value for argument `units`, expected a positive integer, got {units}."
            )
        self.implementation = kwargs.pop("implementation", 2) if self.gates > 1 else 2
        super().__init__(**kwargs)
        self.units, self.activation, self.use_bias = units, activations.get(activation), use_bias
        for name, given in {
            "kernel": (kernel_initializer, kernel_regularizer, kernel_constraint),
            "recurrent": (recurrent_initializer, recurrent_regularizer, recurrent_constraint),
            "bias": (bias_initializer, bias_regularizer, bias_constraint),
        }.items():
            for module, value in zip((initializers, regularizers, constraints), given):
                setattr(self, f"{name}_{module.__name__.rpartition('.')[2][:-1]}", module.get(value))  # type: ignore[attr-defined]
        self.dropout, self.recurrent_dropout = (min(1.0, max(0.0, rate)) for rate in (dropout, recurrent_dropout))
        if self.gates > 1 and self.recurrent_dropout:
            self.implementation = 1
        self.seed = seed
        self.seed_generator = SeedGenerator(seed)
        self.state_size: Any = units
        self.output_size = units
        self.forget_masks()

    def build(self, input_shape: Any) -> None:
        """Make the kernels [features, gates * units] and [units, gates * units], and the bias."""
        width = self.units * self.gates
        self.kernel = self._weight("kernel", "kernel", (input_shape[-1], width))
        self.recurrent_kernel = self._weight("recurrent_kernel", "recurrent", (self.units, width))
        self.bias = None
        if self.use_bias:
            shape, initializer = self._bias(width)
            self.bias = self._weight("bias", "bias", shape, initializer)

    def _weight(self, name: str, kind: str, shape: tuple[int, ...], initializer: Any = None) -> Any:
        return self.add_weight(
            shape=shape, name=name, initializer=initializer or getattr(self, f"{kind}_initializer"),
            regularizer=getattr(self, f"{kind}_regularizer"), constraint=getattr(self, f"{kind}_constraint"),
        )  # fmt: skip

    def _bias(self, width: int) -> tuple[tuple[int, ...], Any]:
        return (width,), self.bias_initializer  # type: ignore[attr-defined]

    def get_initial_state(self, batch_size: Any = None) -> list:
        """Zeros for each state."""
        sizes = self.state_size if isinstance(self.state_size, (list, tuple)) else [self.state_size]
        return [zeros((batch_size, size), self._dtype) for size in sizes]

    # ------------------------------------------------------------------------------------ dropout

    def get_dropout_mask(self, step_input: Any) -> Any:
        """What inputs are multiplied with; for each gate one where ``implementation`` is 1.  None without dropout."""
        return self._mask("_dropout_mask", step_input, self.dropout)

    def get_recurrent_dropout_mask(self, step_input: Any) -> Any:
        """What states are multiplied with; for each gate one.  None without recurrent dropout."""
        return self._mask("_recurrent_dropout_mask", step_input, self.recurrent_dropout)

    def _mask(self, name: str, like: Any, rate: float) -> Any:
        if getattr(self, name) is None and rate > 0:
            ones = ones_like(like)
            alone = self.gates == 1 or self.implementation != 1
            drawn = [dropped(ones, rate, None, self.seed_generator) for _ in range(1 if alone else self.gates)]
            object.__setattr__(self, name, drawn[0] if alone else drawn)
        return getattr(self, name)

    def reset_dropout_mask(self) -> None:
        """Forget the mask of inputs; the next step draws another."""
        object.__setattr__(self, "_dropout_mask", None)

    def reset_recurrent_dropout_mask(self) -> None:
        """Forget the mask of states; the next step draws another."""
        object.__setattr__(self, "_recurrent_dropout_mask", None)

    def forget_masks(self) -> None:
        """Forget both masks."""
        self.reset_dropout_mask()
        self.reset_recurrent_dropout_mask()

    def _for_inputs(self, x: Any, training: Any) -> Any:
        """Inputs times their mask in training; of several gates a list."""
        used = training and 0.0 < self.dropout < 1.0
        return _times(x, self.get_dropout_mask(x) if used else None, 0 if self.implementation != 1 else self.gates)

    def _for_states(self, h: Any, training: Any) -> Any:
        used = training and 0.0 < self.recurrent_dropout < 1.0
        return _times(h, self.get_recurrent_dropout_mask(h) if used else None, self.gates)


def _times(x: Any, mask: Any, count: int) -> Any:
    if not count:
        return x if mask is None else x * mask
    return [x if mask is None else x * mask[k] for k in range(count)]


class SimpleRNNCell(Cell):
    """``activation(x @ kernel + bias + h @ recurrent_kernel)``."""

    def call(self, sequence: Any, states: Any, training: Any = False) -> tuple:
        """The output, and the new state in the form of ``states``."""
        nested = isinstance(states, (list, tuple))
        before = states[0] if nested else states
        of_inputs, of_states = self.get_dropout_mask(sequence), self.get_recurrent_dropout_mask(before)
        if training and of_inputs is not None:
            sequence = sequence * of_inputs
        h = matmul(sequence, self.kernel)
        if self.bias is not None:
            h = add_bias(h, self.bias)
        if training and of_states is not None:
            before = before * of_states
        output = self.activation(h + matmul(before, self.recurrent_kernel))
        return output, [output] if nested else output


class LSTMCell(Cell):
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
            return super()._bias(width)

        def with_ones_for_forgetting(_shape: Any, dtype: Any = None) -> EagerTensor:
            own = self.bias_initializer  # type: ignore[attr-defined]
            parts = [(own, 1), (initializers.Ones(), 1), (own, 2)]
            return concat([make((self.units * count,), dtype=dtype) for make, count in parts], 0)

        return (width,), with_ones_for_forgetting

    def call(self, inputs: Any, states: Any, training: Any = False) -> tuple:
        """The output, and the new states ``[h, c]``."""
        h, c = states[0], states[1]
        x = self._for_inputs(inputs, training)
        if self.implementation == 1:
            z_in, z_forget, z_new, z_out = self._gates_apart(x, self._for_states(h, training))
        else:
            z = math.add(matmul(x, self.kernel), matmul(h, self.recurrent_kernel))
            if self.bias is not None:
                z = add_bias(z, self.bias)
            z_in, z_forget, z_new, z_out = split(z, 4, axis=1)
        gate = self.recurrent_activation
        enter, forget = gate(z_in), gate(z_forget)
        c = forget * c + enter * self.activation(z_new)
        h = gate(z_out) * self.activation(c)
        return h, [h, c]

    def _gates_apart(self, x: list, h: list) -> list[EagerTensor]:
        """What goes into each gate, by a product of its own."""
        of_inputs = [matmul(a, k) for a, k in zip(x, split(self.kernel, 4, axis=1))]
        if self.bias is not None:
            of_inputs = [a + b for a, b in zip(of_inputs, split(self.bias, 4, axis=0))]
        n, known = self.units, self.recurrent_kernel
        return [a + matmul(b, known[:, n * k : n * (k + 1)]) for k, (a, b) in enumerate(zip(of_inputs, h))]


class GRUCell(Cell):
    """Gated recurrent unit (Cho et al., 2014); with ``reset_after`` the reset gate comes after the product."""

    gates = 3

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        reset_after: bool = True, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(units, activation, use_bias, **kwargs)
        self.recurrent_activation, self.reset_after = activations.get(recurrent_activation), reset_after

    def _bias(self, width: int) -> tuple[tuple[int, ...], Any]:
        return (2, width) if self.reset_after else (width,), self.bias_initializer  # type: ignore[attr-defined]

    def call(self, inputs: Any, states: Any, training: Any = False) -> tuple:
        """The output, and the new state in the form of ``states``."""
        nested = isinstance(states, (list, tuple))
        h = states[0] if nested else states
        x = self._for_inputs(inputs, training)
        if self.implementation == 1:
            update, new = self._gates_apart(x, self._for_states(h, training))
        else:
            update, new = self._gates_at_once(x, h)
        output = update * h + (1 - update) * self.activation(new)
        return output, [output] if nested else output

    def _gates_at_once(self, inputs: Any, h: Any) -> tuple[EagerTensor, EagerTensor]:
        """The gate of updates, and what goes into the new state."""
        n = self.units
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
            return update, x_new + reset * inner[:, 2 * n :]
        return update, x_new + matmul(reset * h, self.recurrent_kernel[:, 2 * n :])

    def _gates_apart(self, xs: list, hs: list) -> tuple[EagerTensor, EagerTensor]:
        """The same, with a product for each gate."""
        places = [slice(self.units * k, self.units * (k + 1)) for k in range(3)]
        for_inputs, for_states = self._biases()
        x = [matmul(a, self.kernel[:, at]) for a, at in zip(xs, places)]
        if for_inputs is not None:
            x = [a + for_inputs[at] for a, at in zip(x, places)]
        update, reset = (matmul(hs[k], self.recurrent_kernel[:, places[k]]) for k in (0, 1))
        if for_states is not None:
            update, reset = update + for_states[places[0]], reset + for_states[places[1]]
        update, reset = (self.recurrent_activation(x[k] + inner) for k, inner in enumerate((update, reset)))
        if not self.reset_after:
            return update, x[2] + matmul(reset * hs[2], self.recurrent_kernel[:, places[2]])
        inner = matmul(hs[2], self.recurrent_kernel[:, places[2]])
        return update, x[2] + reset * (inner if for_states is None else inner + for_states[places[2]])

    def _biases(self) -> tuple[Any, Any]:
        if self.bias is None:
            return None, None
        return (self.bias[0], self.bias[1]) if self.reset_after else (self.bias, None)


class StackedRNNCells(Layer):
    """Cells one above the other, as one cell: the state is a list of theirs."""

    def __init__(self, cells: Any, **kwargs: Any):
        super().__init__(**kwargs)
        for cell in cells:
            for name, what in (("call", "method"), ("state_size", "attribute")):
                if not hasattr(cell, name):
                    raise ValueError(
                        f"All cells must have a `{name}` {what}. Received cell without a `{name}`"
                        f"{' method' if name == 'call' else ''}: {cell}"
                    )
        self.cells = list(cells)

    @property
    def state_size(self) -> list[Any]:
        """The sizes of the states of each cell."""
        return [cell.state_size for cell in self.cells]

    @property
    def output_size(self) -> Any:
        """The size of the outputs of the last cell."""
        return output_size_of(self.cells[-1])

    def get_initial_state(self, batch_size: Any = None) -> list[Any]:
        """Zeros for each cell."""
        return [initial_state_of(cell, batch_size) for cell in self.cells]

    def build(self, input_shape: Any) -> None:
        """Build cell after cell, each for the outputs of the one below."""
        shape = input_shape
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                cell.build(shape)
            shape = (input_shape[0], output_size_of(cell))

    def call(self, inputs: Any, states: Any, training: Any = False) -> tuple:
        """The output of the last cell, and the new states of all; of a single cell its own."""
        new = []
        for cell, state in zip(self.cells, states):
            nested = isinstance(state, (list, tuple))
            inputs, kept = called(cell, inputs, list(state) if nested else [state], training)
            new.append(kept[0] if len(kept) == 1 and not nested else kept)
        return inputs, new[0] if len(new) == 1 else new

    def forget_masks(self) -> None:
        """Forget the masks of dropout of all cells."""
        for cell in self.cells:
            if hasattr(cell, "forget_masks"):
                cell.forget_masks()


def output_size_of(cell: Any) -> Any:
    """The size of what a cell gives out: what it says, or the size of its first state."""
    size = getattr(cell, "output_size", None)
    if size is not None:
        return size
    return cell.state_size[0] if isinstance(cell.state_size, (list, tuple)) else cell.state_size


def initial_state_of(cell: Any, batch_size: Any) -> Any:
    """The state of a cell before the first step: what it says, or zeros."""
    if hasattr(cell, "get_initial_state"):
        return cell.get_initial_state(batch_size=batch_size)
    sizes = cell.state_size
    dtype = getattr(cell, "compute_dtype", "float32")
    if isinstance(sizes, int):
        return zeros((batch_size, sizes), dtype)
    return [zeros((batch_size, size), dtype) for size in sizes]


def called(cell: Any, inputs: Any, states: list, training: Any) -> tuple[Any, list]:
    """A step of a cell, which is told whether it trains if it takes that; the new states as a list."""
    options = {"training": training} if getattr(cell, "_takes_training", False) else {}
    step = cell if callable(cell) else cell.call
    output, new = step(inputs, states, **options)
    return output, list(new) if isinstance(new, (list, tuple)) else [new]


def drawn_masks(cell: Any, step_input: Any, states: Any) -> None:
    """Draw the masks of dropout of a cell, or of cells that are stacked, before the first step of a sequence."""
    if isinstance(cell, Cell):
        cell.get_dropout_mask(step_input)
        cell.get_recurrent_dropout_mask(states[0] if isinstance(states, (list, tuple)) else states)
    elif isinstance(cell, StackedRNNCells):
        for inner, state in zip(cell.cells, states):
            drawn_masks(inner, step_input, state)
            step_input, _ = called(
                inner, step_input, list(state) if isinstance(state, (list, tuple)) else [state], None
            )
