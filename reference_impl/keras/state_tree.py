"""The state of a model as nested dicts by paths: ``model.get_state_tree()`` and ``model.set_state_tree(tree)``."""

from __future__ import annotations

from typing import Any

_KINDS = ("trainable_variables", "non_trainable_variables", "optimizer_variables", "metrics_variables")


def _variables(model: Any, kind: str) -> list[Any]:
    if kind == "optimizer_variables":
        return [] if model.optimizer is None else model.optimizer.variables
    return getattr(model, kind)


def state_tree(model: Any, value_format: str) -> dict[str, Any]:
    """The values of all variables.  ValueError for two of one path, and for a format that is none."""
    return {kind: _nested(_variables(model, kind), value_format) for kind in _KINDS}


def _nested(variables: Any, value_format: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    seen: set[str] = set()
    for v in variables:
        if v.path in seen:
            raise ValueError(
                f"The following variable path is found twice in the model: '{v.path}'. `get_state_tree()` can only be "
                "called when all variable paths are unique. Make sure to give unique names to your layers (and other "
                "objects)."
            )
        if value_format not in ("backend_tensor", "numpy_array"):
            raise ValueError(
                "Invalid `value_format` argument. Expected one of {'numpy_array', 'backend_tensor'}. Received: "
                f"value_format={value_format}"
            )
        seen.add(v.path)
        place = found
        *above, name = v.path.split("/")
        for part in above:
            place = place.setdefault(part, {})
        place[name] = v.value if value_format == "backend_tensor" else v.numpy()
    return found


def assign_state_tree(model: Any, tree: dict[str, Any]) -> None:
    """Assign what a tree holds; paths that the model does not have are left out.  ValueError for another kind."""
    for kind, nested in tree.items():
        if kind not in _KINDS:
            raise ValueError(f"Unknown variable name: {kind}")
        values = dict(_flat(nested, ""))
        for v in _variables(model, kind):
            if v.path in values:
                v.assign(values[v.path])


def _flat(nested: dict[str, Any], prefix: str) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key, value in nested.items():
        pairs += _flat(value, f"{prefix}{key}/") if isinstance(value, dict) else [(f"{prefix}{key}", value)]
    return pairs
