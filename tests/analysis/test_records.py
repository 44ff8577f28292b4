"""Any folder of runs becomes a tidy table; what is broken is listed and left alone."""

import json

import pytest

from analysis.report import render
from analysis.report.title import report_title
from analysis.runs.records import read_runs
from analysis.statistics.grid import main_view
from tests.analysis.synthetic_runs import scalars, settings, write_grid, write_record


def test_one_row_per_run_with_its_identity_and_every_scalar(tmp_path):
    write_record(
        tmp_path / "sweep", settings("vgg13", "brats", "medical", 500, 3), {"test/loss": 0.25}
    )
    row = read_runs([tmp_path]).table.iloc[0]
    assert (row.model, row.data, row.domain, row.n, row.seed) == (
        "vgg13",
        "brats",
        "medical",
        500,
        3,
    )
    assert (row["size"], row.channels, row.task, row.experiment) == (32, 1, "all", "sweep")
    assert row["test/loss"] == 0.25


def test_metrics_are_kept_in_long_form(tmp_path):
    folder = write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0))
    (folder / "metrics.csv").write_text(
        "epoch,step,name,value\n1,5,train/loss,0.5\n2,9,train/loss,0.4\n"
    )
    metrics = read_runs([tmp_path]).metrics
    assert metrics[["epoch", "step", "value"]].to_numpy().tolist() == [[1, 5, 0.5], [2, 9, 0.4]]
    assert set(metrics.key) == {folder.name}


def test_unfinished_and_failed_runs_have_rows_but_are_not_done(tmp_path):
    for seed, status in enumerate(("done", "running", "failed")):
        write_record(tmp_path, settings("vgg13", "brats", "medical", 500, seed), status=status)
    runs = read_runs([tmp_path])
    assert sorted(runs.table.status) == ["done", "failed", "interrupted"]
    assert len(runs.done) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", '{"key": "k", "status": "done"}', '{"settings": 1}'),
        '{"key": ["k"], "status": "done", "settings":'
        ' {"model": {"name": "a"}, "data": {"name": "b"}, "n": 1, "seed": 0}}',
    ],
)
def test_a_broken_record_is_listed_and_not_touched(tmp_path, text):
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0))
    broken = tmp_path / "torn" / "record.json"
    broken.parent.mkdir()
    broken.write_text(text)
    runs = read_runs([tmp_path])
    assert len(runs.table) == 1
    assert runs.broken.path.tolist() == [str(broken)]
    assert broken.read_text() == text


def test_broken_metrics_cost_only_themselves(tmp_path):
    folder = write_record(
        tmp_path, settings("vgg13", "brats", "medical", 500, 0), {"test/loss": 1.0}
    )
    (folder / "metrics.csv").write_bytes(b"")
    runs = read_runs([tmp_path])
    assert runs.done["test/loss"].tolist() == [1.0]
    assert "metrics.csv" in runs.broken.reason.item()


def test_the_same_run_in_two_places_counts_once_and_the_finished_one_wins(tmp_path):
    one = settings("vgg13", "brats", "medical", 500, 0)
    done = write_record(tmp_path / "a", one, {"test/loss": 0.5})
    begun = write_record(tmp_path / "b", one, status="running", finished=None)
    for folder, loss in ((done, 0.5), (begun, 0.9)):
        (folder / "metrics.csv").write_text(f"epoch,step,name,value\n1,4,test/loss,{loss}\n")
    runs = read_runs([tmp_path / "a", tmp_path / "b", tmp_path])
    assert runs.metrics.value.tolist() == [0.5]
    assert runs.table.status.tolist() == ["done"]
    assert runs.copies == 1


def test_what_was_left_out_of_the_data_is_kept(tmp_path):
    notes = ["3 images could not be read", "1 class is small"]
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), notes=notes)
    assert read_runs([tmp_path]).table.notes.tolist() == ["; ".join(notes)]


def test_null_scalars_are_missing_values(tmp_path):
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), {"data/k_f": None})
    assert read_runs([tmp_path]).table["data/k_f"].isna().all()


def test_properties_measured_once_serve_every_training_on_the_same_images(tmp_path):
    write_record(tmp_path, settings("none", "brats", "medical", 500, 0), {"data/d_mle": 11.0})
    for model, n in (("vgg13", 500), ("vgg16", 500), ("vgg13", 1750)):
        write_record(tmp_path, settings(model, "brats", "medical", n, 0), {"test/loss": 1.0})
    table = read_runs([tmp_path]).table
    assert (table[table.n == 500]["data/d_mle"] == 11.0).all()
    assert table[table.n == 1750]["data/d_mle"].isna().all()


