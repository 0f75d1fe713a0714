"""``compile``, ``fit``, ``evaluate`` and ``predict`` of models: plain loops over batches."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import nest
from ..conversion import convert_to_tensor
from ..ops.shaping import concat
from ..ops.sums import add_n
from ..tape import GradientTape
from . import losses, metrics, optimizers


class History:
    """What ``fit`` returns: ``history`` maps each quantity to its values, one for each epoch."""

    def __init__(self) -> None:
        self.history: dict[str, list[float]] = {}
        self.epoch: list[int] = []


class Trainer:
    """The part of a model that trains it."""

    optimizer: Any = None
    loss: Any = None

    def compile(
        self, optimizer: Any = "rmsprop", loss: Any = None, loss_weights: Any = None, metrics: Any = None,
        weighted_metrics: Any = None, run_eagerly: bool = False, steps_per_execution: int = 1,
        jit_compile: Any = "auto", auto_scale_loss: bool = True,
    ) -> None:  # fmt: skip
        """Set the optimizer, the loss (a function, an object or a name) and the metrics (objects or names)."""
        object.__setattr__(self, "optimizer", optimizers.get(optimizer))
        object.__setattr__(self, "loss", None if loss is None else losses.get(loss))
        object.__setattr__(self, "_compiled_metrics", [_metric(m, self.loss) for m in metrics or ()])

    def _compiled(self) -> None:
        if self.optimizer is None:
            raise ValueError("You must call `compile()` before calling `fit()`.")

    def train_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None) -> float:
        """One step of the optimizer; the loss before it."""
        self._compiled()
        with GradientTape() as tape:
            prediction = self(x, training=True)  # type: ignore[operator]
            loss = self._total_loss(y, prediction, sample_weight)
        variables = self.trainable_variables  # type: ignore[attr-defined]
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self._update_metrics(y, prediction)
        return float(loss)

    def _total_loss(self, y: Any, prediction: Any, sample_weight: Any) -> Any:
        parts = list(self.losses)  # type: ignore[attr-defined]
        if self.loss is not None:
            value = self.loss(convert_to_tensor(y), prediction, *([] if sample_weight is None else [sample_weight]))
            parts.append(losses.mean_of(value))
        if not parts:
            raise ValueError("No loss to compute. Provide a `loss` argument in `compile()`.")
        return add_n(parts) if len(parts) > 1 else parts[0]

    def _update_metrics(self, y: Any, prediction: Any) -> None:
        for metric in self._compiled_metrics:  # type: ignore[attr-defined]
            metric.update_state(y, prediction)

    def fit(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, epochs: int = 1, verbose: Any = "auto",
        callbacks: Any = None, validation_split: float = 0.0, validation_data: Any = None, shuffle: bool = True,
        class_weight: Any = None, sample_weight: Any = None, initial_epoch: int = 0, steps_per_epoch: int | None = None,
        **kwargs: Any,
    ) -> History:  # fmt: skip
        """Train for some epochs on arrays or a Dataset of pairs; prints a line for each epoch unless ``verbose=0``."""
        self._compiled()
        if callbacks or class_weight or validation_split:
            raise NotImplementedError("fit takes no callbacks, class_weight or validation_split in this engine")
        history = History()
        for epoch in range(initial_epoch, epochs):
            began = time.perf_counter()
            batches = _batches(x, y, sample_weight, batch_size or 32, shuffle)
            logs = self._epoch(batches, steps_per_epoch)
            if validation_data is not None:
                logs.update({f"val_{k}": v for k, v in self._measure(*validation_data[:2], batch_size or 32).items()})
            for name, value in logs.items():
                history.history.setdefault(name, []).append(value)
            history.epoch.append(epoch)
            if verbose:
                _report(epoch, epochs, logs, time.perf_counter() - began)
        return history

    def _epoch(self, batches: Iterator[tuple], steps: int | None) -> dict[str, float]:
        total, count = 0.0, 0
        for metric in self._compiled_metrics:  # type: ignore[attr-defined]
            metric.reset_state()
        for k, (x, y, w) in enumerate(batches):
            if steps is not None and k == steps:
                break
            rows = len(nest.flatten(x)[0])
            total += self.train_on_batch(x, y, w) * rows
            count += rows
        return {**self._metric_results(), "loss": total / max(count, 1)}

    def _metric_results(self) -> dict[str, float]:
        return {m.name: float(m.result()) for m in self._compiled_metrics}  # type: ignore[attr-defined]

    def _measure(self, x: Any, y: Any, batch_size: int) -> dict[str, float]:
        total, count = 0.0, 0
        for metric in self._compiled_metrics:  # type: ignore[attr-defined]
            metric.reset_state()
        for xs, ys, w in _batches(x, y, None, batch_size, False):
            prediction = self(xs, training=False)  # type: ignore[operator]
            rows = len(nest.flatten(xs)[0])
            total += float(self._total_loss(ys, prediction, w)) * rows
            count += rows
            self._update_metrics(ys, prediction)
        return {"loss": total / max(count, 1), **self._metric_results()}

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, verbose: Any = "auto",
        sample_weight: Any = None, return_dict: bool = False, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """The loss, or the loss and the metrics, over all batches."""
        self._compiled()
        logs = self._measure(x, y, batch_size or 32)
        if return_dict:
            return logs
        return list(logs.values()) if len(logs) > 1 else logs["loss"]

    def predict(self, x: Any, batch_size: int | None = None, verbose: Any = "auto", **kwargs: Any) -> np.ndarray:
        """The outputs for all batches, as one ndarray."""
        parts = [self(xs, training=False) for xs, _, _ in _batches(x, None, None, batch_size or 32, False)]  # type: ignore[operator]
        return concat(parts, 0).numpy()

    def summary(self, print_fn: Any = None, **kwargs: Any) -> None:
        """Print the layers with their numbers of parameters."""
        out = print_fn or print
        out(f'Model: "{self.name}"')  # type: ignore[attr-defined]
        for layer in self.layers:  # type: ignore[attr-defined]
            out(f"  {layer.name} ({type(layer).__name__}): {layer.count_params():,} parameters")
        out(f"Total params: {self.count_params():,}")  # type: ignore[attr-defined]


def _metric(given: Any, loss: Any) -> Any:
    if isinstance(given, str) and given not in ("accuracy", "acc"):
        found = metrics.get(given)
        found.name = given
        return found
    if isinstance(given, str):
        sparse = getattr(loss, "name", getattr(loss, "__name__", "")).startswith("sparse_")
        kind = metrics.SparseCategoricalAccuracy if sparse else metrics.CategoricalAccuracy
        return kind(name=given)
    return metrics.get(given)


def _batches(x: Any, y: Any, weights: Any, size: int, shuffle: bool) -> Iterator[tuple]:
    """Triples of inputs, labels and weights; of a Dataset its own batches."""
    if hasattr(x, "element_spec"):
        for element in x:
            parts = element if isinstance(element, tuple) else (element,)
            yield (*parts, *(None,) * (3 - len(parts)))
        return
    given = [None if v is None else nest.map_structure(np.asarray, v) for v in (x, y, weights)]
    count = len(nest.flatten(given[0])[0])
    order = np.random.permutation(count) if shuffle else np.arange(count)
    for start in range(0, count, size):
        rows = order[start : start + size]
        yield tuple(
            None if v is None else nest.map_structure(lambda a, rows=rows: convert_to_tensor(a[rows]), v) for v in given
        )


def _report(epoch: int, epochs: int, logs: dict[str, float], seconds: float) -> None:
    shown = " - ".join(f"{k}: {v:.4f}" for k, v in logs.items())
    sys.stdout.write(f"Epoch {epoch + 1}/{epochs} - {seconds:.0f}s - {shown}\n")
