"""What goes through the elements of a dataset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import nest
from ..errors import OutOfRangeError, invalid


class DatasetIterator:
    """An iterator over a dataset."""

    _opaque_ = True

    def __init__(self, left: Iterator[Any], spec: Any):
        self._left, self.element_spec = left, spec

    def __iter__(self) -> DatasetIterator:
        return self

    def __next__(self) -> Any:
        return next(self._left)

    def get_next(self) -> Any:
        """The next element.  OutOfRangeError at the end."""
        try:
            return next(self._left)
        except StopIteration:
            count = len(nest.flatten(self.element_spec))
            found = invalid("IteratorGetNext", "End of sequence", sizes=f"output_types_{count}")
            raise OutOfRangeError(None, None, found.message) from None
