"""Errors of ops that TensorFlow runs in a graph: shapes are judged there before a kernel runs, in words of their own.

Tangents are computed in a traced function, so a tangent of a wrong shape ends in such an error.
"""

from __future__ import annotations

import re
from typing import Any

from ..dtypes import kernel_name
from ..errors import InvalidArgumentError

_SHAPES = re.compile(r"Incompatible shapes: \[([\d,]*)\] vs\. \[([\d,]*)\] \[Op:(\w+)\]")
_UNLIKE = re.compile(r"operation AddN of type AddN .* Input 0: \[([\d,]*)\] != input (\d+): \[([\d,]*)\]")
_OP = re.compile(r" ?\[Op:(\w+)\].*$", re.DOTALL)
_LISTED = re.compile(r"Value for attr '(\w+)' of (\w+) is not in the list of allowed values: ([\w, ]+)")
_MIXED = re.compile(
    r"compute (\w+) as input #(\d+)\(zero-based\) was expected to be a (\w+) tensor but is a (\w+) tensor"
)
_OPERANDS = re.compile(r"signature=(.*?) -> ")
_MATRICES = re.compile(r"Matrix size-incompatible: In\[0\]: \[([\d,]*)\], In\[1\]: \[([\d,]*)\] \[Op:(\w+)\]")
_RESHAPED = re.compile(r"Input to reshape is a tensor with \d+ values, but the requested shape has \d+")
TRANSFORMS = {"RFFT": "add_1", "RFFT2D": "add_1", "IRFFT": "mul_2", "IRFFT2D": "mul_2"}
_LISTS = {"AddN": "inputs", "ConcatV2": "values"}  # what kernels call the tensors that are alike
KERNEL_WORDS = {"float": "float32", "double": "float64", "half": "float16"}
_NODE = re.compile(r"\{\{[^}]*\}\} ?")


def dtype_error(error: Exception) -> TypeError | None:
    """The TypeError in a graph for a kernel's refusal of a dtype; None for another error."""
    mixed = _MIXED.search(str(error))
    if mixed is not None:
        kernel, place, *words = mixed.groups()
        return _mixed(kernel, int(place), *(KERNEL_WORDS.get(word, word) for word in words))
    found = _LISTED.search(str(error))
    if found is None:
        return None
    attribute, got, allowed = found.groups()
    words = ", ".join(KERNEL_WORDS.get(word, word) for word in allowed.split(", "))
    operands = _OPERANDS.search(str(error))
    named = re.search(rf"(\w+):(?:\w+\*)?{attribute}\b", operands.group(1)) if operands else None
    text = f"Value passed to parameter '{named.group(1) if named else 'x'}' has DataType {KERNEL_WORDS.get(got, got)}"
    return TypeError(f"{text} not in list of allowed values: {words}")


def _mixed(kernel: str, place: int, want: str, got: str) -> TypeError | None:
    """An operand of another dtype than the first one that says what the dtype is; None when no other says so."""
    from ..ops.arguments import parameters

    if kernel in _LISTS:
        types, name = ", ".join([*[want] * place, got]), _LISTS[kernel]
        return TypeError(
            f"Tensors in list passed to '{name}' of '{kernel}' Op have types [{types}] that don't all match."
        )
    known = parameters(kernel)
    if known is None or place >= len(known.inputs):
        return None
    named = known.inputs[place]
    others = [x.name for x in known.inputs[:place] if x.attribute is not None and x.attribute == named.attribute]
    if not others and named.dtype is not None:
        text = f"Input '{named.name}' of '{kernel}' Op has type {got} that does not match expected type of {want}."
        return TypeError(text)
    if not others:
        return None
    text = f"Input '{named.name}' of '{kernel}' Op has type {got} that does not match type {want}"
    return TypeError(f"{text} of argument '{others[0]}'.")


def as_graph_error(error: Exception, of: str, inputs: Any, outputs: Any, tangents: Any) -> Exception:
    """The error of shape inference, of dtypes or shapes, for one of a kernel that ran for tangents ``of`` another."""
    text, listed = str(error), dtype_error(error)
    if listed is not None:
        return listed
    if of in TRANSFORMS:
        return _of_transform(text, of)
    unlike = unlike_summands(text, kernel_name(inputs[0]._a.dtype).upper())
    if unlike is not None:
        return unlike
    found = _SHAPES.search(text)
    if found is None:
        return ValueError(_OP.sub(r" for '{{node \1}}'", _NODE.sub("", text)))
    left, right = (tuple(int(d) for d in shape.split(",") if d) for shape in found.groups()[:2])
    kernel = found.group(3)
    upstream = [*_named("tangents", [t for t in tangents if t is not None])][::-1]  # the last one is used first
    if left not in [shape for _, shape in upstream]:
        left, right = right, left
    operands = [_of_shape(upstream, left), _of_shape([*_named("inputs", inputs), *_named("outputs", outputs)], right)]
    dtype = kernel_name(inputs[0]._a.dtype).upper()
    node = f"{{{{node gradient_tape/gradient_tape/{kernel}}}}} = {kernel}[T=DT_{dtype}]({', '.join(operands)})"
    return ValueError(f"{_unequal(left, right)} for '{node}' with input shapes: {_text(left)}, {_text(right)}.")


