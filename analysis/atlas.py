"""The atlas: every figure and table of the papers, from the modules that make them.

`python -m analysis atlas` prints it as Markdown; the site has it as a page, made in every build.
What was seen here comes from the papers' pages, published values from `published.csv`.
"""

from functools import cache
from pathlib import Path

import numpy as np
import yaml
from pandas import DataFrame

from analysis.exhibits import Exhibit, discover, papers
from analysis.printing.typeset import to_markdown
from analysis.report.beside import published_of
from analysis.seen import PUBLISHED, SEEN, by_exhibit
from records.counted import counted

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FOLDED = 8  # published values beyond so many are folded away
INTRODUCTION = """# Atlas

Every figure and table of the four papers that Plumbline makes. The first command of an entry makes
the runs, the second the figure or table; `python -m analysis runs/<name>` makes everything that the
runs allow, in one report. Add `standin=true` if you do not have the data set. `preset=cpu` takes
minutes on a laptop, `preset=published` is the paper's own grid; an experiment without its own
settings for a preset uses the preset's general ones. The pictures are from small runs
(`preset=cpu`, for some grids a part of it): they show what the figure looks like, not what the
paper found.
`python -m docs.atlas_pictures runs` redraws them.
"""


def atlas() -> str:
    """The page."""
    parts = [INTRODUCTION]
    for paper in papers():
        exhibits = [*discover("figures", paper), *discover("tables", paper)]
        if not exhibits:
            continue
        rows = [
            f"| {one.source.partition(', ')[2] or one.source} "
            f"| [{plain(one.title)}](#{anchor(one)}) "
            f"| `{one.experiment.removeprefix(paper + '/')}` |"
            for one in exhibits
        ]
        heading = (
            f"## {paper}\n\n{len(exhibits)} figures and tables; more: [{paper}]({paper}.md).\n"
        )
        table = ["| where | what | runs |", "|---|---|---|", *rows]
        parts += [heading, "\n".join(table) + "\n", *(entry(one) for one in exhibits)]
    return "\n".join(parts)


def anchor(exhibit: Exhibit) -> str:
    """The anchor of an exhibit on the page."""
    return f"{exhibit.paper}-{exhibit.kind}-{exhibit.name}"


def picture(exhibit: Exhibit) -> Path:
    """Where its picture is kept, if it has one: `python -m docs.atlas_pictures` makes them."""
    return DOCS / "images" / "atlas" / exhibit.paper / f"{exhibit.name}.png"


def entry(exhibit: Exhibit) -> str:
    """One exhibit: how to make it, how to read it, what came out and what was published."""
    folder = f"runs/{exhibit.experiment}"
    own = _presets(exhibit.experiment)
    presets = f"presets of its own: {', '.join(own)}" if own else "presets: the general ones"
    return f"""### {plain(exhibit.title)} {{#{anchor(exhibit)}}}

{exhibit.source} · `{exhibit.name}` · {presets}

    {exhibit.command}
    python -m analysis {folder} --figure {exhibit.name}

{plain(exhibit.reading)}

**Seen here:** {"; ".join(_by_exhibit(exhibit.paper, SEEN).get(exhibit.name, ["not reported"]))}.
{_shown(exhibit)}
{_published(exhibit)}
"""


@cache
def _presets(experiment: str) -> list[str]:
    """Presets that an experiment's file has settings for; a variant stands in another's file."""
    folder = ROOT / "conf" / "experiment" / Path(experiment).parent
    for file in sorted(folder.glob("*.yaml")):
        content = yaml.safe_load(file.read_text())
        if Path(experiment).name in (file.stem, *content.get("variants", ())):
            return list(content.get("presets", ()))
    return []


@cache
def _by_exhibit(paper: str, headings: tuple[str, ...]) -> dict[str, list[str]]:
    page = DOCS / f"{paper}.md"
    return by_exhibit(page, headings) if page.exists() else {}


def plain(text: str) -> str:
    """Text of a docstring, whose stars (d*) are no emphasis."""
    return text.replace("*", "\\*")


def _shown(exhibit: Exhibit) -> str:
    path = picture(exhibit)
    if exhibit.kind != "figures" or not path.exists():
        return ""
    return f"\n![{exhibit.title}]({path.relative_to(DOCS).as_posix()}){{ loading=lazy }}\n"


def _published(exhibit: Exhibit) -> str:
    """In words, and the values themselves; long tables are folded."""
    words = _by_exhibit(exhibit.paper, PUBLISHED).get(exhibit.name, [])
    table = published_of(exhibit)
    text = f"**Published:** {'; '.join(words)}" + "." * bool(words)
    if table.empty:
        return text if words else f"{text}no value is kept."
    table = _exact(table.dropna(axis="columns", how="all"))
    same = [n for n in table.columns if len(table) > 1 and table[n].nunique(dropna=False) == 1]
    named = {name: f"value_{name}" for name in ("low", "high")}
    shown = to_markdown(table.drop(columns=[n for n in same if n != "value"]).rename(columns=named))
    facts = ", ".join(
        f"{name} {table[name].iloc[0]}" if name in ("n", "level") else str(table[name].iloc[0])
        for name in same
        if name != "value"
    )
    heading = f"{counted(len(table), 'value')}{': ' * bool(facts)}{facts}"
    if len(table) <= FOLDED:
        return f"{text}\n\n{heading}\n\n{shown}"
    return f"""{text}

<details markdown="1"><summary>{heading}</summary>

{shown}
</details>"""


def _exact(table: DataFrame) -> DataFrame:
    """Numbers as they are kept, to the last digit; a limit alone is a value that is above it."""
    numbers = table.select_dtypes(np.number).columns
    shown = table.assign(**{n: ["" if v != v else f"{v:.12g}" for v in table[n]] for n in numbers})
    if "low" in shown:
        alone = (shown.value == "") & (shown.low != "")
        shown.loc[alone, "value"] = "above " + shown.low[alone]
    return shown
