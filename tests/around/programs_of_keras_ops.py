"""Small programs with ``keras.ops`` and its neighbours, and what they give as plain values.

``programs(tf)`` takes TensorFlow or the engine; ``observed`` turns what a program gives, or raises, into JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

ROW = np.array([0.5, -0.0, -1.0, 2.0, np.nan, np.inf], "f")
KINKS = np.array([-1.0, -0.5, 0.0, 0.3, 0.5, 1.0, 2.0], "f")
MATRIX = np.array([[1.0, 3.0, 3.0], [0.0, 2.0, -1.0]], "f")
GAPS = np.array([[1.0, np.nan, 3.0, 3.0], [np.nan, np.nan, np.nan, np.nan]], "f")
SQUARE = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 2.0]], "f")
BLOCK = (np.arange(24, dtype="f").reshape(2, 3, 4) % 7) - 2
IMAGES = (np.arange(120, dtype="f").reshape(2, 4, 5, 3) * 7 % 11) / 10


def observed(program: Callable[[], Any]) -> Any:
    """What a program gives: [dtype, shape, values], lists of those, None, or the class and line of an error."""
    try:
        return _plain(program())
    except Exception as error:
        return {"raised": type(error).__name__, "text": str(error).split("\n")[0][:60]}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if not hasattr(value, "dtype"):
        return value
    name = value.dtype if isinstance(value.dtype, str) else value.dtype.name
    array = np.array(value)
    flat = array.astype("complex128" if array.dtype.kind == "c" else "float64").ravel()
    parts = [flat.real, flat.imag] if flat.dtype.kind == "c" else [flat]
    return {"dtype": name, "shape": list(array.shape), "values": [[float(repr(float(x))) for x in p] for p in parts]}


def graded(tf: Any, function: Callable[..., Any], *arrays: Any, second: bool = True) -> Callable[[], Any]:
    """A program: the function's value, its gradients, and the gradients of the sum of their squares."""

    def program() -> Any:
        xs = [tf.constant(a) for a in arrays]
        with tf.GradientTape() as outer:
            outer.watch(xs)
            with tf.GradientTape() as inner:
                inner.watch(xs)
                y = function(*xs)
            firsts = inner.gradient(y, xs)
            squares = [tf.reduce_sum(tf.convert_to_tensor(g) ** 2) for g in firsts if g is not None]
            total = tf.add_n(squares) if second and squares else None
        return [y, firsts, None if total is None else outer.gradient(total, xs)]

    return program


_UNARY = """
    fabs signbit deg2rad rad2deg cbrt i0 sinc trunc log10 log2 exp2 isneginf isposinf isreal erfc angle sparse_sigmoid
    sparse_plus soft_shrink hard_shrink squareplus sparsemax nan_to_num relu softmax round
""".split()  # noqa: SIM905
_BINARY = """
    add floor_divide mod fmod power fmax fmin logaddexp logaddexp2 hypot heaviside isclose divide arctan2 maximum equal
""".split()  # noqa: SIM905
_WHOLE = "gcd lcm bitwise_and bitwise_or bitwise_xor left_shift right_shift mod fmod".split()  # noqa: SIM905
_ALONG = """
    sum mean var std max min ptp average median nanmean nansum nanvar nanstd nanmax nanmin nanprod nanmedian argmax
    nanargmax cumsum nancumsum logsumexp sort
""".split()  # noqa: SIM905
_DTYPES = "float32 float16 bfloat16 float64 int32 int64 int8 uint8 bool".split()  # noqa: SIM905


def programs(tf: Any) -> dict[str, Callable[[], Any]]:
    """The programs by what they do."""
    return {
        **_elementwise(tf), **_along_axes(tf), **_dtypes(tf), **_shapes(tf), **_matrices(tf), **_loops(tf),
        **_networks(tf), **_traced(tf), **_images(tf), **_objects(tf), **_refusals(tf),
    }  # fmt: skip


