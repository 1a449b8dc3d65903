"""Behaviour cloning: learning, determinism."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from pentathlon.core import DataError
from pentathlon.learning.policies.cloning import ClonedPolicy, clone
from pentathlon.learning.policies.recipes import CORTEX_MUJOCO, CloningRecipe

TINY = CloningRecipe(hidden=(32, 32), epochs=60, batch_size=64)


def test_the_paper_s_network() -> None:
    policy = ClonedPolicy(10, 4, CORTEX_MUJOCO)
    kinds = [type(layer).__name__ for layer in policy.layers]
    assert kinds == ["BatchNorm1d", "Linear", "ReLU", "Linear", "ReLU", "Linear", "ReLU", "Linear"]
    assert [layer.out_features for layer in policy.layers if isinstance(layer, torch.nn.Linear)] == [256, 256, 256, 4]
    assert policy.act(np.ones((2, 10), np.float32)).shape == (2, 4)


def problem() -> tuple[np.ndarray, np.ndarray]:
    inputs = np.random.default_rng(0).normal(size=(512, 6)).astype(np.float32)
    return inputs, np.stack([inputs[:, 0] - inputs[:, 1], np.tanh(inputs[:, 2])], axis=1)


def test_it_learns_a_function_and_the_same_seed_gives_the_same_policy() -> None:
    inputs, actions = problem()
    runs = [list(clone(inputs, actions, TINY, seed))[-1] for seed in (1, 1, 2)]
    assert runs[0].loss < 0.05 * float(np.mean(actions**2))
    np.testing.assert_array_equal(runs[0].policy.act(inputs), runs[1].policy.act(inputs))
    assert not np.array_equal(runs[0].policy.act(inputs), runs[2].policy.act(inputs))


def test_training_leaves_the_global_generator_alone() -> None:
    inputs, actions = problem()
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    next(clone(inputs, actions, TINY, seed=1))
    assert torch.equal(torch.rand(3), expected)


def test_a_last_batch_of_one_is_skipped() -> None:
    inputs, actions = problem()
    epoch = next(clone(inputs[:65], actions[:65], TINY, seed=1))
    assert np.isfinite(epoch.loss)


@pytest.mark.parametrize(
    ("inputs", "actions", "message"),
    [
        (np.zeros((3, 2)), np.zeros((2, 1)), "got 3 and 2"),
        (np.zeros((0, 2)), np.zeros((0, 1)), "got 0 and 0"),
        (np.full((3, 2), np.nan), np.zeros((3, 1)), "finite inputs"),
    ],
)
def test_bad_data_is_refused(inputs: np.ndarray, actions: np.ndarray, message: str) -> None:
    with pytest.raises(DataError, match=message):
        next(clone(inputs.astype(np.float32), actions.astype(np.float32), TINY, seed=0))


def test_standardised_inputs_learn_where_features_hardly_vary() -> None:
    inputs, actions = problem()
    faint = 0.66 + 0.01 * inputs
    plain, standardised = (
        list(clone(faint, actions, replace(TINY, normalise_input=False, standardise_input=chosen), seed=1))[-1]
        for chosen in (False, True)
    )
    assert standardised.loss < 0.2 * plain.loss
    # Mean and spread travel with the policy.
    assert {"layers.0.mean", "layers.0.spread"} <= set(standardised.policy.state_dict())


def test_inputs_that_never_change_are_left_unscaled() -> None:
    inputs, actions = problem()
    inputs[:, 5] = 3.0
    policy = list(clone(inputs, actions, replace(TINY, standardise_input=True, epochs=1), seed=1))[-1].policy
    assert policy.layers[0].spread[5] == 1.0
    assert np.isfinite(policy.act(inputs)).all()
