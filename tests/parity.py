"""Comparisons with independent libraries, kept as a table in docs/parity.md.

    @pytest.mark.parity
    def test_twonn_agrees_with_skdim():
        agree("twonn_dimension", "skdim.id.TwoNN", ours, theirs, rtol=1e-6, why="same regression")

`PLUMBLINE_WRITE_PARITY=1 pytest -m parity` renews the page; a plain run only asserts.
"""

import os
from importlib.metadata import version
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parent.parent / "docs" / "parity.md"
HEAD = """# Parity: our functions against independent libraries

    PLUMBLINE_WRITE_PARITY=1 pytest -m parity    # runs the comparisons and rewrites this page

Each row compares one of our functions with an independent library on the same input. "Tolerance"
is the largest relative difference that the test allows, "difference" the one found, and "reason"
says why the two agree or by how much they can differ.

| ours | theirs | version | tolerance | difference | reason |
|---|---|---|---|---|---|
"""


def agree(ours: str, theirs: str, actual: object, expected: object, rtol: float, why: str) -> None:
    """Assert that two results agree to `rtol` (largest relative difference) and note it."""
    a, e = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert a.shape == e.shape, f"{ours}: shape {a.shape} against {e.shape} of {theirs}"
    seen = float(np.max(np.abs(a - e) / np.maximum(np.abs(e), 1e-12)))
    assert seen <= rtol, f"{ours} and {theirs} differ by {seen:.2e}, more than {rtol:.0e}"
    if os.environ.get("PLUMBLINE_WRITE_PARITY"):
        _keep(ours, theirs, rtol, seen, why)


def _keep(ours: str, theirs: str, rtol: float, seen: float, why: str) -> None:
    packages = {"skdim": "scikit-dimension", "sklearn": "scikit-learn"}
    package = theirs.split(".")[0]
    release = version(packages.get(package, package))
    row = f"| `{ours}` | `{theirs}` | {release} | {rtol:.0e} | {seen:.1e} | {why} |"
    text = PAGE.read_text() if PAGE.exists() else HEAD
    rows = [line for line in text.removeprefix(HEAD).splitlines() if line.strip()]
    rows = [line for line in rows if not line.startswith(f"| `{ours}` | `{theirs}` |")]
    PAGE.write_text(HEAD + "\n".join(sorted([*rows, row])) + "\n")
