"""Wrong arguments of kernels, refused as TensorFlow refuses them, by the signatures in signatures.py.

Functions declared with ``@public("raw_ops.X")`` are checked without further ado: their arguments have TensorFlow's
names.  A public function says which kernel it is about to run::

    x, w = taken("Conv2D", name, input=input, filter=filters, padding=padding)

An axis or a shape alone goes through ``whole``, which costs next to nothing where it is ints.

``taken`` makes tensors of the inputs by TensorFlow's rules (Python values take the dtype of a tensor that shares their
attribute, or the fixed dtype of the input), checks them, and returns them in the order of the signature; inputs and
attributes that are left out are not looked at.  Where the inputs are tensors already, ``check`` does the same without
returning anything.  What is refused, and by what:

- a Python value that does not convert: TypeError, ValueError (None);
- a dtype that an attribute does not allow, a word that is not among the allowed ones, an int or a length below the
  minimum: InvalidArgumentError ("Value for attr ...");
- a dtype that is allowed but has no kernel on the CPU: NotFoundError;
- tensors that ought to have one dtype, or that of the signature: InvalidArgumentError ("cannot compute ...").

Shapes and numbers are the kernels' own business.  Good calls pay a look at a set of dtypes.
"""

from __future__ import annotations

import functools
import inspect
import numbers
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..dtypes import DType, as_dtype, kernel_name
from ..errors import NotFoundError, invalid
from ..tapes.beside import noting_wholes
from ..tensors.conversion import cannot_convert, convert_to_tensor
from ..tensors.tensor import EagerTensor
from .signatures import described, without_kernels

_OPAQUE = ("variant", "resource")
_ATTRIBUTE = re.compile(r"attr=(\w+):([\w()]+)(.*)", re.DOTALL)
_DEFAULT = re.compile(r"default=(\"[^\"]*\"|\[[^\]]*\]|[^,\[]+)")
_MINIMUM = re.compile(r"min=(-?\d+)")
_ALLOWED = re.compile(r"allowed=\[([^\]]*)\]")
_GOOD: set[tuple] = set()  # (kernel, names of inputs given, their dtypes) that passed once


class Input(NamedTuple):
    """A tensor, or ``many``.  ``dtype`` is the fixed one, or ``attribute`` the name of the attribute that says it."""

    name: str
    dtype: str | None
    attribute: str | None
    count: str | None  # the attribute that is the number of tensors
    many: bool


class Attribute(NamedTuple):
    """``kind``: int, float, string, bool, type, shape ... or a list of them.  ``allowed`` are words without quotes."""

    name: str
    kind: str
    default: str | None
    minimum: int | None
    allowed: tuple[str, ...] | None


class Parameters(NamedTuple):
    """What a kernel takes.  ``missing``: for each attribute that is a dtype, those without a kernel on the CPU."""

    inputs: tuple[Input, ...]
    attributes: dict[str, Attribute]
    missing: dict[str, tuple[str, ...]]


@functools.cache
def parameters(kernel: str) -> Parameters | None:
    """The parsed signature of a kernel, None where none is listed."""
    signature = described(kernel)
    if signature is None:
        return None
    first, *others = signature.text.split("; ")
    found = (_ATTRIBUTE.fullmatch(part) for part in others)
    attributes = {a.name: a for a in (_attribute(*m.groups()) for m in found if m is not None)}
    texts = first.partition(" ->")[0].split(", ")
    inputs = tuple(_input(*text.split(":"), attributes) for text in texts if ":" in text)
    return Parameters(inputs, attributes, without_kernels(kernel))


def _attribute(name: str, kind: str, rest: str) -> Attribute:
    default, minimum, allowed = (pattern.search(rest) for pattern in (_DEFAULT, _MINIMUM, _ALLOWED))
    words = None if allowed is None else tuple(_word(w) for w in allowed[1].split(", "))
    return Attribute(name, kind, default and default[1], int(minimum[1]) if minimum else None, words)


def _word(text: str) -> str:
    return text[3:].lower() if text.startswith("DT_") else text.strip('"')


def _input(name: str, kind: str, attributes: dict[str, Attribute]) -> Input:
    count, many, kind = kind.rpartition("*")
    if kind not in attributes:
        return Input(name, kind, None, count or None, bool(many))
    return Input(name, None, kind, count or None, bool(many) or attributes[kind].kind == "list(type)")


