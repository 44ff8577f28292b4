"""The table of all claims on some runs, as data and as Markdown."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pandas import DataFrame

from analysis.claim import CONFIDENCE, Claim, Decision, Evidence, decide
from analysis.claims import claims_of
from analysis.exhibits import NotEnoughError, papers
from analysis.printing.names import data_name
from analysis.printing.typeset import to_markdown
from analysis.runs.records import read_runs
from display.table import number
from records.archive import SUFFIX
from records.counted import counted

log = logging.getLogger(__name__)

PROTOCOL = "corrected"  # the others are what a paper says or what its code does
PRESETS = ["cpu", "default", "gpu", "published"]  # the farthest from a paper's procedure first
COLUMNS = [
    *("paper", "claim", "statement", "verdict", "statistic", "claimed", "found"),
    *("value", "low", "high"),
    *("cell", "interval over", "published", "data", "runs", "preset", "where"),
    *("why not", "command"),
]


@dataclass(frozen=True)
class Judged:
    """A claim with what some runs say of it."""

    paper: str
    claim: Claim
    decision: Decision | None = None
    evidence: Evidence | None = None
    reason: str = ""

    @property
    def verdict(self) -> str:
        """Holds, fails, undecided or not run."""
        return self.decision.verdict if self.decision else "not run"

    @property
    def on_standins(self) -> bool:
        """Whether stand-ins for real images are among the data."""
        return self.evidence is not None and bool(self.evidence.runs.standin.any())

    @property
    def on_real_images(self) -> bool:
        """Whether no data were generated: neither stand-ins nor what a paper itself generates."""
        if self.evidence is None:
            return False
        return not (self.on_standins or (self.evidence.runs.domain == "synthetic").any())


def judge_all(runs: DataFrame) -> list[Judged]:
    """Every claim of every paper, on finished runs."""
    found = []
    for paper in papers():
        parts = comparable(paper, runs)
        found += [judge(paper, claim, parts) for claim in claims_of(paper)]
    return found


def comparable(paper: str, runs: DataFrame) -> list[DataFrame]:
    """The runs that may decide claims of a paper: of one preset, on real images or on stand-ins.

    Runs of two parts are never pooled. Those made for another paper's experiments are left out.
    """
    others = set(papers()) - {paper}
    foreign = runs.experiment.str.split("/").str[0].isin(others)
    own = runs[~foreign & (runs.protocol == PROTOCOL)]
    return [part.reset_index(drop=True) for _, part in own.groupby(["preset", "standin"])]


def judge(paper: str, claim: Claim, parts: Iterable[DataFrame]) -> Judged:
    """One claim, on one of several parts of the runs.

    The one counts whose runs are on real images, suffice for an interval of some cell, are on the
    most data sets (where the interval is over data sets), have the largest n, which is nearest to
    the published size, are of the preset nearest to the published procedure, and are the most, in
    this order. No result enters that choice.
    """
    found, reasons = [], []
    for part in parts:
        try:
            evidence = claim.decide(part)
            found.append(Judged(paper, claim, decide(claim.claimed, evidence.cells), evidence))
        except NotEnoughError as error:
            reasons.append(str(error))
        except Exception as error:  # one claim's mistake must not cost the others
            reasons.append(f"{type(error).__name__}: {error}")
            log.warning("%s of %s was not judged: %s", claim.name, paper, reasons[-1])
    if not found:
        return Judged(paper, claim, reason=(reasons or ["no finished run"])[-1])
    return max(found, key=_precedence)


def _precedence(judged: Judged) -> tuple[bool, bool, int, float, int, int]:
    assert judged.evidence is not None
    runs, cells = judged.evidence.runs, judged.evidence.cells.values()
    # of all cells: which one is shown depends on results
    known = any(cell.at(CONFIDENCE).known for cell in cells)
    sets = max(cell.units for cell in cells) if judged.evidence.unit == "data set" else 0
    nearest = PRESETS.index(runs.preset.iloc[0]) if runs.preset.iloc[0] in PRESETS else -1
    return not judged.on_standins, known, sets, float(runs.n.max()), nearest, len(runs)


def claims_table(judged: list[Judged]) -> DataFrame:
    """One row per claim."""
    return DataFrame([_row(one) for one in judged], columns=COLUMNS)


@dataclass(frozen=True)
class Found:
    """What the runs say, in print; empty texts where a claim was not run."""

    interval: str = ""
    cell: str = ""
    over: str = ""
    data: str = ""
    runs: str = ""


def found(judged: Judged) -> Found:
    """The numbers of a claim in print."""
    if judged.decision is None or judged.evidence is None:
        return Found()
    decision, runs = judged.decision, judged.evidence.runs
    value, low, high = (number(x, digits=3) for x in decision.estimate.scalars().values())
    known = decision.estimate.known
    names = sorted(data_name(name) for name in runs.data.unique())
    listed = ", ".join(names) if len(names) <= 3 else counted(len(names), "set")
    return Found(
        interval=f"{value} ({low} to {high})" if known else f"{value}, {decision.lacking}",
        cell=decision.cell + (f", weakest of {decision.cells}" if decision.cells > 1 else ""),
        over=counted(decision.units, judged.evidence.unit),
        data=listed + " (stand-in data)" * judged.on_standins,
        runs=f"{counted(len(runs), 'run')}, preset={runs.preset.iloc[0]}",
    )


def _row(judged: Judged) -> dict[str, object]:
    claim, shown = judged.claim, found(judged)
    row: dict[str, object] = {
        "paper": judged.paper,
        "claim": claim.name,
        "statement": claim.statement,
        "verdict": judged.verdict,
        "statistic": claim.statistic,
        "claimed": str(claim.claimed),
        "found": shown.interval,
        "cell": shown.cell,
        "interval over": shown.over,
        "published": claim.published,
        "data": shown.data,
        "where": claim.source,
        "why not": judged.reason,
        "command": claim.command,
    }
    if judged.decision is not None and judged.evidence is not None:
        runs = judged.evidence.runs
        row |= judged.decision.estimate.scalars()
        row |= {"runs": len(runs), "preset": runs.preset.iloc[0]}
    return row


def remark(judged: list[Judged]) -> str:
    """How to read the table, with the number of verdicts that chance alone may have made."""
    counts = {
        verdict: sum(one.verdict == verdict for one in judged)
        for verdict in ("holds", "fails", "undecided", "not run")
    }
    decided = counts["holds"] + counts["fails"]
    verbs = {"holds": ("holds", "hold"), "fails": ("fails", "fail")}
    listed = ", ".join(
        f"{count} {verbs.get(verdict, (verdict, verdict))[count != 1]}"
        for verdict, count in counts.items()
    )
    meaning = (
        "A claim is that a statistic lies in a range. It holds if the whole 95 % interval is in "
        "the range, fails if the interval is outside, and is undecided otherwise. Intervals are "
        "over data sets or seeds: of the mean by Student's t, or of the median by the sign test "
        "where the statistic says so. A claim on several cells (networks, levels) holds if it "
        "holds in each; the weakest is shown."
    )
    sentences = [f"{counted(len(judged), 'claim')}: {listed}.", *_data_of_decided(judged), meaning]
    if decided:
        wrong = (1 - CONFIDENCE) / 2 * decided
        sentences.append(
            f"Many claims are tested at once: up to {wrong:.1f} of the {decided} verdicts would be "
            "wrong by chance alone if every statistic lay at the end of its range."
        )
    return " ".join(sentences)


def _data_of_decided(judged: list[Judged]) -> list[str]:
    """A sentence on the data of the decided claims; none if there are no such claims."""
    decided = [one for one in judged if one.verdict in ("holds", "fails")]
    if not decided:
        return []
    standins = sum(one.on_standins for one in decided)
    real = sum(one.on_real_images for one in decided)
    kinds = {
        "real images": real,
        "stand-ins for real images": standins,
        "data that the paper generates": len(decided) - real - standins,
    }
    parts = ", ".join(f"{count} on {kind}" for kind, count in kinds.items() if count)
    return [f"Of the {len(decided)} decided: {parts}."]


def to_page(judged: list[Judged]) -> str:
    """The remark and a table for readers, as Markdown: one table per paper."""
    parts = [remark(judged)]
    for paper in dict.fromkeys(one.paper for one in judged):
        rows = [_short(one) for one in judged if one.paper == paper]
        parts += [f"## {paper}", to_markdown(DataFrame(rows))]
    return "\n\n".join(parts) + "\n"


def claims_page(evidence: Path) -> str:
    """A page of the documentation: the claims on all archives of a folder.

    Raises:
        ValueError: An archive is damaged.
    """
    archives = sorted(evidence.glob(f"*{SUFFIX}"))
    runs = read_runs(archives).done
    sources = ", ".join(f"`{file.name}` ({len(read_runs([file]).done)})" for file in archives)
    made = f"the {counted(len(runs), 'finished run')} of {sources}"
    return (
        "# Which claims hold\n\n"
        f"Made by `python -m analysis claims evidence` from {made}. Where runs are missing, the "
        "table has the command that makes them. [Real sets](real-sets.md) describes the images "
        "and the runs, and discusses the verdicts.\n\n" + to_page(judge_all(runs))
    )


def _short(judged: Judged) -> dict[str, str]:
    claim, shown = judged.claim, found(judged)
    return {
        "claim": f"{claim.statement} ({claim.source})",
        "verdict": f"**{judged.verdict}**",
        "statistic": f"{claim.statistic}; claimed: {claim.claimed}",
        "found": shown.interval + (f" [{shown.cell}]" if shown.cell else ""),
        "over": shown.over,
        "data": f"{shown.data}; {shown.runs}" if shown.data else f"`{claim.command}`",
        "published": claim.published,
    }
