"""`python -m analysis`: a spinner is shown while its libraries load."""

import contextlib
import errno
import gc
import sys
from collections.abc import Sequence

from display.steps import working
from records.late_imports import all_kept, delay_imports

UNWRITABLE = (
    *(errno.EROFS, errno.ENOSPC, errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.ENOTDIR),
    errno.EEXIST,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `analysis.command_line`, which defines the arguments; returns its exit code."""
    delay_imports()
    with working("loading"), all_kept():
        from analysis.command_line import main as run
    try:
        code = run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # `| head` has read enough
        with contextlib.suppress(OSError):
            sys.stderr.close()  # Python would complain there when it closes the broken pipe
        return 0
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise
        place = error.filename or "the report"
        print(
            f"{place} cannot be written: {error.strerror}; choose another with --out.",
            file=sys.stderr,
        )
        return 2


if __name__ == "__main__":
    code = main()
    gc.freeze()  # else Python searches everything for garbage when it ends
    sys.exit(code)
