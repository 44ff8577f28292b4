import json
import random

import pytest
import torch

from lightning_modules.pretrained.safetensors import TYPES, read_safetensors
from lightning_modules.pretrained.weight_file import read_weights

WORDS = {kind: word for word, kind in TYPES.items()}


def write_safetensors(path, tensors, **metadata):
    """By the format's description: length, header, numbers."""
    header, content = {"__metadata__": metadata} if metadata else {}, b""
    for name, tensor in tensors.items():
        data = bytes(tensor.contiguous().reshape(-1).view(torch.uint8).numpy())
        offsets = [len(content), len(content) + len(data)]
        header[name] = {
            "dtype": WORDS[tensor.dtype], "shape": list(tensor.shape), "data_offsets": offsets,
        }  # fmt: skip
        content += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)
    return path


@pytest.fixture
def tensors():
    generator = torch.Generator().manual_seed(0)
    values = torch.randn(3, 4, generator=generator)
    found = {str(kind): (values * 10).to(kind) for kind in WORDS if kind != torch.bool}
    return {**found, "scalar": torch.tensor(2.5), "empty": torch.zeros(0, 3)}


def test_every_type_is_read_back(tmp_path, tensors):
    tensors["flags"] = torch.tensor([True, False])
    found = read_weights(write_safetensors(tmp_path / "w.safetensors", tensors, format="pt"))
    assert found.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert found[name].dtype == tensor.dtype
        assert found[name].equal(tensor)


def test_a_damaged_file_is_refused_or_has_the_shapes_it_claims(tmp_path, tensors):
    """No mutation may raise anything but ValueError, nor allocate more than the file has."""
    whole = write_safetensors(tmp_path / "w.safetensors", tensors).read_bytes()
    dice, refused = random.Random(0), 0
    for number in range(400):
        damaged = bytearray(whole)
        for _ in range(dice.randrange(1, 4)):
            damaged[dice.randrange(min(len(damaged), 1200))] = dice.randrange(256)
        if number % 4 == 0:
            damaged = damaged[: dice.randrange(len(damaged))]
        path = tmp_path / "damaged.safetensors"
        path.write_bytes(bytes(damaged))
        try:
            found = read_safetensors(path)
        except ValueError:
            refused += 1
        else:
            size = sum(tensor.numel() * tensor.itemsize for tensor in found.values())
            assert size <= len(whole)
    assert refused > 200


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"a": {"dtype": "F32", "shape": [10**12], "data_offsets": [0, 8]}}, "8 bytes for"),
        ({"a": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}}, "begins at 4"),
        ({"a": {"dtype": "F32", "shape": [-2, -1], "data_offsets": [0, 8]}}, "whole numbers"),
        ({"a": {"dtype": "F32", "shape": [0, 2**70], "data_offsets": [0, 0]}}, "whole numbers"),
        ({"a": {"dtype": "F4", "shape": [2], "data_offsets": [0, 8]}}, "bad header"),
        ({"a": 3}, "bad header"),
        ([], "bad header"),
        ({}, "damaged: "),
    ],
)
def test_a_wrong_header_is_explained(tmp_path, header, said):
    text = json.dumps(header).encode()
    path = tmp_path / "w.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(8))
    with pytest.raises(ValueError, match=said):
        read_weights(path)


@pytest.mark.parametrize("inside", [None, "state_dict", "model"])
@pytest.mark.parametrize("zipped", [True, False])
def test_state_dicts_are_read(tmp_path, inside, zipped):
    state = torch.nn.Linear(3, 2).state_dict()
    content = state if inside is None else {inside: state, "epoch": 3}
    torch.save(content, tmp_path / "w.pth", _use_new_zipfile_serialization=zipped)
    found = read_weights(tmp_path / "w.pth")
    assert all(found[name].equal(tensor) for name, tensor in state.items())


class Command:
    def __reduce__(self):
        return (print, ("code of the file was run",))


def test_code_in_a_file_is_not_run(tmp_path, capsys):
    torch.save({"w": Command()}, tmp_path / "w.pth")
    with pytest.raises(ValueError, match="neither safetensors nor a state dict"):
        read_weights(tmp_path / "w.pth")
    assert "was run" not in capsys.readouterr().out


@pytest.mark.parametrize("content", [[1, 2], {"epoch": 3}, torch.zeros(2)])
def test_what_is_no_state_dict_is_refused(tmp_path, content):
    torch.save(content, tmp_path / "w.pth")
    with pytest.raises(ValueError, match="no state dict|no tensors"):
        read_weights(tmp_path / "w.pth")


def test_a_missing_or_truncated_file_is_named(tmp_path):
    with pytest.raises(ValueError, match="no such file"):
        read_weights(tmp_path / "none.pth")
    torch.save(torch.nn.Linear(300, 200).state_dict(), tmp_path / "w.pth")
    whole = (tmp_path / "w.pth").read_bytes()
    (tmp_path / "w.pth").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"w\.pth"):
        read_weights(tmp_path / "w.pth")
