"""The beginning of a report: which claims of the papers its runs decide."""

from typing import Any

from pandas import DataFrame

from analysis.claims_table import found, judge_all, remark


def claims_shown(runs: DataFrame) -> dict[str, Any]:
    """Claims on which the runs give an interval, the others, and how to read them."""
    judged = judge_all(runs)
    known = [one for one in judged if one.decision is not None and one.decision.estimate.known]
    rows = [
        {
            "claim": one.claim.statement,
            "verdict": one.verdict,
            "statistic": one.claim.statistic,
            "found (95 %)": shown.interval,
            "claimed": str(one.claim.claimed),
            "in": shown.cell,
            "over": shown.over,
            "data": f"{shown.data}; {shown.runs}",
            "published": one.claim.published,
            "where": one.claim.source,
        }
        for one, shown in ((one, found(one)) for one in known)
    ]
    left = [
        {
            "claim": one.claim.statement,
            "why not": one.reason or f"no interval over {found(one).over}",
            "command": one.claim.command,
        }
        for one in judged
        if one.decision is None or not one.decision.estimate.known
    ]
    return {"remark": remark(judged), "judged": DataFrame(rows), "left": DataFrame(left)}
