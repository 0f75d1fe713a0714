"""``compile``, ``fit``, ``evaluate`` and ``predict`` of models, and the steps that subclasses put in their place.

    class WGAN(tf.keras.Model):
        def train_step(self, data):
            with tf.GradientTape() as tape:
                ...
            return {"loss": loss}

``fit`` is a plain loop over batches: nothing is traced, so prints and breakpoints inside a step work.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from .. import nest
from ..math import reduce_sum
from ..ops.shaping import concat
from ..ops.sums import add_n
from ..tapes.tape import GradientTape
from ..tensors.conversion import convert_to_tensor
from . import metrics, optimizers
from .batches import Batches, as_tensors, class_weights, split_off, unpacked
from .callbacks import CallbackList, plain_logs
from .compiled_loss import CompiledLoss
from .compiled_metrics import CompiledMetrics
from .layer import Layer
from .summary import summary_of


class Trainer(Layer):
    """The part of a model that trains it."""

    optimizer: Any = None
    loss: Any = None
    compiled = False
    stop_training = False
    history: Any = None
    _loss_tracker: Any = None
    _compile_options: dict[str, Any] = {}  # noqa: RUF012 - replaced by `compile`, never changed
    _compiled_metrics: CompiledMetrics | None = None
    _compiled_loss: CompiledLoss | None = None

    def compile(
        self, optimizer: Any = "rmsprop", loss: Any = None, loss_weights: Any = None, metrics: Any = None,
        weighted_metrics: Any = None, run_eagerly: bool = False, steps_per_execution: int = 1,
        jit_compile: Any = "auto", auto_scale_loss: bool = True,
    ) -> None:  # fmt: skip
        """Set the optimizer, the loss (a function, an object or a name) and the metrics (objects or names)."""
        options = {
            "optimizer": optimizer, "loss": loss, "loss_weights": loss_weights, "metrics": metrics,
            "weighted_metrics": weighted_metrics, "run_eagerly": run_eagerly,
            "steps_per_execution": steps_per_execution, "jit_compile": jit_compile is True,
        }  # fmt: skip
        names = getattr(self, "output_names", None)
        compiled, compiled_loss = self._compiled_metrics, self._compiled_loss  # as in Keras, they stay without new ones
        if metrics is not None or weighted_metrics is not None:
            compiled = CompiledMetrics(metrics, weighted_metrics, names) if metrics or weighted_metrics else None
        if loss is not None:
            compiled_loss = CompiledLoss(loss, loss_weights, names)
        chosen = None if optimizer is None else optimizers.get(optimizer)
        if auto_scale_loss and chosen is not None and self.dtype_policy.name == "mixed_float16":
            chosen = chosen if hasattr(chosen, "inner_optimizer") else optimizers.LossScaleOptimizer(chosen)
        options["optimizer"] = chosen
        for name, value in {
            "optimizer": chosen, "_compile_options": options,
            "loss": self.loss if loss is None else loss, "_compiled_loss": compiled_loss,
            "_loss_tracker": _mean("loss"), "_compiled_metrics": compiled, "compiled": True, "stop_training": False,
        }.items():  # fmt: skip
            object.__setattr__(self, name, value)

    def get_compile_config(self) -> dict[str, Any] | None:
        """The arguments of ``compile`` as plain values, None before it was called."""
        from .graph_configs import compile_config

        return compile_config(self._compile_options) if self.compiled else None

    def compile_from_config(self, config: dict[str, Any]) -> None:
        """Compile as ``get_compile_config`` says."""
        self.compile(**config)

    def _check_compiled(self) -> None:
        if not self.compiled:
            raise ValueError("You must call `compile()` before using the model.")

    @property
    def metrics(self) -> list[Any]:
        """The mean of the loss and the compiled metrics, then those of the layers."""
        own = [m for m in (self._loss_tracker, self._compiled_metrics) if m is not None]
        own += [] if self._compiled_loss is None else self._compiled_loss.metrics
        return own + super().metrics

    @property
    def compiled_metrics(self) -> list[Any]:
        """The metrics of ``compile``, once a batch was seen."""
        return [] if self._compiled_metrics is None else self._compiled_metrics.metrics

    @property
    def metrics_names(self) -> list[str]:
        """The names of ``metrics``."""
        return [m.name for m in self.metrics]

    def reset_metrics(self) -> None:
        """Begin all metrics anew."""
        for metric in self.metrics:
            metric.reset_state()

    def get_metrics_result(self) -> dict[str, Any]:
        """The results of ``metrics`` by name."""
        found: dict[str, Any] = {}
        for metric in self.metrics:
            result = metric.result()
            found.update(result if isinstance(result, dict) else {metric.name: result})
        return found

    # ------------------------------------------------------------------------------------ one batch

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None, training: bool = True
    ) -> Any:
        """The loss of ``compile`` and the losses of the layers, added.  ValueError when there is none."""
        parts = [reduce_sum(loss) for loss in self.losses]
        if self._compiled_loss is not None and (value := self._compiled_loss(y, y_pred, sample_weight)) is not None:
            parts.insert(0, value)
        if not parts:
            raise ValueError("No loss to compute. Provide a `loss` argument in `compile()`.")
        return add_n(parts) if len(parts) > 1 else parts[0]

    def compute_metrics(self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None) -> dict[str, Any]:
        """Add a batch to the compiled metrics; the results of all."""
        if self._compiled_metrics is not None:
            self._compiled_metrics.update_state(nest.map_structure(convert_to_tensor, y), y_pred, sample_weight)
        return self.get_metrics_result()

    def train_step(self, data: Any) -> dict[str, Any]:
        """One step of the optimizer on a batch; what is to be logged.  Subclasses may put their own in its place."""
        x, y, weights = unpacked(data)
        with GradientTape() as tape:
            prediction, loss = self._tried(x, y, weights, training=True)
            loss = loss if self.optimizer is None else self.optimizer.scale_loss(loss)
        variables = self.trainable_weights
        if variables:
            self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        else:
            warnings.warn("The model does not have any trainable weights.", stacklevel=2)
        return self.compute_metrics(x, y, prediction, sample_weight=weights)

    def test_step(self, data: Any) -> dict[str, Any]:
        """The loss and the metrics of a batch."""
        x, y, weights = unpacked(data)
        prediction, _ = self._tried(x, y, weights, training=False)
        return self.compute_metrics(x, y, prediction, sample_weight=weights)

    def predict_step(self, data: Any) -> Any:
        """The outputs for a batch."""
        return self._predicted(unpacked(data)[0], training=False)

    def _predicted(self, x: Any, training: bool) -> Any:
        return self(x, training=training) if self._takes_training else self(x)

    def _tried(self, x: Any, y: Any, weights: Any, training: bool) -> tuple[Any, Any]:
        """Prediction and loss of a batch; the mean loss takes it in."""
        prediction = self._predicted(x, training)
        loss = self.compute_loss(x=x, y=y, y_pred=prediction, sample_weight=weights)
        self._loss_tracker.update_state(loss, sample_weight=len(nest.flatten(x)[0]))
        return prediction, loss

    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None, return_dict: bool = False
    ) -> Any:
        """One step on a batch; the loss, or the loss and the metrics."""
        self._check_compiled()
        weights = class_weights(y, class_weight) if class_weight is not None else sample_weight
        self.reset_metrics()
        batch = tuple(map(as_tensors, (x, y, weights)))
        return self._shown(self.train_step(batch), return_dict)

    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None, return_dict: bool = False) -> Any:
        """The loss of a batch, or the loss and the metrics."""
        self._check_compiled()
        self.reset_metrics()
        batch = tuple(map(as_tensors, (x, y, sample_weight)))
        return self._shown(self.test_step(batch), return_dict)

    def predict_on_batch(self, x: Any) -> Any:
        """The outputs for a batch, as ndarrays."""
        return nest.map_structure(np.asarray, self.predict_step((as_tensors(x),)))

    def _shown(self, logs: dict[str, Any], return_dict: bool) -> Any:
        """Logs as a dict, or in the order of ``metrics``; a single one alone."""
        plain = plain_logs(logs)
        if return_dict:
            return plain
        names: list[str] = []
        for metric in self.metrics:
            names += [m.name for m in self.compiled_metrics] if metric is self._compiled_metrics else [metric.name]
        values = [plain[n] for n in names if n in plain] + [v for n, v in sorted(plain.items()) if n not in names]
        return values[0] if len(values) == 1 else values

    # ------------------------------------------------------------------------------------ all batches

    def fit(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, epochs: int = 1, verbose: Any = "auto",
        callbacks: Any = None, validation_split: float = 0.0, validation_data: Any = None, shuffle: bool = True,
        class_weight: Any = None, sample_weight: Any = None, initial_epoch: int = 0, steps_per_epoch: int | None = None,
        validation_steps: int | None = None, validation_batch_size: int | None = None, validation_freq: int = 1,
    ) -> Any:  # fmt: skip
        """Train for some epochs on arrays or on a Dataset of pairs; prints a line for each unless ``verbose=0``.

        Returns the History of the callbacks.
        """
        self._check_compiled()
        if validation_split and validation_data is None:
            (x, y, sample_weight), validation_data = split_off(x, y, sample_weight, validation_split)
        batches = Batches(x, y, sample_weight, batch_size, shuffle, steps_per_epoch, class_weight)
        params = {"verbose": verbose, "epochs": epochs, "steps": batches.count}
        told = CallbackList(callbacks, self, params, history=True)
        tested = None
        if validation_data is not None:
            tested = Batches(*_parts(validation_data), validation_batch_size or batch_size, steps=validation_steps)
        object.__setattr__(self, "stop_training", False)
        told.tell("on_train_begin")
        logs: dict[str, Any] = {}
        for epoch in range(initial_epoch, epochs):
            logs = self._epoch(epoch, batches, tested if (epoch + 1) % validation_freq == 0 else None, told)
            if verbose:
                _report(epoch, epochs, plain_logs(logs))
            if self.stop_training:
                break
        if epochs > 0 and self.optimizer is not None:
            self.optimizer.finalize_variable_values(self.trainable_weights)
        told.tell("on_train_end", logs=logs)
        return self.history

    def _epoch(self, epoch: int, batches: Batches, tested: Batches | None, told: CallbackList) -> dict[str, Any]:
        """One time through the batches, and through those for validation."""
        self.reset_metrics()
        told.tell("on_epoch_begin", epoch)
        logs: dict[str, Any] = {}
        for k, batch in enumerate(batches):
            told.tell("on_train_batch_begin", k)
            logs = self.train_step(batch)
            told.tell("on_train_batch_end", k, logs=logs)
            if self.stop_training:
                break
        found = dict(self._results_or(logs))
        if tested is not None:
            found.update({f"val_{name}": v for name, v in self._tested(tested, told).items()})
        told.tell("on_epoch_end", epoch, logs=found)
        return found

    def _results_or(self, logs: dict[str, Any]) -> dict[str, Any]:
        """The results of the metrics, or what a step of the user's returned when that is something else."""
        results = self.get_metrics_result()
        return results if set(results) == set(logs) else logs

    def _tested(self, batches: Batches, told: CallbackList) -> dict[str, Any]:
        told.tell("on_test_begin")
        self.reset_metrics()
        logs: dict[str, Any] = {}
        for k, batch in enumerate(batches):
            told.tell("on_test_batch_begin", k)
            logs = self.test_step(batch)
            told.tell("on_test_batch_end", k, logs=logs)
        found = plain_logs(self._results_or(logs))
        told.tell("on_test_end", logs=found)
        return found

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, verbose: Any = "auto",
        sample_weight: Any = None, steps: int | None = None, callbacks: Any = None, return_dict: bool = False,
    ) -> Any:  # fmt: skip
        """The loss, or the loss and the metrics, over all batches."""
        self._check_compiled()
        batches = Batches(x, y, sample_weight, batch_size, steps=steps)
        told = CallbackList(callbacks, self, {"verbose": verbose, "epochs": 1, "steps": batches.count})
        return self._shown(self._tested(batches, told), return_dict)

    def predict(
        self, x: Any, batch_size: int | None = None, verbose: Any = "auto", steps: int | None = None,
        callbacks: Any = None,
    ) -> Any:  # fmt: skip
        """The outputs for all batches, as ndarrays."""
        batches = Batches(x, size=batch_size, steps=steps)
        told = CallbackList(callbacks, self, {"verbose": verbose, "epochs": 1, "steps": batches.count})
        told.tell("on_predict_begin")
        parts = []
        for k, batch in enumerate(batches):
            told.tell("on_predict_batch_begin", k)
            parts.append(self.predict_step(batch))
            told.tell("on_predict_batch_end", k, logs={"outputs": parts[-1]})
        told.tell("on_predict_end")
        return nest.map_structure(lambda *a: np.asarray(concat(list(a), 0)), *parts)

    def get_state_tree(self, value_format: str = "backend_tensor") -> dict[str, Any]:
        """The variables of the model, the optimizer and the metrics as nested dicts by their paths."""
        from .state_tree import state_tree

        return state_tree(self, value_format)

    def set_state_tree(self, state_tree: dict[str, Any]) -> None:
        """Assign the values of a tree like that of ``get_state_tree``."""
        from .state_tree import assign_state_tree

        assign_state_tree(self, state_tree)

    def summary(
        self, line_length: int | None = None, print_fn: Any = None, expand_nested: bool = False,
        show_trainable: bool = False,
    ) -> None:  # fmt: skip
        """Print the layers with the shapes of their outputs and their numbers of parameters, as Keras does."""
        text = summary_of(self, line_length, expand_nested, show_trainable)
        if print_fn is None:
            print(text, end="")
        else:
            print_fn(text)


def _mean(name: str) -> Any:
    return metrics.Mean(name=name)


def _parts(data: Any) -> tuple[Any, Any, Any]:
    return unpacked(data) if isinstance(data, (tuple, list)) else (data, None, None)


def _report(epoch: int, epochs: int, logs: dict[str, Any]) -> None:
    shown = " - ".join(f"{k}: {v:.4f}" for k, v in logs.items())
    sys.stdout.write(f"Epoch {epoch + 1}/{epochs} - {shown}\n")
