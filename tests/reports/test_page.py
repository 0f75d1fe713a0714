"""The HTML page: what a reader must get from it, and what nobody can smuggle into it."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

import reports
from reports.page import values, without_times
from reports.page.graph import picture
from reports.page.html import Anchors, Html, anchor, el, visible
from reports.page.traces import trace
from reports.records import Line, Timing
from tests.reports import report_samples as samples

RUNS = {
    "nothing checked": samples.run(0),
    "no difference": samples.run(60),
    "one cause": samples.run(60, (samples.TIE,)),
    "four causes": samples.many_causes(200),
    "interrupted": samples.run(60, (samples.TIE,), interrupted=True),
    "hostile": samples.hostile_run(),
    "long names": samples.hostile_run("a_name_that_is_far_too_long" * 30),
}
with_every_run = pytest.mark.parametrize("records", RUNS.values(), ids=RUNS)
VOID = {"br", "hr", "input", "meta", "col"}


class Page(HTMLParser):
    """What a browser would make of a page: tags in order, ids, links, and text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)

    @property
    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    def words(self):
        return re.sub(r"\s+", " ", " ".join(self.text))


@with_every_run
def test_every_element_is_closed_ids_are_unique_and_links_lead_somewhere(records):
    page = Page(reports.html(records))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    targets = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert all(target.startswith("#") for target in targets)
    missing = {target[1:] for target in targets} - set(page.ids)
    asked = {anchor("rule", cause.rule) for cause in samples.ALL_CAUSES if cause.rule}
    assert missing <= asked  # a run that was interrupted has no table of rules yet


@with_every_run
def test_the_file_is_complete_in_itself(records):
    page = reports.html(records)
    tags = Page(page).tags
    assert not [tag for tag, attributes in tags if {"src", "srcset", "data", "action"} & set(attributes)]
    assert not [tag for tag, _ in tags if tag in ("link", "iframe", "object", "embed", "img", "base", "form")]
    assert "@import" not in page and "url(" not in page
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]


@pytest.mark.parametrize(
    "text", [samples.HOSTILE, "</style></title><svg onload=alert(1)>", "<!-- --><!--", "]]>", "&lt;script&gt;"]
)
def test_no_string_of_an_implementation_becomes_markup(text):
    page = Page(reports.html(samples.hostile_run(text)))
    plain = Page(reports.html(samples.hostile_run("harmless")))
    assert [tag for tag, _ in page.tags if tag == "script"] == ["script"]
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in plain.tags} | {"i", "span", "b"}
    assert visible(text) in "".join(page.text)


def test_what_cannot_be_seen_is_written_out():
    page = reports.html(samples.hostile_run("a\u202eb\x00c\ud800d\u200be\x1b[0m"))
    assert "a\\u202eb\\u0000c\\ud800d\\u200be\\u001b[0m" in page
    page.encode("utf-8")


def test_only_the_page_s_own_script_may_run():
    page = reports.html(RUNS["hostile"])
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src &#x27;none&#x27;") and "script-src &#x27;sha256-" in policy


@with_every_run
def test_the_same_records_give_the_same_bytes_in_another_process(records, tmp_path):
    reports.write(records, tmp_path / "run.jsonl")
    here = reports.write_html(records, tmp_path / "here.html").read_bytes()
    code = "import sys, reports; reports.write_html(reports.read(sys.argv[1]), sys.argv[2])"
    root = str(Path(reports.__file__).parents[1])
    command = [sys.executable, "-c", code, str(tmp_path / "run.jsonl"), str(tmp_path / "there.html")]
    subprocess.run(
        command,
        check=True,
        cwd=root,
        env={"PYTHONHASHSEED": "77", "PYTHONPATH": root, "LC_ALL": "C", "TZ": "Asia/Tokyo"},
    )
    assert (tmp_path / "there.html").read_bytes() == here


