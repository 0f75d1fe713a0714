"""The engine's op table as its source shows it: which functions are gradients and forwards, and whose.

`functions()` maps (module, function) to the public names of the ops that run it: the declarations of `ops/` (calls of
`unary`, `binary` and `kernel`), the module-level functions they mention, and whatever mentions those in turn.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from tests.mutants.planting import modules, source_of

_DECLARING = ("unary", "binary", "kernel")
Place = tuple[str, str]  # a module and a name at its top level


@dataclass(slots=True)
class Table:
    """What the source declares. places: every top-level name and the names it mentions."""

    mentions: dict[Place, set[Place]] = field(default_factory=lambda: defaultdict(set))
    public: dict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))
    declared: dict[Place, list[ast.Call]] = field(default_factory=lambda: defaultdict(list))
    short: dict[str, set[Place]] = field(default_factory=lambda: defaultdict(set))  # by name in the namespace F
    lines: dict[Place, tuple[int, int]] = field(default_factory=dict)


@cache
def table() -> Table:
    """The table of the snapshot's source."""
    made = Table()
    names: dict[str, set[str]] = {}
    trees = {module: ast.parse(source_of(module)) for module in modules() if module.startswith("ops.")}
    for module, tree in trees.items():
        names[module] = {name for statement in tree.body for name in _defined(statement)}
        for statement in tree.body:
            _declarations(made, module, statement)
    for module, tree in trees.items():
        imported = _imports(module, tree, names)
        for statement in tree.body:
            for name in _defined(statement):
                made.mentions[module, name] |= set(_mentioned(made, module, statement, names[module], imported))
    return made


def users_of(place: Place) -> set[str]:
    """The public names of everything that mentions a place, directly or not."""
    seen, open_ = {place}, [place]
    while open_:
        for other in _mentioned_by()[open_.pop()]:
            if other not in seen:
                seen.add(other)
                open_.append(other)
    return {name for each in seen for name in table().public.get(each, ())}


@cache
def _mentioned_by() -> dict[Place, set[Place]]:
    found: dict[Place, set[Place]] = defaultdict(set)
    for place, others in table().mentions.items():
        for other in others:
            found[other].add(place)
    return found


def ruling(place: Place) -> set[Place]:
    """The places whose code makes up the forward and the gradients of the ops declared at a place: itself, and the
    functions of the same module, or of the kernels, that those mention."""
    seen, open_ = {place}, [place]
    while open_:
        here = open_.pop()
        for other in table().mentions[here]:
            near = other[0] == place[0] or other[0].startswith("ops.kernels.")
            if other not in seen and near and other not in table().public:
                seen.add(other)
                open_.append(other)
    return seen


def _defined(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _declarations(made: Table, module: str, statement: ast.stmt) -> None:
    """Note what a top-level statement declares, and the public names it gives."""
    defined = _defined(statement)
    for name in defined:
        made.lines[module, name] = (statement.lineno, statement.end_lineno or statement.lineno)
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        word = node.func.id
        first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
        for name in defined:
            if word in _DECLARING:
                made.declared[module, name].append(node)
                own = {k.arg: k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)}
                short = str(own.get("f") or (str(first).split() or [""])[0].rpartition(".")[2])
                made.short[short].add((module, name))
            if word == "helper":
                made.short[str(first)].add((module, name))
            if word in (*_DECLARING[:2], "public", "publish"):
                made.public[module, name] |= set(str(first).split())


def _imports(module: str, tree: ast.Module, names: dict[str, set[str]]) -> dict[str, Place]:
    """Names that a module takes from other modules of `ops/`, wherever the import stands."""
    found: dict[str, Place] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            base = module.rpartition(".")[0]
            for alias in node.names:
                found[alias.asname or alias.name] = (f"{base}.{node.module}", alias.name)
    return {name: place for name, place in found.items() if place[1] in names.get(place[0], ())}


def _mentioned(
    made: Table, module: str, statement: ast.stmt, own: set[str], imported: dict[str, Place]
) -> Iterator[Place]:
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name) if name in own:
                yield module, name
            case ast.Name(id=name) if name in imported:
                yield imported[name]
            case ast.Attribute(value=ast.Name(id="F" | "arrays" | "tensors"), attr=name):
                yield from made.short.get(name, ())
