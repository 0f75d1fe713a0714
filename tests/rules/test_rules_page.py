"""The pages of the rules: that they are up to date and hold what they promise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conformance import rules_page
from conformance.rules import all_rules


@pytest.mark.skipif(str(np.float32(1e8)) != "1e+08", reason="this NumPy writes numbers otherwise than the pages do")
def test_the_pages_are_up_to_date() -> None:
    assert rules_page.stale() == (), "run python -m conformance.rules_page"


def test_every_rule_has_a_row_and_a_section() -> None:
    made = rules_page.pages()
    for rule in all_rules():
        assert f"#{rule.id.lower()})" in made["rules.md"]
        assert f"\n## {rule.id}\n" in made[f"rules/{rule.group.lower()}.md"]


def test_a_rule_is_shown_by_its_script_with_the_answers_beside() -> None:
    page = rules_page.pages()["rules/watch.md"]
    section = page.partition("\n## WATCH-88\n")[2].partition("\n## ")[0]
    assert "import tensorflow as tf" in section
    assert "# [<tf.Tensor: shape=(), dtype=float32, numpy=3.0>, None]" in section


def test_a_stale_a_missing_and_a_leftover_page_are_named_and_mended(tmp_path: Path) -> None:
    rules_page.write(tmp_path)
    assert rules_page.stale(tmp_path) == ()
    (tmp_path / "rules.md").write_text("old", encoding="utf-8")
    (tmp_path / "rules" / "watch.md").unlink()
    (tmp_path / "rules" / "gone.md").write_text("left over", encoding="utf-8")
    wanted = ("rules.md", "rules/gone.md", "rules/watch.md")
    assert rules_page.stale(tmp_path) == wanted
    assert rules_page.write(tmp_path) == wanted
    assert rules_page.stale(tmp_path) == ()
