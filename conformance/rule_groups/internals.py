"""INT: TensorFlow's internal helpers that libraries reach into."""

from __future__ import annotations

from conformance.rules import Group

GROUP = Group("INT", "Internal helpers", source="tf, private modules")

PRIVATE = "it is reached by private modules of TensorFlow, which no other tape has"

GROUP.not_pinned("INT-01", "A backward function that returns too few gradients is an InternalError.", PRIVATE)
GROUP.not_pinned("INT-02", "record.stop_recording() stops every tape of the thread.", PRIVATE)
GROUP.not_pinned("INT-03", "make_vjp() gives a value and a function that may be called again and again.", PRIVATE)
GROUP.not_pinned("INT-05", "implicit_grad() refuses a function that returns None or reads no variable.", PRIVATE)
GROUP.not_pinned("INT-06", "Of two recordings of one tensor the last counts.", PRIVATE)
