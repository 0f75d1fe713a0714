"""Images resized, by the nearest pixel or by weights of those around, and flipped (``tf.image``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import kernel_name, of
from ..errors import invalid, unnamed
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from .arguments import check
from .declare import MISSING, kernel, public
from .kernels import resampling
from .kernels.refusals import brackets, refuse, sized
from .scatter import scatter_add
from .shaping import ints
from .squeezing import expand_dims, squeeze


def _line(size: int, wanted: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each new pixel the two old ones between whose centres it lies, and how far it is from the first."""
    at = (np.arange(wanted, dtype=np.float32) + np.float32(0.5)) * np.float32(size / wanted) - np.float32(0.5)
    floor = np.floor(at)
    low = np.maximum(floor.astype(np.int64), 0)
    high = np.minimum(np.ceil(at).astype(np.int64), size - 1)
    return low, high, (at - floor).astype(np.float32)


def _bilinear(x: Any, size: tuple[int, int]) -> Any:
    (top, bottom, down), (left, right, along) = (_line(n, m) for n, m in zip(x.shape[1:3], size))
    x = x.astype(np.float32)
    down, along = down[:, None, None], along[:, None]
    upper, lower = x[:, top], x[:, bottom]
    upper = upper[:, :, left] + (upper[:, :, right] - upper[:, :, left]) * along
    lower = lower[:, :, left] + (lower[:, :, right] - lower[:, :, left]) * along
    return upper + (lower - upper) * down


