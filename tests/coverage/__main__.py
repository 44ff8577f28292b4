"""Write the table of simulated coverage: python -m tests.coverage [draws]."""

import re
import sys
from pathlib import Path

from tests.coverage.case import simulate
from tests.coverage.cases import CASES

PAGE = Path(__file__).parents[2] / "docs" / "intervals.md"


def main(draws: int = 2000) -> None:
    """Simulate every case and replace the table of docs/intervals.md."""
    lines = [
        "| interval or p value | over | nominal | simulated | no interval |",
        "|---|---|---|---|---|",
    ]
    for case in CASES:
        found = simulate(case, draws)
        lines.append(
            f"| {case.name} | {case.over} | {case.nominal} | {found.share:.3f} | {found.withheld} |"
        )
        print(lines[-1], flush=True)
    table = f"<!-- table -->\n{draws} simulations each.\n\n" + "\n".join(lines) + "\n<!-- end -->"
    text = PAGE.read_text()
    PAGE.write_text(re.sub("<!-- table -->.*<!-- end -->", lambda _: table, text, flags=re.S))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
