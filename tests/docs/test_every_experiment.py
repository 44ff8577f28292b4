"""Every experiment under every preset runs, and the page's table is read as it is written."""

import pytest

from docs import every_experiment
from docs.every_experiment import Executed, cases, command, execute, known, write


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """Runs of one process share stand-ins and the geometry of networks."""
    return tmp_path_factory.mktemp("every experiment")


def check(experiment, preset, home):
    done = execute(experiment, preset, home)
    if "was not found" in done.status:
        pytest.skip(f"{experiment}: its images are missing and have no stand-in")
    output = (home / "output.txt").read_text()
    assert done.status.startswith("done"), f"{done}\n{output[-3000:]}"
    assert float(done.cpu_seconds) > 0
    assert float(done.peak_gb) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("experiment", "preset"), list(cases()))
def test_it_runs(experiment, preset, home):
    check(experiment, preset, home)


def test_a_small_one_runs(home):
    check("tour", "cpu", home)


def test_a_failure_is_reported_with_its_reason(home):
    assert execute("tour", "wrong", home).status == "no record, exit code 1"
    assert "preset/wrong" in (home / "output.txt").read_text()


def test_as_many_images_as_components():
    words = command("brandao2023/dataset_noise_mnist", "published")
    components = int(next(w for w in words if "components=" in w).partition("=")[2])
    images = [int(word.removeprefix("n=")) for word in words if word.startswith("n=")]
    assert images[-1] >= components


def test_as_many_images_as_principal_components():
    words = command("prach2025/components", "published")
    assert "data.transforms.components.keep=[[512,3072]]" in words
    assert int([word for word in words if word.startswith("n=")][-1].removeprefix("n=")) > 512


def test_rows_that_are_not_made_anew_are_kept(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(f"# Head\n\n{every_experiment.MARK}\n")
    monkeypatch.setattr(every_experiment, "PAGE", page)
    experiment, preset = next(cases())
    row = Executed(experiment, preset, "lenet-digits", "done", "12", "0.5")
    write({(experiment, preset): row, ("gone", preset): row})
    assert page.read_text().startswith("# Head")
    assert known() == {(experiment, preset): row}
