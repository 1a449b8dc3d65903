"""The frames that built-in encoders are trained on follow from the recipe alone and are made once."""

from pathlib import Path

import numpy as np

from pentathlon.core import to_plain
from pentathlon.engine import make_pool
from pentathlon.learning.pretraining.world_frames import Job, Recipe, make_frames, make_shard


def test_the_recipe_gives_the_same_frames_again_and_makes_only_what_is_missing(tmp_path: Path) -> None:
    recipe = Recipe(houses=1, frames_per_house=3, episodes_per_task=0, size_px=32)
    assert make_frames(recipe, tmp_path / "first") == 1
    assert make_frames(recipe, tmp_path / "first") == 0
    frames = np.load(tmp_path / "first" / "houses" / "house-00000.npy")
    assert frames.shape == (3, 32, 32, 3)
    assert len(np.unique(frames.reshape(3, -1), axis=0)) == 3
    make_frames(recipe, tmp_path / "second", pool=make_pool(2))
    np.testing.assert_array_equal(frames, np.load(tmp_path / "second" / "houses" / "house-00000.npy"))


def test_control_tasks_are_played_with(tmp_path: Path) -> None:
    make_shard(tmp_path / "shard.npy", to_plain(Job("dmcontrol-reacher-easy", 0, 24)))
    frames = np.load(tmp_path / "shard.npy")
    assert frames.shape == (50, 24, 24, 3)
    assert not np.array_equal(frames[0], frames[-1])
