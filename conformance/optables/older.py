"""Rows of kernels that only `tf.raw_ops` reaches: earlier versions of other ops, and what only passes tensors on."""

from __future__ import annotations

from typing import Any

from adapters.arrays import array_of
from conformance.optables.layers import quantized
from conformance.optables.row import (
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL,
    SIGNED,
    WIDE,
    WIDE_NUMBERS,
    Digits,
    DType,
    Fresh,
    Made,
    Row,
    Setting,
    Span,
    integers,
    op_row,
)

SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (3,), (2, 1, 2), (), (4, 2))
ANY, AWAY = Span(-3.0, 3.0), Span(-4.0, 4.0, 0.25)


def _named(**parts: Any) -> Setting:
    return Setting((), parts)


def pair(second: Span = ANY) -> Any:
    """Two tensors that broadcast."""

    def setting(draw: Digits, dtype: str) -> Setting:
        whole = SHAPES[draw(len(SHAPES))]
        other = (whole, whole, (), whole[-1:])[draw(4)]
        return _named(x=Fresh(whole), y=Fresh(other, span=second))

    return setting


def one(name: str, span: Span = ANY, **more: Any) -> Any:
    """One tensor by its name."""

    def setting(draw: Digits, dtype: str) -> Setting:
        return _named(**{name: Fresh(SHAPES[draw(len(SHAPES))], span=span)}, **more)

    return setting


def reciprocals(draw: Digits, dtype: str) -> Setting:
    shape = SHAPES[draw(len(SHAPES))]
    return _named(y=Fresh(shape, span=AWAY), dy=Fresh(shape))


def products(draw: Digits, dtype: str) -> Setting:
    """Batches of matrices of the same number."""
    batch, rows, inner, columns = (2,) if draw(2) else (2, 1), 1 + draw(3), 1 + draw(3), 1 + draw(3)
    a, b = draw(2) == 1, draw(2) == 1
    left, right = (inner, rows) if a else (rows, inner), (columns, inner) if b else (inner, columns)
    return _named(x=Fresh((*batch, *left)), y=Fresh((*batch, *right)), adj_x=a, adj_y=b)


def products_of_a_dtype(draw: Digits, dtype: str) -> Setting:
    made = products(draw, dtype)
    return Setting((), {**made.named, "Tout": DType(dtype)})


def plain_product(draw: Digits, dtype: str) -> Setting:
    rows, inner, columns = 1 + draw(3), 1 + draw(3), 1 + draw(3)
    a, b = draw(2) == 1, draw(2) == 1
    left, right = (inner, rows) if a else (rows, inner), (columns, inner) if b else (inner, columns)
    return _named(a=Fresh(left), b=Fresh(right), transpose_a=a, transpose_b=b, a_is_sparse=draw(2) == 1)


def to_batch(draw: Digits, dtype: str) -> Setting:
    pads = integers([[0, 0], [draw(2) * 2, 0]])
    return _named(input=Fresh((1, 2, 2, 1 + draw(2))), paddings=pads, block_size=2)


def from_batch(draw: Digits, dtype: str) -> Setting:
    return _named(input=Fresh((4, 1, 1 + draw(2), 1)), crops=integers([[0, draw(2)], [0, 0]]), block_size=2)


def bias(draw: Digits, dtype: str) -> Setting:
    return _named(value=Fresh(((2, 3), (1, 2, 3))[draw(2)]), bias=Fresh((3,)))


def joined(draw: Digits, dtype: str) -> Setting:
    return _named(concat_dim=draw(2), values=[Fresh((2, 2)), Fresh((2, 2))])


def rows(draw: Digits, dtype: str) -> Setting:
    return _named(params=Fresh((3, 2)), indices=integers([draw(3) for _ in range(1 + draw(4))]))


def turned(draw: Digits, dtype: str) -> Setting:
    return _named(x=Fresh((2, 3, 1)), perm=integers([[0, 1, 2], [1, 0, 2], [2, 0, 1]][draw(3)]))


def reversed_axes(draw: Digits, dtype: str) -> Setting:
    return _named(tensor=Fresh((2, 3)), dims=array_of([draw(2) == 1, draw(2) == 1], "bool"))


