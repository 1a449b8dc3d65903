"""Demonstrations: made once, resumed, refused when damaged, drawn again exactly, exported."""

from __future__ import annotations

import json
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from pentathlon.core.errors import DataError, UsageError
from pentathlon.engine import make_pool
from pentathlon.events.see.data import demonstrations
from pentathlon.events.see.data.demonstration_files import Demonstration, attempt_path, read_attempt, write_attempt
from pentathlon.events.see.data.demonstrations import demonstration_folder, frames, make_demonstrations, record_attempt
from pentathlon.events.see.data.lerobot import export_lerobot
from pentathlon.events.see.data.sentences import sentence_of
from pentathlon.storage import making
from pentathlon.storage.lerobot import IMAGE_KEY
from pentathlon.storage.lock import FolderLock
from pentathlon.storage.lossless_video import read_video
from pentathlon.storage.making import claim_name
from pentathlon.worlds.control import CONTROL_TASKS, control_task
from pentathlon.worlds.control.env import ControlEnv
from pentathlon.worlds.control.experts import make_expert

PUSH = control_task("trifinger-push-cube")
DRAWER = control_task("metaworld-drawer-open")


def test_demonstrations_are_made_once_and_more_are_added(tmp_path: Path) -> None:
    made = make_demonstrations(PUSH, 2, root=tmp_path)
    stamps = [attempt_path(made.folder, episode).stat().st_mtime_ns for episode in made.episodes]
    more = make_demonstrations(PUSH, 3, root=tmp_path)
    assert more.episodes[:2] == made.episodes
    assert [attempt_path(made.folder, episode).stat().st_mtime_ns for episode in made.episodes] == stamps
    assert len(more) == 3


def test_a_damaged_attempt_is_made_again_and_equal(tmp_path: Path) -> None:
    made = make_demonstrations(PUSH, 2, root=tmp_path)
    path = attempt_path(made.folder, 1)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="no whole demonstration"):
        read_attempt(made.folder, PUSH, 1)
    make_demonstrations(PUSH, 2, root=tmp_path)
    assert path.read_bytes() == whole


def test_workers_do_not_change_demonstrations(tmp_path: Path) -> None:
    alone = make_demonstrations(PUSH, 2, root=tmp_path / "alone")
    shared = make_demonstrations(PUSH, 2, root=tmp_path / "shared", pool=make_pool(2))
    for one, other in zip(alone, shared, strict=True):
        np.testing.assert_array_equal(one.actions, other.actions)
        np.testing.assert_array_equal(one.states, other.states)


def test_what_another_process_plays_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = make_demonstrations(PUSH, 2, root=tmp_path / "done").folder
    folder = demonstration_folder(PUSH, tmp_path / "shared")
    folder.mkdir(parents=True)
    played: list[int] = []

    def record(env: ControlEnv, episode: int) -> Demonstration:
        played.append(episode)
        return record_attempt(env, episode)

    monkeypatch.setattr(demonstrations, "record_attempt", record)
    monkeypatch.setattr(making, "WAIT_S", 0.01)
    other = FolderLock(folder, claim_name(attempt_path(folder, 0)))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(make_demonstrations, PUSH, 2, root=tmp_path / "shared")
        while not attempt_path(folder, 1).exists():
            time.sleep(0.01)
        assert not waiting.done()
        shutil.copyfile(attempt_path(done, 0), attempt_path(folder, 0))
        other.close()
        assert waiting.result().episodes == (0, 1)
    assert played == [1]


@pytest.mark.parametrize(("content", "reason"), [(b"", "0 bytes"), (b"PAR1", "4 bytes")])
def test_empty_files_are_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    attempt_path(tmp_path, 0).write_bytes(content)
    with pytest.raises(DataError, match=reason):
        read_attempt(tmp_path, PUSH, 0)


def test_an_episode_without_steps_or_of_another_task_is_refused(tmp_path: Path) -> None:
    empty = Demonstration(0, 1, 50.0, *(np.zeros((0, 3), np.float32),) * 2, np.zeros((0, 4)), np.zeros(0, np.float32))
    write_attempt(tmp_path, PUSH, empty)
    with pytest.raises(DataError, match="holds no step"):
        read_attempt(tmp_path, PUSH, 0)
    with pytest.raises(DataError, match="has task 'trifinger-push-cube', expected 'metaworld-drawer-open'"):
        read_attempt(tmp_path, DRAWER, 0)


def test_numbers_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    actions = np.full((2, 3), np.nan, np.float32)
    broken = Demonstration(0, 1, 0.0, actions, actions, np.zeros((2, 4)), np.zeros(2, np.float32))
    write_attempt(tmp_path, PUSH, broken)
    with pytest.raises(DataError, match="'action' that are not finite"):
        read_attempt(tmp_path, PUSH, 0)


