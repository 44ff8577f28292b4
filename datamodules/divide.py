"""Divide images into parts: groups stay whole, classes stay in proportion."""

import numpy as np

from datamodules.errors import DataError


def divide(y: np.ndarray, groups: np.ndarray | None, shares: list[float], seed: int) -> np.ndarray:
    """The part of every image.

    Groups are assigned one by one, the largest first, each to the part b where

        sum_c (n_bc - s_b n_c)^2 / (s_b n_c)

    grows least, with n_bc the images of class c in part b, s_b its share, n_c all of class c, and c
    also "any class". So a part has its share up to about one group.

    `y` (N,) are classes from 0, `groups` (N,) patients, lesions or knees (None: every image by
    itself), `shares` of the parts have sum 1, and the seed orders groups of one size.

    >>> y, patients = np.repeat([0, 1], 10), np.arange(20) // 2
    >>> part = divide(y, patients, [0.8, 0.2], seed=0)
    >>> int((part[y == 0] == 1).sum()), int((part[y == 1] == 1).sum())
    (2, 2)
    >>> bool((part[::2] == part[1::2]).all())
    True
    """
    group = np.arange(len(y)) if groups is None else np.unique(groups, return_inverse=True)[1]
    has = np.zeros((group.max(initial=-1) + 1, y.max(initial=-1) + 2))  # the last column: in total
    np.add.at(has, (group, y), 1)
    has[:, -1] = has.sum(1)
    order = np.random.default_rng(seed).permutation(len(has))
    order = order[np.argsort(-has[order, -1], kind="stable")]
    wanted = np.outer(shares, has.sum(0))
    weight = 1 / np.maximum(wanted, 1e-9)  # a class may have no images
    excess = -wanted  # (parts, classes + 1)
    part = np.empty(len(has), dtype=np.int64)
    for number in order.tolist():
        own = has[number]
        part[number] = np.argmin(((2 * excess + own) * weight) @ own)
        excess[part[number]] += own
    return part[group]


def held_out(
    y: np.ndarray, groups: np.ndarray | None, validation: float | int, seed: int
) -> np.ndarray:
    """(N,) True for the images of the validation set: a share, below 1, or a number of images.

    >>> int(held_out(np.arange(500) % 10, None, 0.2, seed=0).sum())
    100
    """
    share = float(validation) if isinstance(validation, float) else validation / max(1, len(y))
    if not 0 < share < 1:
        raise DataError(
            f"data.validation={validation}: must be a share between 0 and 1, or a number of images "
            f"below n={len(y)}; null sets none aside."
        )
    chosen = divide(y, groups, [1 - share, share], seed) == 1
    if chosen.all() or not chosen.any():
        units = "images" if groups is None else "groups"
        count = len(y) if groups is None else len(np.unique(groups))
        raise DataError(
            f"data.validation={validation}: {count} {units} cannot be divided this way; raise n, "
            "or set another share."
        )
    return chosen
