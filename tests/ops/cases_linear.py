# ruff: noqa: E731  # questions are short functions, many of them bound in a loop
"""What is asked of matrix products, decompositions, solvers and Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.ops.asking import Case

A = ([[2.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 4.0]], "float64")
B = ([[1.0, -2.0], [0.5, 3.0], [2.0, 1.0]], "float64")
W = ([[1.0, 2.0, -1.0], [0.5, -3.0, 2.0]], "float64")
Z = ([[1 + 1j, 2.0], [0.5j, 3 - 1j]], "complex128")
U = ([[0.5, 1j], [2 - 1j, 1.0]], "complex128")
BATCH = ([[[2.0, 1.0], [1.0, 3.0]], [[4.0, -1.0], [-1.0, 2.0]]], "float64")
THIN = ([[[1.0], [2.0]], [[0.5], [-1.0]]], "float64")


def case(name: str, function: Callable[..., Any], *inputs: Any, **options: Any) -> Case:
    """A case with the usual options."""
    return Case(name, function, inputs, **options)


def _products() -> Iterator[Case]:
    for ta in (False, True):
        for tb in (False, True):
            x = (
                ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "float64")
                if not ta
                else ([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]], "float64")
            )
            y = B if not tb else ([[1.0, 0.5, 2.0], [-2.0, 3.0, 1.0]], "float64")
            plain = lambda tf, a, b, ta=ta, tb=tb: tf.matmul(a, b, transpose_a=ta, transpose_b=tb)
            yield case(f"matmul transpose_a={ta} transpose_b={tb}", plain, x, y)
            adjoint = lambda tf, a, b, ta=ta, tb=tb: tf.linalg.matmul(a, b, adjoint_a=ta, adjoint_b=tb)
            yield case(f"matmul complex adjoint_a={ta} adjoint_b={tb}", adjoint, Z, U)
            flipped = lambda tf, a, b, ta=ta, tb=tb: tf.matmul(a, b, transpose_a=ta, transpose_b=tb)
            yield case(f"matmul complex transpose_a={ta} transpose_b={tb}", flipped, Z, U)
            yield case(f"batch matmul adjoint_a={ta} adjoint_b={tb}", adjoint, BATCH, BATCH)
            yield case(f"batch matmul transpose_a={ta} transpose_b={tb}", flipped, BATCH, BATCH)
    yield case("matmul float32", lambda tf, a, b: a @ b, [[1.0, 2.0]], [[3.0], [4.0]])
    yield case("matmul of one twice", lambda tf, a: a @ a, A)
    yield case(
        "batch matmul broadcast", lambda tf, a, b: tf.matmul(a, b), BATCH, ([[1.0, 2.0], [0.5, -1.0]], "float64")
    )
    yield case("batch matmul broadcast left", lambda tf, a, b: tf.matmul(a, b), ([[1.0, 2.0]], "float64"), BATCH)
    yield case("matmul of nothing", lambda tf, a, b: tf.matmul(a, b), [[], []], ([[]], "float32"), order=0)
    yield case("matmul of sizes that do not fit", lambda tf, a, b: a @ b, [[1.0, 2.0]], [[1.0]], order=0)
    yield case("batch matmul of sizes that do not fit", lambda tf, a, b: a @ b, BATCH, ([[1.0]], "float64"), order=0)
    yield case("matmul of vectors", lambda tf, a, b: a @ b, [1.0, 2.0], [1.0, 2.0], order=0)
    yield case("matmul of matrix and vector", lambda tf, a, b: a @ b, [[1.0, 2.0]], [1.0, 2.0], order=0)
    yield case("matmul of two dtypes", lambda tf, a, b: a @ b, [[1.0]], ([[1.0]], "float64"), order=0)
    yield case("matmul of integers", lambda tf, a, b: a @ b, ([[1, 2]], "int32"), ([[3], [4]], "int32"), order=0)
    yield case("matmul both flags", lambda tf, a: tf.matmul(a, a, transpose_a=True, adjoint_a=True), A, order=0)
    yield case("matvec", lambda tf, a, b: tf.linalg.matvec(a, b), A, ([1.0, -2.0, 0.5], "float64"))
    yield case(
        "matvec transposed", lambda tf, a, b: tf.linalg.matvec(a, b, transpose_a=True), B, ([1.0, -2.0, 0.5], "float64")
    )
    for axes in (0, 1, [[0], [0]], [[1], [0]], [1, 0]):
        yield case(f"tensordot {axes}", lambda tf, a, b, axes=axes: tf.tensordot(a, b, axes), A, B)
    yield case("tensordot 2", lambda tf, a, b: tf.tensordot(a, b, 2), A, A)
    yield case("cross", lambda tf, a, b: tf.linalg.cross(a, b), [1.0, 2.0, 3.0], [-1.0, 0.5, 2.0])
    equations = {
        "ij,jk->ik": (A, B), "ij,jk": (A, B), "ii->i": (A,), "ii": (A,), "ij->ji": (B,), "ij->": (B,), "ij->j": (B,),
        "ij,ij->": (B, B), "ij,kj->ik": (A, W), "i,j->ij": (([1.0, 2.0], "float64"), ([3.0, 4.0, 5.0], "float64")),
        "bij,bjk->bik": (BATCH, THIN), "...ij,jk->...ik": (BATCH, ([[1.0, 2.0], [0.5, -1.0]], "float64")),
        "ij,jk,kl->il": (A, B, ([[1.0], [2.0]], "float64")),
        "ijk->kj": (BATCH,), "ij,j->i": (A, ([1.0, 2.0, 3.0], "float64")), "bij->b": (BATCH,), "...->...": (B,),
        "i...,i->...": (B, ([1.0, 2.0, 3.0], "float64")), "aab->ba": (BATCH,), "ij,kj->i": (A, W),
    }  # fmt: skip
    for equation, inputs in equations.items():
        yield case(f"einsum {equation}", lambda tf, *xs, e=equation: tf.einsum(e, *xs), *inputs)
    yield case("einsum complex", lambda tf, a, b: tf.einsum("ij,jk->ik", a, b), Z, U)
    yield case("einsum of too few", lambda tf, a: tf.einsum("ij,jk->ik", a), A, order=0)


def _decompositions() -> Iterator[Case]:
    unary = {
        "inv": lambda tf, a: tf.linalg.inv(a), "inv adjoint": lambda tf, a: tf.linalg.inv(a, adjoint=True),
        "det": lambda tf, a: tf.linalg.det(a), "logdet": lambda tf, a: tf.linalg.logdet(a),
        "slogdet": lambda tf, a: tf.linalg.slogdet(a)[1], "cholesky": lambda tf, a: tf.linalg.cholesky(a),
        "pinv": lambda tf, a: tf.linalg.pinv(a), "expm": lambda tf, a: tf.linalg.expm(a),
        "eigvalsh": lambda tf, a: tf.linalg.eigvalsh(a), "eigh values": lambda tf, a: tf.linalg.eigh(a)[0],
        "eigh vectors": lambda tf, a: tf.abs(tf.linalg.eigh(a)[1]),
        "svd values": lambda tf, a: tf.linalg.svd(a, compute_uv=False),
        "svd whole": lambda tf, a: tf.linalg.svd(a)[0] + tf.reduce_sum(tf.abs(tf.linalg.svd(a)[1]), -1),
        "sqrtm": lambda tf, a: tf.linalg.sqrtm(a),
    }  # fmt: skip
    for name, function in unary.items():
        yield case(name, function, A, scale=100)
        yield case(f"{name} of a batch", function, BATCH, scale=100)
    for name in ("inv", "det", "cholesky", "svd values"):
        yield case(f"{name} float32", unary[name], (A[0], "float32"), scale=100)
    yield case("pinv of a tall matrix", unary["pinv"], B, scale=100)
    yield case("svd values of a tall matrix", unary["svd values"], B, scale=100)
    yield case("svd values of a wide matrix", unary["svd values"], W, scale=100)
    yield case("qr", lambda tf, a: [tf.abs(v) for v in tf.linalg.qr(a)], A, scale=100)
    yield case("qr of a tall matrix", lambda tf, a: [tf.abs(v) for v in tf.linalg.qr(a)], B, scale=100)
    yield case("qr of a wide matrix", lambda tf, a: [tf.abs(v) for v in tf.linalg.qr(a)], W, order=1, scale=100)
    yield case("eigvalsh of repeated ones", unary["eigvalsh"], ([[1.0, 0.0], [0.0, 1.0]], "float64"), order=1)
    yield case("svd values of repeated ones", unary["svd values"], ([[1.0, 0.0], [0.0, 1.0]], "float64"), order=1)
    yield case("inv of a singular matrix", unary["inv"], [[1.0, 1.0], [1.0, 1.0]], order=0)
    yield case("det of a singular matrix", unary["det"], [[1.0, 1.0], [1.0, 1.0]])
    yield case("cholesky of an indefinite matrix", unary["cholesky"], [[1.0, 2.0], [2.0, 1.0]], order=0)
    yield case("inv of no square", unary["inv"], W, order=0)
    yield case("solve", lambda tf, a, b: tf.linalg.solve(a, b), A, B, scale=100)
    yield case("solve adjoint", lambda tf, a, b: tf.linalg.solve(a, b, adjoint=True), A, B, scale=100)
    yield case("solve of a batch", lambda tf, a, b: tf.linalg.solve(a, b), BATCH, THIN, scale=100)
    yield case("solve of a singular matrix", lambda tf, a: tf.linalg.solve(a, a), [[1.0, 1.0], [1.0, 1.0]], order=0)
    for lower in (True, False):
        for adjoint in (True, False):
            solve = lambda tf, a, b, lo=lower, ad=adjoint: tf.linalg.triangular_solve(a, b, lower=lo, adjoint=ad)
            yield case(f"triangular_solve lower={lower} adjoint={adjoint}", solve, A, B, scale=100)
    yield case("cholesky_solve", lambda tf, a, b: tf.linalg.cholesky_solve(a, b), A, B, scale=100)
    yield case("lstsq", lambda tf, a, b: tf.linalg.lstsq(a, b), B, ([[1.0], [2.0], [0.5]], "float64"), scale=1000)
    yield case(
        "lstsq of a wide matrix", lambda tf, a, b: tf.linalg.lstsq(a, b), W, ([[1.0], [2.0]], "float64"), scale=1000
    )
    yield case("inv complex", unary["inv"], Z, scale=100)
    yield case("det complex", unary["det"], Z, scale=100)
    yield case("norm 2 of a matrix", lambda tf, a: tf.norm(a, ord=2, axis=(0, 1)), A, scale=100)
    yield case("matrix_rank", lambda tf, a: tf.linalg.matrix_rank(a), A, order=0)
    yield case("lu", lambda tf, a: tf.linalg.lu(a)[0], A, scale=10)


def _fourier() -> Iterator[Case]:
    x, m = ([1 + 2j, 2.0, -1j, 0.5], "complex128"), ([[1 + 2j, 2.0], [-1j, 0.5]], "complex128")
    real = ([1.0, -2.0, 0.5, 3.0], "float64")
    for name in ("fft", "ifft"):
        yield case(name, lambda tf, z, name=name: getattr(tf.signal, name)(z), x)
        yield case(f"{name}2d", lambda tf, z, name=name: getattr(tf.signal, f"{name}2d")(z), m)
        yield case(f"{name} complex64", lambda tf, z, name=name: getattr(tf.signal, name)(z), (x[0], "complex64"))
    yield case("fft of the real part", lambda tf, a: tf.math.real(tf.signal.fft(tf.cast(a, tf.complex128))), real)
    yield case("rfft", lambda tf, a: tf.signal.rfft(a), real)
    yield case("rfft odd", lambda tf, a: tf.signal.rfft(a), ([1.0, -2.0, 0.5], "float64"))
    yield case("rfft of a length", lambda tf, a: tf.signal.rfft(a, [6]), real)
    yield case("irfft", lambda tf, z: tf.signal.irfft(z), ([1 + 0j, 2 - 1j, 0.5 + 0j], "complex128"))
    yield case("irfft of a length", lambda tf, z: tf.signal.irfft(z, [5]), ([1 + 0j, 2 - 1j, 0.5 + 0.3j], "complex128"))
    yield case("fftshift", lambda tf, z: [tf.signal.fftshift(z), tf.signal.ifftshift(z)], ([1.0, 2.0, 3.0], "float64"))


CASES = tuple(one for group in (_products, _decompositions, _fourier) for one in group())
