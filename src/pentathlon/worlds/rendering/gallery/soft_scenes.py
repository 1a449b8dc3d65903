"""Small generated scenes of what MuJoCo draws beside geoms and sites."""

from __future__ import annotations

import math
from typing import Final

from pentathlon.worlds.rendering.gallery.scenes import Exhibit, scene

_TENDONS: Final = """
  <site name="left" pos="-1.2 0 1" size=".03"/><site name="middle" pos="0 0 .9" size=".03"/>
  <site name="right" pos="1.2 0 1" size=".03"/>
  <body pos="-.3 -.2 .3"><joint name="turn" axis="0 1 0"/><geom type="capsule" size=".05 .2"/>
    <site name="hand" pos="0 0 .25" size=".03"/></body>
  <geom name="pulley" type="cylinder" size=".15 .1" pos=".7 .1 .6" euler="90 0 0" rgba=".6 .6 .6 1"/>
  <site name="below" pos="1.1 0 .2" size=".03"/><site name="beside" pos="1.1 0 .5" size=".02"/>"""
_TENDON_PATHS: Final = """<tendon>
  <spatial width=".02" rgba=".8 .2 .2 1" range="0 1.6"><site site="left"/><site site="middle"/></spatial>
  <spatial width=".015" rgba=".2 .6 .3 1"><site site="left"/><site site="hand"/></spatial>
  <spatial width=".012" rgba=".2 .3 .8 1"><site site="middle"/><geom geom="pulley" sidesite="beside"/>
    <site site="below"/></spatial>
  <spatial width=".02" rgba=".9 .7 .2 .5"><site site="middle"/><site site="right"/></spatial>
</tendon>"""

_FLEXES: Final = """
  <flexcomp name="cloth" type="grid" count="6 6 1" spacing=".12 .12 .1" pos="-.9 0 .6" euler="50 0 20" radius=".01"
    dim="2" mass="1" rgba=".2 .6 .9 1"><edge equality="true"/></flexcomp>
  <flexcomp name="jelly" type="grid" count="4 4 4" spacing=".15 .15 .15" pos="0 0 .5" euler="0 20 30" radius=".01"
    dim="3" mass="1" rgba=".9 .5 .2 1"><edge equality="true"/></flexcomp>
  <flexcomp name="rope" type="grid" count="8 1 1" spacing=".1 .1 .1" pos=".9 0 .6" euler="0 20 40" radius=".03"
    dim="1" mass="1" rgba=".3 .8 .3 1"><edge equality="true"/></flexcomp>"""

_EYES: Final = "".join(f'<site name="eye{i}" euler="0 {105 + 8 * i} 0" size=".04"/>' for i in range(-2, 3))
_RANGEFINDERS: Final = (
    f'<body pos="-1 0 .8">{_EYES}</body><geom type="box" size=".1 .5 .6" pos=".9 0 .6" rgba=".4 .5 .7 1"/>'
)
_SENSORS: Final = "".join(f'<rangefinder site="eye{i}"/>' for i in range(-2, 3))


def _skin(rings: int = 9, slices: int = 16) -> str:
    """A tube over two bodies, bent at their joint."""
    vertices, coordinates, faces = [], [], []
    for ring in range(rings):
        for part in range(slices + 1):
            angle = 2 * math.pi * part / slices
            vertices.append(f"{0.15 * math.cos(angle):.4f} {0.15 * math.sin(angle):.4f} {ring / (rings - 1):.4f}")
            coordinates.append(f"{2 * part / slices:.4f} {2 * ring / (rings - 1):.4f}")
    for ring in range(rings - 1):
        for part in range(slices):
            low, high = ring * (slices + 1) + part, (ring + 1) * (slices + 1) + part
            faces += [f"{low} {low + 1} {high + 1}", f"{low} {high + 1} {high}"]
    count = rings * (slices + 1)
    upper = [min(max((vertex // (slices + 1) - 3) / 2, 0.0), 1.0) for vertex in range(count)]
    every = " ".join(map(str, range(count)))
    lower_weights, upper_weights = (
        " ".join(f"{w:.3f}" for w in weights) for weights in ([1 - u for u in upper], upper)
    )
    return (
        f'<skin name="sleeve" material="cloth" vertex="{" ".join(vertices)}" texcoord="{" ".join(coordinates)}" '
        f'face="{" ".join(faces)}"><bone body="lower" bindpos="0 0 0" bindquat="1 0 0 0" vertid="{every}" '
        f'vertweight="{lower_weights}"/><bone body="upper" bindpos="0 0 .5" bindquat="1 0 0 0" vertid="{every}" '
        f'vertweight="{upper_weights}"/></skin>'
    )


_SKINNED: Final = """
  <body name="lower" pos="-.3 0 .1"><geom type="capsule" size=".05 .2" pos="0 0 .25"/>
    <body name="upper" pos="0 0 .5" euler="0 50 0"><joint axis="0 1 0"/>
      <geom type="capsule" size=".05 .2" pos="0 0 .25"/></body></body>"""
_CLOTH: Final = (
    '<texture name="check" type="2d" builtin="checker" rgb1=".7 .2 .2" rgb2=".9 .8 .7" width="64" height="64"/>'
    '<material name="cloth" texture="check"/>'
)

SOFT_FEATURES: Final = (
    Exhibit("tendons", "taut, slack, wrapped and clear", scene(_TENDONS, rest=_TENDON_PATHS)),
    Exhibit("flexes", "a cloth, a jelly and a rope", scene(_FLEXES)),
    Exhibit("rangefinders", "rays of five sensors", scene(_RANGEFINDERS, rest=f"<sensor>{_SENSORS}</sensor>")),
    Exhibit(
        "skin", "a sleeve over two bodies", scene(_SKINNED, asset=_CLOTH, rest=f"<deformable>{_skin()}</deformable>")
    ),
)
