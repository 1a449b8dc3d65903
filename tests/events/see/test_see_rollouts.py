"""Rollouts: fusion as in training, one encoder call per step, the same whatever the crew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from see_stubs import Brightness, CountingWorld

from pentathlon.core.entrants import Floats
from pentathlon.events.see.rollouts import FILM_EVERY_STEPS, play
from pentathlon.models.encoders.crew import Crew
from pentathlon.models.encoders.factories import random_vit


class Upwards:
    """Notes its inputs and asks for more than an action may be."""

    def __init__(self) -> None:
        self.inputs: list[Floats] = []

    def act(self, inputs: Floats) -> Floats:
        self.inputs.append(inputs)
        return np.full((len(inputs), 2), 3.0, np.float32)


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
