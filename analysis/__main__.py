"""`python -m analysis`: shows that it works while its libraries load, which takes seconds."""

import sys
from collections.abc import Sequence

from display.steps import working


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of `analysis.command_line`, which has the arguments."""
    with working("loading"):
        from analysis.command_line import main as run
    return run(list(sys.argv[1:] if argv is None else argv))


if __name__ == "__main__":
    sys.exit(main())
