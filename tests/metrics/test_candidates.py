import pytest
import torch

from metrics.functional.candidates import Candidates


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("width", [256, 64, 40, 7])  # groups of 32, 8 and 1 values; all kept
@pytest.mark.parametrize("levels", [3, 10_000])  # with many ties, with few
def test_the_smallest_of_all_blocks_are_kept(levels, width, transposed):
    generator = torch.Generator().manual_seed(0)
    values = torch.randint(levels, (20, 9 * width), generator=generator).float()
    values[:, 3] = torch.inf  # as the diagonal is
    best = Candidates(20, 8, values.device)
    for start in range(0, 9 * width, width):
        block = values[:, start : start + width]
        for rows in (slice(0, 12), slice(12, 20)):
            part = block[rows].T.contiguous().T if transposed else block[rows].contiguous()
            best.offer(rows, part, start)
    best.settle()
    assert torch.equal(best.squared, values.double().topk(8, dim=1, largest=False).values)
    assert torch.equal(values.double().gather(1, best.indices), best.squared)
    assert all(len(row.unique()) == 8 for row in best.indices)
