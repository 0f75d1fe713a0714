"""Enter, exit, re-enter, reset, stop_recording, persistent: answers as observed on TensorFlow 2.21."""

import numpy as np
import pytest

import reference_impl as tf

USED = "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"


def _stop(tape):
    with tape.stop_recording():
        pass


def test_a_tape_records_inside_its_block_and_answers_after_it():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_enter_returns_the_tape_and_exit_swallows_nothing():
    tape = tf.GradientTape()
    assert tape.__enter__() is tape
    assert tape.__exit__(None, None, None) is None


@pytest.mark.parametrize("persistent", [False, True])
def test_a_tape_that_was_never_entered_says_it_was_used(persistent):
    with pytest.raises(RuntimeError) as error:
        tf.GradientTape(persistent=persistent).gradient(tf.constant(1.0), tf.constant(1.0))
    assert str(error.value) == USED


def test_a_second_gradient_of_a_non_persistent_tape_is_refused():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError) as error:
        tape.gradient(y, x)
    assert str(error.value) == USED
    with pytest.raises(RuntimeError, match="used tocompute one set"):
        tape.batch_jacobian(y, x)


def test_an_active_tape_cannot_be_entered_and_goes_on_recording():
    x = tf.constant(3.0)
    tape = tf.GradientTape()
    with tape:
        tape.watch(x)
        with pytest.raises(ValueError, match=r"Tape is still recording, This can happen if you try to re-enter"):
            tape.__enter__()
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_entering_again_continues_the_same_trace_and_ops_in_between_break_the_chain():
    x = tf.constant(3.0)
    tape = tf.GradientTape(persistent=True)
    with tape:
        tape.watch(x)
        y = 2 * x
    w = 5 * y
    with tape:
        z = 3 * y
        broken = 3 * w
    assert tape.gradient(z, x).numpy() == 6.0
    assert tape.gradient(broken, x) is None


def test_a_consumed_tape_entered_again_starts_empty():
    x = tf.constant(3.0)
    tape = tf.GradientTape()
    with tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    with tape:
        tape.watch(x)
        z = y * x
    assert tape.gradient(z, x).numpy() == 9.0


def test_gradient_inside_a_non_persistent_block_ends_recording():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        assert tape.gradient(y, x).numpy() == 6.0
        with pytest.raises(AttributeError, match="'NoneType' object has no attribute '_tape'"):
            tape.watch(x)
        with pytest.raises(RuntimeError, match=r"Trying to stop recording a tape which is not recording\."):
            _stop(tape)
        with pytest.raises(ValueError, match=r"Tape is not recording\."):
            tape.reset()


def test_even_a_failing_gradient_ends_recording():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with pytest.raises(TypeError, match="Argument `target` should be a list or nested structure"):
            tape.gradient(None, x)
        z = x * x
    assert tape.gradient(y, x).numpy() == 6.0
    with pytest.raises(RuntimeError):
        tape.gradient(z, x)


def test_a_persistent_tape_warns_once_per_process_when_asked_inside_its_block(caplog):
    tf.clear_log_counters()
    x = tf.constant(3.0)
    for _ in range(2):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x * x
            g = tape.gradient(y, x)
        assert tape.gradient(g, x).numpy() == 18.0
    assert [r.getMessage()[:60] for r in caplog.records] == [
        "Calling GradientTape.gradient on a persistent tape inside it"
    ]


def test_an_exception_in_the_block_leaves_the_trace_usable_and_nothing_recording():
    x = tf.constant(3.0)
    with pytest.raises(KeyError), tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        raise KeyError("k")
    z = y * x
    assert tape.gradient(y, x).numpy() == 6.0
    assert tape.gradient(z, x) is None


def test_reset_drops_trace_and_watches_but_variables_are_watched_again():
    x, v = tf.constant(3.0), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, before = x * x, v * v
        assert tape.reset() is None
        z, loss = y + x * x, before + v * v
    assert tape.gradient(z, x) is None
    assert tape.gradient(loss, v).numpy() == 6.0


def test_reset_outside_raises_and_disturbs_nothing():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(ValueError, match=r"Tape is not recording\."):
        tape.reset()
    assert tape.gradient(y, x).numpy() == 6.0


def test_what_runs_in_stop_recording_is_a_constant():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        w = 2 * x
        with tape.stop_recording():
            y = w * w
        z = w * w
        q = y * x
    assert tape.gradient(y, x) is None
    assert tape.gradient(z, x).numpy() == 24.0
    assert tape.gradient(q, x).numpy() == 36.0


def test_stop_recording_raises_different_errors_after_exit_and_after_consumption():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(ValueError, match=r"Tape is not recording\."):
        _stop(tape)
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="Trying to stop recording"):
        _stop(tape)


def test_gradient_inside_stop_recording_leaves_a_fresh_tape():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            assert tape.gradient(y, x).numpy() == 6.0
        z = x * x
        tape.watch(x)
        w = x * x * x
    assert tape.gradient([z, w], x).numpy() == 27.0


def test_watch_is_dropped_when_no_tape_is_active_and_kept_when_another_one_is():
    x = tf.constant(3.0)
    with tf.GradientTape() as alone:
        with alone.stop_recording():
            alone.watch(x)
        y = x * x
    assert alone.gradient(y, x) is None
    with tf.GradientTape(), tf.GradientTape() as tape:
        with tape.stop_recording():
            tape.watch(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


@pytest.mark.parametrize("truthy", [1, np.True_])
def test_a_truthy_persistent_is_persistent_for_python_and_not_for_the_core(truthy):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=truthy) as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0
    with pytest.raises(tf.errors.InternalError, match="failed to find operation producing a tensor"):
        tape.gradient(y, x)


def test_a_truthy_persistent_tape_cannot_be_asked_inside_its_block():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=1) as tape:
        tape.watch(x)
        y = x * x
        with pytest.raises(RuntimeError, match=r"gradient\(\) cannot be invoked within the GradientTape context"):
            tape.gradient(y, x)


def test_watch_accessed_variables_must_be_the_true_singleton():
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=1) as tape:
        y = v * v
    assert tape.gradient(y, v) is None


def test_tapes_side_by_side_record_independently_and_stop_alone():
    x = tf.constant(3.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            with a.stop_recording():
                y = x * x
    assert a.gradient(y, x) is None
    assert b.gradient(y, x).numpy() == 6.0


def test_a_tape_entered_in_a_suspended_generator_records_what_runs_meanwhile():
    x = tf.constant(3.0)

    def block():
        with tf.GradientTape() as tape:
            tape.watch(x)
            yield tape
            yield tape

    steps = block()
    tape = next(steps)
    y = x * x
    steps.close()
    assert tape.gradient(y, x).numpy() == 6.0


def test_the_public_attributes_are_the_seven_methods():
    public = [n for n in dir(tf.GradientTape()) if not n.startswith("_")]
    assert public == [
        "batch_jacobian", "gradient", "jacobian", "reset", "stop_recording", "watch", "watched_variables",
    ]  # fmt: skip
