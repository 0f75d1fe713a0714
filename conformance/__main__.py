"""`tapecheck`, and `python -m conformance`: the command, unless foreign packages answer instead of ours."""

from __future__ import annotations

import sys

from conformance.siblings import ForeignPackage, check


def main() -> int:
    """Run the command (see `command_line.py`); 2 and one sentence when another distribution's package is in the way."""
    try:
        check()
    except ForeignPackage as foreign:
        print(f"tapecheck: {foreign}", file=sys.stderr)
        return 2
    from conformance.command_line import main as run

    return run()


if __name__ == "__main__":
    raise SystemExit(main())
