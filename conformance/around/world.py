"""What a program gets (`World`) and what it gives (`Record`)."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

STEPS = 20


@dataclass(slots=True)
class Record:
    """Named arrays, and named texts (messages of errors, reprs), in the order in which they were seen."""

    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def step(self, number: int, loss: Any, gradients: Any) -> None:
        """The loss and the gradients of a step; of IndexedSlices values and indices."""
        self.see(f"loss {number}", loss)
        for k, gradient in enumerate(gradients):
            if hasattr(gradient, "indices"):
                self.see(f"gradient {number}.{k} values", gradient.values)
                self.see(f"gradient {number}.{k} indices", gradient.indices)
            else:
                self.see(f"gradient {number}.{k}", gradient)

    def see(self, name: str, value: Any) -> None:
        """Anything that is an array."""
        self.arrays[name] = np.asarray(value)

    def write(self, path: Path) -> None:
        """As an npz, without pickle."""
        texts = {f"text {name}": np.array(text) for name, text in self.texts.items()}
        with open(path, "wb") as file:
            np.savez_compressed(file, **self.arrays, **texts)  # type: ignore[arg-type]

    @classmethod
    def read(cls, path: Path) -> Record:
        """What `write` wrote."""
        found = cls()
        with np.load(path, allow_pickle=False) as stored:
            for name in stored.files:
                if name.startswith("text "):
                    found.texts[name.removeprefix("text ")] = str(stored[name])
                else:
                    found.arrays[name] = stored[name]
        return found


@dataclass(frozen=True, slots=True)
class World:
    """`tf`: the module; `name`: what `adapters.load` knows it by; `folder`: where files may be written."""

    tf: Any
    name: str
    folder: Path

    def numbers(self, seed: int, *shape: int, scale: float = 1.0) -> np.ndarray:
        """Normal float32 numbers, the same everywhere."""
        return np.random.default_rng(seed).normal(scale=scale, size=shape).astype(np.float32)

    def whole(self, seed: int, high: int, *shape: int) -> np.ndarray:
        """Whole numbers below `high`, the same everywhere."""
        return np.random.default_rng(seed).integers(0, high, shape)

    def weigh(self, layer: Any, seed: int, scale: float = 0.3) -> None:
        """Give a built layer or model weights that are the same everywhere; scales and variances stay as they are."""
        values = []
        for k, w in enumerate(layer.weights):
            kept = w.name in ("gamma", "beta", "moving_mean", "moving_variance")
            values.append(w.numpy() if kept else self.numbers(1000 * seed + k, *w.shape, scale=scale))
        layer.set_weights(values)

    def in_fresh_process(self, function: str, *arguments: str) -> Record:
        """What a function of `fresh.py` records in a new process that has loaded the same module."""
        out = self.folder / f"{function}.npz"
        command = [sys.executable, "-m", "conformance.around.fresh", self.name, function, str(out), *arguments]
        root = str(Path(__file__).resolve().parents[2])
        paths = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH", "")) if p)
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": paths}
        )
        if done.returncode:
            raise RuntimeError(f"{function} failed in a fresh process:\n{done.stderr[-2000:]}")
        return Record.read(out)
