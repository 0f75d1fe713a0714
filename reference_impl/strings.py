"""``tf.strings``: texts of tensors, and what programs make of texts.  No gradient passes a text.

Texts are bytes; lengths and positions count bytes unless ``unit="UTF8_CHAR"``.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from . import nest
from .dtypes import as_dtype, float32, string
from .errors import invalid, unnamed
from .foundation.building import intercepted
from .surroundings.printing import summary
from .tensors.conversion import constant, convert_to_tensor
from .tensors.tensor import EagerTensor, wrap

__all__ = [
    "as_string", "bytes_split", "format", "join", "length", "lower", "reduce_join", "regex_full_match",
    "regex_replace", "split", "strip", "substr", "to_number", "upper",
]  # fmt: skip


def _texts(value: Any) -> np.ndarray:
    """The texts of an argument.  TypeError and ValueError for what is none."""
    return np.asarray(convert_to_tensor(value, string)._a, dtype=object)


def _each(function: Any, texts: np.ndarray, dtype: Any = object) -> np.ndarray:
    """A function of every text."""
    found = np.empty(texts.shape, dtype)
    for at in np.ndindex(texts.shape):
        found[at] = function(texts[at])
    return found


def _tensor(texts: np.ndarray) -> EagerTensor:
    return constant(texts, string)


@intercepted
def as_string(
    input: Any, precision: int = -1, scientific: bool = False, shortest: bool = False, width: int = -1,
    fill: str = "", name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The texts of numbers and bools (``tf.strings.as_string``): six decimals of floats unless said otherwise."""
    x = convert_to_tensor(input)
    if x.dtype is string:
        return x
    kind = np.dtype(x.dtype.numpy).kind
    real = kind in "fcV"
    if scientific and shortest:
        raise invalid("AsString", "Cannot select both scientific and shortest notation")
    if not real and (scientific or shortest or precision >= 0) and kind != "b":
        what = "scientific and shortest format" if scientific or shortest else "precision"
        raise invalid("AsString", f"{what} not supported for datatype {x.dtype.name}")
    letter = "s" if kind == "b" else ("e" if scientific else "g" if shortest else "f") if real else "d"
    form = f"%{fill}{width if width > -1 else ''}{f'.{precision}' if real and precision > -1 else ''}{letter}"

    def written(value: Any) -> bytes:
        if kind == "b":
            return (form % ("true" if value else "false")).encode()
        if kind == "c":
            return f"({form % value.real},{form % value.imag})".encode()
        return (form % (float(value) if real else int(value))).encode()

    return _tensor(_each(written, np.asarray(x._a)))


@intercepted
def format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> EagerTensor:
    """A template with tensors in the places of its placeholders, as ``tf.print`` writes them.

    ValueError where there are more placeholders than tensors, or fewer.
    """
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    places = template.split(placeholder)
    if len(places) - 1 != len(given):
        raise ValueError(
            f"The template expects {len(places) - 1} tensors, but the inputs only has {len(given)}. Please ensure the "
            "number of placeholders in template matches inputs length."
        )
    texts = [summary(convert_to_tensor(value), summarize, True) for value in given]
    return constant("".join(part for pair in zip(places, [*texts, ""]) for part in pair), string)


@intercepted
def join(inputs: Any, separator: str = "", name: str | None = None) -> EagerTensor:
    """Texts that stand at the same place in several tensors, joined; scalars stand everywhere."""
    parts = [_texts(value) for value in inputs]
    shapes = {part.shape for part in parts if part.shape}
    if len(shapes) > 1:
        first, other = list(dict.fromkeys(part.shape for part in parts if part.shape))[:2]
        show = [f"[{','.join(map(str, shape))}]" for shape in (first, other)]
        raise invalid("StringJoin", f"Input shapes do not match: {show[0]} vs. {show[1]}", count=len(parts))
    if not parts:
        return constant("", string)
    between, spread = separator.encode(), np.broadcast_arrays(*parts)
    found = np.empty(spread[0].shape, object)
    for at in np.ndindex(found.shape):
        found[at] = between.join(part[at] for part in spread)
    return _tensor(found)


def _characters(text: bytes) -> list[bytes]:
    """The characters of a text in UTF-8; a byte that begins none stands by itself."""
    return [c.encode("utf-8", "surrogateescape") for c in text.decode("utf-8", "surrogateescape")]


@intercepted
def length(input: Any, unit: str = "BYTE", name: str | None = None) -> EagerTensor:
    """How many bytes, or characters, texts have."""
    counted = len if unit == "BYTE" else lambda text: len(_characters(text))
    return wrap(_each(counted, _texts(input), np.int32)[()])


@intercepted
def lower(input: Any, encoding: str = "", name: str | None = None) -> EagerTensor:
    """Texts in small letters: of ASCII, or with ``encoding="utf-8"`` all."""
    return _tensor(_each(lambda t: t.decode().lower().encode() if encoding else t.lower(), _texts(input)))


