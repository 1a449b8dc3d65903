"""Frames of control scenes and benches with the truth about places: where every body is in the picture, and how far.

States come from random play and from joints moved at random, so that things are also where play never takes them, such
as in the hand. No demonstration and no episode of an evaluation is among them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import mujoco
import numpy as np
import numpy.typing as npt
from PIL import Image

from pentathlon.core import derive_seed, to_plain
from pentathlon.core.making import Item, Pool
from pentathlon.learning.pretraining.frames import Frames, write_shard
from pentathlon.storage.files import replacing
from pentathlon.storage.making import SERIAL, make_counted
from pentathlon.worlds.tabletop.arm.robot import TaskName

FRAMES_PER_SHARD = 240
FRAMES_PER_EPISODE = 12
FRAMES_PER_BENCH = 80
BENCHES: Mapping[str, TaskName] = {"bench-pour": "pour", "bench-scoop": "scoop"}
STEPS_BETWEEN = 4
CALM = 0.95
"""Weight of the last action in the next, so that play drifts far from where it began."""
MOVED_SHARE = 0.5
JOINT_NOISE = 0.15
"""Of a joint's range, or of a turn."""
FREE_NOISE_M = 0.1
NEAREST_M = 0.02
OUTSIDE = 1.5
"""Places beyond this, where the picture ends at 1, are told as this."""


@dataclass(frozen=True)
class Job:
    """One shard: ``FRAMES_PER_SHARD`` frames of a ``world``, a control task or a bench."""

    world: str
    index: int
    size_px: int


def points_path(shard: Path) -> Path:
    """Where the truth about a shard of frames lies: float32 ``[N, P, 3]``, x and y in [-1, 1] and log of metres."""
    return shard.parent.parent / "points" / shard.name


def make_place_frames(
    shards_per_task: int,
    size_px: int,
    out: Path,
    *,
    pool: Pool = SERIAL,
    progress: Callable[[int, int], None] = lambda made, wanted: None,
) -> int:
    """Renders the shards ``places/*.npy`` with ``points/*.npy`` that are not there, and returns how many were made."""
    from pentathlon.worlds.control import CONTROL_TASKS

    folder = out.absolute() / "places"
    worlds = [task.name for task in CONTROL_TASKS] + list(BENCHES)
    jobs = [Job(world, index, size_px) for index in range(shards_per_task) for world in worlds]
    items = [Item(str(folder / f"{job.world}-{job.index:05d}.npy"), to_plain(job)) for job in jobs]
    return make_counted(f"{__name__}:make_shard", items, pool=pool, progress=progress)


def make_shard(path: Path, about: dict[str, Any]) -> None:
    """Renders the shard that ``about``, a :class:`Job`, describes; the truth first, so that frames are never alone."""
    job = msgspec.convert(about, Job)
    seen, points = zip(*(_benches(job) if job.world in BENCHES else _play(job)), strict=True)
    points_path(path).parent.mkdir(parents=True, exist_ok=True)
    with replacing(points_path(path)) as temporary, temporary.open("wb") as file:
        np.save(file, np.stack(points))
    write_shard(path, seen)


