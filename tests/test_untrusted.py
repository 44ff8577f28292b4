"""Nothing that is read can run: every loader in the source is the harmless form of itself."""

import ast
import html
import json

import pytest

from tests.conftest import ROOT

ROOMS = (
    *("analysis", "callbacks", "conf", "datamodules", "launchers", "lightning_modules"),
    *("metrics", "records"),
)
NEEDS = {"torch.load": ("weights_only", True), "np.load": ("allow_pickle", False)}
FORBIDDEN = {
    *("pickle.load", "pickle.loads", "yaml.load", "yaml.unsafe_load", "eval", "exec", "os.system"),
    *("joblib.load", "pd.read_pickle", "marshal.loads", "shelve.open"),
    # these unpack whatever a few bytes claim: read a bounded number of bytes from a stream
    *("gzip.decompress", "zlib.decompress", "bz2.decompress", "lzma.decompress"),
}


def calls():
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    yield path, node, ast.unparse(node.func)


def test_loaders_are_told_not_to_run_code():
    found = set()
    for path, node, name in calls():
        if name in NEEDS:
            keyword, value = NEEDS[name]
            given = {k.arg: ast.literal_eval(k.value) for k in node.keywords if k.arg == keyword}
            assert given == {keyword: value}, f"{path}: {ast.unparse(node)}"
            found.add(name)
    assert found == set(NEEDS)


def test_pictures_are_opened_with_a_list_of_formats():
    """Pillow chooses among forty by the first bytes; EPS starts Ghostscript."""
    found = [(path, node) for path, node, name in calls() if name == "Image.open"]
    assert found
    for path, node in found:
        assert "formats" in {keyword.arg for keyword in node.keywords}, path


def test_nothing_that_runs_what_it_reads_is_called():
    for path, node, name in calls():
        assert name not in FORBIDDEN, f"{path}: {ast.unparse(node)}"
        if name.endswith(".extractall"):
            filters = [ast.unparse(k.value) for k in node.keywords if k.arg == "filter"]
            assert filters == ["'data'"], path
        assert not any(
            k.arg == "shell" and ast.unparse(k.value) == "True" for k in node.keywords
        ), path


@pytest.mark.parametrize("field", ["error", "command", "notes", "key"])
def test_the_report_escapes_what_records_say(launch, tmp_path, field):
    from analysis.__main__ import main

    launch()
    folder = launch.run()
    evil = "<script>alert(1)</script>\"'&"
    record = json.loads(folder.record_file.read_text())
    record |= {field: [evil] if field == "notes" else evil, "protocol": evil}
    record["settings"]["model"]["name"] = evil
    folder.record_file.write_text(json.dumps(record))
    main([str(folder.path.parent), "--out", str(tmp_path / "report")])
    report = (tmp_path / "report" / "report.html").read_text()
    assert "<script>alert" not in report
    assert html.escape("<script>alert(1)") in report
