"""Kinds never blur, values are judged by their bounds, and thirteen planted wrong gradients are all found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adapters.arrays import array_of, from_numpy
from adapters.language import Call, Constant, Enter, Exit, Gradient, Items, MakeTape, Program, Ref, Watch
from adapters.observations import (
    Crashed,
    Done,
    Nest,
    Nothing,
    Observation,
    Outcome,
    Raised,
    Skipped,
    SparseSlices,
    Tensor,
    Unsupported,
)  # fmt: skip
from conformance.judging.bounded import bounded
from conformance.judging.compare import Comparison, compare, finite_nonzero_gradient
from conformance.judging.lanes import Bounds, Leaf, StepBounds
from conformance.judging.sameness import identical

PROGRAM = Program((
    Constant(array_of([1.0, 2.0])), MakeTape(), Enter(Ref(1)), Watch(Ref(1), Ref(0)), Call("math.sin", (Ref(0),)),
    Exit(Ref(1)), Gradient(Ref(1), Ref(4), Ref(0)),
))  # fmt: skip
SEVERAL = Program((*PROGRAM.steps[:-1], Gradient(Ref(1), Items("list", (Ref(4), Ref(4))), Ref(0))))


def tensor(values: Any, dtype: str = "float32") -> Tensor:
    return Tensor(from_numpy(np.asarray(values, dtype)))


def answers(gradient: Outcome, warnings: tuple[str, ...] = ()) -> tuple[Observation, ...]:
    first = Observation(Tensor(array_of([1.0, 2.0])))
    done = Observation(Done())
    return (first, done, done, done, Observation(tensor([0.84, 0.91])), done, Observation(gradient, warnings))


def rounded(values: Any, ulps: float = 4.0, dtype: str = "float32") -> Leaf:
    """A leaf with the bound that a few operations leave."""
    b = bounded(np.asarray(values, dtype))
    return Leaf(b.fmt, b.x, np.abs(b.x) * ulps * b.fmt.ulp)


def exact(values: Any, dtype: str = "float32") -> Leaf:
    b = bounded(np.asarray(values, dtype))
    return Leaf(b.fmt, b.x, None)


def bounds(leaf: Any, lane: str = "numeric", ambiguous: int = 0) -> Bounds:
    """Bounds of PROGRAM whose last step showed `leaf`."""
    plain = StepBounds(Done(), "structural", 0, 0.0)
    relative = leaf.relative() if isinstance(leaf, Leaf) else 0.0
    return Bounds((plain,) * 6 + (StepBounds(leaf, lane, ambiguous, relative),))


def judged(want: Outcome, got: Outcome, known: Bounds | None = None, **options: Any) -> Comparison:
    return compare(PROGRAM, answers(want), answers(got), known, **options)


BIG = np.linspace(0.5, 1.5, 2000)
PLANTED: list[tuple[str, Outcome, Outcome, Any]] = [
    ("None for zeros", tensor([0.0, 0.0]), Nothing(), exact([0.0, 0.0])),
    ("zeros for None", Nothing(), tensor([0.0, 0.0]), Nothing()),
    ("None for non-zero", tensor([1.5]), Nothing(), rounded([1.5])),
    ("sign flipped at size 0.04", tensor([0.04]), tensor([-0.04]), rounded([0.04])),
    ("halved at 0.05", tensor([0.05]), tensor([0.025]), rounded([0.05])),
    ("dropped at 0.09", tensor([0.09]), tensor([0.0]), rounded([0.09])),
    ("1% at size 1", tensor([1.0]), tensor([1.01]), rounded([1.0])),
    ("0.01% at size 1", tensor([1.0]), tensor([1.0001]), rounded([1.0])),
    ("1% over 2,000 elements", tensor(BIG), tensor(np.where(np.arange(2000) == 77, BIG * 1.01, BIG)), rounded(BIG)),
    ("finite for inf", tensor([np.inf]), tensor([3.0e38]), exact([np.inf])),
    ("nan in one element", tensor([1.0, 2.0]), tensor([1.0, np.nan]), rounded([1.0, 2.0])),
    ("all nan", tensor([1.0, 2.0]), tensor([np.nan, np.nan]), rounded([1.0, 2.0])),
    ("wrong sign at 5e-5", tensor([5e-5, 1.0]), tensor([-5e-5, 1.0]), rounded([5e-5, 1.0])),
]  # fmt: skip


@pytest.mark.parametrize(("want", "got", "leaf"), [case[1:] for case in PLANTED], ids=[case[0] for case in PLANTED])
def test_each_of_the_thirteen_planted_wrong_gradients_is_found(want: Outcome, got: Outcome, leaf: Any) -> None:
    lane = "exact" if isinstance(leaf, Leaf) and leaf.e is None else "numeric"
    found = judged(want, got, bounds(leaf, lane))
    assert found.verdict == "differs"
    assert found.difference is not None and found.difference.step == 6 and found.difference.detail


@pytest.mark.parametrize(("want", "got", "leaf"), [case[1:] for case in PLANTED], ids=[case[0] for case in PLANTED])
def test_each_of_them_is_found_without_bounds_too(want: Outcome, got: Outcome, leaf: Any) -> None:
    assert judged(want, got).verdict == "differs"


def test_values_within_their_bounds_agree_and_are_measured() -> None:
    near = np.nextafter(np.float32(1.5), np.float32(2))
    found = judged(tensor([1.5]), tensor([near]), bounds(rounded([1.5])))
    assert (found.verdict, found.lane, found.max_ulps) == ("agrees", "numeric", 1.0)
    assert found.error_bound == pytest.approx(4 * 2**-23)


def test_exact_values_must_agree_to_the_last_bit() -> None:
    near = np.nextafter(np.float32(1.5), np.float32(2))
    found = judged(tensor([1.5]), tensor([near]), bounds(exact([1.5]), "exact"))
    assert found.verdict == "differs"
    assert "1 ULPs" in found.difference.detail


def test_the_sign_of_zero_counts_in_the_exact_lane_alone() -> None:
    assert judged(tensor([0.0]), tensor([-0.0]), bounds(exact([0.0]), "exact")).difference.what == "sign of zero"
    assert judged(tensor([0.0]), tensor([-0.0]), bounds(exact([0.0]), "numeric")).verdict == "agrees"


def test_the_sign_and_payload_of_nan_never_count() -> None:
    assert identical(answers(tensor([np.nan])), answers(tensor([-np.nan])))
    assert not identical(answers(tensor([np.nan])), answers(tensor([1.0])))
    assert not identical(answers(tensor([0.0])), answers(tensor([-0.0])))


@pytest.mark.parametrize(("want", "got", "what"), [
    (tensor([1.0]), tensor([1.0], "float64"), "dtype"), (tensor([1.0]), tensor([[1.0]]), "shape"),
    (Nothing(), Nest("list", (Nothing(),)), "kind"),
    (Nest("list", (Nothing(),)), Nest("tuple", (Nothing(),)), "structure"),
    (tensor([1], "int32"), tensor([2], "int32"), "value"), (Raised("ValueError", "a tape"), Nothing(), "kind"),
    (SparseSlices(tensor([[1.0]]), tensor([0], "int32"), Nothing()), tensor([[1.0]]), "kind"),
    (Done(), Nothing(), "kind"),
    (tensor([1.0]), tensor([np.inf]), "finite"), (tensor([np.inf]), tensor([-np.inf]), "finite"),
])  # fmt: skip
def test_kinds_dtypes_shapes_and_structures_never_blur(want: Outcome, got: Outcome, what: str) -> None:
    found = judged(want, got)
    assert (found.verdict, found.difference.what) == ("differs", what)


def test_comparison_stops_at_the_first_differing_step() -> None:
    want, got = list(answers(tensor([1.0]))), list(answers(tensor([9.0])))
    got[4] = Observation(tensor([0.5, 0.91]))
    assert compare(PROGRAM, want, got).difference.step == 4


def test_a_doubtful_decision_makes_values_ill_conditioned_but_not_kinds() -> None:
    doubtful = bounds(rounded([1.0]), "ill-conditioned", ambiguous=1)
    assert judged(tensor([1.0]), tensor([0.0]), doubtful).verdict == "ill-conditioned"
    assert judged(tensor([1.0]), Nothing(), doubtful).verdict == "differs"


def test_an_unknown_bound_is_never_a_difference() -> None:
    leaf = rounded([1.0, 1.0])
    leaf.e[0] = np.inf
    assert (
        judged(tensor([1.0, 1.0]), tensor([np.nan, 1.0]), bounds(leaf, "ill-conditioned")).verdict == "ill-conditioned"
    )
    assert judged(tensor([1.0, 1.0]), tensor([1.0, 2.0]), bounds(leaf, "ill-conditioned")).verdict == "differs"


def test_subnormals_count_as_zero() -> None:
    leaf = Leaf(bounded(np.float32([0])).fmt, np.array([1e-40]), np.array([1e-38]))
    assert judged(tensor([0.0]), tensor([1e-40]), bounds(leaf)).verdict == "agrees"


def test_protocol_messages_are_exact_and_kernel_messages_are_not() -> None:
    tape = "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
    assert judged(Raised("RuntimeError", tape), Raised("RuntimeError", tape + ".")).difference.what == "message"
    shapes = "Incompatible shapes: [2] vs. [3] [Op:Mul]"
    other = "Incompatible shapes: [2] vs. [3]"
    assert (
        judged(Raised("errors.InvalidArgumentError", shapes), Raised("errors.InvalidArgumentError", other)).verdict
        == "agrees"
    )
    assert judged(Raised("ValueError", "x"), Raised("TypeError", "x")).difference.what == "class"


def test_errors_are_graded_as_far_as_a_tape_aims() -> None:
    want, got = Raised("RuntimeError", "the tape is used"), Raised("RuntimeError", "used up")
    assert judged(want, got, level="message").difference.grade == "class"
    assert judged(want, got, level="class").verdict == "agrees"
    assert judged(want, Raised("ValueError", "used up"), level="raised").verdict == "agrees"
    assert judged(want, Nothing(), level="raised").difference.grade == "none"


def test_warnings_are_compared() -> None:
    want, got = answers(tensor([1.0]), ("beware",)), answers(tensor([1.0]))
    assert compare(PROGRAM, want, got).difference.what == "warnings"
    assert compare(PROGRAM, want, got, warnings=False).verdict == "agrees"


def slices(values: Any, indices: Any) -> SparseSlices:
    return SparseSlices(tensor(values), tensor(indices, "int32"), tensor([5], "int32"))


def test_the_order_of_slices_counts_except_with_several_targets() -> None:
    want, got = slices([1.0, 2.0, 4.0], [0, 1, 1]), slices([4.0, 2.0, 1.0], [1, 1, 0])
    assert judged(want, got).difference.what == "indices"
    assert compare(SEVERAL, answers(want), answers(got)).verdict == "agrees"
    assert compare(SEVERAL, answers(want), answers(slices([4.0, 2.0, 1.5], [1, 1, 0]))).verdict == "differs"


def test_unsupported_crashed_and_skipped_are_verdicts_of_their_own() -> None:
    assert judged(tensor([1.0]), Unsupported("no sin")).verdict == "unsupported"
    assert judged(tensor([1.0]), Crashed("killed")).verdict == "crashed"
    assert judged(tensor([1.0]), Skipped()).verdict == "differs"


def test_nests_are_judged_item_by_item_and_name_the_place() -> None:
    want, got = Nest("list", (tensor([1.0]), Nothing())), Nest("list", (tensor([1.0]), tensor([0.0])))
    assert judged(want, got).difference.path == (1,)


def test_bounds_are_not_asked_for_where_nothing_floats() -> None:
    def never() -> Bounds:
        raise AssertionError("bounds were asked for")

    program = Program((MakeTape(), Enter(Ref(0)), Exit(Ref(0))))
    done = (Observation(Done()),) * 3
    assert compare(program, done, done, never).lane == "structural"


def test_a_finite_gradient_other_than_zero_is_recognised() -> None:
    assert finite_nonzero_gradient(PROGRAM, answers(tensor([0.0, 2.0])))
    assert not finite_nonzero_gradient(PROGRAM, answers(tensor([0.0, np.nan])))
    assert not finite_nonzero_gradient(PROGRAM, answers(Nothing()))


def test_the_lane_of_a_difference_is_that_of_its_step() -> None:
    want, got = list(answers(tensor([1.0]))), list(answers(tensor([1.0])))
    got[4] = Observation(Nothing())
    found = compare(PROGRAM, want, got, bounds(rounded([1.0]), "ill-conditioned", ambiguous=1))
    assert (found.verdict, found.lane) == ("differs", "structural")


def test_names_in_a_graph_do_not_make_a_message_one_about_tapes() -> None:
    text = "Dimensions must be equal, but are {} and {} for '= Mul[T=DT_FLOAT]({})' with input shapes: [3], [2]."
    want, got = text.format(3, 2, "tangents_1, inputs"), text.format(2, 3, "gradient, gradient")
    assert judged(Raised("ValueError", want), Raised("ValueError", got)).verdict == "agrees"


def test_the_traceback_in_a_message_is_not_compared() -> None:
    text = "TypeError: Scalar tensor has no `len()`"
    traceback = f"{text}\nTraceback (most recent call last):\n{text}\n"
    assert judged(Raised("ValueError", traceback), Raised("ValueError", text)).verdict == "agrees"


def test_what_a_warning_prints_of_sparse_gradients_is_not_compared() -> None:
    text = "Converting IndexedSlices(indices=Tensor(shape={}, dtype=int32)) to a dense representation may make it slow."
    want, got = (answers(tensor([1.0]), (text.format(shape),)) for shape in ("(None,)", "(3,)"))
    assert compare(PROGRAM, want, got).verdict == "agrees"


def test_the_names_of_traced_functions_are_not_compared() -> None:
    text = "cannot compute {} as input #0(zero-based) was expected to be a float tensor but is a double tensor [Op:f]"
    want, got = text.format("__forward___backward_function_130689"), text.format("__inference___backward_function")
    kind = "errors.InvalidArgumentError"
    assert judged(Raised(kind, want), Raised(kind, got)).verdict == "agrees"