def selected(draw: Digits, dtype: str) -> Setting:
    """A choice for each element, or for each row."""
    shape = (2, 3)
    chosen = [[draw(2) == 1 for _ in range(3)] for _ in range(2)] if draw(2) else [draw(2) == 1, draw(2) == 1]
    return _named(condition=array_of(chosen, "bool"), x=Fresh(shape), y=Fresh(shape))


def stitched(draw: Digits, dtype: str) -> Setting:
    tail = ((), (2,))[draw(2)]
    pieces = [Fresh((2, *tail)), Fresh((2, *tail))]
    return _named(indices=[integers([0, 2]), integers([3, 1])], data=pieces)


def scattered(draw: Digits, dtype: str) -> Setting:
    places = integers([[draw(4)] for _ in range(1 + draw(3))])
    return _named(input=Fresh((4,)), indices=places, updates=Fresh((places.shape[0],)))


def replaced(draw: Digits, dtype: str) -> Setting:
    """A slice of rows and columns, with steps."""
    step = 1 + draw(2)
    columns = len(range(0, 4, step))
    begin, end = integers([1, 0]), integers([3, 4])
    value = Fresh((2, columns))
    return _named(input=Fresh((3, 4)), begin=begin, end=end, strides=integers([1, step]), value=value)


def printed(draw: Digits, dtype: str) -> Setting:
    return _named(input=Fresh(SHAPES[draw(len(SHAPES))]), data=[integers([1, 2])], message="seen ", first_n=0)


def given_shape(draw: Digits, dtype: str) -> Setting:
    shape = SHAPES[draw(len(SHAPES))]
    return _named(input=Fresh(shape), shape=list(shape))


def main_diagonal(draw: Digits, dtype: str) -> Setting:
    return _named(diagonal=Fresh(((2,), (3,), (2, 2))[draw(3)]))


def band(draw: Digits, dtype: str) -> Setting:
    return _named(
        diagonal=Fresh(((2,), (2, 2), (3, 3))[draw(3)]), k=integers(0), num_rows=integers(-1), num_cols=integers(-1),
        padding_value=Made("cast", (0.0, DType(dtype))),
    )  # fmt: skip


def main_part(draw: Digits, dtype: str) -> Setting:
    return _named(input=Fresh(((2, 3), (3, 3), (2, 2, 2))[draw(3)]))


def band_part(draw: Digits, dtype: str) -> Setting:
    k = integers((0, 1, -1, [0, 1])[draw(4)])
    lead = (2,) if draw(2) else ()
    return _named(input=Fresh((*lead, 2 + draw(2), 3)), k=k, padding_value=Made("cast", (0.0, DType(dtype))))


def other_diagonal(draw: Digits, dtype: str) -> Setting:
    return _named(input=Fresh((2, 3)), diagonal=Fresh((2,)))


def other_band(draw: Digits, dtype: str) -> Setting:
    return _named(input=Fresh((2, 3)), diagonal=Fresh((2,)), k=integers(draw(2)))


def pooled(draw: Digits, dtype: str) -> Setting:
    size, step = integers([1, 2, 1 + draw(2), 1]), 1 + draw(2)
    strides, padding = integers([1, step, step, 1]), ("VALID", "SAME")[draw(2)]
    return _named(input=Fresh((1, 3, 2 + draw(2), 1)), ksize=size, strides=strides, padding=padding)


def quantized_by(bits: bool) -> Any:
    """As the public op, all by name; the number of bits a tensor or an attribute."""

    def setting(draw: Digits, dtype: str) -> Setting:
        made = quantized(draw, dtype)
        x, low, high = made.args
        named = {**made.named, "input": x, "input_min": low, "input_max": high}
        if bits:
            named |= {"num_bits": integers(made.named["num_bits"])}
            named.pop("round_mode", None)
        return Setting((), named)

    return setting


