"""OAI's readings of knee radiographs: a Kellgren-Lawrence grade per patient and side."""

from pathlib import Path

import pandas as pd

from datamodules.formats.tables import number, read_table

PROJECT = 15  # the central reading project, which read all patients


def read_grades(path: Path) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Patient, side (`R` or `L`) and grade 0-4 of each knee, and notes on what was left out.

    The file is `kxr_sq_bu00.txt` (or upper case, or `.sas7bdat`).
    """
    table = read_table(path, ["ID", "SIDE", "V00XRKL"], separator="|", optional=["READPRJ"])
    knees = pd.DataFrame(
        {
            "patient": table["ID"].str.removesuffix(".0"),  # SAS has floats only
            "side": number(table["SIDE"]).map({1.0: "R", 2.0: "L"}),
            "grade": number(table["V00XRKL"]),
        }
    )
    read_by = number(table["READPRJ"])
    knees = knees[read_by.isna() | (read_by == PROJECT)]
    missing = knees["grade"].isna() | knees["side"].isna()
    knees = knees[~missing].drop_duplicates()
    contradictory = knees.duplicated(["patient", "side"], keep=False)
    notes = (
        f"{int(missing.sum())} knees without a grade left out",
        f"{int(contradictory.sum())} contradictory readings left out",
    )
    return knees[~contradictory], notes
