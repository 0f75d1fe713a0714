"""Coverage of each op on its own: what it is to hit, what a program hits, when enough was asked, how it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from adapters import Tape
from adapters.language import (
    Array,
    Assign,
    Call,
    Constant,
    DTypeName,
    Enter,
    Exit,
    Gradient,
    Items,
    MakeTape,
    MakeVariable,
    NumPy,
    Program,
    Py,
    Ref,
    Watch,
)
from adapters.observations import Done, Nothing, Observation, Raised, Tensor
from conformance import command_line
from conformance.command_line import main
from conformance.coverage import each, kept
from conformance.coverage.each import Request, RowCounts, ask_each
from conformance.coverage.goals import goals, met, refused
from conformance.coverage.operands import attributes_of, operands_of, spelled
from conformance.generating.choices import QUOTAS
from conformance.generating.sources import seeded
from conformance.optable import row
from conformance.running.plan import Plan, PlanError
from conformance.running.session import Abandoned, Session

X = Array("float32", (2,), (0.0, 3.0))
ASKED = {"seed": 1, "tensorflow": "2.21.0"}


def _asked(call: Call, x: Array = X) -> Program:
    return Program((
        Constant(x), MakeTape(), Enter(Ref(1)), Watch(Ref(1), Ref(0)), call, Exit(Ref(1)),
        Gradient(Ref(1), Ref(4), Ref(0)),
    ))  # fmt: skip


def _answers(made: object, gradient: object) -> list[Observation]:
    return [Observation(one) for one in (Tensor(X), Done(), Done(), Done(), made, Done(), gradient)]


# ---------------------------------------------------------------- goals


def test_every_attribute_value_that_a_reduction_draws_is_a_goal() -> None:
    found = goals(row("reduce_max")).all
    assert {"axis = absent", "axis = -1", "axis = 2", "axis = [0]", "axis = []", "keepdims = True"} <= found
    assert {"kink 1", "kink 3", "ties", "dtype int32", "dtype bfloat16", "rank 0", "rank 3", "empty"} <= found


def test_lists_of_which_there_are_many_are_one_goal_and_words_are_always_goals_of_their_own() -> None:
    found = goals(row("nn.max_pool")).all
    assert {"padding = 'SAME'", "padding = 'VALID'", "ksize = a list"} <= found
    assert not any(goal.startswith("ksize = [") for goal in found)


def test_an_operand_that_another_call_makes_is_a_goal_by_its_dtype_alone() -> None:
    assert goals(row("sparse.transpose")).all == {f"dtype {one}" for one in row("sparse.transpose").dtypes}


def test_goals_do_not_depend_on_when_they_are_asked_for() -> None:
    assert goals(row("math.cumprod")) == goals(row("math.cumprod"))


# ---------------------------------------------------------------- what a program hits


def test_a_kink_is_hit_only_where_a_gradient_through_the_op_was_answered() -> None:
    relu = row("nn.relu")
    program = _asked(Call("nn.relu", (Ref(0),)))
    assert "kink 0" in met(relu, goals(relu), program, _answers(Tensor(X), Tensor(X)))
    assert "kink 0" not in met(relu, goals(relu), program, _answers(Tensor(X), Nothing()))
    assert "rank 1" in met(relu, goals(relu), program, _answers(Tensor(X), Nothing()))


def test_zeros_of_the_two_signs_are_two_kinks() -> None:
    relu = row("nn.relu")
    hits = met(relu, goals(relu), _asked(Call("nn.relu", (Ref(0),)), Array("float32", (1,), (-0.0,))))
    assert "kink -0" in hits
    assert "kink 0" not in hits


def test_two_operands_tie_where_they_are_equal_at_one_place_and_not_within_one() -> None:
    maximum = row("math.maximum")
    alike, apart = (Call("math.maximum", (Ref(0), NumPy(Array("float32", (2,), (0.0, other))))) for other in (1.0, 0.0))
    assert "ties" in met(maximum, goals(maximum), _asked(alike))
    within = _asked(apart, Array("float32", (2,), (5.0, 5.0)))
    assert "ties" not in met(maximum, goals(maximum), within)


def test_what_raised_is_refused_and_not_hit() -> None:
    total = row("reduce_sum")
    program = _asked(Call("reduce_sum", (Ref(0),), (("axis", Py(0)),)))
    answers = _answers(Raised("ValueError", "no"), Nothing())
    assert met(total, goals(total), program, answers) == frozenset()
    assert {"axis = 0", "dtype float32", "rank 1"} <= refused(total, goals(total), program, answers)


def test_an_attribute_that_is_left_to_its_default_is_hit_as_absent() -> None:
    total = row("reduce_sum")
    hits = met(total, goals(total), _asked(Call("reduce_sum", (Ref(0),))))
    assert {"axis = absent", "keepdims = absent"} <= hits


def test_attributes_are_read_by_position_too() -> None:
    call = Call("cast", (Ref(0), DTypeName("float64")))
    assert [(name, spelled(one)) for name, one in attributes_of(row("cast"), call)] in (
        [("dtype", "float64")], [("#1", "float64")],
    )  # fmt: skip
    assert spelled(Items("tuple", (Py(1), Items("list", (Py(None),))))) == "(1, [None])"


def test_a_variable_that_was_assigned_is_an_unknown_operand() -> None:
    steps = (MakeVariable(NumPy(X)), Call("nn.relu", (Ref(0),)))
    assert operands_of(Program(steps), 1, None) == [X]
    assigned = (steps[0], Assign(Ref(0), NumPy(X)), steps[1])
    assert operands_of(Program(assigned), 2, None) == []


@pytest.mark.parametrize("op", ["reduce_sum", "nn.conv2d", "linalg.diag_part", "operator.getitem", "sort"])
def test_nearly_all_goals_of_an_op_are_within_reach_of_its_own_programs(op: str) -> None:
    one = goals(row(op))
    hits = set().union(*(met(row(op), one, program) for _, program in seeded(3, 0, 400, op, QUOTAS)))
    assert len(hits) > 0.8 * len(one.all), sorted(one.all - hits)


# ---------------------------------------------------------------- asking


class _Oracle:
    """The reference engine in TensorFlow's place; what it calls is made up."""

    called = frozenset({"Relu"})

    def __init__(self, tape: Tape) -> None:
        self.run_many = tape.run_many


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setattr(each, "oracle_of", lambda session: _Oracle(session.oracle))
    with Session(Plan(oracle="reference", ops="nn.relu", corpus=False)) as session:
        yield session


