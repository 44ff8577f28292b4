"""Print every figure and table of the papers: how to make it, how to read it, what came out."""

import argparse
from collections.abc import Sequence

from analysis.atlas import atlas


def main(argv: Sequence[str]) -> int:
    """Print the atlas as Markdown."""
    argparse.ArgumentParser(prog="python -m analysis atlas", description=__doc__).parse_args(argv)
    print(atlas())
    return 0
