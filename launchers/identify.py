"""Find the data of planned runs, which are part of their keys, before any run starts."""

from dataclasses import replace

from conf.plan import Plan

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
    runs = [identities.counted(run) if run.plain["n"] == ALL else run for run in planned.runs]
    found = {run.folder: run for run in map(identities.identified, filter(None, runs))}
    return replace(
        planned,
        runs=list(found.values()),
        problems=list(identities.problems),
        notes=[*identities.notes, *identities.notes_on_sizes()],
    )
