"""A training small enough for two processes in a test: corridors whose prizes and draws hang on their numbers alone."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from pentathlon.learning.reinforcement import ppo
from pentathlon.learning.reinforcement.peers import Peers
from pentathlon.learning.reinforcement.ppo import Learner, LearnerSettings
from pentathlon.learning.reinforcement.ppo_policy import FlatEncoder, RecurrentPolicy

WORLDS = 32  # of all processes
STEPS = 16
LENGTH = 3


@dataclass(frozen=True)
class ToySettings:
    """What the toy training is told."""

    out: Path
    rounds: int = 3
    device: str = "cpu"
    killed: int = -1
    """Rank of the process that ends itself."""
    drawn: bool = False
    """Whether sides and actions are drawn, and not told by the worlds' numbers."""


class Corridors:
    """A signal at the start tells at which end of a corridor the prize lies; later it is not seen."""

    def __init__(self, numbers: range, drawn: bool) -> None:
        self.num_envs, self._numbers, self._drawn = len(numbers), torch.tensor(numbers), drawn

    def reset(self, *, seed: int | None = None) -> tuple[dict[str, Tensor], dict[str, Any]]:
        self._random = torch.Generator().manual_seed(seed or 0)
        self._place, self._side, self._steps, self._episode = (torch.zeros(self.num_envs).long() for _ in range(4))
        self._begin(torch.ones(self.num_envs, dtype=torch.bool))
        return self._seen(), {}

    def step(self, actions: Tensor) -> tuple[dict[str, Tensor], Tensor, Tensor, Tensor, dict[str, Any]]:
        self._place += 2 * actions - 1
        self._steps += 1
        ended, cut = self._place.abs() == LENGTH, self._steps >= 20
        success = ended & (self._place.sign() == self._side)
        self._begin(ended | cut)
        return self._seen(), success.float() - 0.01, ended, cut & ~ended, {"success": success}

    def _begin(self, which: Tensor) -> None:
        told = (7 * self._numbers + 3 * self._episode) % 5 % 2
        sides = torch.randint(2, (self.num_envs,), generator=self._random) if self._drawn else told
        self._side = torch.where(which, 2 * sides - 1, self._side)
        self._place, self._steps = torch.where(which, 0, self._place), torch.where(which, 0, self._steps)
        self._episode += which.long()

    def _seen(self) -> dict[str, Tensor]:
        signal = torch.where(self._steps == 0, self._side, 0)
        return {"signal": torch.stack([signal, self._place], dim=1).float()}


def make_learner(settings: ToySettings, peers: Peers) -> Learner:
    """Returns the learner of one process."""
    torch.set_num_threads(1)
    torch.manual_seed(peers.rank)  # weights that are not alike yet
    each = WORLDS // peers.count
    numbers = range(each * peers.rank, each * (peers.rank + 1))
    policy = RecurrentPolicy(FlatEncoder({"signal": 2}, 16), 2, memory=32)
    learning = LearnerSettings(steps=STEPS, epochs=4, batches=4 if settings.drawn else 1, learning_rate=3e-3)
    if not settings.drawn:
        noise = torch.rand(1000, WORLDS, 2, generator=torch.Generator().manual_seed(5))[:, numbers]
        turn = iter(range(1000))
        ppo.choose = lambda logits: (logits - torch.log(-torch.log(noise[next(turn)]))).argmax(dim=-1)
    return Learner(Corridors(numbers, settings.drawn), policy, learning, peers=peers)


def train(settings: ToySettings, peers: Peers) -> None:
    """Learns, or goes on; each process writes its weights, and the first what was reported."""
    learner, state = make_learner(settings, peers), settings.out / "state.pt"
    if state.exists():
        learner.load(state)
    peers.agree(learner.rounds, "the training that was saved", learner.device)
    reports = []
    while learner.rounds < settings.rounds:
        reports.append(learner.round())
        learner.save(state)
        if settings.killed == peers.rank:
            os.kill(os.getpid(), 9)
    torch.save(learner.policy.state_dict(), settings.out / f"weights-{peers.rank}.pt")
    if peers.leads:
        found = {"reports": [report._asdict() for report in reports], "rounds": learner.rounds}
        (settings.out / "reports.json").write_text(json.dumps(found))


if __name__ == "__main__":
    _, _rank, _count, _address, _out, _rounds, _drawn = sys.argv
    train(
        ToySettings(Path(_out), rounds=int(_rounds), drawn=_drawn == "drawn"),
        Peers.join(int(_rank), int(_count), _address, "cpu"),
    )
