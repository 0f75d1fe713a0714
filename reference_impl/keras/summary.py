"""``model.summary()``: a table of layers, shapes and numbers of parameters, laid out as Keras lays it out."""

from __future__ import annotations

import shutil
import textwrap
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from .symbolic import nodes_of

_LEFT, _RIGHT, _MIDDLE = str.ljust, str.rjust, str.center


def summary_of(model: Any, line_length: int | None, expand_nested: bool, show_trainable: bool) -> str:
    """The text of a summary, with a line break at its end."""
    shares, heads, sides = [0.45, 0.80, 1.0], ["Layer (type)", "Output Shape", "Param #"], [_LEFT, _LEFT, _RIGHT]
    longest, nodes = 88, _joined_nodes(model)
    if nodes:
        shares, heads, sides = [0.3, 0.56, 0.74, 1.0], [*heads, "Connected to"], [*sides, _LEFT]
        longest = 108
    if show_trainable:
        shares, longest = [0.9 * share for share in shares] + [1.0], longest + 12
        heads, sides = [*heads, "Trainable"], [*sides, _MIDDLE]
    length = line_length or min(longest, shutil.get_terminal_size().columns - 4)
    widths = _widths(shares, length)
    shown = getattr(model, "operations", None) or model.layers
    rows = [r for layer in shown for r in _rows(layer, 0, expand_nested, show_trainable, nodes)]
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


def _joined_nodes(model: Any) -> list[Any]:
    """The calls of a functional model that is more than a row of layers; none otherwise."""
    graph = getattr(model, "_graph", None)
    if graph is None:
        return []
    nodes = [node for group in graph.by_depth for node in group]
    plain = all(len(group) == 1 and len(group[0].input_tensors) < 2 for group in graph.by_depth)
    once = all(sum(n in nodes for n in nodes_of(layer)) < 2 for layer in model.layers)
    return [] if plain and once else nodes


def _rows(layer: Any, level: int, expand: bool, show_trainable: bool, nodes: list[Any]) -> list[list[str]]:
    before = f"{'   ' * level}└ " if level else ""
    count = "0" if not hasattr(layer, "built") else f"{layer.count_params():,}" if layer.built else "0 (unbuilt)"
    row = [f"{before}{layer.name} ({type(layer).__name__})", _shape(layer), count]
    if nodes:
        row.append(_connections(layer, nodes))
    if show_trainable:
        row.append(("Y" if layer.trainable else "N") if getattr(layer, "weights", ()) else "-")
    below = getattr(layer, "layers", ()) if expand else ()
    return [row, *(r for inner in below for r in _rows(inner, level + 1, expand, show_trainable, nodes))]


def _connections(layer: Any, nodes: list[Any]) -> str:
    """``dense[0][0]`` for each input of a layer: its layer, which call of it, and which output."""
    made = [x._keras_history for node in nodes_of(layer) if node in nodes for x in node.input_tensors]
    return ", ".join(f"{h.operation.name}[{h.node_index}][{h.tensor_index}]" for h in made) or "-"


def _shape(layer: Any) -> str:
    nodes = nodes_of(layer)
    if nodes:
        shapes = [_text(y.shape) for y in nodes[-1].outputs]
        return shapes[0] if len(shapes) == 1 else f"[{', '.join(shapes)}]"
    return "?" if layer._shown_shape is None else _text(layer._shown_shape)


def _text(shape: Any) -> str:
    return f"({', '.join(map(str, shape))})"


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