def test_failed_attempts_do_not_count_where_the_task_has_a_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def record(env: ControlEnv, episode: int, best: float = 100.0) -> Demonstration:
        score = best * (episode % 2)
        rows = np.zeros((2, 4), np.float32)
        return Demonstration(episode, episode, score, rows, rows, np.zeros((2, 5)), np.zeros(2, np.float32))

    monkeypatch.setattr(demonstrations, "record_attempt", record)
    assert make_demonstrations(DRAWER, 3, root=tmp_path).episodes == (1, 3, 5)
    monkeypatch.setattr(demonstrations, "record_attempt", lambda env, episode: record(env, episode, best=0.0))
    with pytest.raises(DataError, match="gave 0 good demonstrations in 8 attempts, expected 2"):
        make_demonstrations(DRAWER, 2, root=tmp_path / "failing")


def test_frames_are_those_seen_when_recorded(tmp_path: Path) -> None:
    demonstration = next(iter(make_demonstrations(PUSH, 1, root=tmp_path)))
    env, live = ControlEnv(PUSH, images=False), ControlEnv(PUSH)
    observation, _ = live.reset(seed=demonstration.seed)
    for frame, action, proprio in zip(
        frames(env, demonstration), demonstration.actions, demonstration.proprio, strict=True
    ):
        np.testing.assert_array_equal(frame, observation["image"])
        np.testing.assert_array_equal(proprio, observation["proprio"])
        observation = live.step(action)[0]
    for each in (env, live):
        each.close()


def test_states_of_another_model_are_refused(tmp_path: Path) -> None:
    rows = np.zeros((2, 9), np.float32)
    other = Demonstration(0, 1, 0.0, rows, rows, np.zeros((2, 5)), np.zeros(2, np.float32))
    with pytest.raises(DataError, match="states of 5 numbers"):
        next(frames(ControlEnv(PUSH, images=False), other))


def test_a_shorter_horizon_is_another_set(tmp_path: Path) -> None:
    short = replace(PUSH, horizon=4)
    assert [demonstration.length for demonstration in make_demonstrations(PUSH, 1, root=tmp_path)] == [10]
    assert [demonstration.length for demonstration in make_demonstrations(short, 1, root=tmp_path)] == [4]


def test_folder_follows_from_task_and_expert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = demonstration_folder(PUSH, tmp_path)
    assert demonstration_folder(DRAWER, tmp_path) != before
    monkeypatch.setattr(demonstrations, "expert_version", lambda task: "another")
    assert demonstration_folder(PUSH, tmp_path) != before


def test_every_task_has_a_sentence_of_its_own() -> None:
    sentences = [sentence_of(task) for task in CONTROL_TASKS]
    assert len(set(sentences)) == len(sentences) == 15


def test_export_holds_lossless_frames_in_lerobot_layout(tmp_path: Path) -> None:
    made = make_demonstrations(PUSH, 2, root=tmp_path / "made")
    env = ControlEnv(PUSH, images=False)
    export_lerobot(made, tmp_path / "dataset", env)
    info = json.loads((tmp_path / "dataset" / "meta" / "info.json").read_text())
    assert info["codebase_version"] == "v3.0"
    assert info["total_frames"] == 20
    tasks = pq.read_table(tmp_path / "dataset" / "meta" / "tasks.parquet")
    assert tasks.column("task").to_pylist() == ["Push the cube onto the green square."]
    table = pq.read_table(tmp_path / "dataset" / info["data_path"].format(chunk_index=0, file_index=1))
    assert set(info["features"]) == {*table.column_names, IMAGE_KEY}
    assert table.column("index").to_pylist() == list(range(10, 20))
    demonstration = list(made)[1]
    np.testing.assert_array_equal(np.stack(table.column("action").to_pylist()), demonstration.actions)
    video = tmp_path / "dataset" / info["video_path"].format(video_key=IMAGE_KEY, chunk_index=0, file_index=1)
    for stored, drawn in zip(read_video(video, 10), frames(env, demonstration), strict=True):
        np.testing.assert_array_equal(stored, drawn)
    with pytest.raises(UsageError, match="not empty"):
        export_lerobot(made, tmp_path / "dataset", env)
    env.close()


def test_a_disturbed_expert_is_recorded_as_it_meant_to_act() -> None:
    task = replace(control_task("dmcontrol-finger-spin"), horizon=30)
    env = ControlEnv(task, images=False)
    demonstration = record_attempt(env, 0)
    env.reset(seed=demonstration.seed)
    expert = make_expert(task, env.physics)
    moved = 0.0
    for state, following, action in zip(
        demonstration.states, demonstration.states[1:], demonstration.actions, strict=False
    ):
        env.set_physics_state(state)
        np.testing.assert_allclose(expert.act(), action, atol=1e-6)
        env.physics.step(action.astype(np.float64))
        moved = max(moved, float(np.abs(env.physics.data.qpos - following[1 : 1 + env.physics.model.nq]).max()))
    assert moved > 1e-3
    np.testing.assert_array_equal(record_attempt(env, 0).states, demonstration.states)
