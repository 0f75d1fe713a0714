"""Linear operators and what is asked of them, for TensorFlow (``python -m tests.ops.linear_operators``) and the engine.

Run so, it writes TensorFlow's answers to recorded_linear_operators.json.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("recorded_linear_operators.json")
_F = np.float32
A = _F([[1.5, -0.5, 0.25], [0.75, 2.0, -1.0], [0.5, 0.125, -1.75]])
S = _F([[4.0, 1.0, 0.5], [1.0, 5.0, 2.0], [0.5, 2.0, 6.0]])
B = np.stack([A, S])
D, POSITIVE = _F([1.0, 2.0, -3.0]), _F([1.0, 2.0, 3.0])
C = np.complex64([1 + 1j, 2 - 0.5j, -1.5 + 0.25j])
BANDS = _F([[1, 2, 0], [4, 5, 6], [0, 1, -1]])


def kinds(tf: Any) -> dict[str, tuple[Callable[[Any], Any], Any]]:
    """Each kind's name: how it is made of a parameter, and the parameter."""
    L = tf.linalg
    full, diag, lower = L.LinearOperatorFullMatrix, L.LinearOperatorDiag, L.LinearOperatorLowerTriangular
    known = {"is_self_adjoint": True, "is_positive_definite": True}
    rank = L.LinearOperatorLowRankUpdate

    def folded(p: Any) -> Any:
        operator = lower(p, is_non_singular=True)
        return L.LinearOperatorComposition([operator, operator.H])

    return {
        "full": (full, A),
        "full of a batch": (full, B),
        "full complex": (full, (A + 1j * S).astype(np.complex64)),
        "full positive": (lambda p: full(p, **known), S),
        "not square": (full, A[:, :2]),
        "diag": (diag, D),
        "diag positive": (lambda p: diag(p, is_positive_definite=True), POSITIVE),
        "diag complex": (diag, C),
        "identity": (lambda _p: L.LinearOperatorIdentity(3), D),
        "identity of a batch": (lambda _p: L.LinearOperatorIdentity(3, batch_shape=[2]), D),
        "scaled": (lambda p: L.LinearOperatorScaledIdentity(3, p), _F(2.0)),
        "scaled batch": (lambda p: L.LinearOperatorScaledIdentity(3, p), _F([2.0, 3.0])),
        "lower": (lower, A),
        "composition": (lambda p: L.LinearOperatorComposition([full(p), diag(D)]), A),
        "folded": (folded, S),
        "adjoint": (lambda p: L.LinearOperatorAdjoint(full(p)), A),
        "inversion": (lambda p: L.LinearOperatorInversion(full(p)), S),
        "kronecker": (lambda p: L.LinearOperatorKronecker([full(p), diag(POSITIVE)]), S),
        "blocks": (lambda p: L.LinearOperatorBlockDiag([full(p), diag(POSITIVE)]), S),
        "low rank": (lambda p: rank(diag(POSITIVE), p), A[:, :2]),
        "low rank of two": (lambda p: rank(diag(POSITIVE), p, v=S[:, :2], diag_update=_F([1.0, -2.0])), A[:, :2]),
        "low rank positive": (lambda p: rank(diag(POSITIVE, is_positive_definite=True), p), A[:, :2]),
        "zeros": (lambda _p: L.LinearOperatorZeros(3), D),
        "circulant": (lambda p: L.LinearOperatorCirculant(p, input_output_dtype=tf.float32), _F([3.0, 1.0, 1.0])),
        "circulant complex": (L.LinearOperatorCirculant, C),
        "householder": (L.LinearOperatorHouseholder, D),
        "permutation": (lambda _p: L.LinearOperatorPermutation([2, 0, 1]), D),
        "tridiagonal": (L.LinearOperatorTridiag, BANDS),
        "tridiagonal matrix": (
            lambda p: L.LinearOperatorTridiag(p, diagonals_format="matrix"), np.tril(np.triu(S, -1), 1)
        ),
        "toeplitz": (lambda p: L.LinearOperatorToeplitz(p, _F([1.0, 4.0, 5.0])), POSITIVE),
    }  # fmt: skip


def questions(tf: Any, operator: Any) -> dict[str, Callable[[Any], Any]]:
    """What is asked of an operator: methods that give tensors."""
    rows, columns = int(operator.range_dimension), int(operator.domain_dimension)

    def some(*shape: int) -> Any:
        numbers = (np.arange(np.prod(shape)) % 5 - 1.5).reshape(shape) / 2
        return tf.constant(numbers.astype(operator.dtype.as_numpy_dtype))

    return {
        "matmul": lambda o: o.matmul(some(columns, 2)),
        "matmul adjoint": lambda o: o.matmul(some(2, rows), adjoint=True, adjoint_arg=True),
        "matmul of a batch": lambda o: o.matmul(some(2, columns, 2)),
        "matvec": lambda o: o.matvec(some(columns)),
        "solve": lambda o: o.solve(some(rows, 2)),
        "solve adjoint": lambda o: o.solve(some(2, columns), adjoint=True, adjoint_arg=True),
        "solve of a batch": lambda o: o.solve(some(2, rows, 2)),
        "solvevec": lambda o: o.solvevec(some(rows)),
        "to_dense": lambda o: o.to_dense(),
        "add_to_tensor": lambda o: o.add_to_tensor(some(rows, columns)),
        **{
            name: lambda o, name=name: getattr(o, name)()
            for name in ("diag_part", "trace", "determinant", "log_abs_determinant", "cond", "eigvals")
        },
    }


def _told(value: Any) -> Any:
    if value is None:
        return None
    if not hasattr(value, "to_dense"):
        array = np.asarray(value)
        both = [array.real, array.imag] if array.dtype.kind == "c" else [array]
        return [str(array.dtype), list(array.shape), [[float(f"{n:.5g}") for n in p.ravel()] for p in both]]
    hints = [value.is_non_singular, value.is_self_adjoint, value.is_positive_definite, value.is_square]
    return [type(value).__name__, value.name, hints, _told(value.to_dense())]


def _answer(function: Callable[[], Any]) -> Any:
    try:
        return _told(function())
    except Exception as error:
        return [type(error).__name__, str(error).split("\n")[0][:150]]


def _gradient(tf: Any, make: Any, parameter: Any, question: Any) -> Any:
    p = tf.constant(parameter)
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = question(make(p))
        y = tf.reduce_sum(tf.math.real(y * y))
    return tape.gradient(y, p)


def answers(tf: Any, kind: str) -> Iterator[tuple[str, Any]]:
    """Every question, and what a module shaped like TensorFlow answers to it."""
    make, parameter = kinds(tf)[kind]
    operator = make(tf.constant(parameter))
    for name, question in questions(tf, operator).items():
        yield name, _answer(lambda question=question: question(operator))
        yield f"gradient of {name}", _answer(lambda question=question: _gradient(tf, make, parameter, question))
    for name in ("adjoint", "inverse", "cholesky"):
        yield name, _answer(lambda name=name: getattr(operator, name)())
    for other in ("full", "diag", "identity", "scaled", "lower", "zeros", "circulant", "blocks"):
        second = kinds(tf)[other]
        right = second[0](tf.constant(second[1]))
        yield f"@ {other}", _answer(lambda right=right: operator @ right)
        yield f"solve {other}", _answer(lambda right=right: operator.solve(right))


if __name__ == "__main__":
    import tensorflow

    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    found = {kind: dict(answers(tensorflow, kind)) for kind in kinds(tensorflow)}
    lines = [f"{json.dumps(kind)}: {json.dumps(said, separators=(',', ':'))}" for kind, said in found.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
