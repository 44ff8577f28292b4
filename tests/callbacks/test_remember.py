import time

import torch
import torch.multiprocessing as mp

from callbacks.remember import content, remember


def compute_slowly(rank, folder):
    def compute():
        with (folder / "computed").open("a") as file:
            file.write("once\n")
        time.sleep(0.3)
        return {"answer": 42}

    assert remember(folder, {"size": 8}, compute) == {"answer": 42}


def test_of_two_processes_that_want_the_same_one_computes(tmp_path):
    mp.start_processes(compute_slowly, args=(tmp_path,), nprocs=2, start_method="fork")
    assert (tmp_path / "computed").read_text() == "once\n"


def test_a_failed_computation_leaves_no_entry(tmp_path):
    def fail():
        raise ValueError("too few points")

    for compute, expected in ((fail, None), (lambda: {"a": 1}, {"a": 1})):
        try:
            found = remember(tmp_path, {}, compute)
        except ValueError:
            found = None
        assert found == expected


def test_content_is_of_numbers_types_shapes_and_places():
    x = torch.arange(3000, dtype=torch.float32).view(1500, 2)  # more than one block
    changed = x.clone()
    changed[-1, -1] += 1e-3
    assert content(x) == content(x.clone()) == content(x.T.contiguous().T)
    others = [content(v) for v in (changed, x.double(), x.view(2, 1500), x.flip(0))]
    assert len({content(x), *others}) == 5
    assert content(x, None) != content(x) != content(None, x)
