"""What an incomplete sweep lacks, and the commands that fill it."""

from analysis.missing import filling_commands, missing_runs
from analysis.records import read_runs
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
        ("a", "brats", 2): "running",
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
