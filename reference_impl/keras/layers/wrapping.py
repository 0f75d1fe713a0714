"""Layers around a layer: Wrapper, TimeDistributed, Bidirectional, SpectralNormalization."""

from __future__ import annotations

from typing import Any

from ... import math
from ...ops.casting import cast
from ...ops.making import range as numbers
from ...ops.making import shape as dynamic_shape
from ...ops.products import matmul
from ...ops.shaping import concat, reshape, stack, transpose
from ...ops.tiling import reverse
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from ...tracing.control_flow import cond
from .. import initializers
from ..layer import Layer
from ..specs import InputSpec


class Wrapper(Layer):
    """A layer around ``layer``; subclasses write ``call``."""

    def __init__(self, layer: Any, **kwargs: Any):
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Layer {layer} supplied to Wrapper isn't a supported layer type. Please ensure wrapped layer is a "
                "valid Keras layer."
            )
        super().__init__(**kwargs)
        self.layer = layer

    def build(self, input_shape: Any = None) -> None:
        """Build the layer inside."""
        if not self.layer.built:
            self.layer.build(input_shape)
            self.layer.built = True


class TimeDistributed(Wrapper):
    """The layer on each step of a sequence [batch, steps, ...]."""

    supports_masking = True

    def __init__(self, layer: Any, **kwargs: Any):
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Please initialize `TimeDistributed` layer with a `keras.layers.Layer` instance. Received: {layer}"
            )
        super().__init__(layer, **kwargs)

    def build(self, input_shape: Any = None) -> None:
        """Build the layer for one step."""
        if not isinstance(input_shape, (tuple, list)) or len(input_shape) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: "
                f"{input_shape}"
            )
        super().build((input_shape[0], *input_shape[2:]))

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> EagerTensor:
        """The outputs for all steps, [batch, steps, ...]."""
        xs = _turned(convert_to_tensor(inputs))
        steps_of_mask = None if mask is None else _turned(convert_to_tensor(mask))

        def step(k: Any) -> Any:
            kwargs = {"training": training} if self.layer._takes_training else {}
            if steps_of_mask is not None and self.layer._takes_mask:
                kwargs["mask"] = steps_of_mask[k]
            return self.layer.call(xs[k], **kwargs)

        if xs.shape[0] is not None:
            return _turned(stack([step(k) for k in range(xs.shape[0])], 0))
        from ...tracing.mapping import map_fn

        return _turned(map_fn(step, numbers(dynamic_shape(xs)[0]), fn_output_signature=self._dtype))


def _turned(x: EagerTensor) -> EagerTensor:
    """Steps before examples, and the other way round."""
    return transpose(x, [1, 0, *range(2, len(x.shape))])


_MODES = {
    "concat": lambda a, b: concat([a, b], -1), "sum": lambda a, b: a + b, "ave": lambda a, b: (a + b) / 2,
    "mul": lambda a, b: a * b, None: lambda a, b: (a, b),
}  # fmt: skip


