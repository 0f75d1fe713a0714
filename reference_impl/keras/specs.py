"""InputSpec: what a layer wants of its inputs, and the check with Keras's messages."""

from __future__ import annotations

from typing import Any

from .. import nest


class InputSpec:
    """``InputSpec(dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None, axes=None)``."""

    def __init__(
        self, dtype: Any = None, shape: Any = None, ndim: int | None = None, max_ndim: int | None = None,
        min_ndim: int | None = None, axes: Any = None, allow_last_axis_squeeze: bool = False, name: str | None = None,
        optional: bool = False,
    ):  # fmt: skip
        self.dtype, self.shape = dtype, None if shape is None else tuple(shape)
        self.ndim = len(self.shape) if self.shape is not None else ndim
        self.max_ndim, self.min_ndim, self.axes = max_ndim, min_ndim, {int(k): v for k, v in (axes or {}).items()}
        self.name, self.optional, self.allow_last_axis_squeeze = name, optional, allow_last_axis_squeeze

    def __repr__(self) -> str:
        parts = {name: getattr(self, name) for name in ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")}
        return f"InputSpec({', '.join(f'{k}={v}' for k, v in parts.items() if v)})"


def check(specs: Any, inputs: Any, layer_name: str) -> None:
    """ValueError unless the inputs are what the specs say."""
    wanted = nest.flatten(specs)
    names = [spec.name for spec in wanted if spec is not None]
    named = len(names) == len(wanted) and all(names)
    given = _by_name(inputs, names) if named and isinstance(inputs, dict) else nest.flatten(inputs)
    if len(given) != len(wanted):
        if named:
            shown = ", ".join(f"'{n}': ..." for n in names)
            raise ValueError(
                f'Layer "{layer_name}" expects {len(wanted)} named input(s) with keys {names}, but it received '
                f"{len(given)} input tensors. Pass inputs as a dict, e.g. `layer({{{shown}}})`."
            )
        raise ValueError(
            f'Layer "{layer_name}" expects {len(wanted)} input(s), but it received {len(given)} input tensors. Inputs '
            f"received: {given}"
        )
    for k, (x, spec) in enumerate(zip(given, wanted)):
        if spec is None or (x is None and spec.optional):
            continue
        if not hasattr(x, "shape"):
            raise ValueError(
                f"Inputs to a layer should be tensors. Got '{x}' (of type {type(x)}) as input for layer '{layer_name}'."
            )
        problem = _problem(spec, tuple(x.shape))
        if problem:
            raise ValueError(
                f"Input {k} with name '{spec.name}' of layer '{layer_name}' is incompatible with the layer: {problem}"
            )


def _by_name(inputs: dict[str, Any], names: list[Any]) -> list[Any]:
    for name in names:
        if name not in inputs:
            raise ValueError(
                f'Missing data for input "{name}". You passed a data dictionary with keys {list(inputs)}. Expected the '
                f"following keys: {names}"
            )
    return [inputs[name] for name in names]


def _problem(spec: InputSpec, shape: tuple) -> str | None:
    count = len(shape)
    if spec.ndim is not None and count != spec.ndim and not spec.allow_last_axis_squeeze:
        return f"expected ndim={spec.ndim}, found ndim={count}. Full shape received: {shape}"
    if spec.max_ndim is not None and count > spec.max_ndim:
        return f"expected max_ndim={spec.max_ndim}, found ndim={count}"
    if spec.min_ndim is not None and count < spec.min_ndim:
        return f"expected min_ndim={spec.min_ndim}, found ndim={count}. Full shape received: {shape}"
    for axis, size in spec.axes.items():
        if size is not None and shape[axis] not in (size, None):
            return f"expected axis {axis} of input shape to have value {size}, but received input with shape {shape}"
    if spec.shape is not None:
        wanted = spec.shape
        if spec.allow_last_axis_squeeze:
            shape, wanted = (s[:-1] if s and s[-1] == 1 else s for s in (shape, wanted))
        for want, got in zip(wanted, shape):
            if want is not None and got is not None and want != got:
                return f"expected shape={spec.shape}, found shape={shape}"
    return None
