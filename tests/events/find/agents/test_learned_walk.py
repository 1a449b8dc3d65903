"""The trained explorer moves and turns, repeats itself for a seed, and never stops."""

from __future__ import annotations

import numpy as np

from pentathlon.events.find.agents.factories import find_explorer
from pentathlon.models.navigation.settings import MENDED
from pentathlon.models.navigation.walk import BodyFacts, Walk


def steps(seed: int) -> list[str]:
    explorer, walk = find_explorer("learned"), Walk(BodyFacts(), MENDED)
    explorer.reset(seed)
    rng = np.random.default_rng(0)
    rooms = [{"depth_m": rng.uniform(0.5, 4.0, (96, 96)).astype(np.float32)} for _ in range(12)]
    return [action for room in rooms for action in explorer.explore(walk, room)]


def test_walks_and_repeats_itself() -> None:
    walked = steps(1)
    assert walked == steps(1)
    assert len(walked) == 12
    assert set(walked) <= {"MoveAhead", "RotateLeft", "RotateRight"}
    assert "MoveAhead" in walked