class Bidirectional(Layer):
    """A recurrent layer forwards, and a like one backwards; their outputs are merged by ``merge_mode``."""

    supports_masking = True

    def __init__(
        self, layer: Any, merge_mode: str | None = "concat", weights: Any = None, backward_layer: Any = None,
        **kwargs: Any,
    ):  # fmt: skip
        for name, given in (("layer", layer), ("backward_layer", backward_layer)):
            if not isinstance(given, Layer) and (given is not None or name == "layer"):
                said = (
                    "Please initialize `Bidirectional` layer with" if name == "layer" else "`backward_layer` need to be"
                )
                raise ValueError(f"{said} a `keras.layers.Layer` instance. Received: {given}")
        if merge_mode not in _MODES:
            raise ValueError(
                f"Invalid merge mode. Received: {merge_mode}. Merge mode should be one of "
                '{"sum", "mul", "ave", "concat", None}'
            )
        super().__init__(**kwargs)
        self.forward_layer = _like(layer, "forward_", layer.go_backwards)
        self.backward_layer = _like(layer, "backward_", True) if backward_layer is None else backward_layer
        self._check_directions()
        self.merge_mode = merge_mode
        self.return_sequences, self.return_state = layer.return_sequences, layer.return_state
        self.stateful = layer.stateful
        self.input_spec = layer.input_spec

    def _check_directions(self) -> None:
        ahead, back = self.forward_layer, self.backward_layer
        if ahead.go_backwards == back.go_backwards:
            raise ValueError(
                "Forward layer and backward layer should have different `go_backwards` value. Received: "
                f"forward_layer.go_backwards {ahead.go_backwards}, backward_layer.go_backwards={back.go_backwards}"
            )
        for name in ("stateful", "return_sequences", "return_state"):
            a, b = getattr(ahead, name), getattr(back, name)
            if a != b:
                raise ValueError(
                    "Forward layer and backward layer are expected to have the same value for attribute "
                    f'"{name}", got "{a}" for forward layer and "{b}" for backward layer'
                )

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        """Build both layers."""
        for layer in (self.forward_layer, self.backward_layer):
            if not layer.built:
                layer.build(sequences_shape)

    def compute_mask(self, _: Any, mask: Any = None) -> Any:
        """The mask of the steps, when all outputs are returned."""
        mask = mask[0] if isinstance(mask, list) else mask
        kept = mask if self.return_sequences else None
        return kept if self.merge_mode else (kept, kept)

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = None) -> Any:
        """The merged outputs; the states of both layers after them with ``return_state``."""
        half = len(initial_state) // 2 if initial_state is not None else 0
        of_state = (initial_state[:half], initial_state[half:]) if half else (None, None)
        options = {"mask": mask, "training": training}
        y = self.forward_layer(sequences, initial_state=of_state[0], **options)
        back = self.backward_layer(sequences, initial_state=of_state[1], **options)
        states: tuple = ()
        if self.return_state:
            states = (*y[1:], *back[1:])
            y, back = y[0], back[0]
        if self.return_sequences:
            back = reverse(back, [1])
        merged = _MODES[self.merge_mode](y, back)
        if not self.return_state:
            return merged
        return (*merged, *states) if self.merge_mode is None else (merged, *states)


def _like(layer: Any, prefix: str, go_backwards: bool) -> Any:
    """A recurrent layer with the arguments of one, under another name and in a direction."""
    config = {**layer.get_config(), "name": prefix + layer.name.removeprefix(prefix), "go_backwards": go_backwards}
    return type(layer).from_config(config)


class SpectralNormalization(Wrapper):
    """Before each step of training, the kernel of a layer is divided by its largest singular value (Miyato, 2018)."""

    def __init__(self, layer: Any, power_iterations: int = 1, **kwargs: Any):
        super().__init__(layer, **kwargs)
        if power_iterations <= 0:
            raise ValueError(
                f"`power_iterations` should be greater than zero. Received: `power_iterations={power_iterations}`"
            )
        self.power_iterations = power_iterations

    def build(self, input_shape: Any = None) -> None:
        """Build the layer, and make ``vector_u`` [1, outputs], near the first singular vector."""
        super().build(input_shape)
        self.input_spec = InputSpec(min_ndim=1, axes={-1: input_shape[-1]})
        found = [name for name in ("kernel", "embeddings") if hasattr(self.layer, name)]
        if not found:
            raise ValueError(f"{type(self.layer).__name__} object has no attribute 'kernel' nor 'embeddings'")
        self.kernel = getattr(self.layer, found[0])
        self.vector_u = self.add_weight(
            shape=(1, self.kernel.shape[-1]), initializer=initializers.TruncatedNormal(stddev=0.02), trainable=False,
            name="vector_u", dtype=self.kernel.dtype,
        )  # fmt: skip

    def call(self, inputs: Any, training: Any = False) -> EagerTensor:
        """The outputs of the layer."""
        if training:
            kernel, u = convert_to_tensor(self.kernel), convert_to_tensor(self.vector_u)
            empty = math.reduce_all(math.equal(kernel, 0))
            new_u, new_kernel = cond(empty, lambda: (u, kernel), lambda: self._normalized(kernel, u))
            self.vector_u.assign(new_u)
            self.kernel.assign(new_kernel)
        output = self.layer(inputs)
        return cast(output, inputs.dtype)

    def _normalized(self, kernel: EagerTensor, u: EagerTensor) -> tuple[EagerTensor, EagerTensor]:
        rows = reshape(kernel, [-1, kernel.shape[-1]])
        v = u
        for _ in range(self.power_iterations):
            v = _unit(matmul(u, transpose(rows)))
            u = _unit(matmul(v, rows))
        size = matmul(matmul(v, rows), transpose(u))
        return u, reshape(kernel / size, kernel.shape)


def _unit(x: EagerTensor) -> EagerTensor:
    return x * math.minimum(math.rsqrt(math.reduce_sum(math.square(x), keepdims=True)), 1e7)
