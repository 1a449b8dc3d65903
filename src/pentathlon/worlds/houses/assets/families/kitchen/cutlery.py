"""Cutlery and utensils, lying along x with the working end towards +x."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.effects import soiled
from pentathlon.worlds.houses.assets.handheld import strip, thing, vessel
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import spline
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import cylinder, rounded_box
from pentathlon.worlds.modelling.sweeps import extrude, sweep


def _steel(rng: np.random.Generator, colour: str | None = None) -> Look:
    return look("metal", pick_colour(rng, colour, "silver", "silver", "silver", "gold"), rng)


def _grip(rng: np.random.Generator, colour: str | None) -> Look:
    """The handle's surface: wood, or plastic of the wanted colour."""
    if colour is None and rng.random() < 0.5:
        return wood(rng)
    return look("plastic", pick_colour(rng, colour, "black", "red", "navy", "white", "green"))


def _stem(length: float, narrow: float, wide: float, lift: float) -> Mesh:
    """The flat handle of a fork or spoon from x = -length to 0, arched, its neck narrow."""
    share = np.linspace(0.0, 1.0, 9)
    height = lift * (0.25 + 0.75 * share**2) + 0.002
    width = wide * (1 - share) ** 1.4 + narrow * (1 - (1 - share) ** 1.4)
    width[0] *= 0.55
    return strip(np.stack([-length * (1 - share), height], axis=1), width, 0.0022)


