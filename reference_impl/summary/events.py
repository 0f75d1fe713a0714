"""Files of events as TensorBoard reads them: records with checksums, in each an ``Event`` as protobuf writes it.

A record is the length of its data (64 bits, little-endian), a checksum of these eight bytes, the data, and a checksum
of the data.  The checksums are CRC32C (Castagnoli), turned and shifted so that they differ from those of data that
holds checksums.  Of protobuf only what these messages need is here: numbers, eight bytes, and bytes with a length.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

_POLYNOMIAL = 0x82F63B78
_DTYPES = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "complex64": 8, "int64": 9, "bool": 10,
    "uint16": 17, "complex128": 18, "float16": 19, "uint32": 22, "uint64": 23,
}  # fmt: skip
_STRING = 7


def _table() -> list[int]:
    found = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
        found.append(byte)
    return found


_TABLE = _table()


def crc32c(data: bytes) -> int:
    """The checksum of Castagnoli's polynomial."""
    value = 0xFFFFFFFF
    for byte in data:
        value = _TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def masked(data: bytes) -> bytes:
    """The checksum of a record's part as it is written."""
    value = crc32c(data)
    return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record(data: bytes) -> bytes:
    """A record of a file."""
    length = struct.pack("<Q", len(data))
    return length + masked(length) + data + masked(data)


# ------------------------------------------------------------------------------------------------ protobuf


def varint(value: int) -> bytes:
    """A whole number, seven bits a byte; negative ones as 64 bits."""
    value &= 0xFFFFFFFFFFFFFFFF
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def number(field: int, value: int) -> bytes:
    """A field with a whole number; 0 is not written."""
    return varint(field << 3) + varint(value) if value else b""


def text(field: int, value: bytes) -> bytes:
    """A field with bytes, or a message that is written already."""
    return varint(field << 3 | 2) + varint(len(value)) + value


def event(seconds: float, step: int, content: bytes) -> bytes:
    """An ``Event``: when, at what step, and what."""
    return varint(1 << 3 | 1) + struct.pack("<d", seconds) + number(2, step) + content


def first_event(seconds: float) -> bytes:
    """What every file begins with: the version of the format."""
    return event(seconds, 0, text(3, b"brain.Event:2") + text(10, text(1, b"tensorflow.core.util.events_writer")))


def summary(tag: bytes, array: Any, metadata: bytes) -> bytes:
    """The content of an event: one value with its tag."""
    about = text(9, metadata) if metadata else b""
    return text(5, text(1, text(1, tag) + text(8, _tensor(array)) + about))


def metadata(plugin: str, description: str | None) -> bytes:
    """What says which part of TensorBoard shows a value."""
    said = text(3, description.encode()) if description else b""
    return text(1, text(1, plugin.encode())) + said


def _tensor(array: Any) -> bytes:
    array = np.asarray(array)
    shape = text(2, b"".join(text(2, number(1, size)) for size in array.shape))
    if array.dtype.kind == "O":
        return number(1, _STRING) + shape + b"".join(text(8, word) for word in array.ravel())
    return number(1, _DTYPES[array.dtype.name]) + shape + text(4, array.tobytes())


# ------------------------------------------------------------------------------------------------ pictures


def png(picture: Any) -> bytes:
    """A picture (height, width, channels) of bytes as a PNG file."""
    height, width, channels = picture.shape
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(picture))
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
