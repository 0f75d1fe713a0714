"""Recorded jacobians of ops whose gradients have none: ``Spy`` learns what TensorFlow's function is made of.

TensorFlow makes the rows of a jacobian by a function that it calls at once.  A tape that knows anything the function
captures wants the function's gradient, made together with it, and cannot have it where an op in the function has none:
LookupError.  An op that cannot be carried out for all rows at once stands in a loop within the function; where second
derivatives of the loop may be asked, its gradient is made while the function is traced, whence StagingError.
"""

from __future__ import annotations

import operator
from collections import deque

from ..dtypes import is_trainable
from ..errors import InvalidArgumentError
from ..foundation.graph_errors import dtype_error, no_gradient
from ..foundation.staging import StagingError, in_user_code
from ..foundation.warnings_log import held_back, warn
from ..tensors.tensor import EagerTensor
from .collecting import inputs_of
from .recording import UNKNOWN, Several, Trace, active, active_traces, index_of, knows, only, pop, push, watch
from .records import each_record, has_record, record_at
from .walk import imperative_gradient

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


class Spy:
    """Context manager around each row of a recorded jacobian; ``check`` raises what TensorFlow raises.

    It knows the tensors whose values the records of a walk keep, which is what TensorFlow's function captures, and
    looks at the first row.
    """

    __slots__ = ("_captures", "_loop", "_row", "_spy", "_traces")

    def __init__(self, trace: Trace, target: EagerTensor):
        cur = active.cur
        wanted = cur is not None and not (type(cur) is Several and cur.accumulators)
        self._spy = Trace() if wanted else None
        users = wanted and any(record is not None and record[0].user for record in each_record(trace.records))
        self._loop = Trace(watch_accessed=False) if users else None
        self._captures = [target, *_kept(trace, target)] if wanted else []
        self._traces: tuple[Trace, ...] = ()
        self._row: list | None = None

    def started(self, seeds: list | None) -> Spy:
        """The upstreams of the row that comes next."""
        for x in seeds or () if self._loop is not None else ():
            watch(self._loop, x)
        return self

    def __enter__(self) -> Spy:
        if self._loop is not None:
            push(self._loop)
            active.loop, active.around = self._loop, (*active.around, self._loop)
        if self._spy is not None and self._row is None:
            for x in self._captures:
                watch(self._spy, x)
            push(self._spy)
            active.around = (*active.around, self._spy)
        return self

    def saw(self, row: list) -> None:
        """What a row gave, told inside the block."""
        if self._spy is not None and self._row is None:
            self._row = row
            self._traces = tuple(t for t in active_traces() if t is not self._spy)

    def __exit__(self, kind: object, *_: object) -> None:
        if self._loop is not None:
            pop(self._loop)
            active.loop = None
        if self._spy is not None:
            pop(self._spy)
        if kind is not None:
            self._end()

    def _end(self) -> None:
        for trace in (self._spy, self._loop):
            if trace is not None:
                trace.end()

    def check(self) -> None:
        """LookupError or StagingError for an op without a gradient in a function that a tape wants to differentiate.

        TypeError for an op whose gradient is computed by a kernel that does not take the dtype.  Warnings of casts in
        the function's gradient, which is made once, or three times where second derivatives may be asked.
        """
        if self._spy is None:
            return
        row = [x for x in self._row or () if type(x) is EagerTensor and x._n is not None]
        ops = [record[0] for record in each_record(self._spy.records) if record is not None]
        missing = any(op.missing for op in ops)
        narrow = any(x._a.dtype.itemsize == 2 for x in self._captures)
        casts = any(op.kernel == "Cast" for op in ops)
        try:
            if missing and self._captured():
                self._judge([x._n for x in row])
            if (narrow or casts) and self._captured():
                with held_back() as log:
                    self._check_dtypes(row)
                for text in log.texts * (3 if self._known_twice(self._captures) else 1):
                    warn(text)
        finally:
            self._end()

    def _captured(self) -> bool:
        """True when a tape knows something that the function captures."""
        return any(knows(t, x) for x in self._captures for t in self._traces)

    def _judge(self, outputs: list) -> None:
        for i in self._converted(outputs):
            record = self._spy_record(i)
            if record[0].missing and record[0].kernel not in _VECTORIZED and self._second_order(record):
                raise StagingError(in_user_code(self._error(i), []))
        for i in self._backward(outputs):
            if self._spy_record(i)[0].missing:
                raise self._error(i)

    def _check_dtypes(self, row: list) -> None:
        """TypeError where the gradient of the rows by what the function captures has no kernel for a dtype."""
        assert self._spy is not None
        with only(Trace()):  # so that the gradient is made by ops, which look at dtypes
            try:
                imperative_gradient(self._spy, row, self._captures, [])
            except InvalidArgumentError as error:
                refused = dtype_error(error)
                if refused is not None:
                    raise refused from None

    def _spy_record(self, i: int) -> tuple:
        assert self._spy is not None
        record = record_at(self._spy.records, i)
        assert record is not None
        return record

    def _converted(self, outputs: list) -> list[int]:
        """The records the outputs depend on, in the order in which TensorFlow vectorizes them."""
        done: dict[int, None] = {}
        for output in made_by(outputs, self._spy):
            stack = [output]
            while stack:
                left = [j for j in made_by(inputs_of(self._spy_record(stack[-1])), self._spy) if j not in done]
                if left:
                    stack += left
                else:
                    done[stack.pop()] = None
        return list(done)

    def _backward(self, outputs: list) -> list[int]:
        """The same records, in the order in which a gradient walks back over them."""
        waiting = dict.fromkeys(self._converted(outputs), 0)
        for i in waiting:
            for j in made_by(inputs_of(self._spy_record(i)), self._spy):
                waiting[j] += 1
        ready, order = deque(dict.fromkeys(i for i in made_by(outputs, self._spy) if not waiting[i])), []
        while ready:
            order.append(ready.popleft())
            for j in made_by(inputs_of(self._spy_record(order[-1])), self._spy):
                waiting[j] -= 1
                if not waiting[j]:
                    ready.append(j)
        return order

    def _second_order(self, record: tuple) -> bool:
        """True when second derivatives by an op's inputs may be asked: two tapes know them, or a persistent one."""
        return _often([t for t in self._traces if any(index_of(n, t) != UNKNOWN for n in inputs_of(record))])

    def _known_twice(self, tensors: list) -> bool:
        """The same of tensors."""
        return _often([t for t in self._traces if any(knows(t, x) for x in tensors)])

    def _before(self, record: tuple) -> list:
        """The records of the row before this one; after a user's gradient, what rests on no capture is one of them."""
        traces = [t for t in (self._loop, self._spy) if t is not None]
        for trace in traces:
            records = [*each_record(trace.records)]
            for j, one in enumerate(records):
                if one is not None and all(map(operator.is_, one, record)):  # they keep what they made
                    return records[:j]
        raise AssertionError

    def _error(self, i: int) -> LookupError:
        record = self._spy_record(i)
        kernel = record[0].kernel
        earlier = sum(r is not None and r[0].kernel == kernel for r in self._before(record))
        place = f"gradient_tape/{kernel}{f'_{earlier}' if earlier else ''}/pfor"
        return no_gradient(f"{place}/{'' if kernel in _VECTORIZED else 'while/'}{kernel}", kernel)


def _often(knowing: list) -> bool:
    return len(knowing) > 1 or any(t.persistent for t in knowing)


def made_by(nodes: list, trace: Trace) -> list[int]:
    """The records of a trace that made these nodes."""
    return [i for n in nodes if (i := index_of(n, trace)) >= 0 and has_record(trace.records, i)]


def _kept(trace: Trace, target: EagerTensor) -> list[EagerTensor]:
    """The tensors whose values are kept by the records that a target depends on."""
    left, reached, kept = made_by([target._n] if target._n is not None else [], trace), set(), []
    while left:
        i = left.pop()
        record = record_at(trace.records, i)
        if i in reached or record is None:
            continue
        reached.add(i)
        left += made_by(inputs_of(record), trace)
        parts = [x for p in record[1:4] for x in (p if type(p) is tuple else (p,))]
        kept += [x for x in parts if type(x) is EagerTensor and x._a.dtype.names is None and is_trainable(x._a.dtype)]
    return kept
