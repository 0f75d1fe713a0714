"""Connectionist temporal classification by the kernel CTCLoss, whose blank is the last class (Graves et al., 2006).

The kernel has two outputs, the loss and its gradient by the logits; a second derivative is refused, as in TensorFlow.
TensorFlow is exact to float32 here for float64 logits too; this one is exact to what it is given.
"""

from __future__ import annotations

from collections import namedtuple
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from .declare import kernel, public

CTCLossOutput = namedtuple("CTCLoss", ("loss", "gradient"))
_NO_SECOND = (
    "Currently there is no way to take the second  derivative of ctc_loss due to the fused implementation's "
    "interaction  with tf.gradients()"
)
_ULPS = 64.0  # how far those may be off, relative to a probability


def _expanded(labels: list[int], blank: int) -> np.ndarray:
    """The labels with blanks around and between them."""
    found = np.full(2 * len(labels) + 1, blank)
    found[1::2] = labels
    return found


def _later(a: Any, by: int) -> Any:
    """The elements moved on by so many places; zeros before them."""
    return np.concatenate([np.zeros(by, a.dtype), a[:-by]])


def _forward(y: Any, path: np.ndarray, blank: int, merge: bool) -> list[Any]:
    """For each time the probability of what was seen so far, ending at each place of the path."""
    places = np.arange(path.size)
    before = np.concatenate([[-1, -1], path[:-2]])[: path.size]
    stays = ((path == blank) | merge).astype(y.dtype)
    skips = ((path != blank) & (places > 1) & ~(merge & (path == before))).astype(y.dtype)
    seen = [y[0][path] * (places < 2).astype(y.dtype)]
    for t in range(1, y.shape[0]):
        last = seen[-1]
        seen.append(y[t][path] * (stays * last + _later(last, 1) + skips * _later(last, 2)))
    return seen


def _backward(y: Any, path: np.ndarray, blank: int, merge: bool) -> list[Any]:
    """For each time the probability of what is still to come from each place of the path: the path read backwards."""
    turned = _forward(y[::-1], path[::-1], blank, merge)
    return [one[::-1] for one in reversed(turned)]


def _one(x: Any, labels: list[int], merge: bool, dtype: np.dtype) -> tuple[Any, Any]:
    """Loss and gradient of one sequence of logits (time, classes)."""
    blank = x.shape[-1] - 1
    powers = np.exp(x - np.maximum.reduce(x, axis=-1, keepdims=True))
    y = powers / np.add.reduce(powers, axis=-1, keepdims=True)
    if _needed(labels, merge) > x.shape[0]:  # no path: an infinite loss, and the gradient of its normalization alone
        return dtype.type(np.inf), _loosened(y, dtype).astype(dtype)
    path = _expanded(labels, blank)
    ahead, behind = _forward(y, path, blank, merge), _backward(y, path, blank, merge)
    whole = _loosened(np.add.reduce(ahead[-1][max(path.size - 2, 0) :]), dtype)
    hot = (path[:, None] == np.arange(blank + 1)).astype(x.dtype)
    shares = [np.matmul(ahead[t] * behind[t] / y[t][path] / whole, hot) for t in range(x.shape[0])]
    slope = _loosened(y, dtype) - _loosened(np.stack(shares), dtype)
    return _loosened(-np.log(whole), dtype).astype(dtype), slope.astype(dtype)


def _loosened(x: Any, dtype: np.dtype) -> Any:
    """An array with an error bound is told that other implementations add logarithms in the dtype itself."""
    own = getattr(type(x), "__loosen__", None)
    return x if own is None else own(x, _ULPS * float(np.finfo(dtype).eps / np.finfo(x.dtype).eps))


def _loss(x: Any, labels: tuple, lengths: tuple[int, ...], merge: bool) -> tuple:
    dtype, losses, slopes = x.dtype, [], []
    wide = x.astype(np.float64)
    for b, (own, length) in enumerate(zip(labels, lengths)):
        loss, slope = _one(wide[:length, b], list(own), merge, dtype)
        losses.append(loss)
        slopes.append(np.concatenate([slope, np.zeros((x.shape[0] - length, x.shape[-1]), dtype)]))
    return np.stack(losses), np.stack(slopes, axis=1)


def _gradient(F: Any, dy: Any, y: Any, _x: Any, **_: Any) -> Any:
    slope = F.prevent_gradient(y[1], message=_NO_SECOND)
    return F.reshape(dy[0], shape=(*F.shape(dy[0]), 1)) * slope


ctc_loss_ = kernel("ctc_loss_kernel", "CTCLoss", forward=_loss, gradient=_gradient)


def _collapsed(labels: list[int]) -> list[int]:
    return [one for k, one in enumerate(labels) if k == 0 or one != labels[k - 1]]


