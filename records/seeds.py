"""Seeds by purpose: each purpose has its own generator, so that none affects another."""

import hashlib


def seed_for(seed: int, purpose: str, *parts: object) -> int:
    """The seed of one purpose (`subset`, `init`, `order`, `probe` ...) of a run.

    A hash of `(seed, purpose, *parts)`, so that adding a purpose changes no other number and an
    epoch's generator does not depend on the epochs before it.

    Reading it: equal arguments give equal seeds on every machine; any other argument gives an
    unrelated one. 63 bits: what `torch.Generator.manual_seed` takes.

    >>> seed_for(0, "order", 3) == seed_for(0, "order", 3)
    True
    >>> len({seed_for(s, p) for s in range(5) for p in ("init", "order")})
    10
    """
    text = "/".join(str(part) for part in (seed, purpose, *parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
