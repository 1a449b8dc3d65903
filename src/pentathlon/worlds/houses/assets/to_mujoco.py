"""Puts assets into a MuJoCo model, sharing equal meshes, textures and materials, and switches their state."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import mujoco
import numpy as np

from pentathlon.worlds.houses.assets.asset import PLAIN, Asset, Collider, Joint, Part, Point
from pentathlon.worlds.houses.assets.physique import add_light, set_inertias
from pentathlon.worlds.houses.assets.seen import SeenMesh, is_pane, pane, texture_coordinates
from pentathlon.worlds.houses.house import State, When
from pentathlon.worlds.modelling.materials import Look
from pentathlon.worlds.modelling.mesh import Floats, Mesh, rotation
from pentathlon.worlds.modelling.textures import Texture

Rgba = tuple[float, float, float, float]
VISUAL_GROUP = 1
COLLISION_GROUP = 3
# MuJoCo shows a geom's material where the geom's own colour is this default, and nothing at all where alpha is 0.
MATERIAL_RGBA = (0.5, 0.5, 0.5, 1.0)
HIDDEN_RGBA = (0.0, 0.0, 0.0, 0.0)
FROST_RGBA = (0.86, 0.95, 1.0, 1.0)
FROST_SHARE = 0.6
PRIMITIVES = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
}
THIN_M = 0.02
# Two triangles for each side of a box whose corners count up in binary, x first.
BLOCK_FACES = [
    0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
    2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3,
]  # fmt: skip
RGB_ROLE, ROLES = int(mujoco.mjtTextureRole.mjTEXROLE_RGB), int(mujoco.mjtTextureRole.mjNTEXROLE)
JOINT_DAMPING = {"hinge": 0.6, "slide": 8.0}
JOINT_FRICTION = {"hinge": 0.15, "slide": 2.0}


@dataclass(frozen=True)
class Placed:
    """Names in the model of one asset that was put there.

    Attributes:
        name: Its body's name and the prefix of all others.
        find_asset: Returns what was put there.
        free_joint: Name of the free joint, or empty.
        joints: Model names of its joints, by their names in the asset.
        switched: Geoms that show only in some states.
        lights: Names of its lights, which shine while it is on.
    """

    name: str
    find_asset: Callable[[], Asset]
    free_joint: str
    joints: dict[str, str]
    switched: tuple[tuple[str, When], ...]
    lights: tuple[str, ...]

    @cached_property
    def asset(self) -> Asset:
        """What was put there, found when it is first asked for: who only walks through a house needs few of them."""
        return self.find_asset()


class AssetWriter:
    """Adds assets to one `mujoco.MjSpec`; the meshes of one asset and equal textures and materials are stored once.

    Attributes:
        later: Meshes by name that are only seen and for which only a box was written; see `scene.stitching`.
    """

    def __init__(
        self,
        spec: mujoco.MjSpec,
        whole: AssetWriter | None = None,
        *,
        switchable: bool = True,
        later: dict[str, SeenMesh] | None = None,
    ) -> None:
        self.spec = spec
        self.later: dict[str, SeenMesh] | None = later if whole is None else whole.later
        self._switchable: bool = switchable if whole is None else whole._switchable
        self._names: dict[tuple[object, ...], str] = {} if whole is None else whole._names
        self._kept: list[Mesh] = [] if whole is None else whole._kept

    def section(self) -> AssetWriter:
        """Return a writer into an empty spec, to be joined to this one, with which it shares meshes and materials.

        Whatever is added to a spec takes longer the more it holds: many things are quickest added to small specs.
        """
        part = mujoco.MjSpec()
        part.compiler.degree = self.spec.compiler.degree
        return AssetWriter(part, self)

    def join(self, section: AssetWriter) -> None:
        """Attach what a section holds to the world."""
        self.spec.attach(section.spec, prefix="", frame=self.spec.worldbody.add_frame())

    def add(
        self,
        asset: Asset,
        name: str,
        position_m: Sequence[float] = (0.0, 0.0, 0.0),
        quaternion: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
        *,
        free: bool = False,
        parent: mujoco.MjsBody | None = None,
        state: State = PLAIN,
    ) -> Placed:
        """Put the asset into the model as a body.

        Args:
            asset: What to add.
            name: Unique name of the body; everything else is called "name/...".
            position_m: Where the asset's origin goes, in the parent's frame.
            quaternion: Its orientation, w first.
            free: Whether it can be moved about (a free joint); otherwise it is fixed to its parent.
            parent: The body to attach it to; the world by default.
            state: How it looks at first.
        """
        root = (parent or self.spec.worldbody).add_body(name=name, pos=list(position_m), quat=list(quaternion))
        if free:
            root.add_freejoint(name=f"{name}/free")
        bodies = {"": root}
        origins = {"": np.zeros(3)}
        for joint in asset.joints:
            bodies[joint.name] = self._add_joint(root, joint, name)
            origins[joint.name] = np.array(joint.anchor_m)
        switched = []
        seen = state if "coolable" in asset.declared else msgspec.structs.replace(state, cold=False)
        for i, part in enumerate(asset.parts):
            if not self._switchable and not seen.shows(part.when):
                continue
            # Most geoms stay nameless: MuJoCo compares each new name with all others, which costs more than the geom.
            geom_name = "" if part.when == "always" else f"{name}/part_{i}"
            self._add_part(bodies[part.joint], origins[part.joint], part, geom_name, _rgba(part, seen))
            if geom_name:
                switched.append((geom_name, part.when))
        for collider in asset.colliders:
            self._add_collider(bodies[collider.joint], origins[collider.joint], collider, free)
        lights = tuple(add_light(bodies[item.joint], origins[item.joint], item, name, state) for item in asset.emitters)
        set_inertias(bodies, origins, asset)
        names = {joint.name: f"{name}/{joint.name}" for joint in asset.joints}
        return Placed(name, lambda: asset, f"{name}/free" if free else "", names, tuple(switched), lights)

    def _add_joint(self, root: mujoco.MjsBody, joint: Joint, name: str) -> mujoco.MjsBody:
        kinds = {"hinge": mujoco.mjtJoint.mjJNT_HINGE, "slide": mujoco.mjtJoint.mjJNT_SLIDE}
        full_name = f"{name}/{joint.name}"
        in_degrees = joint.kind == "hinge" and self.spec.compiler.degree
        body = root.add_body(name=full_name, pos=list(joint.anchor_m))
        body.add_joint(
            name=full_name,
            type=kinds[joint.kind],
            axis=list(joint.axis),
            range=[0.0, math.degrees(joint.reach) if in_degrees else joint.reach],
            limited=True,
            damping=JOINT_DAMPING[joint.kind],
            frictionloss=JOINT_FRICTION[joint.kind],
        )
        handle_m = np.array(joint.handle_m) - joint.anchor_m
        body.add_site(name=f"{full_name}/handle", pos=list(handle_m), size=[0.01] * 3, group=4)
        return body

    def _add_part(self, body: mujoco.MjsBody, origin_m: Floats, part: Part, name: str, rgba: Rgba) -> None:
        shape: dict[str, Any] = (
            pane(part.mesh, origin_m)
            if is_pane(part)
            else {
                "type": mujoco.mjtGeom.mjGEOM_MESH,
                "meshname": self._seen_mesh(part.mesh, origin_m, part.look.texture),
            }
        )
        body.add_geom(
            name=name,
            **shape,
            material=self._material(part.look),
            rgba=list(rgba),
            group=VISUAL_GROUP,
            contype=0,
            conaffinity=0,
            mass=0,
        )

    def _add_collider(self, body: mujoco.MjsBody, origin_m: Floats, item: Collider, free: bool) -> None:
        centre = np.array(item.centre_m) - origin_m
        common = {"group": COLLISION_GROUP, "mass": 0, "rgba": [0.4, 0.6, 0.9, 0.4]}
        if item.kind == "hull":
            assert item.mesh is not None
            shell = self._mesh(item.mesh, origin_m, None)
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=shell, **common)
            return
        half = np.array(item.size_m) / 2.0
        kind = PRIMITIVES[item.kind]
        size = {"box": half, "cylinder": half[[0, 2, 2]], "sphere": half[[0, 0, 0]]}[item.kind]
        pose = {"pos": list(centre), "quat": _quaternion(item.angle_deg)}
        if item.kind == "box" and free and item.size_m[2] > THIN_M:
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=self._block(half), **pose, **common)
        else:
            body.add_geom(type=kind, size=list(size), **pose, **common)

    def _block(self, half_m: Floats) -> str:
        """Store a box as a mesh and return its name.

        MuJoCo 3.10 and 3.11 at times report a contact as deep as the box is wide between boxes at rest on one another
        (google-deepmind/mujoco#3476), which throws loose things about; meshes take another way. Thin things stay
        boxes: as meshes they sink into wide boards.
        """
        x, y, z = half_m.tolist()
        name, new = self._named("block", x, y, z)
        if new:
            self._add_block(name, ((-x, -y, -z), (x, y, z)))
        return name

    def _seen_mesh(self, mesh: Mesh, origin_m: Floats, texture: Texture | None) -> str:
        """Store a mesh that is only seen, or a box in its place, and return its name."""
        if self.later is None:
            return self._mesh(mesh, origin_m, texture)
        tile_m = texture.tile_m if texture is not None else None
        name, new = self._named("seen", id(mesh), *origin_m.tolist(), texture is not None, tile_m)
        if new:
            self.later[name] = SeenMesh(mesh, origin_m, None if texture is None else texture_coordinates(mesh, texture))
            low, high = mesh.bounds_m
            stored = self._add_block(name, ((low - origin_m).tolist(), (high - origin_m).tolist()))
            if texture is not None:
                stored.usertexcoord = [0.0] * 16
        return name

    def _add_block(self, name: str, bounds_m: Sequence[Sequence[float]]) -> mujoco.MjsMesh:
        stored = self.spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
        corners = itertools.product((0, 1), repeat=3)
        stored.uservert = [bounds_m[side][axis] for corner in corners for axis, side in enumerate(corner)]
        stored.userface = BLOCK_FACES
        return stored

    def _mesh(self, mesh: Mesh, origin_m: Floats, texture: Texture | None) -> str:
        """Store the mesh as seen from the origin, uvs as repetitions of the texture, and return its name."""
        tile_m = texture.tile_m if texture is not None else None
        # Meshes are told apart by identity: hashing all of them would take longer than storing some twice.
        name, new = self._named("mesh", id(mesh), *origin_m.tolist(), texture is not None, tile_m)
        if new:
            self._kept.append(mesh)  # so that no other mesh gets its identity
            stored = self.spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
            # MuJoCo takes lists three times as fast as arrays.
            stored.uservert = (mesh.vertices_m - origin_m).ravel().tolist()
            stored.userface, stored.usernormal = mesh.faces.ravel().tolist(), mesh.normals.ravel().tolist()
            if texture is not None:
                stored.usertexcoord = texture_coordinates(mesh, texture).ravel().tolist()
        return name

    def _texture(self, texture: Texture) -> str:
        name, new = self._named("texture", texture.digest)
        if new:
            height, width, channels = texture.pixels.shape
            stored = self.spec.add_texture(name=name, type=mujoco.mjtTexture.mjTEXTURE_2D)
            stored.width, stored.height, stored.nchannel = width, height, channels
            stored.data = texture.pixels.tobytes()
        return name

    def _material(self, look: Look) -> str:
        matter = look.material
        picture = "" if look.texture is None else self._texture(look.texture)
        name, new = self._named("material", matter.name, look.colour.rgb, picture, look.emission)
        if new:
            self.spec.add_material(
                name=name,
                rgba=[*look.colour.rgb, matter.alpha],
                specular=matter.specular,
                shininess=matter.shininess,
                reflectance=matter.reflectance,
                emission=look.emission,
                textures=[picture if role == RGB_ROLE else "" for role in range(ROLES)],
            )
        return name

    def _named(self, kind: str, *content: object) -> tuple[str, bool]:
        """Return the name of some content and whether it is new; short names are compared fastest."""
        key = (kind, *content)
        new = key not in self._names
        return self._names.setdefault(key, f"{kind}_{len(self._names)}"), new


def _rgba(part: Part, state: State) -> Rgba:
    if not state.shows(part.when):
        return HIDDEN_RGBA
    return _frosted((*part.look.colour.rgb, part.look.material.alpha)) if state.cold else MATERIAL_RGBA


def _frosted(own: Sequence[float]) -> Rgba:
    red, green, blue, alpha = (a + FROST_SHARE * (b - a) for a, b in zip(own, FROST_RGBA, strict=True))
    return red, green, blue, alpha


def _quaternion(angle_deg: Point) -> list[float]:
    if not any(angle_deg):
        return [1.0, 0.0, 0.0, 0.0]
    turn = rotation("x", angle_deg[0]) @ rotation("y", angle_deg[1]) @ rotation("z", angle_deg[2])
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, turn.ravel())
    return [float(value) for value in quaternion]


def set_state(model: mujoco.MjModel, placed: Placed, state: State) -> None:
    """Show the parts and light the lights that belong to the state."""
    for name, when in placed.switched:
        model.geom(name).rgba[:] = MATERIAL_RGBA if state.shows(when) else HIDDEN_RGBA
    for name in placed.lights:
        model.light_active[model.light(name).id] = state.on  # `light(name).active` is a copy
    if "coolable" in placed.asset.declared:
        for body in (placed.name, *placed.joints.values()):
            _set_frost(model, model.body(body), state.cold)


def _set_frost(model: mujoco.MjModel, body: Any, frosted: bool) -> None:
    """Lay frost over what shows of a body, or take it away."""
    for geom in range(body.geomadr[0], body.geomadr[0] + body.geomnum[0]):
        if model.geom_group[geom] == VISUAL_GROUP and model.geom_rgba[geom, 3] > 0:
            own = model.mat_rgba[model.geom_matid[geom]].tolist()
            model.geom_rgba[geom] = _frosted(own) if frosted else MATERIAL_RGBA


def set_opening(model: mujoco.MjModel, data: mujoco.MjData, placed: Placed, joint: str, fraction: float) -> None:
    """Put a joint at a fraction of its reach: 0 is closed, 1 fully open."""
    number = model.joint(placed.joints[joint]).id
    data.qpos[model.jnt_qposadr[number]] = model.jnt_range[number, 1] * fraction
