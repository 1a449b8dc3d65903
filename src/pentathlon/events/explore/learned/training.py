"""Trains a learned agent on training houses: steps by PPO, answers by the reader's loss, rewards by its name."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pentathlon.core.entrants import Encoder
from pentathlon.core.identity import derive_seed
from pentathlon.events.explore.learned.belief import DONE, BeliefNetwork, BeliefSettings
from pentathlon.events.explore.learned.episode import Episode, Step
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.resuming import Progress, read_progress, write_progress
from pentathlon.events.explore.learned.settings import LEARNING, Learning, TrainingSettings
from pentathlon.events.explore.learned.weights import save_agent
from pentathlon.events.explore.protocol import ExploreProtocol, trial_seed
from pentathlon.events.explore.questions.generate import questions_about
from pentathlon.events.explore.questions.question import answer_text
from pentathlon.events.explore.questions.survey import survey
from pentathlon.events.explore.world import ExploreWorld
from pentathlon.learning.descent import descend
from pentathlon.learning.reinforcement.ppo_loss import generalised_advantages, ppo_loss, standardised
from pentathlon.worlds.houses.splits import split_house


class Trainer:
    """One agent in one house after the other.

    Attributes:
        network: what is trained.
        progress: how far it is.
    """

    def __init__(
        self, encoder: Encoder, reader: Reader, settings: TrainingSettings, learning: Learning = LEARNING
    ) -> None:
        torch.manual_seed(settings.seed)
        self._encoder, self._reader, self._settings, self._learning = encoder, reader, settings, learning
        sizes = BeliefSettings(
            encoder.spec.dim, reader.token_dim, reader.token_dim, hidden=settings.hidden, belief=settings.belief
        )
        self.network = BeliefNetwork(sizes).to(reader.model.device)
        self._optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.learning_rate)
        self.progress = Progress(0, 0)

    def resume(self, folder: Path) -> None:
        """Goes on where a training of the same settings stopped, if one did in this folder."""
        self.progress = read_progress(folder, self.network, self._optimizer, self._settings) or self.progress

    def run(self) -> Iterator[list[dict[str, Any]]]:
        """Trains through the houses that are left; yields a row for each episode after each house."""
        for index in range(self.progress.houses, self._settings.houses):
            torch.manual_seed(derive_seed("explorer", self._settings.seed, index))
            yield self._house(index)

    def save(self, folder: Path) -> None:
        """Writes weights and notes, and what a later call goes on from."""
        save_agent(folder, self.network, self._settings, *self.progress)
        write_progress(folder, self.network, self._optimizer, self._settings, self.progress)

    def _house(self, index: int) -> list[dict[str, Any]]:
        began, house = time.perf_counter(), split_house("train", index)
        surveyed, rows = survey(house), []
        protocol = ExploreProtocol("generated", "full", size_px=self._settings.size_px)
        with closing(ExploreWorld(house, protocol, surveyed.facts)) as world:
            for number in range(self._settings.episodes):
                seed = trial_seed(f"{house.name}-{number}")
                asked = questions_about(surveyed, house.name, seed, self._learning.questions, "train")
                truths = [answer_text(question.answer).lower() for question in asked]
                texts = [question.text for question in asked]
                episode = Episode(
                    self.network, self._encoder, self._reader, self._settings, self._learning, world, texts, truths
                )
                rows.append(self._episode(episode, seed))
        self.progress = Progress(index + 1, self.progress.steps)
        return [{"house": index, "seconds": round(time.perf_counter() - began, 1), **row} for row in rows]

    def _episode(self, episode: Episode, seed: int) -> dict[str, Any]:
        losses, stretch, first = list[float](), list[Step](), self.network.first_state(1)
        walk = episode.play(episode.world.draw_start(seed))
        for step in walk:
            stretch.append(step)
            if len(stretch) == self._learning.stretch:
                losses.append(self._update(stretch, first, episode))
                first, stretch = step.belief, []
            self.progress = Progress(self.progress.houses, self.progress.steps + 1)
        if len(stretch) >= self._learning.shortest:
            losses.append(self._update(stretch, first, episode))
        episode.answers = episode.answered()
        return {
            "steps": self.progress.steps,
            "reward": round(episode.rewards, 4),
            "loss": round(float(np.mean(losses)), 4),
            "accuracy": round(episode.accuracy, 3),
            "coverage": round(episode.coverage, 4),
            "seen": round(episode.seen, 4),
            "returned": episode.returned,
        }

    def _update(self, stretch: Sequence[Step], first: Tensor, episode: Episode) -> float:
        """PPO's loss and the reader's, unweighted, in several passes over the stretch; returns the reader's."""
        ppo, device, count = self._learning.ppo, first.device, len(episode.questions)
        features, asked = (torch.stack(part) for part in zip(*((s.features, s.asked) for s in stretch), strict=True))
        before = torch.tensor([step.before for step in stretch], device=device)[:, None]
        actions = torch.tensor([step.action for step in stretch], device=device)[:, None]
        shares = torch.stack([step.log_share for step in stretch])[:, None]
        alive = torch.tensor([float(step.action != DONE) for step in stretch], device=device)[:, None]
        with torch.no_grad():
            ahead = self.network.critic(stretch[-1].belief[0]).squeeze(-1)
        values = torch.cat([torch.stack([step.value for step in stretch])[:, None], ahead[None]])
        rewards = torch.tensor([step.reward for step in stretch], device=device)[:, None]
        gains = generalised_advantages(rewards, values, alive, ppo)
        returns, gains = gains + values[:-1], standardised(gains)
        reading = torch.zeros(())
        for _ in range(ppo.epochs):
            thought = self.network(features, before, asked, first, torch.zeros_like(rewards))
            steps = ppo_loss(thought.logits, thought.values, actions, shares, gains, returns, ppo).total
            prefix = self.network.tokens(thought.beliefs[-1].expand(count, -1))
            reading = self._reader.loss(prefix, episode.questions, episode.truths) / count
            descend(self._optimizer, steps + reading, ppo.largest_gradient)
        return float(reading.detach())
