"""Low stools to rest feet on or to step on."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, timber
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import box, cushion, rounded_box


@object_type("Footstool", "furniture", "a low wooden stool for the feet", "free", ("LivingRoom", "Bedroom"))
def footstool(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A knee-low stool: four splayed legs with rails between them, and a thin padded or wooden top."""
    work, surface = Assembly(), timber(rng, colour, "white", "black")
    width, depth, height = rng.uniform(0.36, 0.46), rng.uniform(0.26, 0.32), rng.uniform(0.20, 0.27)
    padded = bool(rng.random() < 0.6)
    top = height - (0.045 if padded else 0.0)
    board = rounded_box((width, depth, 0.026), 0.008, 2).moved(z=top - 0.013)
    legs = []
    for x in (-1, 1):
        for y in (-1, 1):
            leg = box((0.034, 0.034, top - 0.02)).moved(z=(top - 0.02) / 2)
            legs.append(leg.moved(x * (width / 2 - 0.045), y * (depth / 2 - 0.045)))
    rails = [box((width - 0.10, 0.018, 0.03)).moved(0, y * (depth / 2 - 0.045), top * 0.42) for y in (-1, 1)]
    rails += [box((0.018, depth - 0.10, 0.03)).moved(x * (width / 2 - 0.045), 0, top * 0.55) for x in (-1, 1)]
    work.show(merge([board, *legs, *rails]), surface)
    if padded:
        tint = pick_colour(rng, None, "red", "green", "blue", "beige", "grey", "teal", "maroon")
        pad = cushion((width * 0.97, depth * 0.96, 0.065), roundness=0.3, steps=6).moved(z=top + 0.012)
        work.show(pad, look("fabric", tint, rng), fill=0.3)
    work.touch((width, depth, height), (0, 0, height / 2))
    work.hold("top", "on", (0, 0, height), (width - 0.06, depth - 0.06), 0.5)
    return work.asset()
