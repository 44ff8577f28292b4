import torch

from metrics.functional.tensor_digest import tensor_digest


def test_content_is_of_numbers_types_shapes_and_places():
    x = torch.arange(3000, dtype=torch.float32).view(1500, 2)  # more than one block
    changed = x.clone()
    changed[-1, -1] += 1e-3
    assert tensor_digest(x) == tensor_digest(x.clone()) == tensor_digest(x.T.contiguous().T)
    others = [tensor_digest(v) for v in (changed, x.double(), x.view(2, 1500), x.flip(0))]
    assert len({tensor_digest(x), *others}) == 5
    assert tensor_digest(x, None) != tensor_digest(x) != tensor_digest(None, x)
