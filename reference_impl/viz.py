"""A picture of what a tape recorded: ``draw(tape, target)``.

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.sin(x) * x
    picture = viz.draw(tape, y)
    picture.dot                 # Graphviz text
    picture.svg                 # SVG, made without Graphviz
    picture.save("tape.svg")    # or "tape.dot"

In a notebook the picture shows itself.  Boxes are ops, ellipses are what they start from: watched tensors and
variables, constants in grey.  With a target only what the gradient of the target can reach is drawn.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from . import nest
from .tapes.recording import LEAF, Trace, index_of
from .tapes.records import each_record, has_record, record_at
from .tensors.tensor import EagerTensor
from .tensors.variable import ResourceVariable

_ROW, _COLUMN, _HEIGHT, _LETTER = 70, 24, 34, 7.2


@dataclass(frozen=True, slots=True)
class Point:
    """One thing in the picture: ``kind`` is "op", "watched", "constant" or "target"."""

    key: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What ``draw`` returns: points, arrows between their keys, and the two texts made of them."""

    points: tuple[Point, ...]
    arrows: tuple[tuple[str, str], ...]

    @property
    def dot(self) -> str:
        """Graphviz text."""
        lines = ["digraph tape {", "  rankdir=TB;"]
        for p in self.points:
            shape = "box" if p.kind in ("op", "target") else "ellipse"
            color = {"constant": "gray70", "watched": "lightblue", "target": "lightgreen", "op": "white"}[p.kind]
            label = p.label.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'  {p.key} [label="{label}", shape={shape}, style=filled, fillcolor={color}];')
        lines += [f"  {a} -> {b};" for a, b in self.arrows]
        return "\n".join([*lines, "}"]) + "\n"

    @property
    def svg(self) -> str:
        """SVG: each op below everything it uses."""
        return _svg(self)

    def save(self, path: Any) -> None:
        """Write the SVG, or the Graphviz text when the name ends in ``.dot`` or ``.gv``."""
        text = self.dot if os.fspath(path).endswith((".dot", ".gv")) else self.svg
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        ops = sum(p.kind in ("op", "target") for p in self.points)
        return f"<picture of {ops} ops and {len(self.points) - ops} values; .svg, .dot, .save(path)>"


def draw(tape: Any, target: Any = None) -> Picture:
    """A picture of the ops that ``tape`` recorded, or of those that ``target`` (any nest) was computed by.

    ValueError when the tape has recorded nothing: a tape that is not persistent has forgotten it after ``gradient``.
    """
    trace: Trace | None = tape._tape
    if trace is None or not any(r is not None for r in each_record(trace.records)):
        raise ValueError(
            "There is nothing to draw: the tape recorded nothing, or has forgotten it (by reset(), or by gradient() "
            "unless it is persistent)."
        )
    targets = [t for t in nest.flatten(target) if t is not None] if target is not None else []
    return _Drawing(trace, targets).picture()


class _Drawing:
    def __init__(self, trace: Trace, targets: list):
        self._trace = trace
        self._targets = {i for t in targets if (i := _made_by(t, trace)) is not None}
        if targets and not self._targets:
            raise ValueError("The target was not computed from anything that the tape watched.")
        self._points: dict[str, Point] = {}
        self._arrows: list[tuple[str, str]] = []
        self._keys: dict[int, str] = {}  # id of a watched node, which the trace keeps alive -> key
        self._names = {id(v._handle._n): f"{v.name} {v.shape}" for v in trace.variables.values()}

    def picture(self) -> Picture:
        """Points and arrows of the ops that are wanted, in the order of recording."""
        for i in sorted(self._wanted()):
            record = record_at(self._trace.records, i)
            outputs = " ".join(dict.fromkeys(_described(y) for y in _outputs(record) if y is not None))
            kind = "target" if i in self._targets else "op"
            self._points[f"op{i}"] = Point(f"op{i}", f"{record[0].kernel}{' ' + outputs if outputs else ''}", kind)
            for x in _inputs(record):
                self._arrows.append((self._source(x, i), f"op{i}"))
        return Picture(tuple(self._points.values()), tuple(self._arrows))

    def _wanted(self) -> set[int]:
        records = self._trace.records
        if not self._targets:
            return {i for i, r in enumerate(each_record(records)) if r is not None}
        wanted, left = set(), list(self._targets)
        while left:
            i = left.pop()
            if i in wanted or not has_record(records, i):
                continue
            wanted.add(i)
            left += [j for x in _inputs(record_at(records, i)) if (j := _index(x, self._trace)) is not None and j >= 0]
        return wanted

    def _source(self, x: Any, user: int) -> str:
        """The key of what an op uses; constants are drawn once for each use."""
        index = _index(x, self._trace)
        if index is not None and index >= 0:
            return f"op{index}"
        if index == LEAF:
            node = x._n if isinstance(x, EagerTensor) else x
            key = self._keys.setdefault(id(node), f"in{len(self._keys)}")
            label = self._names.get(id(node)) or f"watched {_described(x)}".strip()
            self._points.setdefault(key, Point(key, label, "watched"))
            return key
        key = f"c{user}_{len(self._arrows)}"
        self._points[key] = Point(key, f"constant {_described(x)}".strip(), "constant")
        return key


