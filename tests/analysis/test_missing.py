"""What an incomplete sweep lacks, and the commands that fill it."""

import shutil

from analysis.command_line import summary
from analysis.runs.missing import filling_commands, missing_runs, refused_runs
from analysis.runs.records import read_runs
from records.sweep import write_sweep
from tests.analysis.synthetic_runs import settings, write_grid, write_record


def test_a_whole_grid_lacks_nothing(tmp_path):
    write_grid(tmp_path, sizes=(500, 1000))
    assert missing_runs(read_runs([tmp_path]).table).empty


def test_cells_never_started_failed_and_running(tmp_path):
    command = "python launch.py -m model=a,b data=brats,oai n=1,2 standin=true"
    for model in ("a", "b"):
        write_record(tmp_path, settings(model, "brats", "medical", 1, 0), command=command)
    facts = {"status": "failed", "error": "no <luck>\nmore", "command": command}
    write_record(tmp_path, settings("a", "oai", "medical", 1, 0), **facts)
    write_record(
        tmp_path, settings("a", "brats", "medical", 2, 0), status="running", command=command
    )
    table = read_runs([tmp_path]).table
    lacking = missing_runs(table).set_index(["model", "data", "n"])
    assert lacking.status.to_dict() == {
        ("a", "brats", 2): "interrupted",
        ("b", "brats", 2): "not started",
        ("a", "oai", 1): "failed",
        ("a", "oai", 2): "not started",
        ("b", "oai", 1): "not started",
        ("b", "oai", 2): "not started",
    }
    assert lacking.loc[("a", "oai", 1)].error == "no <luck>"
    assert filling_commands(lacking.reset_index(), table) == [
        "python launch.py -m model=a,b data=brats n=2 seed=0 standin=true",
        "python launch.py -m model=a,b data=oai n=1,2 seed=0 standin=true",
    ]


def test_cells_that_fill_no_rectangle_have_a_command_per_network(tmp_path):
    for model, n in (("a", 1), ("b", 2)):
        write_record(tmp_path, settings(model, "brats", "medical", n, 0))
    table = read_runs([tmp_path]).table
    assert filling_commands(missing_runs(table), table) == [
        "python launch.py -m model=a data=brats n=2 seed=0 preset=cpu 'name=a b'",
        "python launch.py -m model=b data=brats n=1 seed=0 preset=cpu 'name=a b'",
    ]


def test_data_sets_keep_their_own_seeds(tmp_path):
    """Class pairs are drawn for natural sets only: one seed of a medical set is no gap."""
    for data, domain, seeds in (("brats", "medical", 1), ("mnist", "natural", 3)):
        for seed in range(seeds):
            write_record(tmp_path, settings("a", data, domain, 5, seed))
    assert missing_runs(read_runs([tmp_path]).table).empty


def test_a_slip_that_its_data_refused_is_listed_apart_and_widens_no_grid(tmp_path):
    """`n=99990` of a small set, a data set that is not there: their commands would fail again."""
    write_grid(tmp_path, sizes=(500, 1000))
    facts = {"status": "failed", "bad_data": True, "error": "only 900 images\nmore"}
    write_record(tmp_path, settings("resnet18", "brats", "medical", 99990, 0), **facts)
    write_record(tmp_path, settings("typo", "nowhere", "natural", 500, 7), **facts)
    runs = read_runs([tmp_path])
    assert missing_runs(runs.table).empty
    refused = refused_runs(runs.table)
    assert sorted(zip(refused.data, refused.n, strict=True)) == [("brats", 99990), ("nowhere", 500)]
    assert set(refused.error) == {"only 900 images"}
    assert "2 failed; 2 of the failed ones because of their data:" in summary(runs)


def test_a_refused_cell_inside_the_grid_is_not_missing_too(tmp_path):
    for model, n in (("a", 1), ("a", 2), ("b", 1)):
        write_record(tmp_path, settings(model, "brats", "medical", n, 0))
    facts = {"status": "failed", "bad_data": True, "error": "too few"}
    write_record(tmp_path, settings("b", "brats", "medical", 2, 0), **facts)
    assert missing_runs(read_runs([tmp_path]).table).empty


