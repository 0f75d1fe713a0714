"""FarmHash's 64-bit fingerprint of bytes, by which TensorFlow puts texts into buckets.

Source: the published hash function ``farmhashna::Hash64`` (Geoff Pike, 2014), whose fingerprints never change.
"""

from __future__ import annotations

_MASK = (1 << 64) - 1
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _word(text: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(text[at : at + size], "little")


def _turned(value: int, shift: int) -> int:
    return ((value >> shift) | (value << (64 - shift))) & _MASK if shift else value


def _mixed(value: int) -> int:
    return value ^ (value >> 47)


def _pair(u: int, v: int, factor: int) -> int:
    """Two words hashed to one."""
    a = _mixed(((u ^ v) * factor) & _MASK)
    b = _mixed(((v ^ a) * factor) & _MASK)
    return (b * factor) & _MASK


def _up_to_16(text: bytes) -> int:
    n = len(text)
    if n >= 8:
        factor = (_K2 + n * 2) & _MASK
        a, b = (_word(text, 0) + _K2) & _MASK, _word(text, n - 8)
        c = (_turned(b, 37) * factor + a) & _MASK
        d = ((_turned(a, 25) + b) * factor) & _MASK
        return _pair(c, d, factor)
    if n >= 4:
        return _pair(n + (_word(text, 0, 4) << 3), _word(text, n - 4, 4), (_K2 + n * 2) & _MASK)
    if not n:
        return _K2
    y = text[0] + (text[n >> 1] << 8)
    z = n + (text[n - 1] << 2)
    return (_mixed(((y * _K2) ^ (z * _K0)) & _MASK) * _K2) & _MASK


def _of_both_ends(text: bytes, scale: int) -> tuple[int, int, int]:
    """What the first and the last sixteen bytes give, alone and paired, and the factor of the length."""
    n = len(text)
    factor = (_K2 + n * 2) & _MASK
    a, b = (_word(text, 0) * scale) & _MASK, _word(text, 8)
    c, d = (_word(text, n - 8) * factor) & _MASK, (_word(text, n - 16) * _K2) & _MASK
    first = (_turned((a + b) & _MASK, 43) + _turned(c, 30) + d) & _MASK
    return first, _pair(first, (a + _turned((b + _K2) & _MASK, 18) + c) & _MASK, factor), factor


def _up_to_32(text: bytes) -> int:
    return _of_both_ends(text, _K1)[1]


def _up_to_64(text: bytes) -> int:
    n = len(text)
    y, z, factor = _of_both_ends(text, _K2)
    e, f = (_word(text, 16) * factor) & _MASK, _word(text, 24)
    g = ((y + _word(text, n - 32)) * factor) & _MASK
    h = ((z + _word(text, n - 24)) * factor) & _MASK
    first = (_turned((e + f) & _MASK, 43) + _turned(g, 30) + h) & _MASK
    begun = (_word(text, 0) * _K2) & _MASK
    return _pair(first, (e + _turned((f + begun) & _MASK, 18) + g) & _MASK, factor)


def _weak(text: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    """Thirty-two bytes and two seeds, mixed a little."""
    w, x, y, z = (_word(text, at + k) for k in (0, 8, 16, 24))
    a = (a + w) & _MASK
    b = _turned((b + a + z) & _MASK, 21)
    c = a
    a = (a + x + y) & _MASK
    b = (b + _turned(a, 44)) & _MASK
    return (a + z) & _MASK, (b + c) & _MASK


def _longer(text: bytes) -> int:
    n = len(text)
    x = 81
    y = (81 * _K1 + 113) & _MASK
    z = (_mixed((y * _K2 + 113) & _MASK) * _K2) & _MASK
    v, w = (0, 0), (0, 0)
    x = (x * _K2 + _word(text, 0)) & _MASK
    end = ((n - 1) // 64) * 64
    last = end + ((n - 1) & 63) - 63

    def block(at: int, factor: int, weight: int) -> None:
        nonlocal x, y, z, v, w
        x = (_turned((x + y + v[0] + _word(text, at + 8)) & _MASK, 37) * factor) & _MASK
        y = (_turned((y + v[1] + _word(text, at + 48)) & _MASK, 42) * factor) & _MASK
        x ^= (w[1] * weight) & _MASK
        y = (y + v[0] * (weight if weight > 1 else 1) + _word(text, at + 40)) & _MASK
        z = (_turned((z + w[0]) & _MASK, 33) * factor) & _MASK
        v = _weak(text, at, (v[1] * factor) & _MASK, (x + w[0]) & _MASK)
        w = _weak(text, at + 32, (z + w[1]) & _MASK, (y + _word(text, at + 16)) & _MASK)
        z, x = x, z

    for at in range(0, end, 64):
        block(at, _K1, 1)
    factor = (_K1 + ((z & 0xFF) << 1)) & _MASK
    w = ((w[0] + ((n - 1) & 63)) & _MASK, w[1])
    v = ((v[0] + w[0]) & _MASK, v[1])
    w = ((w[0] + v[0]) & _MASK, w[1])
    block(last, factor, 9)
    first = (_pair(v[0], w[0], factor) + _mixed(y) * _K0 + z) & _MASK
    return _pair(first, (_pair(v[1], w[1], factor) + x) & _MASK, factor)


def fingerprint64(text: bytes) -> int:
    """The fingerprint, from 0 up to 2**64."""
    n = len(text)
    return (_up_to_16 if n <= 16 else _up_to_32 if n <= 32 else _up_to_64 if n <= 64 else _longer)(text)
