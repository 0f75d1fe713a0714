"""`python -m conformance.around.fresh NAME FUNCTION OUT ...`: a part of a program, in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import adapters
from conformance.around.saved import train_step
from conformance.around.world import STEPS, Record, World


def go_on(world: World, kept: str, lost: str) -> Record:
    """Train what was saved with its custom gradient, and ask for a gradient of what was saved without."""
    tf, record = world.tf, Record()
    model = tf.saved_model.load(kept)
    for k in range(STEPS // 2, STEPS):
        train_step(tf, model, world, record, k)
    record.see("calls", model.calls)
    other = tf.saved_model.load(lost)
    x = tf.constant(world.numbers(5, 4, 3))
    record.see("without its gradient", other.predict(x))
    try:
        with tf.GradientTape() as tape:
            y = other.predict(x)
        tape.gradient(y, other.w)
        record.texts["without its gradient"] = "a gradient"
    except LookupError as error:
        record.texts["without its gradient"] = f"LookupError: {error}"
    return record


FUNCTIONS = {"go_on": go_on}


def main(words: list[str]) -> int:
    name, function, out, *arguments = words
    world = World(adapters.load(name).module, name, Path(out).parent)  # type: ignore[attr-defined]
    FUNCTIONS[function](world, *arguments).write(Path(out))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
