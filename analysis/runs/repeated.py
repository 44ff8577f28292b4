"""Runs that are not averaged with others: copies, and runs on an earlier state of their data."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pandas import DataFrame

from records.data_identity import data_seen, read_manifest
from records.data_place import data_listing
from records.key import canonical
from records.status import FINISHED

DATA_STATE = "_data_state"  # a column that is dropped again


@dataclass(frozen=True)
class DataState:
    """The state of the files that a run was on, and when it was last seen."""

    settings: str  # equal for runs that differ in their data alone
    data_set: str  # equal for runs on one data set, edited or not
    seen: str
    fingerprint: str
    whole: str | None  # of all images of the set; None where only those of the run count
    folder: Path = Path()
    index: int = 0  # row of the table


@dataclass(frozen=True)
class Kept:
    """The runs that are kept, and the keys of those that are not."""

    table: DataFrame
    copies: int = 0
    superseded: frozenset[str] = frozenset()  # keys of runs made again after an edit
    outdated: frozenset[str] = frozenset()  # keys of runs on data before an edit, not made again


def data_state(record: dict[str, Any]) -> DataState | None:
    """The data state of a run; None where its data are in no file: its settings identify it."""
    if not record.get("data_fingerprint"):
        return None
    data_set = data_listing(record)
    return DataState(
        canonical(record["settings"]) + data_set,  # an archive has no paths in the settings
        data_set,
        data_seen(record),
        str(record["data_fingerprint"]),
        record.get("data_set_fingerprint"),
    )


def drop_repeated(table: DataFrame) -> Kept:
    """Keep each run once, on the present state of its data.

    The same key is the same run wherever it lies: the finished one is kept, and of several the
    last. Within one folder, all runs on one data set count only if they are on the state that was
    seen last, finished or not. The other numbers belong to data that are no longer there, and would
    enter the same cell as if they came from another seed.
    """
    if table.empty:
        return Kept(table)
    finished = table.status.isin(FINISHED)
    order = table.assign(_finished=finished).sort_values(["_finished", "finished"])
    once = table.loc[sorted(order.drop_duplicates("key", keep="last").index)]
    states = [
        replace(state, folder=path.parent, index=index)
        for index, path, state in zip(once.index, once.path, once[DATA_STATE], strict=True)
        if state is not None
    ]
    before = {state.index for state in _before_an_edit(states)}
    latest: dict[tuple[Path, str], int] = {}
    for state in sorted(states, key=lambda one: (one.seen, one.index)):
        if state.index not in before:
            latest[state.folder, state.settings] = state.index
    present = set(latest.values())
    old = [state for state in states if state.index not in present]
    again = {state.index for state in old if (state.folder, state.settings) in latest}
    kept = once.drop([state.index for state in old])
    here = set(kept.key)
    return Kept(
        kept.drop(columns=DATA_STATE).reset_index(drop=True),
        len(table) - len(once),
        frozenset(once.key[sorted(again)]) - here,
        frozenset(once.key[[one.index for one in old if one.index not in again]]) - here,
    )


def _before_an_edit(states: Iterable[DataState]) -> Iterator[DataState]:
    """Runs whose data set changed later, by any run of their folder."""
    sets: dict[tuple[Path, str], list[DataState]] = defaultdict(list)
    for state in states:
        sets[state.folder, state.data_set].append(state)
    for (folder, _), mine in sets.items():
        mine.sort(key=lambda one: (one.seen, one.index), reverse=True)
        wholes = [one.whole for one in mine if one.whole is not None]
        yield from (one for one in mine if one.whole is not None and one.whole != wholes[0])
        drawn = [one for one in mine if one.whole is None]
        if len({one.fingerprint for one in drawn}) > 1:
            yield from _of_other_content(folder, drawn)


def _of_other_content(folder: Path, states: list[DataState]) -> list[DataState]:
    """Among runs, the last first, that recorded the images they drew: those with others than later.

    Two runs draw different images, so that an edit shows in those of both only, and in the number
    of images of the set. Labels are not compared: their numbers follow from the run's task.
    """
    total: int | None = None  # of the set at present
    contents: dict[str, tuple[str, str]] = {}  # group and digest
    edited = set()
    for fingerprint in dict.fromkeys(state.fingerprint for state in states):
        manifest = read_manifest(folder, fingerprint)
        if manifest is None:
            continue
        own = {name: (group, digest) for name, (_, group, digest) in manifest.images.items()}
        total = manifest.total if total is None else total
        replaced = any(contents.get(name, one) != one for name, one in own.items())
        if replaced or manifest.total != total:
            edited.add(fingerprint)
        else:
            contents |= own
    return [state for state in states if state.fingerprint in edited]
