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
    assert torch.equal(best.squared, values.double().topk(8, dim=1, largest=False).values)
    assert torch.equal(values.double().gather(1, best.indices), best.squared)
    assert all(len(row.unique()) == 8 for row in best.indices)


@pytest.mark.parametrize("kept", [1, 8])
@pytest.mark.parametrize("width", [256, 64, 40, 7])
@pytest.mark.parametrize("order", ["constant", "descending", "descending in steps", "one row"])
def test_blocks_in_any_order(order, width, kept):
    columns = torch.arange(9 * width, 0, -1).float()
    values = {
        "constant": torch.ones(12, 9 * width),
        "descending": columns + torch.arange(12.0)[:, None],
        "descending in steps": (columns // (2 * width)).expand(12, -1),
        "one row": torch.where(torch.arange(12)[:, None] == 5, columns, 1.0),
    }[order]
    best = Candidates(12, kept, values.device)
    for start in range(0, 9 * width, width):
        best.offer(slice(0, 12), values[:, start : start + width].contiguous(), start)
    assert torch.equal(best.squared, values.double().topk(kept, dim=1, largest=False).values)
    assert torch.equal(values.double().gather(1, best.indices), best.squared)
    assert all(len(row.unique()) == kept for row in best.indices)


def test_a_row_with_many_hits_makes_no_wide_table(monkeypatch):
    """As a few rows whose values descend from block to block among thousands of others."""
    widths = []
    merge = Candidates._merge

    def watched(self, rows, squared, indices):
        widths.append(squared.shape[1])
        merge(self, rows, squared, indices)

    monkeypatch.setattr(Candidates, "_merge", watched)
    values = torch.ones(300, 640)
    values[7] = torch.arange(640, 0, -1)
    best = Candidates(300, 4, values.device)
    for start in range(0, 640, 64):
        best.offer(slice(0, 300), values[:, start : start + 64].contiguous(), start)
    assert max(widths) <= 16
    assert torch.equal(best.squared, values.double().topk(4, dim=1, largest=False).values)
