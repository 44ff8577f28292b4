"""How sensitive are the logits of any torch model to its input? Its Jacobian spectra.

python examples/jacobian_of_any_model.py
"""

import torch
from torch import nn

from metrics.functional import fit_lognormal, jacobian_spectrum, split_spectrum


def main() -> None:
    """Replace model and images by your own; images in the units that the model expects."""
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(),
        nn.Linear(256, 10),
    )  # fmt: skip
    images = torch.rand(64, 3, 32, 32)

    # "centred" leaves out the one direction of the logits that softmax ignores
    sigma = jacobian_spectrum(model, images, gauge="centred")
    logs = sigma[sigma > 0].log()
    modes = split_spectrum(logs)
    fit = fit_lognormal(logs.exp(), bootstrap=0)

    print(f"{tuple(sigma.shape)} singular values: images x directions")
    print(f"mean log: {logs.mean():.2f}; most sensitive direction: {logs.max().exp():.3g}")
    trough = "none" if modes.trough is None else f"{modes.trough:.2f}"
    print(f"trough between two modes: {trough}")
    print(f"lognormal: mu {fit.mu:.2f}, s {fit.s:.2f}, R^2 {fit.r_squared:.3f}")


if __name__ == "__main__":
    main()
