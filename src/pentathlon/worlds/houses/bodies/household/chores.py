"""Chores made of several deeds: heating in an oven or microwave, cooling in a fridge, cleaning under a tap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from pentathlon.worlds.houses.assets.asset import Ability, Receptacle
from pentathlon.worlds.houses.bodies.household.deeds import (
    DEEDS,
    Step,
    Verb,
    glide,
    lay_down,
    not_in_hand,
    rest,
    too_far,
)
from pentathlon.worlds.houses.bodies.household.person import Household
from pentathlon.worlds.houses.bodies.household.places import find_spot, receptacle_frame
from pentathlon.worlds.houses.bodies.household.walk import face

OVER_BASIN_M = 0.07


class Storing(NamedTuple):
    """A chore done behind a door: the object goes in, the door is closed, and it comes out changed.

    Attributes:
        past: what is done to the object, for refusals.
        ability: what the object must allow.
        place: what the appliance must do.
        switched: whether the appliance is switched on for it.
        after: the object's conditions afterwards.
    """

    past: str
    ability: Ability
    place: Ability
    switched: bool
    after: dict[str, bool]


HEATING = Storing("heated", "heatable", "heats", True, {"hot": True, "cold": False})
COOLING = Storing("cooled", "coolable", "cools", False, {"cold": True, "hot": False})


def _storing_refusal(chore: Storing) -> Callable[[Household, Step], str | None]:
    def refusal(household: Household, step: Step) -> str | None:
        if not household.can(step.object, chore.ability):
            return f"{step.object} cannot be {chore.past}."
        receptacles = _behind_first_door(household, step.target)
        if not household.can(step.target, chore.place) or not receptacles:
            return f"Nothing can be {chore.past} in {step.target}."
        if household.state(step.target).on:
            return f"{step.target} is running; toggle it off first."
        reason = not_in_hand(household, step.object) or too_far(household, step.target)
        if reason is None and find_spot(household, step.object, step.target, receptacles) is None:
            return f"There is no room for {step.object} in {step.target}."
        return reason

    return refusal


def _store(chore: Storing) -> Callable[[Household, Step], Iterator[None]]:
    def perform(household: Household, step: Step) -> Iterator[None]:
        place = step.target
        receptacles = _behind_first_door(household, place)
        if not household.is_open(place, receptacles[0].door):
            yield from _deed(household, "open", place)
        goal = find_spot(household, step.object, place, receptacles)
        assert goal is not None
        yield from lay_down(household, step.object, goal)
        yield from _deed(household, "close", place)
        if chore.switched:
            yield from _deed(household, "toggle", place)
        household.change(step.object, **chore.after)
        yield from rest(household)
        if chore.switched:
            yield from _deed(household, "toggle", place)
        yield from _deed(household, "open", place)
        yield from _deed(household, "pick up", step.object)
        yield from _deed(household, "close", place)

    return perform


def _clean_refusal(household: Household, step: Step) -> str | None:
    if not household.can(step.object, "dirtyable"):
        return f"{step.object} cannot be cleaned."
    if not household.can(step.target, "cleans") or basin_of(household, step.target) is None:
        return f"{step.target} is no sink."
    if not household.state(step.object).dirty:
        return f"{step.object} is clean already."
    return not_in_hand(household, step.object) or too_far(household, step.target)


def _clean(household: Household, step: Step) -> Iterator[None]:
    yield from under_tap(household, step, dirty=False)


def under_tap(household: Household, step: Step, **conditions: bool) -> Iterator[None]:
    """Holds the object over the basin while the water runs, which changes its conditions."""
    basin = basin_of(household, step.target)
    assert basin is not None
    low, high = household.placed(step.object).asset.bounds_m
    frame = receptacle_frame(household, step.target, basin)
    goal = frame.copy()
    goal[:3, 3] += frame[:3, :3] @ (np.array([0.0, 0.0, OVER_BASIN_M - low[2]]) - [*(low + high)[:2] / 2, 0.0])
    yield from face(household, goal[:3, 3])
    things = household.let_go()
    yield from glide(household, step.object, goal, things)
    running = household.state(step.target).on
    household.change(step.target, on=True)
    yield from rest(household)
    household.change(step.object, **conditions)
    yield from rest(household)
    household.change(step.target, on=running)
    yield from glide(household, step.object, household.hand_pose(step.object), things)
    household.hold(step.object, things)
    yield from rest(household)


def _deed(household: Household, verb: str, thing_id: str) -> Iterator[None]:
    yield from DEEDS[verb].perform(household, Step(verb, thing_id))


def _behind_first_door(household: Household, place: str) -> list[Receptacle]:
    """What is reached through the door that opens first, and does not swing with it."""
    placed = household.placed(place)
    door = next(iter(placed.joints), None)
    return [item for item in placed.asset.receptacles if item.relation == "in" and item.door == door and not item.joint]


def basin_of(household: Household, place: str) -> Receptacle | None:
    """Returns the open basin of a sink."""
    receptacles = household.placed(place).asset.receptacles
    return next((item for item in receptacles if item.relation == "in" and not item.door), None)


CHORES: dict[str, Verb] = {
    "heat": Verb(True, _storing_refusal(HEATING), _store(HEATING)),
    "cool": Verb(True, _storing_refusal(COOLING), _store(COOLING)),
    "clean": Verb(True, _clean_refusal, _clean),
}
