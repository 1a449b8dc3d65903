"""The voxel land: what its stations hold, what is seen of it, and that it is the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.blocks.land.ground import Land, build_land
from pentathlon.worlds.blocks.land.kinds import AIR, KINDS, code_of
from pentathlon.worlds.blocks.land.meshing import land_meshes
from pentathlon.worlds.blocks.looks.icons import icon
from pentathlon.worlds.blocks.looks.pixels import NAMES, cracked, texels
from pentathlon.worlds.blocks.looks.sprites import ITEMS, sprite, sprite_mesh
from pentathlon.worlds.blocks.scene import code_at


def land(seed: int) -> Land:
    return build_land(seed, "oak log", "sand", ("stone", "coal ore", "iron ore"))


@pytest.mark.parametrize("seed", range(60))
def test_every_station_has_what_is_worked_on_there(seed: int) -> None:
    found = land(seed)
    names = {name: [code_at(found, cell) for cell in one.cells] for name, one in found.stations.items()}
    assert names["tree"] == ["oak log"] * 4
    assert names["heap"] == ["sand"] * 4
    assert names["bench"] == ["crafting table", "furnace"]
    assert names["lot"] == ["air"] * 4
    assert names["rock"][:6] == ["stone"] * 2 + ["coal ore"] * 2 + ["iron ore"] * 2
    cells = [cell for one in found.stations.values() for cell in one.cells]
    assert len(set(cells)) == len(cells)


def test_a_single_block_shows_six_faces_and_two_share_none() -> None:
    codes = np.zeros((5, 5, 5), np.uint8)
    codes[2, 2, 2] = code_of("dirt")
    hidden = np.zeros(codes.shape, bool)
    assert len(land_meshes(codes, hidden)["dirt"].faces) == 12
    codes[2, 2, 3] = code_of("grass")
    meshes = land_meshes(codes, hidden)
    assert {name: len(mesh.faces) // 2 for name, mesh in meshes.items()} == {
        "dirt": 5,
        "grass top": 1,
        "grass side": 4,
    }
    hidden[2, 2, 3] = True
    assert len(land_meshes(codes, hidden)["dirt"].faces) == 12


def test_faces_of_a_block_point_outwards() -> None:
    codes = np.zeros((3, 3, 3), np.uint8)
    codes[1, 1, 1] = code_of("dirt")
    mesh = land_meshes(codes, np.zeros(codes.shape, bool))["dirt"]
    assert mesh.is_closed()
    assert mesh.volume_m3 == pytest.approx(1.0)


def test_the_same_land_every_time_and_another_for_another_seed() -> None:
    assert np.array_equal(land(3).codes, land(3).codes)
    assert not np.array_equal(land(3).codes, land(4).codes)


def test_every_kind_and_item_has_its_picture() -> None:
    assert {name for kind in KINDS[AIR + 1 :] for name in kind.sides} <= set(NAMES)
    for kind in KINDS[AIR + 1 :]:
        assert kind.item in ITEMS or kind.item in {one.name for one in KINDS}
        assert icon(kind.name)[..., 3].max() == 255
    with pytest.raises(UnknownIdError, match="item"):
        sprite("spoon")


def test_cracks_spread_from_stage_to_stage() -> None:
    stone = texels("stone")
    changed = [int((cracked(stone, stage, 4) != stone).any(axis=2).sum()) for stage in range(5)]
    assert changed[0] == 0
    assert changed == sorted(changed)
    assert changed[4] > 20


def test_a_sprite_is_a_closed_body_of_its_texels() -> None:
    mesh = sprite_mesh(sprite("pickaxe"), 0.16, 0.01)
    assert mesh.is_closed()
    assert mesh.volume_m3 == pytest.approx((sprite("pickaxe")[..., 3] > 0).sum() * 0.01**3)
