"""Every kind of metric and of less common losses by itself, over three weighted and unweighted batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.around.world import Record, World

_BINARY: tuple[tuple[str, dict[str, Any]], ...] = (
    ("TruePositives", {}),
    ("FalsePositives", {"thresholds": [0.2, 0.8]}),
    ("TrueNegatives", {}),
    ("FalseNegatives", {"thresholds": [0.0, 0.5, 1.0]}),
    ("Precision", {}),
    ("Precision", {"thresholds": [0.3, 0.6]}),
    ("Recall", {}),
    ("Recall", {"thresholds": 0.4}),
    ("AUC", {}),
    ("AUC", {"curve": "PR"}),
    ("AUC", {"num_thresholds": 5}),
    ("AUC", {"curve": "PR", "summation_method": "minoring"}),
    ("AUC", {"thresholds": [0.3, 0.5, 0.9]}),
    ("AUC", {"curve": "PRGAIN", "summation_method": "majoring"}),
    ("AUC", {"from_logits": True}),
    ("SensitivityAtSpecificity", {"specificity": 0.5}),
    ("SpecificityAtSensitivity", {"sensitivity": 0.5}),
    ("PrecisionAtRecall", {"recall": 0.6}),
    ("RecallAtPrecision", {"precision": 0.6, "num_thresholds": 20}),
    ("BinaryIoU", {}),
    ("BinaryIoU", {"target_class_ids": [1], "threshold": 0.3}),
    ("BinaryAccuracy", {}),
    ("Hinge", {}),
    ("SquaredHinge", {}),
    ("Poisson", {}),
    ("LogCoshError", {}),
    ("MeanAbsolutePercentageError", {}),
    ("MeanSquaredLogarithmicError", {}),
    ("MeanSquaredError", {}),
)
_CLASSES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Precision", {"top_k": 2}),
    ("Recall", {"top_k": 1, "class_id": 1}),
    ("Precision", {"class_id": 2}),
    ("F1Score", {}),
    ("AUC", {"multi_label": True}),
    ("AUC", {"multi_label": True, "num_labels": 4, "label_weights": [0.1, 0.2, 0.3, 0.4]}),
    ("AUC", {"multi_label": True, "curve": "PR"}),
    ("F1Score", {"average": "micro"}),
    ("CategoricalHinge", {}),
    ("FBetaScore", {"average": "weighted", "beta": 2.0, "threshold": 0.3}),
    ("F1Score", {"average": "macro"}),
    ("OneHotIoU", {"num_classes": 4, "target_class_ids": [0, 2]}),
    ("OneHotMeanIoU", {"num_classes": 4}),
    ("R2Score", {}),
    ("R2Score", {"class_aggregation": None}),
    ("R2Score", {"class_aggregation": "variance_weighted_average"}),
    ("R2Score", {"num_regressors": 2}),
    ("CosineSimilarity", {}),
    ("CosineSimilarity", {"axis": 0}),
    ("CategoricalCrossentropy", {"label_smoothing": 0.1}),
    ("KLDivergence", {}),
    ("TopKCategoricalAccuracy", {"k": 2}),
)
_SPARSE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("MeanIoU", {"num_classes": 4}),
    ("IoU", {"num_classes": 4, "target_class_ids": [0, 1]}),
    ("MeanIoU", {"num_classes": 4, "ignore_class": 2}),
    ("Accuracy", {}),
)
_LOSSES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("BinaryFocalCrossentropy", {}),
    ("BinaryFocalCrossentropy", {"apply_class_balancing": True, "gamma": 1.5}),
    ("BinaryFocalCrossentropy", {"from_logits": True, "label_smoothing": 0.1}),
    ("CategoricalFocalCrossentropy", {}),
    ("CategoricalFocalCrossentropy", {"from_logits": True, "alpha": 0.4, "label_smoothing": 0.1}),
    ("Dice", {}),
    ("Dice", {"axis": 1, "reduction": "none"}),
    ("Tversky", {"alpha": 0.3, "beta": 0.7}),
    ("Tversky", {"axis": [1]}),
)


def kinds_of_metrics(world: World) -> Record:
    """Results after each batch, then after a reset; variables by name."""
    record = Record()
    for group, kinds in (("binary", _BINARY), ("classes", _CLASSES), ("sparse", _SPARSE)):
        for k, (name, options) in enumerate(kinds):
            _metric(world, record, f"{name} {group} {k}", getattr(world.tf.keras.metrics, name)(**options), group)
    return record


def _metric(world: World, record: Record, name: str, metric: Any, group: str) -> None:
    tf = world.tf
    for step in range(3):
        labels, guesses = _batch(world, step, group)
        whole = any(word in name for word in ("R2Score", "Hinge", "Error", "Poisson", "CosineSimilarity"))
        weights = None if step == 1 or whole else abs(world.numbers(300 + step, 6))
        if group == "sparse" or "IoU" in name:
            weights = None if weights is None else np.round(weights * 3).astype("int64")
        if "BinaryIoU" in name or group == "sparse" or "OneHot" in name:
            metric.update_state(labels, guesses, sample_weight=None if "OneHot" in name else weights)
        else:
            metric.update_state(tf.constant(labels), tf.constant(guesses), sample_weight=weights)
        record.see(f"{name} {step}", metric.result())
    record.texts[f"{name} variables"] = ", ".join(f"{v.name}{tuple(v.shape)}{v.dtype}" for v in metric.variables)
    metric.reset_state()
    labels, guesses = _batch(world, 5, group)
    record.see(f"{name} again", metric(labels, guesses))


def _batch(world: World, step: int, group: str) -> tuple[Any, Any]:
    if group == "binary":
        return world.whole(100 + step, 2, 6).astype("float32"), _between(world.numbers(200 + step, 6))
    classes = world.whole(100 + step, 4, 6)
    if group == "sparse":
        return classes, world.whole(200 + step, 4, 6)
    scores = np.exp(world.numbers(200 + step, 6, 4))
    return np.eye(4, dtype="float32")[classes], scores / scores.sum(-1, keepdims=True)


def _between(x: Any) -> Any:
    return (1 / (1 + np.exp(-x))).astype("float32")


def kinds_of_losses(world: World) -> Record:
    """Values and gradients, with and without weights; the functions; configurations there and back."""
    tf, record = world.tf, Record()
    losses = tf.keras.losses
    for k, (name, options) in enumerate(_LOSSES):
        labels, guesses = _batch(world, k, "classes")
        loss = getattr(losses, name)(**options)
        _loss(tf, record, f"{name} {k}", loss, labels, guesses)
        config = losses.serialize(loss)
        record.texts[f"{name} {k} config"] = str({**config, "config": sorted(config["config"].items(), key=str)})
        record.see(f"{name} {k} again", losses.deserialize(config)(labels, guesses))
    unit = world.numbers(1, 6, 4)
    unit /= np.sqrt(np.sum(unit**2, -1, keepdims=True))
    for k, circle in enumerate((losses.Circle(), losses.Circle(10.0, 0.2), losses.Circle(remove_diagonal=False))):
        _loss(tf, record, f"Circle {k}", circle, np.array([0, 1, 0, 1, 2, 2]), unit)
    _, guesses = _batch(world, 1, "classes")
    classes = np.array([0, 3, 1, 2, 2, 1])
    record.see("generalised", losses.CategoricalGeneralizedCrossEntropy(q=0.4)(classes, guesses))
    record.see("by name", losses.get("binary_focal_crossentropy")(np.eye(4)[classes], guesses))
    return record


def _loss(tf: Any, record: Record, name: str, loss: Any, labels: Any, guesses: Any) -> None:
    for k, weights in enumerate((None, np.arange(1.0, 7.0).astype("float32"))):
        if weights is not None and (np.ndim(loss(labels, guesses)) or type(loss).__name__ in ("Dice", "Tversky")):
            continue
        x = tf.constant(guesses)
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = loss(labels, x, sample_weight=weights)
        record.see(f"{name} value {k}", value)
        record.see(f"{name} gradient {k}", tape.gradient(value, x))
