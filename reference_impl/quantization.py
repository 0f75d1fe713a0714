"""``tf.quantization``: rounding to few bits, with straight-through gradients."""

# ruff: noqa: F401  # this file lists names

from .ops.checks import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_per_channel,
    quantize_and_dequantize_v2,
)