def _benches(job: Job) -> Iterator[tuple[Frames, npt.NDArray[np.float32]]]:
    from pentathlon.learning.pretraining.place_benches import SIZE, bench_states
    from pentathlon.worlds.rendering import Raycaster

    for part in range(FRAMES_PER_SHARD // FRAMES_PER_BENCH):
        rng = np.random.default_rng(derive_seed("place-frames", job.world, job.index, part))
        eyes: Raycaster | None = None
        for state in bench_states(BENCHES[job.world], FRAMES_PER_BENCH, rng):
            eyes = eyes or Raycaster(state.model, "fast")
            picture = Image.fromarray(eyes.render(state.data, state.camera, SIZE).rgb)
            squeezed = picture.resize((job.size_px, job.size_px), Image.Resampling.BICUBIC)
            points = image_points(state.model, state.data, state.camera, state.bodies, SIZE[0] / SIZE[1])
            yield np.asarray(squeezed), points
        if eyes is not None:
            eyes.close()


def _play(job: Job) -> Iterator[tuple[Frames, npt.NDArray[np.float32]]]:
    from pentathlon.worlds.control.env import ControlEnv
    from pentathlon.worlds.control.tasks import control_task

    environment = ControlEnv(replace(control_task(job.world), image_size=job.size_px), images=False)
    physics = environment.physics
    for episode in range(FRAMES_PER_SHARD // FRAMES_PER_EPISODE):
        seed = derive_seed("place-frames", job.world, job.index, episode) % 2**31
        rng = np.random.default_rng(seed)
        environment.reset(seed=seed)
        action = rng.normal(size=physics.action_size)
        for _ in range(FRAMES_PER_EPISODE):
            for _ in range(STEPS_BETWEEN if environment.horizon >= FRAMES_PER_EPISODE * STEPS_BETWEEN else 0):
                action = CALM * action + math.sqrt(1 - CALM**2) * rng.normal(size=action.shape)
                environment.step(np.clip(action, -1.0, 1.0).astype(np.float32))
            kept = physics.state()
            if environment.horizon < FRAMES_PER_EPISODE * STEPS_BETWEEN or rng.random() < MOVED_SHARE:
                move_joints(physics.model, physics.data, rng)
            yield environment.frame().copy(), image_points(physics.model, physics.data, environment.camera)
            physics.set_state(kept)
    environment.close()


def move_joints(model: Any, data: Any, rng: np.random.Generator) -> None:
    """Moves every joint at random; what is free goes somewhere near, or to where some other body is."""
    noise = rng.random() ** 2
    for joint in range(model.njnt):
        kind, first = model.jnt_type[joint], model.jnt_qposadr[joint]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            if rng.random() < 0.5:
                data.qpos[first : first + 3] = data.xpos[rng.integers(1, model.nbody)]
            data.qpos[first : first + 3] += rng.normal(size=3) * FREE_NOISE_M * noise
            if rng.random() < 0.5:
                data.qpos[first + 3 : first + 7] = rng.normal(size=4)
        elif kind in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            low, high = model.jnt_range[joint] if model.jnt_limited[joint] else (-math.pi, math.pi)
            moved = data.qpos[first] + rng.normal() * JOINT_NOISE * (high - low) * noise
            data.qpos[first] = np.clip(moved, low, high) if model.jnt_limited[joint] else moved
    mujoco.mj_normalizeQuat(model, data.qpos)
    mujoco.mj_fwdPosition(model, data)


def image_points(
    model: Any, data: Any, camera: str, bodies: npt.NDArray[Any] | None = None, aspect: float = 1.0
) -> npt.NDArray[np.float32]:
    """Returns where bodies, their centres of mass, sites and the world's own geoms are seen: ``[P, 3]``.

    The ground below what stands or hangs free is told too: a camera that follows a walker sees its height by that.

    Args:
        model: the scene.
        data: its state.
        camera: its name.
        bodies: which to tell of; all unless given.
        aspect: width over height of the picture.
    """
    world_geoms = data.geom_xpos[model.geom_bodyid == 0]
    told = np.arange(1, model.nbody) if bodies is None else bodies
    ground = data.xpos[told[model.body_parentid[told] == 0]] * (1.0, 1.0, 0.0)
    points_m = np.concatenate([data.xpos[told], data.xipos[told], data.site_xpos, world_geoms, ground])
    number = model.camera(camera).id
    local = (points_m - data.cam_xpos[number]) @ data.cam_xmat[number].reshape(3, 3)
    depth_m = np.maximum(-local[:, 2], NEAREST_M)
    reach_m = depth_m * math.tan(math.radians(float(model.cam_fovy[number])) / 2.0)
    x, y = local[:, 0] / (aspect * reach_m), -local[:, 1] / reach_m
    return np.stack([x.clip(-OUTSIDE, OUTSIDE), y.clip(-OUTSIDE, OUTSIDE), np.log(depth_m)], axis=1).astype(np.float32)
