"""In processes of their own: here torch and `scipy.signal` are loaded already."""

import subprocess
import sys

import pytest

BEFORE = """
import sys
from records.late_imports import delay_imports
delay_imports()
assert "torch" not in sys.modules
assert "scipy" not in sys.modules
"""
STEP = """
import torch
weight = torch.nn.Linear(1, 1)
torch.optim.Adam(weight.parameters()).step()
assert not [name for name in sys.modules if name.startswith("torch._dynamo.")]
"""
PART = """
import torch
import torch._dynamo.config as part
import torch._dynamo.utils as user
assert user.config is part is torch._dynamo.config is sys.modules["torch._dynamo.config"]
assert part.__spec__.origin and user.__spec__.origin
"""
COMPILED = """
import torch
from torch._dynamo import OptimizedModule
network = torch.nn.Linear(1, 1)
assert not isinstance(network, OptimizedModule)
network = torch.compile(network, backend="eager")
assert isinstance(network, OptimizedModule)
assert network(torch.zeros(1)).shape == (1,)
"""
DECORATED = """
import torch
once = torch.compiler.disable(recursive=False)(lambda x: x + 1)
assert once(1) == torch.compiler.disable(lambda x: x + 1)(1) == 2
torch._dynamo.graph_break(msg="here")
assert not [name for name in sys.modules if name.startswith("torch._dynamo.")]
"""
EXPORTED = """
import torch
from torch.export import Dim
assert torch.export.Dim is Dim
program = torch.export.export(torch.nn.Linear(2, 1), (torch.zeros(1, 2),))
assert program.module()(torch.zeros(1, 2)).shape == (1, 1)
"""
NAME = "from torch._dynamo import config; assert config.recompile_limit > 0"


SIGNAL = (
    "from scipy.signal.windows import hann; assert hann(3).tolist() == [0, 1, 0]",
    "from importlib.util import find_spec; assert find_spec('scipy.signal').origin",
    "import scipy.signal; assert scipy.signal.convolve([1, 2], [1, 1]).tolist() == [1, 3, 2]",
    "import scipy.signal._signaltools as part; assert part.convolve([2], [3]).tolist() == [6]",
)


@pytest.mark.parametrize("use", [STEP, PART, COMPILED, DECORATED, EXPORTED, NAME, *SIGNAL])
def test_imported_at_first_use(use):
    ended = subprocess.run([sys.executable, "-c", BEFORE + use], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
