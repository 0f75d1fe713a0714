"""Writers of summaries, the default one and its step, and whether anything is written; each thread has its own."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

from ..errors import NotFoundError
from ..tensors.conversion import constant, convert_to_tensor
from . import events

_numbers = count()


class _State(threading.local):
    writer: Any = None
    step: Any = None
    recording: Any = None


state = _State()


class SummaryWriter:
    """Base of writers."""

    def as_default(self, step: Any = None) -> Any:
        """Context manager: this writer is the default one inside, and ``step`` the step, if given."""
        return _default(self, step)

    def set_as_default(self, step: Any = None) -> None:
        """Make this writer the default one from now on."""
        state.writer = self
        if step is not None:
            state.step = step

    def init(self) -> None:
        """Nothing: a writer is ready when it is made."""

    def flush(self) -> None:
        """Write what is held back."""

    def close(self) -> None:
        """Write what is held back, and nothing more."""


@contextlib.contextmanager
def _default(writer: SummaryWriter, step: Any) -> Iterator[SummaryWriter]:
    outer = state.writer, state.step
    state.writer = writer
    if step is not None:
        state.step = step
    try:
        yield writer
    finally:
        state.writer.flush()
        state.writer = outer[0]
        if step is not None:
            state.step = outer[1]


class _ResourceSummaryWriter(SummaryWriter):
    """A writer of a file."""

    def __init__(self, directory: str, suffix: str, most: int, seconds: float):
        os.makedirs(directory, exist_ok=True)
        now = time.time()
        name = f"events.out.tfevents.{int(now):010d}.{socket.gethostname()}.{os.getpid()}.{next(_numbers)}{suffix}"
        self._file: Any = open(os.path.join(directory, name), "ab")  # noqa: SIM115 - it stays open until ``close``
        self._file.write(events.record(events.first_event(now)))
        self._file.flush()
        self._most, self._seconds, self._held, self._since = most, seconds, 0, now

    def _open(self) -> None:
        if self._file is None:
            raise RuntimeError(f"SummaryWriter {self!r} is already closed")

    def as_default(self, step: Any = None) -> Any:
        self._open()
        return super().as_default(step)

    def set_as_default(self, step: Any = None) -> None:
        self._open()
        super().set_as_default(step)

    def init(self) -> None:
        self._open()

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()
            self._held, self._since = 0, time.time()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def add(self, step: int, content: bytes) -> None:
        """Put an event into the file.  NotFoundError when it is closed."""
        if self._file is None:
            raise NotFoundError(None, None, _CLOSED)
        now = time.time()
        self._file.write(events.record(events.event(now, step, content)))
        self._held += 1
        if self._held > self._most or now - self._since > self._seconds:
            self.flush()


_CLOSED = (
    "{{function_node __wrapped__WriteSummary_device_/job:localhost/replica:0/task:0/device:CPU:0}} Resource "
    "localhost/_AnonymousVar0/N10tensorflow22SummaryWriterInterfaceE does not exist. [Op:WriteSummary]"
)


class _NoopSummaryWriter(SummaryWriter):
    """A writer that writes nothing and changes nothing."""

    def as_default(self, step: Any = None) -> Any:
        return contextlib.nullcontext()

    def set_as_default(self, step: Any = None) -> None:
        """Nothing."""


def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None, name: Any = None,
    experimental_trackable: bool = False, experimental_mesh: Any = None,
) -> SummaryWriter:  # fmt: skip
    """A writer of a new file of events in a directory, which is made if need be."""
    if logdir is None:
        raise ValueError("Argument `logdir` cannot be None")
    given = os.fspath(logdir) if isinstance(logdir, os.PathLike) else logdir
    directory = convert_to_tensor(given, dtype="string").numpy().decode()
    suffix = ".v2" if filename_suffix is None else convert_to_tensor(filename_suffix, dtype="string").numpy().decode()
    most = 10 if max_queue is None else int(max_queue)
    return _ResourceSummaryWriter(directory, suffix, most, 120.0 if flush_millis is None else int(flush_millis) / 1000)


def create_noop_writer() -> SummaryWriter:
    """A writer that writes nothing."""
    return _NoopSummaryWriter()


def flush(writer: Any = None, name: Any = None) -> None:
    """Write what a writer, or the default one, holds back."""
    writer = state.writer if writer is None else writer
    if writer is None:
        return
    if not isinstance(writer, SummaryWriter):
        raise ValueError(f"Invalid argument to flush(): {writer!r}")
    writer.flush()


def should_record_summaries() -> Any:
    """Whether summaries would be written: with a default writer, unless ``record_if`` says otherwise; a tensor."""
    said = state.recording
    if state.writer is None:
        return constant(False)
    said = said() if callable(said) else said
    return constant(True) if said is None else convert_to_tensor(said)


@contextlib.contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Context manager: summaries are written inside where ``condition``, or what it returns, is true."""
    outer, state.recording = state.recording, condition
    try:
        yield
    finally:
        state.recording = outer
