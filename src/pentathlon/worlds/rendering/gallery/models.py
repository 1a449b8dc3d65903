"""Models on which renderers are compared: the feature scenes, and robots from installed packages."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Final

import mujoco

from pentathlon.core.errors import MissingDependencyError, UnknownIdError
from pentathlon.worlds.rendering.gallery.scenes import FEATURES as RIGID_FEATURES
from pentathlon.worlds.rendering.gallery.scenes import Exhibit
from pentathlon.worlds.rendering.gallery.soft_scenes import SOFT_FEATURES


def _free_camera(
    lookat_m: tuple[float, float, float], distance_m: float, azimuth: float, elevation: float
) -> mujoco.MjvCamera:
    """Returns a free camera; angles in degrees."""
    camera = mujoco.MjvCamera()
    camera.lookat[:] = lookat_m
    camera.distance, camera.azimuth, camera.elevation = distance_m, azimuth, elevation
    return camera


def _package_model(package: str, file: str) -> Callable[[], mujoco.MjModel]:
    def load() -> mujoco.MjModel:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise MissingDependencyError(f"The package {package}", f"pip install {package}")
        return mujoco.MjModel.from_xml_path(str(Path(spec.submodule_search_locations[0]) / file))

    return load


_ADROIT: Final = "envs/assets/adroit_hand"

_ROBOTS: Final = (
    Exhibit(
        "adroit-relocate",
        "Adroit hand, ball and target",
        _package_model("gymnasium_robotics", f"{_ADROIT}/adroit_relocate.xml"),
        "vil_camera",
    ),
    Exhibit(
        "adroit-pen",
        "Adroit hand and pen",
        _package_model("gymnasium_robotics", f"{_ADROIT}/adroit_pen.xml"),
        "vil_camera",
    ),
    Exhibit(
        "metaworld-hammer",
        "Sawyer arm, hammer and nail",
        _package_model("metaworld", "assets/sawyer_xyz/sawyer_hammer.xml"),
        "corner",
    ),
    Exhibit(
        "metaworld-bin-picking",
        "Sawyer arm and bins",
        _package_model("metaworld", "assets/sawyer_xyz/sawyer_bin_picking.xml"),
        "corner2",
    ),
    Exhibit("dmcontrol-walker", "the planar walker", _package_model("dm_control", "suite/walker.xml"), "side"),
    Exhibit(
        "dmcontrol-dog",
        "the dog, a skin",
        _package_model("dm_control", "suite/dog.xml"),
        _free_camera((0, 0, 0.4), 2, 90, -15),
    ),
    Exhibit("dmcontrol-fish", "the fish", _package_model("dm_control", "suite/fish.xml"), "tracking_x"),
    Exhibit(
        "fetch-pick-and-place",
        "Fetch arm and a block",
        _package_model("gymnasium_robotics", "envs/assets/fetch/pick_and_place.xml"),
        "external_camera_0",
    ),
    Exhibit(
        "franka-kitchen",
        "Franka arm in a kitchen",
        _package_model("gymnasium_robotics", "envs/assets/kitchen_franka/kitchen_assets/kitchen_env_model.xml"),
        _free_camera((-0.2, 0.5, 2.0), 2.2, 70, -35),
    ),
)

FEATURES: Final = RIGID_FEATURES + SOFT_FEATURES
EXHIBITS: Final[dict[str, Exhibit]] = {exhibit.name: exhibit for exhibit in FEATURES + _ROBOTS}
FEATURE_NAMES: Final = tuple(exhibit.name for exhibit in FEATURES)
ROBOT_NAMES: Final = tuple(exhibit.name for exhibit in _ROBOTS)


def exhibit(name: str) -> Exhibit:
    """Returns the exhibit of that name.

    Raises:
        UnknownIdError: there is none; the nearest names are given.
    """
    if name not in EXHIBITS:
        raise UnknownIdError("exhibit", name, EXHIBITS)
    return EXHIBITS[name]
