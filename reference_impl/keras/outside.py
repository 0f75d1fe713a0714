"""What is not in this engine, said in one way."""

from __future__ import annotations


def missing(module: str, name: str) -> AttributeError:
    """The error for a name that a part of Keras has and this engine has not."""
    return AttributeError(
        f"module 'reference_impl.{module}' has no attribute {name!r}: this is a NumPy engine for gradient tapes with "
        f"the part of Keras that hand-written training loops use. dir(reference_impl.{module}) and docs/around.md list "
        "what there is."
    )
