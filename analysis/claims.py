"""The claims of the papers: entries of `exhibits.toml` of each paper, decided by functions."""

from analysis.claim import Claim, Range
from analysis.exhibits import deferred, listed


def claims_of(paper: str) -> list[Claim]:
    """The claims of a paper, in the order of its file.

    >>> [claim.name for claim in claims_of("konz2024")][:2]
    ['penalty_follows_k_f', 'penalty_within_medical']
    """
    found = []
    for name, fields in listed(paper)["claims"].items():
        texts = {key: fields[key] for key in ("statement", "source", "statistic", "experiment")}
        decide = deferred(fields["decide"], fields.get("options", {}))
        known = fields.get("published", "")
        claimed = Range(**fields["claimed"])
        found.append(Claim(name, claimed=claimed, decide=decide, published=known, **texts))
    return found
