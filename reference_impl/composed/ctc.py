"""Connectionist temporal classification (``tf.nn``): the loss of sequences of labels, and decoding by the best class.

The loss of dense labels goes forward and backward over a graph of states in logarithms, as TensorFlow's does (Graves et
al., 2006); its gradient is the posterior of the classes, given by ``custom_gradient``. A label sequence of length n has
2 (n + 1) states: a start, n labels, and a blank after each of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import float32
from ..ops.arithmetic import exp, log
from ..ops.casting import cast
from ..ops.ctc import CTCLoss
from ..ops.declare import NAMES, public
from ..ops.gathering import gather
from ..ops.making import one_hot, sequence_mask, zeros
from ..ops.reductions import reduce_sum
from ..ops.scattering import scatter_nd
from ..ops.selection import where
from ..ops.shaping import concat, reshape, stack
from ..ops.shaping import transpose as _transpose
from ..ops.softmax import log_softmax
from ..ops.squeezing import expand_dims, squeeze
from ..ops.statistics import reduce_logsumexp
from ..ops.tiling import pad, tile
from ..sparse.tensor import SparseTensor
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from ..user_gradients.custom_gradients import custom_gradient

_NEVER = float(np.float32(np.log(np.float64(1e-307))))  # the logarithm of what cannot be, kept finite


def _impossible() -> EagerTensor:
    return wrap(np.float32(-np.inf))


# ------------------------------------------------------------------------------------------------ the graph of states


def _transitions(labels: np.ndarray) -> EagerTensor:
    """(batch, to, from): from which states each may be reached in one step, as numbers 0 and 1."""
    batch, count = labels.shape
    own = np.arange(count + 1)
    blanks, size = own + count + 1, 2 * (count + 1)
    found = np.zeros((batch, size, size), np.float32) + np.eye(size, dtype=np.float32)
    found[:, 1, 0] += 1
    found[:, own[1:], blanks[:-1]] += 1
    found[:, blanks, own] += 1
    found[:, own[2:], own[1:-1]] += 1 - (labels[:, :-1] == labels[:, 1:])
    return wrap(found)


def _ends(lengths: np.ndarray, most: int) -> tuple[EagerTensor, EagerTensor]:
    """(batch, states): logarithms of the chances to begin and to end in each state."""
    batch, own = len(lengths), most + 1
    first = np.full((batch, 2 * own), _NEVER, np.float32)
    first[:, 0] = 0.0
    last = np.tile(np.arange(own)[None, :] == lengths[:, None], (1, 2))
    return wrap(first), wrap(np.float32(1 - last) * np.float32(_NEVER))


def _by_state(labels: EagerTensor, classes: int, logs: EagerTensor) -> EagerTensor:
    """(time, batch, states): the logarithm of the chance of what each state emits."""
    blank = tile(logs[:, :, :1], [1, 1, labels._a.shape[1] + 1])
    hot = expand_dims(one_hot(labels, classes), 0)
    own = reduce_sum(expand_dims(logs, 2) * hot, 3)
    return pad(concat([own, blank], 2), [[0, 0], [0, 0], [1, 0]], constant_values=_impossible())


def _by_class(labels: EagerTensor, classes: int, states: EagerTensor) -> EagerTensor:
    """(time, batch, classes): the chances of states added up by what they emit, in logarithms."""
    own = labels._a.shape[1] + 1
    hot = one_hot(labels - 1, classes - 1, on_value=0.0, off_value=_impossible())
    by_label = reduce_logsumexp(expand_dims(states[:, :, 1:own], 3) + expand_dims(hot, 0), 2)
    return concat([reduce_logsumexp(states[:, :, own:], 2, keepdims=True), by_label], -1)


def _by_unique_class(labels: EagerTensor, classes: int, states: EagerTensor, unique: Any) -> EagerTensor:
    """As ``_by_class``, by adding up equal labels first."""
    own = labels._a.shape[1] + 1
    different, places = (convert_to_tensor(u) for u in unique)
    hot = one_hot(places, own - 1, on_value=0.0, off_value=_impossible(), axis=1)
    added = reduce_logsumexp(expand_dims(states[:, :, 1:own], 2) + hot, -1)
    times, batch = states._a.shape[:2]
    rows = reshape(_transpose(added, [1, 2, 0]), [batch * (own - 1), times])
    where_to = np.asarray(different._a) + np.arange(batch, dtype=different._a.dtype)[:, None] * classes
    where_to = where_to.reshape(-1, 1)
    spread = reshape(scatter_nd(where_to, rows, [batch * classes, times]), [batch, classes, times])
    filled = np.zeros((batch * classes, times), bool)
    filled[where_to[:, 0]] = True
    filled = filled.reshape(batch, classes, times)
    spread = where(wrap(filled), spread, wrap(np.full(filled.shape, -np.inf, np.float32)))
    by_label = _transpose(spread, [2, 0, 1])[:, :, 1:]
    return concat([reduce_logsumexp(states[:, :, own:], 2, keepdims=True), by_label], -1)


# ------------------------------------------------------------------------------------------------ forward and backward


def _stepped(states: EagerTensor, transitions: EagerTensor) -> EagerTensor:
    return reduce_logsumexp(expand_dims(states, 1) + transitions, -1)


def _normalized(states: EagerTensor) -> tuple[EagerTensor, EagerTensor]:
    total = reduce_logsumexp(states, -1, keepdims=True)
    return states - total, total


def _posterior(
    transitions: EagerTensor, ends: tuple[EagerTensor, EagerTensor], seen: EagerTensor, lengths: EagerTensor
) -> tuple[EagerTensor, EagerTensor]:
    """Logarithms of the chances of states given the whole sequence, and of the chance of the labels."""
    first, last = ends
    times, batch = seen._a.shape[:2]
    ahead, states = [], first
    for t in range(times):
        states, _ = _normalized(_stepped(states, transitions) + gather(seen, t))
        ahead.append(states)
    back = _transpose(transitions, [0, 2, 1])
    mask = _transpose(sequence_mask(lengths, times, float32), [1, 0])
    behind, states, total = [last], last, zeros([batch])
    for t in reversed(range(times)):
        inside = gather(mask, t)
        states, added = _normalized(_stepped(states + gather(seen, t), back))
        total = total + squeeze(added, [-1]) * inside
        column = expand_dims(inside, 1)
        states = states * column + last * (1.0 - column)
        behind.append(states)
    before = stack(behind[::-1])
    both = stack(ahead) + before[1:]
    both = both - reduce_logsumexp(both, 2, keepdims=True)
    return both + log(expand_dims(mask, 2)), before[0, :, 0] + total


def _loss_and_slope(logits: EagerTensor, labels: Any, label_length: Any, logit_length: Any, unique: Any) -> tuple:
    classes, times = logits._a.shape[2], logits._a.shape[0]
    logs = log_softmax(logits)
    found = np.asarray(labels._a)
    transitions = log(_transitions(found))
    ends = _ends(np.asarray(label_length._a), found.shape[1])
    states, likelihood = _posterior(transitions, ends, _by_state(labels, classes, logs), logit_length)
    if unique:
        posterior = _by_unique_class(labels, classes, states, unique)
    else:
        posterior = _by_class(labels, classes, states)
    inside = expand_dims(_transpose(sequence_mask(logit_length, times, float32), [1, 0]), 2)
    return -likelihood, (exp(logs) - exp(posterior)) * inside


@custom_gradient
def _dense_loss(logits: Any, labels: Any, label_length: Any, logit_length: Any, *unique: Any) -> Any:
    loss, slope = _loss_and_slope(logits, labels, label_length, logit_length, unique)

    def gradient(upstream: Any) -> list:
        return [reshape(upstream, [1, -1, 1]) * slope, *[None] * (3 + len(unique))]

    return loss, gradient


def _blank_first(logits: EagerTensor, labels: EagerTensor, unique: Any, blank: int) -> tuple:
    """Classes in another order, so that the blank is the first; labels and unique ones follow."""
    logits = concat([logits[:, :, blank : blank + 1], logits[:, :, :blank], logits[:, :, blank + 1 :]], 2)
    labels = where(labels < blank, labels + 1, labels)
    if unique:
        different, places = (convert_to_tensor(u) for u in unique)
        different = where(different < blank, different + 1, different)
        kept = sequence_mask(np.asarray(places._a).max(axis=1) + 1, different._a.shape[1])
        unique = where(kept, different, NAMES["zeros_like"](different)), places
    return logits, labels, unique


def _of_sparse(labels: SparseTensor, logits: Any, logit_length: Any, time_major: bool, blank: int) -> EagerTensor:
    """The loss by the kernel whose blank is the last class."""
    x = convert_to_tensor(logits)
    blank = blank + x._a.shape[2] if blank < 0 else blank
    x = concat([x[:, :, :blank], x[:, :, blank + 1 :], x[:, :, blank : blank + 1]], 2)
    values = labels.values
    values = where(values < blank, values, values - 1)
    x = x if time_major else _transpose(x, [1, 0, 2])
    dtype = x.dtype
    narrow = dtype.name in ("float16", "bfloat16")
    x = cast(x, float32) if narrow else x
    loss = CTCLoss(inputs=x, labels_indices=labels.indices, labels_values=values, sequence_length=logit_length).loss
    return cast(loss, dtype) if narrow else loss


@public("nn.ctc_loss")
def ctc_loss(
    labels: Any, logits: Any, label_length: Any, logit_length: Any, logits_time_major: bool = True, unique: Any = None,
    blank_index: int | None = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Minus the logarithm of the chance of each sequence of labels, dense or a SparseTensor (``tf.nn.ctc_loss``).

    logits are (time, batch, classes), float32. ValueError for a SparseTensor without ``blank_index``.
    """
    if isinstance(labels, SparseTensor):
        if blank_index is None:
            raise ValueError("Argument `blank_index` must be provided when `labels` is a `SparseTensor`.")
        return _of_sparse(labels, logits, logit_length, logits_time_major, blank_index)
    x, labels = convert_to_tensor(logits), convert_to_tensor(labels)
    label_length, logit_length = convert_to_tensor(label_length), convert_to_tensor(logit_length)
    dtype = x.dtype
    narrow = dtype.name in ("float16", "bfloat16")
    x = cast(x, float32) if narrow else x
    x = x if logits_time_major else _transpose(x, [1, 0, 2])
    blank = blank_index or 0
    if blank:
        x, labels, unique = _blank_first(x, labels, unique, blank + x._a.shape[2] if blank < 0 else blank)
    loss = _dense_loss(x, labels, label_length, logit_length, *(unique or ()))
    return cast(loss, dtype) if narrow else loss


