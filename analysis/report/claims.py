"""The beginning of a report: which claims of the papers its runs decide."""

from typing import Any

from pandas import DataFrame, Series

from analysis.claims_table import claims_table, judge_all, remark

SHOWN = [
    *("statement", "verdict", "statistic", "found", "claimed", "cell", "interval over", "data"),
    *("runs", "preset", "published", "where"),
]


def claims_shown(runs: DataFrame) -> dict[str, Any]:
    """Claims on which the runs give an interval, the others, and how to read them."""
    judged = judge_all(runs)
    table = claims_table(judged)
    known = [one.decision is not None and one.decision.estimate.known for one in judged]
    left = table[[not one for one in known]]
    lacking = [one.decision.lacking if one.decision else "" for one in judged]
    reasons = Series(lacking, index=table.index)[left.index] + ", over " + left["interval over"]
    why = left["why not"].where(left["why not"] != "", reasons)
    left = left.assign(**{"why not": why})[["statement", "why not", "command"]]
    return {"remark": remark(judged), "judged": table.loc[known, SHOWN], "left": left}
