"""One episode of a learned agent's training: it explores knowing no question, returns knowing them, and is rewarded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from pentathlon.core.entrants import Encoder
from pentathlon.events.explore.learned.belief import DONE, NO_ACTION, BeliefNetwork
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.rewards import Novelty, novelty_reward, qa_reward
from pentathlon.events.explore.learned.settings import Learning, TrainingSettings
from pentathlon.events.explore.protocol import ACTIONS
from pentathlon.events.explore.world import ExploreWorld, Start


class Step(NamedTuple):
    """What was seen and done in one step.

    Attributes:
        features: of the picture, ``[1, D]``.
        asked: what stands for the questions, ``[1, Q]``; zero while none is known.
        before: the action before.
        action: the one that was drawn.
        log_share: logarithm of that one's share.
        value: of the state, as the critic saw it.
        belief: after the step, ``[1, 1, B]``.
        reward: for the step.
    """

    features: Tensor
    asked: Tensor
    before: int
    action: int
    log_share: Tensor
    value: Tensor
    belief: Tensor
    reward: float


@dataclass
class Episode:
    """Plays both walks of one agent through one house.

    Attributes:
        answers: to the questions, as they are now.
        rewards: sum of all.
        returned: steps of the return.
        coverage: share of the floor after the free exploration.
        seen: share of the objects after it.
    """

    network: BeliefNetwork
    encoder: Encoder
    reader: Reader
    settings: TrainingSettings
    learning: Learning
    world: ExploreWorld
    questions: Sequence[str]
    truths: Sequence[str]
    answers: list[str] = field(init=False)
    rewards: float = 0.0
    returned: int = 0
    coverage: float = 0.0
    seen: float = 0.0

    def __post_init__(self) -> None:
        self.answers = [""] * len(self.questions)
        self._novelty, self._steps = Novelty(), 0
        self._state, self._last = self.network.first_state(1), NO_ACTION

    def play(self, start: Start) -> Iterator[Step]:
        """Yields the steps of phase I, then those of phase III, of which ``Done`` is the last if it comes to that."""
        unasked = torch.zeros(1, self.network.settings.question_dim, device=self._state.device)
        yield from self._walk(start, unasked, self.settings.episode_steps)
        objects = len(self.world.house.objects)
        self.coverage, self.seen = self.world.coverage, len(self.world.diary.seen) / max(1, objects)
        self._last = NO_ACTION
        for step in self._walk(start, self.reader.embed(self.questions)[None], self.settings.return_steps):
            self.returned += step.action != DONE
            yield step

    @property
    def accuracy(self) -> float:
        """Share of the questions that are answered rightly now."""
        return sum(a == t for a, t in zip(self.answers, self.truths, strict=True)) / max(1, len(self.truths))

    def _walk(self, start: Start, asked: Tensor, steps: int) -> Iterator[Step]:
        self.world.enter(start)
        self._novelty = self._found()
        for _ in range(steps):
            step = self._step(asked)
            self.rewards += step.reward
            yield step
            if step.action == DONE:
                return

    @torch.no_grad()
    def _step(self, asked: Tensor) -> Step:
        device, before = self._state.device, self._last
        picture = torch.as_tensor(self.encoder.encode(self.world.sight.rgb[None]).pooled, device=device)[None]
        last, calm = torch.tensor([[before]], device=device), torch.zeros(1, 1, device=device)
        thought = self.network(picture, last, asked[None], self._state, calm)
        log_shares = torch.log_softmax(thought.logits[0, 0], dim=-1)
        action = int(torch.multinomial(log_shares.exp(), 1))
        self._state, self._last = thought.state, action
        if action != DONE:
            self.world.act(ACTIONS[action])
        reward = self._reward(is_return=bool(asked.any()))
        return Step(picture[0], asked, before, action, log_shares[action], thought.values[0, 0], thought.state, reward)

    def _reward(self, *, is_return: bool) -> float:
        reward, now = -self.learning.step_cost * is_return, self._found()
        if self.settings.signal != "qa":
            reward += novelty_reward(self._novelty, now, len(self.world.house.objects), self.world.floor_m2)
        if self._steps % self.learning.answer_every == 0 and self.settings.signal != "novelty":
            fresh = self.answered()
            reward += qa_reward(self.truths, self.answers, fresh)
            self.answers = fresh
        self._novelty = now
        self._steps += 1
        return reward

    def answered(self) -> list[str]:
        """Answers all questions by what is believed now."""
        prefix = self.network.tokens(self._state[0].expand(len(self.questions), -1))
        return self.reader.answer(prefix, self.questions)

    def _found(self) -> Novelty:
        return Novelty(len(self.world.diary.seen), self.world.coverage * self.world.floor_m2)
