"""PyTorch: `adapters.third_party.torch_tape:TorchTape`. Ops are of `torch`, the derivative is `torch.autograd.grad`."""

from __future__ import annotations

from typing import Any

import numpy as np

from adapters.backend import UnsupportedStep
from adapters.third_party.engine import Function
from adapters.third_party.replay import Replaying
from adapters.third_party.torch_ops import torch_ops


def TorchTape() -> Replaying:
    """PyTorch on a CPU, one thread. ImportError when it is not installed."""
    import torch

    torch.set_num_threads(1)
    return Replaying(TorchEngine(torch))


class TorchEngine:
    """See `engine.Engine`."""

    name = "torch"
    dtypes = (
        "float32", "float64", "float16", "bfloat16", "complex64", "complex128", "int8", "int16", "int32", "int64",
        "uint8", "bool",
    )  # fmt: skip
    higher_order = True

    def __init__(self, torch: Any) -> None:
        self._torch, self.version = torch, str(torch.__version__)
        self.details = {"threads": "1"}
        self.ops = torch_ops(torch)
        self._depth = 0

    def array(self, array: np.ndarray) -> Any:
        array = np.array(array)  # a copy: a tensor made of a NumPy array shares its memory
        if array.dtype.name == "bfloat16":
            return self._torch.from_numpy(array.view(np.int16)).view(self._torch.bfloat16)
        return self._torch.from_numpy(array)

    def open(self, value: Any) -> np.ndarray:
        value = value.detach().resolve_conj().resolve_neg()
        if value.dtype == self._torch.bfloat16:
            import ml_dtypes

            return value.contiguous().view(self._torch.int16).numpy().view(ml_dtypes.bfloat16)
        return value.numpy()

    def floating(self, value: Any) -> bool:
        return value.is_floating_point() or value.is_complex()

    def zeros_like(self, value: Any) -> Any:
        return self._torch.zeros_like(value)

    def ones_like(self, value: Any) -> Any:
        return self._torch.ones_like(value)

    def vjp(self, function: Function, inputs: list[Any], seeds: list[Any | None]) -> list[Any]:
        self._depth += 1
        try:
            found = self._differentiated(function, inputs, seeds)
        except RuntimeError as error:
            if "not implemented" in str(error):
                raise UnsupportedStep(f"torch says: {error}") from None
            raise
        finally:
            self._depth -= 1
        return found if self._depth else [None if one is None else one.detach() for one in found]

    def _differentiated(self, function: Function, inputs: list[Any], seeds: list[Any | None]) -> list[Any]:
        # an input that an outer derivative tracks gets a node of its own, so that no other way to it is counted
        leaves = [one.view_as(one) if one.requires_grad else one.detach().requires_grad_() for one in inputs]
        outputs = function(leaves)
        if not all(y.requires_grad for y in outputs):
            raise UnsupportedStep("torch has no derivative of one of these ops")
        weights = [self._torch.ones_like(y) if seed is None else seed for y, seed in zip(outputs, seeds)]
        found = self._torch.autograd.grad(outputs, leaves, grad_outputs=weights, create_graph=True, allow_unused=True)
        return list(found)
