"""Counts parameters without drawing them."""

import torch


def count(make, *args, **options):
    """Trainable parameters of `make(*args, **options)`, built without memory on the meta device."""
    with torch.device("meta"):
        network = make(*args, **options)
    return sum(p.numel() for p in network.parameters())
