"""How detectors want their pictures."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from PIL import Image
from scipy import ndimage
from torch import Tensor

from pentathlon.models.encoders.preprocess import Rgb
from pentathlon.models.localizers.contract import Picture

_GREY = 0.5


def normalised(shares: Tensor, mean: Rgb, std: Rgb) -> Tensor:
    """Takes the mean from ``shares[1, 3, H, W]`` and divides by the deviation."""
    return (shares - torch.tensor(mean).view(1, 3, 1, 1)) / torch.tensor(std).view(1, 3, 1, 1)


def resized_shares(rgb: Picture, size: tuple[int, int], filter: Image.Resampling) -> Tensor:
    """Resizes a picture to rows and columns and returns it as shares of full brightness, ``[1, 3, H, W]``."""
    # By PIL, as when the detectors were released: it rounds and clips between its two passes.
    resized = Image.fromarray(rgb).resize(size[::-1], filter)
    return torch.from_numpy(np.asarray(resized, np.float32) / 255.0).permute(2, 0, 1)[None]


def padded_shares(rgb: Picture, size: int) -> Tensor:
    """Pads a picture with grey on the right and below to a square and resizes it as OWLv2's authors do."""
    longest = max(rgb.shape[:2])
    square = np.full((longest, longest, 3), _GREY, np.float32)
    square[: rgb.shape[0], : rgb.shape[1]] = rgb / np.float32(255.0)
    blurred = _blurred(square, longest / size)
    factor = size / longest
    zoomed = ndimage.zoom(blurred, (factor, factor, 1.0), order=1, mode="mirror", grid_mode=True)
    return torch.from_numpy(zoomed).permute(2, 0, 1)[None]


def _blurred(square: npt.NDArray[np.float32], shrink: float) -> npt.NDArray[np.float32]:
    if shrink <= 1.0:
        return square
    sigma = (shrink - 1.0) / 2.0
    blurred: npt.NDArray[np.float32] = ndimage.gaussian_filter(square, (sigma, sigma, 0.0), mode="mirror")
    return blurred