def test_an_op_is_asked_until_enough_programs_count_and_all_is_hit(asking: Session) -> None:
    ((name, found),) = ask_each(asking, Request(20, 400))
    assert name == "nn.relu"
    assert found.counted >= 20
    assert found.missed == ()
    assert set(found.hits) == goals(row("nn.relu")).all
    assert found.kernels["Relu"] == found.counted
    assert found.faults(20) == []


def test_asking_ends_at_the_most_that_may_be_asked_and_says_what_is_lacking(asking: Session) -> None:
    ((_, found),) = ask_each(asking, Request(3, 3))
    assert found.asked == 3
    assert found.missed
    assert any(fault.startswith("never hit: ") for fault in found.faults(3))
    assert "only 3 of 5 programs agreed" in found.faults(5)


def test_the_ops_that_are_done_are_left_out(asking: Session) -> None:
    assert list(ask_each(asking, Request(3, 3), {"nn.relu"})) == []


@pytest.mark.parametrize("named", [["--each", "20"], []])
def test_a_tape_that_gives_up_ends_the_count_with_a_sentence(
    named: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def silent(*_: object) -> Iterator[tuple[str, RowCounts]]:
        raise Abandoned("The tape answered no more.")

    for name in ("ask_each", "count"):
        monkeypatch.setattr(command_line, name, silent)
    monkeypatch.setattr(command_line.kept, "opened", lambda *_: None)
    monkeypatch.setattr(command_line, "oracle_of", lambda session: SimpleNamespace(kernels=tuple))
    monkeypatch.setattr(command_line, "Plan", lambda **fields: Plan(**{**fields, "oracle": "reference"}))
    assert main(["coverage", "reference", "--no-corpus", *named]) == 1
    assert "The tape answered no more." in capsys.readouterr().out


def test_without_tensorflow_nothing_is_counted() -> None:
    with Session(Plan(oracle="reference")) as session, pytest.raises(PlanError):
        next(ask_each(session, Request()))


# ---------------------------------------------------------------- keeping


def _counts(counted: int, **more: object) -> RowCounts:
    found = RowCounts(counted, counted)
    found.kernels.update({"Relu": counted})
    for name, value in more.items():
        setattr(found, name, value)
    return found


def test_counts_come_back_from_their_file(tmp_path: Path) -> None:
    before = kept.Kept(ASKED, {"Relu": "", "Enter": ""})
    before.add("nn.relu", _counts(4, missed=("ties",)))
    before.add("math.sin", _counts(2))
    kept.write(before, tmp_path / "each.json")
    assert kept.read(tmp_path / "each.json") == before
    lines = (tmp_path / "each.json").read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith('"nn.relu"') for line in lines) == 1


def test_a_later_piece_replaces_its_own_ops_and_keeps_the_others(tmp_path: Path) -> None:
    path = tmp_path / "each.json"
    first = kept.Kept(ASKED, {"Relu": ""})
    first.add("nn.relu", _counts(1))
    first.add("math.sin", _counts(3))
    kept.write(first, path)
    second = kept.opened(path, ASKED, {"Relu": ""})
    second.add("nn.relu", _counts(5))
    assert {name: one.counted for name, one in second.rows.items()} == {"math.sin": 3, "nn.relu": 5}
    assert second.faults(3) == []
    assert second.enough(4) == {"nn.relu"}
    assert first.faults(3) == ["nn.relu: only 1 of 3 programs agreed"]


def test_pieces_that_were_asked_otherwise_are_not_joined(tmp_path: Path) -> None:
    kept.write(kept.Kept(ASKED, {}), tmp_path / "each.json")
    with pytest.raises(PlanError, match="cannot be joined"):
        kept.opened(tmp_path / "each.json", {**ASKED, "seed": 2}, {})


def test_gradient_functions_are_counted_over_all_ops_and_the_pinned_programs() -> None:
    one = kept.Kept(ASKED, {"Relu": "", "Sin": "", "Enter": ""})
    one.add("nn.relu", _counts(4))
    one.add(each.CORPUS, _counts(2))
    assert one.called == {"Relu": 6}
    assert one.covered == ("Relu",)
    assert list(one.left) == ["Sin"]
    assert list(one.ops) == ["nn.relu"]
