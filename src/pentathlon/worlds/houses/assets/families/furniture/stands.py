"""Stands, screens and ladders."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, post, timber
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.families.belongings.household import level_ring, tub
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, sphere
from pentathlon.worlds.modelling.sweeps import loft, sweep


@object_type("RoomDivider", "furniture", "a folding screen", "free", ("Bedroom", "LivingRoom"), noun="folding screen")
def room_divider(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A folding screen of three or four leaves in a zigzag, with paper or louvred panels."""
    work, count, wide, height = Assembly(), int(rng.integers(3, 5)), rng.uniform(0.40, 0.48), rng.uniform(1.65, 1.8)
    frame = timber(rng, colour, "white")
    louvred = bool(rng.random() < 0.4)
    paper = look("paper", pick_colour(rng, None, "cream", "white", "beige"))
    angle, step = 24.0, wide * math.cos(math.radians(24.0))
    for i in range(count):
        turn = angle if i % 2 else -angle
        rails = [box((0.03, 0.022, height)).moved(s * (wide / 2 - 0.018), 0, height / 2) for s in (-1, 1)]
        rails += [box((wide - 0.06, 0.02, 0.035)).moved(0, 0, z) for z in (0.10, height * 0.5, height - 0.02)]
        if louvred:
            rails += [
                box((wide - 0.06, 0.006, 0.045)).turned("x", -30).moved(0, 0, z)
                for z in np.arange(0.15, height - 0.06, 0.05)
            ]
        else:
            rails += [box((0.008, 0.012, height - 0.12)).moved(x, 0, height / 2 + 0.04) for x in (-wide / 6, wide / 6)]
            rails += [box((wide - 0.06, 0.012, 0.008)).moved(0, 0, z) for z in np.arange(0.35, height - 0.1, 0.25)]
            work.show(
                box((wide - 0.05, 0.004, height - 0.14))
                .moved(0, 0, height / 2 + 0.04)
                .turned("z", turn)
                .moved((i - (count - 1) / 2) * step),
                paper,
            )
        work.show(merge(rails).turned("z", turn).moved((i - (count - 1) / 2) * step), frame)
        work.touch((wide - 0.02, 0.03, height), ((i - (count - 1) / 2) * step, 0, height / 2), angle_deg=(0, 0, turn))
    return work.asset()


