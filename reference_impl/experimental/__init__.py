"""``ExtensionType``: the user's own types made of tensors (``tf.experimental``)."""

from .extension_type import ExtensionType

__all__ = ["ExtensionType"]
