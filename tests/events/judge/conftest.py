from __future__ import annotations

import numpy as np
import pytest

from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet
from pentathlon.storage.video import write_mp4

COLOURS = {"red": (220, 20, 20), "green": (20, 220, 20), "blue": (20, 20, 220)}


@pytest.fixture(scope="session")
def coloured(tmp_path_factory: pytest.TempPathFactory) -> ProblemSet:
    """Two videos of each of three colours, of 12 frames."""
    folder = tmp_path_factory.mktemp("videos")
    clips = []
    for name, colour in COLOURS.items():
        for number in range(2):
            path = folder / f"{name}-{number}.mp4"
            write_mp4(path, np.full((12, 32, 32, 3), colour, np.uint8), fps=10)
            clips.append(Clip(path, (name,)))
    sentences = {name: f"We see {name}" for name in COLOURS}
    return ProblemSet("colours/level_1/objects/plain", "real world", 1, "objects", sentences, tuple(clips))