def _of_transform(text: str, of: str) -> Exception:
    """A transform of another length than its input: the graph has the length as a tensor, so that it fails as it runs.

    Only the turns of the rows of a two-axis transform have a shape that is known before.
    """
    matrices = _MATRICES.search(text)
    if matrices is not None:
        left, right, kernel = matrices.groups()
        inner = f"{left.split(',')[-1]} and {right.split(',')[-2]}"
        node = f"{{{{node gradient_tape/MatMul}}}} = {kernel}[T=DT_COMPLEX64](gradient_tape/Tile_1, gradient_tape/Conj)"
        return ValueError(
            f"Dimensions must be equal, but are {inner} for '{node}' with input shapes: [{left}], [{right}]."
        )
    last = "Reshape" if _RESHAPED.search(text) else "BroadcastGradientArgs"
    node = f"gradient_tape/gradient_tape/{TRANSFORMS[of]}/{last}"
    where = f"Detected at node {node} defined at (most recent call last):"
    told = _OP.sub("", _NODE.sub("", text))
    return InvalidArgumentError(None, None, f"Graph execution error:\n\n{where}\n{told}\n\t [[{{{{node {node}}}}}]]")


def unlike_summands(text: str, dtype: str) -> ValueError | None:
    """The error of shape inference for a sum of tensors of different shapes; None for another error."""
    found = _UNLIKE.search(text)
    return None if found is None else ValueError(_unlike(*found.groups(), dtype))


def _unlike(first: str, place: str, other: str, dtype: str) -> str:
    """Two summands of different shapes, as shape inference merges them."""
    left, right = first.split(",") if first else [], other.split(",") if other else []
    if len(left) != len(right):
        text = f"Shapes must be equal rank, but are {len(left)} and {len(right)}"
    else:
        k = next(k for k, (a, b) in enumerate(zip(left, right)) if a != b)
        text = f"Dimension {k} in both shapes must be equal, but are {left[k]} and {right[k]}. "
        text += f"Shapes are [{first}] and [{other}]."
    count = int(place) + 1
    node = f"{{{{node AddN}}}} = AddN[N={count}, T=DT_{dtype}]({', '.join(['gradient'] * count)})"
    shapes = ", ".join([f"[{first}]"] * (count - 1) + [f"[{other}]"])
    return f"{text}\n\tFrom merging shape 0 with other shapes. for '{node}' with input shapes: {shapes}."


def _named(word: str, values: Any) -> Any:
    for k, value in enumerate(values):
        yield (f"{word}_{k}" if k else word), value._a.shape


def _of_shape(named: list, shape: tuple[int, ...]) -> str:
    """The first name that goes with a shape."""
    return next((name for name, other in named if other == shape), "gradient")


def _text(shape: tuple[int, ...]) -> str:
    return "[" + ",".join(map(str, shape)) + "]"


def _unequal(left: tuple[int, ...], right: tuple[int, ...]) -> str:
    """The first two sizes, from the right, that do not go together."""
    for a, b in zip(left[::-1], right[::-1]):
        if a != b and 1 not in (a, b):
            return f"Dimensions must be equal, but are {a} and {b}"
    return f"Shapes {_text(left)} and {_text(right)} do not broadcast"


def no_gradient(node: str, kernel: str) -> LookupError:
    """TensorFlow's error for a node of a graph whose op has no gradient."""
    return LookupError(
        f"No gradient defined for operation'{node}' (op type: {kernel}). In general every operation must have an "
        "associated `@tf.RegisterGradient` for correct autodiff, which this op is lacking. If you want to pretend this "
        "operation is a constant in your program, you may insert `tf.stop_gradient`. This can be useful to silence the "
        "error in cases where you know gradients are not needed, e.g. the forward pass of tf.custom_gradient. Please "
        "see more details in https://www.tensorflow.org/api_docs/python/tf/custom_gradient."
    )
