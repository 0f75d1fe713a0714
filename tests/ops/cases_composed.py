# ruff: noqa: E731  # questions are short functions, many of them bound in a loop
"""What is asked of functions that are made of other ops: images, signals, losses, factors of matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.ops.asking import Case
from tests.ops.cases_more import case
from tests.ops.cases_nn import grid

P = grid(1, 3, 4, 3, dtype="float32")
Q = ([P[0][0][::-1]], "float32")
A = [[2.0, 0.5, -1.0], [0.25, 3.0, 1.0], [-0.5, 1.0, 2.5]]
S = [0.5, -1.0, 2.0, 0.25, -0.75, 1.5, 3.0, -2.0, 0.125, 1.0]


def _named(space: str, name: str, *arguments: Any, **named: Any) -> Any:
    return lambda tf, *x: getattr(getattr(tf, space), name)(*x, *arguments, **named)


def _pictures() -> Iterator[Case]:
    for name in (
        "rgb_to_grayscale", "rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb", "transpose", "rot90",
        "per_image_standardization", "total_variation", "sobel_edges", "image_gradients",
    ):  # fmt: skip
        f = _named("image", name)
        yield case(f"image.{name}", lambda tf, x, f=f: tf.reduce_sum(tf.square(f(tf, x))), P)
    yield case("hsv_to_rgb has no gradient", _named("image", "hsv_to_rgb"), P, order=1)
    yield case("adjust_contrast has no gradient", _named("image", "adjust_contrast", 2.0), P, order=1)
    yield case("adjust_hue", _named("image", "adjust_hue", 0.25), P, order=0)
    yield case("adjust_hue beyond a turn", _named("image", "adjust_hue", 1.25), P, order=0)
    yield case("adjust_saturation", _named("image", "adjust_saturation", 0.5), P, order=0)
    yield case("adjust_gamma", _named("image", "adjust_gamma", 2.0, 0.5), P)
    yield case("adjust_gamma of a negative power", _named("image", "adjust_gamma", -1.0), P, order=0)
    yield case("adjust_brightness", _named("image", "adjust_brightness", 0.5), P)
    for to in ("float64", "uint8", "int16"):
        yield case(f"convert_image_dtype to {to}", _named("image", "convert_image_dtype", to), [0.0, 0.5, 1.0], order=1)
    yield case("convert_image_dtype to bool", _named("image", "convert_image_dtype", "bool"), [0.5], order=0)
    yield case("central_crop", _named("image", "central_crop", 0.5), P)
    yield case("central_crop of nothing", _named("image", "central_crop", 0.0), P, order=0)
    yield case("crop_to_bounding_box", _named("image", "crop_to_bounding_box", 1, 0, 2, 2), P)
    yield case("crop_to_bounding_box outside", _named("image", "crop_to_bounding_box", 2, 0, 2, 2), P, order=0)
    yield case("pad_to_bounding_box", _named("image", "pad_to_bounding_box", 1, 0, 5, 5), P)
    yield case("pad_to_bounding_box too small", _named("image", "pad_to_bounding_box", 1, 0, 3, 5), P, order=0)
    yield case("resize_with_crop_or_pad", _named("image", "resize_with_crop_or_pad", 2, 6), P)
    yield case("resize_with_pad", _named("image", "resize_with_pad", 4, 7), P)
    yield case("resize by area has no gradient", _named("image", "resize", [2, 2], "area"), P, order=1)
    yield case("resize within proportions", _named("image", "resize", [5, 5], preserve_aspect_ratio=True), P)
    yield case("flip of a matrix", _named("image", "flip_left_right"), grid(3, 4), order=0)
    yield case("grayscale_to_rgb of three channels", _named("image", "grayscale_to_rgb"), P, order=0)
    yield case("psnr", _named("image", "psnr", 1.0), P, Q)
    yield case("ssim", _named("image", "ssim", 1.0, filter_size=3), P, Q)
    yield case("ssim of images smaller than the filter", _named("image", "ssim", 1.0), P, P, order=0)
    scales = _named("image", "ssim_multiscale", 1.0, power_factors=[0.5, 0.5], filter_size=2)
    yield case("ssim_multiscale", scales, P, Q, order=1)


def _signals() -> Iterator[Case]:
    for window in ("hann_window", "hamming_window", "vorbis_window", "kaiser_bessel_derived_window"):
        yield case(f"signal.{window}", lambda tf, w=window: getattr(tf.signal, w)(6), order=0)
    yield case("a window of an integer dtype", lambda tf: tf.signal.hann_window(4, dtype=tf.int32), order=0)
    yield case("kaiser_window by beta", lambda tf, beta: tf.signal.kaiser_window(4, beta), 3.0)
    yield case("frame", _named("signal", "frame", 4, 3), S)
    yield case("frame beyond the end", _named("signal", "frame", 4, 3, pad_end=True, pad_value=1.0), S)
    yield case("frame of a number", _named("signal", "frame", 4, 3), 1.0, order=0)
    yield case("overlap_and_add", _named("signal", "overlap_and_add", 2), grid(2, 3))
    yield case("overlap_and_add by a float", _named("signal", "overlap_and_add", 2.0), grid(2, 3), order=0)
    yield case("stft", lambda tf, x: tf.abs(tf.signal.stft(x, 5, 2)), S, order=1)
    back = lambda tf, x: tf.signal.inverse_stft(
        tf.signal.stft(x, 4, 2), 4, 2, window_fn=tf.signal.inverse_stft_window_fn(2)
    )  # fmt: skip
    yield case("inverse_stft", back, S, order=1)
    for kind in (1, 2, 3, 4):
        yield case(f"dct of type {kind}", _named("signal", "dct", type=kind), S)
        norm = {} if kind == 1 else {"norm": "ortho"}
        yield case(f"idct of type {kind}", _named("signal", "idct", type=kind, n=7, **norm), S)
    yield case("dct of type 1, orthogonal", _named("signal", "dct", type=1, norm="ortho"), S, order=0)
    yield case("mdct", _named("signal", "mdct", 4), S)
    yield case("mdct of odd frames", _named("signal", "mdct", 6), S, order=0)
    yield case("inverse_mdct", _named("signal", "inverse_mdct", norm="ortho"), grid(3, 2))
    yield case("mfccs_from_log_mel_spectrograms", _named("signal", "mfccs_from_log_mel_spectrograms"), grid(2, 3))
    mel = lambda tf: tf.signal.linear_to_mel_weight_matrix(3, 6, 100.0, 5.0, 45.0)
    yield case("linear_to_mel_weight_matrix", mel, order=0)
    yield case("rfft3d has no gradient", lambda tf, x: tf.abs(tf.signal.rfft3d(x)), grid(2, 2, 3), order=1)


def _networks() -> Iterator[Case]:
    yield case(
        "sufficient_statistics",
        lambda tf, x: list(tf.nn.sufficient_statistics(x, [0], shift=0.5)),
        grid(2, 3, dtype="float32"),
    )
    f = lambda tf, a, b: list(tf.nn.normalize_moments(4.0, a, b, 0.5))
    yield case("normalize_moments", f, [1.0, 2.0], [3.0, 5.0])
    yield case("compute_average_loss", _named("nn", "compute_average_loss", global_batch_size=8), [1.0, 2.0])
    yield case("compute_average_loss of a number", _named("nn", "compute_average_loss"), 1.0, order=0)
    yield case("compute_average_loss over a float", _named("nn", "compute_average_loss", None, 2.0), [1.0], order=0)
    yield case("pool", _named("nn", "pool", [2, 2], "AVG", dilations=[1, 2]), P)
    yield case("pool of no kind", _named("nn", "pool", [2, 2], "MIN"), P, order=0)
    yield case("pool apart and dilated", _named("nn", "pool", [2, 2], "MAX", [2, 2], dilations=[2, 2]), P, order=0)
    labels, logits = [[1, 2], [1, 1]], grid(4, 2, 3, dtype="float32")
    yield case("ctc_loss", lambda tf, x: tf.nn.ctc_loss(labels, x, [2, 2], [4, 3]), logits, order=1)
    f = lambda tf, x: tf.nn.ctc_loss(labels, x, [2, 1], [4, 4], unique=tf.nn.ctc_unique_labels(labels))
    yield case("ctc_loss with unique labels", f, logits, order=1)
    f = lambda tf, x: tf.nn.ctc_loss([[0, 1], [1, 1]], x, [2, 2], [4, 4], blank_index=-1)
    yield case("ctc_loss with the blank at the end", f, logits, order=1)
    sparse = lambda tf: tf.sparse.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, 1]), [2, 2])
    f = lambda tf, x: tf.nn.ctc_loss(sparse(tf), x, None, [4, 4], blank_index=0)
    yield case("ctc_loss of sparse labels", f, logits, order=1)
    f = lambda tf, x: tf.nn.ctc_loss(sparse(tf), x, None, [4, 4])
    yield case("ctc_loss of sparse labels without a blank", f, logits, order=0)
    yield case("collapse_repeated", lambda tf: list(tf.nn.collapse_repeated([[1, 1, 2], [3, 3, 3]], [3, 2])), order=0)
    f = lambda tf, x: tf.nn.ctc_greedy_decoder(x, [4, 3])[1]
    yield case("ctc_greedy_decoder", f, logits, order=0)
    sample = lambda tf: (tf.constant([1, 3], tf.int64), tf.constant([[0.5], [0.25]]), tf.constant([0.5, 0.25]))
    table, rows = grid(4, 2, dtype="float32"), grid(2, 2, dtype="float32")
    for name in ("nce_loss", "sampled_softmax_loss"):
        f = lambda tf, w, b, x, n=name: getattr(tf.nn, n)(
            w, b, tf.constant([[1], [2]], tf.int64), x, 2, 4, sampled_values=sample(tf)
        )  # fmt: skip
        yield case(f"nn.{name}", f, table, [0.5, -0.5, 0.25, 1.0], rows, order=1)


def _matrices() -> Iterator[Case]:
    order = [2, 0, 1]
    yield case("lu_solve", lambda tf, a, b: tf.linalg.lu_solve(a, order, b), A, grid(3, 2, dtype="float32"))
    yield case("lu_solve of a vector", lambda tf, a, b: tf.linalg.lu_solve(a, order, b), A, [1.0, 2.0, 3.0], order=0)
    yield case("lu_matrix_inverse", lambda tf, a: tf.linalg.lu_matrix_inverse(a, order), A)
    yield case("lu_reconstruct", lambda tf, a: tf.linalg.lu_reconstruct(a, order), A)
    yield case("eigh_tridiagonal", _named("linalg", "eigh_tridiagonal"), [1.0, 2.0, -1.0], [0.5, 0.25], order=1)
    f = _named("linalg", "eigh_tridiagonal", select="i", select_range=(2, 1))
    yield case("eigh_tridiagonal of an empty range", f, [1.0, 2.0, -1.0], [0.5, 0.25], order=0)
    yield case("logm", lambda tf, a: tf.linalg.logm(tf.cast(a, tf.complex64)), A, order=0)
    yield case("logm of real numbers", _named("linalg", "logm"), A, order=0)


CASES = (*_pictures(), *_signals(), *_networks(), *_matrices())
