"""Photographs show the object, framed, with its states and with pictures the right way up."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from pentathlon.worlds.houses.assets.asset import PLAIN, Asset, Collider, Part
from pentathlon.worlds.houses.assets.sheet import Shot, contact_sheet, lively, photograph
from pentathlon.worlds.houses.assets.to_mujoco import AssetWriter
from pentathlon.worlds.houses.house import State
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.pictures import picture
from pentathlon.worlds.modelling.sweeps import panel
from pentathlon.worlds.rendering import CameraPose, Raycaster


@pytest.mark.parametrize("name", ["Mug", "Fridge"])
def test_photograph_is_filled_by_its_object(name: str) -> None:
    image = photograph(Shot(name), 64).astype(int)
    differs = np.abs(image - image[0, 0]).max(axis=2) > 25
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    assert max(np.ptp(rows), np.ptp(columns)) > 48
    assert rows.min() > 0
    assert columns.min() > 0


def test_states_and_openings_are_seen() -> None:
    plain, dirty = (photograph(Shot("Mug", 1, state), 48).astype(int) for state in (PLAIN, State(dirty=True)))
    assert (np.abs(plain - dirty).max(axis=2) > 20).mean() > 0.03
    assert lively("Fridge").opening > 0
    assert lively("FloorLamp").state.on
    assert lively("Mug") == Shot("Mug")


def test_sheet_has_a_cell_and_a_caption_for_each_shot() -> None:
    sheet = contact_sheet([Shot("Apple"), Shot("Mug"), Shot("Apple", 1)], columns=2, size_px=45)
    assert sheet.shape == (2 * (45 + 5), 2 * 45, 3)
    assert sheet[45:50, :45].min() < 200, "the caption is written"
    assert sheet[50:95, 45:].min() == 250, "the empty cell stays blank"


def test_pictures_are_upright_and_not_mirrored() -> None:
    pixels = np.full((32, 32, 3), 255, np.uint8)
    pixels[:16, :16] = (255, 0, 0)
    poster = Part(panel(1, 1), look("paper", "white", texture=picture(pixels)))
    spec = mujoco.MjSpec()
    spec.visual.headlight.ambient = [1.0] * 3
    AssetWriter(spec).add(Asset((poster,), (Collider("box", size_m=(1, 0.01, 1)),)), "poster")
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    from_front = CameraPose((0, -2, 0), np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]), height_m=1.0)
    with Raycaster(model) as eyes:
        seen = eyes.render(data, from_front, (16, 16)).rgb
    is_red = seen[..., 1] < 60
    assert is_red[2:7, 2:7].all()
    assert not is_red[9:, :].any()
    assert not is_red[:, 9:].any()
