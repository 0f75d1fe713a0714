"""Recorded jacobians of ops whose gradients have none: ``check_recorded(marks, times)`` raises TensorFlow's errors."""

from __future__ import annotations

from ..foundation.graph_errors import no_gradient
from ..foundation.staging import StagingError, in_user_code

# Ops without a gradient that TensorFlow carries out for all rows at once; for the others it traces a loop.
_VECTORIZED = frozenset(
    (
        "IgammaGradA",
        "SoftsignGrad",
        "SparseSegmentMeanGrad",
        "SparseSegmentSqrtNGrad",
        "SparseSegmentSumGrad",
        "TruncateMod",
    )
)


def check_recorded(marks: list, times: int) -> None:
    """LookupError where a tape records an op of the gradient that has none: it wants a whole row's gradient at once."""
    for trace, start in marks:
        kernels = [record[0].kernel for record in trace.records[start:] if record is not None and record[0].missing]
        if kernels:
            last, count = kernels[-1], kernels.count(kernels[-1]) // times
            place = f"gradient_tape/{last}{f'_{count - 1}' if count > 1 else ''}/pfor"
            if last in _VECTORIZED:
                raise no_gradient(f"{place}/{last}", last)
            raise StagingError(in_user_code(no_gradient(f"{place}/while/{last}", last), []))
