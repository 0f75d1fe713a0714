"""Tensors of several parts as one variant: ``raw_ops.CompositeTensorVariantFromComponents`` and ``...ToComponents``."""

from __future__ import annotations

from typing import Any

from .. import dtypes
from ..errors import invalid
from ..ops.declare import kernel, public
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from ..tensors.variants import Variant, described


class Components:
    """The tensors that make up one value."""

    __slots__ = ("arrays",)
    type_name = "CompositeTensorVariant"

    def __init__(self, arrays: tuple[Any, ...]):
        self.arrays = arrays

    def __str__(self) -> str:
        return f"<<CompositeTensorVariant type=UNKNOWN, components=[{', '.join(map(described, self.arrays))}]>>"


from_components_ = kernel(
    "from_components", "CompositeTensorVariantFromComponents",
    forward=lambda *arrays: Variant(Components(arrays)),
    gradient=lambda F, dy, _y, *_arrays: tuple(F.to_components(dy)),
)  # fmt: skip
to_components_ = kernel(
    "to_components", "CompositeTensorVariantToComponents", forward=lambda variant: tuple(variant.held.arrays),
    gradient=lambda F, dy, _y, _variant: F.from_components(*(dy if type(dy) is tuple else (dy,))),
)  # fmt: skip


@public("raw_ops.CompositeTensorVariantFromComponents")
def CompositeTensorVariantFromComponents(*, components: Any, metadata: str, name: str | None = None) -> EagerTensor:
    """Tensors put into one variant; ``metadata`` names no type here."""
    return from_components_(*(convert_to_tensor(part) for part in components))


@public("raw_ops.CompositeTensorVariantToComponents")
def CompositeTensorVariantToComponents(
    *, encoded: Any, metadata: str, Tcomponents: Any, name: str | None = None
) -> list[EagerTensor]:
    """The tensors in a variant.  InvalidArgumentError for another number of them, or other dtypes."""
    arrays, want = encoded._a.held.arrays, [dtypes.as_dtype(dtype) for dtype in Tcomponents]
    text = ""
    if len(arrays) != len(want):
        text = f"Encoded value has {len(arrays)} tensor components; expected {len(want)} components based on type_spec"
    for k, (array, dtype) in enumerate(zip(arrays, want)):
        if not text and dtypes.of(array.dtype) is not dtype:
            have, need = (one._word.upper() for one in (dtypes.of(array.dtype), dtype))
            text = f"Tensor component {k} had dtype DT_{have}; expected dtype DT_{need}"
    if text:
        raise invalid("CompositeTensorVariantToComponents", text, name, sizes=f"Tcomponents_{len(want)}")
    return list(to_components_(encoded))
