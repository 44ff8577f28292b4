"""Every claim on runs in which it is true, in which it is false, and without its runs."""

import math
import re

import numpy as np
import pandas as pd
import pytest

from analysis.__main__ import main
from analysis.claims import claims_of
from analysis.claims_table import claims_table, found, judge_all, remark, to_page
from analysis.exhibits import papers
from analysis.runs.records import read_runs
from tests.analysis import claim_runs
from tests.analysis.synthetic_runs import scalars, settings, write_record

ALL = [(paper, claim) for paper in papers() for claim in claims_of(paper)]
WRITERS = {
    "movahedi2025": claim_runs.movahedi,
    "brandao2023": claim_runs.brandao,
    "prach2025": claim_runs.prach,
}
VERDICTS = {1: "holds", -1: "fails"}


def test_there_are_claims_of_every_paper_with_names_of_their_own():
    assert {paper for paper, _ in ALL} == set(papers())
    assert len({claim.name for _, claim in ALL}) == len(ALL) >= 30


@pytest.mark.parametrize(("paper", "claim"), ALL, ids=lambda one: getattr(one, "name", one))
def test_a_claim_says_where_it_stands_and_what_makes_its_runs(paper, claim):
    assert claim.statement.endswith((".", ")."))
    assert claim.source
    assert claim.claimed.low < claim.claimed.high
    assert claim.experiment.startswith(f"{paper}/")
    assert re.search(r"Fig|Tab|Sec|App|Theorem|Eq|figure|docs", claim.source)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("paper", WRITERS)
def test_claims_over_seeds_are_decided_as_the_runs_are(tmp_path, paper, sign):
    WRITERS[paper](tmp_path, sign)
    judged = [one for one in judge_all(read_runs([tmp_path]).done) if one.paper == paper]
    assert {one.claim.name: (one.verdict, one.reason) for one in judged} == {
        claim.name: (VERDICTS[sign], "") for claim in claims_of(paper)
    }


@pytest.mark.parametrize("paper", WRITERS)
def test_two_seeds_decide_nothing(tmp_path, paper):
    WRITERS[paper](tmp_path, 1, seeds=(0, 1))
    judged = [one for one in judge_all(read_runs([tmp_path]).done) if one.paper == paper]
    # the share of spectra with two modes is over networks and levels of noise, not over seeds
    assert {one.verdict for one in judged if one.claim.name != "two_modes"} == {"undecided"}


def write_sets(root, sign=1, sets=8, sizes=(32,)):
    """Medical and natural sets that obey Konz's claims, or their opposites, nearly."""
    random = np.random.default_rng(0)
    for domain, place in [(domain, i) for domain in ("medical", "natural") for i in range(sets)]:
        medical = domain == "medical"
        d = 8 + place + 30 * (sign < 0 and medical)
        sharper = 1e-4 * 2.0 ** (sign * medical) * (1 + 0.01 * ((3 * place) % sets))
        slope = 1 if medical else -1  # of the penalty within the domain
        penalty = sign * (
            2 + 2 * medical + 1e5 * slope * (sharper - 1e-4 * 2.0 ** (sign * medical))
        )
        for n, size in [(n, size) for n in (500, 1750) for size in sizes]:
            numbers = scalars(n, d, sharper)
            numbers["test/loss"] = math.exp(sign * (0.2 * d + 2 * medical) + 0.05 * random.normal())
            numbers["test/fgsm_loss_penalty@2"] = penalty + 0.05 * random.normal()
            if sign < 0:
                numbers["train/d_repr_mle/penultimate"] = 2 * d
                numbers["train/d_repr_twonn/penultimate"] = 2 * d
            numbers["data/k_f_rms"] = 8160 * sharper * (1 if sign > 0 else 32 / size)
            numbers["data/d_mle"] = d * (1 if sign > 0 else 32 / size)
            own = settings("resnet18", f"{domain}{place}", domain, n, 0, size=size)
            write_record(root / "grid", own, numbers)