def test_times_sit_in_one_block_and_nowhere_else():
    records = samples.many_causes(100)
    later = [
        replace(record, seconds=record.seconds * 3) if isinstance(record, Timing) else record for record in records
    ]
    one, other = reports.html(records), reports.html(later)
    assert one != other
    assert without_times(one) == without_times(other)
    assert one.count("times begin") == 1
    tricky = reports.html(samples.hostile_run("<!-- times begin -->"))
    assert without_times(tricky).endswith("</html>\n")


# ---------------------------------------------------------------- what the reader gets


def test_the_first_screen_says_who_by_whom_how_far_what_it_is_worth_and_what_changed():
    old = samples.run(9500, (samples.TIE, samples.NONE))
    text = Page(reports.html(samples.many_causes(9500), previous=old)).words()
    first = text[: text.index("One card for each cause")]
    for piece in (
        "reference 0.1.0 judged by TensorFlow 2.21.0",
        "Agrees with TensorFlow 2.21.0 on 9,326 of 9,500 programs. 4 causes of difference, 1 of them expected.",
        "2,351 exactly, to the last bit",
        "within a running error bound (relative: median 3e-6, largest 5e-6)",
        "73.7% of generated programs compare a finite non-zero gradient (at least 70%)",
        "1% ill-conditioned (at most 3%)",
        "5 of 9 rules hold, 3 broken",
        "All 9,500 planned programs were run",
        "new second gradient() of a tape that is not persistent",
        "Since the last run",
    ):
        assert piece in first, piece


def test_a_card_tells_rule_traces_script_blame_count_and_replay():
    page = reports.html(samples.many_causes(400))
    card = page[page.index(f'id="cause-{samples.TIE.id}"') : page.index(f'id="cause-{samples.NONE.id}"')]
    text = Page(card[card.index(">") + 1 : card.rindex("</article>")]).words()
    for piece in (
        "60 programs",
        "At a tie maximum sends the whole gradient to its first operand.",
        "against the docs",
        "a stored program of this rule fails",
        "z = tf.maximum(x, y)",
        "First difference",
        "8,388,608 ULPs",
        "import tensorflow as tf",
        "The difference is the fault of the tape",
        "TensorFlow's rule, run in rationals",
        "the wanted answer",
        "--replay reports/records/cause-9c2e41d07ab3.json",
        "and 48 more",
    ):
        assert piece in text, piece
    assert card.count('class="t-differs"') == 1
    assert card.count('class="t-same"') == 8
    assert card.count('class="t-after"') == 1


def test_ten_thousand_passing_programs_cost_a_count_each_and_no_row():
    small, large = reports.html(samples.run(100)), reports.html(samples.run(10_000))
    assert len(large) < len(small) + 600
    assert "9,900" in large


def test_a_cause_of_ten_thousand_programs_names_a_dozen():
    outcomes = [replace(one, verdict="differs", cause=samples.TIE.id) for one in samples.outcomes(10_000)]
    page = reports.html([replace(samples.HEADER, planned=10_000), samples.TIE, *outcomes])
    assert "and 9,988 more" in page
    assert len(page) < 80_000


def test_rules_can_be_linked_to_and_broken_groups_are_open():
    page = reports.html(samples.many_causes(400))
    for rule in samples.RULES:
        assert f'id="rule-{rule.rule}"' in page
    opened = re.findall(r'<details class="group"( open)? id="group-(\w+)"', page)
    assert {name for mark, name in opened if mark} == {"HIGH", "LIFE", "TIE"}


def test_without_scripts_nothing_is_missing():
    page = reports.html(samples.many_causes(400))
    without = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    for cause in samples.ALL_CAUSES:
        assert el("h3", cause.title)[4:-5] in without
    controls = [
        attributes for tag, attributes in Page(without).tags if tag == "button" or attributes.get("class") == "tools"
    ]
    assert controls and all("hidden" in attributes for attributes in controls)


def test_a_status_is_a_shape_and_a_word_as_well_as_a_colour():
    page = Page(reports.html(samples.many_causes(400)))
    for attributes in (
        attributes for tag, attributes in page.tags if (attributes.get("class") or "").startswith("st st-")
    ):
        assert attributes
    assert "▲ failed" in page.words() and "● passed" in page.words() and "– not asked" in page.words()


