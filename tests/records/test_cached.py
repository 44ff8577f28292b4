import time

import torch.multiprocessing as mp

from records.cached import cached_json


def compute_slowly(rank, folder):
    def compute():
        with (folder / "computed").open("a") as file:
            file.write("once\n")
        time.sleep(0.3)
        return {"answer": 42}

    assert cached_json(folder, {"size": 8}, compute) == {"answer": 42}


def test_of_two_processes_that_want_the_same_one_computes(tmp_path):
    mp.start_processes(compute_slowly, args=(tmp_path,), nprocs=2, start_method="fork")
    assert (tmp_path / "computed").read_text() == "once\n"


def test_a_failed_computation_leaves_no_entry(tmp_path):
    def fail():
        raise ValueError("too few points")

    for compute, expected in ((fail, None), (lambda: {"a": 1}, {"a": 1})):
        try:
            found = cached_json(tmp_path, {}, compute)
        except ValueError:
            found = None
        assert found == expected
