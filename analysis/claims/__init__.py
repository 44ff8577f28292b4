"""The claims of the papers: every module of `analysis/claims/<paper>` lists some as `CLAIMS`."""

import importlib
import pkgutil

from analysis.claim import Claim


def claims_of(paper: str) -> list[Claim]:
    """The claims of a paper, by module and in its order.

    >>> [claim.name for claim in claims_of("konz2024")][:2]
    ['penalty_follows_k_f', 'penalty_within_medical']
    """
    package = importlib.import_module(f"{__name__}.{paper}")
    modules = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return [
        claim
        for name in modules
        for claim in importlib.import_module(f"{package.__name__}.{name}").CLAIMS
    ]
