"""The drop-in Renderer behaves as `mujoco.Renderer` does: shapes, types, backgrounds, snapshots and errors."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from pentathlon.worlds.rendering.compat import Renderer
from pentathlon.worlds.rendering.opengl.probe import use_working_backend

HEIGHT, WIDTH = 48, 64


@pytest.fixture
def renderer(model: mujoco.MjModel, data: mujoco.MjData) -> Renderer:
    opened = Renderer(model, HEIGHT, WIDTH)
    opened.update_scene(data, "front")
    return opened


def test_colour(renderer: Renderer) -> None:
    picture = renderer.render()
    assert (picture.shape, picture.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    red, green, _ = picture[HEIGHT // 2, WIDTH // 2].astype(int)
    assert red > 2 * green


def test_depth_is_metric_and_the_background_is_the_far_plane(renderer: Renderer) -> None:
    renderer.enable_depth_rendering()
    depth_m = renderer.render()
    assert (depth_m.shape, depth_m.dtype) == ((HEIGHT, WIDTH), np.float32)
    assert depth_m[HEIGHT // 2, WIDTH // 2] == pytest.approx(1.7, abs=2e-3)
    assert depth_m[0, 0] == 50


def test_segmentation_pairs(renderer: Renderer, model: mujoco.MjModel) -> None:
    renderer.enable_segmentation_rendering()
    pairs = renderer.render()
    assert (pairs.shape, pairs.dtype) == ((HEIGHT, WIDTH, 2), np.int32)
    seen = {tuple(pair) for pair in pairs.reshape(-1, 2).tolist()}
    geom, site = int(mujoco.mjtObj.mjOBJ_GEOM), int(mujoco.mjtObj.mjOBJ_SITE)
    assert seen == {
        (-1, -1),
        (model.geom("ball").id, geom),
        (model.geom("wall").id, geom),
        (model.site("mark").id, site),
    }


def test_modes_switch_as_mujocos_do(renderer: Renderer) -> None:
    renderer.enable_depth_rendering()
    renderer.enable_segmentation_rendering()
    renderer.disable_depth_rendering()
    assert renderer.render().shape == (HEIGHT, WIDTH, 2)
    renderer.disable_segmentation_rendering()
    assert renderer.render().shape == (HEIGHT, WIDTH, 3)


def test_a_scene_is_a_snapshot(renderer: Renderer, data: mujoco.MjData) -> None:
    before = renderer.render()
    data.geom_xpos[0] += 1
    np.testing.assert_array_equal(renderer.render(), before)


def test_options_hide_groups(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    hiding = mujoco.MjvOption()
    hiding.geomgroup[0] = 0
    with Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.enable_segmentation_rendering()
        renderer.update_scene(data, "front", hiding)
        assert set(np.unique(renderer.render()[..., 1])) == {-1, int(mujoco.mjtObj.mjOBJ_SITE)}
        renderer.update_scene(data, "front")
        assert int(mujoco.mjtObj.mjOBJ_GEOM) in renderer.render()[..., 1]


def test_out_is_filled_and_returned(renderer: Renderer) -> None:
    out = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    assert renderer.render(out=out) is out
    np.testing.assert_array_equal(out, renderer.render())


@pytest.mark.opengl
@pytest.mark.parametrize("mode", ["colour", "depth", "segmentation"])
def test_the_two_renderers_agree(model: mujoco.MjModel, data: mujoco.MjData, mode: str) -> None:
    use_working_backend()
    pictures = []
    for make in (Renderer, mujoco.Renderer):
        with make(model, HEIGHT, WIDTH) as renderer:
            if mode != "colour":
                getattr(renderer, f"enable_{mode}_rendering")()
            renderer.update_scene(data, "front")
            pictures.append(renderer.render())
    ours, theirs = pictures
    assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
    assert np.mean(np.isclose(ours, theirs, rtol=1e-4, atol=12 if mode == "colour" else 2e-3)) > 0.98


@pytest.mark.opengl
@pytest.mark.parametrize("camera", ["nowhere", 2, -2])
def test_bad_cameras_raise_what_mujoco_raises(model: mujoco.MjModel, data: mujoco.MjData, camera: str | int) -> None:
    use_working_backend()
    messages = []
    for make in (Renderer, mujoco.Renderer):
        with make(model) as renderer, pytest.raises(ValueError, match="camera") as caught:
            renderer.update_scene(data, camera)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_wrong_use_raises_as_mujoco_does(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match=r"out\.shape"):
        renderer.render(out=np.zeros((3, 3, 3), np.uint8))
    renderer.close()
    renderer.close()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()