def batch(draw: Digits, dtype: str) -> Setting:
    """A batch to be normalized by its own means and variances; without running ones."""
    channels = 1 + draw(2)
    shape, channel, none = (2, 1 + draw(2), 2, channels), Fresh((channels,)), array_of([], "float32")
    parts = {"x": Fresh(shape), "scale": channel, "offset": channel, "mean": none, "variance": none}
    return Setting((), {**parts, **({"epsilon": 0.5} if draw(2) else {})}, then=("attribute.y",))


_TIED: dict[str, Any] = {"ties": True, "kinks": (1.0, 2.0, 2.0)}
_UNTRACED: dict[str, Any] = {"unasked": ("jacobian", "forward_mode")}
FLOAT32 = frozenset({"float32"})


def _raw(name: str, setting: Any, dtypes: frozenset[str] = WIDE, curve: str = "linear", **more: Any) -> Row:
    return op_row(f"raw_ops.{name}", setting, dtypes, curve, **more)


ROWS: tuple[Row, ...] = (
    _raw("Add", pair(), NUMERIC),
    _raw("Div", pair(AWAY), NUMERIC, "curved", often=2),
    _raw("Inv", one("x", AWAY), FLOATING, "curved"),
    _raw("InvGrad", reciprocals, FLOATING, "curved", **_UNTRACED),
    _raw("BatchMatMul", products, NUMERIC, "bilinear"),
    _raw("BatchMatMulV3", products_of_a_dtype, WIDE_NUMBERS | INTEGER | {"bfloat16"}, "bilinear", **_UNTRACED),
    _raw("SparseMatMul", plain_product, FLOAT32 | {"bfloat16"}, "bilinear", **_UNTRACED),
    _raw("SpaceToBatch", to_batch, SIGNED, **_UNTRACED),
    _raw("BatchToSpace", from_batch, SIGNED, **_UNTRACED),
    _raw("BiasAddV1", bias, NUMERIC, **_UNTRACED),
    _raw("Concat", joined, NUMERIC, **_UNTRACED),
    _raw("Gather", rows, NUMERIC, unasked=("forward_mode",)),
    _raw("ConjugateTranspose", turned, NUMERIC),
    _raw("Reverse", reversed_axes, NUMERIC, **_UNTRACED),
    _raw("Select", selected, NUMERIC),
    _raw("ParallelDynamicStitch", stitched, NUMERIC, **_UNTRACED),
    _raw("ScatterNdNonAliasingAdd", scattered, NUMERIC, **_UNTRACED),
    _raw("TensorStridedSliceUpdate", replaced, NUMERIC, **_UNTRACED),
    _raw("PlaceholderWithDefault", given_shape, NUMERIC, **_UNTRACED),
    _raw("DebugGradientIdentity", one("input"), NUMERIC, **_UNTRACED),
    _raw("DebugIdentityV2", one("input"), NUMERIC, **_UNTRACED),
    _raw("CheckNumericsV2", one("tensor", message="no number"), REAL, **_UNTRACED),
    _raw("PreventGradient", one("input", message="not here"), NUMERIC, **_UNTRACED),
    _raw("Print", printed, NUMERIC, **_UNTRACED),
    _raw("MatrixDiag", main_diagonal, NUMERIC),
    _raw("MatrixDiagV2", band, NUMERIC, **_UNTRACED),
    _raw("MatrixDiagPart", main_part, NUMERIC),
    _raw("MatrixDiagPartV2", band_part, NUMERIC, **_UNTRACED),
    _raw("MatrixSetDiag", other_diagonal, NUMERIC),
    _raw("MatrixSetDiagV2", other_band, NUMERIC, **_UNTRACED),
    _raw("FusedBatchNorm", batch, FLOAT32, "curved", **_UNTRACED),
    _raw("FusedBatchNormV2", batch, FLOAT32, "curved", **_UNTRACED),
    _raw("FusedBatchNormV3", batch, FLOAT32, "curved", **_UNTRACED),
    _raw("MaxPoolV2", pooled, SIGNED, **_TIED, **_UNTRACED),
    _raw("QuantizeAndDequantizeV2", quantized_by(False), **_UNTRACED),
    _raw("QuantizeAndDequantizeV3", quantized_by(True), **_UNTRACED),
)
