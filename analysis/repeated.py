"""Runs that were made more than once: in two folders, or again after their data were edited."""

from typing import Any

from pandas import DataFrame

from records.data_identity import data_seen
from records.key import canonical
from records.status import is_finished

EQUAL = "_equal"  # a column that is dropped again: equal settings on possibly different data


def equal_id(record: dict[str, Any]) -> tuple[str, str] | None:
    """The settings of a run on files, and when its data were last seen in that state.

    None for a run whose data are in no file: its settings alone identify it.
    """
    if not record.get("data_fingerprint"):
        return None
    return canonical(record["settings"]), data_seen(record)


def drop_repeated(table: DataFrame) -> tuple[DataFrame, int, frozenset[str]]:
    """Keep each run once, on the present state of its data.

    The same key is the same run wherever it lies: the finished one is kept, and of several the
    last. Within one folder, equal settings on different data mean that the data were edited; the
    run on the state that was seen last is kept, finished or not. The other numbers belong to data
    that are no longer there, and would enter the same cell as if they came from another seed.

    Args:
        table: one row per record, with the column `EQUAL`.

    Returns:
        The table without `EQUAL`, the number of copies, and the keys of superseded runs.
    """
    if table.empty:
        return table, 0, frozenset()
    finished = table.status.map(is_finished).astype(bool)
    order = table.assign(_finished=finished).sort_values(["_finished", "finished"])
    once = table.loc[sorted(order.drop_duplicates("key", keep="last").index)]
    present: dict[Any, tuple[str, Any]] = {}
    for index, path, equal in zip(once.index, once.path, once[EQUAL], strict=True):
        if equal is not None:
            settings, seen = equal
            present[path.parent, settings] = max(
                present.get((path.parent, settings), ("", -1)), (seen, index)
            )
    latest = {index for _, index in present.values()}
    is_old = [equal is not None and i not in latest for i, equal in once[EQUAL].items()]
    old = frozenset(once[is_old].key) - set(once.drop(once[is_old].index).key)
    kept = once.drop(once[is_old].index).drop(columns=EQUAL).reset_index(drop=True)
    return kept, len(table) - len(once), old
