"""Places told to an encoder are those that the eyes see, and learning them makes it tell them."""

from __future__ import annotations

import json
from pathlib import Path

import mujoco
import numpy as np
import pytest
import torch
from safetensors import safe_open

from pentathlon.core.errors import DataError
from pentathlon.learning.pretraining import place_benches, place_frames
from pentathlon.learning.pretraining.place_frames import image_points, move_joints, points_path
from pentathlon.learning.pretraining.places import _Crop, read_lessons, train_places
from pentathlon.learning.pretraining.settings import PlacesSettings
from pentathlon.models.encoders.factories import trained
from pentathlon.models.encoders.resnet import KeypointNet
from pentathlon.worlds.rendering import Raycaster

BALL = """<mujoco><worldbody><camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 .45 .9"/><light pos="0 0 3"/>
<geom type="plane" size="3 3 .1"/>
<body name="ball" pos=".4 .3 .5"><freejoint/><geom size=".08" rgba="1 0 0 1"/></body></worldbody></mujoco>"""


def test_a_body_is_seen_where_the_truth_says() -> None:
    model = mujoco.MjModel.from_xml_string(BALL)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    for size in ((120, 120), (160, 120)):
        mujoco.mj_resetData(model, data)
        mujoco.mj_forward(model, data)
        move_joints(model, data, rng)
        x, y, log_depth = image_points(model, data, "eye", aspect=size[0] / size[1])[0]
        with Raycaster(model, "fast") as eyes:
            frame = eyes.render(data, "eye", size)
        column, row = int((x + 1) / 2 * size[0]), int((y + 1) / 2 * size[1])
        assert frame.geom_id[row, column] == 1
        assert np.exp(log_depth) - frame.depth_m[row, column] == pytest.approx(0.08, abs=0.02)


def test_a_crop_moves_points_as_it_moves_pixels() -> None:
    frames = torch.zeros(1, 64, 64, 3, dtype=torch.uint8)
    frames[0, 20:24, 40:44] = 255
    whole = torch.tensor([[[(42 / 64) * 2 - 1, (22 / 64) * 2 - 1, 0.0]]])
    crop = _Crop(torch.tensor([0.1]), torch.tensor([0.05]), torch.tensor([0.8]))
    picture = crop.cut(frames, 64)[0, 0]
    ys, xs = torch.meshgrid(torch.arange(64) + 0.5, torch.arange(64) + 0.5, indexing="ij")
    seen = [float((picture * axis).sum() / picture.sum()) / 32 - 1 for axis in (xs, ys)]
    assert crop.seen(whole)[0, 0, :2].tolist() == pytest.approx(seen, abs=0.01)


def test_a_keypoint_follows_what_it_looks_at() -> None:
    torch.manual_seed(0)
    network = KeypointNet(8, image_size=64).eval()
    share = torch.zeros(1, 16, 8, 8)
    share[0, 3, 2, 5] = 50.0
    network.maps.register_forward_hook(lambda *_: share)
    pooled = network(torch.zeros(1, 3, 64, 64)).pooled
    assert pooled.shape == (1, network.dim)
    assert (float(pooled[0, 3]), float(pooled[0, 8 + 3])) == pytest.approx((11 / 8 - 1, 5 / 8 - 1), abs=1e-3)


def test_training_lowers_the_error_and_names_no_folder(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for index in range(2):
        frames = np.zeros((32, 64, 64, 3), np.uint8)
        spots = rng.integers(8, 50, (32, 2))
        for frame, (row, column) in zip(frames, spots, strict=True):
            frame[row : row + 6, column : column + 6] = 255
        points = np.stack([(spots[:, 1] + 3) / 32 - 1, (spots[:, 0] + 3) / 32 - 1, np.zeros(32)], axis=1)
        path = tmp_path / "data" / "places" / f"made-up-{index:05d}.npy"
        for folder in (path.parent, points_path(path).parent):
            folder.mkdir(parents=True, exist_ok=True)
        np.save(path, frames)
        np.save(points_path(path), points[:, None].astype(np.float32))
    data, out = tmp_path / "data", tmp_path / "out"
    settings = PlacesSettings(data=data, out=out, steps=30, batch_size=16, points=8, image_size=64, log_every=5)
    encoder = trained(str(train_places(settings)), device="cpu")
    assert encoder.spec.dim == 24
    assert encoder.encode(np.zeros((1, 48, 64, 3), np.uint8)).pooled.shape == (1, 24)
    with safe_open(str(settings.out / "encoder.safetensors"), framework="numpy") as file:
        assert str(tmp_path) not in str(file.metadata())
    lessons = read_lessons(tmp_path / "data", torch.device("cpu"))
    assert lessons[0].held_out == 32
    losses = [json.loads(line)["loss"] for line in (settings.out / "log.jsonl").read_text().splitlines()]
    assert losses[-1] < 0.7 * losses[0]


def test_without_frames_it_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="data frames places"):
        read_lessons(tmp_path, torch.device("cpu"))


def test_frames_of_a_bench_and_a_task_come_with_their_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place_frames, "FRAMES_PER_SHARD", 2)
    monkeypatch.setattr(place_frames, "FRAMES_PER_EPISODE", 2)
    monkeypatch.setattr(place_frames, "FRAMES_PER_BENCH", 2)
    monkeypatch.setattr(
        place_benches, "settled_grains", lambda scene, *_: np.tile(np.eye(7)[3], (len(scene.grain_bodies), 1))
    )
    for world in ("bench-pour", "trifinger-push-cube"):
        path = tmp_path / "places" / f"{world}-00000.npy"
        path.parent.mkdir(exist_ok=True)
        place_frames.make_shard(path, {"world": world, "index": 0, "size_px": 32})
        frames, points = np.load(path), np.load(points_path(path))
        assert frames.shape == (2, 32, 32, 3)
        assert points.shape[0] == 2
        assert np.ptp(points, axis=0).max() > 0.01
        assert np.isfinite(points).all()
