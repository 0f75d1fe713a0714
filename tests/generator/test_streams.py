"""The programs of a seed are the same on every Python, NumPy and processor, so a seed in a report means something."""

from __future__ import annotations

import hashlib

from adapters.program_json import program_id
from conformance.generating.choices import QUOTAS
from conformance.generating.sources import seeded
from conformance.running.plan import DEFAULT_SEED

PROGRAMS = 2_000
# Of the ids of these programs. A new op, move or weight changes what is drawn: write the new digest here.
DIGEST = "ec277568a8189318"


def test_the_first_programs_of_the_default_seed_are_those_recorded():
    ids = [program_id(program) for _, program in seeded(DEFAULT_SEED, 0, PROGRAMS, quotas=QUOTAS)]
    digest = hashlib.sha256("\n".join(ids).encode("ascii")).hexdigest()[:16]
    assert digest == DIGEST, (
        f"the first {PROGRAMS} programs of seed {DEFAULT_SEED} now have the digest {digest}: if neither the op table "
        "nor a move was changed, this Python or NumPy draws other programs than the one that recorded it"
    )
