"""Trains a learned agent on training houses: steps by PPO, answers by the reader's loss, rewards by its name."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from pentathlon.core.entrants import Encoder
from pentathlon.events.explore.learned.belief import BeliefNetwork, BeliefSettings
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.rewards import Novelty, novelty_reward, qa_reward
from pentathlon.events.explore.learned.settings import LEARNING, Learning, TrainingSettings
from pentathlon.events.explore.protocol import ACTIONS, ExploreProtocol, trial_seed
from pentathlon.events.explore.questions.generate import questions_about
from pentathlon.events.explore.questions.question import Question, answer_text
from pentathlon.events.explore.questions.survey import survey
from pentathlon.events.explore.world import ExploreWorld
from pentathlon.learning.descent import descend
from pentathlon.learning.reinforcement.ppo_loss import generalised_advantages, ppo_loss, standardised
from pentathlon.worlds.houses.splits import split_house


class Step(NamedTuple):
    """What was seen and done in one step.

    Attributes:
        features: of the picture, ``[1, D]``.
        before: the action before.
        action: the one that was drawn.
        log_share: logarithm of that one's share.
        value: of the state, as the critic saw it.
        belief: after the step.
    """

    features: Tensor
    before: int
    action: int
    log_share: Tensor
    value: Tensor
    belief: Tensor


class Trainer:
    """One agent in one house after the other."""

    def __init__(
        self, encoder: Encoder, reader: Reader, settings: TrainingSettings, learning: Learning = LEARNING
    ) -> None:
        torch.manual_seed(settings.seed)
        self._encoder, self._reader, self._settings, self._learning = encoder, reader, settings, learning
        sizes = BeliefSettings(encoder.spec.dim, reader.token_dim, reader.token_dim)
        self.network = BeliefNetwork(sizes).to(reader.model.device)
        self._optimizer = torch.optim.Adam(self.network.parameters(), lr=learning.ppo.learning_rate)

    def run(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """Trains through all houses; ``tell`` gets a row after each."""
        for index in range(self._settings.houses):
            began = time.perf_counter()
            with closing(self._world(index)) as world:
                row = self._episode(world, self._questions)
            tell({"house": index, "seconds": round(time.perf_counter() - began, 1), **row})

    def save(self, folder: Path) -> None:
        """Writes weights and settings."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        save_file(
            {name: value.contiguous() for name, value in self.network.state_dict().items()},
            folder / "belief.safetensors",
        )
        (folder / "belief.json").write_text(json.dumps(asdict(self.network.settings)))

    def _world(self, index: int) -> ExploreWorld:
        house = split_house("train", index)
        surveyed = survey(house)
        count = self._learning.questions
        self._questions = questions_about(surveyed, house.name, trial_seed(house.name), count, "train")
        return ExploreWorld(house, ExploreProtocol("generated", "full", size_px=self._settings.size_px), surveyed.facts)

    def _episode(self, world: ExploreWorld, questions: Sequence[Question]) -> dict[str, Any]:
        world.enter(world.draw_start(self._settings.seed + 1))
        state, last = self.network.first_state(1), len(ACTIONS)
        truths = [answer_text(question.answer) for question in questions]
        answers, novelty = [""] * len(questions), Novelty()
        total, losses, step = 0.0, [], 0
        for size in _stretches(self._settings.episode_steps, self._learning.stretch):
            stretch, rewards, first = list[Step](), list[float](), state.detach()
            for _ in range(size):
                stretch.append(self._step(world, state, last))
                state, last = stretch[-1].belief, stretch[-1].action
                answers, novelty, reward = self._rewarded(world, state, questions, truths, answers, novelty, step)
                rewards.append(reward)
                total, step = total + reward, step + 1
            losses.append(self._update(stretch, rewards, first, questions, truths))
        right = sum(a == t for a, t in zip(answers, truths, strict=True)) / len(truths)
        return {
            "reward": round(total, 4),
            "loss": round(float(np.mean(losses)), 4),
            "accuracy": right,
            "coverage": world.coverage,
        }

    @torch.no_grad()
    def _step(self, world: ExploreWorld, state: Tensor, last: int) -> Step:
        picture = torch.as_tensor(self._encoder.encode(world.sight.rgb[None]).pooled, device=state.device)[None]
        thought = self.network(
            picture, _row(last, state), self._unasked(1), state, torch.zeros(1, 1, device=state.device)
        )
        log_shares = torch.log_softmax(thought.logits[0, 0], dim=-1)
        action = int(torch.multinomial(log_shares.exp(), 1))
        label = ACTIONS[action]
        world.act("RotateLeft" if label == "Done" else label)
        return Step(picture[0], last, action, log_shares[action], thought.values[0, 0], thought.state)

    def _rewarded(
        self,
        world: ExploreWorld,
        state: Tensor,
        questions: Sequence[Question],
        truths: Sequence[str],
        answers: list[str],
        novelty: Novelty,
        step: int,
    ) -> tuple[list[str], Novelty, float]:
        """Returns the answers and the novelty of now, and the reward for the step."""
        now = Novelty(len(world.diary.seen), world.coverage * world.floor_m2)
        reward = 0.0
        if self._settings.signal != "qa":
            reward += novelty_reward(novelty, now, len(world.house.objects), world.floor_m2)
        if self._settings.signal != "novelty" and step % self._learning.answer_every == 0:
            prefix = self.network.tokens(state[0].expand(len(questions), -1))
            fresh = self._reader.answer(prefix, [question.text for question in questions])
            reward += qa_reward(truths, answers, fresh)
            answers = fresh
        return answers, now, reward

    def _update(
        self,
        stretch: Sequence[Step],
        rewards: Sequence[float],
        first: Tensor,
        questions: Sequence[Question],
        truths: Sequence[str],
    ) -> float:
        """PPO's loss and the reader's, unweighted, in several passes over the stretch."""
        ppo, device = self._learning.ppo, first.device
        features = torch.stack([step.features for step in stretch])
        before = torch.tensor([step.before for step in stretch], device=device)[:, None]
        actions = torch.tensor([step.action for step in stretch], device=device)[:, None]
        shares = torch.stack([step.log_share for step in stretch])[:, None]
        with torch.no_grad():
            ahead = self.network.critic(stretch[-1].belief[0]).squeeze(-1)
        values = torch.cat([torch.stack([step.value for step in stretch])[:, None], ahead[None]])
        gained, calm = torch.tensor(rewards, device=device)[:, None], torch.zeros(len(rewards), 1, device=device)
        gains = generalised_advantages(gained, values, 1 - calm, ppo)
        returns, gains = gains + values[:-1], standardised(gains)
        loss = torch.zeros(())
        for _ in range(ppo.epochs):
            thought = self.network(features, before, self._unasked(len(rewards)), first, calm)
            steps = ppo_loss(thought.logits, thought.values, actions, shares, gains, returns, ppo).total
            prefix = self.network.tokens(thought.beliefs[-1].expand(len(questions), -1))
            reading = self._reader.loss(prefix, [question.text for question in questions], truths)
            loss = steps + reading / len(questions)
            descend(self._optimizer, loss, ppo.largest_gradient)
        return float(loss.detach())

    def _unasked(self, steps: int) -> Tensor:
        """What stands for the questions while none is known."""
        return torch.zeros(steps, 1, self.network.settings.question_dim, device=self._reader.model.device)


def _row(value: int, like: Tensor) -> Tensor:
    return torch.tensor([[value]], device=like.device)


def _stretches(steps: int, size: int) -> Iterator[int]:
    for start in range(0, steps, size):
        yield min(size, steps - start)
