"""Find the data of planned runs, which are part of their keys, before any run starts."""

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from conf.plan import Plan
from conf.run_plan import RunPlan

if TYPE_CHECKING:
    from launchers.identities import Identities

ALL = "all"  # value of `n`: every training image


def identified(planned: Plan) -> Plan:
    """The plan with the identity of each run's data, without duplicates, and numbers for `n=all`.

    Runs on generated or embedded images are unchanged, at no cost. If the images of `n=all` cannot
    be counted, the reason is among the problems of the plan.
    """
    if planned.problems or not any(run.files or run.plain["n"] == ALL for run in planned.runs):
        return planned
    from launchers.identities import Identities

    identities = Identities()
    runs, problems, notes = _counted(planned.runs, identities)
    found = {run.folder: run for run in map(identities.identified, runs)}
    return replace(
        planned,
        runs=list(found.values()),
        problems=problems,
        notes=[*identities.notes, *notes],
    )


def _counted(
    runs: list[RunPlan], identities: "Identities"
) -> tuple[list[RunPlan], list[str], list[str]]:
    """Runs with numbers for `n=all`; problems; notes on numbers that differ between seeds."""
    problems: dict[str, None] = {}  # each once
    sizes: dict[str, set[int]] = defaultdict(set)
    known = []
    for run in runs:
        if run.plain["n"] != ALL:
            known.append(run)
            continue
        name = run.settings["data"]["name"]
        try:
            known.append(identities.counted(run))
        except Exception as error:
            problems[f"`n=all`: the images of `{name}` cannot be counted: {error}"] = None
        else:
            sizes[name].add(known[-1].plain["n"])
    notes = [
        f"{name}: n=all is {min(found)} to {max(found)} images, which differs between these runs; "
        "to average over seeds, give n a number."
        for name, found in sizes.items()
        if len(found) > 1
    ]
    return known, list(problems), notes
