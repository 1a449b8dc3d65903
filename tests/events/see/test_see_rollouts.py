"""Rollouts: fusion as in training, one encoder call per step, the same whatever the crew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from see_stubs import Brightness, CountingWorld

from pentathlon.core.entrants import Floats
from pentathlon.events.see.finetuning import fuse_frames
from pentathlon.events.see.rollouts import FILM_EVERY_STEPS, History, play
from pentathlon.learning.policies.cloning import fuse_history
from pentathlon.models.encoders.crew import Crew
from pentathlon.models.encoders.factories import random_vit


class Upwards:
    """Notes its inputs and asks for more than an action may be."""

    def __init__(self) -> None:
        self.inputs: list[Floats] = []

    def act(self, inputs: Floats) -> Floats:
        self.inputs.append(inputs)
        return np.full((len(inputs), 2), 3.0, np.float32)


def test_history_fuses_as_training_does() -> None:
    episodes = np.random.default_rng(0).normal(size=(3, 7, 4)).astype(np.float32)
    history = History(frame_stack=3)
    rolled = np.stack([history.fuse(episodes[:, step]) for step in range(7)], axis=1)
    np.testing.assert_array_equal(rolled, np.stack([fuse_history(episode) for episode in episodes]))


def test_fusion_by_hand() -> None:
    embeddings = np.array([[1.0], [4.0], [9.0], [16.0]], np.float32)
    expected = [[0.0, 0.0, 1.0], [0.0, 3.0, 4.0], [3.0, 5.0, 9.0], [5.0, 7.0, 16.0]]
    np.testing.assert_array_equal(fuse_history(embeddings), expected)
    assert History(frame_stack=1).fuse(embeddings) is embeddings


def test_gradients_flow_through_the_same_fusion() -> None:
    import torch

    embeddings = np.random.default_rng(1).normal(size=(6, 3)).astype(np.float32)
    steps = np.maximum(np.arange(6)[:, None] - [2, 1, 0], 0)
    np.testing.assert_array_equal(fuse_frames(torch.from_numpy(embeddings[steps])).numpy(), fuse_history(embeddings))


def test_all_episodes_are_encoded_in_one_call_per_step() -> None:
    worlds: list[Any] = [CountingWorld(), CountingWorld(), CountingWorld()]
    encoder, policy = Brightness(), Upwards()
    with Crew(2) as crew:
        evaluation = play(worlds, [0, 20, 40], encoder, policy, crew)
    assert encoder.batches == [3] * 5
    assert evaluation.scores == (15.0, 35.0, 55.0)
    assert evaluation.mean == 35.0
    assert {float(action[0]) for world in worlds for action in world.actions} == {1.0}
    # Third step: brightness 30, 31, 32 in the second world; differences, the present, then proprioception.
    np.testing.assert_array_equal(policy.inputs[2][1], [1.0, 61.0, 1.0, 63.0, 32.0, 1024.0, 32.0])
    assert [int(frame.mean()) for frame in evaluation.film] == list(range(10, 15, FILM_EVERY_STEPS))


@pytest.mark.parametrize("threads", [1, 3])
def test_shared_out_features_equal_those_of_one_call(threads: int) -> None:
    encoder = random_vit("tiny", image_size=32)
    images = np.random.default_rng(0).integers(0, 256, (5, 40, 40, 3), dtype=np.uint8)
    whole = encoder.encode(images).pooled
    with Crew(threads) as crew:
        np.testing.assert_array_equal(crew.encode(encoder, images), whole)
        np.testing.assert_array_equal(crew.encode(encoder, images[3:4]), whole[3:4])


def test_a_failing_environment_is_not_swallowed() -> None:
    broken: Any = CountingWorld()
    broken.step = lambda action: 1 / 0
    with Crew(2) as crew, pytest.raises(ZeroDivisionError):
        play([broken], [0], Brightness(), Upwards(), crew)
