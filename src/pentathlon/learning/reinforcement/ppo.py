"""Proximal policy optimisation (Schulman et al. 2017) with memory, for worlds that step many agents at once as tensors.

On a GPU the networks run in bfloat16 and an update is captured once
and replayed, since a GRU's many small kernels otherwise wait on the host.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn

from pentathlon.core.errors import UsageError
from pentathlon.learning.reinforcement.peers import ALONE, Peers
from pentathlon.learning.reinforcement.ppo_loss import ppo_loss
from pentathlon.learning.reinforcement.ppo_played import Played
from pentathlon.learning.reinforcement.ppo_policy import RecurrentPolicy
from pentathlon.learning.reinforcement.ppo_worlds import TaughtWorlds, Worlds
from pentathlon.learning.reinforcement.settings import PpoSettings
from pentathlon.learning.reinforcement.teaching import Lessons
from pentathlon.storage.files import replacing


@dataclass(frozen=True, kw_only=True)
class LearnerSettings(PpoSettings):
    """How the learner plays and learns by turns.

    Attributes:
        steps: of each world between updates.
        batches: parts of the worlds that an epoch is split into; each is one step of the optimiser.
        graphs: whether updates on a GPU are captured and replayed.
    """

    steps: int = 32
    batches: int = 8
    graphs: bool = True
    epochs: int = 2
    learning_rate: float = 2.5e-4


class Report(NamedTuple):
    """What one round of playing and learning gave; `ended` counts episodes, and the rest are means."""

    frames: int
    ended: int
    success: float
    reward: float
    entropy: float


class Learner:
    """Plays and learns by turns.

    Args:
        worlds: where to play.
        policy: who plays; it is moved to the worlds' device.
        settings: how to learn.
        seed: of worlds and choices.
        lessons: what a teacher adds, in worlds that have one.
        peers: the processes that learn as one; each has as many worlds of its own, with a seed of its own.

    Attributes:
        played_s, learned_s: seconds of all rounds.
    """

    def __init__(
        self,
        worlds: Worlds,
        policy: RecurrentPolicy,
        settings: LearnerSettings,
        seed: int = 0,
        lessons: Lessons | None = None,
        peers: Peers = ALONE,
    ) -> None:
        if worlds.num_envs % settings.batches:
            raise UsageError(f"Expected worlds in {settings.batches} equal batches, got {worlds.num_envs}.")
        self._worlds, self.settings, self.frames, self.rounds = worlds, settings, 0, 0
        self._lessons, self._peers, self.played_s, self.learned_s = lessons, peers, 0.0, 0.0
        observations, _ = worlds.reset(seed=peers.own_seed(seed))
        self.device = next(iter(observations.values())).device
        torch.manual_seed(peers.own_seed(seed))
        self.policy = policy.to(self.device)
        peers.begin_alike(self.policy)
        on_gpu = self.device.type == "cuda"
        self._precision = torch.bfloat16 if on_gpu else torch.float32
        self._trained = [weights for weights in policy.parameters() if weights.requires_grad]
        fast: dict[str, Any] = {"fused": True, "capturable": True} if on_gpu else {}
        rate = torch.tensor(settings.learning_rate, device=self.device) if on_gpu else settings.learning_rate
        self.optimizer = torch.optim.Adam(self._trained, lr=rate, eps=1e-5, **fast)
        self._played = Played(observations, settings.steps, policy, self.device, peers)
        self._memory = policy.first_memory(worlds.num_envs, self.device)
        self._replay: Callable[[], None] | None = None
        self._entropy = torch.zeros((), device=self.device)

    def round(self) -> Report:
        """Plays `steps` steps in all worlds, then learns from them."""
        started = time.perf_counter()
        ended, success = self._play()
        reward = self._played.rewards.mean() / self._peers.count
        count, success, reward = self._peers.total(torch.stack([ended, success, reward])).tolist()
        between = time.perf_counter()
        self._learn()
        self.rounds += 1
        self.frames += self.settings.steps * self._worlds.num_envs * self._peers.count
        self.played_s, self.learned_s = (
            self.played_s + between - started,
            self.learned_s + time.perf_counter() - between,
        )
        return Report(self.frames, int(count), success / max(count, 1.0), reward, float(self._entropy))

    def learn_at(self, rate: float) -> None:
        """Sets the learning rate; a captured update reads it anew."""
        for group in self.optimizer.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    @property
    def memory(self) -> Tensor:
        """What the policy remembers in each world now."""
        return self._memory

    def settle(self, seed: int) -> None:
        """Begins new episodes in worlds that have changed, with nothing remembered."""
        observations, _ = self._worlds.reset(seed=self._peers.own_seed(seed))
        self._played.begin(observations, self.policy.actions)
        self._memory = torch.zeros_like(self._memory)
        self._replay = None  # what was captured reads goals that may lie elsewhere now

    def save(self, path: Path, notes: dict[str, Any] | None = None) -> None:
        """Writes everything that `load` needs to go on, and plain notes beside; a crash leaves the file of before.

        One process writes for all of them.
        """
        if not self._peers.leads:
            return
        state = {
            "policy": self.policy.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "frames": self.frames,
            "rounds": self.rounds,
            "notes": notes or {},
        }
        with replacing(path) as beside:
            torch.save(state, beside)

    def load(self, path: Path) -> dict[str, Any]:
        """Goes on from a saved state, which all processes read, and returns its notes; worlds begin new episodes."""
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.policy.load_state_dict(state["policy"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.frames, self.rounds = int(state["frames"]), int(state["rounds"])
        return dict(state["notes"])

    @torch.no_grad()
    def _play(self) -> tuple[Tensor, Tensor]:
        played, steps = self._played, self.settings.steps
        played.first_memory.copy_(self._memory)
        ended, success = torch.zeros((), device=self.device), torch.zeros((), device=self.device)
        with self._mixed_precision():
            prepared = self.policy.encoder.prepare()
            for step in range(steps):
                judged, memory = self.policy.step(played.seen(step), played.last[step], self._memory, prepared)
                actions = choose(judged.logits)
                if self._lessons is not None:
                    actions = cast("TaughtWorlds", self._worlds).led(actions)
                played.note(step, actions, judged.logits, judged.values)
                observations, reward, stopped, over, info = self._worlds.step(actions)
                done = stopped | over
                played.follow(step, observations, reward, done, actions, self.policy.actions)
                self._memory = memory.float() * (~done)[:, None]
                ended += done.sum()
                success += (info["success"] & done).sum() if "success" in info else stopped.sum()
            judged, _ = self.policy.step(played.seen(steps), played.last[steps], self._memory, prepared)
        played.values[steps] = judged.values
        played.weigh(self.settings)
        return ended, success

    def _learn(self) -> None:
        count = self._worlds.num_envs
        for _ in range(self.settings.epochs):
            order = torch.randperm(count, device=self.device).view(self.settings.batches, -1)
            for rows in order:
                self._played.gather(rows)
                self._update()
        self._played.turn_over()

    def _update(self) -> None:
        if self.device.type != "cuda" or not self.settings.graphs:
            self._improve()
            return
        if self._replay is None:
            self._replay = self._captured()
        self._replay()

    def _captured(self) -> Callable[[], None]:
        """Captures an update; what is said to other processes lies between its two halves, and is not captured."""
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._improve()
        torch.cuda.current_stream().wait_stream(side)
        if self._peers.count == 1:
            return _graph_of(self._improve)
        differentiate, follow = _graph_of(self._differentiate), _graph_of(self._follow)

        def improve() -> None:
            differentiate()
            self._average()
            follow()

        return improve

    def _improve(self) -> None:
        """One step of the optimiser on the gathered batch."""
        self._differentiate()
        self._average()
        self._follow()

    def _differentiate(self) -> None:
        batch, settings = self._played.batch, self.settings
        with self._mixed_precision():
            judged = self.policy.unroll(batch.observations, batch.last, batch.memory, batch.alive)
        advantages, returns = batch.advantages, batch.returns
        if self._lessons is not None:
            own = 1.0 - batch.observations["led"]
            advantages, returns = own * advantages, torch.where(own > 0, returns, judged.values.detach())
        loss, entropy = ppo_loss(
            judged.logits, judged.values, batch.actions, batch.log_shares, advantages, returns, settings
        )
        if self._lessons is not None:
            loss = loss + self._lessons.loss(judged, batch.observations)
        for weights, gradient in zip(self._trained, torch.autograd.grad(loss, self._trained), strict=True):
            weights.grad = laid_out_as(weights, gradient)
        self._entropy.copy_(entropy.detach())

    def _average(self) -> None:
        self._peers.average([weights.grad for weights in self._trained if weights.grad is not None])

    def _follow(self) -> None:
        nn.utils.clip_grad_norm_(self._trained, self.settings.largest_gradient, foreach=True)
        self.optimizer.step()

    def _mixed_precision(self) -> torch.autocast:
        wanted = self._precision is torch.bfloat16
        return torch.autocast(self.device.type, torch.bfloat16, enabled=wanted, cache_enabled=False)


def _graph_of(work: Callable[[], None]) -> Callable[[], None]:
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


def laid_out_as(weights: Tensor, gradient: Tensor) -> Tensor:
    """Returns the gradient with the weights' strides, as a fused optimiser wants it; convolutions may give others."""
    return gradient if gradient.stride() == weights.stride() else torch.empty_like(weights).copy_(gradient)


def choose(logits: Tensor) -> Tensor:
    """Draws an action of each row by its share, without waiting for the device."""
    noise = torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)
    return (logits - torch.log(-torch.log(noise))).argmax(dim=-1)
