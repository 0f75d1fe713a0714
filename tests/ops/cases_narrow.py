# questions are short functions, many of them bound in a loop
"""What is asked of ops in bfloat16 and in half precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.ops.asking import Case

X = [0.5, -0.25, 2.0, 1.0]
Y = [1.5, 0.75, 0.5, 1.0]
UNARY = [
    "math.exp",
    "math.log",
    "math.sin",
    "math.tanh",
    "math.sigmoid",
    "math.sqrt",
    "math.square",
    "math.abs",
    "math.negative",
    "math.reciprocal",
    "math.rsqrt",
    "math.sign",
    "math.floor",
    "math.erf",
    "math.softplus",
    "nn.relu",
    "nn.elu",
    "nn.selu",
    "nn.gelu",
    "nn.silu",
    "nn.leaky_relu",
    "nn.relu6",
    "nn.softsign",
    "math.log1p",
    "math.expm1",
    "math.cosh",
    "math.atan",
    "nn.softmax",
    "nn.log_softmax",
    "nn.l2_loss",
    "math.l2_normalize",
    "reduce_sum",
    "reduce_mean",
    "reduce_max",
    "reduce_prod",
    "reduce_logsumexp",
    "math.reduce_std",
    "cumsum",
    "math.cumprod",
    "sort",
    "reverse_all",
    "transpose",
    "norm",
]
BINARY = [
    "math.add",
    "math.subtract",
    "math.multiply",
    "math.divide",
    "math.maximum",
    "math.minimum",
    "math.pow",
    "math.squared_difference",
    "math.floormod",
    "math.atan2",
    "math.divide_no_nan",
    "math.xlogy",
    "math.less",
]


def _named(path: str) -> Callable[..., Any]:
    if path == "reverse_all":
        return lambda tf, x: tf.reverse(x, [0])

    def call(tf: Any, *inputs: Any) -> Any:
        found = tf
        for part in path.split("."):
            found = getattr(found, part)
        return found(*inputs)

    return call


def _all() -> Iterator[Case]:
    for dtype in ("bfloat16", "float16"):
        for name in UNARY:
            yield Case(f"{name} {dtype}", _named(name), ((X, dtype),), order=1, scale=2)
        for name in BINARY:
            yield Case(f"{name} {dtype}", _named(name), ((X, dtype), (Y, dtype)), order=1, scale=2)
        matrices = (([[0.5, 2.0]], dtype), ([[1.0], [3.0]], dtype))
        yield Case(f"matmul {dtype}", lambda tf, a, b: a @ b, matrices, order=1)
        yield Case(f"gather {dtype}", lambda tf, x: tf.gather(x, [0, 0, 3]), ((X, dtype),), order=1)
        yield Case(f"where {dtype}", lambda tf, x: tf.where(x > 0, x, 0), ((X, dtype),), order=1)
        yield Case(f"cast {dtype}", lambda tf, x: tf.cast(x, tf.float32) ** 2, ((X, dtype),), order=1)
        yield Case(f"concat {dtype}", lambda tf, x, y: tf.concat([x, y], 0) * 2, ((X, dtype), (Y, dtype)), order=1)
        yield Case(f"clip_by_value {dtype}", lambda tf, x: tf.clip_by_value(x, 0, 1), ((X, dtype),), order=1)
        yield Case(f"clip_by_norm {dtype}", lambda tf, x: tf.clip_by_norm(x, 1.0), ((X, dtype),), order=1, scale=4)
        yield Case(f"python numbers {dtype}", lambda tf, x: 2 * x + 1.5 - x / 3, ((X, dtype),), order=1)
        yield Case(f"scalar {dtype}", lambda tf, x: x * x + 1, ((2.0, dtype),), upstream="ones")
        yield Case(f"pad {dtype}", lambda tf, x: tf.pad(x, [[1, 2]]) * 3, ((X, dtype),), order=1)
        yield Case(f"slice {dtype}", lambda tf, x: x[1:3] * 3, ((X, dtype),), order=1)


CASES = tuple(_all())