def _elementwise(tf: Any) -> dict[str, Any]:
    ops = tf.keras.ops
    found = {name: graded(tf, getattr(ops, name), ROW) for name in _UNARY}
    found |= {f"{name} at kinks": graded(tf, getattr(ops, name), KINKS) for name in _UNARY if name != "softmax"}
    a, b = (
        np.array([1.0, 2.0, 0.0, -1.0, 3.0, np.nan, 1.0], "f"),
        np.array([1.0, -2.0, 2.0, -1.0, 2.0, 1.0, np.inf], "f"),
    )
    found |= {name: graded(tf, getattr(ops, name), a, b) for name in _BINARY}
    whole = np.array([12, -7, 0, 5], "i4"), np.array([8, 3, 4, 2], "i4")
    found |= {f"{name} of whole numbers": lambda name=name: getattr(ops, name)(*whole) for name in _WHOLE}
    return found


def _along_axes(tf: Any) -> dict[str, Any]:
    ops, found = tf.keras.ops, {}
    for name in _ALONG:
        f = getattr(ops, name)
        for axis in (None, 0, -1):
            found[f"{name} along {axis}"] = graded(tf, lambda x, f=f, axis=axis: f(x, axis=axis), MATRIX)
        if name != "sort":
            found[f"{name} over gaps"] = graded(tf, lambda x, f=f: f(x, axis=-1), GAPS)
    for method in ("linear", "lower", "higher", "nearest", "midpoint"):
        f = lambda x, m=method: ops.quantile(x, [0.2, 0.7], axis=1, method=m, keepdims=True)  # noqa: E731
        found[f"quantile {method}"] = graded(tf, f, MATRIX)
    found["nanquantile"] = graded(tf, lambda x: ops.nanquantile(x, [0.3, 0.6], axis=1), GAPS)
    found["average weighed"] = graded(
        tf, lambda x, w: ops.average(x, axis=1, weights=w), MATRIX, np.array([1, 2, 3], "f")
    )
    return found


def _dtypes(tf: Any) -> dict[str, Any]:
    ops, found = tf.keras.ops, {}
    for name in ("add", "divide", "power", "hypot", "logaddexp2", "equal", "matmul", "where"):
        f = getattr(ops, name)
        f = (lambda a, b, f=f: f([True, False, True], a, b)) if name == "where" else f
        found[f"dtypes of {name}"] = lambda f=f: [
            f(tf.cast([3, 1, 2], d), tf.cast([1, 2, 2], e)).dtype.name for d in _DTYPES for e in _DTYPES[:-1]
        ]
        found[f"dtypes of {name} with numbers"] = lambda f=f: [
            f(tf.cast([3, 1, 2], d), n).dtype.name for d in _DTYPES[:-1] for n in (2, 2.5) if f is not ops.matmul
        ]
    for name in ("sum", "mean", "fabs", "deg2rad", "sinc", "cbrt", "std", "median", "nansum", "square", "i0"):
        f, kinds = getattr(ops, name), _DTYPES[: -1 if name == "i0" else None]
        found[f"dtypes of {name}"] = lambda f=f, kinds=kinds: [f(tf.cast([3, 1], d)).dtype.name for d in kinds]
    found["saturate_cast"] = lambda: [
        ops.saturate_cast(tf.constant([1e9, -5.0, 0.7]), d) for d in _DTYPES if d != "bool"
    ]
    return found