def test_runs_that_were_all_refused_are_no_grid(tmp_path):
    facts = {"status": "failed", "bad_data": True, "error": "too few"}
    write_record(tmp_path, settings("b", "brats", "medical", 2, 0), **facts)
    table = read_runs([tmp_path]).table
    assert missing_runs(table).empty
    assert len(refused_runs(table)) == 1


def test_beside_a_note_the_planned_runs_count_and_its_command_makes_them(tmp_path):
    """A sweep over image sizes: model, data, n and seed are the same in all of it."""
    command = "python launch.py -m model=vgg13 data=oai n=500 data.size=32,64,128"
    small, middle = (settings("vgg13", "oai", "medical", 500, 0, size=size) for size in (32, 64))
    done = write_record(tmp_path, small, command=command)
    failed = write_record(tmp_path, middle, command=command, status="failed", error="no room")
    write_sweep([done, failed, tmp_path / "vgg13-oai-n500-s0-0123abcd"], command)
    table = read_runs([tmp_path]).table
    lacking = missing_runs(table)
    assert (
        lacking[["model", "data", "n", "seed"]].to_numpy().tolist()
        == [["vgg13", "oai", 500, 0]] * 2
    )
    assert lacking.status.tolist() == ["failed", "not started"]
    assert filling_commands(lacking, table) == [command]


def test_images_of_one_s_own_are_asked_for_by_their_reader(tmp_path):
    command = "python launch.py -m data=image_folder data.root=/me/leaves n=500,1000 seed=0,1"
    for n, seed in ((500, 0), (500, 1), (1000, 0)):
        own = settings("vgg13", "image_folder", "natural", n, seed, root="/me/leaves")
        write_record(tmp_path, own, command=command)
    table = read_runs([tmp_path]).table
    (filled,) = filling_commands(missing_runs(table), table)
    assert "data=image_folder" in filled.split()
    assert "data.root=/me/leaves" in filled.split()


def test_runs_of_difficulty_are_no_grid(tmp_path):
    for data, n in (("brats", 500), ("oai", 343)):
        write_record(tmp_path / "difficulty" / data, settings("none", data, "medical", n, 0))
    table = read_runs([tmp_path]).table
    assert set(table.experiment) == {"difficulty"}
    assert missing_runs(table).empty


def test_runs_of_commands_without_a_sweep_are_no_grid(tmp_path):
    for data, n, model in (("leaves", 90, "lenet"), ("knees", 343, "vgg13")):
        own = settings(model, "image_folder", "natural", n, 0, root=f"/me/{data}")
        command = f"python launch.py model={model} data=image_folder data.root=/me/{data} n=all"
        write_record(tmp_path, own, command=command)
    assert missing_runs(read_runs([tmp_path]).table).empty
    failed = settings("lenet", "digits", "natural", 50, 0)
    facts = {"status": "failed", "error": "no room\nmore", "command": "python launch.py n=50"}
    write_record(tmp_path, failed, **facts)
    table = read_runs([tmp_path]).table
    (row,) = missing_runs(table).to_dict("records")
    assert (row["data"], row["n"], row["status"], row["error"]) == (
        "digits",
        50,
        "failed",
        "no room",
    )
    assert filling_commands(missing_runs(table), table) == [
        "python launch.py -m model=lenet data=digits n=50 seed=0"
    ]


def test_a_cell_that_a_command_of_its_own_has_filled_is_not_missing(tmp_path):
    for model, n in (("a", 1), ("b", 2), ("a", 2)):
        write_record(tmp_path, settings(model, "brats", "medical", n, 0))
    own = settings("b", "brats", "medical", 1, 0)
    folder = write_record(tmp_path, own, command="python launch.py model=b data=brats n=1")
    assert missing_runs(read_runs([tmp_path]).table).empty
    shutil.rmtree(folder)
    assert len(missing_runs(read_runs([tmp_path]).table)) == 1


def test_sweeps_on_several_own_sets_are_no_common_grid(tmp_path):
    for data, sizes in (("leaves", (10, 20)), ("knees", (30, 60))):
        for n in sizes:
            own = settings("lenet", "image_folder", "natural", n, 0, root=f"/me/{data}")
            write_record(tmp_path, own, command=f"python launch.py -m data.root=/me/{data} n=1,2")
    assert missing_runs(read_runs([tmp_path]).table).empty
