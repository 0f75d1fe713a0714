"""NUM, first part: elementwise ops at ordinary points, at kinks and at singular points."""

from __future__ import annotations

from conformance.rules import AGAINST_MATHS, Group
from conformance.rules import gradient_at as at

GROUP = Group("NUM", "Numerical conventions", source="tf.math")
show = GROUP.shown_by

INF, NAN = float("inf"), float("nan")

show(
    "NUM-01",
    "relu has slope 0 at 0, at -0.0 and at nan, 1 above.",
    at(lambda tf, x: tf.nn.relu(x), [-1.0, -0.0, 0.0, 1.0, NAN, INF]),
)
show("NUM-02", "relu6 has slope 0 at both edges.", at(lambda tf, x: tf.nn.relu6(x), [0.0, 6.0, 3.0, 7.0]))
show(
    "NUM-03",
    "leaky_relu has slope alpha at 0.",
    at(lambda tf, x: tf.nn.leaky_relu(x, alpha=0.2), [-1.0, 0.0, 1.0]),
)
show(
    "NUM-04",
    "elu and selu have their right-hand slope at 0.",
    at(lambda tf, x: tf.nn.elu(x), [-1.0, 0.0, 1.0]),
    at(lambda tf, x: tf.nn.selu(x), [-1.0, 0.0, 1.0]),
)
show("NUM-05", "abs has slope 0 at 0 and at -0.0.", at(lambda tf, x: tf.abs(x), [-2.0, -0.0, 0.0, 2.0]))
show(
    "NUM-06",
    "sign has zeros for a gradient; floor, ceil, round and rint have None.",
    at(lambda tf, x: tf.sign(x), [1.5]),
    at(lambda tf, x: tf.floor(x), [1.5]),
    at(lambda tf, x: tf.math.ceil(x), [1.5]),
    at(lambda tf, x: tf.round(x), [1.5]),
    at(lambda tf, x: tf.math.rint(x), [1.5]),
)
show(
    "NUM-07",
    "The remainder x % y has slope 1 in x and minus the floored quotient in y.",
    at(lambda tf, x, y: tf.math.floormod(x, y), [7.0, -7.0, 7.0], [3.0, 3.0, -3.0]),
)
show(
    "NUM-08",
    "truncatemod has no gradient function, which is an error; floordiv and truncatediv have None.",
    at(lambda tf, x: tf.truncatemod(x, 3.0), [7.0]),
    at(lambda tf, x: x // 3.0, [7.0]),
    at(lambda tf, x: tf.truncatediv(x, 3.0), [7.0]),
)
show("NUM-09", "sqrt has an infinite slope at 0 and nan below.", at(lambda tf, x: tf.sqrt(x), [0.0, 4.0, -1.0]))
show(
    "NUM-10",
    "rsqrt and reciprocal have slope minus infinity at 0.",
    at(lambda tf, x: tf.math.rsqrt(x), [0.0, 4.0]),
    at(lambda tf, x: tf.math.reciprocal(x), [0.0, 2.0]),
)
show(
    "NUM-11",
    "The slope of log is 1/x, finite even below 0, where the value is nan.",
    at(lambda tf, x: tf.math.log(x), [0.0, 1.0, -1.0]),
    at(lambda tf, x: tf.math.log1p(x), [-1.0, 0.0]),
    standing=AGAINST_MATHS,
)
show(
    "NUM-12",
    "exp overflows to an infinite slope and underflows to 0; expm1 has slope 1 at 0.",
    at(lambda tf, x: tf.exp(x), [100.0, -200.0, NAN]),
    at(lambda tf, x: tf.math.expm1(x), [0.0]),
)
show("NUM-13", "sigmoid is flat far out, and 1/4 at 0.", at(lambda tf, x: tf.sigmoid(x), [-100.0, 0.0, 100.0]))
show(
    "NUM-14",
    "log_sigmoid and softplus do not overflow.",
    at(lambda tf, x: tf.math.log_sigmoid(x), [-100.0, 0.0, 100.0]),
    at(lambda tf, x: tf.math.softplus(x), [-100.0, 0.0, 100.0]),
)
show(
    "NUM-15",
    "tanh is flat far out; softsign has slope 1 at 0.",
    at(lambda tf, x: tf.tanh(x), [-100.0, 0.0, 100.0]),
    at(lambda tf, x: tf.nn.softsign(x), [0.0, 3.0]),
)
show(
    "NUM-16",
    "sin, cos and tan at 0.",
    at(lambda tf, x: tf.sin(x), [0.0]),
    at(lambda tf, x: tf.cos(x), [0.0]),
    at(lambda tf, x: tf.tan(x), [0.0]),
)
show(
    "NUM-17",
    "square keeps the sign of -0.0; powers at 0 have slope 0, infinity or minus infinity.",
    at(lambda tf, x: tf.square(x), [-0.0]),
    at(lambda tf, x: x**2, [0.0]),
    at(lambda tf, x: x**0.5, [0.0]),
    at(lambda tf, x: x**-1, [0.0]),
)
show(
    "NUM-18",
    "pow(0, 0) has nan in x and 0 in y.",
    at(lambda tf, x, y: tf.pow(x, y), 0.0, 0.0),
    standing=AGAINST_MATHS,
)
show(
    "NUM-19",
    "The gradient of pow in its exponent is 0 wherever the base is not positive.",
    at(lambda tf, x, y: tf.pow(x, y), [0.0, 0.0, -2.0, 2.0], [2.0, 0.0, 3.0, 0.0]),
    standing=AGAINST_MATHS,
)
show(
    "NUM-20",
    "A base of 0 with exponent 1 has slope 1.",
    at(lambda tf, x, y: tf.pow(x, y), [0.0], [1.0]),
)
show(
    "NUM-21",
    "x ** 0 has nan at 0 even for a Python exponent; x ** 1 has 1.",
    at(lambda tf, x: x**0, [0.0, 2.0]),
    at(lambda tf, x: x**1, [0.0, 2.0]),
    at(lambda tf, x: x**3, [0.0, 2.0]),
    standing=AGAINST_MATHS,
)
show(
    "NUM-22",
    "pow of a float and an integer tensor is an error.",
    at(lambda tf, x: tf.pow(x, tf.constant([2])), [3.0]),
)
show(
    "NUM-23",
    "pow at infinity, and at 0 with a negative exponent.",
    at(lambda tf, x, y: tf.pow(x, y), [INF], [2.0]),
    at(lambda tf, x, y: tf.pow(x, y), [0.0], [-1.0]),
)
show(
    "NUM-24",
    "Division by 0 has an infinite slope in the numerator; 0 / 0 has nan in the denominator.",
    at(lambda tf, x, y: x / y, [1.0, 0.0], [0.0, 0.0]),
)
show(
    "NUM-25",
    "divide_no_nan has 0 for both gradients where the denominator is 0.",
    at(lambda tf, x, y: tf.math.divide_no_nan(x, y), [1.0, 1.0], [0.0, 2.0]),
)
show(
    "NUM-26",
    "multiply_no_nan has 0 in x where y is 0; its gradient in y is x, and 0 where the upstream is.",
    at(lambda tf, x, y: tf.math.multiply_no_nan(x, y), [INF, 3.0], [0.0, 2.0]),
    at(lambda tf, x, y: tf.math.multiply_no_nan(x, y) * tf.constant([0.0, INF]), [INF, 0.0], [2.0, 2.0]),
)
show(
    "NUM-27",
    "xlogy has 0 for both gradients where x is 0 and y is 0; the logarithm where only y is 0.",
    at(lambda tf, x, y: tf.math.xlogy(x, y), [0.0, 2.0, 0.0, 2.0], [0.0, 0.0, 3.0, 3.0]),
)
show(
    "NUM-28",
    "xdivy and xlog1py guard a zero x in the same way.",
    at(lambda tf, x, y: tf.math.xdivy(x, y), [0.0, 2.0], [0.0, 4.0]),
    at(lambda tf, x, y: tf.math.xlog1py(x, y), [0.0, 2.0], [-1.0, 3.0]),
)
show(
    "NUM-29",
    "atan2 has nan at the origin.",
    at(lambda tf, y, x: tf.atan2(y, x), [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]),
)
show(
    "NUM-30",
    "squared_difference has opposite gradients.",
    at(lambda tf, x, y: tf.math.squared_difference(x, y), [3.0], [1.0]),
)
show(
    "NUM-31",
    "norm has nan at the zero vector.",
    at(lambda tf, x: tf.norm(x), [0.0, 0.0]),
    at(lambda tf, x: tf.norm(x), [3.0, 4.0]),
)
show(
    "NUM-32",
    "The 1-norm has 0 at 0; the infinity norm splits ties.",
    at(lambda tf, x: tf.norm(x, ord=1), [0.0, -2.0]),
    at(lambda tf, x: tf.norm(x, ord=INF), [3.0, -3.0]),
    at(lambda tf, x: tf.norm(x, ord=3), [1.0, 2.0]),
)
