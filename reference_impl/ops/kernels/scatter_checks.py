"""What kernels that put updates at index tuples ask of the shapes: of the tuples, the updates and what they go into."""

from __future__ import annotations

import math

from .refusals import Shape, brackets


def scatter_misfit(at: Shape, updates: Shape, shape: Shape) -> str | None:
    """What is wrong with the shapes of scatter_nd, whose updates are put into zeros of ``shape``."""
    if not at or not updates:
        return _no_rows_of("Indices" if not at else "Updates")
    # That the zeros have axes is enough here.
    if told := _emptied(len(shape), at, updates, "Indices and updates specified for empty output shape"):
        return told
    outer, depth = len(at) - 1, at[-1]
    if at[:outer] != updates[:outer]:
        mine, theirs = f"indices[shape={brackets(at)}]", f"updates[shape={brackets(updates)}]"
        return f"Dimensions [0,{outer}) of {mine} must match dimensions [0,{outer}) of {theirs}"
    if len(updates) - outer != len(shape) - depth or shape[depth:] != updates[outer:]:
        mine, theirs = f"input[shape={brackets(shape)}]", f"updates[shape={brackets(updates)}]"
        span = f"[{outer},{len(updates)})"
        return f"Dimensions [{depth},{len(shape)}) of {mine} must match dimensions {span} of {theirs}"
    return _unplaced(at, updates, shape)


def tensor_scatter_misfit(at: Shape, updates: Shape, shape: Shape) -> str | None:
    """What is wrong with the shapes of tensor_scatter_nd_*, whose updates are put into a tensor of ``shape``."""
    if not at or not updates:
        return _no_rows_of("Indices" if not at else "Updates")
    if told := _emptied(math.prod(shape), at, updates, "Indices and updates specified for empty output shape"):
        return told
    outer, depth = len(at) - 1, at[-1]
    if at[:outer] != updates[:outer]:
        both = f"Indices shape: {brackets(at)}, updates shape:{brackets(updates)}"
        return f"Outer dimensions of indices and update must match. {both}"
    mine, theirs = shape[depth:], updates[outer:]
    if len(shape) - depth != len(theirs):
        both = f"Output: {brackets(shape)} updates: {brackets(updates)}"
        return f"Inner dimensions of output shape must match inner dimensions of updates shape. {both}"
    if mine != theirs:
        inner = f"inner {len(mine)} dimensions of"
        have, want = f"{inner} output.shape={brackets(shape)}", f"{inner} updates.shape={brackets(updates)}"
        return f"The {have} must match the {want}"
    return _unplaced(at, updates, shape)


def _no_rows_of(word: str) -> str:
    return f"{word} shape must have rank at least one. Found:[]"


def _emptied(size: int, at: Shape, updates: Shape, told: str) -> str | None:
    """What is ``told`` where some of the numbers of elements are nought; zeros may be of any size for no updates."""
    indices, values = math.prod(at), math.prod(updates)
    return told if (indices or values) and not (size and indices and values) else None


def _unplaced(at: Shape, updates: Shape, shape: Shape) -> str | None:
    """What the loop over the tuples refuses after the shapes were found to fit."""
    if not shape:
        return "Output must be at least 1-D, got shape: []"
    of_tuples = f"Indices and updates specified for empty output.  indices shape: {brackets(at)}"
    if told := _emptied(math.prod(shape), at, updates, of_tuples):
        return told
    if len(at) == 1:
        return _unfit_for_one(at[0], updates, shape)
    if not at[-1] and 0 not in shape:
        return "Only indices.shape[-1] values between 1 and 5 are currently supported.  Requested rank: 0"
    return None


def _unfit_for_one(size: int, have: Shape, shape: Shape) -> str | None:
    """Why nothing is scattered to one place: TensorFlow takes its numbers for as many rows."""
    mine = f"updates[shape={brackets(have)}]"
    if have[0] != size:
        return f"Dimensions [0,1) of indices[shape=[{size}]] = {size} must match dimensions [0,1) of {mine} = {have[0]}"
    if len(shape) == len(have):  # there is no number, and no row
        return None
    both = f"must match dimensions [1,{len(have)}) of {mine}"
    return f"Dimensions [1,{len(shape)}) of input[shape={brackets(shape)}] {both}"
