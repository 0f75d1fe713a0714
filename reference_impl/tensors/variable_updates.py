"""Updates of parts of a variable: ``scatter_add`` and its like by IndexedSlices, ``scatter_nd_add`` by index tuples."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid, unnamed
from ..foundation.building import intercepted
from ..ops.scatter import scatter_set
from .conversion import convert_to_tensor
from .slices import IndexedSlices

# what becomes of an old and a new value, TensorFlow's kernels for rows and for index tuples
_WAYS: dict[str, tuple[Any, str, str]] = {
    "update": (lambda old, new: new, "ResourceScatterUpdate", "ResourceScatterNdUpdate"),
    "add": (lambda old, new: old + new, "ResourceScatterAdd", "ResourceScatterNdAdd"),
    "sub": (lambda old, new: old - new, "ResourceScatterSub", "ResourceScatterNdSub"),
    "mul": (lambda old, new: old * new, "ResourceScatterMul", ""),
    "div": (lambda old, new: old / new, "ResourceScatterDiv", ""),
    "max": (np.maximum, "ResourceScatterMax", "ResourceScatterNdMax"),
    "min": (np.minimum, "ResourceScatterMin", "ResourceScatterNdMin"),
}


def _scatter(variable: Any, sparse_delta: Any, way: str) -> Any:
    if type(sparse_delta) is not IndexedSlices:
        raise TypeError(f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {sparse_delta}")
    combine, kernel, _ = _WAYS[way]
    value = variable._handle._a.value
    at = convert_to_tensor(sparse_delta.indices)._a
    rows = convert_to_tensor(sparse_delta.values, variable.dtype)._a
    flat = at.reshape(-1)
    for k, i in enumerate(flat.tolist()):
        if not 0 <= i < value.shape[0]:
            place = ", ".join(map(str, np.unravel_index(k, at.shape))) if at.ndim else ""
            raise invalid(kernel, f"indices[{place}] = {i} is not in [0, {value.shape[0]})")
    if rows.ndim and rows.shape[: at.ndim] != at.shape:
        shapes = f"indices ({_shown(at)}) must be a prefix of the shape of updates ({_shown(rows)})"
        raise invalid(kernel, f"The shape of {shapes}")
    want = (flat.size, *value.shape[1:])
    rows = np.broadcast_to(rows, want) if not rows.ndim else rows.reshape(want)
    if len(set(flat.tolist())) == flat.size:
        return variable._store(scatter_set(value, (flat,), combine(value[flat], rows)))
    for k, i in enumerate(flat.tolist()):
        value = scatter_set(value, (i,), combine(value[i], rows[k]))
    return variable._store(value)


def _scatter_nd(variable: Any, indices: Any, updates: Any, way: str) -> Any:
    combine, _, kernel = _WAYS[way]
    value = variable._handle._a.value
    at = convert_to_tensor(indices)._a
    depth = at.shape[-1]
    rows = at.reshape(-1, depth).tolist()
    new = convert_to_tensor(updates, variable.dtype)._a
    _check_tuples(kernel, value, at, new)
    new = new.reshape((len(rows), *value.shape[depth:]))
    for k, index in enumerate(rows):
        if any(not 0 <= i < size for i, size in zip(index, value.shape)):
            shape = ",".join(map(str, value.shape))
            raise invalid(kernel, f"indices[{k}] = [{', '.join(map(str, index))}] does not index into shape [{shape}]")
        value = scatter_set(value, tuple(index), combine(value[tuple(index)], new[k]))
    return variable._store(value)


def _check_tuples(kernel: str, value: Any, at: Any, new: Any) -> None:
    """InvalidArgumentError for updates that are not one slice of the variable for each tuple of indices."""
    depth, outer = at.shape[-1], at.ndim - 1
    for k in range(min(outer, new.ndim)):
        if at.shape[k] != new.shape[k]:
            mine, its = (f"{a}[shape={_shown(x)}] = {x.shape[k]}" for a, x in (("indices", at), ("updates", new)))
            text = f"Dimensions [{k},{k + 1}) of {mine} must match dimensions [{k},{k + 1}) of {its}"
            raise unnamed(kernel, text)
    if depth > value.ndim or value.shape[depth:] != new.shape[outer:]:
        place, its = f"[{depth},{value.ndim})", f"[{outer},{new.ndim})"
        text = f"Dimensions {place} of input[shape={_shown(value)}] must match dimensions {its} of updates"
        raise unnamed(kernel, f"{text}[shape={_shown(new)}]")


def _shown(array: Any) -> str:
    return f"[{','.join(map(str, array.shape))}]"


def _rows_method(way: str) -> Any:
    def method(self: Any, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        return _scatter(self, sparse_delta, way)

    method.__name__ = f"scatter_{way}"
    method.__doc__ = f"Rows that IndexedSlices name: {way}.  Returns the variable."
    return intercepted(method)


def _tuples_method(way: str) -> Any:
    def method(self: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
        return _scatter_nd(self, indices, updates, way)

    method.__name__ = f"scatter_nd_{way}"
    method.__doc__ = f"Elements or slices at index tuples: {way}.  Returns the variable."
    return intercepted(method)


@intercepted
def batch_scatter_update(self: Any, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Replace rows in each element of a batch: ``self[b, indices[b, k]] = values[b, k]``.  Returns the variable."""
    if type(sparse_delta) is not IndexedSlices:
        raise TypeError(f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {sparse_delta}")
    at = convert_to_tensor(sparse_delta.indices)._a
    batch = np.indices(at.shape)[:-1]
    new = convert_to_tensor(sparse_delta.values, self.dtype)._a
    return self._store(scatter_set(self._handle._a.value, (*batch, at), new))


_IN_PLACE = {
    "__iadd__": ("variable += value", "variable.assign_add(value)", "variable + value"),
    "__isub__": ("variable -= value", "variable.assign_sub(value)", "variable * value"),
    "__imul__": ("var *= value", "var.assign(var * value)", "var * value"),
    "__itruediv__": ("var /= value", "var.assign(var / value)", "var / value"),
    "__ipow__": ("var **= value", "var.assign(var ** value)", "var ** value"),
}


def _refusing(written: str, instead: str, new: str) -> Any:
    """An operator of Python's that would make another tensor of a variable."""

    def refuse(self: Any, value: Any) -> Any:
        raise RuntimeError(
            f"`{written}` with `tf.Variable`s is not supported. Use `{instead}` to modify the variable, or "
            f"`out = {new}` if you need to get a new output Tensor."
        )

    return refuse


def attach_updates(variable_class: type) -> None:
    """Give the class of variables its ``scatter_`` methods, and the refusals of ``+=`` and its like."""
    for name, texts in _IN_PLACE.items():
        setattr(variable_class, name, _refusing(*texts))
    for way, (_, _, kernel) in _WAYS.items():
        setattr(variable_class, f"scatter_{way}", _rows_method(way))
        if kernel:
            setattr(variable_class, f"scatter_nd_{way}", _tuples_method(way))
    variable_class.batch_scatter_update = batch_scatter_update  # type: ignore[attr-defined]
