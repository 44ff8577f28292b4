"""The datamodule of a run, from its configuration."""

from hydra.utils import instantiate
from omegaconf import DictConfig

from datamodules.base import TensorDataModule


def build_data(config: DictConfig) -> TensorDataModule:
    """Instantiate, prepare and load: the spec is needed before any network can be built."""
    data = unread_data(config)
    data.prepare_data()
    data.setup()
    return data


def unread_data(config: DictConfig) -> TensorDataModule:
    """Instantiate only: no image has been listed or read."""
    folds = {name: config.get(name) for name in ("folds", "fold") if config.get("folds")}
    data = instantiate(
        config.data,
        task=instantiate(config.task),
        n=config.n,
        seed=config.data.get("seed", config.seed),
        batch_size=config.batch_size,
        cache=config.paths.cache,
        use_standin=config.standin,
        **folds,
        _convert_="all",
    ).module()
    assert isinstance(data, TensorDataModule)
    data.order_seed = config.seed
    data.augmentation = instantiate(config.augmentation)
    return data
