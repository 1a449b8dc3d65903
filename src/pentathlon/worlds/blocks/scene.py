"""The blocks as a MuJoCo model: the land as meshes, and what can change as geoms of its own that are switched."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.worlds.blocks.land.ground import Cell, Land
from pentathlon.worlds.blocks.land.kinds import AIR, KINDS
from pentathlon.worlds.blocks.land.meshing import box_mesh, land_meshes
from pentathlon.worlds.blocks.life.mobs import MOBS, Mob, skin
from pentathlon.worlds.blocks.looks.heavens import SUN_M, sky_box
from pentathlon.worlds.blocks.looks.pixels import Pixels, enlarged, texels
from pentathlon.worlds.blocks.looks.plants import plant_sprite
from pentathlon.worlds.blocks.looks.sheets import STAGES, block_sheet, block_tiles, sheet, tiles
from pentathlon.worlds.blocks.looks.sprites import ITEMS, Sprite, sprite, sprite_mesh
from pentathlon.worlds.modelling.mesh import Mesh

DROPS = 10
DROP_M, THICK_M = 0.30, 0.03
AWAY_M = (0.0, 0.0, -50.0)
SHOWN, HIDDEN = (0.5, 0.5, 0.5, 1.0), (0.5, 0.5, 0.5, 0.0)
HURT = (1.0, 0.45, 0.42, 1.0)
_MESH = mujoco.mjtGeom.mjGEOM_MESH
_ROLES = int(mujoco.mjtTextureRole.mjNTEXROLE)
_RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)


class BlockScene:
    """A compiled land with its changeable blocks, mobs, things lying about, and the player's hand.

    Attributes:
        model: for the eyes.
        data: its state, kinematics alone.
    """

    def __init__(self, land: Land) -> None:
        self.land = land
        self.cells = tuple(dict.fromkeys(cell for one in land.stations.values() for cell in one.cells))
        self.model = _compile(land, self.cells)
        self.data = mujoco.MjData(self.model)
        self._block_geoms = {cell: self.model.geom(f"cell{i}").id for i, cell in enumerate(self.cells)}
        self.refresh()

    def refresh(self) -> None:
        """Brings every part to where the state says."""
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_camlight(self.model, self.data)

    def show_block(self, cell: Cell, name: str, stage: int = 0) -> None:
        """Shows a block in a changeable cell, cracked as far as ``stage``; ``air`` shows none.

        Raises:
            DataError: when the cell is part of the still land.
        """
        if cell not in self._block_geoms:
            raise DataError(f"Expected one of the cells that can change, got {cell}. They are those of the stations.")
        geom = self._block_geoms[cell]
        self.model.geom_rgba[geom] = HIDDEN if name == "air" else SHOWN
        if name != "air":
            self.model.geom_matid[geom] = self.model.material(_material(name, stage)).id

    def show_item(self, holder: str, name: str) -> None:
        """Lets a holder (``held``, ``drop0`` …) show an item; an empty name shows none."""
        geom = self.model.geom(holder).id
        self.model.geom_rgba[geom] = SHOWN if name else HIDDEN
        if name:
            block = name not in ITEMS
            mesh = self.model.mesh("block item" if block else f"item {name}").id
            self.model.geom_dataid[geom] = mesh
            # MuJoCo keeps meshes about their own middle and axes.
            self.model.geom_pos[geom] = self.model.mesh_pos[mesh]
            self.model.geom_quat[geom] = self.model.mesh_quat[mesh]
            self.model.geom_matid[geom] = self.model.material(_material(name) if block else f"item {name}").id

    def place(self, body: str, position_m: Iterable[float], quaternion: Iterable[float] = (1.0, 0.0, 0.0, 0.0)) -> None:
        """Puts a mob, a thing or the hand somewhere."""
        number = int(self.model.body(body).mocapid[0])
        self.data.mocap_pos[number] = tuple(position_m)
        self.data.mocap_quat[number] = tuple(quaternion)

    def bend(self, mob: str, limb: str, angle_rad: float) -> None:
        """Turns a limb about its joint."""
        self.data.joint(f"{mob} {limb}").qpos[0] = angle_rad

    def tint(self, mob: str, rgba: tuple[float, float, float, float]) -> None:
        """Colours a mob: red where it is hurt."""
        for limb in MOBS[mob].limbs:
            self.model.geom(f"{mob} {limb.name}").rgba[:] = rgba


@lru_cache(maxsize=1)
def _item_meshes() -> dict[str, Mesh]:
    return {name: sprite_mesh(sprite(name), DROP_M, THICK_M) for name in ITEMS}


def _compile(land: Land, cells: tuple[Cell, ...]) -> mujoco.MjModel:
    builder = _Builder()
    hidden = np.zeros(land.codes.shape, bool)
    for cell in cells:
        hidden[cell] = True
    for name, mesh in land_meshes(land.codes, hidden).items():
        builder.picture(name, enlarged(texels(name), 4))
        builder.mesh(f"land {name}", mesh)
        builder.spec.worldbody.add_geom(type=_MESH, meshname=f"land {name}", material=name, contype=0, conaffinity=0)
    builder.blocks()
    builder.items()
    builder.plants(land)
    for i, cell in enumerate(cells):
        builder.cell(i, cell, KINDS[int(land.codes[cell])].name, land.middle_m)
    for mob in MOBS.values():
        builder.mob(mob)
    builder.hand()
    for i in range(DROPS):
        builder.holder(f"drop{i}")
    builder.light()
    return builder.spec.compile()


def _material(name: str, stage: int = 0) -> str:
    return f"block {name} {stage}"


class _Builder:
    def __init__(self) -> None:
        self.spec = mujoco.MjSpec()
        self.spec.stat.extent = 40.0
        self.spec.visual.map.znear, self.spec.visual.map.zfar = 0.001, 20.0
        self.spec.stat.center = [32.0, 32.0, 8.0]

    def picture(self, name: str, pixels: Pixels) -> None:
        """Stores a texture and the material that shows it."""
        stored = self.spec.add_texture(name=name, type=mujoco.mjtTexture.mjTEXTURE_2D)
        stored.height, stored.width, stored.nchannel = pixels.shape
        stored.data = pixels.tobytes()
        roles = [name if role == _RGB else "" for role in range(_ROLES)]
        self.spec.add_material(name=name, rgba=[1, 1, 1, 1], specular=0.0, shininess=0.0, textures=roles)

    def mesh(self, name: str, mesh: Mesh) -> None:
        stored = self.spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
        faces = mesh.faces.ravel().tolist()
        stored.uservert, stored.userface = mesh.vertices_m.ravel().tolist(), faces
        stored.usernormal = mesh.normals.ravel().tolist()
        uvs = mesh.uvs.copy()
        uvs[:, 1] = 1.0 - uvs[:, 1]  # MuJoCo's first row is at v = 0
        stored.usertexcoord = uvs.ravel().tolist()

    def geom(self, body: Any, name: str, mesh: str, material: str, **more: Any) -> None:
        body.add_geom(
            name=name, type=_MESH, meshname=mesh, material=material, contype=0, conaffinity=0, mass=0.1, **more
        )

    def blocks(self) -> None:
        for kind in KINDS[AIR + 1 :]:
            for stage in range(STAGES + 1):
                self.picture(_material(kind.name, stage), block_sheet(kind, stage))
        self.mesh("block", box_mesh((1.0, 1.0, 1.0), block_tiles()))
        self.mesh("block item", box_mesh((0.27, 0.27, 0.27), block_tiles()))

    def items(self) -> None:
        for name, mesh in _item_meshes().items():
            self.sprite(f"item {name}", sprite(name), mesh)

    def sprite(self, name: str, picture: Sprite, mesh: Mesh) -> None:
        self.picture(name, enlarged(np.ascontiguousarray(picture[..., :3]), 4))
        self.mesh(name, mesh)

    def plants(self, land: Land) -> None:
        taken = {cell[:2] for one in land.stations.values() for cell in one.cells}
        for name in ("tuft", "poppy", "dandelion"):
            self.sprite(name, plant_sprite(name), sprite_mesh(plant_sprite(name), 0.85, 0.02))
        for i, (name, (x, y, z)) in enumerate(land.plants):
            if (x, y) not in taken:
                for turn in (45.0, 135.0):
                    half = np.radians(turn) / 2
                    quat = [float(np.cos(half)), 0.0, 0.0, float(np.sin(half))]
                    pose = {"pos": [x + 0.5, y + 0.5, z + 0.42], "quat": quat}
                    self.geom(self.spec.worldbody, f"plant{i} {turn:g}", name, name, **pose)

    def cell(self, number: int, cell: Cell, name: str, middle_m: tuple[float, float]) -> None:
        """A block of its own; fronts look towards the middle of the land."""
        x, y, z = (part + 0.5 for part in cell)
        way = np.arctan2(middle_m[1] - y, middle_m[0] - x) + np.pi / 2
        half = round(way / (np.pi / 2)) * np.pi / 4
        quat = [float(np.cos(half)), 0.0, 0.0, float(np.sin(half))]
        rgba = HIDDEN if name == "air" else SHOWN
        material = _material("dirt" if name == "air" else name)
        self.geom(self.spec.worldbody, f"cell{number}", "block", material, pos=[x, y, z], quat=quat, rgba=list(rgba))

    def mob(self, mob: Mob) -> None:
        body = self.spec.worldbody.add_body(name=mob.name, mocap=True, pos=list(AWAY_M))
        for limb in mob.limbs:
            name = f"{mob.name} {limb.name}"
            front = limb.face or limb.skin
            self.picture(name, sheet((skin(limb.skin), skin(front))))
            plain, face = tiles(2)
            self.mesh(name, box_mesh(limb.size_m, (plain, plain, face, plain, plain, plain)))
            part = body.add_body(name=name, pos=list(limb.joint_m))
            part.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 1.0, 0.0])
            self.geom(part, name, name, name, pos=list(limb.middle_m))

    def hand(self) -> None:
        """The player's arm, and what it holds."""
        body = self.spec.worldbody.add_body(name="hand", mocap=True, pos=list(AWAY_M))
        self.picture("arm", sheet((skin("sleeve"), skin("hand"))))
        plain, bare = tiles(2)
        self.mesh("arm", box_mesh((0.34, 0.10, 0.10), (plain, plain, bare, plain, plain, plain)))
        self.geom(body, "arm", "arm", "arm")
        self.holder("held")

    def holder(self, name: str) -> None:
        body = self.spec.worldbody.add_body(name=name, mocap=True, pos=list(AWAY_M))
        self.geom(body, name, "block item", _material("dirt"), rgba=list(HIDDEN))

    def light(self) -> None:
        self.spec.visual.headlight.ambient = [0.40, 0.42, 0.46]
        self.spec.visual.headlight.diffuse = [0.0, 0.0, 0.0]
        self.spec.visual.headlight.specular = [0.0, 0.0, 0.0]
        sky = self.spec.add_texture(name="sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX)
        pixels = sky_box()
        sky.height, sky.width, sky.nchannel = pixels.shape
        sky.data = pixels.tobytes()
        kind = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
        way = [-float(part) for part in SUN_M]
        self.spec.worldbody.add_light(
            name="sun", type=kind, pos=[32, 32, 40], dir=way, diffuse=[0.60, 0.57, 0.50], castshadow=True
        )
        self.spec.worldbody.add_light(
            name="glow", type=kind, pos=[32, 32, 40], dir=[0.7, 0.45, -0.3], diffuse=[0.14, 0.15, 0.18],
            castshadow=False,
        )  # fmt: skip


def code_at(land: Land, cell: Cell) -> str:
    """The kind of block that the land has in a cell at first."""
    return KINDS[int(land.codes[cell])].name
