"""What a wrong upstream meets in a function whose second derivative is possible: zeros of the right shape.

TensorFlow makes the values that the gradient of a function uses outputs of the function.  They receive zeros, which
are added to what arrives at those values: that shows where it has another shape, and in signs of zeros.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..dtypes import is_trainable
from ..errors import invalid
from ..ops.declare import used_values
from ..ops.kernels.refusals import of_unlike_inputs
from ..tapes.collecting import inputs_of
from ..tapes.recording import UNKNOWN, Trace, index_of
from ..tapes.records import each_record
from ..tapes.walk import imperative_gradient
from ..tensors.tensor import EagerTensor

# ops whose gradients use no value
_OF_SHAPES = {
    "AddN", "BiasAdd", "BroadcastTo", "Cast", "ConcatV2", "Cumsum", "Diag", "DiagPart", "ExpandDims", "Fill",
    "Gather", "GatherNd", "GatherV2", "Identity", "IdentityN", "MatrixBandPart", "MatrixDiagPartV3", "MatrixDiagV3",
    "Mean", "MirrorPad", "OnesLike", "Pack", "Pad", "PadV2", "Reshape", "ReverseV2", "Roll", "ScatterNd", "Slice",
    "Split", "SplitV", "Squeeze", "StridedSlice", "Sum", "Tile", "Transpose", "Unpack", "UnsortedSegmentSum",
    "ZerosLike",
}  # fmt: skip


def check_values(trace: Trace, outputs: list, seeds: list) -> None:
    """InvalidArgumentError where the gradient that arrives at a value that the trace's gradients use has another shape.

    ``seeds`` are the upstream gradients of the trainable ones of ``outputs``.
    """
    targets = [y for y in outputs if is_trainable(y._a.dtype)]
    values = list(used(trace))
    for y, dy in zip(targets, seeds):
        if any(y is value for value in values):
            _check(trace, outputs, y, dy)
    for value, found in zip(values, imperative_gradient(trace, targets, values, seeds)):
        if type(found) is EagerTensor:
            _check(trace, outputs, value, found)


def check_stands(trace: Trace, shaped: Trace, outputs: list, seeds: list) -> None:
    """The same for the derivative of a function that was given upstreams of another shape.

    ``trace`` is of those; ``shaped`` of upstreams of the shape that the graph has, by which it knows what to send.
    """
    values, known = list(used(trace)), list(used(shaped))
    unlike = [(a, b) for a, b in zip(values, known) if a._a.shape != b._a.shape] if len(values) == len(known) else []
    targets = [y for y in outputs if is_trainable(y._a.dtype)]
    for (value, _), found in zip(unlike, imperative_gradient(shaped, targets, [b for _, b in unlike], seeds)):
        if type(found) is EagerTensor:
            _check(trace, outputs, value, found)


def _check(trace: Trace, outputs: list, value: EagerTensor, arrived: EagerTensor) -> None:
    if arrived._a.shape == value._a.shape:
        return
    k = _arrivals(trace, value, outputs)
    raise invalid("AddN", of_unlike_inputs("AddN", arrived._a.shape, k, value._a.shape))


def used(trace: Trace) -> Iterator[EagerTensor]:
    """The values, newest first, each once."""
    seen = set()
    for record in reversed([*each_record(trace.records)]):
        skipped = record is None or record[0].user or record[0].kernel in _OF_SHAPES
        for x in () if skipped else used_values(record):
            if id(x) not in seen and is_trainable(x._a.dtype) and x._n is not None:
                seen.add(id(x))
                if index_of(x._n, trace) != UNKNOWN:
                    yield x


def _arrivals(trace: Trace, value: EagerTensor, outputs: list) -> int:
    """How many gradients arrive at a value: one for each use."""
    found = sum(y is value for y in outputs)
    for record in filter(None, each_record(trace.records)):
        found += sum(node is value._n for node in inputs_of(record))
    return found