# ------------------------------------------------------------------------------------------------------- errors


def refusal(kernel: str, word: str, name: str | None, attribute: str = "T") -> Exception:
    """TensorFlow's error for a dtype, given by the word that kernels use for it: not allowed, or without a kernel."""
    known = parameters(kernel)
    if known is not None and attribute not in known.attributes:
        return _unlike(kernel, 0, known.inputs[0].dtype or "", word, name)
    allowed = None if known is None else known.attributes[attribute].allowed
    if known is not None and (allowed is None or word in allowed):
        text = f"Could not find device for node: {{{{node {kernel}}}}} = {kernel}[{attribute}=DT_{word.upper()}]\n"
        return NotFoundError(
            None, None, f"{text}All kernels registered for op {kernel}:\n [Op:{kernel}] name: {name or ''}"
        )
    text = f"Value for attr '{attribute}' of {word} is not in the list of allowed values: {', '.join(allowed or ())}"
    return _described(kernel, text, name)


def _described(kernel: str, text: str, name: str | None) -> Exception:
    signature = described(kernel)
    op = "" if signature is None else f"; Op<name={kernel}; signature={signature.text}>"
    return invalid(kernel, f"{text}\n\t; NodeDef: {{{{node {kernel}}}}}{op}", name, node=False)


def _unlike(kernel: str, place: int, want: str, got: str, name: str | None) -> Exception:
    text = f"cannot compute {kernel} as input #{place}(zero-based) was expected to be a {want} tensor but is a {got}"
    return invalid(kernel, f"{text} tensor", name, node=False)


# ------------------------------------------------------------------------------------------------------- checking


def check(kernel: str, name: str | None = None, /, **given: Any) -> None:
    """Refuse attributes and dtypes as TensorFlow does.  Inputs are tensors or arrays, or lists of them."""
    known = parameters(kernel)
    if known is not None:
        _check(kernel, known, given, name)


def _check(kernel: str, known: Parameters, given: dict[str, Any], name: str | None) -> None:
    for word in given:
        attribute = known.attributes.get(word)
        if attribute is not None and (attribute.allowed is not None or attribute.minimum is not None):
            _check_attribute(kernel, attribute, given[word], name)
    inputs = [i for i in known.inputs if i.name in given]
    dtypes = [_dtype(v) for i in inputs for v in (given[i.name] if i.many else (given[i.name],))]
    key = (kernel, *[i.name for i in inputs], *dtypes)
    if key not in _GOOD:
        tensors = [i for i in known.inputs for _ in _each(i, given.get(i.name, ()))]
        places = [k for k, i in enumerate(tensors) if i.name in given]
        _check_dtypes(kernel, known, [(tensors[k], kernel_name(d), k) for k, d in zip(places, dtypes)], name)
        _GOOD.add(key)


def _each(i: Input, value: Any) -> Any:
    return value if i.many else (value,)


def _dtype(value: Any) -> Any:
    """The NumPy dtype of a tensor or array."""
    return (value._a if type(value) is EagerTensor else value).dtype


def _check_attribute(kernel: str, attribute: Attribute, value: Any, name: str | None) -> None:
    if value is None and attribute.default is not None:
        return
    if attribute.minimum is not None:
        listed = attribute.kind.startswith("list")
        number = (0 if value is None else len(value)) if listed else int(value)
        if number < attribute.minimum:
            what = "Length" if listed else "Value"
            text = f"{what} for attr '{attribute.name}' of {number} must be at least minimum {attribute.minimum}"
            raise _described(kernel, text, name)
    if attribute.allowed is not None:
        for word, quoted in _words(attribute, value):
            if word not in attribute.allowed:
                allowed = ", ".join(f'"{w}"' if quoted else w for w in attribute.allowed)
                shown = f'"{word}"' if quoted else word
                text = f"Value for attr '{attribute.name}' of {shown} is not in the list of allowed values: {allowed}"
                raise _described(kernel, text, name)


