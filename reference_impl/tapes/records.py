"""The records of a trace: one flat list, in which each record takes six places.

So there is no object for it.  Objects that Python's garbage collector has to look at, over and over while a trace
grows, cost a long one more than the ops do.  The places hold

    op, x, y, None, link, UNKNOWN      for an op of one tensor
    op, a, b, y, link, link            for an op of two
    op, record, None, None, links, UNKNOWN    for any other, whose record is a tuple, as are its links

and six times None where a record has been forgotten.  Record ``i`` begins at place ``PLACES * i``.  What is in no
hurry asks here for records as tuples; see recording.py for what stands in them.

A link is the number of the record that made an input, or else LEAF or UNKNOWN: what the trace knew when the op was
recorded.  An input that is unknown then may be watched, and so be a leaf, when a walk comes to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

PLACES = 6
UNKNOWN, LEAF = -2, -1  # instead of the number of a record
Places = list  # of a trace: what the records hold is anything
_GONE = (None,) * PLACES


def number_of(places: Places) -> int:
    """How many records there are, forgotten ones among them."""
    return len(places) // PLACES


def append_record(places: Places, record: tuple, links: Sequence[int]) -> None:
    """Append a record given as a tuple, and the links of its inputs."""
    kind = record[0].kind
    if kind == 3:
        places += record[0], record, None, None, tuple(links), UNKNOWN
    elif kind == 2:
        places += record + tuple(links)
    else:
        places += (*record, None, links[0], UNKNOWN)


def record_at(places: Places, i: int) -> tuple | None:
    """Record ``i`` as a tuple, None when it has been forgotten."""
    start = PLACES * i
    op = places[start]
    if op is None:
        return None
    return places[start + 1] if op.kind == 3 else tuple(places[start : start + op.kind + 2])


def each_record(places: Places, first: int = 0) -> Iterator[tuple | None]:
    """All records from the ``first`` one on, oldest first, as ``record_at`` gives them."""
    return (record_at(places, i) for i in range(first, len(places) // PLACES))


def backwards(places: Places, last: int) -> Iterator[tuple]:
    """The number of each record from ``last`` back to the first one, and its places, the sixth of them first."""
    end = PLACES * (last + 1)
    one = reversed(places if len(places) == end else places[:end])
    return zip(range(last, -1, -1), one, one, one, one, one, one)


def links_up_to(places: Places, last: int) -> tuple[list, list]:
    """The first and the second links of the records up to ``last``."""
    end = PLACES * (last + 1)
    return places[4:end:PLACES], places[5:end:PLACES]


def has_record(places: Places, i: int) -> bool:
    """Whether there is a record ``i`` that has not been forgotten."""
    start = PLACES * i
    return 0 <= start < len(places) and places[start] is not None


def forget(places: Places, i: int) -> None:
    """Let go of record ``i``; the others keep their numbers."""
    start = PLACES * i
    places[start : start + PLACES] = _GONE
