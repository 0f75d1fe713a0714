"""``tf.summary``: return values, errors and the bytes in files, as TensorFlow 2.21 gave and wrote them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reference_impl as tf
from reference_impl.summary.events import crc32c, masked

NO_STEP = (
    "No step set. Please specify one either through the `step` argument or through tf.summary.experimental.set_step()"
)
_NUMBER = b'\n\x08\x01\x12\x00"\x04\x00\x00\x80?'
WRITTEN = {
    "scalar": (lambda: tf.summary.scalar("a", 1.0, step=1),
               b"\x10\x01*\x1e\n\x1c\n\x01aB" + _NUMBER + b"J\x0b\n\t\n\x07scalars"),
    "described": (lambda: tf.summary.scalar("a b", 1.0, step=3, description="d"),
                  b"\x10\x03*#\n!\n\x03a bB" + _NUMBER + b"J\x0e\n\t\n\x07scalars\x1a\x01d"),
    "text": (lambda: tf.summary.text("t", "hello", step=1),
             b"\x10\x01*\x1c\n\x1a\n\x01tB\x0b\x08\x07\x12\x00B\x05helloJ\x08\n\x06\n\x04text"),
    "texts": (lambda: tf.summary.text("t", ["a", "b"], step=1),
              b"\x10\x01*\x1f\n\x1d\n\x01tB\x0e\x08\x07\x12\x04\x12\x02\x08\x02B\x01aB\x01bJ\x08\n\x06\n\x04text"),
    "whole numbers": (lambda: tf.summary.write("w", tf.constant([1, 2]), step=1),
                      b'\x10\x01*\x19\n\x17\n\x01wB\x12\x08\x03\x12\x04\x12\x02\x08\x02"\x08\x01\x00\x00\x00\x02\x00\x00\x00'),
}  # fmt: skip


@pytest.fixture()
def writer(tmp_path: Path) -> Iterator[Any]:
    made = tf.summary.create_file_writer(str(tmp_path / "logs"))
    with made.as_default():
        yield made
    made.close()


def _events(folder: Path) -> list[bytes]:
    """The events of the one file, without their times; the checksums are checked on the way."""
    (file,) = (folder / "logs").iterdir()
    assert file.name.startswith("events.out.tfevents.")
    assert file.name.endswith(".v2")
    data, found = file.read_bytes(), []
    while data:
        (size,) = struct.unpack("<Q", data[:8])
        assert masked(data[:8]) == data[8:12]
        assert masked(data[12 : 12 + size]) == data[12 + size : 16 + size]
        found.append(data[12 + 9 : 12 + size])
        data = data[16 + size :]
    return found


def test_checksums() -> None:
    assert crc32c(b"123456789") == 0xE3069283
    assert masked(struct.pack("<Q", 62)).hex() == "d9d240e7"


@pytest.mark.parametrize("case", WRITTEN)
def test_bytes(case: str, writer: Any, tmp_path: Path) -> None:
    function, want = WRITTEN[case]
    assert function().numpy() is np.True_
    writer.flush()
    first, second = _events(tmp_path)
    assert first == b'\x1a\rbrain.Event:2R$\n"tensorflow.core.util.events_writer'
    assert second == want


def test_histograms(writer: Any, tmp_path: Path) -> None:
    tf.summary.histogram("h", [1.0, 2.0, 3.0, 3.0], step=1, buckets=3)
    tf.summary.histogram("h", [], step=1)
    tf.summary.histogram("h", [1.0, 1.0], step=1, buckets=2)
    tf.summary.flush()
    _, several, nothing, one = _events(tmp_path)
    numbers = np.frombuffer(several[several.index(b'"H') + 2 :][:72]).reshape(3, 3)
    np.testing.assert_allclose(numbers, [[1, 5 / 3, 1], [5 / 3, 7 / 3, 1], [7 / 3, 3, 2]])
    assert not any(nothing[nothing.index(b'"\xd0\x05') + 3 :][:720])
    assert np.frombuffer(one[one.index(b'"0') + 2 :][:48]).tolist() == [1, 1, 0, 1, 1, 2]


def test_pictures(writer: Any, tmp_path: Path) -> None:
    picture = np.linspace(0, 1, 12, dtype=np.float32).reshape(1, 2, 2, 3)
    tf.summary.image("i", picture, step=1)
    writer.flush()
    written = _events(tmp_path)[1]
    assert b"B\x012B\x012B" in written
    start = written.index(b"IDAT")
    (size,) = struct.unpack(">I", written[start - 4 : start])
    rows = zlib.decompress(written[start + 4 : start + 4 + size])
    assert rows == b"\0" + bytes([0, 23, 46, 69, 92, 116]) + b"\0" + bytes([139, 162, 185, 209, 232, 255])


def test_steps_and_conditions(writer: Any) -> None:
    summary = tf.summary
    with pytest.raises(ValueError, match="No step set") as caught:
        summary.scalar("a", 1.0)
    assert str(caught.value) == NO_STEP
    with summary.record_if(False):
        assert not summary.scalar("a", 1.0).numpy()
        assert not summary.should_record_summaries().numpy()
    assert summary.should_record_summaries().numpy()
    summary.experimental.set_step(7)
    assert summary.experimental.get_step() == 7
    assert summary.scalar("a", 1.0).numpy()
    summary.experimental.set_step(None)
    with pytest.raises(ValueError, match=r"Argument `step` must be a scalar. Received step with shape \(2,\)\."):
        summary.scalar("a", 1.0, step=[1, 2])
    with pytest.raises(ValueError, match=r"Expected scalar shape, saw shape: \(2,\)\."):
        summary.scalar("a", [1.0, 2.0], step=1)
    with pytest.raises(TypeError, match=r"tensor must be of type tf\.string; got tf\.float32"):
        summary.text("t", 1.0, step=1)


def test_in_a_function_with_every_call(writer: Any, tmp_path: Path) -> None:
    log = tf.function(lambda x, step: tf.summary.scalar("in", x * 2.0, step=step))
    for k in (1, 2):
        assert log(tf.constant(float(k)), tf.constant(k, tf.int64)).numpy()
    writer.flush()
    assert [e[:2] for e in _events(tmp_path)[1:]] == [b"\x10\x01", b"\x10\x02"]


def test_without_a_writer_and_after_its_end(tmp_path: Path) -> None:
    assert not tf.summary.scalar("a", 1.0).numpy()
    assert tf.summary.flush() is None
    noop = tf.summary.create_noop_writer()
    with noop.as_default() as inside:
        assert inside is None
        assert not tf.summary.scalar("a", 1.0).numpy()
    made = tf.summary.create_file_writer(str(tmp_path))
    with made.as_default(step=5):
        assert tf.summary.experimental.get_step() == 5
    assert tf.summary.experimental.get_step() is None
    assert (made.close(), made.close(), made.flush()) == (None, None, None)
    with pytest.raises(RuntimeError, match="is already closed"):
        made.as_default()
    with pytest.raises(ValueError, match="Argument `logdir` cannot be None"):
        tf.summary.create_file_writer(None)
