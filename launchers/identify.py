"""Identify the data of planned runs, which are part of their keys, before any run starts."""

from dataclasses import replace

from conf.plan import Plan


def identified(planned: Plan) -> Plan:
    """The plan with the identities of its runs' data, each run once.

    Runs on generated or embedded images do not change, and cost nothing.
    """
    if not any(run.files for run in planned.runs):
        return planned
    from launchers.identities import Identities

    identities = Identities()
    found = {run.folder: run for run in map(identities.identified, planned.runs)}
    return replace(planned, runs=list(found.values()), notes=list(identities.notes))