def test_properties_of_one_folder_of_images_are_not_those_of_another(tmp_path):
    for root, found in (("/a", {"data/d_mle": 11.0}), ("/b", {"test/loss": 1.0})):
        own = settings("vgg13", "image_folder", "natural", 500, 0, root=root)
        write_record(tmp_path, own, found)
    assert read_runs([tmp_path]).table["data/d_mle"].isna().tolist().count(True) == 1


def test_isic_is_a_domain_of_its_own(tmp_path):
    write_record(tmp_path, settings("vgg13", "isic", "medical", 500, 0))
    assert read_runs([tmp_path]).table.domain.tolist() == ["ISIC"]


def test_the_published_code_s_layer_stands_in_for_a_missing_penultimate_one(tmp_path):
    numbers = {"train/d_repr_mle/konz2024": 5.0, "train/d_repr_mle_low/konz2024": 4.0}
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), numbers)
    assert read_runs([tmp_path]).table["train/d_repr_mle"].tolist() == [5.0]


def test_every_run_has_the_layer_that_it_measured(tmp_path):
    for protocol, layer in (("corrected", "penultimate"), ("code", "konz2024")):
        one = settings("vgg13", "brats", "medical", 500, 0)
        write_record(tmp_path, one, {f"train/d_repr_mle/{layer}": 5.0}, protocol=protocol)
    assert read_runs([tmp_path]).table["train/d_repr_mle"].tolist() == [5.0, 5.0]


def test_words_of_earlier_versions_are_read_as_those_of_today(tmp_path):
    one = settings("vgg13", "brats", "medical", 500, 0, reader={"gap_rule": "reference"})
    old = {"protocol": "reference", "preset": "paper"}
    write_record(tmp_path, one, {"train/d_repr_mle/reference": 5.0}, **old)
    (metrics,) = tmp_path.rglob("record.json")
    metrics.with_name("metrics.csv").write_text(
        "epoch,step,name,value\n1,9,train/d_repr_mle/reference,4.0\n"
    )
    runs = read_runs([tmp_path])
    (row,) = runs.table.to_dict("records")
    assert (row["protocol"], row["preset"]) == ("code", "published")
    assert (row["train/d_repr_mle/konz2024"], row["train/d_repr_mle"]) == (5.0, 5.0)
    assert "reader.gap_rule=asymmetric" in row["images"]
    assert runs.metrics.name.tolist() == ["train/d_repr_mle/konz2024"]


def test_properties_of_images_read_otherwise_are_not_shared(tmp_path):
    for scaling, found in (("window", {"data/k_f": 1.0}), ("maximum", {"test/loss": 1.0})):
        one = settings("vgg13", "rsna_ih_ct", "medical", 500, 0, reader={"scaling": scaling})
        write_record(tmp_path, one, found)
    assert read_runs([tmp_path]).table["data/k_f"].isna().sum() == 1


def test_what_the_data_really_were_outranks_what_was_asked_for(tmp_path):
    spec = {"domain": "natural", "size": 64, "channels": 3, "standin": False}
    write_record(tmp_path, settings("a", "b", "medical", 5, 0), spec=spec, standin=True)
    row = read_runs([tmp_path]).table.iloc[0]
    assert (row.domain, row["size"], row.channels, row.standin) == ("natural", 64, 3, False)


def test_the_experiment_is_that_of_the_command(tmp_path):
    command = "python launch.py -m experiment=konz2024/generalization n=5"
    write_record(tmp_path, settings("a", "b", "medical", 5, 0), command=command)
    assert read_runs([tmp_path]).table.experiment.tolist() == ["konz2024/generalization"]


def test_a_missing_or_empty_folder_is_said(tmp_path):
    with pytest.raises(ValueError, match="nowhere is not a folder"):
        read_runs([tmp_path / "nowhere"])
    with pytest.raises(ValueError, match=r"no record.json below"):
        read_runs([tmp_path])


def test_a_grid_is_read_whole(tmp_path):
    write_grid(tmp_path, sizes=(500,))
    table = read_runs([tmp_path]).done
    assert len(table) == 2 * (3 + 3 * 2)
    assert json.loads((tmp_path / table.key[0] / "record.json").read_text())["scalars"].keys() == (
        scalars(500, 1, 1).keys()
    )


