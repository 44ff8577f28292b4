"""Every network, loss and augmentation: on the device the CPU's numbers, and nothing moved back."""

import importlib
import pkgutil
from copy import deepcopy

import pytest
import torch
from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf
from torch import Tensor, nn

from conf.blocks import HERE, choices_of, content_of
from datamodules.augmentation import Augmentation
from datamodules.split import Batch
from lightning_modules import losses
from lightning_modules.classifier import Classifier
from lightning_modules.losses.classification_loss import ClassificationLoss
from lightning_modules.losses.cross_entropy import CrossEntropy
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from tests.accelerator import device
from tests.accelerator.transfers import counted

device.register()
MODELS = sorted(set(choices_of(HERE / "model")) - {"none"})
SMALL = {"classifier": "small", "base": 4, "hidden": [16], "blocks": 2}  # where a network has them
OPTIMIZERS = sorted(choices_of(HERE / "optimizer"))


def configured(group: str, name: str) -> DictConfig:
    content = content_of(f"{group}/{name}")
    return OmegaConf.create({k: v for k, v in content.items() if k not in ("presets", "protocols")})


def built(name: str) -> nn.Module:
    """The network of a file of conf/model for images of 32 pixels, narrow where it can be."""
    model = configured("model", name)
    node = {**model.network, **{k: v for k, v in SMALL.items() if k in model.network}}
    if "AOLMLP" in node["_target_"]:
        node["width"] = 64
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        network = instantiate(node, in_channels=3, size=32, outputs=3, _convert_="all")
    return Pipeline(Normalize(model.get("normalize", "dataset"), (0.5,) * 3, (0.25,) * 3), network)


def two_steps(module: Classifier, optimizer: torch.optim.Optimizer, at: str) -> Tensor:
    """Losses of two training steps, on a device."""
    torch.manual_seed(0)  # of dropout
    generator = torch.Generator().manual_seed(0)
    seen = []
    for _ in range(2):
        x, y = torch.rand(4, 3, 32, 32, generator=generator), torch.arange(4) % 3
        batch = Batch(x.to(at), y.to(at), torch.arange(4))
        with counted() as moved:
            optimizer.zero_grad()
            loss = module.training_step(batch, 0)
            loss.backward()
            optimizer.step()
        assert not moved.to_host, "a training step waits for the device"
        assert not moved.to_device
        seen.append(loss.detach())
    return torch.stack(seen)


def trained(network: nn.Module, optimizer: str, at: str) -> tuple[Tensor, list[Tensor]]:
    node = configured("optimizer", optimizer)
    node.lr = 1e-3
    module = Classifier(deepcopy(network), CrossEntropy(), instantiate(node), lambda *_: None)
    module = module.to(at).train()
    losses_seen = two_steps(module, module.make_optimizer(module.parameters()), at)
    return losses_seen.cpu(), [t.detach().cpu() for t in module.state_dict().values()]


def networks() -> list[object]:
    """One of each class, the one whose file is shortest to run; the others are slow."""
    of: dict[str, list[str]] = {}
    for name in MODELS:
        of.setdefault(configured("model", name).network["_target_"], []).append(name)
    quick = {
        min(names, key=lambda name: (not name.endswith("small"), name)) for names in of.values()
    }
    return [
        pytest.param(name, marks=[] if name in quick else [pytest.mark.slow]) for name in MODELS
    ]


@pytest.mark.parametrize("name", networks())
def test_network_trains_to_the_weights_of_the_cpu(name):
    network = built(name)
    # not Adam, whose first step has the sign of a gradient, of rounding errors too
    expected, found = (trained(network, "sgd", at) for at in ("cpu", "gpu:0"))
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizer_changes_weights_as_on_the_cpu(name):
    network = built("lenet")
    expected, found = (trained(network, name, at) for at in ("cpu", "gpu:0"))
    torch.testing.assert_close(found, expected)


def loss_classes() -> list[type[ClassificationLoss]]:
    """All losses of the package."""
    for info in pkgutil.iter_modules(losses.__path__, "lightning_modules.losses."):
        importlib.import_module(info.name)
    return ClassificationLoss.__subclasses__()


@pytest.mark.parametrize("loss", loss_classes())
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_loss_is_that_of_the_cpu(loss, reduction):
    options = {"offset": 0.2, "temperature": 0.25, "t": 0.1}
    names = loss.__init__.__annotations__ if "__init__" in vars(loss) else {}
    made = loss(**{name: value for name, value in options.items() if name in names})
    outputs = 1 if loss.__name__ == "BinaryCrossEntropy" else 3
    scores, y = torch.randn(6, outputs, generator=torch.Generator()), torch.arange(6) % 2
    there = made.to("gpu:0")
    with counted() as moved:
        found = there(scores.to("gpu:0"), y.to("gpu:0"), reduction=reduction)
        said = there.predict(scores.to("gpu:0"))
    assert not moved.to_host
    torch.testing.assert_close(found.cpu(), made(scores, y, reduction=reduction))
    assert torch.equal(said.cpu(), made.predict(scores))


@pytest.mark.parametrize("same_on_batch", [False, True])
def test_augmentation_of_images_on_the_device(same_on_batch):
    x = torch.rand(5, 3, 16, 16, generator=torch.Generator().manual_seed(0))
    change = Augmentation(noise=0.1, same_on_batch=same_on_batch)
    expected = change(x, fill=(0.5, 0.4, 0.3), seed=1)
    with counted() as moved:
        found = change(x.to("gpu:0"), fill=(0.5, 0.4, 0.3), seed=1)
    assert not moved.to_host
    assert torch.equal(found.cpu(), expected)