# ------------------------------------------------------------------------------------------------ labels and decoding


@public("nn.ctc_unique_labels")
def ctc_unique_labels(labels: Any, name: str | None = None) -> list:
    """The different labels of each row, zeros behind them, and for each label which of these it is.

    (``tf.nn.ctc_unique_labels``), int64 and int32.
    """
    rows = np.asarray(convert_to_tensor(labels)._a)
    different, places = np.zeros(rows.shape, np.int64), np.zeros(rows.shape, np.int32)
    for b, row in enumerate(rows.tolist()):
        order = list(dict.fromkeys(row))
        different[b, : len(order)] = order
        places[b] = [order.index(label) for label in row]
    return [wrap(different), wrap(places)]


@public("nn.collapse_repeated")
def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple[EagerTensor, EagerTensor]:
    """Rows of labels without those that equal the one before, and how many are left (``tf.nn.collapse_repeated``)."""
    given, lengths = convert_to_tensor(labels), convert_to_tensor(seq_length)
    rows = np.asarray(given._a)
    kept = np.concatenate([np.ones((len(rows), 1), bool), rows[:, 1:] != rows[:, :-1]], axis=1)
    kept &= np.arange(rows.shape[1]) < np.asarray(lengths._a)[:, None]
    left = kept.sum(axis=1)
    found = np.zeros((len(rows), int(left.max(initial=0))), rows.dtype)
    found[np.arange(found.shape[1]) < left[:, None]] = rows[kept]
    return wrap(found), cast(wrap(left.astype(np.int32)), lengths.dtype)


