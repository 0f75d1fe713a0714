"""``model.summary()``: a table of layers, shapes and numbers of parameters, laid out as Keras lays it out."""

from __future__ import annotations

import shutil
import textwrap
from typing import Any

import numpy as np

from ..dtypes import as_dtype

_LEFT, _RIGHT, _MIDDLE = str.ljust, str.rjust, str.center


def summary_of(model: Any, line_length: int | None, expand_nested: bool, show_trainable: bool) -> str:
    """The text of a summary, with a line break at its end."""
    shares, heads, sides = [0.45, 0.80, 1.0], ["Layer (type)", "Output Shape", "Param #"], [_LEFT, _LEFT, _RIGHT]
    longest = 88
    if show_trainable:
        shares, longest = [0.9 * share for share in shares] + [1.0], longest + 12
        heads, sides = [*heads, "Trainable"], [*sides, _MIDDLE]
    length = line_length or min(longest, shutil.get_terminal_size().columns - 4)
    widths = _widths(shares, length)
    rows = [r for layer in model.layers for r in _rows(layer, 0, expand_nested, show_trainable)]
    lines = [f'Model: "{model.name}"', *_table(heads, rows, widths, sides), *_totals(model)]
    return "\n".join(lines) + "\n"


def _widths(shares: list[float], length: int) -> list[int]:
    """The widths of the columns: what the shares ask for, less what the borders need."""
    ends = [int(share * length) for share in shares]
    widths = [end - begin + 2 for begin, end in zip([0, *ends], ends)]
    if min(widths) < 6:
        raise ValueError("Insufficient console width to print summary.")
    excess, left, out = sum(widths) - (length - len(widths) - 1), len(widths), []
    for width in widths:
        taken = min(width, round(excess / left))
        out.append(width - taken)
        excess, left = excess - taken, left - 1
    return out


def _rows(layer: Any, level: int, expand: bool, show_trainable: bool) -> list[list[str]]:
    before = f"{'   ' * level}└ " if level else ""
    count = f"{layer.count_params():,}" if layer.built else "0 (unbuilt)"
    row = [f"{before}{layer.name} ({type(layer).__name__})", _shape(layer), count]
    if show_trainable:
        row.append(("Y" if layer.trainable else "N") if layer.weights else "-")
    below = getattr(layer, "layers", ()) if expand else ()
    return [row, *(r for inner in below for r in _rows(inner, level + 1, expand, show_trainable))]


def _shape(layer: Any) -> str:
    shape = layer._shown_shape
    return "?" if shape is None else f"({', '.join(map(str, shape))})"


def _table(heads: list[str], rows: list[list[str]], widths: list[int], sides: list[Any]) -> list[str]:
    lines = [_border("┏━┳┓", widths), *_cells(heads, widths, sides, "┃"), _border("┡━╇┩", widths)]
    for k, row in enumerate(rows):
        lines += [*([_border("├─┼┤", widths)] if k else []), *_cells(row, widths, sides, "│")]
    return [*lines, _border("└─┴┘", widths)]


def _border(marks: str, widths: list[int]) -> str:
    return marks[0] + marks[2].join(marks[1] * width for width in widths) + marks[3]


def _cells(texts: list[str], widths: list[int], sides: list[Any], bar: str) -> list[str]:
    """The lines of a row: long texts go on below."""
    wrapped = [_wrapped(text, width - 2) for text, width in zip(texts, widths)]
    height = max(map(len, wrapped))
    lines = []
    for k in range(height):
        parts = [w[k] if k < len(w) else "" for w in wrapped]
        cells = [f" {side(part, width - 2)} " for part, width, side in zip(parts, widths, sides)]
        lines.append(bar + bar.join(cells) + bar)
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of whole words; of a word that is too long, its beginning."""
    indent = text[: len(text) - len(text.lstrip())]
    lines = textwrap.wrap(text.lstrip(), width, break_on_hyphens=False, break_long_words=False, initial_indent=indent)
    return [line if len(line) <= width else f"{line[: width - 1]}…" for line in lines] or [""]


def _totals(model: Any) -> list[str]:
    trainable, rest = model.trainable_weights, model.non_trainable_weights
    optimizer = model.optimizer
    kept = optimizer.variables if model.compiled and optimizer is not None and optimizer.built else []
    lines = [
        _total("Total", [*trainable, *rest, *kept]), _total("Trainable", trainable), _total("Non-trainable", rest),
    ]  # fmt: skip
    return [*lines, *([_total("Optimizer", kept)] if kept else [])]


def _total(name: str, variables: list[Any]) -> str:
    sizes = [(int(np.prod(v.shape)), as_dtype(v.dtype).size) for v in variables]
    return f" {name} params: {sum(n for n, _ in sizes):,} ({_memory(sum(n * each for n, each in sizes))})"


def _memory(size: float) -> str:
    """A number of bytes in the unit that suits it."""
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if size < 1024:
            return f"{size:.2f} {unit}"
        size /= 1024
    return f"{size:.2f} PB"
