"""Which directions of image space is an architecture sensitive to before training? Its G_F.

python examples/geometry_of_any_architecture.py
"""

from torch import nn

from metrics.functional import average_geometry, geometry_correlation

SHAPE = (1, 12, 12)


def mlp() -> nn.Module:
    """Has no preference among pixels."""
    return nn.Sequential(nn.Flatten(), nn.Linear(144, 64), nn.GELU(), nn.Linear(64, 1))


def convolutional() -> nn.Module:
    """Put your own builder here: it must return a newly initialised network."""
    return nn.Sequential(
        nn.Conv2d(1, 8, 5), nn.GELU(), nn.AvgPool2d(4), nn.Flatten(), nn.Linear(32, 1)
    )


def main() -> None:
    """Compare two architectures."""
    found = {build.__name__: average_geometry(build, SHAPE, models=200, seed=0)
             for build in (mlp, convolutional)}  # fmt: skip
    for name, g in found.items():
        share = float(g.eigenvalues[:5].sum() / g.eigenvalues.sum())
        print(f"{name}: participation ratio {g.participation_ratio:.0f} of 144, "
              f"the first five directions contain {share:.0%}; error {g.error:.2f}")  # fmt: skip
    print(f"correlation of the two: {geometry_correlation(*found.values()):.2f}")


if __name__ == "__main__":
    main()
