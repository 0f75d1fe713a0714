"""How an op is declared.  To add one, write in ops/<family>.py one of

``unary``, for a function of one tensor with the signature ``(x, name=None)``::

    sin = unary("math.sin sin", kernel="Sin", forward=np.sin, gradient=lambda F, dy, _y, x: dy * F.cos(x))

``binary``, for two tensors of one dtype, broadcasting unless ``broadcasting=False``; one gradient for each input::

    multiply = binary("math.multiply multiply", kernel="Mul", forward=operator.mul,
                      gradient=(lambda F, dy, _y, _a, b: dy * F.conj(b), lambda F, dy, _y, a, _b: dy * F.conj(a)))

``kernel``, for everything else: it makes a function of tensors and keyword attributes, which a public function with
TensorFlow's signature (marked ``@public("reduce_sum math.reduce_sum")``) calls when its arguments are in order::

    sum_ = kernel("sum", "Sum", forward=lambda x, axis, keepdims: np.add.reduce(x, axis, keepdims=keepdims),
                  gradient=lambda F, dy, _y, _x, axis, keepdims: F.broadcast(..., F.shape(_x)))

- The first string of ``unary`` and ``binary`` holds TensorFlow's public names; the last word of the first of them is
  the op's name in ``F``.  For ``kernel`` the first string is the name in ``F``.  No public name: ``f="relu_grad"``.
- ``forward(*arrays, **attributes)`` works on arrays of any type with NumPy's protocols: ufuncs, ``np.add.reduce``,
  dispatching np functions, methods, operators.  Several outputs are a tuple.  It runs with floating-point warnings off.
- A gradient takes ``(F, dy, y, *inputs, **attributes)`` and is written once.  ``F`` holds every op by its name: on
  arrays when no tape is recording (then dy, y and the inputs are arrays), the recorded ops on Tensors when one is.
  Python operators work in both.  ``F.shape(x)``, ``F.dtype(x)`` and the other helpers are below.  It returns the
  gradient, or None.  Mirror TensorFlow's own graph of gradient ops: second-order None-versus-zero depends on it.
- **A parameter whose name begins with an underscore is not kept on the tape**: its value is freed, and the gradient
  is given a ``Shell`` in its place, with ``shape`` and ``dtype`` only (for ``_y`` too; unary and binary give None).
- ``gradient`` is one function, or a tuple with one per input (a None entry has no gradient); those of inputs
  that need no gradient are not called.  A single function with several inputs returns a tuple.  With several outputs
  ``dy`` and ``y`` are tuples.  ``gradient=None``: the gradient is None.  ``MISSING``: TensorFlow has no entry for
  this op, and asking raises its LookupError.
- Broadcasting is undone by the walk, from the shapes of the forward pass, for ``binary`` and for
  ``kernel(broadcasting=True)``.
- The dtypes an op takes are those of the kernel in signatures.py; others raise TensorFlow's InvalidArgumentError.
  ``types`` overrides them ("float" = half bfloat16 float double, "complex", "int", "bool", "string", or names).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import DType, kernel_name
from ..errors import invalid
from ..foundation.building import intercepted
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import check, raw, refusal
from .kernels.refusals import of_unlike_inputs
from .run import apply, fresh, make_binary, make_unary

MISSING = "missing"
NAMES: dict[str, Any] = {}  # every public name, dotted, to its function
OPS: dict[str, Op] = {}  # every op by TensorFlow's kernel name

_GROUPS = {
    "float": "bfloat16 half float double",
    "complex": "complex64 complex128",
    "int": "int8 uint8 int16 uint16 int32 uint32 int64 uint64",
    "bool": "bool",
    "string": "string",
}


class Op:
    """One op as tapes and walks see it."""

    __slots__ = (
        "absent",
        "allowed",
        "broadcasting",
        "convert",
        "dull",
        "even",
        "forward",
        "gradient",
        "gradients",
        "keeps",
        "keeps_all",
        "keeps_output",
        "kernel",
        "kind",
        "lenient",
        "mirrored",
        "missing",
        "name",
        "ordered",
        "sparse",
        "user",
        "whole",
    )  # fmt: skip

    def __init__(self, name: str, kernel: str, forward: Any, gradient: Any, kind: int, options: dict[str, Any]):
        self.name, self.kernel, self.forward, self.kind = name, kernel, forward, kind
        self.missing = gradient == MISSING
        missing = gradient == MISSING
        if missing and kind < 3:
            gradient = tuple(_no_entry(kernel, k) for k in range(kind))
        self.gradient = gradient
        self.gradients = gradient if type(gradient) is tuple else (gradient,) if kind == 1 else None
        undone = options.pop("undone", False)  # the gradients add up what was broadcast themselves
        self.broadcasting = options.pop("broadcasting", kind == 2) and not undone
        self.sparse = options.pop("sparse", False)  # the gradient takes IndexedSlices as they are
        self.user = options.pop("user", False)  # the gradient is a user's function
        self.convert = options.pop(
            "convert", "fast"
        )  # "hint": a value that does not fit the other operand keeps its own dtype
        self.allowed = _allowed(options.pop("types", None))
        self.absent = options.pop("absent", False)  # the gradient is told None where an output received no upstream
        self.ordered = options.pop("ordered", self.user or missing)  # the order of the walk shows in its gradient
        self.dull = options.pop("dull", False)  # the result is bool
        self.lenient = options.pop("lenient", False)  # see Walk.binary
        self.mirrored = options.pop("mirrored", False)  # the second gradient is the negative of the first, not its like
        self.even = options.pop(
            "even", ()
        )  # dtypes (True: all) in which gradients are not reshaped to a shape they have
        # the others leave the gradient out that nobody needs
        plain = (self.broadcasting or undone) and not self.lenient and kernel != "SquaredDifference"
        self.whole = kind == 2 and (plain or kernel.endswith("Grad"))
        self.keeps_output, self.keeps, self.keeps_all = _kept(gradient)
        if missing:
            self.keeps_output = self.keeps_all = True  # a user may register a gradient, which sees the values
        if kind == 2 and self.broadcasting and any(map(callable, gradient)):
            self.keeps = (True, True)  # for their shapes, as in TensorFlow
        if options:
            raise TypeError(f"unknown options of {kernel}: {sorted(options)}")

    def __repr__(self) -> str:
        return f"<op {self.kernel}>"

    def check(self, dtype: np.dtype, name: str | None = None) -> None:
        """InvalidArgumentError for a dtype the op does not allow, NotFoundError for one without a kernel on the CPU."""
        if self.allowed is None:
            self.allowed = _by_signature(self.kernel)
        if kernel_name(dtype) not in self.allowed:
            raise self.refusal(kernel_name(dtype), name)

    def refusal(self, word: str, name: str | None) -> Exception:
        """TensorFlow's error for a dtype, given by the word that kernels use for it."""
        return refusal(self.kernel, word, name)


