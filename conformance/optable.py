"""What to ask of each op: one row per op of TensorFlow's public surface.

`TABLE` holds every row (see `oprow.Row`) in a fixed order, since a choice names a row by its position; `row(name)`
finds one, `position(name)` says where it stands, and `indices(pattern)` lists the positions whose names match.
Families of rows live in `conformance/optables/`.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

from conformance.optables import (
    arithmetic,
    arrays,
    backward,
    composed,
    convolutions,
    elementwise,
    layers,
    linear,
    older,
    pictures,
    ragged,
    reductions,
    selecting,
    sequences,
    signals,
    sparse,
    special,
    variants,
)
from conformance.optables.row import Row

PLAIN: tuple[Row, ...] = arithmetic.ROWS + elementwise.ROWS + reductions.ROWS + arrays.ROWS
# A choice names a row by its position, so new families go to the end.
_OLDER = (convolutions, special, linear, selecting, layers, signals, older, backward, sparse, ragged, variants)
_FAMILIES = (*_OLDER, pictures, sequences, composed)
SET: tuple[Row, ...] = tuple(entry for family in _FAMILIES for entry in family.ROWS)
TABLE: tuple[Row, ...] = PLAIN + SET
_BY_NAME = {entry.name: entry for entry in TABLE}
_POSITIONS = {entry.name: position for position, entry in enumerate(TABLE)}


def row(name: str) -> Row:
    """The row of an op. Raises KeyError for an op that the table does not hold."""
    return _BY_NAME[name]


def position(name: str) -> int:
    """Where an op stands in `TABLE`. Raises KeyError for an op that the table does not hold."""
    return _POSITIONS[name]


def indices(pattern: str | Sequence[str] = "*") -> tuple[int, ...]:
    """The positions in `TABLE` of the ops whose names match a shell-style pattern (`math.*`), or any of several."""
    patterns = (pattern,) if isinstance(pattern, str) else tuple(pattern)
    return tuple(at for at, entry in enumerate(TABLE) if any(fnmatch.fnmatchcase(entry.name, one) for one in patterns))