def _needed(labels: list[int], merge: bool) -> int:
    """The least time that the labels take: a blank goes between equal ones that would be merged."""
    return len(labels) + (sum(a == b for a, b in pairwise(labels)) if merge else 0)


def _check(labels: list[list[int]], lengths: tuple[int, ...], times: int) -> None:
    """InvalidArgumentError as TensorFlow's kernel raises it, which forgets the blanks between equal labels."""
    for b, (own, length) in enumerate(zip(labels, lengths)):
        if length > times:
            raise invalid("CTCLoss", f"sequence_length({b}) <= {times}")
        if not own:
            raise invalid("CTCLoss", f"Labels length is zero in batch {b}")
        if len(own) > length:
            text = f"Not enough time for target transition sequence (required: {len(own)}, available: {length})"
            hint = "You can turn this error into a warning by using the flag ignore_longer_outputs_than_inputs"
            raise invalid("CTCLoss", f"{text}{b}{hint}")


def _refuse(misfit: str | None) -> None:
    if misfit is not None:
        raise invalid("CTCLoss", misfit)


def _misfit(x: tuple[int, ...], indices: Any, values: Any, times: Any) -> str | None:
    """Arguments of other ranks than the kernel's."""
    if len(x) != 3:
        return "inputs is not a 3-Tensor"
    for word, what, rank, given in (
        ("sequence_length", "vector", 1, times), ("labels_indices", "matrix", 2, indices),
        ("labels_values", "vector", 1, values),
    ):  # fmt: skip
        if given.ndim != rank:
            return f"{word} is not a {what}"
    return None


def _outside(indices: Any, batch: int, classes: int, values: Any, times: Any) -> str | None:
    """Numbers that do not go with the logits: of axes, of sequences, of a label's place."""
    if indices.shape[1] < 2:
        return f"labels_indices second dimension must be >= 1. Received {indices.shape[1]}"
    if len(times) != batch:
        return f"len(sequence_length) != batch_size.  len(sequence_length):  {len(times)} batch_size: {batch}"
    most = indices.max(axis=0, initial=0)[1] + 1
    for k, (row, place) in enumerate(indices[:, :2]):
        if not 0 <= row < batch or place < 0:
            where = f"indices[{k}] = [{row},{place}] is out of bounds: need 0 <= index < [{batch},{most}]"
            return f"label SparseTensor is not valid: {where}"
    for b in range(batch):
        own = values[indices[:, 0] == b]
        wrong = np.nonzero(own >= classes - 1)[0]
        if wrong.size and wrong[0] + 1 < len(own):
            labels = f"labels: {','.join(map(str, own))} labels seen so far: {','.join(map(str, own[: wrong[0]]))}"
            text = f"Saw a non-null label (index >= num_classes - 1) following a null label, batch: {b}"
            return f"{text} num_classes: {classes} {labels}"
    return None


@public("raw_ops.CTCLoss")
def CTCLoss(
    *, inputs: Any, labels_indices: Any, labels_values: Any, sequence_length: Any,
    preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False, name: str | None = None,
) -> CTCLossOutput:  # fmt: skip
    """The loss of each sequence of logits (time, batch, classes) against its labels, and its gradient.

    InvalidArgumentError where a sequence is too short for its labels or has none.
    """
    x = convert_to_tensor(inputs)
    ctc_loss_.op.check(x._a.dtype, name)
    indices, values, times = (
        np.asarray(convert_to_tensor(v)._a) for v in (labels_indices, labels_values, sequence_length)
    )
    _refuse(_misfit(x._a.shape, indices, values, times))
    if len(indices) != len(values):
        shapes = f"[{','.join(map(str, indices.shape))}] vs. [{len(values)}]"
        text = "labels_indices and labels_values must contain the same number of rows, but saw shapes: "
        raise invalid("CTCLoss", text + shapes)
    _refuse(_outside(indices, x._a.shape[1], x._a.shape[2], values, times))
    for k in range(1, len(indices)):
        if (indices[k] == indices[k - 1]).all():
            place = ",".join(map(str, indices[k]))
            raise invalid("CTCLoss", f"label SparseTensor is not valid: indices[{k}] = [{place}] is repeated")
    lengths = tuple(int(n) for n in times)
    labels: list[list[int]] = [[] for _ in lengths]
    for (b, _place), label in zip(indices, values):
        labels[int(b)].append(int(label))
    _check(labels, lengths, x._a.shape[0])
    if preprocess_collapse_repeated:
        labels = [_collapsed(one) for one in labels]
    if ignore_longer_outputs_than_inputs:
        raise NotImplementedError("sequences that are too short for their labels are not left out here")
    merge = bool(ctc_merge_repeated)
    return CTCLossOutput(*ctc_loss_(x, labels=tuple(map(tuple, labels)), lengths=lengths, merge=merge))
