"""``tf.print``: tensors and Python values on one line, to stderr or elsewhere, tensors in short form."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .. import nest
from ..ops.declare import public
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, is_tensor

_STREAMS = (
    "Unsupported output stream, logging level, or file.{}. Supported streams are sys.stdout, sys.stderr, "
    "tf.logging.info, tf.logging.warning, tf.logging.error. File needs to be in the form of 'file://<filepath>'."
)

_HOLE = "\ue000\ue001"  # as long as TensorFlow's placeholder, for long structures are broken into lines


class _Hole:
    """The place of a tensor inside a structure, before its text is put in."""

    def __repr__(self) -> str:
        return _HOLE


@public("print")
def print_(*inputs: Any, **kwargs: Any) -> None:
    """Print tensors, nests of them and Python values (``tf.print``).

    ``output_stream``: sys.stderr (default), sys.stdout, a logging function, or "file://path", which is appended to.
    ``summarize``: how many elements at the ends of each axis are shown, 3 by default, all when -1.  ``sep``, ``end``:
    as of Python's print.  ValueError for other streams and keywords.
    """
    stream = kwargs.pop("output_stream", sys.stderr)
    kwargs.pop("name", None)
    summarize, separator, end = kwargs.pop("summarize", 3), kwargs.pop("sep", " "), kwargs.pop("end", "\n")
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    write = _writer(stream)
    if type(summarize) is not int:
        raise TypeError(f"Expected int for argument 'summarize' not {summarize!r}.")
    if not isinstance(end, str):
        raise TypeError(f"Expected string for argument 'end' not {end!r}.")
    write(separator.join(_formatted(x, summarize, len(inputs) > 1) for x in inputs) + end)


def _writer(stream: Any) -> Any:
    """The function that writes a line to a stream."""
    if stream in (sys.stdout, sys.stderr):
        return stream.write
    if callable(stream) and getattr(stream, "__name__", "") in ("info", "warning", "warn", "error", "log"):
        return lambda text: stream(text.removesuffix("\n"))
    if isinstance(stream, str) and stream.startswith("file://"):
        return lambda text: _append(stream.removeprefix("file://"), text)
    raise ValueError(_STREAMS.format(stream))


def _append(path: str, text: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def _formatted(value: Any, summarize: int, quoted: bool) -> str:
    """The text of one argument; a string in a tensor is quoted unless it is all there is to print."""
    if isinstance(value, str):
        return value
    if is_tensor(value):
        return _of_tensor(value, summarize, quoted)
    if not nest.is_nested(value):
        return str(value) if isinstance(value, type) else repr(value)
    leaves = nest.flatten(value)
    import pprint  # not needed before, and slow to import

    outline = nest.pack_sequence_as(value, [_Hole() if is_tensor(v) else v for v in leaves])
    pieces = pprint.pformat(outline).split(_HOLE)
    # in the order of flatten, even where the text has another one (as for an OrderedDict)
    texts = [_of_tensor(v, summarize, True) for v in leaves if is_tensor(v)]
    return "".join(part for pair in zip(pieces, [*texts, ""]) for part in pair)


def _of_tensor(value: Any, summarize: int, quoted: bool) -> str:
    """The short form of a tensor; ragged and sparse ones have forms of their own."""
    written = getattr(type(value), "_summary_", None)
    if written is not None:
        return written(value, lambda x: summary(x, summarize, True), summarize)
    return summary(convert_to_tensor(value), summarize, quoted)


def summary(x: EagerTensor, summarize: int, quoted: bool = False) -> str:
    """The short form of a tensor: the first and last elements of each axis."""
    a = np.asarray(x._a)
    if not a.ndim:
        return _element(a, quoted)
    return _axis(a, a.size if summarize < 0 else min(summarize, a.size), a.ndim)


def _axis(a: Any, ends: int, rank: int) -> str:
    """One axis and those inside it; ``rank`` is that of the whole tensor."""
    if not a.ndim:
        return _element(a, True)
    depth = rank - a.ndim
    gap = " " if a.ndim == 1 else "\n" * (a.ndim - 1) + " " * (depth + 1)
    count = len(a)
    first = [_axis(a[k, ...], ends, rank) for k in range(min(ends, count))]
    last = [_axis(a[k, ...], ends, rank) for k in range(max(ends, count - ends), count)]
    middle = ["..."] if count > 2 * ends else []
    text = gap.join([*first, *middle, *last])
    return f"[{gap if middle and not first else ''}{text}]"


def _element(a: Any, quoted: bool) -> str:
    """One element, given as an array without axes."""
    kind, value = a.dtype.kind, a[()]
    if kind == "O":
        text = value.decode("utf-8", "surrogateescape")
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"' if quoted else text
    if kind in "biu":
        return str(int(value))
    return "?" if kind == "c" else _number(value)


def _number(value: Any) -> str:
    """A float with few digits when they are enough, else with so many that they always are."""
    few, many, kind = (15, 17, np.float64) if value.dtype == np.float64 else (6, 9, np.float32)
    plain = kind(value)
    if abs(plain) < np.finfo(kind).tiny:
        plain = plain * kind(0)  # TensorFlow's kernels flush subnormal numbers
    text = f"{plain:.{few}g}"
    return text if kind(text) == plain or plain != plain else f"{plain:.{many}g}"
