"""What a shower and a wash basin need on the wall: a shower head, a curtain, a ring with a hand towel."""

from __future__ import annotations

import itertools
import math

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.effects import running_water
from pentathlon.worlds.houses.assets.families.bathroom.fixtures import chrome
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.colours import colour as named_colour
from pentathlon.worlds.modelling.curves import fillet, spline
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.pictures import checks, stripes
from pentathlon.worlds.modelling.shapes import cylinder, lathe, sphere, torus
from pentathlon.worlds.modelling.sweeps import sheet, sweep

TINTS = ("white", "blue", "teal", "pink", "yellow", "green", "red", "grey", "navy")


@object_type("ShowerHead", "bathroom", "a shower head on an arm", "on_wall", ("Bathroom",))
def shower_head(rng: np.random.Generator) -> Asset:
    """A round shower head that hangs from an arm out of the wall; water falls from it while it is on."""
    work, metal = Assembly(), chrome(rng)
    radius, reach, rise = rng.uniform(0.07, 0.11), rng.uniform(0.22, 0.30), rng.uniform(0.08, 0.14)
    foot = lathe([(0, 0), (0.032, 0), (0.032, 0.006), (0.016, 0.014), (0, 0.016)], 20).turned("x", 90)
    arm = fillet([(0, 0, 0), (0, -0.06, rise), (0, -reach, rise), (0, -reach, rise - 0.05)], 0.04, 4)
    disc = lathe(
        fillet([(0, 0.034), (0.02, 0.034), (0.024, 0.018), (radius, 0.010), (radius, 0.0), (0, 0)][::-1], 0.004, 2), 32
    ).moved(0, -reach, rise - 0.085)
    nozzles = [
        cylinder(0.0035, 0.004, segments=8).moved(r * math.cos(a), r * math.sin(a) - reach, rise - 0.0865)
        for r, count in ((radius * 0.35, 6), (radius * 0.75, 12))
        for a in np.linspace(0, 2 * math.pi, count, endpoint=False)
    ]
    work.show(merge([foot, sweep(arm, 0.011, sides=10), disc]), metal, fill=0.3)
    work.show(merge(nozzles), look("rubber", "grey"))
    drop = rng.uniform(1.0, 1.2)
    for share, angle in itertools.product((0.35, 0.8), np.linspace(0, 2 * math.pi, 8, endpoint=False)):
        x, y = radius * share * math.cos(angle), radius * share * math.sin(angle) - reach
        stream = running_water((float(x), float(y), float(rise - 0.088)), float(drop), 0.005)
        work.show(stream.mesh, stream.look, when="on", fill=0.0)
    work.touch((2 * radius, 2 * radius, 0.05), (0, -reach, rise - 0.07))
    work.touch((0.05, reach, 0.05), (0, -reach / 2, rise))
    return work.asset()