def _inputs(record: Any) -> tuple:
    """The inputs of a record, as Tensors or Nodes; see tapes/recording.py."""
    kind = record[0].kind
    return tuple(record[1]) if kind == 3 else record[1 : kind + 1]


def _outputs(record: Any) -> tuple:
    kind = record[0].kind
    return tuple(record[2]) if kind == 3 else (record[kind + 1],)


def _index(x: Any, trace: Trace) -> int | None:
    """The record that made an input, LEAF for a watched one, None for a constant."""
    node = x._n if isinstance(x, EagerTensor) else x
    if node is None:
        return None
    index = index_of(node, trace)
    return index if index >= LEAF else None


def _made_by(target: Any, trace: Trace) -> int | None:
    if isinstance(target, ResourceVariable) or not isinstance(target, EagerTensor):
        return None
    index = _index(target, trace)
    return index if index is not None and index >= 0 else None


def _described(value: Any) -> str:
    """The dtype and shape of a value, nothing for one that was not kept."""
    array = value._a if isinstance(value, EagerTensor) else value
    if not hasattr(array, "shape") or getattr(array.dtype, "names", None):
        return ""
    return f"{array.dtype}[{','.join(map(str, array.shape))}]"


# ---------------------------------------------------------------------------------------------- SVG


def _levels(picture: Picture) -> dict[str, int]:
    """How far below the top each point stands: below everything it uses."""
    above: dict[str, list[str]] = {p.key: [] for p in picture.points}
    for a, b in picture.arrows:
        above[b].append(a)
    levels: dict[str, int] = {}
    for p in picture.points:  # an op comes after what it uses, its constants and watched values right before it
        if not above[p.key]:
            levels[p.key] = 0
    for p in picture.points:
        if above[p.key]:
            levels[p.key] = 1 + max(levels.get(a, 0) for a in above[p.key])
    return levels


def _placed(picture: Picture) -> tuple[dict[str, tuple[float, float, float]], float, float]:
    """Centre and width of each point, and the size of the whole."""
    rows: dict[int, list[Point]] = {}
    levels = _levels(picture)
    for p in picture.points:
        rows.setdefault(levels[p.key], []).append(p)
    widths = {p.key: 20 + _LETTER * len(p.label) for p in picture.points}
    total = max(sum(widths[p.key] + _COLUMN for p in row) for row in rows.values())
    places = {}
    for level, row in rows.items():
        x = (total - sum(widths[p.key] + _COLUMN for p in row)) / 2 + _COLUMN / 2
        for p in row:
            places[p.key] = (x + widths[p.key] / 2, _ROW * level + _HEIGHT, widths[p.key])
            x += widths[p.key] + _COLUMN
    return places, total, _ROW * (max(rows) + 1)


def _svg(picture: Picture) -> str:
    places, width, height = _placed(picture)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="monospace" font-size="12">',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z"/></marker></defs>',
        *_lines(picture, places),
        *(_shape(p, *places[p.key]) for p in picture.points),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _lines(picture: Picture, places: dict) -> Iterator[str]:
    for a, b in picture.arrows:
        (x1, y1, _), (x2, y2, _) = places[a], places[b]
        yield (
            f'<line x1="{x1:.1f}" y1="{y1 + _HEIGHT / 2:.1f}" x2="{x2:.1f}" y2="{y2 - _HEIGHT / 2:.1f}" '
            'stroke="black" marker-end="url(#head)"/>'
        )


def _shape(point: Point, x: float, y: float, width: float) -> str:
    color = {"constant": "#d8d8d8", "watched": "#cfe4f7", "target": "#d3f0d0", "op": "#ffffff"}[point.kind]
    round_corners = 4 if point.kind in ("op", "target") else _HEIGHT / 2
    return (
        f'<g><rect x="{x - width / 2:.1f}" y="{y - _HEIGHT / 2:.1f}" width="{width:.1f}" height="{_HEIGHT}" '
        f'rx="{round_corners}" fill="{color}" stroke="black"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{escape(point.label)}</text></g>'
    )
