"""The kernels for GPUs draw what the CPU's ray caster draws: every feature, two settings, moving bodies."""

from __future__ import annotations

from contextlib import closing

import mujoco
import numpy as np
import pytest
import torch

from pentathlon.core.errors import MissingDependencyError, UsageError
from pentathlon.worlds.rendering import Raycaster, open_eyes, renderer_info
from pentathlon.worlds.rendering.cameras import camera_row
from pentathlon.worlds.rendering.gallery.compare import difference
from pentathlon.worlds.rendering.gallery.models import FEATURE_NAMES, exhibit
from pentathlon.worlds.rendering.gpu import BatchEyes, GpuEyes, Pictures, SceneTable
from pentathlon.worlds.rendering.gpu.eyes import ModelScene
from pentathlon.worlds.rendering.gpu.records import pack_part
from pentathlon.worlds.rendering.gpu.scenes import PlacedPart
from pentathlon.worlds.rendering.settings import FAST

SIZE = (96, 72)


def agree(cpu: Raycaster, gpu: GpuEyes, data: mujoco.MjData, camera: str | int) -> None:
    found = difference(cpu.render(data, camera, SIZE), gpu.render(data, camera, SIZE))
    assert found.depth_equal >= 0.995, found
    assert found.ids_equal >= 0.995, found
    assert found.colour_mean_abs <= 1.0, found


@pytest.mark.parametrize("setting", ["fast", "fine"])
@pytest.mark.parametrize("name", FEATURE_NAMES)
def test_draws_what_the_cpu_draws(name: str, setting: str, device: str) -> None:
    shown = exhibit(name)
    model = shown.load()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with closing(Raycaster(model, setting)) as cpu, closing(GpuEyes(model, setting, device=device)) as gpu:
        agree(cpu, gpu, data, shown.camera)


MOVING = """<mujoco>
  <asset><texture name="t" type="cube" builtin="checker" width="16" height="96" rgb1="1 0 0" rgb2="0 0 1"/>
    <material name="m" texture="t"/><mesh name="wedge" vertex="0 0 0 .4 0 0 0 .4 0 0 0 .4"/></asset>
  <worldbody><light pos="0 0 3" castshadow="true"/><geom type="plane" size="3 3 .1"/>
    <camera name="c" pos="0 -3 1.5" xyaxes="1 0 0 0 .45 .9"/>
    <body pos="0 0 .5"><freejoint/><geom type="capsule" size=".1 .3" material="m"/></body>
    <body pos=".8 0 .3"><joint axis="0 0 1"/><geom type="mesh" mesh="wedge" rgba="1 1 0 1"/>
      <geom type="cylinder" size=".1 .2" pos="0 .5 0" rgba="0 1 1 .5"/></body>
  </worldbody></mujoco>"""


@pytest.mark.parametrize("setting", ["fast", "fine"])
def test_follows_bodies_colours_and_lights(setting: str, device: str) -> None:
    model = mujoco.MjModel.from_xml_string(MOVING)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    with closing(Raycaster(model, setting)) as cpu, closing(GpuEyes(model, setting, device=device)) as gpu:
        for turn in range(3):
            data.qpos[:] = model.qpos0 + rng.normal(0, 0.2, model.nq)
            model.geom_rgba[2] = (*rng.random(3), 1)
            model.light_pos[0, 0] = turn
            mujoco.mj_forward(model, data)
            agree(cpu, gpu, data, "c")
        model.geom_type[2] = mujoco.mjtGeom.mjGEOM_BOX
        model.geom_size[2] = 0.3
        agree(cpu, gpu, data, "c")