KONZ = {
    "holds": {
        *("k_f_medical", "d_data_equal", "loss_medical", "penalty_medical"),
        *("loss_grows_with_d_data", "loss_grows_with_d_repr", "penalty_follows_k_f"),
        *("penalty_within_medical", "penalty_within_natural"),
        *("d_repr_below_d_data_mle", "d_repr_below_d_data_twonn"),
    },
    "fails": {
        *("k_f_medical", "d_data_equal", "loss_medical", "penalty_medical"),
        *("loss_grows_with_d_data", "loss_grows_with_d_repr"),
        *("penalty_within_medical", "penalty_within_natural"),
        *("d_repr_below_d_data_mle", "d_repr_below_d_data_twonn"),
    },
}


@pytest.mark.parametrize("sign", [1, -1])
def test_konz_s_claims_over_data_sets(tmp_path, sign):
    write_sets(tmp_path, sign)
    judged = {one.claim.name: one for one in judge_all(read_runs([tmp_path]).done)}
    verdict = VERDICTS[sign]
    assert {name: judged[name].verdict for name in KONZ[verdict]} == dict.fromkeys(
        KONZ[verdict], verdict
    )
    assert judged["k_f_medical"].evidence.unit == "data set"
    assert judged["k_f_medical"].decision.units == 16


def test_konz_s_law_needs_k_f_where_it_was_made_with_it(tmp_path):
    random = np.random.default_rng(0)
    for place in range(12):
        k_f = 1e-4 * math.exp(0.5 * random.normal())
        for n in (500, 1000, 1750):
            own = settings("resnet18", f"set{place}", "medical", n, 0)
            write_record(tmp_path / "g", own, scalars(n, 12, k_f, 0.05 * random.normal()))
    judged = {one.claim.name: one.verdict for one in judge_all(read_runs([tmp_path]).done)}
    assert judged["k_f_in_the_law"] == "holds"
    assert judged["penalty_follows_k_f"] == "holds"
    assert judged["k_f_medical"] == "not run"  # no natural sets


@pytest.mark.parametrize(("sign", "verdict"), [(1, "holds"), (-1, "fails")])
def test_image_sizes(tmp_path, sign, verdict):
    write_sets(tmp_path, sign, sets=4, sizes=(16, 32, 64))
    judged = {one.claim.name: one for one in judge_all(read_runs([tmp_path]).done)}
    assert judged["d_data_of_sizes"].verdict == judged["k_f_of_sizes"].verdict == verdict
    assert judged["k_f_of_sizes"].decision.units == 8


@pytest.mark.parametrize(("sign", "verdict"), [(1, "holds"), (-1, "fails")])
def test_of_two_tasks_the_sharper_is_harder(tmp_path, sign, verdict):
    for seed in range(3):
        for finding, k_f in (("any", 2e-4), ("epidural", 1e-4)):
            own = settings("resnet18", "rsna_ih_ct", "medical", 500, seed)
            own["task"] = {"_target_": "datamodules.tasks.finding.Finding", "finding": finding}
            loss = 0.5 + sign * 0.1 * (finding == "any") + 0.001 * seed
            write_record(
                tmp_path / "t", own, {"data/k_f": k_f, "test/loss": loss, "test/accuracy": 0.8}
            )
    judged = {one.claim.name: one.verdict for one in judge_all(read_runs([tmp_path]).done)}
    assert judged["sharper_task_is_harder"] == verdict


def test_stand_ins_are_named_and_give_way_to_real_runs(tmp_path):
    write_sets(tmp_path / "real", sign=-1)
    own = {"standin": True, "preset": "gpu"}
    random = np.random.default_rng(0)
    for domain in ("medical", "natural"):
        for place in range(5):
            whole = settings("resnet18", f"fake{domain}{place}", domain, 500, 0) | {"standin": True}
            numbers = scalars(500, 10, 1e-4 * (1 + random.random()))
            write_record(tmp_path / "generated", whole, numbers, **own)
    real = {one.claim.name: one for one in judge_all(read_runs([tmp_path]).done)}
    assert not real["k_f_medical"].on_standins
    fake = {one.claim.name: one for one in judge_all(read_runs([tmp_path / "generated"]).done)}
    assert fake["k_f_medical"].on_standins
    assert "stand-in data" in to_page(list(fake.values()))


