"""Callbacks of ``fit`` and ``evaluate`` (``tf.keras.callbacks``): objects whose methods are called as training goes on.

    class Shown(Callback):
        def on_epoch_end(self, epoch, logs=None):
            print(epoch, logs["loss"])

    model.fit(x, y, callbacks=[Shown()])

``logs`` holds plain floats.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


class Callback:
    """Base class: subclasses write the methods they need.  ``model`` and ``params`` are set before the first."""

    params: dict[str, Any] | None = None
    _model: Any = None

    @property
    def model(self) -> Any:
        """The model that is trained."""
        return self._model

    def set_model(self, model: Any) -> None:
        """Called once, before training begins."""
        self._model = model

    def set_params(self, params: dict[str, Any]) -> None:
        """Called once, with "epochs", "steps" and "verbose"."""
        self.params = params

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None: ...
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None: ...
    def on_batch_begin(self, batch: int, logs: Any = None) -> None: ...
    def on_batch_end(self, batch: int, logs: Any = None) -> None: ...
    def on_train_begin(self, logs: Any = None) -> None: ...
    def on_train_end(self, logs: Any = None) -> None: ...
    def on_test_begin(self, logs: Any = None) -> None: ...
    def on_test_end(self, logs: Any = None) -> None: ...
    def on_predict_begin(self, logs: Any = None) -> None: ...
    def on_predict_end(self, logs: Any = None) -> None: ...
    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None: ...
    def on_test_batch_end(self, batch: int, logs: Any = None) -> None: ...
    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None: ...
    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None: ...

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a step of training."""
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a step of training."""
        self.on_batch_end(batch, logs)


class CallbackList:
    """Several callbacks as one: ``tell("on_epoch_end", 0, logs)`` calls that method of each."""

    def __init__(self, callbacks: Any, model: Any, params: dict[str, Any], history: bool = False):
        given = [callbacks] if isinstance(callbacks, Callback) else list(callbacks or ())
        kept = [c for c in given if isinstance(c, History)]
        if history and not kept:
            kept = [History()]
            given = given + kept
        self.callbacks = given
        if kept:
            model.history = kept[-1]
        for callback in given:
            callback.set_model(model)
            callback.set_params(params)

    def tell(self, hook: str, *place: Any, logs: Any = None) -> None:
        """Call a method of each with an epoch or batch, if there is one, and the logs."""
        said = plain_logs(logs or {})
        for callback in self.callbacks:
            getattr(callback, hook)(*place, said)


def plain_logs(logs: dict[str, Any]) -> dict[str, Any]:
    """Logs sorted by name, with floats for tensors, and without nesting."""
    found: dict[str, Any] = {}
    for name, value in sorted(logs.items()):
        if isinstance(value, dict):
            found.update(plain_logs(value))
        else:
            single = not isinstance(value, (list, tuple)) and np.ndim(value) == 0
            found[name] = float(value) if single else value
    return found


class History(Callback):
    """What ``fit`` returns: ``history`` maps each quantity to its values, one for each epoch."""

    def __init__(self) -> None:
        self.history: dict[str, list[Any]] = {}
        self.epoch: list[int] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Forget the epochs of an earlier training."""
        self.epoch = []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Take the logs of an epoch down."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)


class LambdaCallback(Callback):
    """``LambdaCallback(on_epoch_end=function, ...)``: a callback made of functions."""

    def __init__(self, **functions: Callable[..., Any]):
        for name, function in functions.items():
            if function is not None:
                setattr(self, name, function)


class TerminateOnNaN(Callback):
    """Ends training at a loss that is no finite number."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Look at the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and not np.isfinite(loss):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True


class LearningRateScheduler(Callback):
    """``schedule(epoch, rate)`` gives the rate of each epoch."""

    def __init__(self, schedule: Callable[..., Any], verbose: int = 0):
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Set the learning rate."""
        optimizer = self.model.optimizer
        try:
            rate = self.schedule(epoch, float(np.asarray(optimizer.learning_rate)))
        except TypeError:  # a function of the epoch alone
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.float32, np.float64)):
            raise ValueError(f"The output of the `schedule` function should be a float. Got: {rate}")
        optimizer.learning_rate = rate
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Put the rate into the logs."""
        if logs is not None:
            logs["learning_rate"] = float(np.asarray(self.model.optimizer.learning_rate))


class Monitoring(Callback):
    """A callback that compares a quantity with the best so far."""

    monitor: str
    mode: str
    min_delta: float
    _sign = 0

    def _better(self, value: float, than: Any) -> bool:
        return than is None or self._sign * (value - than) > self.min_delta

    def _direction(self) -> int:
        """1 when more is better, -1 when less is."""
        if self.mode in ("min", "max"):
            return 1 if self.mode == "max" else -1
        name = self.monitor.removeprefix("val_")
        for metric in self.model.compiled_metrics:
            if metric.name == name and metric.direction:
                return metric.direction
        if name == "loss":
            return -1
        raise ValueError(
            f"{type(self).__name__} callback received monitor={self.monitor}, but Keras isn't able to automatically "
            "determine whether that metric should be maximized or minimized. Pass `mode='max'` in order to monitor "
            "based on the highest metric value, or pass `mode='min'` in order to use the lowest value."
        )


class EarlyStopping(Monitoring):
    """Ends training when a quantity has not become better for ``patience`` epochs."""

    def __init__(
        self, monitor: str = "val_loss", min_delta: float = 0, patience: int = 0, verbose: int = 0, mode: str = "auto",
        baseline: Any = None, restore_best_weights: bool = False, start_from_epoch: int = 0,
    ):  # fmt: skip
        self.monitor, self.min_delta, self.patience, self.verbose = monitor, abs(min_delta), patience, verbose
        self.mode, self.baseline, self.restore_best_weights = mode, baseline, restore_best_weights
        self.start_from_epoch = start_from_epoch
        self._sign = 0
        self.on_train_begin()

    def on_train_begin(self, logs: Any = None) -> None:
        """Forget an earlier training."""
        self.wait, self.stopped_epoch, self.best_epoch = 0, 0, 0
        self.best: Any = None
        self.best_weights: Any = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Compare with the best epoch so far."""
        self._sign = self._sign or self._direction()
        current = (logs or {}).get(self.monitor)
        if current is None:
            warnings.warn(
                f"Early stopping conditioned on metric `{self.monitor}` which is not available. Available metrics are: "
                f"{','.join(logs or {})}",
                stacklevel=3,
            )
        if current is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self._keep(epoch)
        self.wait += 1
        if self._better(current, self.best):
            self.best = current
            self._keep(epoch)
            if self._better(current, self.baseline):
                self.wait = 0
        elif self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def _keep(self, epoch: int) -> None:
        self.best_epoch = epoch
        if self.restore_best_weights:
            self.best_weights = self.model.get_weights()

    def on_train_end(self, logs: Any = None) -> None:
        """Say what was done, and go back to the best weights."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.restore_best_weights and self.best_weights is not None:
            if self.verbose > 0:
                print(f"Restoring model weights from the end of the best epoch: {self.best_epoch + 1}.")
            self.model.set_weights(self.best_weights)


__all__ = [
    "Callback", "CallbackList", "EarlyStopping", "History", "LambdaCallback", "LearningRateScheduler",
    "TerminateOnNaN",
]  # fmt: skip
_LATER = ("CSVLogger", "ReduceLROnPlateau", "SwapEMAWeights")
__all__ += list(_LATER)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from . import more_callbacks

        return getattr(more_callbacks, name)
    from .outside import missing

    raise missing("keras.callbacks", name)
