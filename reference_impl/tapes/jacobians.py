"""jacobian and batch_jacobian of a tape: walks with one row of the target's identity at a time, or many at once.

TensorFlow makes a graph of one row's gradient and vectorizes that; errors in it come out marked "in user code".  Here
a walk carries a batch of upstream rows where no user function and no recording tape is involved (see rows.py).
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from .. import nest
from ..dtypes import is_trainable
from ..errors import InvalidArgumentError, OpError
from ..foundation.graph_errors import dtype_error
from ..foundation.staging import raised_by_user, staged
from ..foundation.warnings_log import Once, held_back, warn
from ..ops.kernels.no_rows import of_slices
from ..ops.scatter import densified
from ..ops.shaping import reshape, reshape_, stack, transpose
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import Resource, ResourceVariable
from .recording import active, active_stack, active_traces
from .records import number_of
from .rows import Rows, Unbatched
from .unvectorized import Spy
from .walk import NOTHING, rows_gradient, warn_of_slices

_CHUNK = 1 << 20  # bytes of upstream gradients that one walk carries
_WHOLE = 1 << 22  # a jacobian of no more bytes is made by one walk

_KEPT = 1 << 13  # elements of an identity that is kept for the next target of this shape

_AGAIN = "You are casting an input"

_USED = "A non-persistent GradientTape can only be used to{}compute one set of gradients (or jacobians)"
_NEEDS_PERSISTENT = (
    "GradientTape must be created with persistent=True to compute the {} with eager execution enabled and {}"
    "experimental_use_pfor set to False."
)
_VECTORIZING = (
    "Encountered an exception while vectorizing the {} computation. Vectorization can be disabled by setting "
    "experimental_use_pfor to False."
)


def jacobian(tape: Any, target: Any, sources: Any, unconnected: Any, parallel: Any, vectorize: bool) -> Any:
    """See GradientTape.jacobian."""
    if tape._tape is None:
        raise RuntimeError(_USED.format(" "))
    single = type(sources) is EagerTensor or type(sources) is ResourceVariable
    flat_sources = [sources] if single else nest.flatten(sources)
    shape = target._a.shape if type(target) is EagerTensor else _shape_of(target)
    size = math.prod(shape)
    rows = _at_once("jacobian", tape, target, 0, flat_sources, unconnected, parallel, size) if vectorize else None
    if rows is not None:
        results = [None if r is None else wrap(r.reshape(shape + r.shape[1:])) for r in rows]
        _check_shapes(target, results, flat_sources)
        return results[0] if single else nest.pack_sequence_as(sources, results)
    with tape._ensure_recording():
        flat_target = reshape(target, [-1])
    if vectorize:
        rows = _vectorized("jacobian", tape, flat_target, 0, flat_sources, unconnected, parallel, size)
    else:
        if not tape._persistent:
            raise RuntimeError(_NEEDS_PERSISTENT.format("jacobian", "with  "))
        if not size:
            return _of_nothing(target, sources, flat_sources)
        rows = _one_by_one(tape, flat_target, 0, flat_sources, unconnected, size)
    results = [None if r is None else _shaped(r, shape + r._a.shape[1:]) for r in rows]
    _check_shapes(target, results, flat_sources)
    return nest.pack_sequence_as(sources, results)


def _shape_of(target: Any) -> tuple[int, ...]:
    shape = target.shape
    return tuple(convert_to_tensor(target).shape if getattr(shape, "rank", 0) is None else shape)


def _check_shapes(target: Any, results: list, sources: list) -> None:
    """ValueError for a jacobian of another shape than the target's and its source's: a gradient had a wrong one."""
    for r, source in zip(results, sources):
        if r is None:
            continue
        have = source._a.shape if type(source) is EagerTensor else tuple(source.shape)
        rank = target._a.ndim if type(target) is EagerTensor else target.shape.rank
        if r._a.shape[rank:] != have:
            want = target.shape.concatenate(source.shape)
            raise ValueError(f"Tensor's shape {r.shape} is not compatible with supplied shape {want}.")


def _of_nothing(target: Any, sources: Any, flat_sources: list) -> Any:
    """What TensorFlow's loop without a turn makes of a target without elements: right for one scalar source only."""
    row = wrap(np.zeros((0,), np.float32))  # of no asked dtype
    if len(flat_sources) > 1:
        kinds = [target.dtype] * len(flat_sources)
        raise ValueError(
            f"Could not pack sequence. Structure had {len(kinds)} atoms, but flat_sequence had 1 items.  Structure: "
            f"{kinds}, flat_sequence: {[row]}."
        )
    for source in flat_sources:
        if source.shape.rank:
            want = target.shape.concatenate(source.shape)
            raise ValueError(f"Tensor's shape {target.shape} is not compatible with supplied shape {want}.")
    return nest.pack_sequence_as(sources, [wrap(np.zeros(target._a.shape, np.float32)) for _ in flat_sources])