def _bilinear_grad(dy: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    (top, bottom, down), (left, right, along) = (_line(n, m) for n, m in zip(shape[1:3], dy.shape[1:3]))
    whole = (dy.shape[0], *shape[1:3], dy.shape[3])  # as many images and channels as arrive
    wide = np.promote_types(dtype, dy.dtype)  # weighed in single precision, and added up in double where that is asked
    rows, columns = np.stack([top, top, bottom, bottom], -1)[:, None], np.stack([left, right, left, right], -1)
    by_row = np.stack([1 - down, 1 - down, down, down], -1)[:, None, :, None]
    by_column = np.stack([1 - along, along, 1 - along, along], -1)[..., None]
    parts = (dy[..., None, :] * by_row * by_column).astype(wide)  # four corners of each pixel, in TensorFlow's order
    total = scatter_add(whole, (slice(None), rows, columns), parts)
    return total.astype(dtype)


def _by_bilinear(F: Any, dy: Any, _y: Any, x: Any, size: tuple[int, int]) -> Any:
    if F.recording and active.vectorizing:
        return F.resize_bilinear_loop(dy, x)
    return F.resize_bilinear_grad(dy, shape=F.shape(x), dtype=F.dtype(x))


bilinear_ = kernel(
    "resize_bilinear", "ResizeBilinear", types="float int", forward=_bilinear, gradient=_by_bilinear
)  # fmt: skip
kernel(
    "resize_bilinear_grad", "ResizeBilinearGrad", forward=_bilinear_grad, gradient=None, inputs="grads",
    fits=lambda dy, shape, dtype: refuse(
        "ResizeBilinearGrad", dy.ndim != 4, f"input_grad must be 4-dimensional{brackets(dy.shape)}"
    ),
)  # fmt: skip
# Not vectorized: the loop that stands in its place gives zeros to all it takes, where the op has no gradient.
kernel(
    "resize_bilinear_loop", "ResizeBilinearGrad", forward=lambda dy, x: _bilinear_grad(dy, x.shape, x.dtype),
    gradient=lambda F, _g, _y, dy, x: (F.zeros_like(dy), F.zeros_like(x)),
)  # fmt: skip


def _nearest_index(shape: tuple[int, ...], size: tuple[int, int]) -> tuple:
    rows, columns = (
        np.minimum(np.floor((np.arange(m) + 0.5) * (n / m)).astype(np.int64), n - 1) for n, m in zip(shape[1:3], size)
    )
    return (slice(None), rows[:, None], columns[None, :])


nearest_ = kernel(
    "resize_nearest", "ResizeNearestNeighbor", types="float int",
    forward=lambda x, size: x[_nearest_index(x.shape, size)],
    gradient=lambda F, dy, _y, _x, size: F.resize_nearest_grad(dy, shape=F.shape(_x)),
)  # fmt: skip
kernel(
    "resize_nearest_grad", "ResizeNearestNeighborGrad", gradient=MISSING, inputs="grads",
    fits=lambda dy, shape: refuse(
        "ResizeNearestNeighborGrad", dy.ndim != 4, f"input must be 4-dimensional{brackets(dy.shape)}"
    ),
    forward=lambda dy, shape: scatter_add(
        (dy.shape[0], *shape[1:3], dy.shape[3]), _nearest_index(shape, dy.shape[1:3]), dy
    ),
)  # fmt: skip


def _bicubic_weights(shape: tuple[int, ...], size: tuple[int, int]) -> list[np.ndarray]:
    return [resampling.bicubic(old, new) for old, new in zip(shape[1:3], size)]


def _by_bicubic(F: Any, dy: Any, _y: Any, x: Any, size: tuple[int, int]) -> Any:
    """TensorFlow has the gradient of float32 and float64 images; others are cut off."""
    return F.resize_bicubic_grad(dy, x) if F.dtype(x).name in ("float32", "float64") else None


bicubic_ = kernel(
    "resize_bicubic", "ResizeBicubic", types="float int", gradient=_by_bicubic,
    forward=lambda x, size: resampling.resampled(x.astype(np.float32), *_bicubic_weights(x.shape, size)),
)  # fmt: skip
kernel(
    "resize_bicubic_grad", "ResizeBicubicGrad", gradient=MISSING,
    forward=lambda dy, x: resampling.spread(dy.astype(x.dtype), *_bicubic_weights(x.shape, dy.shape[1:3])),
)  # fmt: skip


def _spans(
    shape: tuple[int, ...], size: tuple[int, int], scale: tuple, shift: tuple, kernel_type: str, antialias: bool
) -> list[np.ndarray]:
    axes = zip(shape[1:3], size, scale, shift)
    return [resampling.spans(old, new, by, to, kernel_type, antialias) for old, new, by, to in axes]


def _by_translation(F: Any, dy: Any, _y: Any, x: Any, size: Any, **how: Any) -> Any:
    dtype = F.dtype(x)
    if type(dy) is IndexedSlices:
        dy = _of_dtype(F, dy, dtype)
    if dtype != np.float32:
        text = "cannot compute ScaleAndTranslateGrad as input #1(zero-based) was expected to be a float tensor but is "
        raise invalid("ScaleAndTranslateGrad", f"{text}a {kernel_name(dtype)} tensor", node=False)
    return F.scale_and_translate_grad(dy, x, **how)


def _of_dtype(F: Any, slices: IndexedSlices, dtype: np.dtype) -> Any:
    """Slices as the one tensor of a dtype that the kernel takes.  TensorFlow's ValueError where theirs is another."""
    if not F.recording:
        slices = IndexedSlices(*(wrap(part) for part in (slices.values, slices.indices, slices.dense_shape)))
    made = slices._dense_(of(dtype))
    return made if F.recording else made._a


translated_ = kernel(
    "scale_and_translate", "ScaleAndTranslate", types="float int", sparse=True, gradient=_by_translation,
    forward=lambda x, size, **how: resampling.resampled(x.astype(np.float32), *_spans(x.shape, size, **how)),
)  # fmt: skip
kernel(
    "scale_and_translate_grad", "ScaleAndTranslateGrad", gradient=MISSING,
    forward=lambda dy, x, **how: resampling.spread(dy, *_spans(x.shape, dy.shape[1:3], **how)),
)  # fmt: skip


@public("raw_ops.ScaleAndTranslate")
def ScaleAndTranslate(
    *, images: Any, size: Any, scale: Any, translation: Any, kernel_type: str = "lanczos3", antialias: bool = True,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Images stretched and moved, each new pixel weighed by a kernel about its place (float32)."""
    x = convert_to_tensor(images)
    factors, shifts, wanted = (np.asarray(convert_to_tensor(v)._a) for v in (scale, translation, size))
    kernel_name = "ScaleAndTranslate"
    refuse(kernel_name, x._a.ndim != 4, f"input must be 4-dimensional{brackets(x._a.shape)}", name)
    for word, given in (("output_shape_t", wanted), ("t", factors), ("t", shifts)):
        refuse(kernel_name, given.ndim != 1, f"{word} must be 1-dimensional{brackets(given.shape)}", name)
        refuse(kernel_name, given.size != 2, f"{word} must have two elements{brackets(given.shape)}", name)
    refuse(kernel_name, min(ints(wanted)) <= 0, "output dimensions must be positive", name)
    if kernel_type not in resampling.KERNELS:
        raise invalid("ScaleAndTranslate", f"Unrecognized kernel type: {kernel_type}", name)
    how = {
        "scale": tuple(factors.tolist()),
        "shift": tuple(shifts.tolist()),
        "kernel_type": kernel_type,
        "antialias": bool(antialias),
    }
    return translated_(x, size=ints(size), **how)


area_ = kernel(
    "resize_area", "ResizeArea", types="float int", gradient=MISSING,
    forward=lambda x, size: resampling.resampled(
        x.astype(np.float32), *(resampling.area(old, new) for old, new in zip(x.shape[1:3], size))
    ),
)  # fmt: skip

_TRANSLATING = {kind: kind for kind in ("lanczos3", "lanczos5", "gaussian", "mitchellcubic")}
_SMOOTHING = {**_TRANSLATING, "bilinear": "triangle", "bicubic": "keyscubic"}  # where antialiasing is asked for

_PLAIN = {"bilinear": bilinear_, "nearest": nearest_, "bicubic": bicubic_, "area": area_}


def _fitting(shape: tuple[int, ...], size: tuple[int, int]) -> tuple[int, int]:
    """The largest size within the wanted one of the image's own proportions, rounded."""
    height, width = (np.float32(n) for n in shape[1:3])
    scale = min(np.float32(size[0]) / height, np.float32(size[1]) / width)
    return int(np.rint(scale * height)), int(np.rint(scale * width))


def _resized(x: EagerTensor, size: tuple[int, int], method: str, antialias: bool) -> EagerTensor:
    weighing = (_SMOOTHING if antialias else _TRANSLATING).get(method)
    plain = None if weighing else _PLAIN[method]
    if min(size) <= 0:
        raise unnamed(plain.op.kernel if plain else "ScaleAndTranslate", "output dimensions must be positive")
    if plain:
        return plain(x, size=size)
    factors = tuple(float(np.float32(new) / np.float32(old)) for new, old in zip(size, x._a.shape[1:3]))
    return translated_(x, size=size, scale=factors, shift=(0.0, 0.0), kernel_type=weighing, antialias=antialias)


def _kernel_of(method: str, antialias: bool) -> Any:
    return translated_ if method in (_SMOOTHING if antialias else _TRANSLATING) else _PLAIN[method]


def _check_sizes(op: Any, x: EagerTensor, size: tuple[int, ...], name: str | None) -> None:
    kernel_name = op.op.kernel
    check(kernel_name, name, images=x)
    refuse(kernel_name, not x._a.shape[-1], "image must have at least one channel", name)
    refuse(kernel_name, 0 in x._a.shape[-3:-1], "input image must be of non-zero size", name)
    refuse(kernel_name, min(size) <= 0, "output dimensions must be positive", name)


@public("image.resize")
def resize(
    images: Any, size: Any, method: str = "bilinear", preserve_aspect_ratio: bool = False, antialias: bool = False,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Images of another size (``tf.image.resize``), by any of the methods of ``ResizeMethod``.

    With ``preserve_aspect_ratio`` the size is what fits into the one given.  The method "area" has no gradient.
    ValueError for tensors of rank other than 3 and 4 and for unknown methods.
    """
    x = convert_to_tensor(images)
    if x._a.ndim not in (3, 4):
        raise ValueError("'images' must have either 3 or 4 dimensions.")
    try:
        asked = convert_to_tensor(size, "int32")._a
    except (TypeError, ValueError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    wanted = ints(asked)
    if asked.shape != (2,):
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    sized(wanted)
    if method not in (*_PLAIN, *_TRANSLATING):
        raise ValueError(f"Resize method is not implemented: {method}")
    single = x._a.ndim == 3
    x = expand_dims(x, 0) if single else x
    _check_sizes(_kernel_of(method, bool(antialias)), x, wanted, name)
    x = _resized(x, _fitting(x._a.shape, wanted) if preserve_aspect_ratio else wanted, method, bool(antialias))
    return squeeze(x, [0]) if single else x