def _shapes(tf: Any) -> dict[str, Any]:
    ops, found = tf.keras.ops, {}
    for k in range(5):
        found[f"rot90 {k}"] = graded(tf, lambda x, k=k: ops.rot90(x, k), MATRIX)
    found["a bias along the second axis"] = graded(tf, ops.add, BLOCK, np.array([1.0, 2.0, 3.0], "f"))
    found["a column taken for a bias"] = graded(tf, ops.add, SQUARE, np.array([[1.0], [2.0], [3.0]], "f"))
    found["rearrange"] = graded(tf, lambda x: ops.rearrange(x, "a (b c) d -> (a d) c b", c=3), BLOCK)
    found["array_split"] = lambda: ops.array_split(tf.constant(BLOCK), 3, axis=2)
    found["dstack"] = graded(tf, lambda a, b: ops.dstack([a, b]), MATRIX, MATRIX)
    found["view"] = lambda: ops.view(tf.constant([1, 2], "int32"), "uint8")
    found["a block moved to where it fits"] = lambda: ops.slice_update(tf.constant(MATRIX), [1, 2], [[9.0, 8.0]])
    found["a block has no gradient"] = graded(tf, lambda x, u: ops.slice_update(x, [0, 0], u), MATRIX, MATRIX[:1, :1])
    for reduction in (None, "add", "max", "min", "mul"):
        f = lambda x, u, r=reduction: ops.scatter_update(x, [[0], [2], [0]], u, reduction=r)  # noqa: E731
        found[f"scatter_update {reduction}"] = graded(tf, f, KINKS[:3], np.array([2.0, 5.0, -3.0], "f"))
    found["take_along_axis"] = graded(tf, lambda x: ops.take_along_axis(x, [[0, -1]], axis=1), MATRIX)
    slices = np.array([[2, 1], [1, 2], [2, 1], [0, 5]])
    for axis in (None, 0, 1):
        found[f"unique along {axis}"] = lambda axis=axis: ops.unique(
            slices, axis=axis, return_index=True, return_inverse=True, return_counts=True
        )
    found["histogram"] = lambda: ops.histogram(tf.constant([1.0, 2.0, 2.0, 4.0]), bins=3)
    found["digitize"] = lambda: ops.digitize(tf.constant([0.0, 1.0, np.nan, 5.0]), [0.5, 1, 3])
    found["bincount of rows"] = lambda: ops.bincount(tf.constant([[0, 1], [2, 2]]))
    found["weights of counts"] = graded(tf, lambda w: ops.bincount(tf.constant([0, 1, 1]), weights=w), MATRIX[0])
    found["select"] = lambda: ops.select([tf.constant([True, False])], [tf.constant([1, 2])], 2.5)
    found["unravel_index"] = lambda: ops.unravel_index(tf.constant([1, 5, 2]), (2, 3))
    for name in ("linspace", "logspace", "geomspace"):
        f = getattr(ops, name)
        found[name] = lambda f=f: f(1, 4, num=4, endpoint=False)
    return found


def _matrices(tf: Any) -> dict[str, Any]:
    ops, found = tf.keras.ops, {}
    pairs = {
        "inner": (MATRIX, MATRIX),
        "vdot": (MATRIX, MATRIX),
        "kron": (MATRIX, SQUARE),
        "cross": (MATRIX, MATRIX[0]),
    }
    found |= {name: graded(tf, getattr(ops, name), *arrays) for name, arrays in pairs.items()}
    for name in ("cholesky", "cholesky_inverse", "inv", "det", "slogdet", "corrcoef", "lu_factor"):
        arrays = SQUARE @ SQUARE.T
        found[name] = graded(tf, getattr(ops, name), arrays, second=name not in ("lu_factor",))
    for order in (None, 1, -1, 2, np.inf, "nuc", 0, "x"):
        f = lambda x, o=order: ops.norm(x, ord=o, axis=(0, 1))  # noqa: E731
        found[f"norm {order}"] = graded(tf, f, MATRIX + 1, second=False)
    found["lstsq"] = lambda: ops.lstsq(MATRIX.T, np.ones(3, "f"))
    for mode in ("valid", "same", "full"):
        f = lambda a, b, m=mode: ops.correlate(a, b, mode=m)  # noqa: E731
        found[f"correlate {mode}"] = graded(tf, f, KINKS, np.array([1.0, 2.0], "f"))
    found["einsum of int8"] = lambda: ops.einsum("ij,kj->ik", tf.cast(MATRIX, "int8"), tf.cast(MATRIX, "int8"))
    found["vander"] = graded(tf, ops.vander, KINKS[:3])
    found["trapezoid"] = graded(tf, ops.trapezoid, MATRIX, np.array([0.0, 1.0, 4.0], "f"))
    found["diff"] = graded(tf, lambda x: ops.diff(x, n=2, axis=1), MATRIX)
    found["cdist of rows with themselves"] = graded(tf, ops.cdist, MATRIX, MATRIX[:1])
    found["stft"] = graded(tf, lambda x: ops.stft(x, 4, 2, 4), np.sin(np.arange(8, dtype="f"))[None], second=False)
    found["istft"] = lambda: ops.istft(ops.stft(np.sin(np.arange(8, dtype="f"))[None], 4, 2, 4), 4, 2, 4)
    found["jvp"] = lambda: list(ops.jvp(lambda a, b: a * b**2, (tf.constant(3.0), tf.constant(2.0)), (1.0, 0.5)))
    found["segment_prod"] = graded(tf, lambda x: ops.segment_prod(x, tf.constant([1, 0, 1])), MATRIX.T.copy())
    return found


