import io

from rich.console import Console

from display.table import show_run
from records.run_folder import RunFolder
from tests.analysis.synthetic_runs import settings, write_record


def test_numbers_of_one_quantity_are_in_the_order_of_their_parameter(tmp_path):
    numbers = {f"data/d_mle@{k}": 9.0 for k in (10, 40, 5)}
    folder = write_record(tmp_path, settings("none", "oai", "medical", 250, 0), numbers)
    text = io.StringIO()
    show_run(RunFolder(folder), Console(file=text, width=100))
    lines = [line for line in text.getvalue().splitlines() if "d_mle@" in line]
    assert [line.split()[1] for line in lines] == [f"data/d_mle@{k}" for k in (5, 10, 40)]
