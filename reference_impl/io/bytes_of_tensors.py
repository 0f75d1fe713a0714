"""Tensors as bytes (``TensorProto``, as protobuf writes it), and bytes as numbers or as text."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..dtypes import DType, as_dtype, of, string
from ..errors import invalid, unnamed
from ..foundation.building import intercepted
from ..summary.events import number, text
from ..tensors.conversion import constant, convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap


@intercepted
def serialize_tensor(tensor: Any, name: str | None = None) -> EagerTensor:
    """A tensor with its dtype and shape as bytes."""
    a = np.asarray(convert_to_tensor(tensor)._a)
    sizes = b"".join(text(2, number(1, size) or b"") for size in a.shape)
    head = number(1, of(a.dtype).as_datatype_enum) + text(2, sizes)
    if a.dtype.kind == "O":
        return constant(head + b"".join(text(8, word) for word in a.reshape(-1)), string)
    return constant(head + (text(4, a.tobytes()) if a.size else b""), string)


@intercepted
def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> EagerTensor:
    """A tensor out of its bytes.  InvalidArgumentError for other bytes, and for another dtype than was asked for."""
    data, want = convert_to_tensor(serialized, string), as_dtype(out_type)
    if data.shape.rank:
        shape = f"[{','.join(map(str, data._a.shape))}]"
        raise invalid("ParseTensor", f"Expected `serialized` to be a scalar, got shape: {shape}", name)
    try:
        have, sizes, content, words = _read(data.numpy())
    except (IndexError, ValueError):
        raise unnamed("ParseTensor", "Cannot parse tensor from proto: ", name) from None
    if have is not want:
        words_of = f"({have._word}) and dtype ({want._word})"
        raise invalid("ParseTensor", f"Type mismatch between parsed tensor {words_of}", name)
    if have is string:
        return constant(words, string, sizes)
    return wrap(np.frombuffer(content, have.numpy).reshape(sizes).copy())


def _read(data: bytes) -> tuple[DType, list[int], bytes, list[bytes]]:
    """The dtype, shape, bytes and texts of a message.  ValueError or IndexError for what is none."""
    kind, sizes, content, words = 0, [], b"", []
    for field, value in _fields(data):
        if field == 1:
            kind = value
        elif field == 2:
            sizes = [dict(_fields(part)).get(1, 0) for f, part in _fields(value) if f == 2]
        elif field == 4:
            content = value
        elif field == 8:
            words.append(value)
        else:
            raise ValueError(field)
    return as_dtype(kind), sizes, content, words


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """The numbers and values of the fields of a message."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        value, at = _varint(data, at)
        if key & 7 == 2:
            if at + value > len(data):
                raise ValueError(key)
            value, at = data[at : at + value], at + value  # type: ignore[assignment]
        elif key & 7:
            raise ValueError(key)
        yield key >> 3, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


_RAW = "half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool, bfloat16"


@intercepted
def decode_raw(
    input_bytes: Any,
    out_type: Any,
    little_endian: bool = True,
    fixed_length: int | None = None,
    name: str | None = None,
) -> EagerTensor:
    """The bytes of texts as numbers, along a new last axis; cut or filled up with zeros to ``fixed_length`` bytes.

    InvalidArgumentError for a length that is not one of whole numbers, and for texts of different lengths.
    """
    words, want = convert_to_tensor(input_bytes, string), as_dtype(out_type)
    if want._word not in _RAW.split(", "):
        text_ = f"Value for attr 'out_type' of {want._word} is not in the list of allowed values: {_RAW}"
        raise invalid("DecodeRaw", f"{text_}\n\t; NodeDef: {{{{node DecodeRaw}}}}", name, node=False)
    flat, size = words._a.reshape(-1).tolist(), want.size
    if fixed_length is not None:
        flat = [word[:fixed_length].ljust(fixed_length, b"\0") for word in flat]
    length = len(flat[0]) if flat else 0
    for k, word in enumerate(flat):
        if len(word) != length:
            text_ = "DecodeRaw requires input strings to all be the same size, but element"
            raise invalid("DecodeRaw", f"{text_} {k} has size {length} != {len(word)}", name)
    if length % size:
        text_ = f"Input to DecodeRaw has length {length} that is not a multiple of {size}, the size of {want.name}"
        raise invalid("DecodeRaw", text_, name)
    numbers = np.frombuffer(b"".join(flat), want.numpy)
    numbers = numbers.copy() if little_endian else numbers.byteswap()
    return wrap(numbers.reshape((*words._a.shape, length // size)))


@intercepted
def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> EagerTensor:
    """Texts in the letters that may stand in addresses; with ``pad`` filled up by ``=``."""

    def encoded(word: bytes) -> bytes:
        found = base64.urlsafe_b64encode(word)
        return found if pad else found.rstrip(b"=")

    return _each(encoded, input)


@intercepted
def decode_base64(input: Any, name: str | None = None) -> EagerTensor:
    """Texts that ``encode_base64`` made, as they were.  InvalidArgumentError for others."""

    def decoded(word: bytes) -> bytes:
        bare = word.rstrip(b"=")
        if len(bare) % 4 == 1:
            raise unnamed("DecodeBase64", "Base64 string length cannot be 1 modulo 4.", name)
        try:
            return base64.b64decode(bare + b"=" * (-len(bare) % 4), altchars=b"-_", validate=True)
        except ValueError:
            raise unnamed("DecodeBase64", "Invalid character found in base64.", name) from None

    return _each(decoded, input)


def _each(function: Any, value: Any) -> EagerTensor:
    words = convert_to_tensor(value, string)._a
    found = np.empty(words.shape, object)
    for at in np.ndindex(words.shape):
        found[at] = function(words[at])
    return constant(found, string)
