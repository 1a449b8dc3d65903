"""Data of act: what is planned, what is recorded, what lies on disk and comes back."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from act_stand_ins import SIZE, StandInRobot, turned

from pentathlon.core import DataError
from pentathlon.engine import make_pool
from pentathlon.events.act.data.collect import EPISODES_FOLDER, collect, writing
from pentathlon.events.act.data.dataset import (
    ActDataset,
    dataset_folder,
    export_as_toto,
    finish,
    get_dataset,
    open_dataset,
)
from pentathlon.events.act.data.episode_files import episode_path, read_episode, to_png, write_episode
from pentathlon.events.act.data.frames import pack_frames
from pentathlon.events.act.data.merging import merge
from pentathlon.events.act.data.overview import overview, overview_table
from pentathlon.events.act.data.plan import DataRecipe, make_recipe
from pentathlon.events.act.data.recording import Rollout, Script, record
from pentathlon.storage.lerobot import read_episode_rows, read_info
from pentathlon.storage.lock import FolderLock, HeldError
from pentathlon.worlds.tabletop.arm.robot import Setup


def test_grams_stand_at_the_last_step_and_pictures_at_every_third() -> None:
    robot = StandInRobot()
    robot.prepare(Setup("pour", "red_cup", "beans", "front_left", 3))
    episode = record(robot, Script(np.stack([turned(1.5)] * 4)), frame_every=3, notes={"source": "teleop"})
    assert episode.rewards.tolist() == [0.0, 0.0, 0.0, 4.0]
    assert sorted(episode.pictures) == [0, 3]
    assert [int(frame[0, 0, 0]) for frame in episode.frames()] == [1, 1, 1, 2]


def test_an_episode_without_a_step_is_refused() -> None:
    robot = StandInRobot()
    robot.prepare(Setup("pour", "red_cup", "beans", "front_left", 3))
    with pytest.raises(DataError, match="one or more steps, got none"):
        record(robot, Script(np.empty((0, 7), np.float32)), frame_every=3, notes={})


class Counting:
    """Predicts chunks of three."""

    embedding_size = 0
    calls = 0

    def reset(self) -> None:
        self.calls = 0

    def act(self, joints: np.ndarray, embedding: object = None) -> np.ndarray:
        self.calls += 1
        return np.stack([turned(0.1 * self.calls)] * 3)


def test_rollouts_follow_chunks_and_noise_depends_on_the_seed_only() -> None:
    def act_all(noise_rad: float, seed: int) -> np.ndarray:
        rollout = Rollout(Counting(), 7, noise_rad, seed)  # type: ignore[arg-type]
        targets = []
        while (target := rollout.act(turned(0.0))) is not None:
            targets.append(target)
        return np.stack(targets)

    assert act_all(0.0, 0)[:, 6] == pytest.approx([0.1] * 3 + [0.2] * 3 + [0.3])
    np.testing.assert_array_equal(act_all(0.05, 1), act_all(0.05, 1))
    assert np.abs(act_all(0.05, 1) - act_all(0.05, 2)).max() > 0.001


def test_a_dataset_is_the_same_before_and_after_its_videos(collected: Path) -> None:
    before = open_dataset(collected)
    pictures = [np.stack(list(before.pictures(index))) for index in range(len(before))]
    trajectories = before.trajectories()
    finish(collected)
    after = open_dataset(collected)
    assert after.finished
    assert not (collected / EPISODES_FOLDER).exists()
    assert pictures[0].shape == (3, *SIZE, 3)
    for index, trajectory in enumerate(after.trajectories()):
        np.testing.assert_array_equal(np.stack(list(after.pictures(index))), pictures[index])
        np.testing.assert_array_equal(trajectory.actions, trajectories[index].actions)
        np.testing.assert_array_equal(trajectory.rewards, trajectories[index].rewards)
        assert trajectory.facts == trajectories[index].facts
        assert trajectory.source == trajectories[index].source
        assert trajectory.total_reward_g == index % 4


def test_videos_go_on_where_they_were_stopped(collected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(collected, keep_episodes=True)
    (collected / "meta" / "info.json").unlink()
    video = next((collected / "videos").rglob("file-003.mp4"))
    video.unlink()
    written: list[str] = []
    from pentathlon.storage import lerobot

    original = lerobot.write_video
    monkeypatch.setattr(lerobot, "write_video", lambda path, *rest: (written.append(path.name), original(path, *rest)))
    finish(collected)
    assert written == ["file-003.mp4"]
    assert read_info(collected)["total_episodes"] == 12


def test_a_dataset_that_another_process_writes_is_waited_for(
    collected: Path, recipe: DataRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pentathlon.events.act.data.dataset.recipe_names", lambda: {recipe.name: recipe})
    monkeypatch.setattr("pentathlon.events.act.data.dataset.find_recipe", lambda name: recipe)
    folder = collected.rename(dataset_folder(recipe, tmp_path))
    lost = [episode_path(folder / EPISODES_FOLDER, index) for index in (5, 7)]
    to_come = [path.rename(tmp_path / path.name) for path in lost]
    other, told = FolderLock(folder), []

    def meanwhile(wait_s: float) -> None:
        if to_come:
            path = to_come.pop()
            path.rename(folder / EPISODES_FOLDER / path.name)
        else:
            other.close()

    monkeypatch.setattr("pentathlon.events.act.data.dataset.time.sleep", meanwhile)
    with pytest.raises(HeldError, match=f"being written by process {os.getpid()} on "):
        collect(recipe, folder)
    with pytest.raises(HeldError, match="being written by"), writing(folder):
        pytest.fail("two write at once")
    made = get_dataset(recipe.name, root=tmp_path, progress=lambda made, wanted: told.append((made, wanted)))
    assert told == [(10, 12), (11, 12)]
    assert len(made.trajectories()) == 12
    finished = get_dataset(recipe.name, root=tmp_path, videos=True)
    assert isinstance(finished, ActDataset)
    assert finished.finished


def test_an_episode_recorded_while_videos_are_made_is_kept(collected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pentathlon.events.act.data import dataset

    late = read_episode(collected / EPISODES_FOLDER, 0)

    def write(*arguments: object) -> None:
        write_dataset(*arguments)
        write_episode(collected / EPISODES_FOLDER, 12, late)

    write_dataset: Any = dataset.write_dataset
    monkeypatch.setattr(dataset, "write_dataset", write)
    finish(collected)
    assert [path.name for path in (collected / EPISODES_FOLDER).iterdir()] == ["episode-00012.parquet"]


def test_what_another_process_finished_meanwhile_is_not_made_again(collected: Path, recipe: DataRecipe) -> None:
    finish(collected)
    before = {path: path.stat().st_mtime_ns for path in collected.rglob("*.*")}
    collect(recipe, collected)
    finish(collected)
    assert {path: path.stat().st_mtime_ns for path in collected.rglob("*.*")} == before


def test_missing_and_torn_episodes_are_told(collected: Path) -> None:
    path = episode_path(collected / EPISODES_FOLDER, 5)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="bytes that are none"):
        read_episode(collected / EPISODES_FOLDER, 5)
    path.unlink()
    with pytest.raises(DataError, match="lacks 1 of 12 episodes, the first is 5"):
        open_dataset(collected)
    with pytest.raises(DataError, match="Expected a dataset of act"):
        open_dataset(collected.parent)


def test_a_torn_file_of_a_finished_dataset_is_told(collected: Path) -> None:
    finish(collected)
    data = next((collected / "data").rglob("file-002.parquet"))
    data.write_bytes(data.read_bytes()[:100])
    with pytest.raises(DataError, match="file-002.parquet, could not read one"):
        open_dataset(collected).trajectories()


def test_a_folder_of_another_recipe_is_refused(collected: Path, recipe: DataRecipe) -> None:
    with pytest.raises(DataError, match="another recipe"):
        collect(replace(recipe, most_noise_rad=0.5), collected)


def test_table_one_counts(collected: Path) -> None:
    found = overview(get_dataset(str(collected)).trajectories())
    assert (found.trials, found.length, found.success) == (12, 8.0, 0.75)
    assert overview_table({"scoop": found}).splitlines()[-1] == "| scoop | 12 | 8 | 0.750 | 42 % | 33 % | 25 % | 0 % |"
    assert "| paper, pour | 1003 | 324 | 0.977 | 99 % | 0 % | 1 % | 0 % |" in overview_table({})
    with pytest.raises(DataError, match="one or more episodes"):
        overview([])


def test_the_layout_is_lerobots(collected: Path) -> None:
    finish(collected)
    info = read_info(collected)
    assert info["features"]["action"] == {"dtype": "float32", "shape": [7], "names": None}
    assert info["features"]["observation.images.camera"]["shape"] == [*SIZE, 3]
    assert info["fps"] == 30
    rows = read_episode_rows(collected)
    assert [row["dataset_from_index"] for row in rows[:3]] == [0, 8, 16]
    assert {row["source"] for row in rows} == {"teleop", "cloned", "replay"}
    assert {sentence for row in rows for sentence in row["tasks"]} == {"Scoop material out of the container."}
    assert (collected / "meta" / "stats.json").exists()


def test_neither_workers_nor_stopping_change_what_is_recorded(tmp_path: Path) -> None:
    recipe = replace(make_recipe("pour", "sprint"), episodes=2, image_size=(24, 32), frame_every=60)

    def stop(made: int, wanted: int) -> None:
        if made == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(recipe, tmp_path / "alone", progress=stop)
    collect(recipe, tmp_path / "shared", pool=make_pool(2))
    one, other = (episode_path(tmp_path / name / EPISODES_FOLDER, 0) for name in ("alone", "shared"))
    assert one.read_bytes() == other.read_bytes()
    last = episode_path(tmp_path / "alone" / EPISODES_FOLDER, 1)
    assert not last.exists()
    written_ns = one.stat().st_mtime_ns
    collect(recipe, tmp_path / "alone")
    assert last.read_bytes() == episode_path(tmp_path / "shared" / EPISODES_FOLDER, 1).read_bytes()
    assert one.stat().st_mtime_ns == written_ns


def test_totos_layout_and_back(collected: Path, tmp_path: Path) -> None:
    dataset = open_dataset(collected)
    export_as_toto(dataset, tmp_path / "toto")
    again = get_dataset(str(tmp_path / "toto"))
    assert again.frame_every == 1
    for index, trajectory in enumerate(again.trajectories()):
        np.testing.assert_array_equal(trajectory.actions, dataset.trajectories()[index].actions)
        assert trajectory.total_reward_g == index % 4
    np.testing.assert_array_equal(np.stack(list(again.pictures(2))), np.stack(list(dataset.frames(2))))
    (tmp_path / "toto" / "data" / "00002" / "00001_colour.png").unlink()
    with pytest.raises(DataError, match="Expected a picture at .*00001_colour.png"):
        list(again.pictures(2))


@pytest.mark.parametrize("finished", [False, True])
def test_what_robots_recorded_joins_a_new_version(collected: Path, tmp_path: Path, finished: bool) -> None:
    robot = StandInRobot()
    robot.prepare(Setup("scoop", "green_bowl", "mixed_nuts", "far_centre", 3))
    episode = record(
        robot, Script(np.stack([turned(1.5)] * 5)), frame_every=2, notes={"source": "submitted", "seed": 3}
    )
    write_episode(tmp_path / "submission", 7, episode)
    if finished:
        finish(collected)
    base = open_dataset(collected)
    merged = merge(base, [tmp_path / "submission"], tmp_path / "new")
    assert len(merged) == 13
    new = merged.trajectories()[12]
    assert (new.source, new.total_reward_g, len(new)) == ("submitted", 5.0, 5)
    np.testing.assert_array_equal(np.stack(list(merged.frames(12))), np.stack(list(episode.frames())))
    np.testing.assert_array_equal(np.stack(list(merged.frames(3))), np.stack(list(base.frames(3))))
    with pytest.raises(DataError, match="not empty"):
        merge(base, [tmp_path / "submission"], tmp_path / "new")
    with pytest.raises(DataError, match="found none"):
        merge(base, [tmp_path / "nowhere"], tmp_path / "newer")


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"notes": {"source": "submitted", "task": "pour"}}, "got pour with"),
        ({"pictures": {0: to_png(np.zeros((9, 7, 3), np.uint8))}}, r"got scoop with \[9, 7\] in"),
        ({"pictures": {}}, "got scoop with none in"),
    ],
)
def test_episodes_of_another_task_or_size_do_not_join(
    collected: Path, tmp_path: Path, other: dict[str, Any], told: str
) -> None:
    episode = read_episode(collected / EPISODES_FOLDER, 0)
    write_episode(tmp_path / "submission", 0, replace(episode, **other))
    with pytest.raises(DataError, match=told):
        merge(open_dataset(collected), [tmp_path / "submission"], tmp_path / "new")
    assert not list(tmp_path.glob("*new*")), "a new version appears whole or not at all"


def test_frames_of_two_datasets_may_share_a_folder(collected: Path, tmp_path: Path) -> None:
    other = tmp_path / "another"
    shutil.copytree(collected, other)
    for folder in (collected, other):
        pack_frames(open_dataset(folder), tmp_path / "frames", 16)
    assert len(list((tmp_path / "frames").glob("*.npy"))) == 2 * 12


def test_frames_of_another_size_are_not_mixed(collected: Path, tmp_path: Path) -> None:
    frames, dataset = tmp_path / "frames", open_dataset(collected)
    assert pack_frames(dataset, frames, 16) == 12 * 3
    assert pack_frames(dataset, frames, 16) == 12 * 3
    assert pack_frames(dataset, tmp_path / "shared", 16, pool=make_pool(2)) == 12 * 3
    for shard in frames.glob("*.npy"):
        assert shard.read_bytes() == (tmp_path / "shared" / shard.name).read_bytes()
    with pytest.raises(DataError, match=r"frames of 12 pixels in .*, got \[16, 16\]"):
        pack_frames(dataset, frames, 12)
