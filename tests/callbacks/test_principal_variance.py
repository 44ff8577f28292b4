import pytest
import torch

from callbacks.principal_variance import PrincipalVariance
from callbacks.subject import Subject
from datamodules.corruptions.principal_components import PrincipalComponents
from metrics.functional.principal_variance import principal_variance
from tests.callbacks.subjects import data_of, split_of


def test_the_total_of_projected_images_over_that_of_all_is_the_share_explained():
    generator = torch.Generator().manual_seed(0)
    x = torch.rand(60, 1, 3, 3, generator=generator) * torch.linspace(0.2, 1, 9).view(3, 3)
    train, test = split_of(x[:50], torch.arange(50) % 2), split_of(x[50:], torch.arange(10) % 2)
    some, total = [(0, 2), (5, 9)], []
    for keep in (some, [(0, 9)]):
        subject = Subject(data_of(*PrincipalComponents(keep)(train, test, 0)), seed=0)
        found = PrincipalVariance(examples=4).measure(subject)
        total.append(found.scalars["data/variance"])
        assert found.arrays["data/examples"].shape == (4, 1, 3, 3)
    share = principal_variance(train.images()).share(some)
    assert total[0] / total[1] == pytest.approx(share, rel=1e-4)
    assert found.arrays["data/variance_shares"].sum() == pytest.approx(1)
