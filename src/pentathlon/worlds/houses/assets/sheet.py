"""Contact sheets: every object photographed in a small studio, so that people can look at them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
import tyro
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from pentathlon.worlds.houses.assets.asset import PLAIN
from pentathlon.worlds.houses.assets.catalogue import catalogue, variant
from pentathlon.worlds.houses.assets.to_mujoco import AssetWriter, set_opening
from pentathlon.worlds.houses.house import State
from pentathlon.worlds.modelling.mesh import Floats
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.look_at import look_at, look_at_rotation

Pixels = NDArray[np.uint8]
FOVY_DEG = 32.0
VIEW_DIRECTION = (0.52, -0.78, 0.42)


@dataclass(frozen=True)
class Shot:
    """One photograph of an object.

    Attributes:
        type_name: Which object type.
        seed: Which variant of it.
        state: Its state.
        opening: How far its joints are open, 0..1.
        caption: What stands under it; the type's name if empty.
    """

    type_name: str
    seed: int = 0
    state: State = PLAIN
    opening: float = 0.0
    caption: str = ""


def lively(type_name: str, seed: int = 0) -> Shot:
    """A shot that shows what the object can do: doors ajar, lights on."""
    abilities = variant(type_name, seed).abilities
    return Shot(type_name, seed, State(on="toggleable" in abilities), 0.75 if "openable" in abilities else 0.0)


def contact_sheet(shots: Iterable[Shot], columns: int = 6, size_px: int = 240) -> Pixels:
    """Photograph the shots and lay them out in rows with captions."""
    items = list(shots)
    rows = math.ceil(len(items) / columns)
    caption_px = size_px // 9
    page = Image.new("RGB", (columns * size_px, rows * (size_px + caption_px)), (250, 250, 250))
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(caption_px * 0.62)
    for i, shot in enumerate(items):
        left, top = i % columns * size_px, i // columns * (size_px + caption_px)
        page.paste(Image.fromarray(photograph(shot, size_px)), (left, top))
        middle = (left + size_px / 2, top + size_px + caption_px / 2)
        draw.text(middle, shot.caption or shot.type_name, fill=(40, 40, 40), font=font, anchor="mm")
    return np.asarray(page)


def save_sheet(out: Path, types: tuple[str, ...] = (), seeds: int = 1, columns: int = 6, size_px: int = 240) -> None:
    """Save a contact sheet of object types as a picture.

    Args:
        out: File to write.
        types: Names of object types; all of them if none are given.
        seeds: How many variants of each to show.
        columns: Pictures in a row.
        size_px: Side of one picture.
    """
    shots = [lively(name, seed) for name in types or catalogue() for seed in range(seeds)]
    Image.fromarray(contact_sheet(shots, columns, size_px)).save(out)


def photograph(shot: Shot, size_px: int = 240) -> Pixels:
    """Photograph one object, framed to fill the picture."""
    asset = variant(shot.type_name, shot.seed)
    low, high = asset.bounds_m
    dim = 0.6 if shot.state.on and asset.emitters else 1.0
    spec = _studio(low, high, dim)
    writer = AssetWriter(spec)
    placed = writer.add(asset, "subject", state=shot.state)
    model = spec.compile()
    data = mujoco.MjData(model)
    for joint in asset.joints:
        set_opening(model, data, placed, joint.name, shot.opening)
    mujoco.mj_forward(model, data)
    return _render(model, data, _shown_points(model, data), size_px)


def _studio(low: Floats, high: Floats, dim: float) -> mujoco.MjSpec:
    """A bright room without corners: pale floor and sky, one key light, one fill; dimmed for lamps."""
    reach = float(np.linalg.norm(high - low))
    spec = mujoco.MjSpec()
    spec.visual.headlight.ambient = [0.42 * dim] * 3
    spec.visual.headlight.diffuse = [0.16 * dim] * 3
    spec.visual.headlight.specular = [0.0] * 3
    spec.visual.map.znear = 0.02
    spec.visual.map.zfar = 60.0
    spec.stat.extent = reach
    spec.stat.center = list((low + high) / 2.0)
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.90, 0.91, 0.92],
        rgb2=[0.80, 0.82, 0.84],
        width=64,
        height=384,
    )
    spec.add_material(name="floor", rgba=[0.86, 0.865, 0.87, 1.0], specular=0.0, shininess=0.0)
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[30 * reach, 30 * reach, 0.1],
        pos=[0, 0, float(low[2])],
        material="floor",
        contype=0,
        conaffinity=0,
    )
    for direction, light, shadow in (((-0.55, 0.75, -1.35), 0.50, True), ((0.9, 0.25, -0.35), 0.16, False)):
        spec.worldbody.add_light(
            type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
            dir=direction,
            diffuse=[light * dim] * 3,
            specular=[0.7 * light * dim] * 3,
            ambient=[0.0] * 3,
            castshadow=shadow,
        )
    return spec


def _shown_points(model: mujoco.MjModel, data: mujoco.MjData) -> Floats:
    """World positions of the vertices of every mesh geom that shows."""
    clouds = []
    for geom in range(model.ngeom):
        mesh = model.geom_dataid[geom]
        if mesh < 0 or model.geom_rgba[geom, 3] == 0 or model.geom_group[geom] > 2:
            continue
        start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        local = model.mesh_vert[start : start + count].astype(np.float64)
        clouds.append(local @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])
    return np.concatenate(clouds)


def _render(model: mujoco.MjModel, data: mujoco.MjData, points: Floats, size_px: int) -> Pixels:
    """Render what the points span from the front right, slightly above."""
    view = np.array(VIEW_DIRECTION) / np.linalg.norm(VIEW_DIRECTION)
    right, up, _ = look_at_rotation(view, np.zeros(3)).T
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    slope = math.tan(math.radians(FOVY_DEG / 2.0)) * 0.88
    offset = points - middle
    across = np.maximum(np.abs(offset @ right), np.abs(offset @ up))
    distance = float((across / slope + offset @ view).max())
    with Raycaster(model, "fine") as eyes:
        return eyes.render(data, look_at(middle + distance * view, middle, FOVY_DEG), (size_px, size_px)).rgb


if __name__ == "__main__":
    tyro.cli(save_sheet)
