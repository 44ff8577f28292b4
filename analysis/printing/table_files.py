"""A table as files: CSV with all digits, Markdown and LaTeX as it is shown."""

from pathlib import Path

from pandas import DataFrame

from analysis.printing.latex import to_latex
from analysis.printing.typeset import to_markdown
from records.atomic import write_text

SUFFIXES = (".csv", ".md", ".tex")


def write_table(table: DataFrame, base: Path, caption: str) -> list[Path]:
    """Write `<base>.csv`, `.md` and `.tex`; returns their paths."""
    csv, markdown = table.to_csv(index=False), to_markdown(table)
    latex = to_latex(table, caption, label=f"tab:{base.name}")
    paths = [base.with_suffix(suffix) for suffix in SUFFIXES]
    for path, text in zip(paths, (csv, markdown, latex), strict=True):
        write_text(path, text)
    return paths
