"""Constants and rules of CoW: as its authors released them, and as we mend them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class CowSettings:
    """How an agent maps, explores and approaches.

    Attributes:
        cell_m: width of a map cell.
        floor_tolerance_m: what is nearer to the floor's height is floor.
        top_m: what is higher is no obstacle.
        closed_m: free cells whose middle is nearer to an occupied cell's middle are closed.
        margin_cost: what a closed but not occupied cell costs, an open one costing 1; infinite keeps it shut. Frontiers
            never lie there.
        fill_floor: whether floor between neighbouring floor pixels of a column is free; far rows lie wider apart than
            cells.
        failed_m: an action failed when mean and deviation of the change of depth are both below it.
        measure_turns: whether turns are measured in depth pictures, since they are noisy, or taken as intended.
        bump_steps: for how many steps a failed move keeps the cell ahead closed.
        order: which frontier is next: ``walk`` takes the one that takes the fewest steps to walk to; ``flip`` takes the
            nearest as the crow flies, and after each reset of the map changes between nearest and farthest.
        search: of macro actions: ``deep`` follows the map's distances and plans again after each; ``waypoint`` looks
            for a way to a waypoint at most 50 macro actions far and walks all of it.
        guess: whether, before its steps run out, it walks to where the sentence fitted best so far, above the
            thresholds or not, and stops there.
    """

    cell_m: float = 0.125
    floor_tolerance_m: float = 0.03
    top_m: float = 0.95
    closed_m: float = 0.126
    margin_cost: float = 8.0
    fill_floor: bool = True
    failed_m: float = 0.005
    measure_turns: bool = True
    bump_steps: int = 60
    order: Literal["walk", "flip"] = "walk"
    search: Literal["deep", "waypoint"] = "deep"
    guess: bool = False


MENDED = CowSettings()
GUESSING = CowSettings(guess=True)
RELEASED = CowSettings(
    floor_tolerance_m=0.05,
    top_m=1.9,
    margin_cost=math.inf,
    fill_floor=False,
    failed_m=0.09,
    measure_turns=False,
    bump_steps=0,
    order="flip",
    search="waypoint",
)
