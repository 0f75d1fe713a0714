"""Imports go one way, reference_impl -> adapters -> reports -> conformance; TensorFlow stands in one adapter alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("reference_impl", "adapters", "reports", "conformance")
MAY_IMPORT = {
    "reference_impl": {"reference_impl"},
    "adapters": {"reference_impl", "adapters"},
    "reports": {"reports"},  # records, and nothing that runs
    "conformance": {"adapters", "reports", "conformance"},
}
ADAPTS_THE_ENGINE = "adapters/reference.py"
ADAPTS_TENSORFLOW = "adapters/tensorflow.py"


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Absolute names that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
            yield from (
                arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            )


def against_the_arrow(package: str, path: Path, where: str) -> list[str]:
    """The imports of a file that the arrow forbids."""
    wrong = []
    for name in imported(path):
        top = name.partition(".")[0]
        if top in PACKAGES and top not in MAY_IMPORT[package]:
            wrong.append(f"{where} imports {name}")
        if top == "reference_impl" and package != "reference_impl" and where != ADAPTS_THE_ENGINE:
            wrong.append(f"{where} imports {name}, which only {ADAPTS_THE_ENGINE} may")
        if top in {"tensorflow", "keras"} and where != ADAPTS_TENSORFLOW:
            wrong.append(f"{where} imports {name}, which only {ADAPTS_TENSORFLOW} may")
    return wrong


@pytest.mark.parametrize("package", PACKAGES)
def test_no_import_goes_against_the_arrow(package: str) -> None:
    files = sources(package)
    assert files, f"{package} has no files: this test would check nothing"
    wrong = [line for path in files for line in against_the_arrow(package, path, path.relative_to(ROOT).as_posix())]
    assert wrong == []


def test_an_import_against_the_arrow_is_noticed(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text("def late():\n    from conformance import plan\n    import tensorflow\n")
    assert against_the_arrow("adapters", planted, "adapters/planted.py") == [
        "adapters/planted.py imports conformance",
        "adapters/planted.py imports tensorflow, which only adapters/tensorflow.py may",
    ]


def test_the_engine_imports_nothing_but_numpy_and_the_standard_library_at_import() -> None:
    import subprocess
    import sys

    code = (
        "import sys, numpy; before = set(sys.modules); import reference_impl; "
        "print('\\n'.join(set(sys.modules) - before))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    tops = {name.partition(".")[0] for name in found}
    assert "reference_impl" in tops
    assert tops - {"reference_impl", "numpy"} <= set(sys.stdlib_module_names)
