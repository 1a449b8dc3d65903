"""How well steps fit frames in this order: the mean likelihood of all ways to give each step a stretch of frames."""

from __future__ import annotations

import torch
from torch import Tensor

IMPOSSIBLE = -1e4


def ordered_fit(fits: Tensor, lengths: Tensor) -> Tensor:
    """Returns the log-likelihood ``[...]`` of lists of steps, each step taking at least one frame, none left out.

    The first frame belongs to the first step, the last to the last; all ways in between are equally likely beforehand,
    so that more steps, which can be laid in more ways, gain nothing by it.

    Args:
        fits: ``[..., T, L]``, the log-likelihood of each step of a list in each frame.
        lengths: ``[...]``, how many of the ``L`` steps a list has; at most ``T``.
    """
    reached = torch.full_like(fits[..., 0, :], IMPOSSIBLE)
    reached[..., 0] = fits[..., 0, 0]
    never = torch.full_like(reached[..., :1], IMPOSSIBLE)
    for time in range(1, fits.shape[-2]):
        before = torch.cat([never, reached[..., :-1]], dim=-1)
        reached = torch.logaddexp(reached, before) + fits[..., time, :]
    return reached.gather(-1, (lengths - 1)[..., None])[..., 0] - _log_ways(fits.shape[-2], lengths)


def _log_ways(frames: int, steps: Tensor) -> Tensor:
    """The logarithm of the ways to cut ``frames`` into stretches, one for each step."""
    total, cuts = torch.tensor(float(frames)), steps.float()
    return torch.lgamma(total) - torch.lgamma(cuts) - torch.lgamma(total - cuts + 1)


def best_stretches(fits: Tensor) -> list[int]:
    """Returns of each frame the step of the best single way through ``fits[T, L]``."""
    frames, steps = fits.shape
    best = torch.full((frames, steps), IMPOSSIBLE)
    came = torch.zeros((frames, steps), dtype=torch.long)
    best[0, 0] = fits[0, 0]
    for time in range(1, frames):
        before = torch.cat([torch.tensor([IMPOSSIBLE]), best[time - 1, :-1]])
        came[time] = before > best[time - 1]
        best[time] = torch.maximum(before, best[time - 1]) + fits[time]
    path = [steps - 1]
    for time in range(frames - 1, 0, -1):
        path.append(path[-1] - int(came[time, path[-1]]))
    return path[::-1]
