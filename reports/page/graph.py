"""A small picture of a program: values as boxes, what they are made of as arrows, the first bad one marked.

It is drawn from the trace's lines of code, so its names are those of the script beside it. A program that cannot be
read, or that is too small or too large for a picture to help, has none.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass, field

from reports.page.html import Html, el, join
from reports.records import Line

FEWEST, MOST = 3, 16
LETTER, PAD, HEIGHT, GAP_X, GAP_Y = 7.3, 14, 42, 18, 38


@dataclass(slots=True)
class Node:
    """A value of the program: its name, what made it, the nodes it is made of, and where it stands."""

    name: str
    made_by: str
    mark: str
    uses: list[str]
    watched: bool = False
    layer: int = 0
    x: float = 0.0
    wide: float = field(default=0.0)


def picture(lines: tuple[Line, ...]) -> Html | None:
    """The drawing as inline SVG, or None where it would not help."""
    nodes = _nodes(lines)
    if not FEWEST <= len(nodes) <= MOST or not any(node.mark == "differs" for node in nodes.values()):
        return None
    rows = _place(nodes)
    width, height = _spread(rows), len(rows) * HEIGHT + (len(rows) - 1) * GAP_Y + 8
    pairs = [(nodes[use], node, place == 0) for node in nodes.values() for place, use in enumerate(node.uses)]
    lanes = _lanes(pairs, rows)
    edges = [_edge(*pair, lanes.get((pair[0].name, pair[1].name))) for pair in pairs]
    left = min([0.0, *lanes.values()]) - 4
    right = max([width, *lanes.values()]) + 4
    text = "; ".join(f"{node.name} from {' and '.join(node.uses) or node.made_by}" for node in nodes.values())
    return el(
        "svg",
        el("title", f"The program as a graph: {text}"),
        *sorted(edges, key=lambda edge: "bad" in edge),
        [_box(node) for node in nodes.values()],
        viewBox=f"{left:.0f} 0 {right - left:.0f} {height:.0f}",
        width=f"{right - left:.0f}",
        height=f"{height:.0f}",
        role="img",
        class_="graph",
    )


# ---------------------------------------------------------------- reading the lines of code


def _nodes(lines: tuple[Line, ...]) -> dict[str, Node]:
    """Values by name. Tapes and other contexts are no boxes; what they watch is said on the box that is watched."""
    nodes: dict[str, Node] = {}
    for line in lines:
        statement = _statement(line.code)
        if (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
        ):
            name, value = statement.targets[0].id, statement.value
            if "Tape" in _made_by(value) or name in nodes:
                continue
            nodes[name] = Node(name, _made_by(value), line.mark, [use for use in _names(value) if use in nodes])
        elif isinstance(statement, ast.Expr):
            _read_call(statement.value, line, nodes)
    return nodes


def _read_call(value: ast.expr, line: Line, nodes: dict[str, Node]) -> None:
    """A bare call: a watch marks what it watches; one that differs becomes a box of its own."""
    uses = [use for use in _names(value) if use in nodes]
    if isinstance(value, ast.Call) and _made_by(value) == "watch":
        for use in uses:
            nodes[use].watched = True
    if line.mark == "differs" and uses:
        nodes[f"step {line.step + 1}"] = Node(f"step {line.step + 1}", _made_by(value), line.mark, uses)


def _statement(code: str) -> ast.stmt | None:
    code = code.strip()
    code = code + " pass" if code.endswith(":") else code
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in somebody's script is not ours to warn about
            body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return body[0] if len(body) == 1 else None


def _made_by(value: ast.expr) -> str:
    match value:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
        case ast.BinOp(op=op) | ast.UnaryOp(op=op):
            return _OPERATORS.get(type(op).__name__, type(op).__name__.lower())
        case ast.Subscript():
            return "getitem"
    return "value"


_OPERATORS = {
    "Add": "add",
    "Sub": "subtract",
    "Mult": "multiply",
    "Div": "divide",
    "FloorDiv": "floordiv",
    "Pow": "power",
    "MatMult": "matmul",
    "USub": "negative",
    "Invert": "invert",
}


def _names(value: ast.expr) -> list[str]:
    """Names that a value is made of, in order of writing, each once."""
    found = [node for node in ast.walk(value) if isinstance(node, ast.Name)]
    return list(dict.fromkeys(node.id for node in sorted(found, key=lambda node: (node.lineno, node.col_offset))))


# ---------------------------------------------------------------- drawing


def _place(nodes: dict[str, Node]) -> list[list[Node]]:
    """Rows from top to bottom: each value below all that it is made of."""
    for node in nodes.values():
        node.layer = 1 + max((nodes[use].layer for use in node.uses), default=-1)
        node.wide = max(len(_short(node.name)), len(_under(node)) * 0.86) * LETTER + 2 * PAD
    rows: list[list[Node]] = [[] for _ in range(1 + max(node.layer for node in nodes.values()))]
    for node in nodes.values():
        rows[node.layer].append(node)
    return rows


def _spread(rows: list[list[Node]]) -> float:
    """Centre each row; gives the width of the widest."""
    widths = [sum(node.wide for node in row) + GAP_X * (len(row) - 1) for row in rows]
    for row, wide in zip(rows, widths, strict=True):
        x = (max(widths) - wide) / 2
        for node in row:
            node.x = x
            x += node.wide + GAP_X
    return max(widths)


def _lanes(pairs: list[tuple[Node, Node, bool]], rows: list[list[Node]]) -> dict[tuple[str, str], float]:
    """An upright lane for each arrow that passes rows of boxes: outside them, each lane further out than the last."""
    lanes: dict[tuple[str, str], float] = {}
    used = {-1: 0, 1: 0}
    centre = max(node.x + node.wide for row in rows for node in row)
    for start, end, _ in pairs:
        between = [node for row in rows[start.layer + 1 : end.layer] for node in row]
        if not between:
            continue
        side = 1 if start.x + start.wide / 2 + end.x + end.wide / 2 > centre else -1
        edge = max(node.x + node.wide for node in between) if side > 0 else min(node.x for node in between)
        lanes[start.name, end.name] = edge + side * (14 + 9 * used[side])
        used[side] += 1
    return lanes


def _top(node: Node) -> float:
    return 4 + node.layer * (HEIGHT + GAP_Y)


def _edge(start: Node, end: Node, first: bool, lane: float | None) -> Html:
    """An arrow from what is used to what uses it; the bad one is thick and crossed, so colour is not alone in it."""
    x1, y1 = start.x + start.wide / 2, _top(start) + HEIGHT
    x2, y2 = end.x + end.wide / 2, _top(end)
    middle = (y1 + y2) / 2
    if lane is None:
        x2 += max(-12.0, min(12.0, (x1 - x2) / 6))  # arrows of one box arrive beside each other
        curve = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f} {x2:.1f} {y2 - 7:.1f}"
    else:
        x2 += 16 if lane > x2 else -16
        curve = (
            f"M{x1:.1f} {y1:.1f}C{x1:.1f} {y1 + 26:.1f} {lane:.1f} {y1 + 18:.1f} {lane:.1f} {y1 + 46:.1f}"
            f"V{y2 - 46:.1f}C{lane:.1f} {y2 - 18:.1f} {x2:.1f} {y2 - 30:.1f} {x2:.1f} {y2 - 7:.1f}"
        )
    bad = end.mark == "differs" and first
    shape = "e bad" if bad else "e after" if end.mark in ("after", "skipped") else "e"
    head = el(
        "path", d=f"M{x2 - 4:.1f} {y2 - 8:.1f}L{x2:.1f} {y2:.1f}L{x2 + 4:.1f} {y2 - 8:.1f}Z", class_=shape + " head"
    )
    across = (x1 + x2) / 2 if lane is None else lane
    cross = el("text", "✕", x=f"{across:.1f}", y=f"{middle + 5:.1f}", class_="cross") if bad else None
    return join(el("path", d=curve, class_=shape), head, cross)


def _box(node: Node) -> Html:
    top, middle = _top(node), node.x + node.wide / 2
    round_ = HEIGHT / 2 if not node.uses else 6
    state = {"differs": " bad", "after": " after", "skipped": " after"}.get(node.mark, "")
    return el(
        "g",
        el("rect", x=f"{node.x:.1f}", y=f"{top:.1f}", width=f"{node.wide:.1f}", height=HEIGHT, rx=f"{round_:.0f}"),
        el("text", _short(node.name), x=f"{middle:.1f}", y=f"{top + 18:.1f}", class_="name"),
        el("text", _under(node), x=f"{middle:.1f}", y=f"{top + 33:.1f}", class_="by"),
        class_="n" + state,
    )


def _under(node: Node) -> str:
    return _short(node.made_by) + (", watched" if node.watched else "")


def _short(text: str) -> str:
    return text if len(text) <= 22 else text[:21] + "…"
