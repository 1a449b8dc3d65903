"""Changes training pictures as another camera or light would; colours stay, since sentences name them."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.learning.detectors.looking import DEPTH_STEP_M
from pentathlon.learning.detectors.loss import object_numbers
from pentathlon.models.image_text.dense import forget_depth, prepare

ZOOMED_SHARE = 0.4
LONGEST_ZOOM = 1.6
STRETCH = 0.12
GAIN, SHIFT, NOISE = 0.2, 0.2, 0.04


def decoded(pictures: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the network's input and the object of each pixel of ``pictures[B, H, W, 6]`` as they are."""
    return prepare(pictures[..., :3], pictures[..., 3].float() * DEPTH_STEP_M), object_numbers(pictures)


def augmented(pictures: Tensor, depth_share: float) -> tuple[Tensor, Tensor]:
    """Returns input and objects of changed pictures: mirrored, zoomed, brighter or darker, some without depth."""
    pixels, numbers = decoded(pictures)
    grid = F.affine_grid(_cameras(len(pixels), pixels.device), list(pixels.shape), align_corners=False)
    colours = F.grid_sample(pixels[:, :3], grid, padding_mode="border", align_corners=False)
    # Neither depth nor objects may be mixed across an edge.
    rest = torch.cat([pixels[:, 3:], numbers[:, None].float()], dim=1)
    rest = F.grid_sample(rest, grid, mode="nearest", padding_mode="border", align_corners=False)
    seen = torch.cat([_lit(colours), rest[:, :1]], dim=1)
    forgotten = torch.rand(len(seen), device=seen.device) >= depth_share
    return forget_depth(seen, forgotten), rest[:, 1].round().long()


def _lit(colours: Tensor) -> Tensor:
    def draw(width: float) -> Tensor:
        return width * (torch.rand(len(colours), 1, 1, 1, device=colours.device) - 0.5)

    return colours * (1 + draw(GAIN)) + draw(SHIFT) + NOISE * torch.randn_like(colours)


def _cameras(count: int, device: torch.device) -> Tensor:
    """Affine maps ``[count, 2, 3]`` from a new picture's coordinates to the old one's, which stay inside it."""

    def draw() -> Tensor:
        return torch.rand(count, device=device)

    zoomed = draw() < ZOOMED_SHARE
    zoom = torch.where(zoomed, 1 + (LONGEST_ZOOM - 1) * draw(), 1.0)
    stretch = torch.where(zoomed, 1 + STRETCH * (2 * draw() - 1), 1.0)
    across, along = (1 / (zoom * stretch)).clamp(max=1.0), (stretch / zoom).clamp(max=1.0)
    mirror = torch.where(draw() < 0.5, -1.0, 1.0)
    maps = torch.zeros(count, 2, 3, device=device)
    maps[:, 0, 0], maps[:, 1, 1] = across * mirror, along
    maps[:, 0, 2] = (1 - across) * (2 * draw() - 1)
    maps[:, 1, 2] = (1 - along) * (2 * draw() - 1)
    return maps