@object_type("Knife", "tableware", "a kitchen knife with a broad pointed blade", rooms=("Kitchen",), shape="long")
def knife(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A chef's knife: a blade that curves up to its point, a riveted handle."""
    blade, broad, grip = rng.uniform(0.17, 0.22), rng.uniform(0.038, 0.048), rng.uniform(0.11, 0.125)
    edge = spline(
        [(0.004, -broad * 0.62), (blade * 0.55, -broad * 0.60), (blade * 0.88, -broad * 0.2), (blade, broad * 0.3)]
    )
    outline = [*edge, (blade * 0.7, broad * 0.38), (0.0, broad * 0.38)]
    steel = look("metal", "silver", rng)
    handle = rounded_box((grip, 0.026, 0.017), 0.007, 2).moved(-grip / 2, 0.0, 0.0085)
    bolster = rounded_box((0.014, 0.024, 0.015), 0.004).moved(0.003, 0, 0.0085)
    rivets = [cylinder(0.003, 0.018, segments=10).moved(-grip * x, 0, 0.0087) for x in (0.22, 0.5, 0.78)]
    metal = merge([extrude(outline, 0.0022).moved(z=0.0074), bolster, *rivets])
    return thing([Part(metal, steel), Part(handle, _grip(rng, colour))], "cuts")


@object_type("ButterKnife", "tableware", "a table knife with a blunt round blade", rooms=("Kitchen",), shape="long")
def butter_knife(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A table knife of one piece: round-ended blade, slim handle."""
    blade, broad, grip = rng.uniform(0.095, 0.115), rng.uniform(0.017, 0.022), rng.uniform(0.09, 0.11)
    edge = spline([(0.0, -broad * 0.35), (blade * 0.5, -broad * 0.55), (blade * 0.9, -broad * 0.45), (blade, 0.0)], 4)
    outline = [*edge, (blade * 0.93, broad * 0.38), (0.0, broad * 0.35)]
    path = spline([(0.002, 0, 0.004), (-grip * 0.3, 0, 0.004), (-grip, 0, 0.0045)], 4)
    radii = np.interp(path[:, 0], (-grip, -grip * 0.7, 0.0), (1.25, 1.15, 0.7))
    handle = sweep(path, radii, outline=np.array([(0.0033 * c, 0.0068 * s) for c, s in _circle(10)]))
    blade_mesh = extrude(outline, 0.0016).moved(z=0.003)
    metal = _steel(rng, colour)
    return thing([*soiled([Part(merge([blade_mesh, handle]), metal)])], "cuts")


def _circle(steps: int) -> list[tuple[float, float]]:
    angles = (2 * math.pi * i / steps for i in range(steps))
    return [(math.cos(a), math.sin(a)) for a in angles]


@object_type("Fork", "tableware", "a fork with four tines", rooms=("Kitchen",), shape="long")
def fork(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A table fork: four curved tines on an arched stem."""
    length, lift, broad = rng.uniform(0.115, 0.135), rng.uniform(0.012, 0.017), rng.uniform(0.023, 0.027)
    head = np.array([(0.0, lift), (0.008, lift), (0.020, lift * 0.75), (0.034, lift * 0.45)])
    shoulder = strip(head, (0.006, 0.016, broad, broad), 0.0022)
    tines = []
    for i in range(4):
        y = (i - 1.5) * (broad - 0.0042) / 3
        path = np.array([(0.033, lift * 0.45), (0.05, lift * 0.2), (0.066, lift * 0.18), (0.080, lift * 0.55)])
        tines.append(strip(path, (0.0046, 0.0044, 0.0040, 0.0022), 0.002, across=3).moved(y=y))
    return thing(
        [
            *soiled(
                [
                    Part(
                        merge([_stem(length, 0.006, rng.uniform(0.017, 0.022), lift), shoulder, *tines]),
                        _steel(rng, colour),
                    )
                ]
            )
        ]
    )


@object_type("Spoon", "tableware", "a spoon with an oval bowl", rooms=("Kitchen",), shape="long")
def spoon(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A table spoon: an oval bowl on an arched stem."""
    length, lift, bowl = rng.uniform(0.115, 0.135), rng.uniform(0.012, 0.016), rng.uniform(0.058, 0.068)
    share = np.linspace(0.0, 1.0, 15)
    width = np.maximum(bowl * 0.66 * np.sqrt(np.clip(share * (1 - share) * 4, 0, 1)) * (1.12 - 0.24 * share), 0.0035)
    width[0] = 0.006
    path = np.stack([bowl * share, lift * (1 - share) ** 2 + 0.010 + 0.001 * share], axis=1)
    dish = 0.0095 * np.sin(math.pi * share) ** 0.7
    cup = strip(path, width, 0.0018, dish_m=dish, across=9)
    stem = _stem(length, 0.006, rng.uniform(0.016, 0.021), lift).moved(z=0.0085)
    return thing([*soiled([Part(merge([cup, stem]), _steel(rng, colour))])])


@object_type("Ladle", "tableware", "a deep spoon for soup on a long handle", rooms=("Kitchen",), shape="long")
def ladle(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A ladle resting on its bowl and the hook of its long handle."""
    radius, reach = rng.uniform(0.038, 0.046), rng.uniform(0.24, 0.29)
    angle = np.linspace(0.0, math.pi / 2, 9)[1:]
    bowl = vessel(np.stack([radius * np.sin(angle), radius * (1 - np.cos(angle)) * 0.85], axis=1), 0.0022, 0.003)
    rim = radius * 0.85
    path = spline(
        [
            (-radius + 0.001, 0, rim),
            (-radius - 0.02, 0, rim + 0.02),
            (-reach * 0.6, 0, rim + 0.035),
            (-reach, 0, 0.035),
            (-reach - 0.022, 0, 0.012),
            (-reach - 0.010, 0, 0.004),
        ],
        4,
    )
    shaft = sweep(path, 1.0, outline=np.array([(0.0022 * c, 0.0075 * s) for c, s in _circle(10)]))
    metal = _steel(rng, colour)
    grip = sweep(path[9:17], 1.0, outline=np.array([(0.0060 * c, 0.0105 * s) for c, s in _circle(12)]))
    return thing([*soiled([Part(bowl, metal)]), Part(shaft, metal), Part(grip, _grip(rng, None))])


@object_type("Spatula", "tool", "a slotted turner for frying", rooms=("Kitchen",), shape="long")
def spatula(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A turner: a slotted blade bent up to a round handle."""
    broad, long = rng.uniform(0.075, 0.088), rng.uniform(0.085, 0.105)
    bars = []
    slots = int(rng.integers(3, 5))
    pitch = broad / (2 * slots + 1)
    for i in range(slots + 1):
        bars.append(
            rounded_box((long * 0.66, pitch, 0.0025), 0.001, 1).moved(
                long * 0.5, -broad / 2 + pitch * (2 * i + 0.5), 0.0015
            )
        )
    bars += [rounded_box((long * 0.2, broad, 0.0025), 0.001, 1).moved(long * s, 0, 0.0015) for s in (0.12, 0.90)]
    reach = rng.uniform(0.22, 0.26)
    path = spline([(long * 0.12, 0, 0.002), (0.0, 0, 0.006), (-0.035, 0, 0.038), (-0.10, 0, 0.045)], 4)
    shaft = sweep(path, 0.0038, sides=8)
    grip_path = [(-0.09, 0, 0.044), (-0.13, 0, 0.040), (-reach, 0, 0.012), (-reach - 0.012, 0, 0.011)]
    grip = sweep(
        spline(grip_path, 4),
        np.interp(np.linspace(0, 1, 13), (0, 0.1, 0.5, 0.9, 1), (0.006, 0.0095, 0.008, 0.011, 0.006)),
        sides=10,
    )
    blade = look("plastic", "black") if rng.random() < 0.5 else look("metal", "silver", rng)
    return thing([Part(merge([*bars, shaft]), blade), Part(grip, _grip(rng, colour))])
