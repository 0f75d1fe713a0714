"""What is written: numbers, histograms, texts and pictures, each with a tag and a step."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..checks.assertions import assert_non_negative
from ..checks.shape_assertions import assert_rank, assert_scalar, assert_type
from ..composed.colour_spaces import convert_image_dtype
from ..dtypes import float32
from ..dtypes import string as string_
from ..foundation.building import intercepted
from ..ops.casting import cast
from ..surroundings.scopes import get_current_name_scope, name_scope
from ..tapes.recording import active
from ..tensors.conversion import constant, convert_to_tensor
from . import events
from .writers import should_record_summaries, state

NO_STEP = (
    "No step set. Please specify one either through the `step` argument or through tf.summary.experimental.set_step()"
)


@contextlib.contextmanager
def summary_scope(name: Any, default_name: str = "summary", values: Any = None) -> Iterator[tuple[str, str]]:
    """Context manager: the tag of a summary, which begins with the scopes around it, and a scope of its name."""
    around, name = get_current_name_scope(), name or default_name
    with name_scope(name) as scope:
        yield (f"{around}/{name}" if around else name), scope


def _same(data: Any) -> Any:
    return data


@intercepted
def _record(writer: Any, wanted: Any, tag: bytes, data: Any, step: Any, about: bytes, made: Any) -> Any:
    """Write an event where ``wanted``; in a function with every call.  Whether it was, as a tensor."""
    if not bool(convert_to_tensor(wanted)):
        return constant(False)
    if step is None:
        raise ValueError(NO_STEP)
    value = np.asarray(convert_to_tensor(made(data)))
    number = int(np.asarray(convert_to_tensor(step, dtype="int64")))
    if not active.pretending:
        writer.add(number, events.summary(tag, value, about))
    return constant(True)


def _write(tag: Any, data: Any, step: Any, about: bytes, made: Any = _same) -> Any:
    if step is not None:
        step = convert_to_tensor(step, dtype="int64")
        if step.shape.num_elements() != 1:
            raise ValueError(f"Argument `step` must be a scalar. Received step with shape {step.shape}.")
    if state.writer is None:
        return constant(False)
    tag = convert_to_tensor(tag, dtype="string").numpy()
    return _record(
        state.writer, should_record_summaries(), tag, data, state.step if step is None else step, about, made
    )


def write(tag: Any, tensor: Any, step: Any = None, metadata: Any = None, name: Any = None) -> Any:
    """Write a tensor of any kind, or what a function returns.  Whether it was written, as a tensor."""
    about = metadata.SerializeToString() if hasattr(metadata, "SerializeToString") else metadata or b""
    if callable(tensor):
        return _write(tag, None, step, about, lambda _nothing: tensor())
    return _write(tag, convert_to_tensor(tensor), step, about)


def scalar(name: Any, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Write a number, as float32."""
    with summary_scope(name, "scalar_summary") as (tag, _):
        assert_scalar(data)
        return _write(tag, cast(data, float32), step, events.metadata("scalars", description))


def text(name: Any, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Write a string or several."""
    with summary_scope(name, "text_summary") as (tag, _):
        data = convert_to_tensor(data)
        assert_type(data, string_)
        return _write(tag, data, step, events.metadata("text", description))


def histogram(
    name: Any, data: Any, step: Any = None, buckets: int | None = None, description: str | None = None
) -> Any:
    """Write how many numbers lie in each of 30 intervals of one width, or of ``buckets``."""
    data = convert_to_tensor(data)
    about = events.metadata("histograms", description)
    with summary_scope(name, "histogram_summary") as (tag, _):
        return _write(tag, data, step, about, lambda values: _buckets(values, 30 if buckets is None else int(buckets)))


def _buckets(data: Any, count: int) -> np.ndarray:
    """Rows of left edge, right edge and count."""
    numbers, count = np.asarray(data).ravel().astype(np.float64), max(count, 0)
    if not numbers.size or not count:
        return np.zeros((count, 3))
    low, high = numbers.min(), numbers.max()
    if low == high:
        return np.stack([np.full(count, high), np.full(count, high), [0.0] * (count - 1) + [numbers.size]], axis=1)
    places = np.minimum(np.floor((numbers - low) / ((high - low) / count)).astype(np.int32), count - 1)
    edges = low + (high - low) / count * np.arange(count + 1)
    edges[-1] = high
    return np.stack([edges[:-1], edges[1:], np.bincount(places, minlength=count)], axis=1)


def image(name: Any, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None) -> Any:
    """Write the first pictures of a batch as PNG files, floats from 0 to 1."""
    data = convert_to_tensor(data)
    with summary_scope(name, "image_summary") as (tag, _):
        about = events.metadata("images", description)
        return _write(tag, data, step, about, lambda pictures: _files(pictures, max_outputs))


def _files(pictures: Any, most: int) -> np.ndarray:
    """Width, height, and a file for each picture."""
    assert_rank(pictures, 4)
    assert_non_negative(most)
    found = np.asarray(convert_image_dtype(pictures, "uint8", saturate=True))
    sizes = [str(found.shape[2]).encode(), str(found.shape[1]).encode()]
    return np.array([*sizes, *map(events.png, found[:most])], dtype=object)
