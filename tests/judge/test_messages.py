"""How far two errors agree: by class, by the words of a kernel, by the whole text of a message about tapes."""

from __future__ import annotations

from adapters.observations import Raised
from conformance.judging.messages import core_phrase, grade

CLASS = "errors.InvalidArgumentError"
EAGER = "{{function_node __wrapped__GatherV2}} indices[0] = 5 is not in [0, 2) [Op:GatherV2] name: "
GRAPH = (
    "Graph execution error:\n\nDetected at node loop_body/{} defined at (most recent call last):\n"
    '  File "mine.py", line 1, in <module>\n\n{}\n\t [[{{{{node loop_body/x}}}}]] [Op:__inference_f_12]'
)


def test_a_kernels_shapes_and_values_do_not_count_but_its_words_do() -> None:
    other = Raised(CLASS, EAGER.replace("= 5", "= 7"))
    assert grade(Raised(CLASS, EAGER), other) == "message"
    assert grade(Raised(CLASS, EAGER), Raised(CLASS, EAGER.replace("is not in", "is beside"))) == "class"


def test_out_of_a_graph_the_words_below_the_lines_of_code_count() -> None:
    inverse, gather = (
        GRAPH.format("a", "Input is not invertible."),
        GRAPH.format("b", "indices[0] = 5 is not in [0, 2)"),
    )
    assert core_phrase(inverse) == "input is not invertible"
    assert core_phrase(gather) == core_phrase(EAGER)
    assert grade(Raised(CLASS, inverse), Raised(CLASS, gather)) == "class"


def test_a_message_about_tapes_counts_to_the_letter() -> None:
    want = Raised("RuntimeError", "Tape is not recording.")
    assert grade(want, Raised("RuntimeError", "Tape is not recording!")) == "class"
    assert grade(want, Raised("ValueError", "Tape is not recording.")) == "raised"


def test_where_tensorflow_lost_its_error_any_error_agrees() -> None:
    want = Raised("SystemError", "<function Variable.dtype at 0x…> returned a result with an exception set")
    assert grade(want, Raised("AssertionError", "")) == "message"
    nonsense = Raised("AttributeError", "'ResourceVariable' object has no attribute 'dtype'")
    assert grade(nonsense, Raised("AssertionError", "")) == "message"
    staged = Raised("StagingError", f"in user code:\n\n    SystemError: {want.message}\n")
    assert grade(staged, Raised("ValueError", "")) == "message"
    assert grade(Raised("StagingError", "in user code:\n\n    IndexError: x\n"), Raised("ValueError", "")) == "raised"
    assert grade(Raised("AttributeError", "no attribute 'dtype'"), Raised("AssertionError", "")) == "raised"
    assert grade(Raised("SystemError", "error return without exception set"), Raised("AssertionError", "")) == "raised"
