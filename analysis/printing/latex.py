"""Tables in LaTeX, with the rules of booktabs."""

import re

from pandas import DataFrame

from analysis.printing.typeset import compact

SPECIAL = {
    "\\": r"\textbackslash{}",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\u03c3": r"$\sigma$",
    "\u03b5": r"$\varepsilon$",
    "\u00b2": r"$^2$",
    "\u00b1": r"$\pm$",
    "\u2264": r"$\leq$",
    "\u2265": r"$\geq$",
    "\u00d7": r"$\times$",
}
NUMBER = re.compile(r"[-+]?\d[\d.,]*(e[-+]?\d+)?( \(.*\)| \u00b1 .*)?$")


def to_latex(table: DataFrame, caption: str = "", label: str = "") -> str:
    r"""A `table` environment; the document needs `\usepackage{booktabs}`.

    Columns of numbers are aligned to the right. Intervals are in one cell, as in the report.

    >>> print(to_latex(DataFrame({"a_b": ["x & y"], "n": [1]}), "100 %", "tab:a"), end="")
    \begin{table}
      \centering
      \caption{100 \%}
      \label{tab:a}
      \begin{tabular}{lr}
        \toprule
        a\_b & n \\
        \midrule
        x \& y & 1 \\
        \bottomrule
      \end{tabular}
    \end{table}
    """
    shown = compact(table)
    rows = [[" ".join(str(cell).split()) for cell in row] for row in shown.to_numpy().tolist()]
    columns = list(zip(*rows, strict=True)) or [()] * len(shown.columns)
    align = "".join("r" if all(map(_is_number, cells)) else "l" for cells in columns)
    lines = [r"\begin{table}", r"  \centering"]
    lines += [rf"  \caption{{{escaped(caption)}}}"] if caption else []
    lines += [rf"  \label{{{label}}}"] if label else []
    lines += [rf"  \begin{{tabular}}{{{align}}}", r"    \toprule", _row(shown.columns)]
    lines += [r"    \midrule", *(_row(row) for row in rows), r"    \bottomrule"]
    return "\n".join([*lines, r"  \end{tabular}", r"\end{table}"]) + "\n"


def escaped(text: str) -> str:
    r"""Text in which LaTeX finds no command.

    >>> print(escaped("data/k_f at 5 %, R\u00b2"))
    data/k\_f at 5 \%, R$^2$
    """
    return "".join(SPECIAL.get(sign, sign) for sign in text)


def _row(cells: list[str]) -> str:
    return "    " + " & ".join(escaped(str(cell)) for cell in cells) + r" \\"


def _is_number(cell: str) -> bool:
    return not cell or NUMBER.match(cell) is not None
