"""Attention, by which each place of a sequence asks those of another: MultiHeadAttention, Attention ..."""

from __future__ import annotations

import math as plain_math
import string
from typing import Any

from ... import math, nn
from ...ops.casting import cast
from ...ops.diagonals import band_part
from ...ops.making import ones, ones_like, zeros_like
from ...ops.making import range as numbers
from ...ops.making import shape as dynamic_shape
from ...ops.products import einsum, matmul
from ...ops.selection import where
from ...ops.shaping import stack, transpose
from ...ops.squeezing import expand_dims
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from .. import constraints, initializers, masks, regularizers
from ..layer import Layer
from ..seeds import SeedGenerator
from ..symbolic import KerasTensor
from .einsum import EinsumDense
from .elementwise import Dropout, Softmax, dropped


class MultiHeadAttention(Layer):
    """Several attentions side by side, each on a projection of its own (Vaswani et al., 2017).

    ``layer(query, value, key=value)``: query [batch, places, features], value [batch, other places, features].
    """

    supports_masking = True

    def __init__(
        self, num_heads: int, key_dim: int, value_dim: int | None = None, dropout: float = 0.0, use_bias: bool = True,
        output_shape: Any = None, attention_axes: Any = None, sliding_window: int | None = None,
        flash_attention: Any = None, kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, use_gate: bool = False, seed: Any = None,
        **kwargs: Any,
    ):  # fmt: skip
        for name, value in (("num_heads", num_heads), ("key_dim", key_dim)):
            if not isinstance(value, int) or value <= 0:
                raise ValueError(
                    f"Received an invalid value for argument `{name}`, expected a positive integer. Received: "
                    f"{name}={value}"
                )
        super().__init__(**kwargs)
        self.num_heads, self.key_dim, self.value_dim = num_heads, key_dim, value_dim or key_dim
        self.dropout, self.use_bias, self.use_gate, self.seed = dropout, use_bias, use_gate, seed
        self._output_shape = (output_shape,) if isinstance(output_shape, int) else output_shape
        self.attention_axes = (attention_axes,) if isinstance(attention_axes, int) else attention_axes
        self.sliding_window = sliding_window
        self._common = {
            "kernel_regularizer": regularizers.get(kernel_regularizer), "dtype": self.dtype_policy,
            "bias_regularizer": regularizers.get(bias_regularizer), "activity_regularizer": activity_regularizer,
            "kernel_constraint": constraints.get(kernel_constraint),
            "bias_constraint": constraints.get(bias_constraint),
        }  # fmt: skip
        self._starts = initializers.get(kernel_initializer), initializers.get(bias_initializer)

    # ------------------------------------------------------------------------------------ building

    def build(self, query_shape: Any, value_shape: Any, key_shape: Any = None) -> None:
        """Make the projections of query, key and value, and that of the result."""
        key_shape = value_shape if key_shape is None else key_shape
        if value_shape[1:-1] != key_shape[1:-1]:
            raise ValueError(
                "All dimensions of `value` and `key`, except the last one, must be equal. Received: "
                f"value_shape={value_shape} and key_shape={key_shape}"
            )
        keys, values = (self.num_heads, self.key_dim), (self.num_heads, self.value_dim)
        self.query_dense = self._projection("query", query_shape, 1, keys)
        self.key_dense = self._projection("key", key_shape, 1, keys)
        if self.use_gate:
            self.gate_dense = self._projection("gate", query_shape, 1, values, activation="sigmoid")
        self.value_dense = self._projection("value", value_shape, 1, values)
        rank = len(value_shape) + 1
        self._axes = tuple(a % (rank - 1) for a in self.attention_axes or range(1, rank - 2))
        self._scores, self._mixed = _equations(rank, self._axes)
        count = len(self._axes)
        self._softmax = Softmax(axis=tuple(range(-count, 0)), dtype=self.dtype_policy)
        self._dropout_layer = Dropout(self.dropout, seed=self.seed, dtype=self.dtype_policy)
        out = tuple(self._output_shape or (query_shape[-1],))
        self.output_dense = self._projection("attention_output", (*query_shape[:-1], *values), 2, out)

    def _projection(self, name: str, shape: Any, bound: int, last: tuple, activation: Any = None) -> EinsumDense:
        """A projection of the last ``bound`` axes to new ones."""
        free = len(shape) - bound
        letters = string.ascii_lowercase
        kept, summed, new = letters[:free], letters[free : free + bound], letters[free + bound :][: len(last)]
        kernel, bias = (_anew(start) for start in self._starts)
        dense = EinsumDense(
            f"{kept}{summed},{summed}{new}->{kept}{new}", output_shape=[None] * (free - 1) + list(last), name=name,
            bias_axes=new if self.use_bias else None, kernel_initializer=kernel, bias_initializer=bias,
            activation=activation, **self._common,
        )  # fmt: skip
        dense.build(tuple(shape))
        return dense

    # ------------------------------------------------------------------------------------ calls

    def compute_mask(self, query: Any, previous_mask: Any = None) -> Any:
        """The mask of the query."""
        return previous_mask

    def call(
        self, query: Any, value: Any, key: Any = None, query_mask: Any = None, value_mask: Any = None,
        key_mask: Any = None, attention_mask: Any = None, return_attention_scores: bool = False, training: Any = None,
        use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        """The attended values; with ``return_attention_scores`` also the weights [batch, heads, places, others]."""
        key = value if key is None else key
        query_mask = masks.mask_of(query) if masks.known else None  # as in Keras: the one that was passed is unused
        if masks.known:
            for x in (query, value, key):  # as in Keras, which takes the masks away from the tensors themselves
                masks.attach(x, None)
        mask = self._mask(query, value, (query_mask, value_mask, key_mask), attention_mask, use_causal_mask)
        gate = self.gate_dense(query) if self.use_gate else None
        query, key, value = self.query_dense(query), self.key_dense(key), self.value_dense(value)
        plain = not self.dropout and not return_attention_scores and len(query.shape) == 4
        attend = self._attended if plain else self._attended_with_scores
        output, scores = attend(query, key, value, mask, training)
        output = self.output_dense(output if gate is None else output * gate)
        return (output, scores) if return_attention_scores else output

    def _mask(self, query: Any, value: Any, own: tuple, given: Any, causal: bool) -> Any:
        """Where attention is allowed, from all that says so."""
        of_query, of_value, of_key = (None if m is None else cast(m, "bool") for m in own)
        found = [expand_dims(of_query, -1)] if of_query is not None else []
        found += [expand_dims(m, -2) for m in (of_value, of_key) if m is not None]
        rows, columns = dynamic_shape(query)[1], dynamic_shape(value)[1]
        if causal:
            found.append(band_part(ones([1, rows, columns], "bool"), -1, 0))
        if self.sliding_window is not None:
            apart = expand_dims(numbers(rows), 1) - expand_dims(numbers(columns), 0)
            found.append(expand_dims(math.abs(apart) < self.sliding_window, 0))
        if given is not None:
            found.append(cast(given, "bool"))
        mask = None
        for m in found:
            mask = m if mask is None else math.logical_and(mask, m)
        return mask

    def _wide(self, mask: Any, rank: int) -> Any:
        """A mask with axes for the heads."""
        for _ in range(0 if mask is None else rank - len(mask.shape)):
            mask = expand_dims(mask, -2 * len(self._axes) - 1)
        return mask

    def _attended(self, query: Any, key: Any, value: Any, mask: Any, training: Any) -> tuple[EagerTensor, None]:
        logits = einsum("BTNH,BSNH->BNTS", query, key) * (1.0 / plain_math.sqrt(self.key_dim))
        if mask is not None:
            kept = math.logical_and(ones_like(logits, "bool"), self._wide(mask, 4))
            logits = where(kept, logits, convert_to_tensor(-0.7 * float(logits.dtype.max), logits.dtype))
        return einsum("BNTS,BSNH->BTNH", nn.softmax(logits, -1), value), None

    def _attended_with_scores(self, query: Any, key: Any, value: Any, mask: Any, training: Any) -> tuple:
        logits = einsum(self._scores, key, query * cast(1.0 / plain_math.sqrt(self.key_dim), query.dtype))
        scores = self._softmax(logits, mask=self._wide(mask, len(logits.shape)))
        kept = self._dropout_layer(scores, training=training) if self.dropout else scores
        return einsum(self._mixed, kept, value), scores


def _anew(initializer: Any) -> Any:
    """An initializer with the same arguments, and, without a seed, numbers of its own."""
    return type(initializer).from_config(initializer.get_config())


def _equations(rank: int, axes: tuple[int, ...]) -> tuple[str, str]:
    """The equations of the scores (key, query) and of what is mixed by them (scores, value)."""
    target = string.ascii_lowercase[:rank]
    new = iter(string.ascii_lowercase[rank:])
    batch = [k for k in range(rank - 1) if k not in axes]
    source = "".join(target[k] if k in batch or k == rank - 1 else next(new) for k in range(rank))
    scores = "".join([target[k] for k in batch] + [target[k] for k in axes] + [source[k] for k in axes])
    return f"{source},{target}->{scores}", f"{scores},{source}->{target}"


class Attention(Layer):
    """Dot-product attention (Luong et al., 2015) on a list ``[query, value]`` or ``[query, value, key]``."""

    supports_masking = True

    def __init__(
        self, use_scale: bool = False, score_mode: str = "dot", dropout: float = 0.0, seed: Any = None, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self.use_scale, self.score_mode, self.dropout, self.seed = use_scale, score_mode, dropout, seed
        if dropout > 0:
            self.seed_generator = SeedGenerator(seed)
        if score_mode not in ("dot", "concat"):
            raise ValueError(
                "Invalid value for argument score_mode. Expected one of {'dot', 'concat'}. Received: "
                f"score_mode={score_mode}"
            )
        self.scale: Any = None
        self.concat_score_weight: Any = None

    def build(self, input_shape: Any) -> None:
        """Make ``scale``, and the weight of "concat" scores."""
        self._check(input_shape)
        if self.use_scale:
            self.scale = self.add_weight(name="scale", shape=(), initializer="ones")
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight(name="concat_score_weight", shape=(), initializer="ones")

    def _scores_of(self, query: Any, key: Any) -> EagerTensor:
        if self.score_mode == "dot":
            rank = len(key.shape)
            scores = matmul(query, transpose(key, [*range(rank - 2), rank - 1, rank - 2]))
            return scores if self.scale is None else scores * self.scale
        both = expand_dims(query, -2) + expand_dims(key, -3)
        both = both if self.scale is None else self.scale * both
        return self.concat_score_weight * math.reduce_sum(math.tanh(both), -1)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the query."""
        self._check(inputs, mask)
        first = None if mask is None else mask[0]
        return first if first is None or isinstance(first, KerasTensor) else convert_to_tensor(first)

    def call(
        self, inputs: Any, mask: Any = None, training: Any = False, return_attention_scores: bool = False,
        use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        """The attended values; with ``return_attention_scores`` also the weights [batch, places, others]."""
        self._check(inputs, mask)
        query, value, key = inputs[0], inputs[1], inputs[2] if len(inputs) > 2 else inputs[1]
        of_query, of_value = (mask[0], mask[1]) if mask else (None, None)
        scores = self._scores_of(query, key)
        allowed = of_value
        if use_causal_mask:
            size = dynamic_shape(scores)
            allowed = band_part(ones(stack([1, size[-2], size[-1]]), "bool"), -1, 0)
            if of_value is not None:
                allowed = math.logical_and(expand_dims(of_value, -2), allowed)
        if allowed is not None:
            hidden = math.logical_not(allowed)
            hidden = expand_dims(hidden, -2) if len(hidden.shape) == 2 else hidden
            scores = where(hidden, scores - (65504.0 if scores.dtype.name == "float16" else 1e9), scores)
        weights = nn.softmax(scores, -1)
        if training and self.dropout > 0:
            weights = dropped(weights, self.dropout, None, self.seed_generator)
        output = matmul(weights, value)
        if of_query is not None:
            output = where(expand_dims(of_query, -1), output, zeros_like(output))
        return (output, weights) if return_attention_scores else output

    def _check(self, inputs: Any, mask: Any = None) -> None:
        name = type(self).__name__
        if not isinstance(inputs, list):
            raise ValueError(
                f"{name} layer must be called on a list of inputs, namely [query, value] or [query, value, key]. "
                f"Received: inputs={inputs}."
            )
        if not 2 <= len(inputs) <= 3:
            raise ValueError(
                f"{name} layer accepts inputs list of length 2 or 3, namely [query, value] or [query, value, key]. "
                f"Received length: {len(inputs)}."
            )
        if mask is not None and not isinstance(mask, list):
            raise ValueError(
                f"{name} layer mask must be a list, namely [query_mask, value_mask]. Received: mask={mask}."
            )


class AdditiveAttention(Attention):
    """Additive attention (Bahdanau et al., 2014) on a list ``[query, value]`` or ``[query, value, key]``."""

    def __init__(self, use_scale: bool = True, dropout: float = 0.0, **kwargs: Any):
        super().__init__(use_scale=use_scale, dropout=dropout, **kwargs)

    def build(self, input_shape: Any) -> None:
        """Make ``scale`` [features]."""
        self._check(input_shape)
        if self.use_scale:
            self.scale = self.add_weight(name="scale", shape=(input_shape[0][-1],), initializer="glorot_uniform")

    def _scores_of(self, query: Any, key: Any) -> EagerTensor:
        both = math.tanh(expand_dims(query, -2) + expand_dims(key, -3))
        return math.reduce_sum(both if self.scale is None else self.scale * both, -1)
