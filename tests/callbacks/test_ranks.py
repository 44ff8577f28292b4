import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from callbacks.ranks import collect, gather, on_all, on_first, rank_batches
from callbacks.subject import Subject
from tests.callbacks.subjects import on_two_processes

NOBODY = Subject(None, seed=0)


@given(n=st.integers(1, 50), world=st.integers(1, 5), batch=st.integers(1, 12))
def test_shares_are_whole_batches_in_order_each_image_once(n, world, batch):
    parts = [
        rank_batches(n, Subject(None, 0, rank=rank, world=world), batch) for rank in range(world)
    ]
    dealt = [index for part in parts for index in part]
    assert [index.tolist() for index in dealt] == [
        index.tolist() for index in torch.arange(n).split(batch)
    ]
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("lengths", [(3, 1), (0, 2), (2, 0), (2, 2)])
def test_ranks_with_different_numbers_of_rows_are_put_together_in_order(lengths):
    def measure(subject):
        rows = torch.arange(lengths[subject.rank] * 2).view(-1, 2) + 100 * subject.rank
        return gather(rows, subject)

    first, second = on_two_processes(measure, NOBODY)
    expected = [torch.arange(n * 2).view(-1, 2) + 100 * r for r, n in enumerate(lengths)]
    torch.testing.assert_close(first, torch.cat(expected))
    torch.testing.assert_close(second, first)


@pytest.mark.parametrize("n", [1, 10])  # 1: one of the ranks has no share at all
def test_collecting_on_two_processes_gives_every_row_once_in_order(n):
    def measure(subject):
        return collect(lambda index: {"a": index + 0.5, "b": index > 2}, n, subject, batch=3)

    for found in on_two_processes(measure, NOBODY):
        assert found["a"].tolist() == [i + 0.5 for i in range(n)]
        assert found["b"].tolist() == [i > 2 for i in range(n)]


@pytest.mark.parametrize("spread", [on_all, on_first])
def test_a_failure_on_one_rank_is_told_to_all(spread):
    def measure(subject):
        def compute():
            if subject.rank == 0:
                raise ValueError("too few points")

        return spread(compute, subject)

    first, second = on_two_processes(measure, NOBODY)
    assert first == "ValueError: too few points"
    assert second == "RuntimeError: on process 0: ValueError: too few points"


def test_what_the_first_rank_finds_all_have():
    def measure(subject):
        return on_first(lambda: {"rank": subject.rank}, subject)

    assert on_two_processes(measure, NOBODY) == [{"rank": 0}, {"rank": 0}]
