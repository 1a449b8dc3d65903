"""Training of the learned agents: both walks, weights that move, and trainings that go on where they stopped."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from pentathlon.core import UsageError
from pentathlon.events.explore.learned import training
from pentathlon.events.explore.learned.belief import DONE, NO_ACTION, BeliefNetwork, BeliefSettings
from pentathlon.events.explore.learned.episode import Episode
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.settings import LEARNING, TrainingSettings
from pentathlon.events.explore.learned.training import Trainer
from pentathlon.events.explore.protocol import make_protocol
from pentathlon.events.explore.world import ExploreWorld
from pentathlon.worlds.houses.architect import architect_house

SETTINGS = TrainingSettings(houses=2, episodes=1, episode_steps=7, return_steps=5, size_px=16, belief=6, hidden=5)
QUICK = replace(LEARNING, stretch=4, shortest=2, questions=2, answer_every=3)


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "split_house", lambda split, index: architect_house("studio"))


@pytest.fixture
def world() -> Iterator[ExploreWorld]:
    with closing(
        ExploreWorld(architect_house("studio"), replace(make_protocol("architect", "full"), size_px=16))
    ) as it:
        yield it


def train(folder: Path, encoder: Any, reader: Reader, **changed: Any) -> tuple[Trainer, list[dict[str, Any]]]:
    trainer, found = Trainer(encoder, reader, replace(SETTINGS, **changed), QUICK), list[dict[str, Any]]()
    trainer.resume(folder)
    for rows in trainer.run():
        found += rows
        trainer.save(folder)
    return trainer, found


@pytest.mark.usefixtures("studio")
def test_training_goes_on_where_it_stopped_to_the_same_weights(
    means: Any, small_reader: Reader, tmp_path: Path
) -> None:
    before = Trainer(means, small_reader, SETTINGS, QUICK).network.state_dict()
    whole, rows = train(tmp_path / "whole", means, small_reader)
    train(tmp_path / "parts", means, small_reader, houses=1)
    parts, rest = train(tmp_path / "parts", means, small_reader)
    assert [row["house"] for row in rows] == [0, 1]
    assert [row["house"] for row in rest] == [1]
    assert all(math.isfinite(row["loss"]) for row in rows)
    after, again = whole.network.state_dict(), parts.network.state_dict()
    assert all(torch.equal(after[name], again[name]) for name in after)
    for part in ("memory", "actor", "critic", "prefix"):
        assert any(not torch.equal(before[name], after[name]) for name in before if name.startswith(part))
    assert whole.progress == parts.progress
    with pytest.raises(UsageError, match="--episode-steps 7, as the training in"):
        train(tmp_path / "parts", means, small_reader, episode_steps=8)


def test_the_return_knows_the_questions_and_ends_with_done(
    means: Any, small_reader: Reader, world: ExploreWorld
) -> None:
    torch.manual_seed(0)
    network = BeliefNetwork(BeliefSettings(3, 8, 8, belief=6, hidden=5))
    texts = ["is there a mug", "is there a kitchen?"]
    episode = Episode(network, means, small_reader, SETTINGS, QUICK, world, texts, ["yes", "no"])
    steps = list(episode.play(world.draw_start(1)))
    first, second = steps[:7], steps[7:]
    assert all(not step.asked.any() and step.action != DONE for step in first)
    assert all(torch.equal(step.asked[0], small_reader.embed(texts)) for step in second)
    assert (first[0].before, second[0].before) == (NO_ACTION, NO_ACTION)
    assert 0.0 < episode.coverage < 1.0
    with torch.no_grad():
        network.actor[-1].bias[DONE] = 100.0
    hasty = Episode(network, means, small_reader, SETTINGS, QUICK, world, texts, ["yes", "no"])
    steps = list(hasty.play(world.draw_start(1)))
    assert (len(steps), steps[-1].action, hasty.returned) == (8, DONE, 0)


@pytest.mark.parametrize("signal", ["qa", "novelty"])
def test_signals_reward_what_they_are_named_after(
    signal: Any, means: Any, small_reader: Reader, world: ExploreWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    network = BeliefNetwork(BeliefSettings(3, 8, 8, belief=6, hidden=5))
    settings, free = replace(SETTINGS, signal=signal, return_steps=0), replace(QUICK, step_cost=0.0)
    episode = Episode(network, means, small_reader, settings, free, world, ["is there a mug"], ["yes"])
    monkeypatch.setattr(small_reader, "answer", lambda prefix, questions: ["yes"])
    start = world.draw_start(1)
    world.enter(start)
    seen, covered = len(world.diary.seen) / len(world.house.objects), world.coverage
    rewards = [step.reward for step in episode.play(start)]
    if signal == "qa":
        assert rewards == [1.0, *[0.0] * 6]
    else:
        assert episode.answers == [""]
        assert sum(rewards) == pytest.approx(episode.seen - seen + episode.coverage - covered)
