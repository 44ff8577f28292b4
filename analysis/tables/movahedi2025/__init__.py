"""Tables of Movahedi et al. 2025 without separate code."""

from functools import partial

from analysis.exhibits import Exhibit
from analysis.pruning import pruning_table

listed = partial(Exhibit, paper="movahedi2025", kind="tables")
EXHIBITS = (
    listed(
        name="pruning",
        title="Test accuracy after pruning by score or at random, all shares",
        source="Movahedi et al. 2025, Table 2",
        requires=("test/accuracy",),
        experiment="movahedi2025/pruning",
        maker=pruning_table,
        reading=(
            "Reading it: per cent of CIFAR-10's test images; `gain` is score less random. Score "
            "pruning removes the images of smallest x^T G_F x / |x|^2. The published numbers are "
            "means of 5 runs, but the published code scores a shuffled loader, which prunes at "
            "random under another name."
        ),
    ),
    listed(
        name="pruning_main",
        title="Test accuracy after pruning by score or at random, the paper's four shares",
        source="Movahedi et al. 2025, Table 1; all shares: Table 2",
        requires=("test/accuracy",),
        experiment="movahedi2025/pruning",
        maker=partial(pruning_table, fractions=(0.3, 0.5, 0.7, 0.9)),
        reading="Reading it: as the table of all shares, for 30, 50, 70 and 90 per cent removed.",
    ),
)
