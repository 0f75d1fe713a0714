"""``tf.nn.ctc_beam_search_decoder``: the likeliest labels, whatever the blanks and repetitions between them."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from ..errors import invalid
from ..ops.declare import public
from ..sparse.tensor import SparseTensor
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap

_NEVER = -np.inf


_Path = tuple[int, ...]


def _gone_on(beam: dict[_Path, tuple[Any, Any]], logs: np.ndarray) -> dict[_Path, tuple[Any, Any]]:
    """The paths of a beam after a blank, or their last label again; labels may also come behind a path of the beam."""
    found = {}
    for path, (blank, label) in beam.items():
        again = label
        if path and path[:-1] in beam:
            before_blank, before_label = beam[path[:-1]]
            same = len(path) > 1 and path[-1] == path[-2]
            again = np.logaddexp(again, before_blank if same else np.logaddexp(before_blank, before_label))
        found[path] = (np.logaddexp(blank, label) + logs[-1], again + logs[path[-1]] if path else _NEVER)
    return found


def _step(beam: dict[_Path, tuple[Any, Any]], logs: np.ndarray, width: int) -> dict[_Path, tuple[Any, Any]]:
    """The beam one time further: of each path of labels the logarithms of how likely it is with, without a last blank.

    Paths grow in order of probability.  One that was pushed out of the beam grows no more once the path before it has
    asked for it in vain, as in TensorFlow.
    """
    found = _gone_on(beam, logs)
    heap = [(np.logaddexp(*both), k, path) for k, (path, both) in enumerate(found.items())]
    heapq.heapify(heap)
    lost: set[_Path] = set()
    for path, (blank, label) in beam.items():
        whole = np.logaddexp(blank, label)
        if path in lost or not (len(heap) < width or whole > heap[0][0]):
            continue
        for k, log in enumerate(logs[:-1]):
            grown = (*path, k)
            if grown in found:
                continue
            total = (blank if path and path[-1] == k else whole) + log
            if total > _NEVER and (len(heap) < width or total > heap[0][0]):
                if len(heap) == width:
                    del found[heapq.heappop(heap)[2]]
                found[grown] = (_NEVER, total)
                heapq.heappush(heap, (total, -len(lost) - len(found), grown))
            else:
                lost.add(grown)
    return {path: found[path] for _, _, path in sorted(heap, key=lambda entry: -entry[0])}


def _search(logits: np.ndarray, width: int) -> list[tuple[_Path, Any]]:
    """Paths of labels for [times, classes], the likeliest first, with the logarithms of their probabilities."""
    beam: dict[_Path, tuple[Any, Any]] = {(): (np.float64(0), np.float64(_NEVER))}
    for row in logits.astype(np.float64):
        most = row.max()
        beam = _step(beam, row - most - np.log(np.exp(row - most).sum()), width)
    return [(path, np.logaddexp(*both)) for path, both in beam.items()]


@public("nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[SparseTensor], EagerTensor]:
    """The ``top_paths`` likeliest labels for logits [times, batch, classes], of which the last class is the blank.

    Gives sparse tensors of int64 [batch, labels], one for each rank, and the logarithms of their probabilities [batch,
    top_paths].  No gradient passes.  InvalidArgumentError for more paths than the beam holds.
    """
    logits = np.asarray(convert_to_tensor(inputs)._a)
    lengths = np.asarray(convert_to_tensor(sequence_length)._a).tolist()
    if top_paths > beam_width:
        raise invalid("CTCBeamSearchDecoder", "requested more paths than the beam width.")
    with np.errstate(all="ignore"):
        found = [_search(logits[:n, b], beam_width)[:top_paths] for b, n in enumerate(lengths)]
    if any(len(paths) < top_paths for paths in found):
        raise invalid("CTCBeamSearchDecoder", "Less leaves in the beam search than requested.")
    decoded = []
    for rank in range(top_paths):
        paths = [of_one[rank][0] for of_one in found]
        places = np.array([(b, k) for b, path in enumerate(paths) for k in range(len(path))], np.int64).reshape(-1, 2)
        labels = np.array([label for path in paths for label in path], np.int64)
        shape = np.array([len(paths), max(map(len, paths), default=0)], np.int64)
        decoded.append(SparseTensor(places, labels, shape))
    return decoded, wrap(np.array([[log for _, log in of_one] for of_one in found], logits.dtype))
