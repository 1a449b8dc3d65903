"""Training of experts by soft actor-critic: the arithmetic, the transitions, and what a saved policy does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from pentathlon.learning.reinforcement.sac import Actor, Learner, SacSettings, Transitions
from pentathlon.learning.reinforcement.settings import DmcontrolExpertSettings
from pentathlon.learning.reinforcement.train_dmcontrol import Worlds, record_prior, train
from pentathlon.worlds.control import control_task
from pentathlon.worlds.control.dmcontrol import make_physics
from pentathlon.worlds.control.experts.dmcontrol_view import View
from pentathlon.worlds.control.experts.policy import Network, write_network

CPU = torch.device("cpu")
SMALL = SacSettings(worlds=2, batch=64, capacity=4096, widths=(16, 32), learning_rate=3e-3, blend=0.05)


def test_densities_are_those_of_a_squashed_gaussian() -> None:
    torch.manual_seed(0)
    actor = Actor(3, 2, 8)
    observations = torch.randn(5, 3)
    actions, density, mean = actor.sample(observations)
    _, log_deviation = actor(observations)
    gaussian = torch.distributions.Normal(mean, log_deviation.exp())
    squashed = torch.distributions.TransformedDistribution(gaussian, torch.distributions.TanhTransform())
    torch.testing.assert_close(density, squashed.log_prob(actions).sum(-1), rtol=1e-4, atol=1e-4)


def test_the_oldest_transitions_give_way() -> None:
    kept = Transitions(4, 1, 1, CPU)
    kept.add(np.arange(6)[:, None] * np.ones((6, 4)))
    assert sorted(kept.rows[:, 0].tolist()) == [2.0, 3.0, 4.0, 5.0]
    kept = Transitions(4, 1, 1, CPU)
    kept.add(np.full((2, 4), 7.0))
    assert set(kept.draw(50)[:, 0].tolist()) == {7.0}


def played(generator: np.random.Generator, count: int) -> np.ndarray:
    """A world where the reward is highest for half of what is seen."""
    seen, actions = generator.uniform(-1, 1, (count, 1)), generator.uniform(-1, 1, (count, 1))
    return np.concatenate([seen, actions, -np.square(actions - seen / 2), generator.uniform(-1, 1, (count, 1))], axis=1)


def test_it_learns_and_the_saved_policy_acts_alike(tmp_path: Path) -> None:
    torch.manual_seed(0)
    generator = np.random.default_rng(0)
    learner = Learner(played(generator, 512), 1, SMALL, CPU)
    learner.learn_from(played(generator, 512))
    seen = np.linspace(-0.9, 0.9, 7)[:, None]
    before = np.abs(learner.act(seen, explore=False) - seen / 2).mean()
    for _ in range(400):
        learner.update()
    after = learner.act(seen, explore=False)
    assert np.abs(after - seen / 2).mean() < min(0.12, before)
    learner.save(tmp_path / "policy.npz")
    network = Network(tmp_path / "policy.npz", 1, 1)
    np.testing.assert_allclose([network(row) for row in seen], after, atol=1e-5)


def test_a_written_network_is_squashed_or_clipped(tmp_path: Path) -> None:
    layers = [(np.array([[3.0]]), np.array([0.5]))]
    for squash, action in ((True, np.tanh(2.0)), (False, 1.0)):
        write_network(tmp_path / "policy.npz", np.zeros(1), np.ones(1), layers, squash=squash)
        np.testing.assert_allclose(Network(tmp_path / "policy.npz", 1, 1)(np.array([0.5])), [action], rtol=1e-6)


def test_a_loaded_policy_waits_for_the_critics(tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    first = Learner(played(generator, 64), 1, SMALL, CPU)
    first.save(tmp_path / "policy.npz")
    later = Learner(2.0 + played(generator, 64), 1, SMALL, CPU, start=tmp_path / "policy.npz")
    later.learn_from(played(generator, 64))
    later.update()
    seen = np.linspace(-0.9, 0.9, 7)[:, None]
    np.testing.assert_allclose(later.act(seen, explore=False), first.act(seen, explore=False), atol=1e-6)


def test_worlds_give_whole_transitions_and_start_anew() -> None:
    task = control_task("dmcontrol-finger-spin")
    worlds = Worlds(task, 2, seed=0)
    size = worlds.seen.shape[1]
    first = worlds.step(np.zeros((2, 2)))
    second = worlds.step(np.full((2, 2), 0.5))
    assert first.shape == (2, 2 * size + 3)
    np.testing.assert_array_equal(first[:, -size:], second[:, :size])
    worlds.step(np.zeros((2, 2)))
    worlds._ages[:] = task.horizon - 1
    last = worlds.step(np.zeros((2, 2)))
    assert np.abs(last[:, -size:] - worlds.seen).max() > 0.01


def test_a_test_is_of_whole_episodes() -> None:
    task = replace(control_task("dmcontrol-finger-spin"), horizon=8)
    worlds = Worlds(task, 4, seed=0)
    worlds.restart()
    for _ in range(7):
        following = worlds.step(np.zeros((4, 2)))[:, -worlds.seen.shape[1] :]
        np.testing.assert_array_equal(worlds.seen, following)


def test_a_view_does_not_tell_how_far_a_walker_has_come() -> None:
    physics = make_physics("walker-walk")
    physics.reset(np.random.default_rng(0))
    view = View(physics)
    before = view()
    physics.data.qpos[physics.model.joint("rootx").qposadr[0]] += 3.0
    physics.data.qpos[physics.model.joint("rooty").qposadr[0]] += 2 * np.pi
    np.testing.assert_allclose(view(), before, atol=1e-12)
    assert len(before) == view.size


def test_training_writes_the_best_policy(tmp_path: Path) -> None:
    task = control_task("dmcontrol-reacher-easy")
    prior = record_prior(task, 1)
    assert prior.shape == (250, 17)
    train(task, prior, SMALL, DmcontrolExpertSettings(task=task.name, out=tmp_path / "policy.npz", minutes=0.02))
    network = Network(tmp_path / "policy.npz", 7, 2)
    assert np.abs(network(prior[0, :7])).max() <= 1.0
