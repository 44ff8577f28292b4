import pytest
import torch

from datamodules.errors import DataError
from datamodules.laws.cells import Cells
from metrics.functional.nearest_neighbour_bound import nearest_neighbour_bound
from metrics.functional.neighbour_certificate import nearest_neighbour_certificate


@pytest.mark.parametrize(("dimension", "per_side"), [(1, 2), (2, 2), (2, 3), (3, 2)])
def test_classes_are_twice_the_margin_apart(dimension, per_side):
    law = Cells(dimension, per_side)
    split = law.draw(300, 2, (1, 2, 2), seed=0).train
    x = split.x.flatten(1).double()
    assert x.min() >= 0
    assert x.max() <= 1
    apart = torch.cdist(x[split.y == 0], x[split.y == 1], p=torch.inf)
    assert apart.min() >= 2 * law.delta - 1e-6
    assert (x[:, dimension:] == 0.5).all()


def test_sets_are_nested_in_n_and_apart_from_the_test_set():
    law = Cells(2)
    small, large = (law.draw(n, 20, (1, 2, 2), seed=3) for n in (10, 50))
    assert torch.equal(small.train.x, large.train.x[:10])
    assert torch.equal(small.test.x, large.test.x)
    assert not torch.equal(small.train.x, small.test.x[:10])


@pytest.mark.parametrize(("dimension", "n"), [(1, 16), (2, 16), (2, 64), (3, 64)])
def test_theorem_2_holds_in_simulation_and_cells_explain_it(dimension, n):
    """Robust at delta/2: at least 1 - (1 - 1/cells)^n by counting, and at least the theorem's."""
    law, found = Cells(dimension), []
    for seed in range(40):
        drawn = law.draw(n, 200, (1, 2, 2), seed)
        certificate = nearest_neighbour_certificate(
            drawn.test.x, drawn.test.y, drawn.train.x, drawn.train.y, p=torch.inf
        )
        found.append(float(certificate.certified_accuracy([law.delta / 2]).item()))
    mean = sum(found) / len(found)
    counted = 1 - (1 - 1 / 2**dimension) ** n
    assert mean >= nearest_neighbour_bound(law.delta, dimension, n)
    assert mean >= counted - 0.05


@pytest.mark.parametrize("options", [{"dimension": 0}, {"per_side": 1}])
def test_impossible_cells_are_refused(options):
    with pytest.raises(DataError, match="at least 1 dimension and 2 cells"):
        Cells(**options)
    with pytest.raises(DataError, match="use a larger data.size"):
        Cells(dimension=5).draw(4, 4, (1, 2, 2), 0)
