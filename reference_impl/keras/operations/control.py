"""Functions of ``keras.ops`` that call functions: conditions, loops, maps and scans, with gradients through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ... import nest
from ...tensors.tensor import EagerTensor
from .promotion import canonical_axis, shape_of, tensor


def cond(pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any]) -> Any:
    """What one of two functions gives; only that one is called where the condition is known."""
    return tf.cond(tensor(pred), true_fn, false_fn)


def switch(index: Any, branches: Any, *operands: Any) -> Any:
    """What one of several functions of the operands gives; numbers beyond them count as the first or last."""
    index = tf.clip_by_value(tensor(index, "int32"), 0, len(branches) - 1)
    return tf.switch_case(index, [lambda branch=branch: branch(*operands) for branch in branches])


def while_loop(cond: Any, body: Any, loop_vars: Any, maximum_iterations: Any = None) -> Any:
    """``body`` over and over while ``cond`` holds; one tensor, or several in a tuple or list (which gives a tuple)."""
    several = isinstance(loop_vars, (tuple, list))

    def step(*values: Any) -> tuple:
        found = body(*values)
        return tuple(found) if several else (found,)

    first = tuple(loop_vars) if several else (loop_vars,)
    found = tf.while_loop(cond, step, first, maximum_iterations=maximum_iterations)
    return found if several else found[0]


def fori_loop(lower: Any, upper: Any, body_fun: Any, init_val: Any) -> Any:
    """``val = body_fun(i, val)`` for whole numbers from ``lower`` on, below ``upper``."""
    return tf.while_loop(lambda i, _: i < upper, lambda i, value: (i + 1, body_fun(i, value)), (lower, init_val))[1]


def mapped(f: Callable[..., Any], xs: Any) -> Any:
    """What a function gives for each slice along the first axis; dtypes are found by calling it for the first one."""
    xs = nest.map_structure(tensor, xs)
    first = f(nest.map_structure(lambda x: x[0], xs))
    specs = nest.map_structure(lambda y: tf.TensorSpec(y.shape, y.dtype), first)
    return tf.map_fn(f, xs, fn_output_signature=specs)


def _check_scan(f: Any, xs: Any, length: Any, unroll: Any) -> None:
    if not callable(f):
        raise TypeError(f"`f` should be a callable. Received: f={f}")
    if not isinstance(unroll, bool) and (not isinstance(unroll, int) or unroll < 1):
        raise ValueError(f"`unroll` must be an positive integer or boolean. Received: unroll={unroll}")
    if xs is None and length is None:
        raise ValueError("Got no `xs` to scan over and `length` not provided.")


def _array(like: EagerTensor, size: Any, shape: Any, again: bool = False) -> Any:
    return tf.TensorArray(like.dtype, size, dynamic_size=False, clear_after_read=not again, element_shape=shape)


def scan(f: Any, init: Any, xs: Any = None, length: Any = None, reverse: bool = False, unroll: Any = 1) -> tuple:
    """``carry, y = f(carry, x)`` for slices along the first axis, from the last on in reverse.

    Gives the last carry, and all ``y`` (as many and such as the carries) stacked.  TypeError and ValueError for what is
    no function, no number of steps to unroll, and for neither ``xs`` nor ``length``.
    """
    _check_scan(f, xs, length, unroll)
    slices = [] if xs is None else [tensor(x) for x in nest.flatten(xs)]
    count = int(length) if length is not None else tf.shape(slices[0])[0]
    carries = [tensor(c) for c in nest.flatten(init)]
    inputs = [_array(x, count, x.shape[1:]).unstack(x) for x in slices]
    kept = [_array(c, 1, c.shape, again=True).write(0, c) for c in carries]
    outputs = [_array(c, count, c.shape) for c in carries]

    def step(k: Any, kept: Any, outputs: Any) -> tuple:
        given = None if xs is None else nest.pack_sequence_as(xs, [a.read(k) for a in inputs])
        carry, y = f(nest.pack_sequence_as(init, [a.read(0) for a in kept]), given)
        if y is not None:
            outputs = [a.write(k, v) for a, v in zip(outputs, nest.flatten(y))]
        if carry is not None:
            kept = [a.write(0, v) for a, v in zip(kept, nest.flatten(carry))]
        return (k - 1 if reverse else k + 1), kept, outputs

    first = count - 1 if reverse else 0
    _, kept, outputs = tf.while_loop(lambda k, *_: k >= 0 if reverse else k < count, step, (first, kept, outputs))
    last = nest.pack_sequence_as(init, [a.read(0) for a in kept])
    return last, nest.pack_sequence_as(init, [a.stack() for a in outputs])


def associative_scan(f: Any, elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """What an associative function makes of the first slice, of the first two, of the first three ...

    Pairs are brought together first, then pairs of those, so that order shows in rounding alone.  TypeError for what is
    no function, ValueError for tensors of different sizes.
    """
    if not callable(f):
        raise TypeError(f"`f` should be a callable. Received: f={f}")
    flat = [tensor(x) for x in nest.flatten(elems)]
    axis = canonical_axis(axis, len(flat[0].shape))
    flat = [tf.reverse(x, [axis]) for x in flat] if reverse else flat
    sizes = [shape_of(x)[axis] for x in flat]
    if any(size != sizes[0] for size in sizes[1:] if isinstance(size, int)):
        raise ValueError(
            f"Array inputs to associative_scan must have the same first dimension. (saw: {[tf.shape(x) for x in flat]})"
        )

    def combined(a: list[Any], b: list[Any]) -> list[Any]:
        return nest.flatten(f(nest.pack_sequence_as(elems, a), nest.pack_sequence_as(elems, b)))

    found = _scanned(combined, flat, axis)
    return nest.pack_sequence_as(elems, [tf.reverse(x, [axis]) for x in found] if reverse else found)


def _part(x: EagerTensor, axis: int, start: Any, stop: Any = None, step: int = 1) -> EagerTensor:
    return x[(slice(None),) * axis + (slice(start, stop, step),)]


def _scanned(combined: Callable[..., Any], xs: list[Any], axis: int) -> list[Any]:
    size = xs[0].shape[axis]
    if size is None:
        raise NotImplementedError("keras.ops.associative_scan along an axis of unknown size")
    if size < 2:
        return xs
    pairs = combined([_part(x, axis, 0, -1, 2) for x in xs], [_part(x, axis, 1, None, 2) for x in xs])
    odd = _scanned(combined, pairs, axis)
    if size == 2:
        even = [_part(x, axis, 0, 1) for x in xs]
    else:
        before = [_part(x, axis, 0, -1) for x in odd] if size % 2 == 0 else odd
        later = combined(before, [_part(x, axis, 2, None, 2) for x in xs])
        even = [tf.concat([_part(x, axis, 0, 1), y], axis) for x, y in zip(xs, later)]
    return [_interleaved(a, b, axis) for a, b in zip(even, odd)]


def _interleaved(a: EagerTensor, b: EagerTensor, axis: int) -> EagerTensor:
    """The first slice of one, the first of the other, the second of one ...; the first may have one more."""
    count = b.shape[axis]
    sizes = list(shape_of(b))
    sizes[axis] = 2 * count
    together = tf.reshape(tf.stack([_part(a, axis, 0, count), b], axis + 1), sizes)
    return together if a.shape[axis] == count else tf.concat([together, _part(a, axis, count)], axis)


def vectorized_map(function: Any, elements: Any) -> Any:
    """What a function gives for all slices along the first axis at once."""
    return tf.vectorized_map(function, elements)


def custom_gradient(f: Any) -> Any:
    """A function that returns its result and its gradient, as one with that gradient."""
    return tf.custom_gradient(f)


TABLE: dict[str, Callable[..., Any]] = {
    "cond": cond, "switch": switch, "while_loop": while_loop, "fori_loop": fori_loop, "map": mapped, "scan": scan,
    "associative_scan": associative_scan,
    "vectorized_map": vectorized_map,
    "custom_gradient": custom_gradient,
}  # fmt: skip
