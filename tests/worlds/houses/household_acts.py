"""A kitchen's person in tests: how steps are carried out, and what is seen of them."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.bodies.household.deeds import Step
from pentathlon.worlds.houses.bodies.household.person import FilmSettings, Gaze, Household
from pentathlon.worlds.houses.bodies.household.places import contents
from pentathlon.worlds.houses.bodies.household.verbs import do

START = Gaze(1.2, 2.0, 0.0)
QUICK = FilmSettings(size_px=(96, 72), setting="fast", walk_m=0.5, turn_deg=45.0, gesture_frames=4, rest_frames=2)


def carry_out(household: Household, *steps: Step) -> None:
    for step in steps:
        for _ in do(household, step):
            pass


def take(household: Household, object_id: str) -> None:
    carry_out(household, Step("goto", object_id), Step("pick up", object_id))


def difference(first: np.ndarray, second: np.ndarray) -> int:
    """Number of pixels that clearly differ."""
    return int((np.abs(first.astype(int) - second.astype(int)).max(axis=2) > 24).sum())


def in_receptacle(household: Household, holder_id: str, relation: str) -> list[str]:
    receptacles = household.placed(holder_id).asset.receptacles
    return [
        thing for item in receptacles if item.relation == relation for thing in contents(household, holder_id, item)
    ]


def seen_pixels(household: Household, object_id: str) -> int:
    frame = household._eyes.render(household.data, household.camera(), (320, 240))
    names = [item.id for item in household.scene.house.objects]
    return int((frame.ids(household.scene.object_of_geom, background=-1) == names.index(object_id)).sum())


def runs_meanwhile(household: Household, appliance: str, step: Step) -> bool:
    """Whether an appliance is on while a step is carried out, and off when it is done."""
    running = [household.state(appliance).on for _ in do(household, step)]
    return any(running) and not running[-1]
