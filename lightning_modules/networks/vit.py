"""Vision transformer for small images."""

from typing import Literal

import torch
from torch import Tensor, nn

from lightning_modules.networks.activation import make_activation
from lightning_modules.networks.attention import SelfAttention
from lightning_modules.networks.network import Network


def make_layer_norm(name: str, dim: int) -> nn.Module:
    """Build layer normalisation over `dim`, or the identity when `name` is `none`."""
    return nn.LayerNorm(dim, eps=1e-6) if name == "layer" else nn.Identity()


class TransformerBlock(nn.Module):
    """Pre-norm block: x + attention(norm(x)), then x + mlp(norm(x))."""

    def __init__(self, dim: int, heads: int, mlp: int, norm: str, activation: str) -> None:
        super().__init__()
        self.attention = nn.Sequential(make_layer_norm(norm, dim), SelfAttention(dim, heads))
        self.mlp = nn.Sequential(
            make_layer_norm(norm, dim),
            nn.Linear(dim, mlp),
            make_activation(activation),
            nn.Linear(mlp, dim),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return the tokens after the block, of the shape of `x`: (B, tokens, dim)."""
        x = x + self.attention(x)
        return x + self.mlp(x)


class ViT(Network):
    """Vision transformer (Dosovitskiy et al. 2021) with the settings of Movahedi et al. 2025.

    The image is cut into patches, each mapped linearly to a token; a class token, drawn as zero,
    is put before them and position embeddings, from N(0, 0.02^2), are added. The class token after
    the last block is the representation. All other weights have torch's own distributions.

    Lee et al. 2021, who proposed these sizes for small data, use patch 4 at 32 px and mlp 384.

    Args:
        patch: height and width of a patch; must divide `size`.
        dim: width of the tokens, a multiple of `heads`.
        depth: number of blocks.
        heads: number of attention heads.
        mlp: hidden width of each block's perceptron.
        norm: `layer`, or `none` in the blocks and at the end.
        activation: of the blocks' perceptrons.

    >>> sum(p.numel() for p in ViT(in_channels=3, size=32, outputs=10).parameters())
    4046602
    """

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        patch: int = 8,
        dim: int = 192,
        depth: int = 9,
        heads: int = 12,
        mlp: int = 768,
        norm: Literal["layer", "none"] = "layer",
        activation: Literal["relu", "gelu"] = "gelu",
    ) -> None:
        super().__init__()
        if size % patch:
            tiling = [side for side in range(1, size + 1) if size % side == 0]
            nearest = min(tiling, key=lambda side: abs(side - patch))
            raise ValueError(
                f"size={size} is not a multiple of patch={patch}; use patch={nearest} or another "
                f"of {tiling}, or images of {max(1, round(size / patch)) * patch} px (data.size)"
            )
        self.symmetries, self.patch = ("tokens",), patch
        tokens = 1 + (size // patch) ** 2
        self.patches = nn.Conv2d(in_channels, dim, patch, stride=patch)
        self.class_token = nn.Parameter(torch.empty(1, 1, dim))
        self.positions = nn.Parameter(torch.empty(1, tokens, dim))
        self.blocks = nn.Sequential(
            *(TransformerBlock(dim, heads, mlp, norm, activation) for _ in range(depth))
        )
        self.norm = make_layer_norm(norm, dim)
        self.head = nn.Linear(dim, outputs)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw all parameters in place, from their initial distributions."""
        super().reset_parameters()
        nn.init.zeros_(self.class_token)
        nn.init.normal_(self.positions, std=0.02)

    def features(self, x: Tensor) -> Tensor:
        """Return the class token after the last block, of shape (B, dim)."""
        patches = self.patches(x).flatten(2).transpose(1, 2)  # (B, patches, dim)
        tokens = torch.cat([self.class_token.expand(len(x), -1, -1), patches], dim=1)
        # Normalisation acts on each token alone; the last one is needed for the class token only.
        return self.norm(self.blocks(tokens + self.positions)[:, 0])
