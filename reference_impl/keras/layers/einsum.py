"""EinsumDense: a kernel and a bias in a sum that an einsum equation writes down."""

from __future__ import annotations

import copy
import re
from typing import Any

from ...ops.products import einsum
from ...tensors.tensor import EagerTensor
from .. import activations, constraints, initializers, regularizers
from ..biases import add_bias
from ..layer import Layer
from ..specs import InputSpec
from .core import in_dtype


class EinsumDense(Layer):
    """``activation(einsum(equation, inputs, kernel) + bias)``; ``output_shape`` leaves out the batch."""

    def __init__(
        self, equation: str, output_shape: Any, activation: Any = None, bias_axes: str | None = None,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**kwargs)
        self.equation, self.bias_axes = equation, bias_axes
        self.partial_output_shape = (output_shape,) if isinstance(output_shape, int) else tuple(output_shape)
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        """Make ``kernel`` and ``bias`` of the shapes that the equation says."""
        letters = _Letters(self.equation, tuple(input_shape), self.partial_output_shape)
        self.input_spec = InputSpec(ndim=len(input_shape))
        start = self.kernel_initializer
        if isinstance(start, initializers.VarianceScaling):
            start = copy.copy(start)
            start.axes = letters.input_axes, letters.output_axes
        self._kernel = self.add_weight(
            name="kernel", shape=letters.kernel_shape, initializer=start, regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )  # fmt: skip
        if self.bias_axes is not None:
            self.bias = self.add_weight(
                name="bias", shape=letters.bias_shape(self.bias_axes), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip

    @property
    def kernel(self) -> Any:
        """The kernel.  AttributeError before the layer is built."""
        if "_kernel" not in self.__dict__:
            raise AttributeError("You must build the layer before accessing `kernel`.")
        return self._kernel

    def compute_output_shape(self, input_shape: Any) -> tuple:
        """The shape of the outputs, with None where ``output_shape`` has it."""
        letters = _Letters(self.equation, tuple(input_shape), self.partial_output_shape)
        first, middle = input_shape[:1], input_shape[1 : letters.elided] if letters.left else ()
        last = input_shape[len(input_shape) - letters.elided :] if letters.elided and not letters.left else ()
        return (*first, *middle, *self.partial_output_shape, *last)

    def call(self, inputs: Any, training: Any = None) -> EagerTensor:
        """The sum, plus the bias, through the activation."""
        x = einsum(self.equation, in_dtype(inputs, self._dtype), self._kernel)
        return self.activation(x if self.bias is None else add_bias(x, self.bias))


class _Letters:
    """What an equation says of the shapes of kernel and bias, beside those of inputs and outputs."""

    def __init__(self, equation: str, input_shape: tuple, output_shape: tuple):
        dots = equation.replace("...", "0")
        match = re.fullmatch(r"(0?)([a-zA-Z]+)(0?),([a-zA-Z]+)->(0?)([a-zA-Z]+)(0?)", dots)
        if match is None or match[1] != match[5] or match[3] != match[7] or (match[1] and match[3]):
            raise ValueError(
                f"Invalid einsum equation '{equation}'. Equations must be in the form [X],[Y]->[Z], "
                "...[X],[Y]->...[Z], or [X]...,[Y]->[Z]...."
            )
        of_input, of_kernel, self.of_output = match[2], match[4], match[6]
        self.left = bool(match[1])
        self.elided = len(input_shape) - len(of_input)
        sizes_in = input_shape[self.elided :] if self.left else input_shape[: len(of_input)]
        inputs = dict(zip(of_input, sizes_in))
        first = [] if self.left and self.elided else [input_shape[0]]
        self.outputs = dict(zip(self.of_output, [*first, *output_shape]))
        self._check(inputs, of_kernel)
        shape, self.input_axes, self.output_axes = [], [], []
        for k, letter in enumerate(of_kernel):
            known = letter in self.outputs
            shape.append(self.outputs[letter] if known else inputs[letter])
            (self.output_axes if known else self.input_axes).append(k)
        self.kernel_shape = tuple(shape)

    def _check(self, inputs: dict[str, Any], of_kernel: str) -> None:
        for letter, size in inputs.items():
            out = self.outputs.get(letter)
            if out is not None and out != size:
                raise ValueError(
                    f"Input shape and output shape do not match at shared dimension '{letter}'. Input shape is {size}, "
                    f"and output shape is {out}."
                )
        for letter in self.of_output:
            if letter not in inputs and letter not in of_kernel:
                raise ValueError(
                    f"Dimension '{letter}' was specified in the output '{self.of_output}' but has no corresponding dim "
                    f"in the input spec '{''.join(inputs)}' or weight spec '{self.of_output}'"
                )
        for letter in of_kernel:
            if letter not in inputs and letter not in self.outputs:
                raise ValueError(
                    f"Weight dimension '{letter}' did not have a match in either the input spec '{''.join(inputs)}' or "
                    f"the output spec '{self.of_output}'. For this layer, the weight must be fully specified."
                )

    def bias_shape(self, axes: str) -> tuple:
        """The shape of a bias along some of the letters of the output."""
        for letter in axes:
            if letter not in self.of_output:
                raise ValueError(
                    f"Bias dimension '{letter}' was requested, but is not part of the output spec '{self.of_output}'"
                )
        begin = min(self.of_output.find(letter) for letter in axes)
        shape = [self.outputs[letter] if letter in axes else 1 for letter in self.of_output[begin:]]
        return (*shape, *([] if self.left else [1] * self.elided))
