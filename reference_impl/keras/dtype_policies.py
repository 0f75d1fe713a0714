"""``tf.keras.dtype_policies``: in which dtype a layer computes and in which it keeps its variables.

The policy of layers that are given none is kept from the first time it is asked for: ``set_floatx`` after the first
layer does not change it.
"""

from __future__ import annotations

from typing import Any

from . import policy as settings

__all__ = ["DTypePolicy", "FloatDTypePolicy", "deserialize", "get", "serialize"]

_MIXED = {"mixed_float16": "float16", "mixed_bfloat16": "bfloat16"}


class DTypePolicy:
    """``DTypePolicy(name)``: the name of a float dtype, "mixed_float16" or "mixed_bfloat16", or the global one."""

    def __init__(self, name: str | None = None):
        name = dtype_policy().name if name is None else name
        if not isinstance(name, str):
            raise TypeError(
                f"'name' must be a string, such as 'mixed_float16'. Received: name={name} (of type {type(name)})"
            )
        self._name = name
        self._compute_dtype, self._variable_dtype = _parsed(name)

    @property
    def name(self) -> str:
        """The name it was made with."""
        return self._name

    @property
    def compute_dtype(self) -> str:
        """The dtype in which layers compute and give their outputs."""
        return self._compute_dtype

    @property
    def variable_dtype(self) -> str:
        """The dtype of variables."""
        return self._variable_dtype

    @property
    def quantization_mode(self) -> None:
        """None."""
        return None

    def get_config(self) -> dict[str, Any]:
        """The name."""
        return {"name": self._name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> DTypePolicy:
        """A policy by its name."""
        return cls(**config)

    def __repr__(self) -> str:
        return f'<DTypePolicy "{self._name}">'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DTypePolicy) and self._name == other._name

    __hash__ = None  # type: ignore[assignment]  # as Keras's


FloatDTypePolicy = DTypePolicy


def _parsed(name: str) -> tuple[str, str]:
    """The dtypes of computations and of variables.  ValueError for an unknown name."""
    if name in _MIXED:
        return _MIXED[name], "float32"
    try:
        dtype = settings.standardize_dtype(name)
    except ValueError:
        raise ValueError(
            f"Cannot convert '{name}' to a mixed precision DTypePolicy. Valid policies include 'mixed_float16', "
            "'mixed_bfloat16', and the name of any float dtype such as 'float32'."
        ) from None
    return dtype, dtype


_global: dict[str, DTypePolicy] = {}


def dtype_policy() -> DTypePolicy:
    """The policy of layers that are given none: of the default float dtype, until one is set."""
    if "policy" not in _global:
        _global["policy"] = DTypePolicy(settings.floatx())
    return _global["policy"]


def set_dtype_policy(policy: Any) -> None:
    """Set the policy of layers to come, by itself or by its name.  ValueError for anything else."""
    if not isinstance(policy, (str, DTypePolicy)):
        raise ValueError(
            "Invalid `policy` argument. Expected the string name of a policy (such as 'mixed_float16') or a "
            f"`DTypePolicy` instance. Received: policy={policy} (of type {type(policy)})"
        )
    _global["policy"] = DTypePolicy(policy) if isinstance(policy, str) else policy


def forget_policy() -> None:
    """Nobody has asked for a policy yet."""
    _global.clear()


def get(identifier: Any) -> DTypePolicy:
    """A policy from a name, a dtype, a configuration, None or itself.  ValueError for anything else."""
    if identifier is None:
        return dtype_policy()
    if isinstance(identifier, DTypePolicy):
        return identifier
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return DTypePolicy(identifier)
    try:
        return DTypePolicy(settings.standardize_dtype(identifier))
    except ValueError:
        raise ValueError(
            "Cannot interpret `dtype` argument. Expected a string or an instance of DTypePolicy. Received: "
            f"dtype={identifier}"
        ) from None


def serialize(dtype_policy: DTypePolicy) -> dict[str, Any]:
    """The configuration of a policy."""
    return {
        "module": "keras", "class_name": "DTypePolicy", "config": dtype_policy.get_config(), "registered_name": None,
    }  # fmt: skip


def deserialize(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> DTypePolicy:
    """A policy from its configuration."""
    return DTypePolicy(**config["config"])
