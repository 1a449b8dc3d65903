from __future__ import annotations

import math
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest
import torch

from pentathlon.learning.detectors.corpus import (
    Recipe,
    group_paths,
    house_attributes,
    make_corpus,
    read_corpus,
    read_pictures,
)
from pentathlon.learning.detectors.looking import (
    CpuLooker,
    GpuLooker,
    Seen,
    floor_distances,
    measured,
    measured_together,
)
from pentathlon.learning.detectors.loss import object_numbers
from pentathlon.learning.detectors.poses import Pose
from pentathlon.learning.detectors.stocking import stocked
from pentathlon.learning.detectors.views import (
    GroupViews,
    HouseViews,
    ViewsJob,
    array_path,
    render_group,
    render_house,
)
from pentathlon.storage.making import SERIAL
from pentathlon.worlds.houses.furnishing.footprint import passing_variants
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.splits import VARIANTS, training_variants
from pentathlon.worlds.houses.tasks.targets import ROBOTHOR_TYPES
from pentathlon.worlds.houses.ways.navigation import NavigationMap

JOB = ViewsJob("train", 0, 2, 3, group=1, variants=1)


def test_facts_agree_with_the_pixels() -> None:
    with passing_variants():
        facts, pixels = render_house(JOB, 1)
    assert msgspec.json.decode(msgspec.json.encode(facts), type=HouseViews) == facts
    assert pixels.shape == (3, 224, 224, 6)
    assert facts.house == "train/1"
    numbers = object_numbers(torch.from_numpy(pixels)).numpy()
    for frame, rows in zip(numbers, facts.frames, strict=True):
        seen, counts = np.unique(frame[frame >= 0], return_counts=True)
        large = {int(n): int(c) for n, c in zip(seen, counts, strict=True) if c >= 20}
        assert {row.object: row.pixels for row in rows} == large
        assert max(large, default=0) < len(facts.objects)
    again, same = render_house(JOB, 1)
    assert again == facts
    assert np.array_equal(pixels, same)


def test_a_thing_is_as_far_as_its_pixels() -> None:
    ids = np.full((6, 10), -1, np.int32)
    ids[:, :5] = 7
    depth_m = np.arange(60, dtype=np.float32).reshape(6, 10)
    (seen,) = measured(ids, depth_m, depth_m / 2)
    assert seen == Seen(7, 30, float(np.median(depth_m[:, :5])), 0.0)


def test_many_views_are_measured_as_one_is() -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(-1, 6, (3, 20, 20)).astype(np.int32)
    ids[1] = -1
    depth_m = rng.uniform(0.2, 9.0, ids.shape).astype(np.float32)
    tensors = (torch.from_numpy(array) for array in (ids.astype(np.int64), depth_m, depth_m / 2))
    slow = [measured(*views) for views in zip(ids, depth_m, depth_m / 2, strict=True)]
    assert measured_together(*tensors) == slow
    assert len(slow[0]) == 6
    assert slow[1] == ()


def test_the_gpu_sees_a_house_as_the_cpu_does() -> None:
    scene = compile_house(House.generate(3, variants=training_variants(0, 1)), switchable=False)
    data = scene.new_data()
    x_m, y_m = NavigationMap.of_scene(scene.house, scene.model, data).random_place(np.random.default_rng(0))
    poses = [Pose(x_m, y_m, 120.0 * turn, 0.87, 10.0 * turn, 90.0 - 10.0 * turn) for turn in range(3)]
    with CpuLooker(scene, data) as cpu, GpuLooker(scene, data, device="cpu") as gpu:
        for ours, theirs in zip(cpu.look(poses), gpu.look(poses), strict=True):
            apart = np.abs(ours.pixels.astype(int) - theirs.pixels)
            assert apart[..., :3].mean() < 0.1
            assert (apart[..., 3:] > 0).mean() < 0.001
            assert {seen.object for seen in theirs.seen} == {seen.object for seen in ours.seen}


def test_a_house_that_fails_is_skipped_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fake(job: ViewsJob, index: int) -> tuple[HouseViews, np.ndarray]:
        if index == 0:
            raise ValueError("no outline")
        return HouseViews("train/1", (), ((),) * 3), np.zeros((3, 224, 224, 6), np.uint8)

    monkeypatch.setattr("pentathlon.learning.detectors.views.render_house", fake)
    kept: list[np.ndarray] = []
    group = render_group(JOB, kept.append)
    assert [house.house for house in group.houses] == ["train/1"]
    assert group.skipped == ("train house 0: ValueError: no outline",)
    assert [len(pixels) for pixels in kept] == [3]


def test_training_houses_hold_no_variant_of_the_others_and_what_walks_look_for() -> None:
    kept = {variant for split in ("val", "test") for variant in VARIANTS[split]}  # type: ignore[index]
    drawn = [training_variants(group, 4) for group in range(200)]
    numbers = [variant for variants in drawn for variant in variants]
    assert len(set(numbers)) == len(numbers)
    assert not kept & set(numbers)
    house = House.generate(5, variants=drawn[150])
    more = stocked(house, drawn[150], np.random.default_rng(0))
    assert {item.variant for item in more.objects} <= set(drawn[150])
    assert more.objects[: len(house.objects)] == house.objects
    wanted = [sum(item.type in ROBOTHOR_TYPES for item in one.objects) for one in (house, more)]
    assert wanted[1] > wanted[0]


def test_distances_along_the_floor_of_a_camera_that_looks_down() -> None:
    depth_m = np.full((101, 101), 2.0, np.float32)
    floor_m = floor_distances(depth_m, 30.0, 90.0)
    assert floor_m[50, 50] == pytest.approx(2.0 * math.cos(math.radians(30.0)), abs=0.01)
    assert floor_m[100, 50] < floor_m[50, 50] < floor_m[0, 50]


def test_no_group_is_begun_after_the_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[str] = []

    def fake(path: Path, about: dict[str, object]) -> None:
        began.append(path.name)
        job = msgspec.convert(about, ViewsJob)
        houses = tuple(HouseViews(f"train/{i}", (), ((),) * job.frames) for i in range(job.houses))
        np.save(array_path(path), np.zeros((job.houses * job.frames, 8, 8, 6), np.uint8))
        path.write_bytes(msgspec.json.encode(GroupViews(houses, ("one",) if job.part == "tune" else ())))
        time.sleep(0.1)

    monkeypatch.setattr("pentathlon.learning.detectors.corpus.make_views", fake)
    recipe = Recipe(train=18, tune=1, held_out=1, frames=2, measured_frames=2, group=2)
    made = make_corpus(recipe, tmp_path, minutes=0.25 / 60)
    assert 0 < len(began) < 11
    assert made.houses == sum(1 if path.parent.name != "train" else 2 for path in tmp_path.rglob("*.json"))
    assert made.skipped == ("one",)
    assert make_corpus(recipe, tmp_path, pool=SERIAL).houses == 20
    assert len(began) == 11
    corpus = read_corpus(group_paths(tmp_path, "train", 4), house_attributes())
    assert (corpus.houses, len(corpus.base)) == (8, 16)
    assert read_pictures(group_paths(tmp_path, "train", 4), torch.device("cpu")).shape == (16, 8, 8, 6)
