"""``tf.summary``: files of events for TensorBoard."""

from . import experimental
from .writers import (
    SummaryWriter,
    create_file_writer,
    create_noop_writer,
    flush,
    record_if,
    should_record_summaries,
)
from .writing import histogram, image, scalar, text, write

__all__ = [
    "SummaryWriter", "create_file_writer", "create_noop_writer", "experimental", "flush", "histogram", "image",
    "record_if", "scalar", "should_record_summaries", "text", "write",
]  # fmt: skip
