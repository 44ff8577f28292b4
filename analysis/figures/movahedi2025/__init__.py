"""Figures of Movahedi et al. 2025 without separate code."""

from functools import partial

from analysis.exhibits import Exhibit
from analysis.geometry_curves import correlation_panels

listed = partial(Exhibit, paper="movahedi2025", kind="figures")
EXHIBITS = (
    listed(
        name="geometry_correlation",
        title="Correlation of the average geometry with the data, through training",
        source="Movahedi et al. 2025, Fig. 2",
        requires=("geometry/corr_s", "geometry/corr_gsg"),
        experiment="movahedi2025/evolution",
        maker=partial(correlation_panels, experiment="evolution"),
        reading=(
            "Reading it: the geometry G^t starts at G_F and turns to what the data is, seen "
            "through the architecture: Corr with G_F S G_F (blue) should rise early and lie above "
            "Corr with S alone (orange); for an MLP, whose G_F is a multiple of I, the two "
            "coincide. Dotted: the paper's chance level, 1/sqrt(D). Bands are 95 % intervals "
            "over seeds."
        ),
    ),
    listed(
        name="geometry_correlation_random",
        title="Correlation of the average geometry with the data, under random labels",
        source="Movahedi et al. 2025, Fig. 8",
        requires=("geometry/corr_s", "geometry/corr_gsg"),
        experiment="movahedi2025/random_labels",
        maker=partial(correlation_panels, experiment="random_labels"),
        reading=(
            "Reading it: as for true labels. That it rises here too shows that the first motion of "
            "the geometry is set by images and architecture, not by what there is to learn."
        ),
    ),
)
