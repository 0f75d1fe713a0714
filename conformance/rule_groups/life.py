"""LIFE: entering, leaving and re-entering a tape, consuming it, resetting it, pausing it."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, DOCUMENTED, OBSERVED, Group

GROUP = Group("LIFE", "Life of a tape", source="tf.GradientTape")
rule, also = GROUP.rule, GROUP.also


@rule("LIFE-01", "Ops on a watched tensor are recorded, and gradient() may be asked after the block.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)


@rule("LIFE-02", "Entering gives back the tape itself; leaving returns None, so that no exception is swallowed.")
def _(tf: Any) -> None:
    t = tf.GradientTape()
    entered = tf.call("method.__enter__", t)
    tf.same(entered, t)
    tf.call("method.__exit__", t, None, None, None)


GROUP.not_pinned(
    "LIFE-03",
    "The settings persistent and watch_accessed_variables, and the arguments of gradient(), may be given by position.",
    "a program has no step that inspects a signature; the positional form is pinned by LIFE-81",
    DOCUMENTED,
)


@rule("LIFE-04", "A setting that does not exist is Python's ordinary TypeError.")
def _(tf: Any) -> None:
    tf.call("GradientTape", foo=1)


GROUP.not_pinned(
    "LIFE-05",
    "A tape shows no state: its public attributes are its seven methods.",
    "a program has no step that lists attributes",
)


@rule("LIFE-06", "gradient() on a tape that was never entered fails with the words for a tape that is used up.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    t = tf.GradientTape()
    y = x * x
    t.gradient(y, x)


@rule("LIFE-07", "The error for a tape that was never entered says non-persistent even of a persistent one.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    t = tf.GradientTape(persistent=True)
    t.gradient(x, x)


@rule("LIFE-08", "watch() on a tape that was never entered is an AttributeError.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    t = tf.GradientTape()
    other = tf.GradientTape()
    with other:
        t.watch(x)


@also("LIFE-08")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    t = tf.GradientTape()
    t.watch(x)


@rule("LIFE-09", "watch() looks at its argument before it looks at the tape's state.")
def _(tf: Any) -> None:
    t = tf.GradientTape()
    t.watch(tf.numpy(1.0, "float64"))


@rule("LIFE-10", "Watching nothing does nothing, even on a tape that was never entered.")
def _(tf: Any) -> None:
    t = tf.GradientTape()
    t.watch([])


@rule("LIFE-11", "stop_recording() on a tape that was never entered is a RuntimeError.", DOCUMENTED)
def _(tf: Any) -> None:
    t = tf.GradientTape()
    t.stop_recording()


@rule("LIFE-12", "reset() on a tape that was never entered is a ValueError.")
def _(tf: Any) -> None:
    t = tf.GradientTape()
    t.reset()


@rule("LIFE-13", "watched_variables() of a tape that was never entered is an empty tuple.")
def _(tf: Any) -> None:
    t = tf.GradientTape()
    t.watched_variables()


@rule("LIFE-14", "jacobian() and batch_jacobian() refuse a tape that was never entered, as gradient() does.")
def _(tf: Any) -> None:
    x = tf.constant([[3.0]])
    t = tf.GradientTape()
    y = x * x
    t.jacobian(y, x)
    t.batch_jacobian(y, x)


@rule("LIFE-15", "Entering a tape that is recording is a ValueError.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        tf.enter(t)


@rule("LIFE-16", "A failed re-entry leaves the recording that was going on intact.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        tf.enter(t)
        y = x * x
    t.gradient(y, x)


@rule("LIFE-17", "Left and entered again without a gradient() between, a tape goes on with its trace and its watches.")
def _(tf: Any) -> None:
    x = tf.constant(1.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = 2.0 * x
    with t:
        z = 3.0 * y
    t.gradient(z, x)


@rule("LIFE-18", "Ops between two blocks of one tape are not recorded and break the chain.")
def _(tf: Any) -> None:
    x = tf.constant(1.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = 2.0 * x
    w = 5.0 * y
    with t:
        z = 3.0 * w
    t.gradient(z, x)


@rule("LIFE-19", "Re-entering a used tape starts an empty one: the watches of its first life are gone.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    with t:
        z = x * x
    t.gradient(z, x)


@rule("LIFE-20", "A used tape may be entered again; each life answers one gradient().")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    with t:
        t.watch(x)
        z = x * x * x
    t.gradient(z, x)


@rule("LIFE-21", "What was recorded in a tape's first life is a plain constant in its second.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    with t:
        t.watch(x)
        z = y * x
    t.gradient(z, x)


@rule("LIFE-22", "A persistent tape keeps its trace and its watches through gradient() and re-entry.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    with t:
        w = y * x
    t.gradient(w, x)
    t.gradient(y, x)


@rule("LIFE-23", "gradient() inside the block of a non-persistent tape is allowed and silent.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        t.gradient(y, x)


@rule("LIFE-24", "gradient() inside the block uses a non-persistent tape up for the rest of the block.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        t.gradient(y, x)
        z = x * x
        t.gradient(z, x)


@rule("LIFE-25", "On a tape used up inside its block, watch, stop_recording and reset fail, each in its own way.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        t.gradient(y, x)
        t.watch(x)
        t.stop_recording()
        t.reset()


@rule(
    "LIFE-26",
    "After gradient() inside the block the tape can be entered anew there; leaving the outer block is then nothing.",
)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        t.gradient(y, x)
        with t:
            t.watch(x)
            z = x * x * x
    t.gradient(z, x)


@rule("LIFE-27", "gradient() inside the block of a persistent tape works, and warns once.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
        t.gradient(y, x)
        t.gradient(y, x)


@rule("LIFE-28", "A gradient asked inside a persistent tape's block is recorded on that tape.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x * x
        g = t.gradient(y, x)
    t.gradient(g, x)


@rule("LIFE-29", "A second gradient() on a non-persistent tape is a RuntimeError.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.gradient(y, x)


@rule("LIFE-30", "jacobian() after gradient() on a non-persistent tape is the same RuntimeError.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant([3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.jacobian(y, x)


@rule("LIFE-31", "batch_jacobian() words its error for a used tape with a space missing.")
def _(tf: Any) -> None:
    x = tf.constant([[3.0]])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.batch_jacobian(y, x)


@rule("LIFE-32", "jacobian() uses a non-persistent tape up.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant([3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.jacobian(y, x)
    t.gradient(y, x)


@rule("LIFE-33", "A gradient() that finds nothing connected uses the tape up all the same.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    z = tf.constant(1.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, z)
    t.gradient(y, x)


@rule("LIFE-34", "A gradient() refused for its target leaves the tape to be asked again.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(None, x)
    t.gradient(y, x)


@rule("LIFE-35", "A gradient() refused for its target inside the block has already ended the recording.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        t.gradient(None, x)
        z = x * x
    t.gradient(y, x)
    t.gradient(z, x)


@rule("LIFE-36", "An unknown value for unconnected_gradients does not use the tape up.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x, unconnected_gradients="bad")
    t.gradient(y, x)


@rule(
    "LIFE-37",
    "After an error in a backward function a non-persistent tape has lost its trace: asking again is an InternalError.",
)
def _(tf: Any) -> None:
    x = tf.constant([3.0, 1.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.bitcast(x, tf.int32)
    t.gradient(y, x)
    t.gradient(y, x)


@rule("LIFE-38", "After an error in a backward function a persistent tape is whole, and calls the function again.")
def _(tf: Any) -> None:
    x = tf.constant([3.0, 1.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.bitcast(x, tf.int32)
        z = x * x
    t.gradient(y, x)
    t.gradient(y, x)
    t.gradient(z, x)


@rule("LIFE-39", "Of a used tape and a target of None, the used tape is complained about.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.gradient(None, x)


@rule("LIFE-40", "The warning for gradient() inside a persistent tape's block comes before the check of the target.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        t.gradient(None, x)


@rule("LIFE-41", "An exception that leaves the block stops the recording and keeps the trace.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    t = tf.GradientTape()
    tf.enter(t)
    t.watch(x)
    y = x * x
    tf.leave(t, raising=True)
    t.gradient(y, x)


@rule("LIFE-42", "After an exception has left the block, ops are not recorded.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    t = tf.GradientTape()
    tf.enter(t)
    t.watch(x)
    y = x * x
    tf.leave(t, raising=True)
    z = y * x
    t.gradient(z, x)


@rule("LIFE-43", "reset() forgets the trace and the watched tensors.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        t.reset()
        z = y + x * x
    t.gradient(z, x)


@rule(
    "LIFE-44", "After reset() a variable is watched again when it is next read; only what follows counts.", DOCUMENTED
)
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        loss = v * v
        t.reset()
        loss = loss + v * v
    t.gradient(loss, v)


@rule("LIFE-45", "reset() after the block is a ValueError.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        pass
    t.reset()


@rule("LIFE-46", "A reset() that fails does not disturb the trace.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.reset()
    t.gradient(y, x)


@rule("LIFE-47", "reset() drops the trace of a persistent tape too.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
        t.reset()
        t.watch(x)
        z = x * x
    t.gradient(y, x)
    t.gradient(z, x)


@rule("LIFE-48", "reset() empties the list of watched variables.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        v * v
        t.watched_variables()
        t.reset()
        t.watched_variables()


@rule("LIFE-49", "reset() inside stop_recording() is a ValueError.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t, t.stop_recording():
        t.reset()


@rule("LIFE-50", "reset() returns None.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        tf.call("method.reset", t)


@rule("LIFE-51", "Ops inside stop_recording() are not recorded.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        with t.stop_recording():
            y = x * x
    t.gradient(y, x)


@rule("LIFE-52", "After stop_recording() the tape goes on with the trace it had.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        w = 2.0 * x
        with t.stop_recording():
            y = w * w
        z = w * w
    t.gradient(y, x)
    t.gradient(z, x)


@rule("LIFE-53", "What was computed inside stop_recording() is a constant afterwards.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        with t.stop_recording():
            y = x * x
        z = y * x
    t.gradient(z, x)


@rule("LIFE-54", "stop_recording() gives its block nothing: what `as` binds is None.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        manager = tf.call("method.stop_recording", t)
        tf.call("method.__enter__", manager)
        tf.call("method.__exit__", manager, None, None, None)


@rule("LIFE-55", "stop_recording() after the block of a tape that is not used up is a ValueError.", AGAINST_DOCS)
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        pass
    t.stop_recording()


@rule("LIFE-56", "stop_recording() on a used tape is a RuntimeError.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.stop_recording()


@rule("LIFE-57", "stop_recording() inside stop_recording() of the same tape is a ValueError.", AGAINST_DOCS)
def _(tf: Any) -> None:
    with tf.GradientTape() as t, t.stop_recording():
        t.stop_recording()


@rule("LIFE-58", "After a failed inner stop_recording() the outer one still resumes the recording.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        with t.stop_recording():
            t.stop_recording()
        y = x * x
    t.gradient(y, x)


@rule("LIFE-59", "An exception that leaves stop_recording() resumes the recording.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        pause = t.stop_recording()
        tf.leave(pause, raising=True)
        y = x * x
    t.gradient(y, x)


@rule(
    "LIFE-60", "gradient() inside stop_recording() of a non-persistent tape: leaving it starts a new, empty recording."
)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        with t.stop_recording():
            t.gradient(y, x)
        z = x * x
    t.gradient(z, x)


@rule(
    "LIFE-61", "After a gradient() inside stop_recording(), a new watch makes the non-persistent tape answer once more."
)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        with t.stop_recording():
            t.gradient(y, x)
        t.watch(x)
        z = x * x * x
    t.gradient(z, x)


@rule("LIFE-62", "gradient() inside stop_recording() of a persistent tape neither warns nor is recorded.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x * x
        with t.stop_recording():
            g = t.gradient(y, x)
    t.gradient(g, x)


@rule("LIFE-63", "watch() while no tape is active on the thread is dropped without a word.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        with t.stop_recording():
            t.watch(x)
        y = x * x
    t.gradient(y, x)


@rule("LIFE-64", "watch() on a paused tape is honoured while any other tape is active on the thread.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(), tf.GradientTape() as t:
        with t.stop_recording():
            t.watch(x)
        y = x * x
    t.gradient(y, x)


@rule("LIFE-65", "watch() after the block, with no tape active, has no effect.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        pass
    t.watch(x)
    with t:
        y = x * x
    t.gradient(y, x)


@rule("LIFE-66", "watch() after the block counts when another tape is active.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        pass
    with tf.GradientTape():
        t.watch(x)
    with t:
        y = x * x
    t.gradient(y, x)


@rule("LIFE-67", "A variable read inside stop_recording() is not noticed.", DOCUMENTED)
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t, t.stop_recording():
        v * v
    t.watched_variables()


@rule("LIFE-68", "stop_recording() pauses its own tape and no other.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            with inner.stop_recording():
                y = x * x
    outer.gradient(y, x)
    inner.gradient(y, x)


@rule("LIFE-69", "Leaving the tape inside stop_recording() is nothing; leaving stop_recording() makes it record again.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    t = tf.GradientTape()
    tf.enter(t)
    t.watch(x)
    pause = t.stop_recording()
    tf.leave(t)
    tf.leave(pause)
    y = x * x
    t.gradient(y, x)


@rule("LIFE-70", "Leaving a tape twice is nothing.")
def _(tf: Any) -> None:
    t = tf.GradientTape()
    tf.enter(t)
    tf.leave(t)
    tf.leave(t)


@rule("LIFE-71", "Ops after the block are not recorded.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    z = y * y
    t.gradient(z, x)


@rule("LIFE-72", "persistent=1 lets gradient() be called twice, and the second call finds no trace.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=1) as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.gradient(y, x)


@rule("LIFE-73", "persistent=1 makes gradient() inside the block a RuntimeError.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=1) as t:
        t.watch(x)
        y = x * x
        t.gradient(y, x)


@rule("LIFE-74", "watch_accessed_variables=1 means that variables are not watched.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=1) as t:
        y = v * v
    t.gradient(y, v)


@rule("LIFE-75", "persistent=np.True_ behaves as persistent=1 does.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=tf.numpy(True)) as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.gradient(y, x)


@rule("LIFE-76", "A trace keeps its intermediate results alive; gradient() on a non-persistent tape lets them go.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        h = x * 2.0
        y = tf.exp(h)
    t.gradient(y, x)
    tf.alive_after_delete(h)


@also("LIFE-76")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        h = x * 2.0
        y = tf.sin(h)
    t.gradient(y, x)
    tf.alive_after_delete(h)


GROUP.not_pinned(
    "LIFE-78",
    "An op whose results have all died is dropped from the trace that is being recorded.",
    "what the trace alone holds can be seen only through a weak reference to a captured value",
)
GROUP.not_pinned(
    "LIFE-79",
    "tf.autodiff.GradientTape is the same class, and it can be subclassed.",
    "a program cannot define a class",
)


@rule("LIFE-80", "A tape whose block did nothing answers None, without an error or a warning.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    y = x * x
    with tf.GradientTape() as t:
        pass
    t.gradient(y, x)


@rule("LIFE-81", "persistent and watch_accessed_variables may be given by position.", DOCUMENTED)
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    t = tf.call("GradientTape", True, False)
    tf.enter(t)
    y = v * v
    tf.leave(t)
    tf.call("method.gradient", t, y, v)
    tf.call("method.gradient", t, y, v)


@rule("LIFE-82", "The warning for gradient() inside a persistent block comes once in a process, not once per tape.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
        t.gradient(y, x)
    with tf.GradientTape(persistent=True) as s:
        s.watch(x)
        z = x * x
        s.gradient(z, x)


@rule("LIFE-83", "reset() keeps the tape recording: what is watched afterwards is differentiated.", OBSERVED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.reset()
        t.watch(x)
        y = x * x
    t.gradient(y, x)
