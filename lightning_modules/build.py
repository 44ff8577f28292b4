"""The classifier of a run, from its configuration and the data's spec."""

from typing import Any

import torch
from hydra.utils import instantiate
from omegaconf import DictConfig

from lightning_modules.classifier import Classifier
from lightning_modules.losses.binary_cross_entropy import BinaryCrossEntropy
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from records.seeds import seed_for


def build_network(model: DictConfig, spec: Any, seed: int) -> Pipeline:
    """A freshly initialised network for images of this spec; the global generator is left alone."""
    outputs = 1 if model.head == "single" else max(len(spec.classes), model.get("outputs") or 0)
    with torch.random.fork_rng():
        torch.manual_seed(seed_for(seed, "init"))
        network = instantiate(
            model.network,
            in_channels=spec.channels,
            size=spec.size,
            outputs=outputs,
            _convert_="all",
        )
    return Pipeline(Normalize(model.normalize, spec.mean, spec.std), network)


def build_classifier(config: DictConfig, spec: Any) -> Classifier:
    """Network, loss, optimiser and schedule put together."""
    network = build_network(config.model, spec, config.seed)
    module = Classifier(
        network=network,
        loss=BinaryCrossEntropy() if config.model.head == "single" else instantiate(config.loss),
        optimizer=instantiate(config.optimizer),
        schedule=instantiate(config.schedule),
    )
    if config.compile:
        module.network.compile()
    return module