@object_type("CoatRack", "furniture", "a stand for coats and hats", "free", ("LivingRoom", "Bedroom"), shape="long")
def coat_rack(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A coat stand: a pole with curved hooks above and feet below; a coat and a hat hang on it."""
    work, height, surface = Assembly(), rng.uniform(1.65, 1.82), timber(rng, colour, "black", "white")
    work.show(
        merge(
            [
                cylinder(0.022, height - 0.06, segments=14).moved(z=height / 2 + 0.01),
                sphere(0.034, 16).moved(z=height - 0.01),
            ]
        ),
        surface,
    )
    hooks, feet = [], []
    for i in range(4):
        feet.append(
            sweep(spline([(0.0, 0, 0.20), (0.12, 0, 0.13), (0.25, 0, 0.016)], 4), 0.016, sides=8).turned(
                "z", 90 * i + 45
            )
        )
        for z, reach in ((height - 0.10, 0.15), (height - 0.32, 0.11)):
            hooks.append(
                sweep(
                    spline([(0, 0, z - 0.06), (reach * 0.6, 0, z - 0.05), (reach, 0, z + 0.04)], 4), 0.010, sides=7
                ).turned("z", 90 * i + (45 if reach < 0.12 else 0))
            )
    foot = merge(feet)
    work.show(merge([foot.moved(z=-float(foot.bounds_m[0][2])), *hooks]), surface)
    coat = look("fabric", pick_colour(rng, None, "navy", "beige", "red", "olive", "black", "brown"), rng)
    z, x = height - 0.16, 0.13
    trunk = [(0.05, 0.045, z + 0.02), (0.17, 0.07, z - 0.06), (0.19, 0.08, z - 0.35), (0.24, 0.09, z - 0.85)]
    offset = np.array([x, 0.0, 0.0])
    body = loft(
        [
            level_ring(rounded_rectangle(h, 2 * w, min(w, h / 2) * 0.9, 3), 1.0, level) + offset
            for w, h, level in trunk[::-1]
        ],
        crease_deg=60,
    )
    sleeves = [
        sweep(
            [(x, s * 0.15, z - 0.08), (x + 0.01, s * 0.21, z - 0.35), (x, s * 0.22, z - 0.62)],
            (0.055, 0.05, 0.042),
            sides=10,
        )
        for s in (-1, 1)
    ]
    work.show(merge([body, *sleeves]), coat, fill=0.15)
    hat = lathe(
        fillet(
            [(0, 0.012), (0.075, 0.0), (0.15, 0.0), (0.15, 0.008), (0.08, 0.012), (0.07, 0.10), (0, 0.105)], 0.012, 2
        ),
        24,
    )
    work.show(
        hat.turned("y", -55).moved(-0.17, 0, height - 0.04),
        look("fabric", pick_colour(rng, None, "brown", "grey", "black", "beige")),
        fill=0.3,
    )
    work.touch((0.05, 0.05, height), (0, 0, height / 2), kind="cylinder")
    work.touch((0.5, 0.5, 0.04), (0, 0, 0.02), kind="cylinder")
    work.touch((0.16, 0.45, 0.9), (x, 0, z - 0.42))
    return work.asset(
        mass_kg=rng.uniform(5.5, 8.0), colours=(surface.colour.name, coat.colour.name), materials=("wood", "fabric")
    )


@object_type(
    "StepLadder", "tool", "a folding ladder", "free", ("Kitchen", "LivingRoom"), shape="long", noun="step ladder"
)
def step_ladder(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A step ladder, open, with three to five treads."""
    work, count = Assembly(), int(rng.integers(3, 6))
    height, width = 0.26 * count + 0.05, rng.uniform(0.40, 0.46)
    frame = (
        look("metal", pick_colour(rng, colour, "silver", "red", "yellow", "orange"), texture="")
        if rng.random() < 0.6
        else timber(rng, colour)
    )
    lean = 0.20 * height
    rails = []
    for s in (-1, 1):
        rails.append(post((s * width / 2, -lean - 0.12), (s * width * 0.40, 0), height, 0.026, 0.024, 4))
        rails.append(post((s * width / 2, lean + 0.10), (s * width * 0.40, 0.04), height, 0.018, 0.018, 4))
    treads = []
    for i in range(count):
        share = (i + 1) / count * 0.97
        y, w = -(lean + 0.12) * (1 - share), width * (1 - 0.2 * share) - 0.02
        treads.append(
            rounded_box((w, 0.09 if i + 1 < count else 0.20, 0.025), 0.005, 1).moved(
                0, y + (0.06 if i + 1 == count else 0.01), height * share
            )
        )
        work.touch((w, 0.09, 0.025), (0, y, height * share))
    brace = box((width * 0.9, 0.02, 0.03)).moved(0, lean * 0.75 + 0.085, height * 0.25)
    work.show(merge([*rails, *treads, brace]), frame, fill=0.25 if frame.material.name == "metal" else 1.0)
    for s in (-1, 1):
        work.touch((0.03, 0.04, height), (s * width * 0.45, -lean / 2 - 0.06, height / 2), angle_deg=(-14, 0, 0))
        work.touch((0.03, 0.04, height), (s * width * 0.45, lean / 2 + 0.06, height / 2), angle_deg=(10, 0, 0))
    return work.asset(mass_kg=rng.uniform(5.2, 8.0))


def _umbrella(tall: float) -> Mesh:
    """A furled umbrella standing on its tip, with a hooked handle."""
    cloth = lathe(
        [(0, 0.05), (0.006, 0.05), (0.03, tall * 0.55), (0.024, tall * 0.72), (0.008, tall * 0.76), (0, tall * 0.76)],
        12,
    )
    hook = spline(
        [(0, 0, 0), (0, 0, tall * 0.9), (0.02, 0, tall * 0.98), (0.055, 0, tall * 0.97), (0.07, 0, tall * 0.90)], 4
    )
    return merge([cloth, sweep(hook, 0.007, sides=8)])


@object_type(
    "UmbrellaStand", "container", "a stand with umbrellas", "free", ("LivingRoom",), shape="long", noun="umbrella stand"
)
def umbrella_stand(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A tall pot or wire stand with furled umbrellas in it."""
    work, radius, height = Assembly(), rng.uniform(0.10, 0.13), rng.uniform(0.42, 0.52)
    coat = (
        look("metal", pick_colour(rng, colour, "black", "bronze", "silver", "teal"), texture="")
        if rng.random() < 0.5
        else look("ceramic", pick_colour(rng, colour, "white", "blue", "green"))
    )
    work.show(tub(radius * 0.92, radius, height, 0.006), coat, fill=0.8)
    for i, name in enumerate(
        rng.choice(
            ("red", "black", "navy", "green", "yellow", "purple", "orange"), int(rng.integers(2, 4)), replace=False
        )
    ):
        surface = look("fabric", str(name))
        turn = 130.0 * i + float(rng.uniform(0, 40))
        work.show(
            _umbrella(float(rng.uniform(0.80, 0.92))).turned("y", 7).moved(0.0, 0, 0.012).turned("z", turn),
            surface,
            fill=0.2,
        )
    work.touch((2 * radius, 2 * radius, height), (0, 0, height / 2), kind="cylinder")
    return work.asset(mass_kg=rng.uniform(5.1, 7.0))
