"""A small dataset recorded on the stand-in bench; each test has its own cache, and arithmetic takes one core."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))

from act_stand_ins import SIZE, StandInRobot, turned

from pentathlon.core import to_plain
from pentathlon.events.act.data.collect import EPISODES_FOLDER, RECIPE_PATH
from pentathlon.events.act.data.episode_files import write_episode
from pentathlon.events.act.data.plan import DataRecipe, make_recipe, plan_episodes
from pentathlon.events.act.data.recording import Script, record

STEPS = 8


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pentathlon.storage.cache.default_cache_folder", lambda: tmp_path / "arrays")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / "cache"))
    torch.set_num_threads(1)


@pytest.fixture
def recipe() -> DataRecipe:
    return replace(make_recipe("scoop", "lite"), episodes=12, image_size=SIZE, frame_every=3)


@pytest.fixture
def collected(tmp_path: Path, recipe: DataRecipe) -> Path:
    """Twelve episodes of eight steps; episode ``i`` transfers ``i % 4`` grams."""
    folder = tmp_path / "collected"
    robot = StandInRobot()
    for plan in plan_episodes(recipe):
        robot.prepare(plan.setup)
        grams = plan.index % 4
        actions = np.stack([turned(1.5)] * grams + [turned(0.05 * plan.index)] * (STEPS - grams))
        notes = {"source": plan.source, **to_plain(plan.setup)}
        episode = record(robot, Script(actions), frame_every=recipe.frame_every, notes=notes)
        write_episode(folder / EPISODES_FOLDER, plan.index, episode)
    (folder / "meta").mkdir()
    (folder / RECIPE_PATH).write_text(json.dumps(to_plain(recipe), indent=1))
    return folder
