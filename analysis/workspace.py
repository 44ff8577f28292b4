"""`python -m analysis.workspace <entity>/<project>`: the dashboard and a report, made in W&B.

Needs the extra `dashboards` (wandb-workspaces) and a W&B key; `--print` needs neither a key nor a
network and shows what would be sent.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from analysis.dashboard import (
    COLUMNS,
    GROUPING,
    TIME,
    Bars,
    Chart,
    Curve,
    Pictures,
    Scatter,
    Section,
    sections,
)

NAME = "Plumbline"
INTRODUCTION = (
    "How hard the data are and how fragile the network, quantity by quantity. Runs are grouped by "
    "sweep, domain, data set, network and n; curves and points are means over seeds. Runs tagged "
    "standin were made on generated images and say nothing about the real data sets."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Make both and say where they are; returns 0, or 2 for a wrong command."""
    parser = argparse.ArgumentParser(prog="python -m analysis.workspace", description=__doc__)
    parser.add_argument("place", help="entity/project, as in the address of the project")
    parser.add_argument("--print", action="store_true", help="print the workspace, send nothing")
    arguments = parser.parse_args(argv)
    entity, _, project = arguments.place.partition("/")
    if not entity or not project or "/" in project:
        print(f"{arguments.place}: give entity/project", file=sys.stderr)
        return 2
    try:
        made = workspace(entity, project)
        if arguments.print:
            print(json.dumps(specification(made), indent=1))
            return 0
        made.save()
        written = report(entity, project)
        written.save()
    except ModuleNotFoundError as error:
        print(f"{error.name} is missing: pip install -e '.[dashboards]'", file=sys.stderr)
        return 2
    print(f"Workspace: {made.url}\nReport: {written.url}")
    return 0


def workspace(entity: str, project: str) -> Any:
    """A `wandb_workspaces.workspaces.Workspace` with a section per kind of quantity."""
    wr = import_module("wandb_workspaces.reports.v2")  # its types name half of what it has
    ws = import_module("wandb_workspaces.workspaces")

    group, *settings = GROUPING
    return ws.Workspace(
        entity=entity,
        project=project,
        name=NAME,
        sections=[
            ws.Section(
                name=section.name,
                panels=[
                    wr.MarkdownPanel(markdown=section.reading),
                    *(panel(wr, chart) for chart in section.charts),
                ],
                is_open=section.name != TIME,
            )
            for section in sections()
        ],
        settings=ws.WorkspaceSettings(x_axis="epoch", max_runs=100),
        runset_settings=ws.RunsetSettings(
            groupby=[ws.Metric(group), *(ws.Config(name) for name in settings)],
            pinned_columns=[f"summary:{name}" for name in COLUMNS],
        ),
    )


def report(entity: str, project: str) -> Any:
    """A `wandb_workspaces.reports.v2.Report`: the same sections, with words around them."""
    wr = import_module("wandb_workspaces.reports.v2")  # its types name half of what it has

    group, *settings = GROUPING
    grouping = [group, *(f"config.{name}" for name in settings)]

    def blocks(section: Section) -> list[Any]:
        runs = wr.Runset(entity=entity, project=project, groupby=grouping)
        panels = [panel(wr, chart) for chart in section.charts]
        grid = wr.PanelGrid(runsets=[runs], panels=panels)
        return [wr.H2(text=section.name), wr.P(text=section.reading), grid]

    shown = [section for section in sections() if section.name != TIME]
    return wr.Report(
        entity=entity,
        project=project,
        title=NAME,
        description="Made by python -m analysis.workspace",
        blocks=[
            wr.P(text=INTRODUCTION),
            wr.TableOfContents(),
            *(block for section in shown for block in blocks(section)),
        ],
        width="fluid",
    )


def panel(wr: Any, chart: Chart) -> Any:
    """A chart as W&B's own panel."""
    makers: dict[type, Callable[[Any], Any]] = {
        Curve: lambda c: wr.LinePlot(title=c.title, x="epoch", metric_regex=c.pattern),
        Bars: lambda c: wr.BarPlot(title=c.title, metrics=[c.name], orientation="h"),
        Scatter: lambda c: wr.ScatterPlot(
            title=c.title,
            x=wr.SummaryMetric(c.x),
            y=wr.SummaryMetric(c.y),
            log_y=c.log_y,
            legend_template="${config:data.domain} ${config:data.name} n=${config:n}",
        ),
        Pictures: lambda c: wr.MediaBrowser(title=c.title, media_keys=list(c.names), num_columns=2),
    }
    return makers[type(chart)](chart)


def specification(made: Any) -> dict[str, Any]:
    """What would be sent, as plain containers."""
    # `_spec`: what `save` sends; the library offers no public way to see it without sending it
    return dict(made._spec)


if __name__ == "__main__":
    sys.exit(main())
