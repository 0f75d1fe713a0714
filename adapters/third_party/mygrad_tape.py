"""MyGrad: `adapters.third_party.mygrad_tape:MyGradTape`. Ops are of `mygrad`, the derivative is `Tensor.backward`.

MyGrad does not differentiate its own derivative, so nothing of higher order is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from adapters.backend import UnsupportedStep
from adapters.third_party.engine import Function
from adapters.third_party.numpy_named import Ops, numpy_ops
from adapters.third_party.replay import Replaying
from adapters.third_party.windows import each


def MyGradTape() -> Replaying:
    """MyGrad on NumPy. ImportError when it is not installed."""
    import mygrad

    return Replaying(MyGradEngine(mygrad))


class MyGradEngine:
    """See `engine.Engine`."""

    name = "mygrad"
    dtypes = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8", "bool")
    higher_order = False

    def __init__(self, mygrad: Any) -> None:
        self._mygrad, self.version = mygrad, str(mygrad.__version__)
        self.details: dict[str, str] = {}
        self.ops = _ops(mygrad)
        self._at_work = False

    def array(self, array: np.ndarray) -> Any:
        return self._mygrad.tensor(np.asarray(array), constant=True)

    def open(self, value: Any) -> np.ndarray:
        return np.asarray(value.data if hasattr(value, "data") else value)

    def floating(self, value: Any) -> bool:
        return self.open(value).dtype.kind == "f"

    def zeros_like(self, value: Any) -> Any:
        return self.array(np.zeros_like(self.open(value)))

    def ones_like(self, value: Any) -> Any:
        return self.array(np.ones_like(self.open(value)))

    def vjp(self, function: Function, inputs: list[Any], seeds: list[Any | None]) -> list[Any]:
        if self._at_work:
            raise UnsupportedStep("mygrad does not differentiate its own derivative")
        self._at_work = True
        try:
            return self._differentiated(function, inputs, seeds)
        except ValueError as error:
            if "cannot involve non-constant" in str(error):
                raise UnsupportedStep(f"mygrad says: {error}") from None
            raise
        finally:
            self._at_work = False

    def _differentiated(self, function: Function, inputs: list[Any], seeds: list[Any | None]) -> list[Any]:
        leaves = [self._mygrad.tensor(self.open(one).copy(), constant=False) for one in inputs]
        outputs = [y for y in function(leaves)]
        weights = [None if seed is None else self.open(seed) for seed in seeds]
        if len(outputs) == 1:
            outputs[0].backward(weights[0])
        else:
            sum(self._mygrad.sum(y if weight is None else y * weight) for y, weight in zip(outputs, weights)).backward()
        return [None if one.grad is None else self.array(np.asarray(one.grad)) for one in leaves]


def _ops(mygrad: Any) -> Ops:
    from mygrad.nnet import activations

    ops = numpy_ops(mygrad)
    for ours, theirs in {"relu": "relu", "selu": "selu", "softsign": "soft_sign", "tanh": "tanh"}.items():
        ops[f"nn.{ours}"] = getattr(activations, theirs)
    ops["math.sigmoid"] = ops["sigmoid"] = ops["nn.sigmoid"] = activations.sigmoid
    ops["nn.elu"] = lambda x: activations.elu(x, alpha=1.0)
    ops["nn.leaky_relu"] = lambda x, alpha=0.2: activations.leaky_relu(x, alpha)
    ops["nn.softmax"] = lambda x, axis=-1: activations.softmax(x, axis=axis)
    ops["nn.log_softmax"] = lambda x, axis=-1: activations.logsoftmax(x, axis=axis)
    ops |= _windows(mygrad.nnet.layers)
    ops["where"] = lambda condition, x, y: mygrad.where(np.asarray(condition.data), x, y)
    return ops


def _windows(layers: Any) -> Ops:
    """Convolutions and pools: MyGrad has channels first, and no paddings of two sizes."""

    def first(x: Any, padding: str, wide: Sequence[int], by: Sequence[int], apart: Sequence[int]) -> Any:
        """Channels in front, without what lies behind the last window, which MyGrad refuses."""
        if padding != "VALID":
            raise UnsupportedStep("mygrad pads both sides alike")
        n, ends = x.ndim - 2, []
        for size, window, stride, gap in zip(x.shape[1:-1], wide, by, apart):
            reach = (window - 1) * gap + 1
            if size < reach:
                raise UnsupportedStep("mygrad has no empty results of windows")
            ends.append(slice(0, (size - reach) // stride * stride + reach))
        return laid_out(x[(slice(None), *ends)].transpose(0, n + 1, *range(1, n + 1)))

    def laid_out(x: Any) -> Any:
        """The same in one piece, for MyGrad's windows read past the views that only this adapter makes."""
        return x.reshape(-1).reshape(x.shape)

    def convolved(x: Any, filters: Any, strides: Any = None, padding: str = "VALID", dilations: Any = None) -> Any:
        n = x.ndim - 2
        if x.shape[-1] != filters.shape[-2]:
            raise UnsupportedStep("mygrad has no groups of channels")
        by, apart = each(strides, n), each(dilations, n)
        turned = laid_out(filters.transpose(n + 1, n, *range(n)))
        made = layers.conv_nd(first(x, padding, filters.shape[:n], by, apart), turned, stride=by, dilation=apart)
        return made.transpose(0, *range(2, n + 2), 1)

    def largest(x: Any, ksize: Any, strides: Any, padding: str) -> Any:
        n = x.ndim - 2
        wide, by = each(ksize, n), each(strides, n)
        made = layers.max_pool(first(x, padding, wide, by, (1,) * n), wide, by)
        return made.transpose(0, *range(2, n + 2), 1)

    ops: Ops = dict.fromkeys(("nn.conv2d", "nn.conv3d", "nn.convolution"), convolved)
    ops["nn.conv1d"] = lambda x, w, stride=1, padding="VALID", dilations=None: convolved(
        x, w, stride, padding, dilations
    )
    return ops | dict.fromkeys(("nn.max_pool", "nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d"), largest)
