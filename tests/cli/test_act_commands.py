"""Data get, train and act, on a dataset of a few steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pentathlon.cli.events.runs import EventRuns
from pentathlon.cli.main import main, parse
from pentathlon.core import UsageError, to_plain
from pentathlon.events.act.commands.datasets import Get, Merge
from pentathlon.events.act.commands.errors import Errors
from pentathlon.events.act.commands.tables import Tables
from pentathlon.events.act.commands.train import TrainPolicy
from pentathlon.events.act.data.collect import EPISODES_FOLDER, RECIPE_PATH
from pentathlon.events.act.data.dataset import finish
from pentathlon.events.act.data.episode_files import Recorded, to_png, write_episode
from pentathlon.events.act.data.plan import make_recipe, plan_episodes
from pentathlon.learning.policies.recipes import BcRecipe

STEPS = 5
SOURCES = ("teleop",) * 5 + ("cloned",) * 4 + ("replay",) * 3


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("pentathlon.storage.cache.default_cache_folder", lambda: tmp_path / "arrays")
    recipe = make_recipe("scoop", "sprint")
    folder = tmp_path / "data"
    for plan, source in zip(plan_episodes(recipe), SOURCES, strict=True):
        rows = np.full((STEPS, 7), -0.5 + plan.index / 100, np.float32)
        rewards = np.array([0] * (STEPS - 1) + [plan.index], np.float32)
        notes = {"source": source, **to_plain(plan.setup), "pictures": f"{plan.index}"}
        picture = to_png(np.full((*recipe.image_size, 3), plan.index, np.uint8))
        write_episode(folder / EPISODES_FOLDER, plan.index, Recorded(rows, rows, rewards, {0: picture}, notes))
    (folder / "meta").mkdir()
    (folder / RECIPE_PATH).write_text(json.dumps(to_plain(recipe), indent=1))
    finish(folder, keep_episodes=True)
    return folder


def test_get_prints_table_one_and_writes_totos_layout(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Get((str(data),), to=tmp_path / "toto").run(EventRuns()) == 0
    shown = capsys.readouterr().out
    assert f"| {data} | 12 | 5 | 0.917 | 42 % | 33 % | 25 % | 0 % |" in shown
    assert "teleop 0.800" in shown
    assert (tmp_path / "toto" / "data" / "parsed.pkl").exists()


def test_get_names_what_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "get", "act/poor-lite"]) == 2
    assert "Did you mean 'act/pour-lite'" in capsys.readouterr().err


def test_train_then_errors(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "bc", "--data", str(data), "--features", "mean-colour", "--out", str(tmp_path / "agent")]
    command: Any = parse([*words, "--epochs", "2", "--horizon", "3", "--seeds", "0", "4", "--selection", "0.5"])
    assert isinstance(command.action, TrainPolicy)
    assert isinstance(command.action.recipe, BcRecipe)
    assert command.action.recipe.selection == 0.5
    assert command.run() == 0
    assert f"policy@{tmp_path / 'agent'}" in capsys.readouterr().out
    assert Errors(tmp_path / "agent").run(EventRuns()) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("seed 0, 1 trajectories: joint error ")
    assert second.startswith("seed 4, 1 trajectories: joint error ")


def test_tables_are_written_with_empty_rows_where_nothing_was_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Tables("sizes", tasks=("scoop",), features=(), out=tmp_path).run(EventRuns()) == 0
    rows = (tmp_path / "sizes-lite.md").read_text().splitlines()
    assert [row.split(" | ")[0] for row in rows[2:]] == ["| 5 %", "| 25 %", "| 50 %", "| successes", "| 100 %"]
    assert all(row.count("—") == 5 for row in rows[2:])
    with pytest.raises(UsageError, match="Expected NAME=VALUE, got 'moco'"):
        Tables("sizes", features=("moco",), out=tmp_path).run(EventRuns())


def test_merge_writes_a_new_version(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Merge(str(data), (data / EPISODES_FOLDER,), tmp_path / "new").run(EventRuns()) == 0
    assert f"| {tmp_path / 'new'} | 24 | 5 |" in capsys.readouterr().out
    Get((str(data),), to=tmp_path / "toto").run(EventRuns())
    with pytest.raises(UsageError, match="in TOTO's layout at .*, which cannot grow"):
        Merge(str(tmp_path / "toto" / "data"), (data / EPISODES_FOLDER,), tmp_path / "newer").run(EventRuns())
