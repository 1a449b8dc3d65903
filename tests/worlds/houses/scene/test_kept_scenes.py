from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene import kept_scenes, stitching
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house
from pentathlon.worlds.houses.scene.kept_scenes import SceneStore
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.look_at import agent_camera


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[House]:
    """The houses that were built instead of read."""
    drawn: list[House] = []
    draw = kept_scenes.draw_blueprint

    def noted(house: House, **options: Any) -> object:
        drawn.append(house)
        return draw(house, **options)

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


def test_what_is_kept_fits_into_the_gibibytes_that_are_allowed(
    small_house: House, tmp_path: Path, drawings: list[House], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(kept_scenes.LIMIT_VARIABLE, "0.00001")
    store = SceneStore(tmp_path)
    assert store.open(small_house).placed
    assert store.open(small_house).placed
    assert not [*tmp_path.glob("*.mjb")]
    assert len(drawings) == 2


def test_a_folder_that_cannot_be_made_is_no_error(small_house: House, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert SceneStore(tmp_path / "file" / "scenes").open(small_house).placed


def _picture(scene: HouseScene) -> NDArray[np.uint8]:
    with Raycaster(scene.model) as eyes:
        return eyes.render(scene.new_data(), agent_camera(1.0, 1.0, 45.0, 0.9, 10.0, 80.0), (64, 48)).rgb


def test_meshes_put_in_later_are_seen_and_met_as_if_compiled(small_house: House, tmp_path: Path) -> None:
    whole, stitched = compile_house(small_house, switchable=False), SceneStore(tmp_path).open(small_house)
    for name in ("ngeom", "nmesh", "nmeshvert", "nmeshface", "nmeshtexcoord", "nbvh", "ntexdata"):
        assert getattr(stitched.model, name) == getattr(whole.model, name), name
    assert np.abs(_picture(stitched).astype(int) - _picture(whole)).max() <= 1
    rng = np.random.default_rng(0)
    rays = rng.normal(size=(300, 3))
    seen, expected = (_distances_m(scene, rays) for scene in (stitched, whole))
    assert (expected > 0).all()
    assert np.allclose(seen, expected, atol=1e-5)


def test_a_house_is_compiled_whole_where_mujoco_writes_models_in_another_way(
    small_house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stitched = SceneStore(tmp_path / "one").open(small_house)
    monkeypatch.setattr(stitching, "RUNS", (("nbody", "nmesh"),))
    whole = SceneStore(tmp_path / "other").open(small_house)
    assert whole.model.nmeshface == stitched.model.nmeshface
    assert np.abs(_picture(stitched).astype(int) - _picture(whole)).max() <= 1


def _distances_m(scene: HouseScene, rays: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far rays from where one may stand go until they meet something that is seen."""
    data, groups = scene.new_data(), np.array([0, 1, 1, 0, 0, 0], np.uint8)
    assert scene.house.start is not None
    start = np.array([*scene.house.start.position_m, 0.9])
    unit = rays / np.linalg.norm(rays, axis=1, keepdims=True)
    return np.array(
        [mujoco.mj_ray(scene.model, data, start, ray, groups, True, -1, np.zeros(1, np.int32)) for ray in unit]
    )
