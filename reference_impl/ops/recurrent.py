"""Long short-term memory over whole sequences as one kernel: ``tf.raw_ops.BlockLSTM`` and ``BlockLSTMV2``.

Inputs are (time, batch, inputs), states (batch, cells), weights (inputs + cells, 4 cells).  The two versions differ in
the order of their gates; the gradient takes that of the first for both, as TensorFlow's does.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import MISSING, kernel, public
from .kernels.logistic import sigmoid
from .matrix_fitting import Shape

_FIELDS = ("i", "cs", "f", "o", "ci", "co", "h")
BlockLSTMOutput = namedtuple("BlockLSTM", _FIELDS)  # type: ignore[misc]
BlockLSTMV2Output = namedtuple("BlockLSTMV2", _FIELDS)  # type: ignore[misc]
FIRST, SECOND = (0, 1, 2, 3), (0, 2, 1, 3)  # where input, candidate, forget and output gates stand


def _gates(whole: Any, order: tuple[int, ...]) -> list[Any]:
    cells = whole.shape[-1] // 4
    return [whole[:, k * cells : (k + 1) * cells] for k in order]


def _lstm(
    x: Any, cs: Any, h: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any, order: tuple[int, ...], forget: float,
    clip: float, peephole: bool,
) -> tuple:  # fmt: skip
    steps: list[tuple] = []
    for t in range(x.shape[0]):
        i, ci, f, o = _gates(np.matmul(np.concatenate([x[t], h], axis=1), w) + b, order)
        if peephole:
            i, f = i + cs * wci, f + cs * wcf
        i, f, ci = sigmoid(i), sigmoid(f + x.dtype.type(forget)), np.tanh(ci)
        cs = ci * i + f * cs
        if clip > 0:
            cs = np.clip(cs, x.dtype.type(-clip), x.dtype.type(clip))
        o = sigmoid(o + cs * wco if peephole else o)
        co = np.tanh(cs)
        h = o * co
        steps.append((i, cs, f, o, ci, co, h))
    return tuple(np.stack(one) for one in zip(*steps))


def _lstm_grad(
    x: Any, cs0: Any, h0: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any, i: Any, cs: Any, f: Any, o: Any, ci: Any,
    co: Any, h: Any, cs_grad: Any, h_grad: Any, peephole: bool,
) -> tuple:  # fmt: skip
    """From the last step to the first; what a state was clipped by is left out."""
    inputs = x.shape[-1]
    by_cs, by_h = np.zeros_like(cs0), np.zeros_like(h0)
    by_x: list[Any] = []
    sums: list[list[Any]] = [[], [], [], [], []]
    for t in reversed(range(x.shape[0])):
        before, out = (cs[t - 1], h[t - 1]) if t else (cs0, h0)
        dh = h_grad[t] + by_h
        do = o[t] * (1 - o[t]) * dh * co[t]
        dcs = (1 - co[t] * co[t]) * dh * o[t] + (cs_grad[t] + by_cs)
        if peephole:
            dcs = dcs + do * wco
        dci = (1 - ci[t] * ci[t]) * dcs * i[t]
        df, di = f[t] * (1 - f[t]) * dcs * before, i[t] * (1 - i[t]) * dcs * ci[t]
        by_cs = dcs * f[t] + di * wci + df * wcf if peephole else dcs * f[t]
        gates = np.concatenate([di, dci, df, do], axis=1)
        back = np.matmul(gates, w.swapaxes(0, 1))
        by_h = back[:, inputs:]
        by_x.append(back[:, :inputs])
        total = lambda v: np.add.reduce(v, axis=0)
        weights = np.matmul(np.concatenate([x[t], out], axis=1).swapaxes(0, 1), gates)
        for kept, part in zip(sums, (weights, total(di * before), total(df * before), total(do * cs[t]), total(gates))):
            kept.append(part)
    by_w, by_i, by_f, by_o, by_b = (_added(parts) for parts in sums)
    if not peephole:
        by_i, by_f, by_o = (np.zeros_like(v) for v in (wci, wcf, wco))
    return np.stack(by_x[::-1]), by_cs, by_h, by_w, by_i, by_f, by_o, by_b


def _added(parts: list[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _gradient(
    F: Any, dy: Any, y: Any, x: Any, cs: Any, h: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any, peephole: bool,
    **_: Any,
) -> Any:  # fmt: skip
    return F.block_lstm_grad(x, cs, h, w, wci, wcf, wco, b, *y, dy[1], dy[6], peephole=peephole)


kernel("block_lstm_grad", "BlockLSTMGrad", forward=_lstm_grad, gradient=MISSING)
_KERNELS = {name: kernel(f"f_{name}", name, forward=_lstm, gradient=_gradient) for name in ("BlockLSTM", "BlockLSTMV2")}


def _misfit(x: Shape, cs: Shape, h: Shape, w: Shape, wci: Shape, wcf: Shape, wco: Shape, b: Shape) -> str | None:
    """Sequences, states, weights and biases of one batch, of as many inputs and as many cells."""
    ranked = {"x": (3, x), "cs_prev": (2, cs), "h_prev": (2, h), "w": (2, w)}
    peepholes = {"wci": wci, "wcf": wcf, "wco": wco}
    for word, (rank, shape) in {**ranked, **{k: (1, v) for k, v in peepholes.items()}, "b": (1, b)}.items():
        if len(shape) != rank:
            return f"{word} must be {rank}D"
    batch, inputs, cells = x[1], x[2], cs[1]
    for word, axis, want_word, want, shape in (
        ("cs_prev.dims(0)", 0, "batch_size", batch, cs), ("h_prev.dims(0)", 0, "batch_size", batch, h),
        ("h_prev.dims(1)", 1, "cell_size", cells, h),
        ("w.dim_size(0)", 0, "input_size + cell_size", inputs + cells, w),
        ("w.dim_size(1)", 1, "cell_size * 4", 4 * cells, w),
        ("b.dim_size(0)", 0, "cell_size * 4", 4 * cells, b),
        *((f"{k}.dim_size(0)", 0, "cell_size", cells, v) for k, v in peepholes.items()),
    ):  # fmt: skip
        if shape[axis] != want:
            return f"{word} != {want_word}: {shape[axis]} vs. {want}"
    return None


def _run(name: str, seq_len_max: Any, operands: tuple, **how: Any) -> tuple[EagerTensor, ...]:
    tensors = [convert_to_tensor(v) for v in operands]
    op = _KERNELS[name]
    op.op.check(tensors[0]._a.dtype)
    misfit = _misfit(*(t._a.shape for t in tensors))
    if misfit:
        raise invalid(name, misfit)
    if int(convert_to_tensor(seq_len_max)._a) != tensors[0]._a.shape[0]:
        raise NotImplementedError(f"{name} is here for sequences of the length of their inputs")
    return op(*tensors, **how)


@public("raw_ops.BlockLSTM")
def BlockLSTM(
    *, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
    forget_bias: float = 1, cell_clip: float = 3, use_peephole: bool = False, name: str | None = None,
) -> BlockLSTMOutput:  # fmt: skip
    """Gates, states and outputs of every step; the gates stand as input, candidate, forget, output."""
    how = {"order": FIRST, "forget": float(forget_bias), "clip": float(cell_clip), "peephole": bool(use_peephole)}
    return BlockLSTMOutput(*_run("BlockLSTM", seq_len_max, (x, cs_prev, h_prev, w, wci, wcf, wco, b), **how))


@public("raw_ops.BlockLSTMV2")
def BlockLSTMV2(
    *, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
    cell_clip: float = 0, use_peephole: bool = False, name: str | None = None,
) -> BlockLSTMV2Output:  # fmt: skip
    """As BlockLSTM, without a bias for the forget gate; the gates stand as input, forget, candidate, output."""
    how = {"order": SECOND, "forget": 0.0, "clip": float(cell_clip), "peephole": bool(use_peephole)}
    return BlockLSTMV2Output(*_run("BlockLSTMV2", seq_len_max, (x, cs_prev, h_prev, w, wci, wcf, wco, b), **how))
