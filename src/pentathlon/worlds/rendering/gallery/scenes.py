"""One small generated scene per feature of MuJoCo's visual model, so that a difference points at the feature."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import mujoco


@dataclass(frozen=True)
class Exhibit:
    """A named model with the camera it is looked at through."""

    name: str
    shows: str
    load: Callable[[], mujoco.MjModel]
    camera: str | mujoco.MjvCamera = "view"


def scene(
    worldbody: str,
    *,
    asset: str = "",
    camera: str = 'pos="0 -3.2 1.7" xyaxes="1 0 0 0 0.45 0.9" fovy="45"',
    light: str = '<light pos="0 -1 4" dir="0 0.2 -1" diffuse=".6 .6 .6" specular=".3 .3 .3"/>',
    headlight: str = 'ambient=".3 .3 .3" diffuse=".3 .3 .3" specular=".1 .1 .1"',
    floor: str = '<geom name="floor" type="plane" size="3 3 .1" rgba=".75 .72 .68 1"/>',
    rest: str = "",
) -> Callable[[], mujoco.MjModel]:
    """Returns a function that compiles a scene with a camera called `view`; `rest` follows after the world."""
    xml = f"""<mujoco>
      <visual><headlight {headlight}/><map znear="0.005" zfar="200"/>
        <quality numslices="96" numstacks="64" numquads="16"/><global offwidth="1280" offheight="960"/></visual>
      <statistic extent="2" center="0 0 .3"/>
      <asset>{asset}</asset>
      <worldbody><camera name="view" {camera}/>{light}{floor}{worldbody}</worldbody>{rest}
    </mujoco>"""
    return lambda: mujoco.MjModel.from_xml_string(xml)


# Every convex primitive once, in two rows, each in its own colour.
_SHAPES: Final = """
  <geom type="sphere" size=".25" pos="-1.1 -.4 .25" rgba=".85 .3 .25 1"/>
  <geom type="capsule" size=".14 .25" pos="-.4 -.4 .39" rgba=".9 .6 .2 1"/>
  <geom type="cylinder" size=".2 .25" pos=".35 -.4 .25" rgba=".35 .65 .3 1"/>
  <geom type="box" size=".22 .18 .25" pos="1.1 -.4 .25" euler="0 0 25" rgba=".25 .5 .8 1"/>
  <geom type="ellipsoid" size=".35 .2 .15" pos="-.9 .6 .4" euler="20 30 10" rgba=".6 .35 .75 1"/>
  <geom type="capsule" fromto="-.2 .5 .15 .6 .9 .6" size=".09" rgba=".3 .7 .7 1"/>
  <geom type="mesh" mesh="gem" pos="1.1 .6 0" rgba=".8 .75 .3 1"/>"""

_GEM: Final = (
    '<mesh name="gem" vertex=".3 0 .25  -.3 0 .25  0 .3 .25  0 -.3 .25  0 0 .7  0 0 0" '
    'face="0 2 4  2 1 4  1 3 4  3 0 4  2 0 5  1 2 5  3 1 5  0 3 5"/>'
)

_CHECKER: Final = (
    '<texture name="checker" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".8 .8 .7" width="256" height="256"/>'
)
_GRADIENT: Final = (
    '<texture name="cube" type="cube" builtin="gradient" rgb1=".9 .5 .2" rgb2=".1 .2 .6" mark="cross" markrgb="1 1 1" '
    'width="128" height="128"/>'
)
_SKY: Final = '<texture type="skybox" builtin="gradient" rgb1=".35 .55 .85" rgb2=".95 .95 1" width="256" height="256"/>'


def _tube_mesh(name: str, slices: int = 24, rings: int = 6) -> str:
    """An open tube with its own smooth normals and texture coordinates, as an inline MJCF mesh."""
    vertices, normals, coordinates, faces = [], [], [], []
    for ring in range(rings + 1):
        for part in range(slices + 1):
            angle_rad = 2 * math.pi * part / slices
            radius_m = 0.22 + 0.06 * math.sin(math.pi * ring / rings)
            x, y = math.cos(angle_rad), math.sin(angle_rad)
            vertices.append(f"{radius_m * x:.5f} {radius_m * y:.5f} {0.6 * ring / rings:.5f}")
            normals.append(f"{x:.5f} {y:.5f} 0")
            coordinates.append(f"{2 * part / slices:.5f} {ring / rings:.5f}")
    for ring in range(rings):
        for part in range(slices):
            low, high = ring * (slices + 1) + part, (ring + 1) * (slices + 1) + part
            faces += [f"{low} {low + 1} {high + 1}", f"{low} {high + 1} {high}"]
    return (
        f'<mesh name="{name}" inertia="shell" vertex="{" ".join(vertices)}" normal="{" ".join(normals)}" '
        f'texcoord="{" ".join(coordinates)}" face="{" ".join(faces)}"/>'
    )


def _material_row() -> tuple[str, str]:
    """Returns assets and geoms: one sphere per material feature."""
    opaque = 'rgba=".7 .4 .3 1"'
    features = {
        "plain": opaque,
        "matte": f'{opaque} specular="0" shininess="0"',
        "shiny": f'{opaque} specular="1" shininess=".9"',
        "broad": f'{opaque} specular="1" shininess=".1"',
        "emission": f'{opaque} emission=".6"',
        "glass": 'rgba=".7 .4 .3 .4"',
    }
    assets = "".join(f'<material name="{name}" {text}/>' for name, text in features.items())
    geoms = "".join(
        f'<geom type="sphere" size=".22" pos="{-1.25 + 0.5 * i:.2f} 0 .3" material="{name}"/>'
        for i, name in enumerate(features)
    )
    return assets, geoms


def _ridges(rows: int = 24, columns: int = 32) -> str:
    heights = [
        f"{0.5 + 0.3 * math.sin(0.5 * row) * math.cos(0.4 * column) + 0.004 * row:.4f}"
        for row in range(rows)
        for column in range(columns)
    ]
    return f'<hfield name="hills" nrow="{rows}" ncol="{columns}" size="1.4 1.1 .6 .1" elevation="{" ".join(heights)}"/>'


_MATERIAL_ASSETS, _MATERIAL_GEOMS = _material_row()
_POSTS: Final = "".join(
    f'<geom type="cylinder" size=".1 .3" pos="{x} {y} .3" rgba=".8 .8 .8 1"/>'
    for x in (-0.9, 0, 0.9)
    for y in (-0.5, 0.5)
)

FEATURES: Final = (
    Exhibit("shapes", "every primitive and a mesh", scene(_SHAPES, asset=_GEM)),
    Exhibit(
        "infinite-plane",
        "a plane without end, checkered, to the horizon",
        scene(
            '<geom type="sphere" size=".4" pos="0 .3 .4" rgba=".8 .3 .3 1"/>',
            asset=_SKY + _CHECKER + '<material name="tiles" texture="checker" texrepeat="2 2" texuniform="true"/>',
            # OpenGL lights an endless plane at corners many metres apart: only a sun looks the same in both.
            light='<light directional="true" pos="0 0 4" dir=".3 .4 -1" diffuse=".5 .5 .5" specular="0 0 0"/>',
            floor='<geom type="plane" size="0 0 .1" material="tiles"/>',
            camera='pos="0 -3 1" xyaxes="1 0 0 0 .15 1" fovy="60"',
        ),
    ),
    Exhibit(
        "directional-light",
        "the sun",
        scene(_SHAPES, asset=_GEM, light='<light directional="true" pos="0 0 4" dir=".5 .4 -1" diffuse=".7 .7 .6"/>'),
    ),
    Exhibit(
        "spot-lights",
        "narrow, wide, soft-edged and attenuated spots",
        scene(
            _POSTS,
            light='<light pos="-1 -.5 2" dir="0 .2 -1" cutoff="20" exponent="0" diffuse=".9 .2 .2"/>'
            '<light pos="0 -.5 2" dir="0 .2 -1" cutoff="35" exponent="30" diffuse=".2 .9 .2"/>'
            '<light pos="1 -.5 2" dir="0 .2 -1" cutoff="30" exponent="5" attenuation=".5 .3 .2" diffuse=".3 .3 1"/>',
        ),
    ),
    Exhibit(
        "point-lights",
        "two bulbs among posts, one attenuated, with ambient and specular parts",
        # OpenGL ignores type="point"; a spot of 180 degrees shines the same way and both renderers know it.
        scene(
            _POSTS,
            light='<light cutoff="180" exponent="0" pos="-.45 0 .9" diffuse=".8 .6 .3" ambient=".05 .05 .1" '
            'attenuation="1 .2 .6"/>'
            '<light cutoff="180" exponent="0" pos=".6 -1 .7" diffuse=".2 .3 .6" specular=".8 .8 .8"/>',
        ),
    ),
    Exhibit(
        "headlight",
        "only the light at the camera",
        scene(_SHAPES, asset=_GEM, light="", headlight='ambient=".1 .1 .1" diffuse=".8 .8 .8" specular=".6 .6 .6"'),
    ),
    Exhibit("materials", "specular, shininess, emission, glass", scene(_MATERIAL_GEOMS, asset=_MATERIAL_ASSETS)),
    Exhibit(
        "textures",
        "2-D and cube textures on box, sphere, cylinder, plane and a mesh with its own coordinates",
        scene(
            '<geom type="box" size=".25 .25 .25" pos="-1.1 -.3 .25" euler="0 0 30" material="flat"/>'
            '<geom type="box" size=".25 .4 .25" pos="-1 .7 .25" euler="0 0 15" material="uniform"/>'
            '<geom type="sphere" size=".28" pos="-.3 -.3 .28" material="flat"/>'
            '<geom type="box" size=".25 .25 .25" pos=".45 -.3 .25" euler="0 0 30" material="wrapped"/>'
            '<geom type="sphere" size=".28" pos="1.15 -.3 .28" material="wrapped"/>'
            '<geom type="cylinder" size=".25 .3" pos=".1 .7 .3" material="flat"/>'
            '<geom type="mesh" mesh="tube" pos="1 .7 0" material="flat"/>',
            asset=_CHECKER
            + _GRADIENT
            + _tube_mesh("tube")
            + '<material name="flat" texture="checker" texrepeat="2 2"/>'
            + '<material name="uniform" texture="checker" texrepeat="2 2" texuniform="true"/>'
            + '<material name="wrapped" texture="cube"/><material name="ground" texture="checker" texrepeat="6 6"/>',
            floor='<geom type="plane" size="3 3 .1" material="ground"/>',
        ),
    ),
    Exhibit(
        "transparency",
        "five panes and a glass ball, one behind the other",
        scene(
            "".join(
                f'<geom type="box" size=".5 .01 .4" pos="{-0.6 + 0.3 * i} {-0.8 + 0.4 * i} .45" '
                f'rgba="{0.2 + 0.15 * i:.2f} .4 {0.8 - 0.15 * i:.2f} .4"/>'
                for i in range(5)
            )
            + '<geom type="sphere" size=".25" pos="0 -1.1 .3" rgba=".2 .9 .3 .5"/>'
            + '<geom type="sphere" size=".3" pos=".3 1.4 .4" rgba=".9 .8 .2 1"/>'
        ),
    ),
    Exhibit(
        "reflection",
        "a mirroring floor (with `fine` only)",
        scene(
            _SHAPES,
            asset=_GEM + '<material name="mirror" rgba=".5 .5 .55 1" reflectance=".5"/>',
            floor='<geom type="plane" size="3 3 .1" material="mirror"/>',
        ),
    ),
    Exhibit(
        "height-field",
        "hills",
        scene(
            '<geom type="hfield" hfield="hills" rgba=".45 .6 .35 1"/>'
            '<geom size=".15" pos="0 -.3 .8" rgba=".8 .3 .2 1"/>',
            asset=_ridges(),
        ),
    ),
    Exhibit(
        "sites",
        "sites of every shape; groups 3 and up hidden",
        scene(
            '<site type="sphere" size=".2" pos="-1 0 .3" rgba=".9 .3 .3 1"/>'
            '<site type="capsule" size=".1 .2" pos="-.5 0 .35" rgba=".3 .9 .3 1"/>'
            '<site type="cylinder" size=".15 .2" pos="0 0 .3" rgba=".3 .3 .9 1"/>'
            '<site type="box" size=".15 .15 .2" pos=".5 0 .3" rgba=".9 .9 .3 1"/>'
            '<site type="ellipsoid" size=".25 .15 .1" pos="1.1 0 .3" rgba=".9 .3 .9 .5"/>'
            '<site type="box" size=".3 .3 .5" pos="0 -.6 .5" rgba="0 0 0 1" group="3"/>'
            '<geom type="box" size=".3 .3 .5" pos=".8 -.6 .5" rgba="0 0 0 1" group="4"/>'
        ),
    ),
    Exhibit(
        "skybox",
        "a sky in a gradient behind a free-hanging body",
        scene(
            '<geom type="ellipsoid" size=".5 .3 .3" pos="0 0 1" rgba=".9 .9 .9 1"/>',
            asset=_SKY,
            floor="",
            camera='pos="0 -2.5 .8" xyaxes="1 0 0 0 -.3 1" fovy="75"',
        ),
    ),
    Exhibit(
        "moving-bodies",
        "hinged, free and mocap bodies",
        scene(
            """
            <body pos="-.8 0 .6" euler="0 40 0"><joint axis="0 1 0"/>
              <geom type="capsule" size=".08 .4" rgba=".8 .5 .2 1"/>
              <body pos="0 0 .4"><joint axis="1 0 0"/><geom type="box" size=".1 .1 .25" pos="0 0 .25"/></body>
            </body>
            <body pos=".1 -.4 .35" euler="30 20 0"><freejoint/>
              <geom type="box" size=".2 .15 .1" rgba=".3 .5 .8 1"/>
            </body>
            <body pos=".9 .2 .5" euler="0 0 45" mocap="true">
              <geom type="cylinder" size=".2 .3" rgba=".4 .7 .4 1"/>
            </body>"""
        ),
    ),
    Exhibit(
        "intrinsics",
        "a camera given by sensor size, focal length and an off-centre principal point",
        scene(
            _SHAPES,
            asset=_GEM,
            camera='pos="0 -3.2 1.7" xyaxes="1 0 0 0 0.45 0.9" sensorsize=".0064 .0048" focal=".005 .005" '
            'principal=".0006 -.0004" resolution="640 480"',
        ),
    ),
    Exhibit(
        "orthographic",
        "a plan seen from above without perspective",
        scene(_SHAPES, asset=_GEM, camera='pos="0 0 3" xyaxes="1 0 0 0 1 0" projection="orthographic" fovy="3.2"'),
    ),
)
