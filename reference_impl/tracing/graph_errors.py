"""Errors of kernels as they come out of graphs: in the words of shape inference while tracing, later with a node."""

from __future__ import annotations

import re
from typing import Any

from ..dtypes import as_dtype
from ..errors import OpError
from ..foundation.graph_errors import dtype_error, unlike_summands
from ..tensors.shapes import TensorShape
from .symbols import SymbolicTensor

_EAGER = re.compile(r"^(?:\{\{function_node [^}]*\}\} )?(.*?) \[Op:(\w+)\](?: name: .*)?$", re.DOTALL)
_UPSTREAM = re.compile(
    r"^cannot compute __(?:inference|forward)___backward_\S* as input #(\d+)\(zero-based\) was expected to be a (\w+) "
    r"tensor but is a (\w+) tensor"
)
_UNEQUAL = re.compile(r"Incompatible shapes: \[([\d,]*)\] vs\. \[([\d,]*)\]")
_MATRICES = re.compile(r"Matrix size-incompatible: In\[0\]: \[([\d,]*)\], In\[1\]: \[([\d,]*)\]")
_RANKS = re.compile(r"In\[0\] and In\[1\] ndims must be == 2")
_RESHAPED = re.compile(r"Input to reshape is a tensor with (\d+) values, but the requested shape has (\d+)")
_OF_VALUES = re.compile(
    r"is not in \[|NaN|Inf|invertible|Cholesky|[Aa]ssert|hold|[Cc]ondition|indices\[|does not index|label "
    r"value|negative|segment|Invalid data types|must be positive|XLA|Tried to (read|write)|not convergent|decomposition"
    r"|do not yet support|Trying to access element|must be at least a vector|Tried to set a tensor"
    r"|Tried to stack elements of|AddN/pfor/AddN|is empty in shape|Requested more than 0 entries|o[nf]f?_value must be"
    r"|shapes during merge"
)
_ASSERTED = re.compile(
    r"Condition x (\S+) y did not hold.*?"
    r"(?:First \d+ elements of x:\n\[(.*?)\]\nFirst \d+ elements of y:\n\[(.*?)\])?$",
    re.DOTALL,
)
_NONE = "None values not supported."
UNCONVERTED = "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor."
_CONVERTED_BEFORE = frozenset(("add", "abs", "sigmoid", "softmax", "log_softmax"))
_DIRECT = frozenset(("identity", "reshape", "gather"))
_IN_GRAPH = "Graph execution error:"


def is_of_upstream(error: OpError) -> bool:
    """True for the error of an upstream gradient of another dtype than the output of a function: it comes late."""
    return _UPSTREAM.match(error.message) is not None


def of_values(error: OpError) -> bool:
    """True for an error that depends on the values of tensors; the others are those of dtypes and shapes."""
    if error.inferred is not None:
        return False
    if is_of_upstream(error):
        return True
    return "[Op:" not in error.message or _OF_VALUES.search(error.message) is not None


def while_tracing(error: OpError, label: str, args: tuple) -> Exception:
    """The error that TensorFlow's shape inference raises in a kernel's place."""
    found = _EAGER.match(error.message)
    if found is None:
        return error
    text, kernel = found.groups()
    listed = dtype_error(error)
    if listed is not None:
        return listed
    unlike = unlike_summands(text, "FLOAT")
    if unlike is not None:
        return unlike
    for pattern, words in ((_UNEQUAL, _dimensions), (_MATRICES, _inner)):
        shapes = pattern.search(text)
        if shapes:
            left, right = (tuple(int(d) for d in s.split(",") if d) for s in shapes.groups())
            return ValueError(f"{words(left, right)} for '{_node(label, kernel, args)}' with input shapes: "
                              f"{_text(left)}, {_text(right)}.")  # fmt: skip
    ranks = _RANKS.match(text)
    if ranks and all(isinstance(a, SymbolicTensor) for a in args[:2]):
        shapes = ", ".join(_text(a.shape.as_list()) for a in args[:2])
        rank = next(a.shape.rank for a in args if a.shape.rank != 2)
        words = f"Shape must be rank 2 but is rank {rank}"
        return ValueError(f"{words} for '{_node(label, kernel, args)}' with input shapes: {shapes}.")
    sizes = _RESHAPED.search(text)
    if sizes:
        return ValueError(_reshape_text(*sizes.groups(), label, args))
    return ValueError(f"{error.inferred or text} for '{{{{node {label}}}}}'")


def none_refused(function: Any, args: tuple) -> ValueError:
    """TensorFlow's error for a None in a tensor's place, from the function that builds the node."""
    name = getattr(function, "__name__", "")
    parameters = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    generated = parameters is not None and "op" in parameters.co_freevars and name not in _CONVERTED_BEFORE
    if not generated and name not in _DIRECT:
        return ValueError(_NONE)
    k = next((k for k, a in enumerate(args) if a is None), 0)
    word = parameters.co_varnames[k] if parameters is not None else "x"
    return ValueError(f"Tried to convert '{word}' to a tensor and failed. Error: {_NONE}")


def _text(shape: Any) -> str:
    return "[" + ",".join(map(str, shape)) + "]"


def _dimensions(left: tuple, right: tuple) -> str:
    for a, b in zip(left[::-1], right[::-1]):
        if a != b and 1 not in (a, b):
            return f"Dimensions must be equal, but are {a} and {b}"
    return f"Shapes {_text(left)} and {_text(right)} do not broadcast"


def _inner(left: tuple, right: tuple) -> str:
    return f"Dimensions must be equal, but are {left[-1]} and {right[-2]}"