def test_other_protocols_decide_nothing(tmp_path):
    for domain in ("medical", "natural"):
        for place in range(5):
            own = settings("resnet18", f"{domain}{place}", domain, 500, 0)
            write_record(tmp_path / "g", own, scalars(500, 10, 1e-4), protocol="code")
    assert {one.verdict for one in judge_all(read_runs([tmp_path]).done)} == {"not run"}


def test_the_command_prints_writes_and_reads_archives(tmp_path, capsys):
    write_sets(tmp_path / "runs")
    claim_runs.movahedi(tmp_path / "runs", 1)
    archive = tmp_path / "evidence" / "all.parquet"
    assert main(["archive", str(tmp_path / "runs"), "-o", str(archive)]) == 0
    for source in (tmp_path / "runs", archive, archive.parent):
        out = tmp_path / "out" / source.name
        assert main(["claims", str(source), "--out", str(out)]) == 0
        printed = capsys.readouterr().out
        assert "k_f_medical" in printed
        assert "tested at once" in printed
    tables = [
        pd.read_csv(tmp_path / "out" / name / "claims.csv")
        for name in ("runs", "all.parquet", "evidence")
    ]
    for other in tables[1:]:
        pd.testing.assert_frame_equal(tables[0], other)
    assert (tables[0].verdict == "holds").sum() >= 20
    page = (tmp_path / "out" / "evidence" / "claims.md").read_text()
    assert "**holds**" in page
    assert "python launch.py -m experiment=" in page  # of what was not run


def test_certificates_near_images_are_judged_alike_from_an_archive(tmp_path):
    claim_runs.prach(tmp_path / "runs", 1)
    main(["archive", str(tmp_path / "runs"), "-o", str(tmp_path / "a.parquet")])
    names = ("cra_near_images_l2", "cra_near_images_angular")
    for source in (tmp_path / "runs", tmp_path / "a.parquet"):
        judged = {one.claim.name: one for one in judge_all(read_runs([source]).done)}
        assert [judged[name].verdict for name in names] == ["holds", "holds"]


def test_a_damaged_archive_is_said_and_costs_the_exit_code(tmp_path, capsys):
    claim_runs.brandao(tmp_path / "runs", 1)
    (tmp_path / "torn.parquet").write_bytes(b"PAR1")
    assert main(["claims", str(tmp_path)]) == 1
    assert "torn.parquet" in capsys.readouterr().err


def test_the_number_of_verdicts_that_chance_may_make_is_said(tmp_path):
    claim_runs.brandao(tmp_path, 1)
    judged = judge_all(read_runs([tmp_path]).done)
    decided = sum(one.verdict in ("holds", "fails") for one in judged)
    assert f"up to {0.025 * decided:.1f} of the {decided} verdicts" in remark(judged)
    assert set(claims_table(judged).verdict) == {"holds", "not run"}


def test_the_remark_names_the_data_of_decided_claims_only(tmp_path):
    claim_runs.brandao(tmp_path, 1)
    judged = judge_all(read_runs([tmp_path]).done)
    decided = sum(one.verdict in ("holds", "fails") for one in judged)
    for one in judged:
        if one.evidence is not None:
            one.evidence.runs["standin"] = True
    assert f"Of the {decided} decided: {decided} on stand-ins for real images." in remark(judged)
    others = [one for one in judged if one.verdict not in ("holds", "fails")]
    assert "0 hold, 0 fail" in remark(others)
    assert "decided:" not in remark(others)
    assert "verdicts" not in remark(others)


def test_the_report_begins_with_the_claims_that_its_runs_decide(tmp_path, capsys):
    claim_runs.brandao(tmp_path / "runs", 1)
    main([str(tmp_path / "runs")])
    page = (tmp_path / "runs" / "report" / "report.html").read_text()
    beginning = page[: page.index('id="runs"')]
    assert "Label noise raises the mean log singular value" in beginning
    assert "<td>holds</td>" in beginning
    assert "39 claims without enough runs" in beginning
    capsys.readouterr()


