"""Rows of the special functions: Bessel, gamma, beta and error functions, and what stands beside them in `tf.math`."""

from __future__ import annotations

from typing import Any

from conformance.optables.row import FLOATING, NUMERIC, REAL, SIGNED, WIDE, Digits, Fresh, Row, Setting, Span, op_row

SHAPES: tuple[tuple[int, ...], ...] = ((2,), (3,), (2, 2), (), (2, 3), (1,), (0,), (2, 1, 2))
NO_BFLOAT16 = REAL - {"bfloat16"}


def shape_of(draw: Digits) -> tuple[int, ...]:
    """A shape: mostly short vectors and small matrices, now and then a scalar or nothing at all."""
    return SHAPES[draw(len(SHAPES))]


def unary(low: float, high: float, apart: float = 0.0) -> Any:
    """The setting of a function of one number between `low` and `high`."""

    def setting(draw: Digits, dtype: str) -> Setting:
        return Setting((Fresh(shape_of(draw), span=Span(low, high, apart)),))

    return setting


def several(*spans: Span) -> Any:
    """The setting of a function of several numbers that broadcast."""

    def setting(draw: Digits, dtype: str) -> Setting:
        whole = shape_of(draw)
        forms = (whole, whole, whole, (), whole[-1:], (1,) * len(whole))
        shapes = [whole] + [forms[draw(len(forms))] for _ in spans[1:]]
        if draw(4) == 3:
            shapes.reverse()
        return Setting(tuple(Fresh(shape, span=span) for shape, span in zip(shapes, spans)))

    return setting


def betainc(draw: Digits, dtype: str) -> Setting:
    """Shapes must be equal or scalar; now and then they are not."""
    whole = shape_of(draw)
    forms = (whole, whole, (), (2,)) if draw(6) == 5 else (whole, whole, whole, ())
    shapes = [forms[draw(4)] for _ in range(3)]
    return Setting(tuple(Fresh(shape, span=span) for shape, span in zip(shapes, (POSITIVE, POSITIVE, SHARE))))


def polygamma(draw: Digits, dtype: str) -> Setting:
    whole = shape_of(draw)
    order = Fresh(whole if draw(2) else (), "ones")
    return Setting((order, Fresh(whole, span=POSITIVE)))


def lbeta(draw: Digits, dtype: str) -> Setting:
    shape = ((2,), (3,), (2, 2), (1,), (2, 3))[draw(5)]
    return Setting((Fresh(shape, span=POSITIVE),))


def polyval(draw: Digits, dtype: str) -> Setting:
    whole = shape_of(draw)
    coefficients = [Fresh(whole if draw(2) else ()) for _ in range(1 + draw(3))]
    return Setting((coefficients, Fresh(whole)))


def scalar_mul(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh(()), Fresh(shape_of(draw))))


POSITIVE = Span(0.3, 5.0)
AWAY = Span(1.2, 4.0)
SHARE = Span(0.0625, 0.9375)
ANY = Span(-3.0, 3.0)

_BESSEL = tuple(
    op_row(f"math.{name}", unary(low, 6.0), NO_BFLOAT16, kinks=(0.0,))
    for name, low in (
        ("bessel_i0", -6.0), ("bessel_i0e", -6.0), ("bessel_i1", -6.0), ("bessel_i1e", -6.0),
        ("special.bessel_j0", -6.0), ("special.bessel_j1", -6.0), ("special.bessel_k0", 0.25),
        ("special.bessel_k0e", 0.25), ("special.bessel_k1", 0.25), ("special.bessel_k1e", 0.25),
        ("special.bessel_y0", 0.25), ("special.bessel_y1", 0.25),
    )
)  # fmt: skip

_OF_ONE = (
    op_row("math.lgamma", unary(0.3, 6.0), NO_BFLOAT16, kinks=(0.0, 1.0, 2.0, -1.0)),
    op_row("math.digamma", unary(0.3, 6.0), NO_BFLOAT16, kinks=(0.0, 1.0, -1.0)),
    op_row("math.erfc", unary(-2.5, 2.5), REAL, kinks=(0.0,)),
    op_row("math.erfinv", unary(-0.9, 0.9), WIDE, kinks=(0.0, 1.0, -1.0)),
    op_row("math.erfcinv", unary(0.125, 1.875), WIDE, kinks=(1.0,)),
    op_row("math.ndtri", unary(0.0625, 0.9375), WIDE, kinks=(0.5, 0.0, 1.0)),
    op_row("math.special.dawsn", unary(-4.0, 4.0), WIDE, kinks=(0.0,)),
    op_row("math.special.expint", unary(0.25, 4.0), WIDE, kinks=(1.0,)),
    op_row("math.special.fresnel_cos", unary(-3.0, 3.0), WIDE, kinks=(0.0,)),
    op_row("math.special.fresnel_sin", unary(-3.0, 3.0), WIDE, kinks=(0.0,)),
    op_row("math.special.spence", unary(0.25, 4.0), WIDE, kinks=(1.0, 0.0)),
    op_row("math.rint", unary(-6.0, 6.0), REAL, "cut", kinks=(0.5, 1.5, -0.5)),
    op_row("math.angle", unary(-4.0, 4.0, 0.25), FLOATING, kinks=(0.0, 1.0)),
    op_row("math.reciprocal_no_nan", unary(-4.0, 4.0, 0.25), FLOATING, kinks=(0.0, 1.0)),
    op_row("math.is_finite", unary(-4.0, 4.0), REAL, "cut"),
    op_row("math.is_inf", unary(-4.0, 4.0), REAL, "cut"),
    op_row("math.is_nan", unary(-4.0, 4.0), REAL, "cut"),
    op_row("math.lbeta", lbeta, NO_BFLOAT16, kinks=(1.0,)),
)

# One of the two gradients cannot be differentiated, which counts where TensorFlow traces both of them.
_TRACED = ("jacobian", "forward_mode")
_OF_SEVERAL = (
    op_row("math.polygamma", polygamma, WIDE, kinks=(1.0, 2.0)),
    op_row("math.zeta", several(AWAY, POSITIVE), WIDE, kinks=(2.0, 1.0)),
    op_row("math.betainc", betainc, WIDE, kinks=(0.5, 1.0), unasked=("forward_mode",)),
    op_row("math.igamma", several(POSITIVE, POSITIVE), WIDE, kinks=(1.0,), unasked=_TRACED),
    op_row("math.igammac", several(POSITIVE, POSITIVE), WIDE, kinks=(1.0,), unasked=_TRACED),
    op_row("math.xlog1py", several(ANY, Span(-0.5, 5.0)), FLOATING, kinks=(0.0, 1.0)),
    op_row("math.nextafter", several(ANY, ANY), WIDE, "linear", kinks=(0.0, 1.0)),
    op_row("math.scalar_mul", scalar_mul, NUMERIC, "bilinear"),
    op_row("math.polyval", polyval, NUMERIC),
    op_row("truncatediv", several(ANY, Span(-4.0, 4.0, 0.25)), SIGNED, "cut", kinks=(1.0, 2.0), often=2),
)

ROWS: tuple[Row, ...] = _BESSEL + _OF_ONE + _OF_SEVERAL
