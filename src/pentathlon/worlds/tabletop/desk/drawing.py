"""Puts meshes with their looks into a MuJoCo model, and the desk that everything happens on."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Mesh
from pentathlon.worlds.modelling.textures import Texture

STEP_S = 0.004
UNTOUCHED: dict[str, Any] = {"contype": 0, "conaffinity": 0, "mass": 0.0, "group": 1}
TOUCHED: dict[str, Any] = {"group": 3}
_ROLES = int(mujoco.mjtTextureRole.mjNTEXROLE)
_RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)


class Drawing:
    """A model under construction."""

    def __init__(self) -> None:
        self.spec = mujoco.MjSpec()
        self.spec.option.timestep = STEP_S
        self.spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        self.spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        self._count = 0

    def draw(self, body: Any, mesh: Mesh, seen: Look, **more: Any) -> None:
        """Adds a mesh that is seen and not touched."""
        self._count += 1
        name = f"drawn{self._count}"
        stored = self.spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
        stored.uservert, stored.userface = mesh.vertices_m.ravel().tolist(), mesh.faces.ravel().tolist()
        stored.usernormal = mesh.normals.ravel().tolist()
        if seen.texture is not None:
            uvs = mesh.uvs / seen.texture.tile_m if seen.texture.tile_m else mesh.uvs.copy()
            uvs[:, 1] = 1.0 - uvs[:, 1]
            stored.usertexcoord = uvs.ravel().tolist()
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, material=self.material(seen), **UNTOUCHED, **more)

    def material(self, seen: Look) -> str:
        """Stores a look and returns its name."""
        self._count += 1
        name, matter = f"look{self._count}", seen.material
        picture = "" if seen.texture is None else self._texture(seen.texture)
        self.spec.add_material(
            name=name, rgba=[*seen.colour.rgb, matter.alpha], specular=matter.specular, shininess=matter.shininess,
            textures=[picture if role == _RGB else "" for role in range(_ROLES)],
        )  # fmt: skip
        return name

    def _texture(self, texture: Texture) -> str:
        self._count += 1
        stored = self.spec.add_texture(name=f"picture{self._count}", type=mujoco.mjtTexture.mjTEXTURE_2D)
        stored.height, stored.width, stored.nchannel = texture.pixels.shape
        stored.data = texture.pixels.tobytes()
        return f"picture{self._count}"

    def light(self, rng: np.random.Generator) -> None:
        """A lamp from above that casts shadows, and the light of the room."""
        lamp = [float(rng.uniform(-0.9, 0.9)), float(rng.uniform(-0.9, 0.3)), 2.2]
        way = [-lamp[0], -lamp[1], -2.2]
        self.spec.worldbody.add_light(
            name="lamp", type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL, pos=lamp, dir=way, diffuse=[0.55, 0.54, 0.50],
            specular=[0.25] * 3, castshadow=True,
        )  # fmt: skip
        self.spec.visual.headlight.ambient = [0.36, 0.36, 0.38]
        self.spec.visual.headlight.diffuse = [0.18] * 3
        self.spec.visual.headlight.specular = [0.0] * 3

    def desk(self, rng: np.random.Generator) -> None:
        """A table top of some wood, stone or cloth, its surface at z = 0."""
        tops = (
            look("wood", WOOD_SHADES[int(rng.integers(3))], rng, texture="planks"),
            look("wood", WOOD_SHADES[int(rng.integers(3))], rng),
            look("stone", "white", rng),
            look("fabric", ("beige", "grey", "navy")[int(rng.integers(3))], rng),
        )
        top = tops[int(rng.integers(len(tops)))]
        geom = mujoco.mjtGeom.mjGEOM_BOX
        material = self.material(top)
        self.spec.worldbody.add_geom(
            name="desk", type=geom, size=[0.9, 0.7, 0.02], pos=[0.0, 0.0, -0.02], material=material, condim=6,
            friction=[0.8, 0.02, 0.004],
        )  # fmt: skip
        stored = self.spec.material(material)
        stored.texuniform, stored.texrepeat = True, [2.0, 2.0]
        self.spec.worldbody.add_geom(
            type=geom, size=[3.0, 3.0, 0.02], pos=[0.0, 0.0, -0.75], rgba=[0.45, 0.44, 0.43, 1.0], **UNTOUCHED
        )


WOOD_SHADES = ("beige", "brown", "cream")
