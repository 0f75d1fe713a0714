"""Implementations are found by name, and what goes wrong is said in one sentence."""

import subprocess
import sys

import pytest

import adapters
from adapters import AdapterError, load, open_tape
from adapters.arrays import array_of
from adapters.language import Call, Constant, Program, Ref
from adapters.observations import Tensor
from adapters.tf_shaped import TfShaped

SQUARE = Program((Constant(array_of(2.0)), Call("operator.mul", (Ref(0), Ref(0)))))


def TinyAdapter():
    from tests.adapters import tiny_tape

    return TfShaped(tiny_tape, "tiny")


class Lacking:
    """No backend at all."""


def failing():
    raise RuntimeError("no licence\nfor this machine")


def test_a_tf_shaped_module_needs_no_code():
    with open_tape("tests.adapters.tiny_tape") as tape:
        assert tape.run(SQUARE)[1].outcome == Tensor(array_of(4.0))
        assert [len(each) for each in tape.run_many([SQUARE] * 3)] == [2, 2, 2]
        assert tape.identity().name == "tests.adapters.tiny_tape"


def test_an_adapter_class_is_named_with_a_colon():
    with open_tape(f"{__name__}:TinyAdapter") as tape:
        assert tape.identity().name == "tiny"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("referense", "there is no implementation called 'referense'; did you mean reference?"),
        ("tensorflaw", "did you mean tensorflow?"),
        ("qqq", "known are reference, tensorflow, tf.function, "),
        ("my tape", "'my tape' is no name of an implementation"),
        ("", "'' is no name of an implementation"),
        ("json", "the module 'json' is not shaped like tensorflow"),
        (f"{__name__}:TinyAdaptor", "has no 'TinyAdaptor'; did you mean TinyAdapter"),
        (f"{__name__}:Lacking", "is no adapter: it has no method 'identity'"),
        (f"{__name__}:failing", "failed to start: RuntimeError: no licence for this machine"),
    ],
)
def test_a_name_that_gives_no_adapter_is_explained_in_one_sentence(name, sentence):
    with pytest.raises(AdapterError) as error:
        load(name)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_module_that_misses_another_says_which(tmp_path, monkeypatch):
    (tmp_path / "needs_more.py").write_text("import no_such_module_at_all\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AdapterError, match="failed to start: there is no module named 'no_such_module_at_all'"):
        load("needs_more")


def test_a_failure_in_the_child_is_told_by_the_parent():
    with pytest.raises(AdapterError, match="no licence"), open_tape(f"{__name__}:failing", process=True):
        raise AssertionError("it must not open")


def test_this_package_says_that_it_is_ours():
    assert adapters.is_ours is True


def test_importing_adapters_imports_no_implementation():
    path = [each for each in sys.path if each]
    heavy = ("tensorflow", "reference_impl", "ml_dtypes", "scipy")
    code = f"import adapters; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert ran.stdout.strip() == "[]", ran.stderr