def _words(attribute: Attribute, value: Any) -> Iterator[tuple[str, bool]]:
    """The words of an attribute, and whether they are quoted in messages."""
    for v in value if attribute.kind.startswith("list") else (value,):
        if attribute.kind in ("type", "list(type)"):
            yield kernel_name(as_dtype(v).numpy), False
        else:
            yield v.decode() if isinstance(v, bytes) else v, True


def _check_dtypes(kernel: str, known: Parameters, words: list[tuple[Input, str, int]], name: str | None) -> None:
    """Refuse dtypes, given as each input, the word for its dtype, and its place among all inputs of the kernel."""
    chosen: dict[str, str] = {}
    for i, word, _ in words:
        if i.attribute is not None:
            chosen.setdefault(i.attribute, word)
    for attribute, word in chosen.items():
        allowed = known.attributes[attribute].allowed
        if (allowed is not None and word not in allowed) or word in known.missing.get(attribute, ()):
            raise refusal(kernel, word, name, attribute)
    for i, word, place in words:
        listed = i.attribute is not None and known.attributes[i.attribute].kind == "list(type)"
        want = i.dtype or chosen[i.attribute or ""]
        if word != want and not listed:
            raise _unlike(kernel, place, want, word, name)


# ------------------------------------------------------------------------------------------------------- converting


def taken(kernel: str, name: str | None = None, /, **given: Any) -> tuple[Any, ...]:
    """The inputs among the arguments as tensors, in the order of the signature, after all checks."""
    known = parameters(kernel)
    if known is None:
        raise LookupError(f"no signature of {kernel} is listed")
    _coerce(kernel, known, given)
    made = _converted(known, given)
    _check(kernel, known, {**given, **made}, name)
    return tuple(made.values())


def whole(kernel: str, source: str, value: Any, name: str | None = None) -> Any:
    """An axis, shape or count that is the input ``source`` of a kernel: itself where it is ints, else as a tensor."""
    if type(value) is int or (type(value) in (list, tuple) and all(type(v) is int for v in value)):
        return value
    known = parameters(kernel)
    if known is None or all(i.name != source for i in known.inputs):
        return value
    return taken(kernel, name, **{source: value})[0]


def _converted(known: Parameters, given: dict[str, Any]) -> dict[str, Any]:
    """The inputs by name.  A tensor of another dtype than its fixed one is refused at once beside Python values.

    Variables alone are no Python values: they are read, and the kernel refuses what they hold.
    """
    inputs = [i for i in known.inputs if i.name in given]
    flat = [v for i in inputs for v in _each(i, given[i.name])]
    if all(type(v) is EagerTensor for v in flat):
        return {i.name: given[i.name] for i in inputs}
    if all(type(v) is EagerTensor or hasattr(type(v), "sparse_read") for v in flat):
        read = {i.name: [convert_to_tensor(v) for v in _each(i, given[i.name])] for i in inputs}
        return {i.name: read[i.name] if i.many else read[i.name][0] for i in inputs}
    hints: dict[str, Any] = {}
    for i in inputs:
        for v in _each(i, given[i.name]):
            if i.attribute is not None and (type(v) is EagerTensor or hasattr(type(v), "_dense_")):
                hints.setdefault(i.attribute, v.dtype)
    made = {}
    for i in inputs:
        parts = [_tensor(known, i, v, hints) for v in _each(i, given[i.name])]
        made[i.name] = parts if i.many else parts[0]
    return made


def _tensor(known: Parameters, i: Input, value: Any, hints: dict[str, Any]) -> Any:
    if i.dtype in _OPAQUE:
        return value
    if i.attribute is None:
        return convert_to_tensor(value, i.dtype and _named(i.dtype))
    attribute = known.attributes[i.attribute]
    if attribute.kind == "list(type)":
        return convert_to_tensor(value)
    if i.attribute in hints:
        return value if type(value) is EagerTensor else convert_to_tensor(value, hints[i.attribute])
    default = None if attribute.default is None else _named(_word(attribute.default))
    if type(value) is float and default is not None and default.is_integer:
        raise cannot_convert(value, default.numpy)
    tensor = convert_to_tensor(value, dtype_hint=default)
    hints[i.attribute] = tensor.dtype
    return tensor


_NAMED = {"half": "float16", "float": "float32", "double": "float64"}


def _named(word: str) -> DType:
    """The DType of a kernel's word."""
    return as_dtype(_NAMED.get(word, word))


