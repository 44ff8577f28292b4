"""The archives that the repository ships: readable, small, and the source of the claims table."""

import json
import re
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.claims_table import claims_page, found, judge_all
from analysis.runs.records import read_runs
from records.archive import read_archive
from tests.analysis import claim_runs

ROOT = Path(__file__).parents[2]
EVIDENCE = ROOT / "evidence"
ARCHIVES = sorted(EVIDENCE.glob("*.parquet"))
MACHINE = re.compile(r'"host"|(?<![\w.])/(home|root|work|tmp|mnt|Users)/')


@pytest.mark.parametrize("file", ARCHIVES, ids=lambda file: file.stem)
def test_an_archive_is_whole_and_names_no_machine(file):
    for run in read_archive(file):
        assert run.record["git"]["commit"]
        assert run.record["versions"]["torch"]
        assert not run.record.get("standin"), f"{run.place} is on generated images"
        assert not MACHINE.search(json.dumps(run.record)), run.place


def test_the_archives_are_small():
    assert sum(file.stat().st_size for file in ARCHIVES) < 20 * 2**20


def test_the_claims_table_is_made_from_them():
    judged = judge_all(read_runs(ARCHIVES).done)
    assert len(judged) >= 25
    decided = [one for one in judged if one.verdict in ("holds", "fails")]
    assert sum(one.on_real_images for one in decided) >= 15
    for one in decided:
        assert one.decision.estimate.known
        assert not one.on_standins


def test_the_page_on_real_sets_has_the_verdicts_and_intervals_of_the_archives():
    page = (ROOT / "docs" / "real-sets.md").read_text()
    judged = judge_all(read_runs(ARCHIVES).done)
    for one in judged:
        row = next(line for line in page.splitlines() if f"`{one.claim.name}`" in line)
        cells = [cell.strip() for cell in row.split("|")]
        assert cells[2] == f"**{one.verdict}**", one.claim.name
        assert cells[3].partition(" [")[0] == found(one).interval, one.claim.name
    holds, fails = (
        [one.verdict for one in judged].count(verdict) for verdict in ("holds", "fails")
    )
    assert f"Of {len(judged)} claims {holds} hold, {fails} fail" in page


def test_the_page_of_the_documentation_has_every_claim(tmp_path):
    claim_runs.brandao(tmp_path / "runs", 1)
    main(["archive", str(tmp_path / "runs"), "-o", str(tmp_path / "evidence" / "noise.parquet")])
    page = claims_page(tmp_path / "evidence")
    assert f"`noise.parquet` ({8 * len(claim_runs.SEEDS)})" in page
    assert page.count("**holds**") == 6
    assert page.count("**not run**") == len(judge_all(read_runs(ARCHIVES).done)) - 6


def test_nothing_is_written_beside_archives(tmp_path, capsys):
    claim_runs.brandao(tmp_path / "runs", 1)
    main(["archive", str(tmp_path / "runs"), "-o", str(tmp_path / "evidence" / "noise.parquet")])
    for source in (tmp_path / "evidence", tmp_path / "evidence" / "noise.parquet"):
        assert main(["claims", str(source)]) == 0
        assert "--out DIR writes claims.csv" in capsys.readouterr().out
    assert [path.name for path in tmp_path.rglob("*claims*")] == []
    assert [path.name for path in (tmp_path / "evidence").iterdir()] == ["noise.parquet"]
