"""The classifier as a torch module."""

import pytest
import torch
from torch import nn

from datamodules.split import Batch
from lightning_modules.classifier import Classifier


def classifier():
    return Classifier(nn.Linear(4, 2), nn.CrossEntropyLoss(), torch.optim.SGD, lambda *_: None)


def test_a_name_in_place_of_the_network_is_refused():
    with pytest.raises(TypeError, match="network"):
        classifier().network = "lenet"


def test_a_batch_moves_with_its_labels_unless_it_is_there():
    here = Batch(torch.zeros(2, 4), torch.zeros(2), torch.arange(2), 0.5)
    module = classifier()
    assert module.transfer_batch_to_device(here, torch.device("cpu"), 0) is here
    there = module.transfer_batch_to_device(here, torch.device("meta"), 0)
    assert [part.device.type for part in there[:3]] == ["meta"] * 3
    assert (type(there), there.weight) == (Batch, 0.5)
