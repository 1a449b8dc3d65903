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
from torch.nn import functional as F

from pentathlon.core.errors import UsageError
from pentathlon.learning.reinforcement.ppo_loss import chosen, generalised_advantages, ppo_loss, standardised
from pentathlon.learning.reinforcement.ppo_policy import Observations, RecurrentPolicy
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
    ) -> None:
        if worlds.num_envs % settings.batches:
            raise UsageError(f"Expected worlds in {settings.batches} equal batches, got {worlds.num_envs}.")
        self._worlds, self.settings, self.frames, self.rounds = worlds, settings, 0, 0
        self._lessons, self.played_s, self.learned_s = lessons, 0.0, 0.0
        observations, _ = worlds.reset(seed=seed)
        self.device = next(iter(observations.values())).device
        torch.manual_seed(seed)
        self.policy = policy.to(self.device)
        on_gpu = self.device.type == "cuda"
        self._precision = torch.bfloat16 if on_gpu else torch.float32
        self._trained = [weights for weights in policy.parameters() if weights.requires_grad]
        fast: dict[str, Any] = {"fused": True, "capturable": True} if on_gpu else {}
        rate = torch.tensor(settings.learning_rate, device=self.device) if on_gpu else settings.learning_rate
        self.optimizer = torch.optim.Adam(self._trained, lr=rate, eps=1e-5, **fast)
        self._played = _Played(observations, settings.steps, policy, self.device)
        self._memory = policy.first_memory(worlds.num_envs, self.device)
        self._replay: Callable[[], None] | None = None
        self._entropy = torch.zeros((), device=self.device)

    def round(self) -> Report:
        """Plays `steps` steps in all worlds, then learns from them."""
        started = time.perf_counter()
        ended, success = self._play()
        count = int(ended)
        between = time.perf_counter()
        self._learn()
        self.rounds += 1
        self.frames += self.settings.steps * self._worlds.num_envs
        reward = float(self._played.rewards.mean())
        self.played_s, self.learned_s = (
            self.played_s + between - started,
            self.learned_s + time.perf_counter() - between,
        )
        return Report(self.frames, count, float(success) / max(count, 1), reward, float(self._entropy))

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
        observations, _ = self._worlds.reset(seed=seed)
        self._played.begin(observations, self.policy.actions)
        self._memory = torch.zeros_like(self._memory)
        self._replay = None  # what was captured reads goals that may lie elsewhere now

    def save(self, path: Path, notes: dict[str, Any] | None = None) -> None:
        """Writes everything that `load` needs to go on, and plain notes beside; a crash leaves the file of before."""
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
        """Goes on from a saved state and returns its notes; worlds begin new episodes."""
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
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._improve()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._improve()
        return graph.replay

    def _improve(self) -> None:
        """One step of the optimiser on the gathered batch."""
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
        nn.utils.clip_grad_norm_(self._trained, settings.largest_gradient, foreach=True)
        self.optimizer.step()
        self._entropy.copy_(entropy.detach())

    def _mixed_precision(self) -> torch.autocast:
        wanted = self._precision is torch.bfloat16
        return torch.autocast(self.device.type, torch.bfloat16, enabled=wanted, cache_enabled=False)


def laid_out_as(weights: Tensor, gradient: Tensor) -> Tensor:
    """Returns the gradient with the weights' strides, as a fused optimiser wants it; convolutions may give others."""
    return gradient if gradient.stride() == weights.stride() else torch.empty_like(weights).copy_(gradient)


def choose(logits: Tensor) -> Tensor:
    """Draws an action of each row by its share, without waiting for the device."""
    noise = torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)
    return (logits - torch.log(-torch.log(noise))).argmax(dim=-1)


class _Batch(NamedTuple):
    """Some worlds' part of what was played."""

    observations: Observations
    last: Tensor
    memory: Tensor
    alive: Tensor
    actions: Tensor
    log_shares: Tensor
    advantages: Tensor
    returns: Tensor


class _Played:
    """What was played between two updates, in memory that is kept."""

    def __init__(self, first: Observations, steps: int, policy: RecurrentPolicy, device: torch.device) -> None:
        self._steps, count = steps, len(next(iter(first.values())))
        self._observations = {
            name: torch.empty((steps + 1, *value.shape), dtype=value.dtype, device=device)
            for name, value in first.items()
        }
        self.last = torch.zeros(steps + 1, count, dtype=torch.int64, device=device)
        self.begin(first, policy.actions)
        self._actions = torch.zeros(steps, count, dtype=torch.int64, device=device)
        self._log_shares, self.rewards, self._alive, self._advantages = (
            torch.zeros(steps, count, device=device) for _ in range(4)
        )
        self.values = torch.zeros(steps + 1, count, device=device)
        self.first_memory = torch.zeros(count, policy.memory, device=device)
        self._batch: _Batch | None = None

    @property
    def batch(self) -> _Batch:
        """What `gather` chose; always the same memory."""
        assert self._batch is not None
        return self._batch

    def begin(self, first: Observations, none: int) -> None:
        """Begins with these observations, before which nothing was done."""
        for name, value in first.items():
            self._observations[name][0].copy_(value)
        self.last[0] = none

    def seen(self, step: int) -> Observations:
        """Observations before a step."""
        return {name: value[step] for name, value in self._observations.items()}

    def note(self, step: int, actions: Tensor, logits: Tensor, values: Tensor) -> None:
        """Keeps what was chosen."""
        self._actions[step], self.values[step] = actions, values
        self._log_shares[step] = chosen(F.log_softmax(logits, dim=-1), actions)

    def follow(
        self, step: int, observations: Observations, reward: Tensor, done: Tensor, actions: Tensor, none: int
    ) -> None:
        """Keeps what followed."""
        for name, value in observations.items():
            self._observations[name][step + 1].copy_(value)
        self.rewards[step], self._alive[step] = reward, (~done).float()
        self.last[step + 1] = torch.where(done, none, actions)

    def weigh(self, settings: PpoSettings) -> None:
        """Writes the generalised advantages; an episode cut by its limit counts as ended."""
        self._advantages.copy_(generalised_advantages(self.rewards, self.values, self._alive, settings))

    def gather(self, rows: Tensor) -> None:
        """Copies the worlds of these numbers into the batch."""
        advantages = self._advantages
        gathered = _Batch(
            {name: value[: self._steps, rows] for name, value in self._observations.items()},
            self.last[: self._steps, rows],
            self.first_memory[rows],
            self._alive[:, rows],
            self._actions[:, rows],
            self._log_shares[:, rows],
            standardised(advantages)[:, rows],
            (advantages + self.values[: self._steps])[:, rows],
        )
        if self._batch is None:
            self._batch = gathered
            return
        for name, value in gathered.observations.items():
            self._batch.observations[name].copy_(value)
        for kept, value in zip(self._batch[1:], gathered[1:], strict=True):
            kept.copy_(value)

    def turn_over(self) -> None:
        """Lets the next round begin where this one ended."""
        for value in (*self._observations.values(), self.last):
            value[0].copy_(value[self._steps])