@intercepted
def upper(input: Any, encoding: str = "", name: str | None = None) -> EagerTensor:
    """Texts in capitals: of ASCII, or with ``encoding="utf-8"`` all."""
    return _tensor(_each(lambda t: t.decode().upper().encode() if encoding else t.upper(), _texts(input)))


@intercepted
def strip(input: Any, name: str | None = None) -> EagerTensor:
    """Texts without blanks at their ends."""
    return _tensor(_each(lambda text: text.strip(), _texts(input)))


@intercepted
def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> EagerTensor:
    """Parts of texts from positions, counted from the end where they are negative.

    InvalidArgumentError for a position outside of its text.
    """
    texts = _texts(input)
    starts, sizes = (np.asarray(convert_to_tensor(v)._a) for v in (pos, len))
    texts, starts, sizes = np.broadcast_arrays(texts, starts, sizes)
    found = np.empty(texts.shape, object)
    for k, at in enumerate(np.ndindex(texts.shape)):
        text, start, size = texts[at], int(starts[at]), int(sizes[at])
        letters = _characters(text) if unit != "BYTE" else [text[i : i + 1] for i in range(text.__len__())]
        count = letters.__len__()
        if not -count <= start <= count:
            place = f" at index {k}" if not starts.shape or texts.shape else ""
            raise unnamed("Substr", f"pos {start} out of range for string b'{text.decode('latin-1')}'{place}")
        start = start + count if start < 0 else start
        found[at] = b"".join(letters[start : start + max(size, 0)])
    return _tensor(found)


def _ragged(rows: list[list[bytes]]) -> Any:
    """A ragged tensor of texts."""
    from .ragged import RaggedTensor

    values = [text for row in rows for text in row]
    return RaggedTensor.from_row_lengths(constant(values, string, [values.__len__()]), [row.__len__() for row in rows])


@intercepted
def split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """The parts of texts between separators, or blanks: ragged rows, of a single text a vector."""
    texts = _texts(input)
    mark = None if not sep else sep.encode() if isinstance(sep, str) else sep
    rows = [text.split(mark, maxsplit) for text in texts.ravel()]
    if not texts.ndim:
        return constant(rows[0], string, [rows[0].__len__()])
    return _ragged(rows)


@intercepted
def bytes_split(input: Any, name: str | None = None) -> Any:
    """The bytes of texts: ragged rows, of a single text a vector."""
    texts = _texts(input)
    rows = [[text[i : i + 1] for i in range(text.__len__())] for text in texts.ravel()]
    if not texts.ndim:
        return constant(rows[0], string, [rows[0].__len__()])
    return _ragged(rows)


@intercepted
def to_number(input: Any, out_type: Any = float32, name: str | None = None) -> EagerTensor:
    """The numbers that texts say.  InvalidArgumentError for a text that says none."""
    dtype = as_dtype(out_type).numpy
    convert = float if np.dtype(dtype).kind == "f" else int

    def read(text: bytes) -> Any:
        try:
            if b"_" in text:
                raise ValueError
            return convert(text)
        except ValueError:
            said = text.decode("utf-8", "replace")
            raise invalid("StringToNumber", f"StringToNumberOp could not correctly convert string: {said}") from None

    return wrap(_each(read, _texts(input), dtype)[()])


@intercepted
def regex_replace(
    input: Any, pattern: str, rewrite: str, replace_global: bool = True, name: str | None = None
) -> EagerTensor:
    """Texts with what a pattern finds in them, or its first find, rewritten."""
    found = re.compile(pattern.encode() if isinstance(pattern, str) else pattern)
    text = rewrite.encode() if isinstance(rewrite, str) else rewrite
    return _tensor(_each(lambda t: found.sub(text, t, 0 if replace_global else 1), _texts(input)))


@intercepted
def regex_full_match(input: Any, pattern: str, name: str | None = None) -> EagerTensor:
    """Whether a pattern fits the whole of each text."""
    wanted = re.compile(pattern.encode() if isinstance(pattern, str) else pattern)
    return wrap(_each(lambda text: wanted.fullmatch(text) is not None, _texts(input), np.bool_)[()])


@intercepted
def reduce_join(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: str | None = None
) -> EagerTensor:
    """The texts along axes, joined: along the first of the axes first."""
    texts = _texts(inputs)
    rank = texts.ndim
    axes = list(range(rank))[::-1] if axis is None else [a % rank for a in nest.flatten(axis)]
    kept = [a for a in range(rank) if a not in axes]
    moved = texts.transpose([*kept, *axes[::-1]]).reshape([texts.shape[a] for a in kept] + [-1])
    found = np.empty(moved.shape[:-1], object)
    for at in np.ndindex(found.shape):
        found[at] = separator.encode().join(moved[at])
    if keepdims:
        found = found.reshape([1 if a in axes else texts.shape[a] for a in range(rank)])
    return _tensor(found)
