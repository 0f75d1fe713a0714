"""``tf.config.optimizer``: switches of graph optimizers, which are kept and given back."""

from __future__ import annotations

from typing import Any

_SETTINGS: dict[str, Any] = {"jit": "", "options": {}}
_ALWAYS = {"disable_model_pruning": False, "disable_meta_optimizer": False}


def get_jit() -> str:
    """``"autoclustering"`` where it was turned on, else an empty text."""
    return _SETTINGS["jit"]


def set_jit(enabled: bool | str) -> None:
    """Turn the compiling of clusters of ops on or off; it changes nothing here.

    True and "autoclustering" turn it on, whatever else turns it off.
    """
    _SETTINGS["jit"] = "autoclustering" if enabled in (True, "autoclustering") else ""


def get_experimental_options() -> dict[str, Any]:
    """The options that were set, and two that always are."""
    return {**_SETTINGS["options"], **_ALWAYS, **{k: v for k, v in _SETTINGS["options"].items() if k in _ALWAYS}}


def set_experimental_options(options: dict[str, Any]) -> None:
    """Keep options for ``get_experimental_options``, beside those kept before."""
    _SETTINGS["options"] = {**_SETTINGS["options"], **options}
