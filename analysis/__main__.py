"""`python -m analysis`: shows that it works while its libraries load, which takes seconds."""

import contextlib
import sys
from collections.abc import Sequence

from display.steps import working
from records.late_scipy_signal import delay_scipy_signal


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of `analysis.command_line`, which has the arguments."""
    delay_scipy_signal()
    with working("loading"):
        from analysis.command_line import main as run
    try:
        code = run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # `| head` has read enough
        with contextlib.suppress(OSError):
            sys.stderr.close()  # Python would complain there when it closes the broken pipe
        return 0


if __name__ == "__main__":
    sys.exit(main())
