"""REL: relations between two answers of one tape, which need no oracle (see `conformance/relations/`)."""

from __future__ import annotations

from conformance.relations.table import RELATIONS
from conformance.rules import OBSERVED, Group

GROUP = Group("REL", "Relations between answers", source="tf.GradientTape")

for _relation in RELATIONS:
    _broken = f". TensorFlow breaks it {_relation.broken}" if _relation.broken else ""
    GROUP.not_pinned(
        _relation.id,
        _relation.sentence,
        f"two answers of one tape are compared, by `tapecheck relations NAME --rule {_relation.id}`{_broken}",
        OBSERVED,
    )
