"""IndexedSlices: the sparse gradient of gather and friends, rows of a larger tensor by index.

``convert_to_tensor(slices)`` adds the rows up into a dense tensor (indices may repeat).
"""

from __future__ import annotations

from typing import Any

from .shapes import TensorShape


class IndexedSlices:
    """``values[k]`` belongs at row ``indices[k]`` of a tensor of shape ``dense_shape``."""

    __slots__ = ("__weakref__", "_dense_shape", "_indices", "_values")

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None):
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    @property
    def values(self) -> Any:
        """The rows, a Tensor of shape (n, ...)."""
        return self._values

    @property
    def indices(self) -> Any:
        """Where each row belongs, an integer Tensor of shape (n,)."""
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """The shape of the dense tensor, an integer Tensor, or None."""
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor; its first size unknown when there is no ``dense_shape``."""
        if self._dense_shape is None:
            return TensorShape(None)
        return TensorShape([int(d) for d in getattr(self._dense_shape, "_a", self._dense_shape)])

    @property
    def dtype(self) -> Any:
        """The dtype of the rows."""
        return self._values.dtype

    @property
    def device(self) -> str:
        """Where the rows live."""
        return self._values.device

    @property
    def name(self) -> str:
        """Graph-only: AttributeError."""
        return self._values.name

    @property
    def op(self) -> Any:
        """Graph-only: AttributeError."""
        return self._values.op

    @property
    def graph(self) -> Any:
        """The graph of the rows; AttributeError in eager mode."""
        return self._values.graph

    def consumers(self) -> list:
        """Graph-only; always empty in eager mode."""
        return []

    _whole_ = True  # as a gradient source or target it stands for itself, and is refused there

    def _parts_(self) -> list:
        return [t for t in (self._values, self._indices, self._dense_shape) if t is not None]

    def _map(self, function: Any) -> IndexedSlices:
        return IndexedSlices(function(self._values), self._indices, self._dense_shape)

    def _dense_(self, want: Any = None) -> Any:
        from ..ops.scatter import dense

        if want is not None and want is not self.dtype:
            raise ValueError(
                f"Incompatible tensor conversion requested to `dtype` {want.name} for IndexedSlices ({self}) "
                f"with dtype {self.dtype.name}"
            )
        return dense(self)

    def __neg__(self) -> IndexedSlices:
        return self._map(lambda values: -values)

    def __str__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape!s}"
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}{shape})"
