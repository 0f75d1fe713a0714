"""Write the pages of the rules: `docs/rules.md`, the list of all, and `docs/rules/GROUP.md` with a script for each.

    python -m conformance.rules_page             write them
    python -m conformance.rules_page --check     exit with 1 when one of them is stale

A script is the rule's shortest program as plain TensorFlow, with what TensorFlow printed beside each line.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from conformance import corpus
from conformance.rules import AGAINST_DOCS, AGAINST_MATHS, DOCUMENTED, OBSERVED, Group, Rule, all_rules, groups
from conformance.scripting.script import script

DOCS = Path(__file__).parents[1] / "docs"
MEANING = {
    DOCUMENTED: "TensorFlow's documentation says so",
    OBSERVED: "TensorFlow does so and its documentation is silent",
    AGAINST_DOCS: "TensorFlow does otherwise than its documentation says",
    AGAINST_MATHS: "TensorFlow's answer is not the mathematical one, or is one of several",
}


def pages() -> dict[str, str]:
    """Every page by its path below `docs/`."""
    found = {"rules.md": _index()}
    found.update({_path(group): _group_page(group) for group in groups()})
    return found


def stale(folder: Path = DOCS) -> tuple[str, ...]:
    """The pages that are missing, out of date, or no longer made."""
    made = pages()
    kept = {"rules.md", *(f"rules/{path.name}" for path in (folder / "rules").glob("*.md"))}
    return tuple(sorted(path for path in kept | set(made) if _read(folder / path) != made.get(path)))


def write(folder: Path = DOCS) -> tuple[str, ...]:
    """Write the pages that are stale, and remove those that are no longer made; their paths."""
    made, changed = pages(), stale(folder)
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    for path in changed:
        if path in made:
            (folder / path).write_text(made[path], encoding="utf-8")
        else:
            (folder / path).unlink()
    return changed


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _path(group: Group) -> str:
    return f"rules/{group.prefix.lower()}.md"


def _index() -> str:
    rules = all_rules()
    counts = Counter(rule.standing for rule in rules)
    pinned = sum(not rule.not_pinned for rule in rules)
    lines = [
        "# Rules",
        "",
        f"What a gradient tape does, in {len(rules)} rules. {pinned} are shown by {len(corpus.of_rules())} programs, "
        f"pinned with the answers of TensorFlow {corpus.load()[0].tensorflow}. Ids never change.",
        "",
        "One rule at a time: `tapecheck explain WATCH-03` prints its programs, `pytest conformance/ --rule WATCH-03` "
        "asks a tape about it. This page and those it leads to are made by `python -m conformance.rules_page`.",
        "",
        "| standing | meaning | rules |",
        "|---|---|---|",
        *(f"| {standing} | {meaning} | {counts[standing]} |" for standing, meaning in MEANING.items()),
    ]
    for group in groups():
        lines += ["", f"## {group.prefix}: {group.title}", "", "| id | rule | standing |", "|---|---|---|"]
        lines += [_row(rule) for rule in rules if rule.group == group.prefix]
    return "\n".join(lines) + "\n"


def _row(rule: Rule) -> str:
    link = f"[{rule.id}](rules/{rule.group.lower()}.md#{rule.id.lower()})"
    return f"| {link} | {_cell(rule.sentence)} | {rule.standing} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def _group_page(group: Group) -> str:
    lines = [f"# {group.prefix}: {group.title}", "", "[All rules](../rules.md)"]
    for rule in all_rules():
        if rule.group == group.prefix:
            lines += ["", f"## {rule.id}", "", _cell(rule.sentence), "", f"*{rule.standing}; `{rule.source}`*", ""]
            lines += _shown(rule)
    return "\n".join(lines) + "\n"


def _shown(rule: Rule) -> list[str]:
    if rule.not_pinned:
        return [f"Not pinned: {rule.not_pinned}."]
    programs = [pinned for pinned in corpus.load(rule.group) if rule.id in pinned.rules]
    shortest = min(programs, key=lambda pinned: len(pinned.program.steps))
    lines = ["```python", script(shortest.program, shortest.answers).rstrip("\n"), "```"]
    if len(programs) > 1:
        lines += ["", f"{len(programs)} programs show this rule; this is the shortest."]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m conformance.rules_page", description="Write the rules' pages.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when a page is stale")
    check = parser.parse_args().check
    changed = stale() if check else write()
    for path in changed:
        print(f"docs/{path}: " + ("stale" if check else "written"))
    return 1 if check and changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