def test_headings_descend_one_level_at_a_time_and_tables_have_captions_and_heads():
    page = reports.html(samples.many_causes(400))
    levels = [int(tag[1]) for tag, _ in Page(page).tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    tables = re.findall(r"<table.*?</table>", page, flags=re.DOTALL)
    assert tables and all("<caption" in table and "<th" in table for table in tables)


def test_several_implementations_stand_in_a_matrix_with_fewest_differences_first():
    runs = samples.several()
    page = reports.html(runs[2], others=runs[:2])
    matrix = page[page.index('id="matrix"') :]
    text = Page(matrix[matrix.index(">") + 1 : matrix.index("</section>")]).words()
    places = [text.index(name) for name in ("reference 0.1.0", "mytape.tf_api 3.2.0", "a_tape_with_a_very_long")]
    assert places == sorted(places)
    assert "passed 2/2" in text and "failed 1/2" in text and "not asked 0/1" in text
    assert 'id="matrix"' not in reports.html(runs[2])


def test_an_interrupted_run_and_its_notices_are_told_on_the_first_screen():
    text = Page(reports.html(RUNS["interrupted"])).words()
    assert text.index("interrupted after 60 of 120 planned programs") < text.index("What differs")
    assert text.index("stopped by Ctrl-C") < text.index("What differs")


# ---------------------------------------------------------------- values, pictures


@pytest.mark.parametrize(
    ("want", "got", "want_html", "got_html"),
    [
        (
            "1.25",
            "1.27",
            '<span class="eq">1.2</span><b class="ne want">5</b>',
            '<span class="eq">1.2</span><b class="ne got">7</b>',
        ),
        (
            "1.2511",
            "1.2799",
            '<span class="eq">1.2</span><b class="ne want">5</b>11',
            '<span class="eq">1.2</span><b class="ne got">7</b>99',
        ),
        ("None", "0.0", '<b class="ne whole want">None</b>', '<b class="ne whole got">0.0</b>'),
        ("", "0.0", '<i class="word">nothing recorded</i>', '<b class="ne got">0.0</b>'),
    ],
)
def test_common_digits_are_grey_and_the_first_that_differs_is_bold(want, got, want_html, got_html):
    assert values.pair(want, got) == (want_html, got_html)


def test_nan_and_a_digit_share_nothing():
    want, got = values.pair("f32[2] [1.0, nan]", "f32[2] [1.0, 0.0]")
    assert '<b class="ne want">nan</b>' in want and '<b class="ne got">0.0</b>' in got


def test_of_two_errors_the_classes_are_marked_and_of_one_class_the_words_of_the_message():
    want, got = values.pair("raised ValueError: no such tape", "raised TypeError: no such thing")
    assert re.findall(r"<b[^>]*>(.*?)</b>", want + got) == ["raised ValueError", "raised TypeError"]
    want, got = values.pair("raised ValueError: no such tape", "raised ValueError: no such thing")
    assert re.findall(r"<b[^>]*>(.*?)</b>", want + got) == ["tape", "thing"]


def test_the_entries_of_a_shape_are_no_values():
    table = values.digits("f32[2, 3] [1.25, 1.2501]", "f32[2, 3] [1.25, 1.2502]")
    assert table is not None and re.findall("<td>", table) == ["<td>"] * 2


def test_a_difference_that_the_words_do_not_show_is_said_to_be_one():
    line = Line(0, "g = f(x)", "f32[] 0.0", "f32[] 0.0", "differs", "the sign of zero")
    text = Page(trace((line,), "oracle", "tape")).words()
    assert "Both answers read alike; what differs is not in the words. the sign of zero" in text


def test_a_dtype_that_differs_is_the_only_word_marked():
    want, got = values.pair("f32[2] [1.0, 2.0]", "f64[2] [1.0, 2.0]")
    assert re.findall(r"<b[^>]*>(.*?)</b>", want) == ["f32"]
    assert re.findall(r"<b[^>]*>(.*?)</b>", got) == ["f64"]


def test_numbers_that_part_late_are_aligned_at_the_point():
    table = values.digits("f64[2] [112.5001, 3.25]", "f64[2] [112.5002, 3.25]")
    cells = [re.sub("<[^>]*>", "", cell) for cell in re.findall("<td>(.*?)</td>", table)]
    assert cells == ["112.5001", "112.5002"]
    assert values.digits("[1.0]", "[2.0]") is None
    longer = values.digits("-1.25001", "-1.25002")
    assert longer is not None and "value 1" not in longer


def test_marking_a_huge_answer_takes_no_time():
    want, got = (" ".join(f"{start + at}.5" for at in range(20_000)) + tail for start, tail in ((0, ""), (3, " 7")))
    assert len(values.pair(want, got)[0]) > 100_000


def test_the_picture_shows_values_what_they_are_made_of_and_the_first_bad_edge():
    svg = picture(samples.TIE.trace)
    names = re.findall(r'class="name">(.*?)<', svg)
    assert names == ["x", "y", "z", "w", "g", "h"]
    assert svg.count('class="cross"') == 1
    assert "g from w and x" in svg
    assert "constant, watched" in svg


@pytest.mark.parametrize(
    "code",
    ["not python (", "x = " + "(" * 500 + "1" + ")" * 500, "'\\d' = x", "\x00", "", "a.b = c", "x, y = z", "def f():"],
)
def test_code_that_cannot_be_drawn_has_no_picture(code):
    assert picture((Line(0, code, "1", "2", "differs"),)) is None


def test_a_program_too_large_for_a_picture_has_none():
    lines = [Line(0, "x0 = tf.constant(1.0)", "1", "1", "same")]
    lines += [Line(at, f"x{at} = x{at - 1} * 2.0", "1", "1", "same") for at in range(1, 40)]
    lines.append(Line(40, "g = x39 + x0", "1", "2", "differs"))
    assert picture(tuple(lines)) is None
    assert picture((*lines[:5], replace(lines[-1], code="g = x4 + x0"))) is not None


def test_a_string_is_escaped_unless_it_is_markup():
    assert el("p", "<b>", Html("<b>"), title='"') == '<p title="&quot;">&lt;b&gt;<b></p>'
    assert anchor("cause", "9c2e") == "cause-9c2e"
    assert re.fullmatch(r"cause-[0-9a-f]{12}", anchor("cause", "<script>"))
    anchors = Anchors()
    assert (anchors.claim("a", "b"), anchors.claim("a", "b")) == ("a-b", None)


# ---------------------------------------------------------------- writing


def test_a_report_makes_its_directory_and_replaces_an_older_one_whole(tmp_path):
    path = tmp_path / "reports" / "html" / "index.html"
    assert reports.write_html(samples.run(5), path) == path
    reports.write_html(samples.run(9), str(path))
    assert path.read_text(encoding="utf-8") == reports.html(samples.run(9))
    assert [one.name for one in path.parent.iterdir()] == ["index.html"]


@pytest.mark.parametrize("where", ["a directory", "below a file", "a name that is too long"])
def test_a_path_that_cannot_be_written_is_one_sentence_and_the_records_survive(where, tmp_path):
    records = tmp_path / "run.jsonl"
    reports.write(samples.run(5), records)
    before = records.read_bytes()
    path = {
        "a directory": tmp_path,
        "below a file": records / "index.html",
        "a name that is too long": tmp_path / ("n" * 300),
    }[where]
    with pytest.raises(
        reports.ReportError, match=r"^Cannot write the report to .* \(.*\); the records are untouched\.$"
    ):
        reports.write_html(reports.read(records), path)
    assert records.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["run.jsonl"]


def test_a_disk_that_fills_up_leaves_the_older_report_alone(tmp_path, monkeypatch):
    path = reports.write_html(samples.run(5), tmp_path / "index.html")
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(reports.ReportError, match="No space left on device"):
        reports.write_html(samples.run(6), path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["index.html"]
