"""Rays go as many at once as the processor takes, and pictures do not depend on how many."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numba import types

from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering import embree
from pentathlon.worlds.rendering.gallery.models import exhibit
from pentathlon.worlds.rendering.kernels.sampling import _along
from pentathlon.worlds.rendering.raycaster import Raycaster
from pentathlon.worlds.rendering.rays import WIDTHS, RayOptions

SIZE = (53, 38)  # neither side a multiple of a tile's


@pytest.mark.parametrize(("instruction_set", "width"), [("sse2", 4), ("avx2", 8), ("avx512", 16)])
def test_the_width_is_what_embree_calls_native(instruction_set: str, width: int, model: mujoco.MjModel) -> None:
    library = embree.load()
    device = library.new_device(RayOptions(instruction_set=instruction_set).device_config)
    possible = library.native_width(device)  # less where this processor lacks the instruction set
    library.raw.rtcReleaseDevice(device)
    assert possible == width or possible < width
    with Raycaster(model, rays=RayOptions(instruction_set=instruction_set)) as eyes:
        assert eyes.ray_width == possible
    with Raycaster(model) as eyes:
        assert eyes.ray_width >= possible


@pytest.mark.parametrize("setting", ["fast", "fine"])
@pytest.mark.parametrize("name", ["textures", "transparency", "reflection", "moving-bodies", "infinite-plane"])
def test_every_width_sees_the_same(name: str, setting: str) -> None:
    shown = exhibit(name)
    model = shown.load()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    frames = []
    for width in WIDTHS:
        with Raycaster(model, setting, rays=RayOptions(width)) as eyes:
            assert eyes.ray_width == width
            frames.append(eyes.render(data, shown.camera, SIZE))
    for frame in frames[1:]:
        assert np.mean(frame.geom_id != frames[0].geom_id) < 0.001
        assert np.mean(np.abs(frame.depth_m - frames[0].depth_m) > 1e-4) < 0.001
        off = np.abs(frame.rgb.astype(int) - frames[0].rgb.astype(int)).max(axis=-1)
        assert np.mean(off > 1) < 0.002
    assert len(np.unique(frames[0].geom_id)) > 1


@pytest.mark.parametrize("options", [{"width": 5}, {"instruction_set": "mmx"}])
def test_unknown_widths_and_instruction_sets_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="Expected"):
        RayOptions(**options)  # type: ignore[arg-type]


def test_lanes_stay_integers_of_32_bits() -> None:
    """numba's sum of two int32 is an int64, which AVX2 turns into floats one lane at a time."""
    signature = (types.float32, types.int32, types.boolean)
    _along.compile(signature)
    assert _along.overloads[signature].signature.return_type[:2] == (types.int32, types.int32)
