from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene import kept_scenes
from pentathlon.worlds.houses.scene.house_scene import HouseScene
from pentathlon.worlds.houses.scene.kept_scenes import SceneStore
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.look_at import agent_camera


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[House]:
    """The houses that were built instead of read."""
    drawn: list[House] = []
    draw = kept_scenes.draw_blueprint

    def noted(house: House, *, switchable: bool) -> object:
        drawn.append(house)
        return draw(house, switchable=switchable)

    monkeypatch.setattr(kept_scenes, "draw_blueprint", noted)
    return drawn


def test_a_house_is_compiled_once_and_read_the_same(small_house: House, tmp_path: Path, drawings: list[House]) -> None:
    first, again = SceneStore(tmp_path).open(small_house), SceneStore(tmp_path).open(small_house)
    assert len(drawings) == 1
    assert again.placed.keys() == first.placed.keys()
    for key, placed in first.placed.items():
        other = again.placed[key]
        assert (other.name, other.free_joint, other.joints) == (placed.name, placed.free_joint, placed.joints)
        assert (other.switched, other.lights) == (placed.switched, placed.lights)
        assert other.asset.type_name == placed.asset.type_name
    assert np.array_equal(first.new_data().xpos, again.new_data().xpos)
    assert np.array_equal(first.object_of_geom, again.object_of_geom)
    assert np.array_equal(*(_picture(scene) for scene in (first, again)))


def test_a_torn_file_is_compiled_again(
    small_house: House, tmp_path: Path, drawings: list[House], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log of its own into the present folder
    store = SceneStore(tmp_path / "scenes")
    store.open(small_house)
    (kept,) = (tmp_path / "scenes").iterdir()
    kept.write_bytes(kept.read_bytes()[:-1000])
    store.open(small_house)
    store.open(small_house)
    assert len(drawings) == 2


def test_a_folder_that_cannot_be_made_is_no_error(small_house: House, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert SceneStore(tmp_path / "file" / "scenes").open(small_house).placed


def _picture(scene: HouseScene) -> object:
    with Raycaster(scene.model) as eyes:
        return eyes.render(scene.new_data(), agent_camera(1.0, 1.0, 45.0, 0.9, 10.0, 80.0), (64, 48)).rgb
