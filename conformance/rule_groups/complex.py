"""CPLX: gradients of complex numbers, which are conjugated."""

from __future__ import annotations

from typing import Any

from conformance.rules import Group, gradient_at

GROUP = Group("CPLX", "Complex numbers", source="tf.GradientTape.gradient")
rule, also = GROUP.rule, GROUP.also


def at(function: Any, *values: complex | list[complex], **options: Any) -> Any:
    """A gradient at complex64 points."""
    return gradient_at(function, *values, dtype="complex64", **options)


GROUP.shown_by(
    "CPLX-01",
    "The gradient of a holomorphic function is the conjugate of its derivative.",
    at(lambda tf, z: z * z, 1 + 2j),
)
GROUP.shown_by("CPLX-02", "The gradient of exp is the conjugate of exp.", at(lambda tf, z: tf.exp(z), 0.5j))
GROUP.shown_by(
    "CPLX-03",
    "The gradient of the modulus points away from 0, with length one, and is 0 at 0.",
    at(lambda tf, z: tf.abs(z), [3 + 4j, 0j]),
)
GROUP.shown_by(
    "CPLX-04",
    "real, imag, conj and angle are differentiable.",
    at(lambda tf, z: tf.math.real(z), 3 + 4j),
    at(lambda tf, z: tf.math.imag(z), 3 + 4j),
    at(lambda tf, z: tf.math.conj(z), 3 + 4j),
    at(lambda tf, z: tf.math.angle(z), 3 + 4j),
)
GROUP.shown_by(
    "CPLX-05",
    "The gradient of a real function of z is the direction of steepest ascent.",
    at(lambda tf, z: tf.math.real(z * tf.math.conj(z)), 3 + 4j),
)
GROUP.shown_by(
    "CPLX-06",
    "complex() passes the real and the imaginary part of what flows back to its two operands.",
    gradient_at(lambda tf, a, b: tf.math.real(tf.complex(a, b) ** 2), 3.0, 4.0),
)
GROUP.shown_by(
    "CPLX-07",
    "With real sources, a complex target counts by its real part.",
    gradient_at(lambda tf, a, b: tf.complex(a, b) * (2 + 3j), 3.0, 4.0),
)


@rule("CPLX-08", "A complex output gradient multiplies the conjugate of the derivative.")
def _(tf: Any) -> None:
    z = tf.constant(1 + 2j, "complex64")
    with tf.GradientTape() as t:
        t.watch(z)
        y = z * z
    t.gradient(y, z, output_gradients=tf.constant(1j, "complex64"))


GROUP.shown_by(
    "CPLX-09",
    "Division of complex numbers conjugates both partial derivatives.",
    at(lambda tf, a, b: a / b, 1 + 2j, 2 - 1j),
)
GROUP.shown_by(
    "CPLX-10",
    "matmul of complex matrices multiplies by the conjugate transpose.",
    gradient_at(lambda tf, a, b: tf.matmul(a, b), [[1 + 1j]], [[2 - 3j]], dtype="complex128"),
)
GROUP.shown_by(
    "CPLX-11",
    "fft is differentiable.",
    at(lambda tf, z: tf.math.real(tf.signal.fft(z)), [1 + 0j, 2 + 0j, 3 + 0j, 4 + 0j]),
)
GROUP.shown_by(
    "CPLX-12",
    "sign, square and tanh of complex numbers are differentiable.",
    at(lambda tf, z: tf.sign(z), 3 + 4j),
    at(lambda tf, z: tf.square(z), 0.3 + 0.4j),
    at(lambda tf, z: tf.tanh(z), 3 + 4j),
)


@rule("CPLX-13", "The second derivative of a complex function conjugates twice.")
def _(tf: Any) -> None:
    z = tf.constant(1 + 1j, "complex64")
    with tf.GradientTape() as outer:
        outer.watch(z)
        with tf.GradientTape() as inner:
            inner.watch(z)
            y = z * z * z
        g = inner.gradient(y, z)
    outer.gradient(g, z)


GROUP.shown_by(
    "CPLX-14",
    "reduce_prod, cumsum and reduce_mean of complex numbers are differentiable.",
    at(lambda tf, z: tf.reduce_prod(z), [1 + 1j, 2 + 0j]),
    at(lambda tf, z: tf.cumsum(z), [1 + 1j, 2 + 0j]),
    at(lambda tf, z: tf.reduce_mean(z), [1 + 1j, 2 + 0j]),
)
GROUP.shown_by(
    "CPLX-15",
    "The gradient of the modulus of a complex vector is that of each element.",
    gradient_at(lambda tf, z: tf.abs(z), [3 + 4j, -5j], dtype="complex128"),
)


GROUP.shown_by(
    "CPLX-16",
    "The gradient of the angle at zero is infinite in its real part and nan in the other; a zero upstream gives nan.",
    gradient_at(lambda tf, z: tf.math.angle(z), 0j, dtype="complex128"),
    gradient_at(lambda tf, z: tf.math.angle(z) * 0.0, 0j, dtype="complex128"),
)
