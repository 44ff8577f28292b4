"""A run imports only what it uses."""

import subprocess
import sys

from tests.conftest import ROOT

UNUSED = {
    "sklearn", "pandas", "scipy.signal", "scipy.stats", "sympy", "torch._dynamo", "torch.export",
}  # fmt: skip
RUN = """
import sys, launch
code = launch.main()
from records.late_imports import _Later
late = [name for name, module in sys.modules.items() if isinstance(module, _Later)]
print("imported:", *(set(sys.modules) - set(late)))
sys.exit(code)
"""


def test_a_run_with_figures_tables_and_wandb(launch, monkeypatch):
    monkeypatch.setenv("WANDB_MODE", "offline")
    words = launch.arguments("logger=wandb", "epochs=1", "n=100", "callbacks=business")
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert (launch.run().path / "predictions.parquet").is_file()
    imported = done.stdout.partition("imported: ")[2].split()
    assert "wandb" in imported
    assert not UNUSED & set(imported)