def batch_jacobian(tape: Any, target: Any, source: Any, unconnected: Any, parallel: Any, vectorize: bool) -> Any:
    """See GradientTape.batch_jacobian."""
    if tape._tape is None:
        raise RuntimeError(_USED.format(""))
    shape, source_shape = _shapes_of_batches(target, source)
    first = shape[0]
    size = math.prod(shape) // first
    new_shape = (*shape, *source_shape[1:])
    found = _at_once("batch_jacobian", tape, target, 1, [source], unconnected, parallel, size) if vectorize else None
    if found is not None:
        if found[0] is None:
            return wrap(np.zeros(new_shape, target._a.dtype))
        rows = found[0].swapaxes(0, 1).copy()
        return wrap(rows.reshape(new_shape)) if rows.size == math.prod(new_shape) else reshape(wrap(rows), new_shape)
    with tape._ensure_recording():
        flat_target = reshape(target, [first, size])
    if vectorize:
        rows = _vectorized("batch_jacobian", tape, flat_target, 1, [source], unconnected, parallel, size)[0]
    else:
        if not tape._persistent:
            raise RuntimeError(_NEEDS_PERSISTENT.format("batch_jacobian", " with "))
        if not size:  # as in _of_nothing
            return wrap(np.zeros(new_shape, np.float32))
        rows = _one_by_one(tape, flat_target, 1, [source], unconnected, size)[0]
    if rows is None or not is_trainable(flat_target._a.dtype):
        return wrap(np.zeros(new_shape, flat_target._a.dtype))
    if rows._a.size % max(size * first, 1):
        reshape(rows, [size, first, -1])  # raises
    rows = _shaped(rows, (size, first, rows._a.size // max(size * first, 1)))
    return _shaped(transpose(rows, [1, 0, 2]), new_shape)


def _shapes_of_batches(target: Any, source: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shapes of two tensors with as many examples.  TensorFlow's errors for others."""
    if type(target) is EagerTensor and type(source) is EagerTensor:
        shape, source_shape = target._a.shape, source._a.shape
        if len(shape) > 1 < len(source_shape) and shape[0] == source_shape[0]:
            return shape, source_shape
    static = target.shape
    first = static.as_list()[0]
    static.with_rank_at_least(2)
    static_source = source.shape.with_rank_at_least(2)
    if first != static_source[0]:
        raise ValueError(
            f"Need first dimension of target shape ({static}) and source shape ({static_source}) to match."
        )
    return tuple(static), tuple(static_source)


def _shaped(rows: EagerTensor, shape: tuple[int, ...]) -> EagerTensor:
    return reshape_(rows, shape=shape)


def _seed(target: EagerTensor, axis: int, k: int) -> EagerTensor:
    """The upstream that picks element (axis 0) or column (axis 1) ``k`` of a flattened target."""
    seed = np.zeros(target._a.shape, target._a.dtype)
    seed[(slice(None),) * axis + (k,)] = 1
    return wrap(_alike(target._a, seed))


def _alike(a: Any, seed: np.ndarray) -> Any:
    """A seed of the array type of ``a``: where that carries error bounds, so must what a linear op makes of seeds."""
    return seed if type(a) is np.ndarray else np.add(np.zeros_like(a, shape=seed.shape), seed)


def _one_by_one(tape: Any, target: EagerTensor, axis: int, sources: list, unconnected: Any, size: int) -> list:
    """One gradient() for each row, as TensorFlow's loop does, stacked."""
    tape._begin_gradient("jacobian")
    recording, tape._recording = tape._recording, False  # what there is to warn of has been said
    try:
        rows = [_row(tape, target, axis, sources, unconnected, k) for k in range(size)]
    finally:
        tape._recording = recording
    return _stacked(rows, sources, size)


def _row(tape: Any, target: EagerTensor, axis: int, sources: list, unconnected: Any, k: int) -> list:
    found = [densified(g) for g in tape.gradient(target, sources, [_seed(target, axis, k)], unconnected)]
    row = [g if g is None or type(g) is EagerTensor else convert_to_tensor(g, dtype_hint=target.dtype) for g in found]
    for g in row:
        if g is not None and g.dtype is not target.dtype:
            text = f"TensorArray dtype is {target.dtype.name} but Op is trying to write dtype {g.dtype.name} "
            raise InvalidArgumentError(None, None, text)
    return row


def _stacked(rows: list, sources: list, size: int) -> list:
    stacked = []
    for k, source in enumerate(sources):
        column = [row[k] for row in rows]
        if any(g is None for g in column):
            stacked.append(None)
        else:
            stacked.append(stack(column) if column else wrap(np.zeros((0, *source.shape), source.dtype.numpy)))
    return stacked


def _vectorized(
    name: str, tape: Any, target: EagerTensor, axis: int, sources: list, unconnected: Any, parallel: Any, size: int
) -> list:
    """All rows from one consumption of the tape; errors as from TensorFlow's traced loop."""
    with _marked(name):
        _check_parallel(name, tape, parallel, size)
        spy = Spy(tape._tape, target)
        try:
            rows = _loop(tape, target, axis, sources, unconnected, size, spy)
        except OpError as error:
            from ..tracing.graph_errors import of_values

            if of_values(error):  # what fails when the traced loop runs has used the tape up
                tape._finish()
            raise
    spy.check()
    return rows


class _marked:
    """Context manager: errors come out as from the loop that TensorFlow traces and vectorizes."""

    __slots__ = ("_around", "_name")

    def __init__(self, name: str):
        self._name = name

    def __enter__(self) -> None:
        active.vectorizing += 1
        self._around, active.around = active.around, active_stack()

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        active.vectorizing -= 1
        active.around = self._around
        if error is None:
            return
        from ..tracing.graph_errors import in_loop, of_values

        if not isinstance(error, Exception):
            return
        own = isinstance(error, OpError) and not raised_by_user(error)
        if own and of_values(error):
            raise in_loop(error) from error.__cause__
        listed = dtype_error(error) if own else None
        if listed is not None:
            raise staged(listed.with_traceback(traceback)) from None
        told = staged(error, ValueError if own else None)
        if type(told) is ValueError:
            raise ValueError(_VECTORIZING.format(self._name)) from told
        raise told from None


def _check_parallel(name: str, tape: Any, parallel: Any, size: int) -> None:
    if parallel is None:
        return
    if parallel < 1:
        raise ValueError(f"Argument `parallel_iterations` must be None or a positive integer. Received: {parallel}.")
    if parallel == 1:
        raise ValueError("Found `parallel_iterations == 1`. Use `for_loop` instead.")
    if parallel <= size and not tape._persistent:
        if name == "batch_jacobian":
            raise RuntimeError(
                "GradientTape must be created with persistent=True to compute the batch_jacobian with "
                "parallel_iterations."
            )
        raise ValueError("None values not supported.")


def _at_once(
    name: str, tape: Any, target: Any, axis: int, sources: list, unconnected: Any, parallel: Any, size: int
) -> list | None:
    """The rows of a jacobian as arrays, by walks that carry many; None when they must be asked one by one.

    That is so while another tape records, and when a rule or a user's gradient takes one upstream gradient only.
    """
    trace, cur = tape._tape, active.cur
    alone = cur is None or (cur is trace and not tape._persistent)
    if not alone or not size or type(target) is not EagerTensor or not is_trainable(target._a.dtype):
        return None
    for s in sources:
        if type(s) is not EagerTensor and hasattr(type(s), "_parts_"):
            return None
    with _marked(name):
        if parallel is not None:
            _check_parallel(name, tape, parallel, size)
        if tape._recording:
            tape._begin_gradient("jacobian")
        flat = tape._checked(target, sources)[3]
        zero = tape._fills_with_zeros(unconnected)
        tape._check_core([target], flat)
        log = held_back()
        try:
            with log:
                rows = _batched(trace, target, axis, flat, size, log)
        except Unbatched:
            return None
        except Exception as error:
            if _found_when_it_runs(error):  # the tape was used up when the loop was made
                tape._finish()
            _write_before(log.texts, error)
            _spend(trace, tape._persistent)
            raise
        if log.texts:
            _write(log.texts)
        tape._finish()
    if zero:
        values = map(_value, flat)
        return [np.zeros((size, *v.shape), v.dtype) if r is None else r for r, v in zip(rows, values)]
    return rows


def _spend(trace: Any, persistent: bool) -> None:
    """After a walk that failed: it has consumed what was recorded, not what was watched, unless the tape persists."""
    if not persistent:
        trace.spend(number_of(trace.records))


def _write(texts: list[str]) -> None:
    """Write warnings as TensorFlow does: those about casts come again when the graph of one row is vectorized."""
    again = [text for text in reversed(texts) if text.startswith(_AGAIN) and type(text) is not Once]
    for text in texts + again:
        warn(text)


def _batched(trace: Any, target: EagerTensor, axis: int, sources: list, size: int, log: held_back) -> list:
    """Rows by walks with as many rows of the identity as make about a megabyte."""
    a = target._a
    widest = a.size
    for s in sources:
        widest = max(widest, _value(s).size)
    widest *= a.dtype.itemsize
    if size * widest <= _WHOLE:
        small = size * a.size <= _KEPT
        identity = _kept_identity(a.shape, a.dtype, axis, size) if small else _identity(a.shape, a.dtype, axis, 0, size)
        rows = Rows(identity if type(a) is np.ndarray else _alike(a, identity))
        return [_all_rows(f, size) for f in rows_gradient(trace, target, sources, rows)]
    columns: list[Any] = [None] * len(sources)
    chunk = max(1, _CHUNK // widest)
    for start in range(0, size, chunk):
        stop = min(start + chunk, size)
        found = rows_gradient(trace, target, sources, Rows(_alike(a, _identity(a.shape, a.dtype, axis, start, stop))))
        log.enough()
        for k, f in enumerate(found):
            rows = _all_rows(f, stop - start)
            if rows is not None:
                if columns[k] is None:
                    columns[k] = np.empty((size, *rows.shape[1:]), rows.dtype)
                columns[k][start:stop] = rows
    return columns


def _all_rows(found: Any, count: int) -> Any:
    """What a walk with ``count`` rows gave for a source, as one array; None when nothing arrived."""
    if found is NOTHING or found is None:
        return None
    if type(found) is not Rows:
        return np.broadcast_to(found, (count, *found.shape))
    a = found.a
    return a.copy() if type(a) is np.ndarray and not a.flags.writeable else a  # perhaps the identity that is kept


def _write_before(texts: list[str], error: Exception) -> None:
    """Write the warnings that came before an error: once, for a graph that could not be made is not vectorized."""
    if _found_when_it_runs(error):
        _write(texts)
    else:
        for text in texts:
            warn(text)


def _found_when_it_runs(error: Exception) -> bool:
    """Whether TensorFlow finds an error when the loop over rows runs, rather than when it is made."""
    from ..tracing.graph_errors import of_values

    return isinstance(error, OpError) and of_values(error)


def _value(source: EagerTensor) -> Any:
    """The array of a tensor, or for a variable's handle of what it holds."""
    return source._a.value if type(source._a) is Resource else source._a


def _identity(shape: tuple[int, ...], dtype: Any, axis: int, start: int, stop: int) -> np.ndarray:
    """Upstream rows ``start`` to ``stop``: row k picks element k (axis 0), or element k of every example (axis 1)."""
    count = stop - start
    if axis == 0:
        size = math.prod(shape)
        rows = np.zeros((count, size), dtype)
        rows.reshape(-1)[start :: size + 1] = 1
    else:
        rows = np.zeros((count, shape[0], math.prod(shape[1:])), dtype)
        picked = rows[:, :, start:].diagonal(0, 0, 2)  # a view
        picked.flags.writeable = True
        picked.fill(1)
    return rows.reshape(count, *shape)


@functools.lru_cache(maxsize=32)
def _kept_identity(shape: tuple[int, ...], dtype: Any, axis: int, size: int) -> np.ndarray:
    """All rows for a small target, made once: twentieth part of the time of a small jacobian.  Not to be written to."""
    rows = _identity(shape, dtype, axis, 0, size)
    rows.flags.writeable = False
    return rows


def _loop(
    tape: Any, target: EagerTensor, axis: int, sources: list, unconnected: Any, size: int, spy: Spy
) -> list:  # fmt: skip
    """The rows one by one, for rules that another tape records, or that take no batch; ``spy`` sees the first."""
    tape._begin_gradient("jacobian")
    trace, kept, recording = tape._tape, tape._persistent, tape._recording
    persistent = trace.persistent
    trace.persistent = tape._persistent = True
    tape._recording = False
    rows: list = []
    active.rowless, checked = not size, False
    log = held_back()
    try:
        tape._check_core([target], tape._checked(target, sources)[3])
        checked = True
        with log:
            for k in range(max(size, 1)):
                seeds = [_seed(target, axis, k)] if size else None
                with spy.started(seeds):
                    found = tape.gradient(target, sources, seeds, unconnected)
                    for sparse in [g for g in found if type(g) is IndexedSlices]:
                        warn_of_slices(sparse)
                    log.enough()
                    rows.append([densified(g) for g in found])
                    spy.saw(rows[-1])
        _write(log.texts)
    except Exception as error:
        _write_before(log.texts, error)
        if checked:
            _spend(trace, kept)
        raise
    finally:
        active.rowless = False
        trace.persistent, tape._persistent, tape._recording = persistent, kept, recording
    tape._finish()
    return _stacked(rows, sources, size) if size else _empty(found)


def _empty(row: list) -> list:
    """No rows: an empty jacobian for connected sources, None for the others.

    Tapes around see it made of the row that is not there, so that its gradient is zeros where that depends on a source.
    """
    return [None if g is None else _no_rows(g) for g in row]


def _no_rows(row: Any) -> EagerTensor:
    dense = densified(row)
    made = dense if type(dense) is EagerTensor else convert_to_tensor(dense)
    shape = of_slices(row.values._a.shape) if type(row) is IndexedSlices else made._a.shape
    if dense is not made or not active_traces():
        return wrap(np.zeros((0, *shape), made._a.dtype))
    return reshape_(stack([made])[:0], shape=(0, *shape))
