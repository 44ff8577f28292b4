"""When a generated data set is written again."""

import importlib
import sys

from datamodules.standin import standin_folder

WRITER = """
from standin_package.shapes import shape

def write(root):
    (root / "image.txt").write_text(shape())
"""


def folder_for(tmp_path, shape):
    package = tmp_path / "standin_package"
    package.mkdir(exist_ok=True)
    (package / "writer.py").write_text(WRITER)
    (package / "shapes.py").write_text(f'def shape():\n    return "{shape}"\n')
    for name in [name for name in sys.modules if name.startswith("standin_package")]:
        del sys.modules[name]
    importlib.invalidate_caches()
    writer = importlib.import_module("standin_package.writer")
    return standin_folder(tmp_path / "cache", "mine", writer.write)


def test_a_change_of_a_module_that_the_writer_uses_writes_another_folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    first = folder_for(tmp_path, "circle")
    assert folder_for(tmp_path, "circle") == first
    second = folder_for(tmp_path, "a rectangle")
    assert second != first
    assert (second / "image.txt").read_text() == "a rectangle"
