"""Print every figure and table of the papers: how to make it, how to read it, what came out."""

import argparse
import contextlib
import sys
from collections.abc import Sequence

from analysis.atlas import atlas


def main(argv: Sequence[str]) -> int:
    """Print the atlas as Markdown."""
    argparse.ArgumentParser(prog="python -m analysis atlas", description=__doc__).parse_args(argv)
    try:
        print(atlas(), flush=True)
    except BrokenPipeError:  # `| head` has read enough
        with contextlib.suppress(OSError):
            sys.stderr.close()  # Python would complain there when it closes the broken pipe
    return 0
