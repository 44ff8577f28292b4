"""OAI's readings of knee radiographs: a Kellgren-Lawrence grade per patient and side."""

from pathlib import Path

import pandas as pd

from datamodules.formats.tables import number, read_table


def read_grades(path: Path, project: int = 15) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Patient, side (`R` or `L`) and grade 0-4 of each knee, and notes on what was left out.

    Args:
        path: `kxr_sq_bu00.txt` (or upper case, or `.sas7bdat`).
        project: the reading project; 15 is the central one, which read all patients.
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
    knees = knees[read_by.isna() | (read_by == project)]
    missing = knees["grade"].isna() | knees["side"].isna()
    knees = knees[~missing].drop_duplicates()
    double = knees.duplicated(["patient", "side"], keep=False)
    notes = (
        f"{int(missing.sum())} knees without a grade left out",
        f"{int(double.sum())} contradictory readings left out",
    )
    return knees[~double], notes
