"""Taps and sinks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Part, Receptacle
from pentathlon.worlds.houses.assets.effects import running_water
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import cylinder, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import loft, sweep


def tap_parts(metal: Look, height: float, reach: float, drop_m: float) -> tuple[Part, ...]:
    """A tap standing at the origin, its spout reaching to the front, its water falling by `drop_m`."""
    neck = [
        (0, 0, 0.02),
        (0, 0, height * 0.7),
        (0, -reach * 0.25, height * 0.97),
        (0, -reach * 0.7, height * 0.95),
        (0, -reach, height * 0.72),
    ]
    spout = sweep(spline(neck, 4), 0.0105, sides=10)
    foot = lathe(
        fillet(
            [(0, 0), (0.027, 0), (0.027, 0.008), (0.016, 0.016), (0.014, 0.05), (0, 0.05)],
            (0, 0.002, 0.003, 0.006, 0.002, 0),
            2,
        ),
        18,
    )
    tip = cylinder(0.012, 0.016, bevel_m=0.002, segments=12).moved(0, -reach, height * 0.72 - 0.004)
    lever = rounded_box((0.014, 0.075, 0.008), 0.0035).turned("x", 18).moved(0.036, -0.022, 0.062)
    hub = cylinder(0.013, 0.045, bevel_m=0.003, segments=12).turned("y", 90).moved(0.022, 0, 0.045)
    lifted = lever.moved(-0.036, 0.022, -0.062).turned("x", -38).moved(0.036, -0.014, 0.078)
    return (
        Part(merge([spout, foot, tip, hub]), metal, fill=0.5),
        Part(lever, metal, when="off"),
        Part(lifted, metal, when="on"),
        running_water((0, -reach, height * 0.72 - 0.012), drop_m),
    )


def _tap_metal(rng: np.random.Generator, colour: str | None) -> Look:
    return look("metal", pick_colour(rng, colour, "silver", "silver", "gold", "black"), texture="")


@object_type("Faucet", "fixture", "a tap with a bent spout and a lever", rooms=("Kitchen", "Bathroom"), noun="faucet")
def faucet(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A tap that stands behind a basin; water runs while it is on."""
    height, reach = rng.uniform(0.20, 0.32), rng.uniform(0.13, 0.19)
    return Asset(
        parts=tap_parts(_tap_metal(rng, colour), height, reach, height * 0.72 + 0.05),
        colliders=(
            Collider("cylinder", (0, 0, height * 0.35), (0.054, 0.054, height * 0.7)),
            Collider("box", (0, -reach / 2, height * 0.85), (0.024, reach, height * 0.3)),
        ),
    )


@object_type("Sink", "fixture", "a washbasin on a pedestal with a tap", "against_wall", ("Bathroom",))
def sink(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A pedestal washbasin; its tap runs while it is on and the bowl can be filled."""
    width, depth, height = rng.uniform(0.52, 0.66), rng.uniform(0.42, 0.48), rng.uniform(0.82, 0.88)
    glaze = look("ceramic", pick_colour(rng, colour, "white", "white", "cream"))
    bowl_deep = 0.135
    rim = rounded_rectangle(width, depth, min(width, depth) * 0.30, 5)
    hollow_y, hollow = -0.035, (width - 0.09, depth - 0.15)
    bowl = rounded_rectangle(hollow[0], hollow[1], hollow[1] * 0.42, 5)

    def ring(outline: np.ndarray, scale: float, y: float, z: float) -> np.ndarray:
        return np.column_stack([outline[:, 0] * scale, outline[:, 1] * scale + y, np.full(len(outline), z)])

    outer = [
        (rim, 0.34, 0.05, height - 0.20),
        (rim, 0.62, 0.03, height - 0.18),
        (rim, 0.90, 0.005, height - 0.10),
        (rim, 0.985, 0.0, height - 0.03),
        (rim, 1.0, 0.0, height - 0.012),
        (rim, 0.985, 0.0, height),
    ]
    inner = [
        (bowl, 1.03, hollow_y, height),
        (bowl, 1.0, hollow_y, height - 0.006),
        (bowl, 0.93, hollow_y, height - bowl_deep * 0.6),
        (bowl, 0.72, hollow_y, height - bowl_deep * 0.93),
        (bowl, 0.25, hollow_y, height - bowl_deep),
    ]
    basin = loft([ring(*item) for item in outer + inner], crease_deg=35)
    stand = lathe(
        fillet(
            [
                (0, 0),
                (0.125, 0),
                (0.115, 0.03),
                (0.072, 0.10),
                (0.066, height * 0.5),
                (0.10, height - 0.16),
                (0, height - 0.16),
            ],
            (0, 0.01, 0.03, 0.08, 0.1, 0.01, 0),
            2,
        ),
        22,
    )
    stand = stand.scaled(1.15, 0.95, 1).moved(0, 0.06, 0)
    drain = cylinder(0.022, 0.006, bevel_m=0.002, segments=18).moved(0, hollow_y, height - bowl_deep + 0.002)
    tap_y = depth / 2 - 0.055
    tap_h = rng.uniform(0.15, 0.19)
    tap = tap_parts(_tap_metal(rng, None), tap_h, tap_y - hollow_y, tap_h * 0.72 + bowl_deep - 0.018)
    pool = loft(
        [ring(bowl, 0.70, hollow_y, height - bowl_deep * 0.9), ring(bowl, 0.94, hollow_y, height - bowl_deep * 0.5)]
    )
    water = look("water", Colour("cyan", (0.55, 0.80, 0.88)))
    return Asset(
        parts=(
            Part(basin, glaze, fill=0.6),
            Part(stand, glaze, fill=0.3),
            Part(drain, look("metal", "silver", texture="")),
            *(replace(part, mesh=part.mesh.moved(0, tap_y, height)) for part in tap),
            Part(pool, water, when="filled", fill=0.0),
        ),
        colliders=(
            Collider("cylinder", (0, 0.06, height / 2 - 0.1), (0.2, 0.2, height - 0.2)),
            Collider("box", (0, hollow_y, height - bowl_deep - 0.015), (hollow[0], hollow[1], 0.03)),
            Collider("box", (0, depth / 2 - 0.045, height - 0.07), (width, 0.09, 0.14)),
            Collider("box", (0, -depth / 2 + 0.015, height - 0.07), (width, 0.03, 0.14)),
            *(Collider("box", (s * (width / 2 - 0.02), 0, height - 0.07), (0.04, depth, 0.14)) for s in (-1, 1)),
        ),
        receptacles=(
            Receptacle("bowl", "in", (0, hollow_y, height - bowl_deep), (hollow[0] * 0.55, hollow[1] * 0.55), 0.25),
        ),
        declared=frozenset({"cleans"}),
    )
