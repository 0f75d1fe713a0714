"""More callbacks of ``fit``: ReduceLROnPlateau, CSVLogger and SwapEMAWeights."""

from __future__ import annotations

import csv
import os
import warnings
from typing import Any

import numpy as np

from .callbacks import Callback, Monitoring


class ReduceLROnPlateau(Monitoring):
    """Makes the learning rate smaller by a factor when a quantity has not become better for ``patience`` epochs."""

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0, mode: str = "auto",
        min_delta: float = 1e-4, cooldown: int = 0, min_lr: float = 0.0,
    ):  # fmt: skip
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau does not support a factor >= 1.0. Received factor={factor}")
        self.monitor, self.factor, self.patience, self.verbose, self.mode = monitor, factor, patience, verbose, mode
        self.min_delta, self.cooldown, self.min_lr = abs(min_delta), cooldown, min_lr
        self.on_train_begin()

    def on_train_begin(self, logs: Any = None) -> None:
        """Forget an earlier training."""
        self.best: Any = None
        self.cooldown_counter = self.wait = 0

    def in_cooldown(self) -> bool:
        """Whether the rate was made smaller a short time ago."""
        return self.cooldown_counter > 0

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Compare with the best epoch so far."""
        self._sign = self._sign or self._direction()
        logs = {} if logs is None else logs
        logs["learning_rate"] = float(self.model.optimizer.learning_rate)
        current = logs.get(self.monitor)
        if current is None:
            warnings.warn(
                f"Learning rate reduction is conditioned on metric `{self.monitor}` which is not available. Available "
                f"metrics are: {','.join(logs)}.",
                stacklevel=2,
            )
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self._better(current, self.best):
            self.best, self.wait = current, 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience and self._reduced(epoch):
                self.cooldown_counter, self.wait = self.cooldown, 0

    def _reduced(self, epoch: int) -> bool:
        """Whether the rate could be made smaller."""
        old = float(self.model.optimizer.learning_rate)
        if old <= np.float32(self.min_lr):
            return False
        new = max(old * self.factor, self.min_lr)
        self.model.optimizer.learning_rate = new
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {new}.")
        return True


class CSVLogger(Callback):
    """Writes a line of what was logged for each epoch to a file."""

    def __init__(self, filename: Any, separator: str = ",", append: bool = False):
        self.filename, self.sep, self.append = os.fspath(filename), separator, append
        self._keys: list[str] | None = None
        self._lines: list[dict[str, Any]] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Empty the file, unless lines are appended."""
        self._keys = None
        self._titled = self.append and os.path.exists(self.filename) and os.path.getsize(self.filename) > 0
        if not self.append:
            open(self.filename, "w", encoding="utf-8").close()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Add a line."""
        logs = logs or {}
        if self._keys is None:
            keys = sorted(logs)
            self._keys = keys if any(k.startswith("val_") for k in keys) else [*keys, *(f"val_{k}" for k in keys)]
        with open(self.filename, "a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["epoch", *self._keys], delimiter=self.sep)
            if not self._titled:
                writer.writeheader()
                self._titled = True
            writer.writerow({"epoch": epoch, **{key: logs.get(key, "NA") for key in self._keys}})


class SwapEMAWeights(Callback):
    """Evaluates and predicts with the averages that an optimizer with ``use_ema`` keeps of the weights.

    With ``swap_on_epoch`` they are in the model between epochs, too, where other callbacks save it.  ValueError for an
    optimizer without ``use_ema``.
    """

    def __init__(self, swap_on_epoch: bool = False):
        self.swap_on_epoch = swap_on_epoch
        self._inside = False  # whether the averages are in the model

    def _pairs(self) -> list[tuple[Any, Any]]:
        optimizer = self.model.optimizer
        optimizer = getattr(optimizer, "inner_optimizer", optimizer)
        if not optimizer.use_ema:
            raise ValueError(
                "SwapEMAWeights must be used when `use_ema=True` is set on the optimizer. Received: use_ema="
                f"{optimizer.use_ema}"
            )
        return list(zip(optimizer._trainable_variables, optimizer._averages))

    def _swap(self, inside: bool) -> None:
        if self._inside is not inside:
            for variable, average in self._pairs():
                kept = np.array(variable)
                variable.assign(np.array(average))
                average.assign(kept)
            self._inside = inside

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Go on with the weights that are trained."""
        if self.swap_on_epoch:
            self._swap(False)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Put the averages into the model; after the last epoch they stay there."""
        if self.swap_on_epoch and not self._inside:
            self._swap(True)
            if epoch == (self.params or {}).get("epochs", 0) - 1:
                for variable, average in self._pairs():
                    average.assign(np.array(variable))

    def on_test_begin(self, logs: Any = None) -> None:
        """Evaluate with the averages."""
        self._swap(True)

    def on_test_end(self, logs: Any = None) -> None:
        """Go back to the weights."""
        self._swap(False)

    def on_predict_begin(self, logs: Any = None) -> None:
        """Predict with the averages."""
        self._swap(True)

    def on_predict_end(self, logs: Any = None) -> None:
        """Go back to the weights."""
        self._swap(False)