def _allowed(words: str | None) -> tuple[str, ...] | None:
    return None if words is None else tuple(" ".join(_GROUPS.get(w, w) for w in words.split()).split())


def _by_signature(kernel: str) -> tuple[str, ...]:
    """The dtypes for which TensorFlow has a kernel on the CPU; all of them for a kernel it does not list."""
    from .signatures import described

    signature = described(kernel)
    everything = _allowed("float complex int bool string") or ()
    if signature is None:
        return everything
    return tuple(word for word in signature.allowed or everything if word not in signature.missing)


def _kept(gradient: Any) -> tuple[bool, tuple[bool, ...], bool]:
    """Which values the gradient uses, read off its parameter names: (output, each input, all inputs)."""
    functions = [g for g in (gradient if type(gradient) is tuple else (gradient,)) if callable(g)]
    output, inputs, everything = False, [], False
    for g in functions:
        code = g.__code__
        names = code.co_varnames[: code.co_argcount]
        everything = everything or bool(code.co_flags & 4)
        output = output or not names[2].startswith("_")
        flags = [not n.startswith("_") for n in names[3:]]
        inputs = [a or b for a, b in zip(_pad(inputs, len(flags)), _pad(flags, len(inputs)))]
    return output, tuple(_pad(inputs, 2)), everything


