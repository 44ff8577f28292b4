"""Nearest neighbours.

Peers: scikit-learn's brute force on float32 (what scikit-dimension calls), faiss where it is
installed (`pip install faiss-cpu`), one full float32 matrix product of the same size (the bound),
and the published code: direct distances, then a sort and a Python loop over the rows that skips
zero distances.

The OpenBLAS in a faiss wheel may choose a slow kernel on a newer processor, so the kernel is set
here. Set `OPENBLAS_CORETYPE` to try another.
"""

import importlib.util
import os
from collections.abc import Iterable

import torch
from sklearn.neighbors import NearestNeighbors
from torch import Tensor

from benchmarks.harness import Row, compare
from metrics.functional.neighbours import neighbours

K = 20
PART = 4  # peers search for this part of the images, and their time is multiplied by PART
HAS_FAISS = importlib.util.find_spec("faiss") is not None
AVX512 = torch.backends.cpu.get_cpu_capability() == "AVX512"
os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX" if AVX512 else "Haswell")


def image_like(n: int, d: int) -> Tensor:
    """Rows with neighbours like those of images: 20 directions vary most, all vary a little."""
    generator = torch.Generator().manual_seed(0)
    directions = torch.randn(20, d, generator=generator)
    x = torch.empty(n, d)
    for rows in torch.arange(n).split(max(1, 2**22 // d)):  # peak memory is then x alone
        noise = torch.randn(len(rows), d, generator=generator)
        x[rows] = torch.randn(len(rows), 20, generator=generator) @ directions + noise
    return x


def sklearn(x: Tensor, queries: Tensor) -> object:
    """Brute force of scikit-learn."""
    search = NearestNeighbors(n_neighbors=K, algorithm="brute").fit(x.numpy())
    return search.kneighbors(queries.numpy())


def faiss(x: Tensor, queries: Tensor) -> object:
    """Flat index of faiss, with the own row among the neighbours."""
    import faiss  # type: ignore[import-not-found]

    faiss.omp_set_num_threads(torch.get_num_threads())
    return faiss.knn(queries.numpy(), x.numpy(), K + 1)


def full_product(x: Tensor, part: int = 1) -> None:
    """One Gram product, or a part of it, in blocks of rows so that it needs no N x N matrix."""
    for rows in x[: len(x) // part].split(2048):
        rows @ x.T


def published(x: Tensor, batch: int = 100) -> Tensor:
    """Direct distances of a batch of rows, sorted, and a loop over rows for the non-zero ones."""
    nearest = []
    for rows in x.split(batch):
        distances = torch.cdist(rows, x, compute_mode="donot_use_mm_for_euclid_dist")
        for row in distances.sort(dim=1).values:
            nearest.append(row[row > 0][:K])
    return torch.stack(nearest)


def run() -> Iterable[Row]:
    """The sizes of image sets at 224 and 32 pixels, of features, and of the published code."""
    for n, d, goal, repeats in [
        (1750, 150_528, 4, 3),
        (20_000, 3_072, 3.5, 2),
        (50_000, 512, 2.4, 2),
    ]:
        x, case = image_like(n, d), f"N={n:,} D={d:,}"
        peers = [lambda x=x: full_product(x, PART), lambda x=x: sklearn(x, x[: len(x) // PART])]
        if HAS_FAISS:
            peers.append(lambda x=x: faiss(x, x[: len(x) // PART]))
        ours, *theirs = compare(lambda x=x: neighbours(x, K), *peers, repeats=repeats)
        product, brute, *flat = (PART * seconds for seconds in theirs)
        note = f"at most {2 * brute / product:.1f}x: half a product"
        yield Row(case, ours, "scikit-learn brute", brute, goal, note)
        for seconds in flat:
            kernel = f"kernel {os.environ['OPENBLAS_CORETYPE']}"
            note = f"{kernel}; at most {2 * seconds / product:.1f}x: half a product"
            yield Row(case, ours, "faiss flat", seconds, 1.4, note)
        # at most 1.1 products in the first case = a ratio of at least 0.91
        yield Row(case, ours, "one full product", product, 0.91 if n == 1750 else None, "the bound")
    x = image_like(400, 50_176)
    ours, peer = compare(lambda: neighbours(x, K), lambda: published(x), repeats=1)
    yield Row("N=400 D=50,176", ours, "direct distances, row loop", peer, 25)