def test_many_cameras_over_many_scenes_see_what_each_sees_alone(device: str) -> None:
    chosen = ("shapes", "textures", "transparency")
    table = SceneTable(torch.device(device) if device == "cpu" else torch.device("cuda", 0))
    eyes, rows, numbers, frames = BatchEyes(table, FAST), [], [], []
    for name in chosen:
        shown = exhibit(name)
        model = shown.load()
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        scene = ModelScene(model, FAST)
        parts, arrays = scene.read(data)
        numbers.append(table.add(parts, arrays, headlight=scene.headlight))
        rows.append(camera_row(model, data, shown.camera, SIZE))
        with closing(Raycaster(model, "fast")) as cpu:
            frames.append(cpu.render(data, shown.camera, SIZE))
        scene.close()
    order = [2, 0, 1, 1, 0]
    cameras = torch.from_numpy(np.stack([rows[i] for i in order])).to(table.device)
    scene_of = torch.tensor([numbers[i] for i in order], dtype=torch.int32, device=table.device)
    seen = eyes.render(cameras, scene_of, SIZE)
    alone = eyes.render(cameras, scene_of, SIZE, Pictures.empty(5, SIZE, table.device, rgb=False))
    assert seen.rgb is not None
    assert seen.depth_m is not None
    assert seen.geom_id is not None
    for place, i in enumerate(order):
        assert np.mean(np.abs(seen.rgb[place].cpu().numpy().astype(int) - frames[i].rgb)) <= 1
        assert np.mean(seen.geom_id[place].cpu().numpy() == frames[i].geom_id) >= 0.995
    assert torch.equal(alone.depth_m, seen.depth_m)
    assert torch.equal(alone.geom_id, seen.geom_id)


STILL = """<mujoco>
  <asset><mesh name="wedge" vertex="0 0 0 .6 0 0 0 .6 0 0 0 .6"/>
    <material name="mirror" reflectance=".8" rgba=".3 .5 .7 1"/>
    <texture name="t" type="cube" builtin="checker" width="16" height="96" rgb1="1 0 0" rgb2="0 0 1"/>
    <material name="checks" texture="t"/></asset>
  <worldbody><light pos="0 -1 3"/><camera name="c" pos="0 -3 1.5" xyaxes="1 0 0 0 .45 .9"/>
    <geom type="mesh" mesh="wedge" rgba="1 1 0 1"/>
    <geom type="box" size=".3 .2 .4" pos="-.7 0 .3" {material}/></worldbody></mujoco>"""


@pytest.mark.parametrize(("material", "plain"), [('material="mirror"', True), ('material="checks"', False)])
def test_flat_faces_without_textures_are_drawn_by_the_fast_kernels(material: str, plain: bool, device: str) -> None:
    model = mujoco.MjModel.from_xml_string(STILL.format(material=material))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with closing(Raycaster(model, FAST)) as cpu, closing(GpuEyes(model, FAST, device=device)) as gpu:
        agree(cpu, gpu, data, "c")
        assert cpu.render(data, "c", SIZE).rgb.std() > 5
    scene = ModelScene(model, FAST)
    table = SceneTable(torch.device(device) if device == "cpu" else torch.device("cuda", 0))
    shape, arrays = scene.read_baked(data)
    table.add([PlacedPart(pack_part(shape), np.eye(3, 4, dtype=np.float32))], arrays, headlight=scene.headlight)
    assert table.plain is plain
    rows = torch.from_numpy(camera_row(model, data, "c", SIZE)[None]).to(table.device)
    seen = BatchEyes(table, FAST).render(rows, torch.zeros(1, dtype=torch.int32, device=table.device), SIZE)
    with closing(Raycaster(model, FAST)) as cpu:
        expected = cpu.render(data, "c", SIZE)
    assert seen.rgb is not None
    assert np.abs(seen.rgb[0].cpu().numpy().astype(int) - expected.rgb).mean() <= 1.0
    scene.close()


def test_removed_scenes_free_their_textures_and_number(device: str) -> None:
    shown = exhibit("textures")
    model = shown.load()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    table, scene = SceneTable(torch.device(device)), ModelScene(model, FAST)
    first = table.add(*scene.read(data), headlight=False)
    once = table.textures.nbytes
    second = table.add(*scene.read(data), headlight=False)
    assert (first, second) == (0, 1)
    assert table.textures.nbytes == once > 0  # alike, so kept once
    table.remove(first)
    assert table.textures.nbytes == once
    table.remove(second)
    assert table.textures.nbytes == 0
    assert table.add(*scene.read(data), headlight=False) == 0
    with pytest.raises(UsageError, match="number of a scene"):
        table.remove(7)
    scene.close()


def test_closed_eyes_are_refused(device: str, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    eyes = GpuEyes(model, device=device)
    eyes.render(data, "front", SIZE)
    eyes.close()
    eyes.close()
    with pytest.raises(UsageError, match="after close"):
        eyes.render(data, "front", SIZE)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_says_what_to_install_without_a_gpu(model: mujoco.MjModel) -> None:
    with pytest.raises(MissingDependencyError, match="build for CUDA"):
        open_eyes(model, "gpu")
    assert renderer_info("gpu", "fine").setting == "fine-v1"