def _loops(tf: Any) -> dict[str, Any]:
    ops, found = tf.keras.ops, {}
    for reverse in (False, True):
        f = lambda x, r=reverse: ops.scan(lambda s, v: (s + v, s * v), tf.constant(1.0), x, reverse=r)  # noqa: E731
        found[f"scan, reverse={reverse}"] = graded(tf, f, MATRIX[0])
        for size in (1, 2, 3, 6, 7):
            f = lambda x, r=reverse: ops.associative_scan(lambda a, b: a * b, x, reverse=r)  # noqa: E731
            found[f"associative_scan of {size}, reverse={reverse}"] = graded(tf, f, np.arange(1, size + 1).astype("f"))
    for k in (-3, 1, 9):
        f = lambda x, k=k: ops.switch(k, [lambda v: v * 2, lambda v: v**2, lambda v: v + 1], x)  # noqa: E731
        found[f"switch {k}"] = graded(tf, f, MATRIX)
    found["fori_loop"] = graded(tf, lambda x: ops.fori_loop(0, 3, lambda i, v: v * x, x), MATRIX)
    found["map"] = graded(tf, lambda x: ops.map(lambda row: tf.reduce_sum(row**2), x), MATRIX)
    found["vectorize"] = lambda: ops.vectorize(tf.reduce_sum, signature="(n)->()")(tf.constant(KINKS))
    return found


def _networks(tf: Any) -> dict[str, Any]:
    ops, found = tf.keras.ops, {}
    kernel = np.arange(8, dtype="f").reshape(2, 1, 2, 2) / 10
    images = IMAGES[..., :2].copy()
    for options in ({}, {"padding": "same"}, {"strides": 2, "dilation_rate": 2}):
        f = lambda x, k, o=options: ops.depthwise_conv(x, k, **o)  # noqa: E731
        found[f"depthwise_conv {options}"] = graded(tf, f, images, kernel, second=False)
    found["conv_transpose"] = graded(tf, lambda x, k: ops.conv_transpose(x, k, 2), images, kernel, second=False)
    for name in ("adaptive_average_pool", "adaptive_max_pool"):
        f = getattr(ops, name)
        found[name] = graded(tf, lambda x, f=f: f(x, (3, 2)), images, second=False)
    found["layer_normalization"] = graded(tf, lambda x: ops.layer_normalization(x, axis=(1, 2)), BLOCK)
    found["rms_normalization"] = graded(tf, ops.rms_normalization, BLOCK, KINKS[:4])
    found["moments of 16 bits"] = lambda: list(ops.moments(tf.cast([60000.0, 60000.0, 0.0], "float16"), [0]))
    found["normalize nothing"] = graded(tf, ops.normalize, np.zeros((1, 3), "f"))
    attention = lambda q: ops.dot_product_attention(q, q, q, is_causal=True)  # noqa: E731
    found["dot_product_attention"] = graded(tf, attention, BLOCK[None] / 3, second=False)
    folded = lambda x: ops.fold(ops.unfold(x, 2, padding=1), (4, 5), 2, padding=1)  # noqa: E731
    found["fold"] = graded(tf, folded, np.moveaxis(images, -1, 1).copy())
    logits = np.sin(np.arange(24, dtype="f")).reshape(1, 6, 4)
    lengths = lambda: (tf.constant([2]), tf.constant([6]))  # noqa: E731
    found["ctc_loss"] = graded(tf, lambda x: ops.ctc_loss(tf.constant([[1, 2]]), x, *lengths()), logits, second=False)
    found["ctc_decode"] = lambda: list(
        ops.ctc_decode(logits * 3, tf.constant([6]), strategy="beam_search", top_paths=2)
    )
    labels = np.array([[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]], "f")
    guesses = lambda x: ops.categorical_crossentropy(labels, ops.softmax(x))  # noqa: E731
    found["cross entropy of a softmax"] = graded(tf, guesses, MATRIX)
    return found


