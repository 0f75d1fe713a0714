"""Mistakes that tapes are known for: aliasing, stale values, swallowed errors, leaks, mixed rows, lost structure."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.mutants.planting import Edit, exact_walk_only, op, part, regrade, replace, wrap_gradient
from tests.mutants.registry import CLASSIC, Mutant, add, mutant


def change(name: str, sentence: str, *edits: Edit, about: tuple[str, ...] = ()) -> None:
    """Register a classic fault that is a change of the source."""
    add(Mutant(name, sentence, CLASSIC, edits=edits, about=about))


# ---------------------------------------------------------------- memory and aliasing


@mutant("What numpy() gives is the tensor's own memory.")
def numpy_shares_memory(engine: Any) -> None:
    tensor = part(engine, "tensors.tensor").EagerTensor
    tensor.numpy = lambda self: self._a if type(self._a) is np.ndarray and self._a.ndim else self._a[()]


@mutant("Gradients are summed in place, into the first one that arrived.")
def sums_are_in_place(engine: Any) -> None:
    def make(old: Any) -> Any:
        def total(self: Any, values: Any) -> Any:
            first = values[0]
            if type(first) is np.ndarray and first.ndim and first.flags.writeable and type(values[1]) is np.ndarray:
                first += values[1]
                return first if len(values) == 2 else old(self, [first, *values[2:]])
            return old(self, values)

        return total

    exact_walk_only(engine)
    replace(part(engine, "tapes.walk").Walk, "total", make)


@mutant("A value read before an assignment changes with it.")
def read_values_follow_assignments(engine: Any) -> None:
    def make(old: Any) -> Any:
        def store(self: Any, new: Any, *rest: Any) -> Any:
            before = self._handle._a.value
            if type(before) is np.ndarray and before.flags.writeable and before.shape == new.shape:
                before[...] = new
            return old(self, new, *rest)

        return store

    replace(part(engine, "tensors.variable").ResourceVariable, "_store", make)


@mutant("Recorded values are never freed.")
def nothing_is_freed(engine: Any) -> None:
    kept: list[Any] = []

    class Hoard(list):  # type: ignore[type-arg]
        """Records of which none is ever let go."""

        def __setitem__(self, at: Any, value: Any) -> None:
            kept.append(self[at])
            super().__setitem__(at, value)

    def make(old: Any) -> Any:
        def init(self: Any, *args: Any, **kwargs: Any) -> None:
            old(self, *args, **kwargs)
            self.records = Hoard()
            kept.append(self.records)

        return init

    replace(part(engine, "tapes.recording").Trace, "__init__", make)


# ---------------------------------------------------------------- the walk


@mutant("Contributions are added up in reverse order of arrival.")
def sums_in_reverse(engine: Any) -> None:
    exact_walk_only(engine)
    replace(part(engine, "tapes.walk").Walk, "total", lambda old: lambda self, values: old(self, values[::-1]))


@mutant("Of several targets only the first is differentiated.")
def only_the_first_target(engine: Any) -> None:
    def make(old: Any) -> Any:
        return lambda trace, targets, sources, seeds: old(trace, targets[:1], sources, seeds[:1])

    replace(part(engine, "tapes.tape"), "imperative_gradient", make)


@mutant("A gradient that is zero throughout is given as None.")
def zero_becomes_none(engine: Any) -> None:
    nothing = part(engine, "tapes.walk").NOTHING

    def make(old: Any) -> Any:
        def gradient(*args: Any) -> Any:
            found = old(*args)
            return [nothing if hasattr(g, "_a") and g._a.size and not np.any(g._a) else g for g in found]

        return gradient

    replace(part(engine, "tapes.tape"), "imperative_gradient", make)


@mutant("A persistent tape adds every gradient to the last one of the same sources.")
def gradients_accumulate(engine: Any) -> None:
    tape, before = part(engine, "tapes.tape"), {}

    def make(old: Any) -> Any:
        def gradient(trace: Any, targets: Any, sources: Any, seeds: Any) -> Any:
            found = old(trace, targets, sources, seeds)
            if not trace.persistent:
                return found
            key = id(trace), tuple(map(id, sources))
            last = before.get(key)
            if last:
                found = [a + b if hasattr(a, "_a") and hasattr(b, "_a") else a for a, b in zip(found, last)]
            before[key] = found
            return found

        return gradient

    replace(tape, "imperative_gradient", make)


@mutant("A gradient asked at an intermediate value does not flow on to the leaves behind it.")
def intermediate_source_stops_the_flow(engine: Any) -> None:
    walk = part(engine, "tapes.walk").Walk

    def settled(old: Any) -> Any:
        def settle(self: Any, node: Any, op: Any, value: Any) -> Any:
            made = old(self, node, op, value)
            return part(engine, "tapes.walk").NOTHING if node in self.wanted else made

        return settle

    exact_walk_only(engine)
    replace(walk, "settled", settled)


@mutant("A tensor with the same value counts as the same source.")
def equal_values_are_one_source(engine: Any) -> None:
    tape, recording = part(engine, "tapes.tape"), part(engine, "tapes.recording")
    known: dict[Any, Any] = {}

    def watching(old: Any) -> Any:
        def watch(trace: Any, x: Any) -> None:
            old(trace, x)
            if hasattr(x._a, "tobytes"):
                known[id(trace), x._a.dtype, x._a.shape, x._a.tobytes()] = x

        return watch

    def asking(old: Any) -> Any:
        def gradient(trace: Any, targets: Any, sources: Any, seeds: Any) -> Any:
            def twin(x: Any) -> Any:
                a = x._a
                if not hasattr(a, "tobytes") or recording.index_of(recording.node_of(x), trace) != recording.UNKNOWN:
                    return x
                return known.get((id(trace), a.dtype, a.shape, a.tobytes()), x)

            return old(trace, targets, [twin(x) for x in sources], seeds)

        return gradient

    replace(tape, "watch", watching)
    replace(tape, "imperative_gradient", asking)


@mutant("Upstream gradients of one element are not broadcast against, but summed into every element.")
def upstream_is_summed(engine: Any) -> None:
    def make(old: Any) -> Any:
        def seeds(given: Any) -> Any:
            made = old(given)
            tensor = part(engine, "tensors.tensor")
            return [
                g if g is None or not g._a.ndim or g._a.dtype.kind not in "fc"
                else tensor.wrap(np.full_like(g._a, g._a.sum()))
                for g in made
            ]  # fmt: skip

        return seeds

    replace(part(engine, "tapes.tape"), "_seeds", make)


@mutant("Gradients are as wide as float64, whatever the source is.")
def gradients_are_double(engine: Any) -> None:
    wrap = part(engine, "tensors.tensor").wrap

    def make(old: Any) -> Any:
        def gradient(*args: Any) -> Any:
            return [
                wrap(g._a.astype(np.float64)[()]) if hasattr(g, "_a") and g._a.dtype == np.float16 else g
                for g in old(*args)
            ]

        return gradient

    replace(part(engine, "tapes.tape"), "imperative_gradient", make)


# ---------------------------------------------------------------- errors, structure, threads


@mutant("An exception inside the block is swallowed.")
def exceptions_are_swallowed(engine: Any) -> None:
    def make(old: Any) -> Any:
        def leave(self: Any, kind: Any, value: Any, traceback: Any) -> Any:
            old(self, kind, value, traceback)
            return kind is not None

        return leave

    replace(part(engine, "tapes.tape").GradientTape, "__exit__", make)


@mutant("Asking a used-up tape gives None instead of an error.")
def used_up_tape_gives_none(engine: Any) -> None:
    def make(old: Any) -> Any:
        def gradient(self: Any, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
            if self._tape is None:
                return [None] * len(sources) if isinstance(sources, (list, tuple)) else None
            return old(self, target, sources, *args, **kwargs)

        return gradient

    replace(part(engine, "tapes.tape").GradientTape, "gradient", make)


@mutant("Watching what is no tensor is ignored.")
def odd_watches_are_ignored(engine: Any) -> None:
    def make(old: Any) -> Any:
        def watch(self: Any, tensor: Any) -> None:
            try:
                old(self, tensor)
            except ValueError:
                return

        return watch

    replace(part(engine, "tapes.tape").GradientTape, "watch", make)


@mutant("Gradients of a tuple or dict of sources come as a list.")
def structure_is_lost(engine: Any) -> None:
    nest = part(engine, "nest")

    def make(old: Any) -> Any:
        def gradient(self: Any, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
            found = old(self, target, sources, *args, **kwargs)
            return list(nest.flatten(found)) if isinstance(sources, (tuple, dict)) else found

        return gradient

    replace(part(engine, "tapes.tape").GradientTape, "gradient", make)


@mutant("Gradients of integers are zeros instead of None.")
def integer_sources_give_zeros(engine: Any) -> None:
    tape, wrap = part(engine, "tapes.tape"), part(engine, "tensors.tensor").wrap
    nothing = part(engine, "tapes.walk").NOTHING

    def make(old: Any) -> Any:
        def gradient(trace: Any, targets: Any, sources: Any, seeds: Any) -> Any:
            found = old(trace, targets, sources, seeds)
            return [
                wrap(np.zeros_like(s._a)[()]) if g is nothing and getattr(s._a.dtype, "kind", "") == "i" else g
                for g, s in zip(found, sources)
            ]

        return gradient

    replace(tape, "imperative_gradient", make)


change(
    "threads_share_tapes", "A tape records what other threads do.",
    Edit("tapes.recording", "class _Active(threading.local):", "class _Active:"),
)  # fmt: skip


# ---------------------------------------------------------------- jacobians and forward mode


@mutant("The rows of a jacobian are in reverse order.")
def jacobian_rows_are_mixed(engine: Any) -> None:
    jacobians, rows = part(engine, "tapes.jacobians"), part(engine, "tapes.rows").Rows

    def make(old: Any) -> Any:
        def gradient(*args: Any) -> Any:
            return [rows(g.a[::-1]) if type(g) is rows else g for g in old(*args)]

        return gradient

    replace(jacobians, "rows_gradient", make)


@mutant("Every row of a jacobian is the first.")
def jacobian_rows_are_alike(engine: Any) -> None:
    jacobians, rows = part(engine, "tapes.jacobians"), part(engine, "tapes.rows").Rows

    def make(old: Any) -> Any:
        def gradient(*args: Any) -> Any:
            return [
                rows(np.broadcast_to(g.a[:1], g.a.shape)) if type(g) is rows and len(g.a) else g for g in old(*args)
            ]

        return gradient

    replace(jacobians, "rows_gradient", make)


@mutant("Tangents are of the wrong sign.")
def tangents_are_negative(engine: Any) -> None:
    replace(
        part(engine, "forward.tangents"), "_differentiated",
        lambda old: lambda *args: [-g if hasattr(g, "_a") else g for g in old(*args)],
    )  # fmt: skip


@mutant("Only the first operand's tangent is carried through an op.")
def one_tangent_of_several(engine: Any) -> None:
    def make(old: Any) -> Any:
        return lambda transposed, gradients, seeds, aids: old(transposed, gradients[:1], seeds[:1], aids)

    replace(part(engine, "forward.tangents"), "_differentiated", make)


# ---------------------------------------------------------------- custom gradients and functions


@mutant("custom_gradient gives the user's function ones for an upstream.")
def custom_upstream_is_ones(engine: Any) -> None:
    tensor = part(engine, "tensors.tensor")

    def make(old: Any) -> Any:
        def call(*upstream: Any, backward: Any) -> Any:
            return old(
                *[tensor.wrap(np.ones_like(u._a)[()]) if hasattr(u, "_a") else u for u in upstream], backward=backward
            )

        return call

    custom = part(engine, "user_gradients.custom_gradients")
    replace(custom.CUSTOM, "gradient", make)


@mutant("custom_gradient is ignored: the body is differentiated.")
def custom_gradient_is_ignored(engine: Any) -> None:
    custom = part(engine, "user_gradients.custom_gradients")
    engine.custom_gradient = lambda f=None: custom.Decorated(f, lambda g, args, kwargs: g(*args, **kwargs)[0])


@mutant("The number of gradients that a custom gradient returns is not checked.")
def custom_counts_are_not_checked(engine: Any) -> None:
    def make(old: Any) -> Any:
        def backward(grad_fn: Any, results: Any, count: int, variables: Any) -> Any:
            def call(*upstream: Any) -> Any:
                try:
                    return old(grad_fn, results, count, variables)(*upstream)
                except ValueError:
                    return [None] * (count + len(variables))

            return call

        return backward

    replace(part(engine, "user_gradients.custom_gradients"), "_backward", make)


@mutant("recompute_grad keeps the gradient of its first upstream.")
def recomputed_once(engine: Any) -> None:
    custom = part(engine, "user_gradients.custom_gradients")

    def make(old: Any) -> Any:
        def again(f: Any, args: Any, kwargs: Any, variables: Any, *upstream: Any) -> Any:
            wrap = part(engine, "tensors.tensor").wrap
            ones = [wrap(np.ones_like(u._a)[()]) if hasattr(u, "_a") else u for u in upstream]
            return old(f, args, kwargs, variables, *ones)

        return again

    replace(custom, "_again", make)


# ---------------------------------------------------------------- slices


@mutant("Rows that are gathered twice count once when slices are made dense.")
def duplicate_rows_count_once(engine: Any) -> None:
    def make(old: Any) -> Any:
        def scatter_add(shape: Any, index: Any, values: Any) -> Any:
            if type(values) is not np.ndarray:
                return old(shape, index, values)
            out = np.zeros(shape, values.dtype)
            out[index] = values
            return out

        return scatter_add

    for name in ("ops.scatter", "ops.gathering"):
        replace(part(engine, name), "scatter_add", make)


@mutant("The gradient of gather is dense.")
def gather_gradient_is_dense(engine: Any) -> None:
    gathering, scatter = part(engine, "ops.gathering"), part(engine, "ops.scatter")
    replace(gathering, "_rows", lambda old: lambda *args: scatter.densified(old(*args)))


@mutant("Slices from several gathers are sorted by index.")
def slices_are_sorted(engine: Any) -> None:
    slices = part(engine, "tensors.slices").IndexedSlices

    def make(old: Any) -> Any:
        def rows(F: Any, dy: Any, shape: Any, indices: Any) -> Any:
            made = old(F, dy, shape, indices)
            if type(made.indices) is not np.ndarray or type(made.values) is not np.ndarray:
                return made
            order = np.argsort(made.indices, kind="stable")
            return slices(made.values[order], made.indices[order], made.dense_shape)

        return rows

    replace(part(engine, "ops.gathering"), "_rows", make)


# ---------------------------------------------------------------- single ops


@mutant("matmul's gradient by its first operand forgets the transpose.", "matmul", "operator.matmul", "linalg.matmul")
def matmul_forgets_a_transpose(engine: Any) -> None:
    replace(
        part(engine, "ops.matrix"), "_left",
        lambda old: lambda F, dy, b, *flips: F.matmul(dy, F.conj(b))
        if not any(flips) and F.shape(b)[-1] == F.shape(b)[-2] else old(F, dy, b, *flips),
    )  # fmt: skip


@mutant("matmul's gradients are given to the wrong operands.", "matmul", "operator.matmul", "linalg.matmul")
def matmul_exchanges_gradients(engine: Any) -> None:
    def other(old: Any) -> Any:
        def gradient(F: Any, *rest: Any, **options: Any) -> Any:
            return old(F, *rest, **options)

        return gradient

    for kernel in ("MatMul", "BatchMatMulV2"):
        declared = op(engine, kernel)
        declared.gradient = declared.gradients = tuple(map(other, declared.gradients[::-1]))


@mutant("reduce_sum's gradient is spread along the next axis.", "reduce_sum", "math.reduce_sum")
def sum_is_off_by_one_axis(engine: Any) -> None:
    def make(old: Any) -> Any:
        def gradient(F: Any, dy: Any, _y: Any, x: Any, axis: Any, keepdims: Any) -> Any:
            shape = F.shape(x)
            moved = tuple((a + 1) % len(shape) for a in axis)
            fits = len(axis) == 1 and shape[axis[0]] == shape[moved[0]]
            return old(F, dy, _y, x, axis=moved if fits else axis, keepdims=keepdims)

        return gradient

    wrap_gradient(engine, "Sum", make)


@mutant("softmax's gradient sums over the first axis.", "nn.softmax", "math.softmax")
def softmax_sums_the_wrong_axis(engine: Any) -> None:
    (old,) = op(engine, "Softmax").gradients
    plain = part(engine, "ops.declare").arrays

    def gradient(F: Any, dy: Any, y: Any, _x: Any) -> Any:
        return (dy - np.add.reduce(dy * y, axis=0, keepdims=True)) * y if F is plain else old(F, dy, y, _x)

    regrade(engine, "Softmax", gradient)


@mutant("cumsum's gradient runs forward.", "cumsum", "math.cumsum")
def cumsum_runs_forward(engine: Any) -> None:
    def make(old: Any) -> Any:
        def gradient(F: Any, dy: Any, _y: Any, _x: Any, axis: Any, exclusive: Any, reverse: Any) -> Any:
            return old(F, dy, _y, _x, axis=axis, exclusive=exclusive, reverse=not reverse)

        return gradient

    wrap_gradient(engine, "Cumsum", make)


@mutant("reduce_max gives every one of several largest elements the whole gradient.", "reduce_max", "math.reduce_max")
def ties_of_a_reduction_count_fully(engine: Any) -> None:
    def shared(F: Any, dy: Any, y: Any, x: Any, axis: Any, keepdims: Any) -> Any:
        kept = part(engine, "ops.reductions").kept_shape(F.shape(x), axis)
        return F.cast(F.equal(F.reshape(y, shape=kept), x), dtype=F.dtype(dy)) * F.reshape(dy, shape=kept)

    wrap_gradient(engine, "Max", lambda old: shared)


@mutant("pow's gradient by its exponent is nan at a base of 0.", "math.pow", "operator.pow", "pow")
def pow_at_zero_is_nan(engine: Any) -> None:
    regrade(engine, "Pow", None, lambda F, dy, y, a, _b: dy * F.conj(y) * F.log(F.conj(a)))


@mutant("divide's gradient by its second operand has the wrong sign.", "math.divide", "operator.truediv", "divide")
def divide_forgets_the_sign(engine: Any) -> None:
    old = op(engine, "RealDiv").gradients[1]
    regrade(engine, "RealDiv", None, lambda F, dy, y, a, b: -old(F, dy, y, a, b))


@mutant("tanh is differentiated as 1 - y.", "math.tanh", "nn.tanh")
def tanh_forgets_a_square(engine: Any) -> None:
    regrade(engine, "Tanh", lambda F, dy, y, _x: dy * (F.dtype(dy).type(1) - y))


@mutant("exp is differentiated at half its argument.", "math.exp", "exp")
def exp_is_differentiated_elsewhere(engine: Any) -> None:
    regrade(engine, "Exp", lambda F, dy, y, _x: dy * F.sqrt(y))


@mutant("transpose's gradient is not transposed back.", "transpose")
def transpose_is_not_undone(engine: Any) -> None:
    def make(old: Any) -> Any:
        def gradient(F: Any, dy: Any, y: Any, *xs: Any, perm: Any) -> Any:
            square = len(set(F.shape(dy))) == 1
            return dy if square else old(F, dy, y, *xs, perm=perm)

        return gradient

    wrap_gradient(engine, "Transpose", make)


@mutant("concat's gradient gives the parts in reverse order.", "concat")
def concat_parts_are_reversed(engine: Any) -> None:
    def make(old: Any) -> Any:
        def gradient(F: Any, dy: Any, y: Any, *xs: Any, **attributes: Any) -> Any:
            found = old(F, dy, y, *xs, **attributes)
            alike = len({F.shape(x) for x in xs}) == 1
            return found[::-1] if alike else found

        return gradient

    wrap_gradient(engine, "ConcatV2", make)


@mutant("A gradient of 4% is lost: sigmoid's slope is cut off below 0.04.", "math.sigmoid", "nn.sigmoid")
def small_slopes_are_cut_off(engine: Any) -> None:
    (old,) = op(engine, "Sigmoid").gradients
    plain = part(engine, "ops.declare").arrays

    def gradient(F: Any, dy: Any, y: Any, x: Any) -> Any:
        found = old(F, dy, y, x)
        return np.where(np.abs(found) < 0.04, found.dtype.type(0), found)[()] if F is plain else found

    regrade(engine, "Sigmoid", gradient)
