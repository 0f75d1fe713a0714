"""Every kind of optimizer by itself: variables after some steps with dense and sparse gradients, and with options."""

from __future__ import annotations

import re
from typing import Any

from conformance.around.world import Record, World

_KINDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Nadam", {}),
    ("Nadam", {"weight_decay": 0.1, "beta_1": 0.8}),
    ("Adamax", {}),
    ("Adamax", {"global_clipnorm": 0.5}),
    ("Adadelta", {"rho": 0.9}),
    ("Ftrl", {}),
    ("Lion", {}),
    ("Lion", {"weight_decay": 0.1, "beta_2": 0.9}),
    (
        "Ftrl",
        {
            "l1_regularization_strength": 0.1,
            "l2_regularization_strength": 0.2,
            "beta": 0.3,
            "learning_rate_power": -0.4,
            "l2_shrinkage_regularization_strength": 0.1,
            "initial_accumulator_value": 0.2,
        },
    ),
    ("Adafactor", {}),
    ("Adafactor", {"relative_step": False, "clip_threshold": 0.5, "beta_2_decay": -0.7}),
    ("Lamb", {}),
    ("Lamb", {"clipvalue": 0.5}),
    ("Muon", {}),
    ("Adamax", {"use_ema": True, "ema_overwrite_frequency": 2}),
    ("Muon", {"exclude_layers": ["b"], "nesterov": False, "rms_rate": None, "adam_lr_ratio": 0.5, "ns_steps": 3}),
    ("Nadam", {"gradient_accumulation_steps": 2}),
    ("Lion", {"clipnorm": 0.5}),
    ("Adadelta", {"loss_scale_factor": 8.0}),
)


def kinds_of_optimizers(world: World) -> Record:
    """Six steps on a matrix, a table, a vector and a number; the last three gradients of the table are sparse."""
    tf, record = world.tf, Record()
    for k, (name, options) in enumerate(_KINDS):
        optimizer = getattr(tf.keras.optimizers, name)(learning_rate=0.05, **options)
        _steps(
            world,
            record,
            f"{name} {k}",
            optimizer,
            {"loss_scale_factor", "gradient_accumulation_steps"}.isdisjoint(options),
        )
        config = tf.keras.optimizers.serialize(optimizer)
        record.texts[f"{name} {k} config"] = str({**config, "config": sorted(config["config"])})
        if name != "Lamb":  # which Keras cannot find again
            again = tf.keras.optimizers.deserialize(config)
            record.texts[f"{name} {k} again"] = str(again.get_config() == optimizer.get_config())
    rate = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)
    _steps(world, record, "Adafactor with a schedule", tf.keras.optimizers.Adafactor(rate), True)
    _steps(
        world, record, "LossScale", tf.keras.optimizers.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1), 8.0, 2), False
    )
    return record


def _steps(world: World, record: Record, name: str, optimizer: Any, sparse: bool) -> None:
    tf = world.tf
    shapes = {"a": (4, 3), "embedding_table": (5, 2), "b": (3,), "c": ()}
    variables = [tf.keras.Variable(world.numbers(k, *shape), name=n) for k, (n, shape) in enumerate(shapes.items())]
    for step in range(6):
        gradients = [tf.constant(world.numbers(10 * step + k, *shape)) for k, shape in enumerate(shapes.values())]
        if sparse and step > 2:
            gradients[1] = tf.IndexedSlices(world.numbers(step, 3, 2), tf.constant([4, 1, 4]), tf.constant([5, 2]))
        if name == "LossScale":
            gradients[2] = gradients[2] * (float("inf") if step == 3 else 1.0)
            record.see(f"{name} scaled {step}", optimizer.scale_loss(tf.constant(1.0)))
        optimizer.apply_gradients(zip(gradients, variables))
        for k, v in enumerate(variables):
            record.see(f"{name} step {step}.{k}", v)
    record.see(f"{name} iterations", optimizer.iterations)
    paths = [f"{v.path.partition('/')[2]}{tuple(v.shape)}" for v in optimizer.variables]
    record.texts[f"{name} variables"] = re.sub(r"variable_\d+", "variable", ", ".join(paths))