def used_values(record: tuple) -> list[EagerTensor]:
    """The Tensors in a record of a tape whose values the op's gradient uses: its output first."""
    op = record[0]
    output, inputs, everything = _kept(op.gradient)
    if op.kind == 3:
        values = [*record[2], *record[1]]
        return [x for x in values if type(x) is EagerTensor]
    kept = [
        record[-1] if output else None,
        *(x for x, used in zip(record[1:], inputs[: op.kind]) if used or everything),
    ]
    return [x for x in kept if type(x) is EagerTensor]


def _no_entry(kernel: str, k: int) -> Any:
    """The gradient by input ``k`` of a kernel that has none in TensorFlow: what a user registered, or LookupError."""

    def gradient(F: Any, dy: Any, y: Any, x: Any, z: Any = None) -> Any:
        from ..user_gradients.registry import gradients_of_values

        return gradients_of_values(kernel, F, dy, y, (x,) if z is None else (x, z))[k]

    return gradient


def _pad(flags: list[bool], length: int) -> list[bool]:
    return flags + [False] * (length - len(flags))


# ---------------------------------------------------------------------------------------------- the namespaces


class _Namespace:
    """``F``: ops by name.  ``arrays`` works on arrays, ``tensors`` on Tensors (and is recorded)."""

    def __init__(self, recording: bool):
        self.recording = recording


arrays: Any = _Namespace(False)
tensors: Any = _Namespace(True)


def helper(name: str) -> Callable[[Any], Any]:
    """Put a function into both namespaces: it gets arrays in one, Tensors in the other."""

    def put(function: Any) -> Any:
        setattr(arrays, name, function)
        setattr(tensors, name, function)
        return function

    return put


@helper("shape")
def shape_of(x: Any) -> tuple[int, ...]:
    """The shape of an array, Tensor or Shell, as a tuple; of a number or variable that a user returned, too."""
    if type(x) is EagerTensor:
        return x._a.shape
    try:
        shape = x.shape
    except AttributeError:
        if x is None:
            raise
        return shape_of(convert_to_tensor(x))
    return shape if type(shape) is tuple else tuple(shape)


@helper("dtype")
def dtype_of(x: Any) -> np.dtype:
    """The NumPy dtype of an array, Tensor or Shell; of a variable that a user returned, too."""
    if type(x) is EagerTensor:
        return x._a.dtype
    dtype = x.dtype
    return dtype.numpy if type(dtype) is DType else dtype


@helper("rank")
def rank_of(x: Any) -> int:
    """The number of axes of an array, Tensor or Shell."""
    return len(shape_of(x))


@helper("number")
def number(value: float, like: Any) -> Any:
    """A constant of the dtype of ``like``: a NumPy scalar, or a Tensor when ``like`` is one."""
    scalar = dtype_of(like).type(value)
    return fresh(scalar) if type(like) is EagerTensor or type(like.dtype) is DType else scalar


@helper("stopped")
def stopped(x: Any) -> Any:
    """The bare array of a Tensor: a constant for every tape."""
    return x._a if type(x) is EagerTensor else x


# ---------------------------------------------------------------------------------------------- public names


def publish(names: str, function: Any) -> Any:
    """Make a function known under TensorFlow's dotted names, separated by spaces."""
    for name in names.split():
        NAMES[name] = function
    return function


def public(names: str) -> Callable[[Any], Any]:
    """Decorator: the function's public names.  Its calls go into the graph while a ``tf.function`` is being traced.

    A kernel under its own name, "raw_ops.Conv2D", has its arguments converted and checked (arguments.py).
    """
    first, _, kernel = names.split()[0].partition(".")
    if first == "raw_ops":
        return lambda function: publish(names, intercepted(raw(kernel, function)))
    return lambda function: publish(names, intercepted(function))


