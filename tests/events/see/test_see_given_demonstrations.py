"""Demonstrations that a user gives: ours exported teach the same policy, and what does not fit is refused."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from pentathlon.core import DataError, EntrantEntry, Outcome, Workspace, content_hash
from pentathlon.engine.workers.workbench import Workbench
from pentathlon.events.see.data.demonstrations import make_demonstrations
from pentathlon.events.see.data.lerobot import export_lerobot
from pentathlon.events.see.lessons import read_given
from pentathlon.events.see.protocol import SeeProtocol, full_id, make_protocol, rehearsal
from pentathlon.events.see.tasks import SeeTask
from pentathlon.events.see.trial import open_environment
from pentathlon.models.encoders.factories import pixels, random_vit
from pentathlon.storage.lerobot import CHECKSUM, EPISODES_PATH, DatasetInfo, Episode, episode_paths, write_dataset

ENTRY = EntrantEntry("stub", "encoder", "", "see_stubs:stub")
REACH = make_protocol("trifinger-reach-cube", "lite")
SMALL = replace(REACH, demonstrations=2, evaluation_episodes=2, seeds=(100,), recipe=replace(REACH.recipe, epochs=2))


def run(protocol: SeeProtocol, given: Any, encoder: Any, folder: Path) -> tuple[list[Outcome], bytes]:
    """The outcomes of the first heat, and its trained policy."""
    task = SeeTask(protocol, given)
    outcomes = list(Workbench(task, encoder, Workspace(folder), ENTRY).run(task.heats()[0]))
    assert {outcome.error for outcome in outcomes} == {""}
    return outcomes, (folder / outcomes[0].artifacts["policy"]).read_bytes()


@pytest.mark.parametrize("adapt", ["frozen", "e2e"])
def test_our_own_demonstrations_exported_teach_the_same_policy(
    adapt: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = partial(make_demonstrations, root=tmp_path / "made")
    monkeypatch.setattr("pentathlon.events.see.features.make_demonstrations", ours)
    protocol = replace(SMALL, adapt=adapt, encoder_learning_rate=1e-3)
    encoder: Any = pixels(4) if adapt == "frozen" else random_vit("tiny", image_size=32)
    outcomes, policy = run(protocol, (), encoder, tmp_path / "own")
    with closing(open_environment(protocol)) as environment:
        # One more than is needed: the first count.
        export_lerobot(ours(protocol.task, 3), tmp_path / "sets" / protocol.task.name, environment)
    monkeypatch.setattr(
        "pentathlon.events.see.features.make_demonstrations", lambda *_: pytest.fail("asked our expert")
    )
    given = read_given(tmp_path / "sets", protocol)
    variant = replace(protocol, teacher=given.teacher)
    # Our expert's score is no ceiling for what others demonstrate.
    assert SeeTask(variant, given.lessons).metrics[0].ceiling is None
    again, same_policy = run(variant, given.lessons, encoder, tmp_path / "again")
    assert [outcome.metrics for outcome in again] == [outcome.metrics for outcome in outcomes]
    assert same_policy == policy
    assert content_hash(variant) != content_hash(protocol)


@dataclass(frozen=True)
class Dataset:
    """Two demonstrations that fit :data:`SMALL`, unless something is changed."""

    task: str = full_id(REACH.task)
    image_size: tuple[int, int] = (270, 270)
    steps: int = 5
    pictures: int = 5
    action_size: int = 3
    proprio_size: int = 9
    action: float = 0.25
    episodes: int = 2

    def write(self, folder: Path) -> Path:
        columns = {
            "action": np.full((self.steps, self.action_size), self.action, np.float32),
            "observation.state": np.zeros((self.steps, self.proprio_size), np.float32),
        }
        episodes = [
            Episode(columns, np.full((self.pictures, *self.image_size, 3), 40 * number, np.uint8), {})
            for number in range(self.episodes)
        ]
        write_dataset(folder, DatasetInfo(self.task, "trifinger", 2.5, self.image_size), episodes)
        return folder


def test_content_names_them_and_not_the_place(tmp_path: Path) -> None:
    def teacher(folder: Path, protocol: SeeProtocol = SMALL) -> str:
        return read_given(folder, protocol).teacher

    first = teacher(Dataset().write(tmp_path / "a"))
    assert first.startswith("dataset-")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    assert teacher(tmp_path / "b") == first
    assert teacher(Dataset(episodes=3).write(tmp_path / "more")) == first
    assert teacher(Dataset(action=0.5).write(tmp_path / "c")) != first
    forget_checksums(tmp_path / "b")
    assert teacher(tmp_path / "b") == first
    shutil.copy(episode_paths(tmp_path / "b", 0)[1], episode_paths(tmp_path / "b", 1)[1])
    assert teacher(tmp_path / "b") != first
    assert rehearsal(replace(SMALL, teacher=first)).teacher == first


def test_the_lessons_hold_what_was_written(tmp_path: Path) -> None:
    _, second = read_given(Dataset().write(tmp_path), SMALL).lessons
    np.testing.assert_array_equal(second.actions, np.full((5, 3), 0.25, np.float32))
    assert second.proprio.shape == (5, 9)
    for _ in range(2):
        np.testing.assert_array_equal(np.stack(list(second.frames())), np.full((5, 270, 270, 3), 40, np.uint8))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"task": "see/adroit-pen-v1"}, r"task \['Touch the cube with the finger.'\], got \['see/adroit-pen-v1'\]"),
        ({"image_size": (64, 48)}, r"video \(frames, height, width\) \(5, 270, 270\), got \(5, 64, 48\)"),
        ({"steps": 6, "pictures": 6}, "steps 5, got 6"),
        ({"pictures": 4}, r"\(5, 270, 270\), got \(4, 270, 270\)"),
        ({"action_size": 9}, "numbers of an action 3, got 9"),
        ({"proprio_size": 0}, "numbers of proprioception 9, got 0"),
        ({"action": np.nan}, "not finite"),
        ({"episodes": 1, "task": "see/adroit-pen-v1"}, "expected task"),
        ({"episodes": 0}, "holds 0 demonstrations"),
        ({"episodes": 1}, "holds 1 demonstrations, see/trifinger-reach-cube-lite-v1 learns from 2"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=reason):
        read_given(Dataset(**changes).write(tmp_path / "set"), SMALL)


def forget_checksums(folder: Path) -> None:
    """Leaves a dataset as those of others are."""
    path = folder / EPISODES_PATH
    table = pq.ParquetFile(path).read()
    pq.write_table(table.drop_columns([CHECKSUM]), path)


def test_a_video_that_is_not_what_was_written_is_refused(tmp_path: Path) -> None:
    Dataset().write(tmp_path)
    shutil.copy(episode_paths(tmp_path, 0)[1], episode_paths(tmp_path, 1)[1])
    with pytest.raises(DataError, match=r"file-001\.mp4 is damaged: its checksum"):
        read_given(tmp_path, SMALL)


@pytest.mark.parametrize("which", ["rows", "video"])
def test_a_file_that_was_cut_short_is_refused(which: str, tmp_path: Path) -> None:
    rows, video = episode_paths(Dataset().write(tmp_path), 1)
    forget_checksums(tmp_path)
    path = rows if which == "rows" else video
    whole = path.read_bytes()
    for missing in (100, 200, 250, 500, len(whole) // 2, len(whole)):
        path.write_bytes(whole[:-missing])
        with pytest.raises(DataError, match=r"file-001\.(parquet, could not read|mp4 is no whole video)|got \(0, 270,"):
            read_given(tmp_path, SMALL)
    path.unlink()
    with pytest.raises(DataError, match=r"file-001.*No such file"):
        read_given(tmp_path, SMALL)


def test_an_empty_folder_is_no_dataset(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(DataError, match=r"Expected a LeRobotDataset at .*Write one with `pentathlon data import`"):
            read_given(folder, SMALL)