# ------------------------------------------------------------------------------------------------------- raw ops


def raw(kernel: str, function: Any) -> Any:
    """A function of ``tf.raw_ops`` with its arguments converted and checked before it sees them."""

    @functools.wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        taken_by, required = _words_of(function)
        if args or not required <= given.keys() <= taken_by:
            raise _miscalled(kernel, function, args, given)
        known = parameters(kernel)
        if known is None:
            return function(**given)
        _coerce(kernel, known, given)
        for i in known.inputs:
            if i.many and i.name in given and not isinstance(given[i.name], (list, tuple)):
                raise TypeError(f"Expected list for '{i.name}' argument to '{snake(kernel)}' Op, not {given[i.name]}.")
        given.update(_converted(known, given))
        counts = {i.count: len(given[i.name]) for i in known.inputs if i.count and i.name in given}
        _check(kernel, known, {**counts, **given}, given.get("name"))
        return noted(**given)

    noted = noting_wholes(function)
    return call


_WITH_BAR = frozenset(
    ("Abs", "All", "Any", "Assert", "BatchNormWithGlobalNormalization", "ClipByValue", "Complex", "FusedBatchNorm",
     "HistogramFixedWidth", "Max", "Min", "Pow", "Print", "Range", "Slice", "Stack", "Sum")
)  # fmt: skip


@functools.cache
def _words_of(function: Any) -> tuple[frozenset[str], frozenset[str]]:
    """The parameters of a function, and those of them that have no default."""
    words = inspect.signature(function).parameters
    return frozenset(words), frozenset(w for w, p in words.items() if p.default is inspect.Parameter.empty)


def _miscalled(kernel: str, function: Any, args: tuple, given: dict[str, Any]) -> TypeError:
    """The error for arguments without a name, of another name than the function knows, or left out."""
    words, called = list(inspect.signature(function).parameters), "_" * (kernel in _WITH_BAR) + snake(kernel)
    if args:
        text = f"{called} only takes keyword args (possible keys: {words}). Please pass these args as kwargs"
        return TypeError(f"{text} instead.")
    for word in given:
        if word not in words:
            return TypeError(f"{called}() got an unexpected keyword argument '{word}'")
    lacking = [f"'{word}'" for word in words if word in _words_of(function)[1] and word not in given]
    if len(lacking) == 1:
        return TypeError(f"{called}() missing 1 required positional argument: {lacking[0]}")
    listed = f"{', '.join(lacking[:-1])}{',' * (len(lacking) > 2)} and {lacking[-1]}"
    return TypeError(f"{called}() missing {len(lacking)} required positional arguments: {listed}")


def _coerce(kernel: str, known: Parameters, given: dict[str, Any]) -> None:
    """Give the attributes among the arguments their types.  None stands for the default."""
    for attribute in [known.attributes[word] for word in given if word in known.attributes]:
        value = given[attribute.name]
        if value is None and attribute.default is not None:
            del given[attribute.name]
        elif attribute.kind.startswith("list("):
            value = [] if value is None else value
            if not isinstance(value, (list, tuple)):
                text = f"Expected list for '{attribute.name}' argument to '{snake(kernel)}' Op, not {value!r}."
                raise TypeError(text)
            given[attribute.name] = [_scalar(attribute, attribute.kind[5:-1], v) for v in value]
        else:
            given[attribute.name] = _scalar(attribute, attribute.kind, value)


def _scalar(attribute: Attribute, kind: str, value: Any) -> Any:
    text = isinstance(value, (str, bytes))
    try:
        if kind == "int" and not text:
            return int(value)
        if kind == "float" and isinstance(value, numbers.Real):
            return float(value)
        if kind == "type":
            return as_dtype(value)
    except (TypeError, ValueError):
        pass
    word = {"type": "DataType"}.get(kind, kind)
    if (kind == "string" and not text) or (kind == "bool" and type(value) is not bool) or word in _SCALARS:
        raise TypeError(f"Expected {word} for argument '{attribute.name}' not {value!r}.")
    return value.decode() if isinstance(value, bytes) and attribute.allowed else value


_SCALARS = ("int", "float", "DataType")


def snake(kernel: str) -> str:
    """The name of a kernel's Python function, in small letters."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])", "_", kernel).lower()