def _node(label: str, kernel: str, args: tuple) -> str:
    """A node as TensorFlow writes it: its name, its kernel, its attributes, the names of its inputs."""
    inputs = [_input_name(a, f"{label}/{word}") for a, word in zip(args[:2], "xy")]
    dtype = next((a.dtype for a in args if isinstance(a, SymbolicTensor)), as_dtype("float32"))
    word = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}.get(dtype.name, dtype.name.upper())
    more = ", grad_a=false, grad_b=false, transpose_a=false, transpose_b=false" if kernel == "MatMul" else ""
    return f"{{{{node {label}}}}} = {kernel}[T=DT_{word}{more}]({', '.join(inputs)})"


def _input_name(value: Any, otherwise: str) -> str:
    return value.name.removesuffix(":0") if isinstance(value, SymbolicTensor) else otherwise


def _reshape_text(have: str, want: str, label: str, args: tuple) -> str:
    shape = [int(d) for d in args[1]] if len(args) > 1 and isinstance(args[1], (list, tuple)) else [int(want)]
    x = args[0]
    name = _input_name(x, f"{label}/tensor")
    given = _text(x.shape.as_list()) if isinstance(x, SymbolicTensor) and x.shape.rank is not None else f"[{have}]"
    return (
        f"Cannot reshape a tensor with {have} elements to shape {_text(shape)} ({want} elements) for '{{{{node "
        f"{label}}}}} = Reshape[T=DT_FLOAT, Tshape=DT_INT32]({name}, {label}/shape)' with input shapes: {given}, "
        f"[{len(shape)}] and with input tensors computed as partial shapes: input[1] = {_text(shape)}."
    )


def _assertion_text(failed: Any, function: str) -> str:
    """The text of an assertion that fails in a graph, from that of the eager one."""
    sign, x, y = failed.groups()
    values = "".join(f" [{name} ({name}:0) = ] [{v}]" for name, v in (("x", x), ("y", y)) if v is not None)
    return (
        f"{{{{function_node {function}}}}} assertion failed: [Condition x {sign} y did not hold element-wise:]{values}"
        f"\n\t [[{{{{node Assert}}}}]] [Op:{function}]"
    )


def in_gradient(error: OpError, function: str) -> OpError:
    """A kernel's error as it comes out of the gradient of a function: where the node is, then the text."""
    name = f"__inference___backward_{function}"
    found = _UPSTREAM.match(error.message)
    if found is not None:
        text = (
            f"Expects arg[{found[1]}] to be {found[2]} but {found[3]} is provided\n\t [[{{{{node PartitionedCall}}}}]]"
        )
        return type(error)(None, None, f"{{{{function_node {name}}}}} {text} [Op:{name}]")  # type: ignore[call-arg]
    return _placed(error, "gradients/{0}", name)


def in_loop(error: OpError) -> OpError:
    """A kernel's error as it comes out of a vectorized loop, in which the gradient of a jacobian is computed."""
    return _placed(error, "gradient_tape/{0}/pfor/{0}", "__inference_f")


def _unlike(error: OpError, function: str) -> OpError | None:
    """The error of a graph for an upstream gradient of another dtype than the output of a function called in it."""
    found = _UPSTREAM.match(error.message)
    if found is None:
        return None
    k, want, got = int(found[1]), found[2], found[3]
    text = f"input input[0] expected type {want} != {got}, the type of placeholder{f'_{k}' if k else ''}:output:0[0]"
    text = f"{text}\n\tIn {{{{node gradients/grad_ys_{k}}}}} [Op:{function}]"
    return type(error)(None, None, text)  # type: ignore[call-arg]


def _placed(error: OpError, node: str, function: str) -> OpError:
    if (unlike := _unlike(error, function)) is not None:
        return unlike
    found = _EAGER.match(error.message)
    if found is None or error.message.startswith(_IN_GRAPH):
        return error
    text, kernel = found.groups()
    node = node.format(kernel)
    text = text.replace("Inputs to operation AddN of", f"Inputs to operation {node} of")
    return type(error)(  # type: ignore[call-arg]
        None,
        None,
        f"{_IN_GRAPH}\n\nDetected at node {node} defined at (most recent call last):\n{text}\n\t "
        f"[[{{{{node {node}}}}}]] [Op:{function}]",
    )


def while_running(error: OpError, function: str) -> OpError:
    """A kernel's error as it comes out of the graph of a function, by its name."""
    if (unlike := _unlike(error, function)) is not None:
        return unlike
    failed = _ASSERTED.search(error.message)
    if failed is not None and "[Op:" not in error.message:
        return type(error)(None, None, _assertion_text(failed, function))  # type: ignore[call-arg]
    found = _EAGER.match(error.message)
    if found is None or "[[{{node" in error.message or error.message.startswith(_IN_GRAPH):
        return error
    text, kernel = (part.replace("ResourceGather", "Gather") for part in found.groups())  # the variable is read first
    message = f"{{{{function_node {function}}}}} {text}\n\t [[{{{{node {kernel}}}}}]] [Op:{function}]"
    return type(error)(None, None, message)  # type: ignore[call-arg]


def check_call(function: Any, args: tuple, kwargs: dict) -> None:
    """Errors of calls that a graph has no node for: a constant made of a tensor, results whose number is not known."""
    name = getattr(function, "__name__", "")
    if name == "constant" and any(isinstance(v, SymbolicTensor) for v in (*args[:1], kwargs.get("value"))):
        raise TypeError("Expected any non-tensor type, but got a tensor instead.")
    if name != "unstack" or kwargs.get("num", args[1] if len(args) > 1 else None) is not None:
        return
    static = getattr(args[0], "_static", ()) if args else ()
    axis = kwargs.get("axis", args[2] if len(args) > 2 else 0)
    if static is None or (static and -len(static) <= axis < len(static) and static[axis] is None):
        raise ValueError(f"Cannot infer argument `num` from shape {TensorShape(static)}")