def _best(path: list[int], blank: int, merge: bool) -> list[int]:
    previous, found = -1, []
    for label in path:
        if label != blank and not (merge and label == previous):
            found.append(label)
        previous = label
    return found


@public("nn.ctc_greedy_decoder")
def ctc_greedy_decoder(
    inputs: Any, sequence_length: Any, merge_repeated: bool = True, blank_index: int | None = None
) -> tuple[list[SparseTensor], EagerTensor]:
    """The labels along the best class at each time, and minus the sum of its logits (``tf.nn.ctc_greedy_decoder``)."""
    x, lengths = convert_to_tensor(inputs), np.asarray(convert_to_tensor(sequence_length)._a)
    logits = np.asarray(x._a)
    blank = -1 if blank_index is None else blank_index
    blank = blank + logits.shape[2] if blank < 0 else blank
    best = logits.argmax(axis=2)
    paths = [_best(best[:n, b].tolist(), blank, merge_repeated) for b, n in enumerate(lengths.tolist())]
    places = [(b, k) for b, path in enumerate(paths) for k in range(len(path))]
    shape = np.array([len(paths), max(map(len, paths), default=0)], np.int64)
    values = np.array([label for path in paths for label in path], np.int64)
    decoded = SparseTensor(np.array(places, np.int64).reshape(-1, 2), values, shape)
    inside = (np.arange(len(logits))[:, None] < lengths)[..., None]
    top = np.where(inside, logits.max(axis=2, keepdims=True), np.zeros((), logits.dtype))
    return [decoded], wrap(-top.sum(axis=0, dtype=logits.dtype))
