"""A table as files: CSV with all digits, Markdown and LaTeX as it is shown."""

from pathlib import Path

from pandas import DataFrame

from analysis.printing.latex import to_latex
from analysis.printing.typeset import to_markdown
from records.atomic import write_text


def write_table(table: DataFrame, base: Path, caption: str) -> list[Path]:
    """Write `<base>.csv`, `.md` and `.tex`; returns their paths."""
    texts = {
        ".csv": table.to_csv(index=False),
        ".md": to_markdown(table),
        ".tex": to_latex(table, caption, label=f"tab:{base.name}"),
    }
    for suffix, text in texts.items():
        write_text(base.with_suffix(suffix), text)
    return [base.with_suffix(suffix) for suffix in texts]
