"""The title of a report: which sweeps, networks and data sets it is about."""

from collections.abc import Iterable

from pandas import DataFrame

from analysis.printing.names import data_name, model_name

NAMED = 3  # of more, the number is given


def report_title(table: DataFrame) -> str:
    """From the runs that were read.

    >>> rows = {"experiment": ["tour"] * 2, "model": ["mlp", "lenet"], "data": ["digits", "mnist"]}
    >>> report_title(DataFrame(rows))
    'tour: LeNet and MLP on MNIST and digits'
    """
    sweeps = _listed(sorted(table.experiment.unique()), "experiments")
    networks = sorted(model_name(model) for model in table.model.unique() if model != "none")
    read = table[table.status != "failed"].data.unique() if "status" in table else table.data
    sets = _listed(sorted({data_name(name) for name in read}), "data sets")
    what = f"{_listed(networks, 'networks')} on {sets}" if networks else sets
    return ": ".join(part for part in (sweeps, what) if part)


def _listed(names: Iterable[str], kind: str) -> str:
    """Names in a sentence, or their number.

    >>> _listed(["a", "b", "c"], "networks"), _listed("abcd", "networks")
    ('a, b and c', '4 networks')
    """
    known = list(dict.fromkeys(names))
    if len(known) > NAMED:
        return f"{len(known)} {kind}"
    return " and ".join(filter(None, [", ".join(known[:-1]), *known[-1:]]))
