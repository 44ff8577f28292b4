"""The claims of the papers: entries of `exhibits.toml` of each paper, decided by functions."""

from analysis.claim import Claim, Range
from analysis.exhibits import deferred, listed


def claims_of(paper: str) -> list[Claim]:
    """The claims of a paper, in the order of its file.

    >>> [claim.name for claim in claims_of("konz2024")][:2]
    ['penalty_follows_k_f', 'penalty_within_medical']
    """
    return [
        Claim(
            name=name,
            statement=fields["statement"],
            source=fields["source"],
            statistic=fields["statistic"],
            claimed=Range(**fields["claimed"]),
            experiment=fields["experiment"],
            decide=deferred(fields["decide"], fields.get("options", {})),
            published=fields.get("published", ""),
        )
        for name, fields in listed(paper)["claims"].items()
    ]
