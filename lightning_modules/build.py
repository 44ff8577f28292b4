"""Build the classifier of a run from its configuration and the data's spec."""

from pathlib import Path
from typing import Any

import torch
from hydra.utils import instantiate
from omegaconf import DictConfig
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm  # the base of all, without a public name

from lightning_modules.classifier import Classifier
from lightning_modules.ensemble_classifier import EnsembleClassifier
from lightning_modules.losses.binary_cross_entropy import BinaryCrossEntropy
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from lightning_modules.pretrained.load import load_pretrained
from lightning_modules.pretrained.weight_file import read_weights
from records.seeds import seed_for

# Mean and deviation of the pixels, as torchvision's networks were trained.
IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))


def build_network(model: DictConfig, spec: Any, seed: int, member: int = 0) -> Pipeline:
    """A new network for images of this spec; the global generator keeps its state.

    The first member of an ensemble is the network of a run without an ensemble.
    """
    if model.head == "single" and len(spec.classes) != 2:  # conf.check cannot count all data sets
        raise ValueError(
            f"model.head=single: one logit needs two classes, these data have {len(spec.classes)}; "
            "use model.head=logits or task=pair."
        )
    outputs = 1 if model.head == "single" else max(len(spec.classes), model.get("outputs") or 0)
    # CPU only: a process that has initialised CUDA cannot be forked
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed_for(seed, "init", *([member] if member else [])))
        network = instantiate(
            model.network,
            in_channels=spec.channels,
            size=spec.size,
            outputs=outputs,
            _convert_="all",
        )
    if model.normalize == "imagenet":
        return Pipeline(Normalize("dataset", *IMAGENET), network)
    return Pipeline(Normalize(model.normalize, spec.mean, spec.std), network)


def build_classifier(config: DictConfig, spec: Any) -> Classifier:
    """Network (or ensemble) with loss, optimiser and schedule."""
    model = config.model
    networks = [build_network(model, spec, config.seed, i) for i in range(model.get("members", 1))]
    notes = []
    if file := model.get("weights"):
        weights = read_weights(Path(file).expanduser())
        notes = [f"{Path(file).name}: {load_pretrained(one.network, weights)}" for one in networks]
    parts = {
        "loss": BinaryCrossEntropy() if model.head == "single" else instantiate(config.loss),
        "optimizer": instantiate(config.optimizer),
        "schedule": instantiate(config.schedule),
    }
    if len(networks) > 1:
        module: Classifier = EnsembleClassifier(networks, **parts)
    else:
        module = Classifier(networks[0], **parts)
    module.notes = tuple(dict.fromkeys(notes))
    if model.get("freeze") == "features":
        module.frozen = [layer for network in networks for layer in freeze_features(network)]
        module.train()
    if config.compile:
        for network in module.members:
            network.compile()
    return module


def freeze_features(network: Pipeline) -> list[nn.Module]:
    """Freeze all parameters but the head's; returns the layers that must stay in eval mode."""
    network.requires_grad_(False)
    network.head.requires_grad_(True)
    return [module for module in network.modules() if isinstance(module, _BatchNorm)]
