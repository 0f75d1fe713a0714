"""`tapecheck`, and `python -m conformance`: the command, unless foreign packages answer instead of ours."""

from __future__ import annotations

import sys

from conformance.siblings import ForeignPackage, check

# What an installation without extras lacks, and the extra that brings it.
EXTRAS = {"ml_dtypes": "full", "scipy": "full", "mpmath": "test", "hypothesis": "test", "pytest": "test"}


def main() -> int:
    """Run the command (see `command_line.py`); 2 and one sentence when another distribution's package is in the way or
    one is missing."""
    try:
        check()
    except ForeignPackage as foreign:
        print(f"tapecheck: {foreign}", file=sys.stderr)
        return 2
    try:
        from conformance.command_line import main as run

        return run()
    except ModuleNotFoundError as missing:
        extra = EXTRAS.get(missing.name or "")
        if extra is None:
            raise
        print(f"tapecheck: This needs {missing.name}: pip install 'tapecheck[{extra}]'", file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
