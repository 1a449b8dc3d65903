"""What a policy learns from a teacher beside what it learns by trying: what to do, and what only the teacher knows.

The learner acts and the teacher says what it would have done there (Ross et al. 2011), in the same update as PPO's.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.learning.reinforcement.ppo_policy import Judgement, Observations

GUESSES = 7  # metres ahead and left to the goal, the way, cosine and sine of the turn, seen, near
_SCALE = 0.3  # metres to about one
_FARTHEST_M = 6.0
_NEAR_M = 1.0


class Lessons:
    """The teacher's part of the loss.

    Worlds tell `advice` int64 [N], `known` float32 [N, 7] as `Teacher` has them, and `led` float32 [N], 1 where the
    teacher itself acts: there nothing is learned by trying.

    Args:
        device: where the policy learns.
        guess_weight: of guessing what the teacher knows.

    Attributes:
        weight: of doing what the teacher would do; a tensor, since captured updates read it anew.
    """

    def __init__(self, device: torch.device, guess_weight: float = 0.2) -> None:
        self.weight = torch.ones((), device=device)
        self._guess_weight = guess_weight

    def loss(self, judged: Judgement, observations: Observations) -> Tensor:
        """Returns what is to be made small, a mean over steps."""
        advice, known = observations["advice"], observations["known"]
        imitation = F.cross_entropy(judged.logits.flatten(0, -2), advice.flatten())
        assert judged.guesses is not None
        return self.weight * imitation + self._guess_weight * guessing_loss(judged.guesses, known)


def guessing_loss(guesses: Tensor, known: Tensor) -> Tensor:
    """How wrong guesses are: of places and turns only where the goal has been seen, which nobody can know before."""
    seen, near = known[..., 3], (known[..., 2] < _NEAR_M).float()
    metres = _SCALE * known[..., :3].clamp(-_FARTHEST_M, _FARTHEST_M)
    told = torch.cat([metres, known[..., 4:6]], dim=-1)
    places = F.smooth_l1_loss(guesses[..., :5], told, reduction="none").mean(-1)
    flags = F.binary_cross_entropy_with_logits(guesses[..., 5:], torch.stack([seen, near], -1), reduction="none").mean(
        -1
    )
    return (places * seen).mean() + flags.mean()