@object_type("ShowerCurtain", "textile", "a curtain on a rail for a bath", "on_wall", ("Bathroom",))
def shower_curtain(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A waterproof curtain in folds, gathered on one side of a rail that two brackets hold off the wall."""
    work, width, height = Assembly(), rng.uniform(0.85, 1.1), rng.uniform(1.5, 1.7)
    tint = pick_colour(rng, colour, "white", "cyan", "teal", "yellow", "pink", "blue", "lime")
    white = named_colour("white")
    cloth = (
        look("plastic", "white", texture=stripes([tint, white], 12)),
        look("plastic", "white", texture=checks(tint, white, 10)),
        look("plastic", tint, texture="ribbed"),
    )[int(rng.integers(3))]
    top, y, share = height / 2, -0.11, rng.uniform(0.72, 0.92)
    along, down = np.linspace(0, 1, 73), np.linspace(0, 1, 5)
    folds = 0.030 * np.cos(along * 2 * math.pi * 9)
    across = -width / 2 + 0.03 + width * share * along
    points = np.array(
        [
            [(x, y + f * (0.5 + 0.5 * v), top - 0.05 - v * (height - 0.05)) for v in down]
            for x, f in zip(across, folds, strict=True)
        ]
    )
    mesh = sheet(points, 0.003, crease_deg=70)
    work.show(mesh if mesh.volume_m3 > 0 else sheet(points[::-1], 0.003, crease_deg=70), cloth, fill=0.6)
    rings = [torus(0.020, 0.003, 12, 5).turned("y", 90).moved(float(x), y, top - 0.03) for x in across[::8]]
    rail = cylinder(0.011, width + 0.02, segments=14).turned("y", 90).moved(0, y, top - 0.02)
    holds = [
        cylinder(0.010, -y, segments=12).turned("x", 90).moved(side * width / 2, y / 2, top - 0.02) for side in (-1, 1)
    ]
    knobs = [sphere(0.017, 12).moved(side * (width / 2 + 0.01), y, top - 0.02) for side in (-1, 1)]
    work.show(merge([rail, *holds, *knobs, *rings]), look("metal", "silver", texture=""), fill=0.4)
    work.touch((width * share, 0.07, height - 0.05), (float(across.mean()), y, -0.02))
    return work.asset(colours=(tint.name,), materials=("plastic", "metal"))


@object_type("HandTowelHolder", "bathroom", "a ring on the wall with a hand towel", "on_wall", ("Bathroom",))
def hand_towel_holder(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A ring that hangs from a knob on the wall, with a small towel pulled through it."""
    work, metal = Assembly(), chrome(rng)
    radius, y = rng.uniform(0.075, 0.095), -0.05
    top = radius + 0.17
    knob = lathe(fillet([(0, 0), (0.027, 0), (0.027, 0.008), (0.012, 0.016), (0.012, 0.055), (0, 0.058)], 0.004, 2), 20)
    ring = torus(radius, 0.005, 36, 8).turned("x", 90).moved(0, y, top - radius)
    work.show(merge([knob.turned("x", 90).moved(z=top), ring]), metal, fill=0.6)
    tint = pick_colour(rng, colour, *TINTS)
    cloth = weave(rng, tint)
    work.show(_draped(rng, radius, y, top - 2 * radius), cloth, fill=0.8)
    work.touch((2 * radius, 0.05, 0.45), (0, y, top - 2 * radius - 0.05))
    work.touch((2 * radius, 0.06, 2 * radius), (0, -0.03, top - radius))
    return work.asset(colours=(tint.name,), materials=("fabric", "metal"))


def weave(rng: np.random.Generator, tint: Colour) -> Look:
    """The cloth of a towel: plain, or with a band near each end."""
    if rng.random() < 0.5:
        return look("fabric", tint, texture="knit")
    other = named_colour("white" if tint.name != "white" else "teal")
    return look("fabric", "white", texture=stripes([tint] * 7 + [other] + [tint], 18))


def _draped(rng: np.random.Generator, radius: float, y: float, bar: float) -> Mesh:
    """A towel over the low side of a ring: narrow where it is pulled through, wider below."""
    long, short = rng.uniform(0.26, 0.32), rng.uniform(0.18, 0.24)
    line = spline(
        [(y - 0.020, bar - long), (y - 0.019, bar - 0.1), (y - 0.012, bar + 0.012), (y + 0.012, bar + 0.012),
         (y + 0.016, bar - 0.08), (y + 0.016, bar - short)], 4,
    )  # fmt: skip
    shares = np.linspace(-1, 1, 13)
    rows = []
    for share in shares:
        row = []
        for depth, z in line:
            spread = radius * (0.62 + 0.55 * min(1.0, max(0.0, (bar - z) / 0.18)))
            ripple = 0.007 * math.cos(6.5 * share) * (1.0 if depth < y else -1.0) * min(1.0, max(0.0, (bar - z) / 0.1))
            row.append((share * spread, depth - ripple, z))
        rows.append(row)
    points = np.array(rows)
    mesh = sheet(points, 0.005, crease_deg=70)
    return mesh if mesh.volume_m3 > 0 else sheet(points[::-1], 0.005, crease_deg=70)