def _traced(tf: Any) -> dict[str, Any]:
    """Functions traced for matrices of unknown sizes, with the gradient inside."""
    ops = tf.keras.ops
    kinds = {
        "median": lambda x: ops.median(x, axis=0), "sparsemax": ops.sparsemax, "rot90": ops.rot90,
        "take_along_axis": lambda x: ops.take_along_axis(x, ops.argsort(x, axis=1), axis=1), "diff": ops.diff,
        "cdist": lambda x: ops.cdist(x, x + 1), "trace": ops.trace, "diagonal": ops.diagonal, "norm": ops.norm,
        "scan": lambda x: ops.scan(lambda s, v: (s + v, s * v), tf.zeros(3), x)[1], "trapezoid": ops.trapezoid,
        "linspace": lambda x: ops.linspace(x, x + 1, 3), "fmax": lambda x: ops.fmax(x, 0.5), "tril": ops.tril,
    }  # fmt: skip

    def program(function: Any) -> Any:
        @tf.function(input_signature=[tf.TensorSpec([None, None])], autograph=False)
        def traced(x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = function(x)
                total = tf.reduce_sum(y**2)
            return y, tape.gradient(total, x)

        return traced(tf.constant(MATRIX))

    return {f"{name} in a function": lambda f=f: program(f) for name, f in kinds.items()}


def _images(tf: Any) -> dict[str, Any]:
    image, found = tf.keras.ops.image, {}
    turned = np.array([1.0, 0.1, 0.5, 0.0, 1.1, -0.5, 0.0, 0.0], "f")
    for mode in ("constant", "nearest", "wrap", "reflect"):
        f = lambda x, m=mode: image.affine_transform(x, turned, fill_mode=m)  # noqa: E731
        found[f"affine_transform {mode}"] = graded(tf, f, IMAGES, second=False)
        f = lambda x, p, m=mode: image.map_coordinates(x, p, 1, fill_mode=m)  # noqa: E731
        places = np.array([[0.0, 0.5, -1.2, 3.7], [1.0, 1.5, 4.2, -0.7]], "f")
        found[f"map_coordinates {mode}"] = graded(tf, f, IMAGES[0, :, :, 0].copy(), places, second=False)
    found["rgb_to_grayscale"] = graded(tf, image.rgb_to_grayscale, IMAGES)
    found["resize of bytes"] = lambda: image.resize((IMAGES * 255).astype("uint8"), (3, 3), crop_to_aspect_ratio=True)
    found["resize, padded"] = graded(tf, lambda x: image.resize(x, (2, 8), pad_to_aspect_ratio=True), IMAGES)
    found["gaussian_blur"] = graded(tf, lambda x: image.gaussian_blur(x, (3, 5), (0.5, 2.0)), IMAGES, second=False)
    found["extract_patches"] = graded(tf, lambda x: image.extract_patches(x, (2, 3), 1), IMAGES, second=False)
    found["crop_images"] = graded(tf, lambda x: image.crop_images(x, 1, 1, 1, 1), IMAGES)
    scaled = lambda x, s, t: image.scale_and_translate(x, (2, 6, 3, 3), s, t, (1, 2), "cubic")  # noqa: E731
    found["scale_and_translate"] = graded(
        tf, scaled, IMAGES, np.array([1.5, 0.6], "f"), np.array([0.3, -0.2], "f"), second=False
    )
    found["ssim"] = lambda: image.ssim(IMAGES, IMAGES[::-1], filter_size=3)
    return found


def _objects(tf: Any) -> dict[str, Any]:
    keras, found = tf.keras, {}
    for mode in ("rows", "columns"):
        regular = lambda x, m=mode: keras.regularizers.OrthogonalRegularizer(0.1, m)(x)  # noqa: E731
        found[f"orthogonal {mode}"] = graded(tf, regular, SQUARE[:2] if mode == "rows" else SQUARE[:, :2].copy())
    kept = lambda r: keras.regularizers.get(keras.regularizers.serialize(r)).get_config()  # noqa: E731
    found["a regularizer and back"] = lambda: kept(keras.regularizers.L1L2(0.25, 0.5))
    for name in ("pearson_correlation", "concordance_correlation"):
        found[name] = graded(tf, getattr(keras.metrics, name), MATRIX, MATRIX[::-1] + 0.5)
    found["an activation by name"] = lambda: keras.activations.deserialize("sparsemax")(tf.constant(MATRIX))
    found["shuffle"] = lambda: keras.random.shuffle(tf.constant(MATRIX), axis=1, seed=7)
    found["an adaptive pool"] = lambda: list(keras.layers.AdaptiveMaxPooling2D(2)(keras.Input((5, 6, 3))).shape)
    found["result_type"] = lambda: [
        keras.backend.result_type(*d)
        for d in (("int64", "float16"), ("uint8", "int8"), ("bfloat16", "float16"), (int,))
    ]

    def model() -> Any:
        x = keras.Input((3,))
        y = keras.ops.hypot(keras.ops.sinc(x), keras.ops.flip(x, axis=-1))
        made = keras.Model(x, keras.ops.median(y, axis=-1, keepdims=True) + y)
        return [made(tf.constant(MATRIX)), [layer.name for layer in made.layers][1:]]

    found["a functional model"] = model
    return found


def _refusals(tf: Any) -> dict[str, Any]:
    ops, v = tf.keras.ops, tf.constant(KINKS)
    calls = (
        lambda: ops.gcd(v, v), lambda: ops.ldexp(v, v), lambda: ops.fabs(tf.constant([1j])), lambda: ops.rot90(v),
        lambda: ops.reshape(v, (-1, -1)), lambda: ops.squeeze(v, 0), lambda: ops.transpose(SQUARE, (0, 0)),
        lambda: ops.array_split(v, 0), lambda: ops.histogram(v, bins=-1), lambda: ops.diagonal(SQUARE, axis2=0),
        lambda: ops.norm(v, axis=3), lambda: ops.stft(v, 4, 0, 4), lambda: ops.scan(1, v, v), lambda: ops.eye(2.0),
        lambda: ops.cholesky(-tf.eye(2)), lambda: ops.bitwise_invert(v), lambda: ops.searchsorted(SQUARE, v),
        lambda: ops.image.resize(IMAGES, (0, 3)), lambda: ops.glu(v), lambda: ops.vander(SQUARE),
        lambda: ops.scatter_update(v, [[0]], [1.0], "x"), lambda: ops.cdist(v, v), lambda: ops.vectorize(ops.sum)(v),
        lambda: ops.hanning(tf.keras.KerasTensor(())), lambda: tf.math.conj(tf.constant(True)),
        lambda: tf.keras.random.randint((2,), 0, 3, dtype="float32"),
    )  # fmt: skip
    return {f"refused {k}": program for k, program in enumerate(calls)}
