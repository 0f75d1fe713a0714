"""What a tape has: stated or found out, drawn towards, audited both ways, and graded by levels."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import reports
from adapters import AdapterError, load, open_tape
from adapters.arrays import array_of
from adapters.backend import FEATURES, Capabilities, capabilities_of
from adapters.interpreter import run
from adapters.language import Call, Constant, Gradient, MakeTape, NumPy, Program, Py, Ref, Reset
from adapters.observations import Raised, Unsupported
from conformance import levels, rules
from conformance.capabilities.able import Able, able
from conformance.capabilities.audit import rule_levels
from conformance.capabilities.needs import WORDS, needs_of, words_of
from conformance.capabilities.probes import feature_probes, missing, op_probe
from conformance.command_line import main
from conformance.optable import TABLE
from conformance.running.campaign import asked_of
from conformance.running.plan import Chunk, Plan
from reports import words
from reports.records import Capability, Cause, LevelResult, Outcome, RuleResult
from tests.running.small_tapes import claiming

HERE = "tests.running.small_tapes"
TINY = "examples.tiny_tape"
pytestmark = pytest.mark.filterwarnings("ignore")  # the tiny tape lets NumPy warn


def ran(tmp_path: Path, name: str, *more: str) -> list[reports.records.Record]:
    page = tmp_path / "index.html"
    main(["run", name, "--oracle", "reference", "--report", str(page), *more])
    return reports.read([tmp_path / "records.jsonl"])


# ---------------------------------------------------------------- what a small module lacks


@pytest.mark.parametrize(
    "step",
    [
        Call("nn.relu", (Ref(0),)),
        Call("operator.matmul", (Ref(0), Ref(0))),
        Call("operator.lt", (Ref(0), Ref(0))),
        Call("python.float", (Ref(0),)),
        Call("method.set_shape", (Ref(0), Py(None))),
        Call("math.exp", (Ref(0),), (("name", Py("e")),)),
        Reset(Ref(1)),
        Gradient(Ref(1), Ref(0), Ref(0), unconnected_gradients=Py("zero")),
    ],
    ids=lambda step: getattr(step, "op", type(step).__name__),
)
def test_what_a_small_module_has_no_place_for_is_unsupported(step: object) -> None:
    program = Program((Constant(array_of(2.0)), MakeTape(), step))  # type: ignore[arg-type]
    assert isinstance(run(program, load(TINY))[-1].outcome, Unsupported)


def test_an_error_from_inside_what_is_there_stays_an_error() -> None:
    program = Program((Constant(array_of([1.0, 2.0])), Call("math.add", (Ref(0), NumPy(array_of([1.0, 2.0, 3.0]))))))
    assert isinstance(run(program, load(TINY))[-1].outcome, Raised)


def test_probes_tell_what_is_there() -> None:
    with open_tape(TINY) as tape:
        found = missing(tape.run_many)
    assert {"math.exp", "operator.mul", "math.sin"}.isdisjoint(found.ops)
    assert {"nn.relu", "operator.matmul", "reshape"} <= found.ops
    assert {"variables", "jacobian", "reset", "output_gradients"} <= found.features
    assert {"persistent", "nests"}.isdisjoint(found.features)


def test_the_reference_engine_has_whatever_is_probed() -> None:
    with open_tape("reference") as tape:
        found = missing(tape.run_many)
    assert (found.ops, found.features, found.dtypes) == (frozenset(), frozenset(), frozenset())


def test_the_probe_of_each_op_is_a_call_that_goes_well() -> None:
    with open_tape("reference") as tape:
        ends = {row.name: tape.run(op_probe(row))[-1].outcome for row in TABLE}
    assert {name: end for name, end in ends.items() if isinstance(end, Raised | Unsupported)} == {}


def test_every_feature_has_words_and_every_probe_needs_its_feature() -> None:
    assert set(WORDS) == set(FEATURES)
    for name, program in feature_probes("operator.mul").items():
        assert name in needs_of(words_of(program)), name


# ---------------------------------------------------------------- claims


@pytest.mark.parametrize(
    ("claims", "words_said"),
    [
        ({"ops": "math.exp"}, "must be a list"),
        ({"feature": ["nests"]}, "unknown key 'feature'"),
        ({"features": ["jacobians"]}, "did you mean jacobian?"),
        ({"errors": "exactly"}, "must be one of raised, class, message"),
    ],
)
def test_claims_that_mean_nothing_are_one_sentence(
    claims: dict[str, object], words_said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "claiming_tape", claiming(**claims))
    with pytest.raises(AdapterError, match=words_said.replace("?", r"\?")):
        load("claiming_tape")


def test_a_module_states_its_claims_in_a_dict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "claiming_tape", claiming(ops=["math.exp"], errors="class", warnings=False))
    claimed = load("claiming_tape").capabilities()
    assert claimed == Capabilities(ops=frozenset({"math.exp"}), errors="class", warnings=False)


def test_claims_come_through_the_process_protocol_unchanged() -> None:
    with open_tape(f"{HERE}:too_modest", process=True) as tape:
        assert tape.capabilities() == load(f"{HERE}:too_modest").capabilities()
    assert capabilities_of({}, "nothing") == Capabilities()


def test_generated_programs_keep_to_what_a_tape_has(tmp_path: Path) -> None:
    outcomes = [one for one in ran(tmp_path, TINY, "--programs", "200", "--no-corpus") if isinstance(one, Outcome)]
    answered = sum(one.verdict != "unsupported" for one in outcomes)
    assert len(outcomes) == 200 and answered >= 0.95 * len(outcomes)
    assert sum(one.finite_nonzero_gradient for one in outcomes) >= 0.7 * len(outcomes)


def test_claims_are_tested_both_ways(tmp_path: Path) -> None:
    proud = audit(ran(tmp_path, f"{HERE}:too_proud", "--programs", "20"))
    assert proud["nn.relu"] == proud["jacobian"] == "claimed, but not there"
    assert proud["math.exp"] == "claimed and shown"
    modest = audit(ran(tmp_path, f"{HERE}:too_modest", "--programs", "20"))
    assert modest["float64"] == "not claimed, and yet it works"


def audit(records: list[reports.records.Record]) -> dict[str, str]:
    return {one.name: words.claim(one) for one in records if isinstance(one, Capability)}


def test_what_needs_a_thing_that_is_not_claimed_is_unsupported_and_not_wrong(tmp_path: Path) -> None:
    records = ran(tmp_path, f"{HERE}:too_modest", "--programs", "0", "--rule", "HIGH-*")
    assert {one.verdict for one in records if isinstance(one, Outcome)} <= {"unsupported", "agrees"}


def test_rules_about_open_tapes_are_not_asked_of_a_tape_that_claims_none() -> None:
    with open_tape(f"{HERE}:without_open_tapes") as tape:
        found = able(tape.capabilities(), tape.run_many, f"{HERE}:without_open_tapes")
    plan = Plan(f"{HERE}:without_open_tapes", oracle="reference")
    assert not list(asked_of(Chunk("corpus", group="WATCH"), plan, found))
    assert list(asked_of(Chunk("corpus", group="SRC"), plan, found))
    assert list(asked_of(Chunk("corpus", group="WATCH"), plan, Able()))


# ---------------------------------------------------------------- levels


def test_a_level_holds_those_before_it() -> None:
    assert levels.level_of(()) == levels.level_of({"variables"}) == "core"
    assert levels.level_of({"persistent"}) == "persistent"
    assert levels.level_of({"persistent", "second_order"}) == "higher-order"
    assert levels.level_of({"complex"}) == levels.level_of({"custom_gradient"}) == "full"
    assert levels.features_up_to("full") == frozenset(FEATURES)


def test_every_pinned_rule_has_a_level_and_no_level_is_empty() -> None:
    found = rule_levels()
    assert set(found) == {rule.id for rule in rules.all_rules() if not rule.not_pinned}
    assert set(found.values()) == set(levels.NAMES)


def test_nothing_beyond_a_level_is_asked(tmp_path: Path) -> None:
    records = ran(tmp_path, "reference", "--programs", "60", "--level", "core", "--rule", "*-0*")
    asked = [one for one in records if isinstance(one, Outcome)]
    assert asked and {levels.level_of(one.features) for one in asked} == {"core"}
    chunk = Chunk("generated", 0, 40)
    drawn = [one.program for one in asked_of(chunk, Plan("reference", level="persistent"), Able())]
    assert {levels.level_of(words_of(program)) for program in drawn} == {"core", "persistent"}


def test_levels_are_told_with_their_denominators(tmp_path: Path) -> None:
    records = ran(tmp_path, TINY, "--programs", "40")
    told = [one for one in records if isinstance(one, LevelResult)]
    assert [one.level for one in told] == list(levels.NAMES)
    assert sum(one.programs for one in told) == sum(isinstance(one, Outcome) for one in records)
    assert sum(one.rules for one in told) <= sum(isinstance(one, RuleResult) for one in records)
    assert all(one.agree <= one.supported <= one.programs and one.rules_hold <= one.rules for one in told)
    text = reports.plain_text(reports.summarise(records))
    assert f"core: {told[0].rules_hold} of {told[0].rules} rules hold" in text
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'id="capabilities"' in page and "higher-order" in page


# ---------------------------------------------------------------- causes


def test_pinned_and_generated_programs_that_differ_alike_are_one_cause(tmp_path: Path) -> None:
    records = ran(tmp_path, TINY, "--programs", "250")
    outcomes = [one for one in records if isinstance(one, Outcome) and one.cause is not None]
    causes = {one.id: one for one in records if isinstance(one, Cause)}
    zeros = next(one for one in causes.values() if one.signature[0] == "gradient of an unconnected source")
    assert {one.origin for one in outcomes if one.cause == zeros.id} == {"corpus", "generated"}
    assert zeros.attribution == "pinned" and zeros.rule
    failed = {rule for one in outcomes for rule in one.rules}
    assert len(causes) < len(failed) / 1.5, "the causes are grouped, not one for each rule"
