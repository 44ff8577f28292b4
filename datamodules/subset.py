"""Training and test images: seeded, balanced, nested in n, groups kept apart."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from datamodules.class_counts import is_uneven, kept_by_balance, rarest_class, unbalanced_way
from datamodules.divide import divide
from datamodules.errors import DataError
from datamodules.tasks.task import Labels
from records.seeds import seed_for

FILE_TEST_N = 750  # test images of the published code of Konz & Mazurowski

SplitBy = Literal["group", "image", "official"]


@dataclass(frozen=True)
class Subset:
    """Positions in `Labels`; a training set of size n is the first n of `train`."""

    train: np.ndarray  # the whole training pool, in order
    test: np.ndarray  # (test_n,)


def draw_subset(
    labels: Labels,
    groups: np.ndarray | None,
    test_n: int | None,
    seed: int,
    split: SplitBy = "group",
    official_test: np.ndarray | None = None,
) -> Subset:
    """Split the images and put the training pool in its order.

    The order depends on (labels, seed) only: not on n, so that subsets are nested, and not on the
    model, so that every model of a grid cell uses the same images.

    `groups` are the patient, lesion or knee of each image; `test_n=None` takes `quarter` for the
    test, or the whole official test set, as published results do; for `split` see `Choice`, and
    `official_test` marks the images of the publishers' test set.
    """
    random = np.random.default_rng(seed_for(seed, "subset"))
    shuffled = random.permutation(len(labels.y))
    is_chosen, test_n = test_n is not None, quarter(labels) if test_n is None else test_n
    if split == "official":
        if official_test is None:
            raise DataError(
                "data.split=official: this data set has no official test set; use data.split=group "
                "or image. Your own has one with a folder `test` beside `train`, a column `split` "
                "or an array `is_test`."
            )
        is_test = official_test[shuffled]
        test, train_pool = shuffled[is_test], shuffled[~is_test]
        test = _interleave(labels, test)[:test_n] if is_chosen else _whole(labels, test)
        test_n = test_n if is_chosen else max(1, len(test))
    elif split == "group" and groups is not None:
        test, train_pool = _apart(labels, groups, shuffled, test_n)
    else:
        order = _interleave(labels, shuffled)
        test, train_pool = order[:test_n], order[test_n:]
    if len(test) < test_n:
        # of an official split the training images are others; else all for the test leave none
        most = len(test) if split == "official" else min(len(test), quarter(labels))
        fewer = f"set data.test_n={most} or less, or " if len(test) else ""
        kind = "balanced test" if labels.balanced else "test"
        raise DataError(
            f"data.test_n={test_n}: only {len(test)} {kind} images are available from "
            f"{len(labels.y)}{rarest_class(labels)}; {fewer}add images{unbalanced_way(labels)}."
        )
    return Subset(_interleave(labels, train_pool), test)


def quarter(labels: Labels) -> int:
    """Test images of `test_n=None`: a quarter, at most 750, the same number of each class.

    Of a balanced task it is a quarter of all images or, where balance leaves out more than a
    quarter of them, of those that it keeps: 900 and 100 images are 200, of which 50 are tested on.
    """
    kept = kept_by_balance(labels) if is_uneven(labels) else len(labels.y)
    return _in_classes(labels, min(750, kept // 4))


def rules_of_quarter(labels: Labels) -> tuple[str, ...]:
    """The rule by which `quarter` differs from that of earlier versions, for `Selection.rules`."""
    before = _in_classes(labels, min(750, len(labels.y) // 4))
    return () if quarter(labels) == before else ("test_n: a quarter of what balance keeps",)


def rules_of_official(labels: Labels, official_test: np.ndarray) -> tuple[str, ...]:
    """The rule by which the whole official test set differs from that of earlier versions."""
    own = replace(labels, y=labels.y[official_test])
    before = min(quarter(labels), kept_by_balance(own) if labels.balanced else len(own.y))
    return () if before == len(own.y) else ("test_n: the whole official test set",)


def _in_classes(labels: Labels, number: int) -> int:
    """The largest multiple of the classes up to a number, at least one of each."""
    step = len(labels.classes) if labels.balanced else 1
    return max(step, number // step * step)


def draw_fold(
    labels: Labels, groups: np.ndarray | None, folds: int, fold: int, seed: int
) -> Subset:
    """Cross-validation: the images in `folds` parts, one of them the test set.

    A balanced task first leaves out images of its frequent classes, by seed. Every other image is
    in the test set of one fold, and classes are in proportion as far as groups allow. Order and
    parts depend on the seed only, so they are the same for all folds.
    """
    shuffled = np.random.default_rng(seed_for(seed, "subset")).permutation(len(labels.y))
    order = _interleave(labels, shuffled)
    part = divide(
        labels.y[order],
        None if groups is None else groups[order],
        [1 / folds] * folds,
        seed_for(seed, "folds"),
    )
    if fewer := [number for number in range(folds) if not (part == number).any()]:
        units = "images" if groups is None else "groups"
        raise DataError(
            f"folds={folds}: there are not enough {units} for that many; use folds<="
            f"{folds - len(fewer)}."
        )
    return Subset(_interleave(labels, order[part != fold]), order[part == fold])


def first_in_files(labels: Labels, n: int, test_n: int | None, seed: int) -> Subset:
    """The published code of Konz & Mazurowski: the first images in file order, split at random.

    The pool is the first (n + test_n) / classes of each class as listed; groups are ignored, train
    and test are balanced together only, and neither is nested in n. `test_n=None` is the number of
    that code.
    """
    test_n = FILE_TEST_N if test_n is None else test_n
    total, count = n + test_n, len(labels.classes)
    share = -(-total // count)
    firsts = [np.flatnonzero(labels.y == c)[:share] for c in range(count)]
    pool = np.concatenate(firsts)[:total]
    fewest = min(len(members) for members in firsts)
    if fewest < total // count:
        raise DataError(
            f"data.order=file: n={n} and data.test_n={test_n} need {total // count} images of each "
            f"class; the rarest has {fewest}. Use a smaller n or data.test_n."
        )
    shuffled = np.random.default_rng(seed_for(seed, "subset")).permutation(pool)
    return Subset(train=shuffled[:n], test=shuffled[n:])


def slipped(labels: Labels, total: int) -> Labels:
    """The published code's balancing of natural sets: it drops labels but not their images.

    Of the labels, in file order, the first `total` / classes of each class are kept, and the k-th
    kept label is assigned to the k-th image. Measured on random orders with the true class counts,
    9.5 % of SVHN's labels are then wrong, 2.4 % of MNIST's and about 1 % of CIFAR-10's. `labels`
    are in file order, and `total` is the number of training and test images.
    """
    share = total // len(labels.classes)
    kept = np.sort(
        np.concatenate([np.flatnonzero(labels.y == c)[:share] for c in range(len(labels.classes))])
    )
    return replace(labels, index=labels.index[: len(kept)], y=labels.y[kept])


def _interleave(labels: Labels, pool: np.ndarray) -> np.ndarray:
    """The pool with its classes in turn (0, 1, 0, 1, ...) as far as the rarest class reaches."""
    if not labels.balanced:
        return pool
    by_class = [pool[labels.y[pool] == c] for c in range(len(labels.classes))]
    fewest = min(len(members) for members in by_class)
    return np.stack([members[:fewest] for members in by_class], axis=1).reshape(-1)


def _whole(labels: Labels, pool: np.ndarray) -> np.ndarray:
    """The whole pool: first as `_interleave` orders it, then the images that balance leaves out."""
    balanced = _interleave(labels, pool)
    return np.append(balanced, pool[~np.isin(pool, balanced)])


def _apart(
    labels: Labels, groups: np.ndarray, shuffled: np.ndarray, test_n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Fill the test set group by group; the other groups are the training pool."""
    count = len(labels.classes) if labels.balanced else 1
    kind = labels.y if labels.balanced else np.zeros_like(labels.y)
    share, rest = divmod(test_n, count)
    wanted = np.full(count, share)
    wanted[:rest] += 1  # as the classes come in turn
    _, number = np.unique(groups, return_inverse=True)
    members: dict[int, list[int]] = {}
    for position in shuffled:  # dicts keep order: groups in the order of their first image
        members.setdefault(int(number[position]), []).append(int(position))
    test: list[list[int]] = [[] for _ in range(count)]
    tested: set[int] = set()
    for group, positions in members.items():
        for p in positions:
            if len(test[kind[p]]) < wanted[kind[p]]:
                tested.add(group)
                test[kind[p]].append(p)
    fewest = min(len(members) for members in test)
    balanced = np.array([row[:fewest] for row in test], dtype=np.int64).T.reshape(-1)
    if fewest == share:
        more = [p for row in test[:rest] for p in row[share:]]
        balanced = np.append(balanced, np.array(more, dtype=np.int64))
    left = np.array([p for p in shuffled if int(number[p]) not in tested], dtype=np.int64)
    return balanced, left
