"""Moved to `launch.py`, because it starts a run."""

import shlex
import sys
from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Print the command to use instead; returns the exit code of a wrong command."""
    line = shlex.join(["python", "launch.py", "--difficulty", *argv])
    print(f"`python -m analysis difficulty` is now `{line}`.", file=sys.stderr)
    return 2
