"""A dataset as LeRobot reads it: sentences of tasks, and the spread that its learners normalise by."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from pentathlon.core.errors import DataError
from pentathlon.storage.lerobot import (
    IMAGE_KEY,
    DatasetInfo,
    Episode,
    episode_paths,
    read_episode_rows,
    read_frames,
    write_dataset,
)

SENTENCE = "Pour what is in the cup into the bowl."
GENERATOR = np.random.default_rng(0)
ACTIONS = [GENERATOR.normal(size=(length, 2)).astype(np.float32) for length in (5, 12)]
REWARDS = [GENERATOR.uniform(size=length).astype(np.float32) for length in (5, 12)]
FRAMES = [GENERATOR.integers(0, 256, (length, 32, 48, 3), dtype=np.uint8) for length in (5, 12)]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    write(tmp_path / "set")
    return tmp_path / "set"


def write(folder: Path) -> None:
    episodes = [
        Episode({"action": actions, "next.reward": rewards}, frames, {})
        for actions, rewards, frames in zip(ACTIONS, REWARDS, FRAMES, strict=True)
    ]
    write_dataset(folder, DatasetInfo(SENTENCE, "franka", 10.0, (32, 48)), episodes)


def stats_of(folder: Path) -> Any:
    return json.loads((folder / "meta" / "stats.json").read_text())


def test_the_table_of_tasks_has_their_sentences_as_its_index(dataset: Path) -> None:
    table = pq.read_table(dataset / "meta" / "tasks.parquet")
    note = json.loads(table.schema.metadata[b"pandas"])
    assert note["index_columns"] == ["task"]
    assert {column["field_name"] for column in note["columns"]} == {"task_index", "task"}
    assert table.to_pydict() == {"task_index": [0], "task": [SENTENCE]}


def test_every_feature_has_its_spread(dataset: Path) -> None:
    stats, info = stats_of(dataset), json.loads((dataset / "meta" / "info.json").read_text())
    assert stats.keys() == info["features"].keys()
    actions = np.concatenate(ACTIONS).astype(np.float64)
    np.testing.assert_allclose(stats["action"]["mean"], actions.mean(0))
    np.testing.assert_allclose(stats["action"]["std"], actions.std(0))
    np.testing.assert_allclose(stats["action"]["q90"], np.quantile(actions, 0.9, axis=0))
    assert (stats["next.reward"]["max"], stats["next.reward"]["count"]) == ([np.concatenate(REWARDS).max()], [17])
    assert (stats["index"]["min"], stats["index"]["max"]) == ([0], [16])


def test_colours_are_counted_over_every_tenth_picture_of_an_episode(dataset: Path) -> None:
    counted = np.stack([FRAMES[0][0], FRAMES[1][0], FRAMES[1][10]]) / 255.0
    colours = stats_of(dataset)[IMAGE_KEY]
    assert colours["count"] == [3]
    for name, expected in (("mean", counted.mean((0, 1, 2))), ("std", counted.std((0, 1, 2)))):
        assert np.shape(colours[name]) == (3, 1, 1)
        np.testing.assert_allclose(np.ravel(colours[name]), expected)
    np.testing.assert_allclose(np.ravel(colours["q50"]), np.median(counted, axis=(0, 1, 2)), atol=1 / 255)


def test_writing_that_was_stopped_ends_with_the_same_spread(dataset: Path) -> None:
    before = stats_of(dataset)
    for path in (dataset / "meta" / "info.json", next((dataset / "videos").rglob("file-001.mp4"))):
        path.unlink()
    write(dataset)
    assert stats_of(dataset) == before


@pytest.mark.skipif(importlib.util.find_spec("lerobot") is None, reason="lerobot is not installed; pip install lerobot")
def test_lerobots_own_reader_gives_sentences_and_spread(dataset: Path) -> None:
    module = pytest.importorskip("lerobot.datasets.lerobot_dataset")
    read = module.LeRobotDatasetMetadata("local/test", root=dataset)
    # As LeRobotDataset.__getitem__ does; frames are left out, since their decoders differ between installations.
    assert read.tasks.iloc[0].name == SENTENCE
    np.testing.assert_allclose(read.stats["action"]["std"], np.concatenate(ACTIONS).astype(np.float64).std(0))
    # It refuses what it cannot use; two of one add up to the same.
    together = pytest.importorskip("lerobot.datasets.compute_stats").aggregate_stats([read.stats, read.stats])
    np.testing.assert_allclose(together["action"]["mean"], read.stats["action"]["mean"])


def test_a_bit_that_flipped_in_a_video_is_told(dataset: Path) -> None:
    row = read_episode_rows(dataset)[1]
    assert len(list(read_frames(dataset, row))) == 12
    video = episode_paths(dataset, 1)[1]
    content = bytearray(video.read_bytes())
    content[len(content) // 2] ^= 1
    video.write_bytes(content)
    with pytest.raises(DataError, match="damaged: its checksum"):
        list(read_frames(dataset, row))


def test_a_dataset_without_checksums_is_read(dataset: Path) -> None:
    row = {name: value for name, value in read_episode_rows(dataset)[0].items() if "sha256" not in name}
    np.testing.assert_array_equal(list(read_frames(dataset, row)), FRAMES[0])
