"""In processes of their own: here `scipy.signal` may be loaded already."""

import subprocess
import sys

import pytest

BEFORE = """
import sys
from records.late_scipy_signal import delay_scipy_signal
delay_scipy_signal()
assert "scipy" not in sys.modules
"""


@pytest.mark.parametrize(
    "use",
    [
        "from scipy.signal.windows import hann; assert hann(3).tolist() == [0, 1, 0]",
        "from importlib.util import find_spec; assert find_spec('scipy.signal').origin",
        "import scipy.signal; assert scipy.signal.convolve([1, 2], [1, 1]).tolist() == [1, 3, 2]",
        "import scipy.signal._signaltools as part; assert part.convolve([2], [3]).tolist() == [6]",
    ],
)
def test_everything_of_the_package_can_be_used(use):
    ended = subprocess.run([sys.executable, "-c", BEFORE + use], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
