"""In processes of their own: here torch is loaded already."""

import subprocess
import sys

import pytest

BEFORE = """
import sys
from records.late_torch_dynamo import delay_torch_dynamo
delay_torch_dynamo()
assert "torch" not in sys.modules
import torch
"""
STEP = """
weight = torch.nn.Linear(1, 1)
torch.optim.Adam(weight.parameters()).step()
assert not [name for name in sys.modules if name.startswith("torch._dynamo.")]
"""
PART = """
import torch._dynamo.config as part
import torch._dynamo.utils as user
assert user.config is part is torch._dynamo.config is sys.modules["torch._dynamo.config"]
assert part.__spec__.origin and user.__spec__.origin
"""
COMPILED = """
from torch._dynamo import OptimizedModule
network = torch.nn.Linear(1, 1)
assert not isinstance(network, OptimizedModule)
network = torch.compile(network, backend="eager")
assert isinstance(network, OptimizedModule)
assert network(torch.zeros(1)).shape == (1,)
"""
NAME = "from torch._dynamo import config; assert config.recompile_limit > 0"


@pytest.mark.parametrize("use", [STEP, PART, COMPILED, NAME])
def test_imported_at_first_use(use):
    ended = subprocess.run([sys.executable, "-c", BEFORE + use], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
