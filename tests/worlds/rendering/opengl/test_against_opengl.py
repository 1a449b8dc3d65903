"""The ray caster agrees with MuJoCo's OpenGL on every feature scene and on robots of installed packages."""

from __future__ import annotations

import mujoco
import pytest

from pentathlon.worlds.rendering import open_eyes
from pentathlon.worlds.rendering.gallery.compare import difference
from pentathlon.worlds.rendering.gallery.models import EXHIBITS, exhibit

SIZE = (224, 168)
LARGEST_COLOUR_DIFFERENCE = 2.0  # of 255, mean over the picture, without shadows, reflections and haze


@pytest.mark.opengl
@pytest.mark.parametrize("name", EXHIBITS)
def test_agrees_with_opengl(name: str) -> None:
    shown = exhibit(name)
    model = shown.load()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    # OpenGL's spheres are polyhedra; ours are round. Finer polyhedra bring it within the tolerance.
    model.vis.quality.numslices, model.vis.quality.numstacks = 128, 128
    frames = []
    for renderer in ("raycast", "opengl"):
        eyes = open_eyes(model, renderer, "fast")
        frames.append(eyes.render(data, shown.camera, SIZE))
        eyes.close()
    found = difference(*frames)
    assert found.depth_equal >= 0.99, found
    assert found.ids_equal >= 0.98, found
    assert found.colour_mean_abs <= LARGEST_COLOUR_DIFFERENCE, found