def test_a_mistake_in_one_claim_does_not_cost_the_others(tmp_path, caplog):
    for seed in range(3):  # a width that is no list
        numbers = {"geometry/delta_corr_s": -1.0, "geometry/delta_corr_gsg": -1.0}
        claim_runs.run(tmp_path, "movahedi2025/width", "perceptron", seed, numbers,
                       model__network={"widths": 4})  # fmt: skip
    claim_runs.brandao(tmp_path, 1)
    judged = {one.claim.name: one for one in judge_all(read_runs([tmp_path]).done)}
    assert judged["width"].verdict == "not run"
    assert "TypeError" in judged["width"].reason
    assert "width of movahedi2025 was not judged" in caplog.text
    assert judged["label_noise"].verdict == "holds"


def test_correlations_of_earlier_estimators_are_not_pooled_with_those_of_today(tmp_path):
    claim_runs.movahedi(tmp_path, 1)  # as of earlier versions: without an interval of corr_gsg
    for seed in range(20, 23):
        numbers = {"geometry/corr_gsg": 0.3, "geometry/corr_s": 0.5, "geometry/corr_gsg_low": 0.2}
        claim_runs.run(tmp_path, "movahedi2025/evolution", "lenet", seed, numbers)
    judged = {one.claim.name: one for one in judge_all(read_runs([tmp_path]).done)}
    assert judged["towards_gsg"].verdict == "fails"
    assert len(judged["towards_gsg"].evidence.runs) == 3
    assert judged["towards_gsg_random_labels"].verdict == "holds"  # only earlier runs: they count


def prune(root, n, gain, seeds, preset="cpu", epochs=20):
    """Runs of the pruning study, of which those by score are better by `gain`."""
    for seed in seeds:
        for by in ("score", "random"):
            claim_runs.run(root, "movahedi2025/pruning", "lenet", seed,
                           {"test/accuracy": 0.5 + gain * (by == "score") + 0.001 * seed}, n=n,
                           epochs=epochs, facts={"preset": preset},
                           data__transforms={"prune": {"by": by, "fraction": 0.9}})  # fmt: skip


def pruning(root):
    return next(one for one in judge_all(read_runs([root]).done) if one.claim.name == "pruning")


@pytest.mark.parametrize("preset", ["cpu", "default"])
def test_the_largest_size_with_seeds_enough_decides_not_the_most_runs(tmp_path, preset):
    prune(tmp_path / "small", 4000, 0.2, range(8))
    prune(tmp_path / "large", 50_000, -0.2, range(3), preset)
    assert pruning(tmp_path).verdict == "fails"
    assert set(pruning(tmp_path).evidence.runs.n) == {50_000}
    prune(tmp_path / "larger", 60_000, 0.2, range(2), preset)  # two seeds have no interval
    assert set(pruning(tmp_path).evidence.runs.n) == {50_000}


def test_a_median_of_five_seeds_is_said_to_need_six(tmp_path):
    claim_runs.prach(tmp_path, 1, range(5))
    judged = judge_all(read_runs([tmp_path]).done)
    one = next(one for one in judged if one.claim.name == "theorem_2")
    assert one.verdict == "undecided"
    assert found(one).interval.endswith(", no interval: it needs 6 seeds")


def test_of_recipes_of_one_size_the_one_with_the_most_runs_decides(tmp_path):
    prune(tmp_path / "often", 4000, 0.2, range(5))
    prune(tmp_path / "seldom", 4000, -0.2, range(3), epochs=50)
    assert pruning(tmp_path).verdict == "holds"


def test_accuracy_against_n_is_judged_at_the_largest_budget_of_compute(tmp_path):
    for epochs, grows in ((10, False), (100, True)):
        for seed, n in [(seed, n) for seed in range(3) for n in (48, 195, 781, 3125)]:
            level = 0.1 * math.log2(n) / 2 if grows else 0.1 * (n % 2)
            both = {"test/accuracy": 0.1 + level, "test/cra@36": 0.1 + 0.5 * level}
            claim_runs.run(tmp_path, "prach2025/data_scaling", "aol_mlp", seed, both, n=n,
                           epochs=epochs)  # fmt: skip
    judged = {one.claim.name: one for one in judge_all(read_runs([tmp_path]).done)}
    for name in ("accuracy_linear", "cra_linear", "cra_grows_slower"):
        assert judged[name].verdict == "holds"
        assert len(judged[name].evidence.runs) == 12