def _named(function: Any, name: str, doc: str | None, parameters: tuple[str, ...] | None) -> Any:
    """Give a generated function its name and its parameters TensorFlow's names."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    if parameters:
        code = function.__code__
        local = parameters + code.co_varnames[len(parameters) :]
        function.__code__ = code.replace(co_varnames=local, co_name=name)
    return function


def _declare(
    names: str, kernel: str, forward: Any, gradient: Any, kind: int, options: dict
) -> tuple[Op, str, str, Any]:
    name = options.pop("f", None) or names.split()[0].split(".")[-1]
    doc, parameters = options.pop("doc", None), options.pop("parameters", None)
    op = Op(name, kernel, forward, gradient, kind, options)
    OPS.setdefault(kernel, op)
    doc = doc or f"TensorFlow's ``{(names.split() or ['raw_ops.' + kernel])[0]}`` (kernel {kernel})."
    return op, name, doc, tuple(parameters.split()) if parameters else None


def _install(name: str, names: str, on_arrays: Any, on_tensors: Any) -> Any:
    setattr(arrays, name, on_arrays)
    setattr(tensors, name, on_tensors)
    return publish(names, on_tensors)


def unary(names: str, *, kernel: str, forward: Any, gradient: Any, **options: Any) -> Any:
    """Declare an op of one tensor; see the top of this module.  ``parameters="features name"`` renames."""
    op, name, doc, parameters = _declare(names, kernel, forward, gradient, 1, options)
    function = _named(make_unary(op), name, doc, parameters)
    return _install(name, names, forward, function)


def binary(names: str, *, kernel: str, forward: Any, gradient: Any, **options: Any) -> Any:
    """Declare an op of two tensors of one dtype; see the top of this module."""
    plain = forward
    if options.get("broadcasting") is False:
        forward = same_size(kernel, forward)
    op, name, doc, parameters = _declare(names, kernel, forward, gradient, 2, options)
    function = _named(make_binary(op), name, doc, parameters)
    return _install(name, names, plain, function)  # a walk on arrays only meets sizes that fit


def same_size(kernel: str, forward: Any) -> Any:
    """``forward`` of two arrays, which raises TensorFlow's error when their sizes differ."""
    by_count = kernel in ("TanhGrad", "SigmoidGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad")

    def checked(a: Any, b: Any, **attributes: Any) -> Any:
        if a.dtype != b.dtype:
            OPS[kernel].check(a.dtype)
            want, got = kernel_name(a.dtype), kernel_name(b.dtype)
            text = f"cannot compute {kernel} as input #1(zero-based) was expected to be a {want} tensor but is a "
            raise invalid(kernel, f"{text}{got} tensor", node=False)
        if a.shape != b.shape and by_count and a.size == b.size:
            b = b.reshape(a.shape)
        elif a.shape != b.shape:
            text = of_unlike_inputs(kernel, a.shape, 1, b.shape)
            if by_count:
                text = f"The two arguments to a cwise op must have same number of elements, got {a.size} and {b.size}"
            raise invalid(kernel, text)
        return forward(a, b, **attributes)

    return checked


def kernel(name: str, kernel: str, *, forward: Any, gradient: Any, **options: Any) -> Any:
    """Declare any op; returns ``function(*tensors, **attributes)``; see the top of this module.

    ``fits(*arrays, **attributes)`` raises TensorFlow's error for operands that the public function lets through only
    as wrong upstream gradients; a walk on arrays never meets any.  ``inputs`` are TensorFlow's names of the arrays:
    their dtypes are checked by the kernel's signature before ``fits`` is asked.
    """
    plain, fits, inputs = forward, options.pop("fits", None), options.pop("inputs", None)
    if fits is not None:
        forward = _checking(fits, plain)
    if inputs is not None:
        forward = _checking(_of_fitting_dtypes(kernel, inputs.split()), forward)
    op, name, doc, _ = _declare("", kernel, forward, gradient, 3, {**options, "f": name})

    def call(*inputs: Any, **attributes: Any) -> Any:
        return apply(op, inputs, attributes)

    call.op = op  # type: ignore[attr-defined]
    return _install(name, "", plain, _named(call, name, doc, None))


def _of_fitting_dtypes(kernel: str, names: list[str]) -> Any:
    passed = set()

    def fits(*arrays: Any, **_attributes: Any) -> None:
        dtypes = tuple([a.dtype for a in arrays])
        if dtypes not in passed:
            check(kernel, **dict(zip(names, arrays)))
            passed.add(dtypes)

    return fits


def _checking(fits: Any, forward: Any) -> Any:
    def checked(*arrays: Any, **attributes: Any) -> Any:
        fits(*arrays, **attributes)
        return forward(*arrays, **attributes)

    return checked
