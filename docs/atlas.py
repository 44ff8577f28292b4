"""The atlas: every figure and table of the papers, from the modules that make them.

`python -m docs.atlas` prints it as Markdown; the site has it as a page, made anew in every build.
"""

from pathlib import Path

from analysis.exhibits import Exhibit, discover, papers
from analysis.published import papers as published_papers
from analysis.published import published_table
from analysis.report.beside import place_names

ROOT = Path(__file__).parent.parent
PRESETS = ("cpu", "gpu", "paper")
INTRODUCTION = """# Atlas

Every figure and table of the papers that this repository makes. The first command makes the runs,
the second the exhibit; `python -m analysis runs/<name>` makes all that the runs allow, in one
report. Add `standin=true` where the data set is not there. `preset=cpu` is for minutes on a laptop,
`preset=paper` the paper's own grid; an experiment without settings of its own for a preset takes
the preset's general ones.
"""


def atlas() -> str:
    """The page."""
    parts = [INTRODUCTION]
    for paper in papers():
        exhibits = [*discover("figures", paper), *discover("tables", paper)]
        if not exhibits:
            continue
        page = f"{paper}.md"
        told = f" What came out, with numbers: [{paper}]({page})." * (ROOT / "docs" / page).exists()
        rows = [
            f"| {_place(one)} | [{one.title}](#{anchor(one)}) | {_runs(one)} |" for one in exhibits
        ]
        heading = f"## {paper}\n\n{len(exhibits)} figures and tables.{told}\n"
        table = ["| where | what | runs |", "|---|---|---|", *rows]
        parts += [heading, "\n".join(table) + "\n", *(entry(one) for one in exhibits)]
    return "\n".join(parts)


def anchor(exhibit: Exhibit) -> str:
    """Where on the page it is."""
    return f"{exhibit.paper}-{exhibit.kind}-{exhibit.name}"


def entry(exhibit: Exhibit) -> str:
    """One exhibit: how to make it and how to read it."""
    folder = f"runs/{exhibit.experiment}"
    own = [
        preset
        for preset in PRESETS
        if (ROOT / f"conf/rules/experiment/{preset}/{exhibit.experiment}.yaml").exists()
    ]
    facts = [f"presets of its own: {', '.join(own)}" if own else "presets: the general ones"]
    kept = _published(exhibit)
    if kept:
        facts.append(f"{kept} published values are shown beside ours")
    return f"""### {exhibit.title} {{#{anchor(exhibit)}}}

{exhibit.source} · `{exhibit.name}` · {"; ".join(facts)}

    {exhibit.command}
    python -m analysis {folder} --figure {exhibit.name}

{exhibit.reading}
"""


def _place(exhibit: Exhibit) -> str:
    return exhibit.source.partition(", ")[2] or exhibit.source


def _runs(exhibit: Exhibit) -> str:
    return f"`{exhibit.experiment.removeprefix(exhibit.paper + '/')}`"


def _published(exhibit: Exhibit) -> int:
    if exhibit.paper not in published_papers():
        return 0
    return int(published_table(exhibit.paper)["item"].isin(place_names(exhibit.source)).sum())


if __name__ == "__main__":
    print(atlas())
