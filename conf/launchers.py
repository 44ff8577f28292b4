"""The launcher of a command, and the problems of its settings."""

from collections.abc import Iterator
from importlib.util import find_spec

from hydra.core.config_store import ConfigStore

from conf.resolve import Plain

IN_PROCESS, PROCESSES, JOBLIB, SLURM = "basic", "processes", "joblib", "submitit_slurm"
CLASSES = {
    "hydra._internal.core_plugins.basic_launcher.BasicLauncher": IN_PROCESS,
    "launchers.processes.Processes": PROCESSES,
    "hydra_plugins.hydra_joblib_launcher.joblib_launcher.JoblibLauncher": JOBLIB,
    "hydra_plugins.hydra_submitit_launcher.submitit_launcher.SlurmLauncher": SLURM,
}
_PACKAGES = {JOBLIB: "hydra_joblib_launcher", SLURM: "hydra_submitit_launcher"}


def name_of(launcher: Plain) -> str:
    """The choice of `hydra/launcher` with these settings.

    >>> name_of({"_target_": "hydra_plugins.hydra_joblib_launcher.joblib_launcher.JoblibLauncher"})
    'joblib'
    """
    return CLASSES[launcher["_target_"]] if launcher else IN_PROCESS


def prefer_our_files() -> None:
    """Remove schemas of plugins that have the name of one of our files: Hydra would warn."""
    schemas = ConfigStore.instance().repo.get("hydra", {}).get("launcher", {})
    for name in _PACKAGES:
        schemas.pop(f"{name}.yaml", None)


def problems_of_launcher(launcher: Plain) -> Iterator[str]:
    """A launcher whose package is not installed, or a wrong number of jobs."""
    name = name_of(launcher)
    package = _PACKAGES.get(name)
    # without any plugin there is no hydra_plugins, and find_spec of a part would raise
    plugins = find_spec("hydra_plugins")
    if package and not (plugins and find_spec(f"hydra_plugins.{package}")):
        yield (
            f"`hydra/launcher={name}`: not installed; in the repository: "
            "pip install -e '.[launchers]'."
        )
    jobs = launcher.get("jobs", "auto")
    if jobs != "auto" and (not isinstance(jobs, int) or jobs < 1):
        yield f"`hydra.launcher.jobs={jobs}`: must be auto or 1 or more."


def problems_in_sweep(trainer: Plain, launcher: Plain) -> list[str]:
    """A strategy that starts its processes by re-running the command line, which would sweep."""
    if name_of(launcher) in (PROCESSES, SLURM):  # each run is its own command
        return []
    ways = "inside -m add hydra/launcher=processes (each run its own command), or use"
    return _problems_of_rerun(trainer, f"would sweep again in each: {ways}")


def problems_of_strategy(trainer: Plain) -> list[str]:
    """The same strategy where one command measures several runs."""
    return _problems_of_rerun(trainer, "would measure all runs again in each: name one run, or use")


def _problems_of_rerun(trainer: Plain, consequence: str) -> list[str]:
    alone = trainer["devices"] == 1 and trainer["strategy"] == "auto"
    if alone or "fork" in trainer["strategy"]:
        return []
    return [
        f"`trainer.strategy={trainer['strategy']}` with trainer.devices={trainer['devices']} "
        f"re-runs the command in every process, and {consequence} trainer=ddp_cpu or one device."
    ]
