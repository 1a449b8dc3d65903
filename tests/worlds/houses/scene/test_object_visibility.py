from __future__ import annotations

import numpy as np
import pytest

from pentathlon.worlds.houses.graph.visibility import Viewpoint, visible_objects
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.look_at import agent_camera


def seen(scene: HouseScene, geometry: ObjectGeometry, view: Viewpoint, within_m: float = 5.0) -> set[str]:
    found = visible_objects(scene, scene.new_data(), geometry, view, within_m)
    return {scene.house.objects[int(i)].id for i in np.flatnonzero(found)}


def test_distance_limits_what_is_seen(small_scene: HouseScene, small_geometry: ObjectGeometry) -> None:
    view = Viewpoint((2.0, 0.6, 1.3), 90.0, 20.0)
    assert {"left mug", "table"} <= seen(small_scene, small_geometry, view)
    assert "left mug" not in seen(small_scene, small_geometry, view, within_m=1.0)


def test_what_lies_behind_is_not_seen(small_scene: HouseScene, small_geometry: ObjectGeometry) -> None:
    assert seen(small_scene, small_geometry, Viewpoint((2.0, 0.6, 1.3), 270.0, 20.0)) == set()


def test_walls_hide(small_scene: HouseScene, small_geometry: ObjectGeometry) -> None:
    toward_bedroom = Viewpoint((3.0, 1.8, 1.3), -8.0, 25.0)
    assert "lost mug" not in seen(small_scene, small_geometry, toward_bedroom)


def test_a_table_hides_what_lies_under_it_from_above(small_scene: HouseScene, small_geometry: ObjectGeometry) -> None:
    above = Viewpoint((2.0, 2.3, 2.3), 90.0, 85.0)
    assert "apple" not in seen(small_scene, small_geometry, above)
    low = Viewpoint((2.0, 0.6, 0.3), 90.0, 0.0)
    assert "apple" in seen(small_scene, small_geometry, low)


def test_hidden_parts_hide_nothing(small_scene: HouseScene, small_geometry: ObjectGeometry) -> None:
    above = Viewpoint((2.0, 2.3, 2.3), 90.0, 85.0)
    scene = compile_house(small_scene.house)
    tables = [i for i, item in enumerate(scene.house.objects) if item.id == "table"]
    scene.model.geom_rgba[np.isin(scene.object_of_geom, tables), 3] = 0.0
    assert "apple" in seen(scene, small_geometry, above)


@pytest.mark.parametrize("yaw_deg", [60.0, 90.0, 120.0])
def test_agrees_with_the_picture(small_scene: HouseScene, small_geometry: ObjectGeometry, yaw_deg: float) -> None:
    """What the rays find fills pixels, and what fills many pixels is found by the rays."""
    data = small_scene.new_data()
    view = Viewpoint((1.9, 0.7, 1.2), yaw_deg, 25.0, 60.0, 60.0)
    found = visible_objects(small_scene, data, small_geometry, view, 10.0)
    camera = agent_camera(1.9, 0.7, yaw_deg, 1.2, 25.0, fovy_deg=60.0)
    with Raycaster(small_scene.model, "fast") as eyes:
        geoms = eyes.render(data, camera, (160, 160)).geom_id
    objects = np.where(geoms >= 0, small_scene.object_of_geom[np.maximum(geoms, 0)], -1)
    pixels = np.array([(objects == i).sum() for i in range(len(found))])
    assert (pixels[found] > 0).all()
    assert found[pixels > 60].all()
