"""Functions that TensorFlow makes of other ops, as this engine makes them: loaded when one is first asked for.

``WHERE`` says for each namespace in which module a name lives; ``loader(namespace)`` makes the module-level
``__getattr__`` and ``__dir__`` that a namespace needs to find them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_IMAGE = {
    "colour_spaces": "convert_image_dtype grayscale_to_rgb hsv_to_rgb rgb_to_grayscale rgb_to_yiq rgb_to_yuv "
    "yiq_to_rgb yuv_to_rgb",
    "adjusting": "adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_saturation "
    "per_image_standardization",
    "framing": "ResizeMethod central_crop crop_to_bounding_box flip_left_right flip_up_down pad_to_bounding_box "
    "resize_with_crop_or_pad resize_with_pad rot90 transpose",
    "random_images": "random_brightness random_contrast random_crop random_flip_left_right random_flip_up_down "
    "random_hue random_saturation stateless_random_brightness stateless_random_contrast stateless_random_crop "
    "stateless_random_flip_left_right stateless_random_flip_up_down stateless_random_hue stateless_random_saturation",
    "glimpses": "extract_glimpse",
    "boxes": "draw_bounding_boxes non_max_suppression non_max_suppression_overlaps non_max_suppression_with_scores",
    "comparing": "image_gradients psnr sobel_edges ssim ssim_multiscale total_variation",
}  # fmt: skip

_SIGNAL = {
    "windows": "hamming_window hann_window kaiser_bessel_derived_window kaiser_window vorbis_window",
    "frames": "frame inverse_mdct inverse_stft inverse_stft_window_fn mdct overlap_and_add stft",
    "cosines": "dct idct linear_to_mel_weight_matrix mfccs_from_log_mel_spectrograms",
    "transforms": "irfft3d rfft3d",
}

_NN = {
    "averaging": "batch_norm_with_global_normalization compute_average_loss normalize_moments "
    "scale_regularization_loss sufficient_statistics",
    "spaces": "atrous_conv2d_transpose depthwise_conv2d_backprop_filter depthwise_conv2d_backprop_input pool "
    "with_space_to_batch",
    "sampled": "nce_loss sampled_softmax_loss",
    "ctc": "collapse_repeated ctc_greedy_decoder ctc_loss ctc_unique_labels",
    "beams": "ctc_beam_search_decoder",
}

_LINALG = {"solving": "eigh_tridiagonal logm lu_matrix_inverse lu_reconstruct lu_solve"}


def _by_name(modules: dict[str, str]) -> dict[str, str]:
    return {name: module for module, names in modules.items() for name in names.split()}


WHERE: dict[str, dict[str, str]] = {
    "image": _by_name(_IMAGE),
    "signal": _by_name(_SIGNAL),
    "nn": _by_name(_NN),
    "linalg": _by_name(_LINALG),
}
_SPARSE = f"{__name__.rpartition('.')[0]}.sparse.embedding"
_OPERATORS = f"{__name__.rpartition('.')[0]}.linear_operators"
_KINDS = {
    "base": "LinearOperator",
    "dense": "LinearOperatorFullMatrix LinearOperatorLowerTriangular",
    "diagonal": "LinearOperatorDiag LinearOperatorIdentity LinearOperatorScaledIdentity",
    "nothing": "LinearOperatorZeros",
    "wrapping": "LinearOperatorAdjoint LinearOperatorInversion",
    "products": "LinearOperatorComposition LinearOperatorKronecker",
    "blocks": "LinearOperatorBlockDiag",
    "updates": "LinearOperatorHouseholder LinearOperatorLowRankUpdate",
    "structured": "LinearOperatorPermutation LinearOperatorTridiag",
    "spectral": "LinearOperatorCirculant LinearOperatorToeplitz",
}
_ELSEWHERE = {
    "nn": {"embedding_lookup_sparse": _SPARSE, "safe_embedding_lookup_sparse": _SPARSE},
    "linalg": {
        "experimental": _OPERATORS,
        **{name: f"{_OPERATORS}.{module}" for name, module in _by_name(_KINDS).items()},
    },
}


def loader(namespace: str, held: dict[str, Any]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of the module of a namespace, whose globals are ``held``."""
    where = {name: f"{__name__}.{module}" for name, module in WHERE[namespace].items()}
    where |= _ELSEWHERE.get(namespace, {})

    def found(name: str) -> Any:
        """What is made of other ops is loaded when it is first used."""
        if name not in where:
            raise AttributeError(f"module {held['__name__']!r} has no attribute {name!r}")
        from importlib import import_module

        value = held[name] = getattr(import_module(where[name]), name)
        return value

    return found, lambda: sorted({*held, *where})