def test_of_equal_settings_on_edited_data_the_last_state_counts(tmp_path):
    one = settings("vgg13", "leaves", "natural", 500, 0, root="/leaves")
    for key, started, finger, loss in (
        ("x-leaves-n500-s0-aaaaaaaa", "2026-01-02", "new", 0.2),
        ("x-leaves-n500-s0-bbbbbbbb", "2026-01-01", "old", 0.8),
    ):
        folder = write_record(
            tmp_path, one, {"test/loss": loss}, started=started, data_fingerprint=finger, key=key
        )
        folder.rename(tmp_path / key)
    elsewhere = {**one, "data": {**one["data"], "root": "/b/leaves"}}
    write_record(tmp_path, elsewhere, {"test/loss": 0.4}, data_fingerprint="other")
    runs = read_runs([tmp_path])
    assert sorted(runs.done["test/loss"]) == [0.2, 0.4]  # another folder is another data set
    assert runs.superseded == {"x-leaves-n500-s0-bbbbbbbb"}
    assert runs.copies == 0
    page = render(runs, [])
    assert "Made again after their data were edited: 1 run on the earlier data" in page


def test_properties_of_data_before_an_edit_are_not_shared(tmp_path):
    for model, finger, found in (
        ("none", "new", {"data/k_f": 1.0}),
        ("vgg13", "old", {"test/loss": 1.0}),
    ):
        one = settings(model, "leaves", "natural", 500, 0, root="/leaves")
        write_record(tmp_path, one, found, data_fingerprint=finger)
    assert read_runs([tmp_path]).table["data/k_f"].isna().sum() == 1


def own_run(folder, root, seed=0, whole=None, loss=0.5, **facts):
    one = settings("mlp", "image_folder", "natural", 500, seed, root=root)
    prints = {"data_fingerprint": whole, "data_set_fingerprint": whole}
    key = f"mlp-image_folder-n500-s{seed}-{(whole or root)[-8:]:0>8}".replace("/", "_")
    return write_record(folder, one, {"test/loss": loss}, **{**prints, **facts, "key": key})


def test_own_sets_with_one_folder_name_are_told_apart(tmp_path):
    for root, whole in (("/me/hospA/images", "aaaa"), ("/me/hospB/images", "bbbb")):
        for seed in range(3):
            own_run(tmp_path, root, seed, whole)
    table = read_runs([tmp_path]).table
    assert table.groupby("data").size().to_dict() == {"hospA/images": 3, "hospB/images": 3}
    assert len(main_view(table)) == 6  # none is dropped as another view of the same set


def test_a_dot_in_a_folder_s_name_is_part_of_it(tmp_path):
    for year in ("2020", "2021"):
        own_run(tmp_path, f"/me/scan.{year}", whole=year)
    assert sorted(read_runs([tmp_path]).table.data) == ["scan.2020", "scan.2021"]


def test_a_folder_that_was_moved_is_one_data_set(tmp_path):
    own_run(tmp_path, "/me/leaves", 0, "aaaa")
    own_run(tmp_path, "/elsewhere/of/leaves", 1, "aaaa")
    table = read_runs([tmp_path]).table
    assert table.data.unique().tolist() == ["leaves"]
    assert len(main_view(table)) == 2
    own_run(tmp_path, "/me/copy", 2, "aaaa")  # a name that a user gave stays
    assert sorted(read_runs([tmp_path]).table.data) == ["copy", "leaves", "leaves"]


def test_images_that_changed_between_experiments_are_two_data_sets(tmp_path):
    own_run(tmp_path / "first", "/me/leaves", whole="aaaa1111")
    own_run(tmp_path / "second", "/me/leaves", whole="bbbb2222")
    assert sorted(read_runs([tmp_path]).table.data) == ["leaves (aaaa11)", "leaves (bbbb22)"]


def test_the_folders_of_difficulty_are_one_experiment(tmp_path):
    for seed, name in enumerate(("0336dbd0", "0975aa93")):
        one = settings("none", "brats", "medical", 500, seed)
        write_record(tmp_path / "difficulty" / name, one, command="python launch.py --difficulty")
    for source in ([tmp_path], [tmp_path / "difficulty"], [tmp_path / "difficulty" / "0336dbd0"]):
        assert set(read_runs(source).table.experiment) == {"difficulty"}


def test_numbers_of_one_quantity_are_in_the_order_of_their_parameter(tmp_path):
    numbers = {f"test/cra@{radius}": 0.5 for radius in (108, 255, 36, 72)}
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), numbers)
    table = read_runs([tmp_path]).table
    expected = [f"test/cra@{radius}" for radius in (36, 72, 108, 255)]
    assert [name for name in table.columns if name.startswith("test/")] == expected


def test_the_title_counts_no_data_set_on_which_every_run_failed(tmp_path):
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), {"test/loss": 0.5})
    write_record(tmp_path, settings("vgg13", "oai", "medical", 500, 0), status="failed")
    title = report_title(read_runs([tmp_path]).table)
    assert title.endswith("VGG-13 on BraTS")
