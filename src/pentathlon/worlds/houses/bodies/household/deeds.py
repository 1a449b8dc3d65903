"""The single deeds of a person in a household: walking, taking, putting, opening, switching, slicing.

A precondition returns the sentence that says why not, or nothing. A motion changes the household a little, yields
once for each frame, and leaves the verb's effect behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.asset import Point
from pentathlon.worlds.houses.bodies.household.person import Household, shares
from pentathlon.worlds.houses.bodies.household.places import (
    door_of,
    find_spot,
    hidden_in,
    leaders,
    reachable_receptacles,
    riders,
    riders_of_joint,
)
from pentathlon.worlds.houses.bodies.household.walk import (
    REACH_M,
    face,
    find_stand,
    gap_m,
    lean_towards,
    walk,
    walking_map,
)

Floats = NDArray[np.float64]
ARC_M = 0.06
CHOPS = 3
KNIVES = frozenset({"ButterKnife", "Knife"})


class Step(NamedTuple):
    """One thing to do: a verb, an object, and for some verbs where."""

    verb: str
    object: str
    target: str = ""


class Verb(NamedTuple):
    """A verb: whether it needs a target, why it cannot be done now, and how it is done."""

    needs_target: bool
    refusal: Callable[[Household, Step], str | None]
    perform: Callable[[Household, Step], Iterator[None]]


def middle_of(household: Household, thing_id: str) -> Floats:
    """Returns the middle of a thing's box."""
    low, high = household.bounds(thing_id)
    return (low + high) / 2


def too_far(household: Household, thing_id: str) -> str | None:
    """Refuses what is out of reach."""
    if thing_id == household.held:
        return None
    gap = gap_m(household, thing_id, (household.gaze.x_m, household.gaze.y_m))
    return f"{thing_id} is {gap:.1f} m away; go to it first." if gap > REACH_M else None


def not_in_hand(household: Household, object_id: str) -> str | None:
    """Refuses what is not held."""
    return None if household.held == object_id else f"{object_id} is not in the hand; pick it up first."


def rest(household: Household, factor: float = 1.0) -> Iterator[None]:
    """Shows a result for a while."""
    for _ in range(round(household.settings.rest_frames * factor)):
        yield


def glide(household: Household, object_id: str, goal: Floats, things: tuple[str, ...]) -> Iterator[None]:
    """Moves an object through the air in a shallow arc, turning it as it goes."""
    start = household.pose(object_id)
    turn = np.arctan2(*(start[:3, :3].T @ goal[:3, :3])[[1, 0], 0])
    for share in shares(household.settings.gesture_frames):
        angle = turn * share
        spin = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        pose = np.eye(4)
        pose[:3, :3] = start[:3, :3] @ spin if share < 1.0 else goal[:3, :3]
        pose[:3, 3] = start[:3, 3] + share * (goal[:3, 3] - start[:3, 3])
        pose[2, 3] += ARC_M * np.sin(np.pi * share)
        household.move(object_id, pose, things)
        yield


def _goto_refusal(household: Household, step: Step) -> str | None:
    if step.object == household.held:
        return f"{step.object} is in the hand."
    closed = hidden_in(household, step.object)
    if closed is not None:
        return f"{step.object} is inside the closed {closed}; open that first."
    if find_stand(household, step.object, walking_map(household)) is None:
        return f"There is no way to a place from where {step.object} can be seen; open the doors between."
    return None


def _goto(household: Household, step: Step) -> Iterator[None]:
    ways = walking_map(household)
    place = find_stand(household, step.object, ways)
    assert place is not None
    yield from walk(household, ways, place)
    yield from face(household, middle_of(household, step.object))
    yield from lean_towards(household, step.object)
    yield from rest(household, 0.5)


def _pick_up_refusal(household: Household, step: Step) -> str | None:
    if not household.can(step.object, "pickupable"):
        return f"{step.object} cannot be picked up."
    if household.state(step.object).broken:
        return f"{step.object} is broken."
    if household.held is not None:
        return f"The hand already holds {household.held}; put it down first."
    closed = hidden_in(household, step.object)
    if closed is not None:
        return f"{step.object} is inside the closed {closed}; open that first."
    return too_far(household, step.object)


def _pick_up(household: Household, step: Step) -> Iterator[None]:
    yield from face(household, middle_of(household, step.object))
    things = tuple(riders(household, step.object))
    yield from glide(household, step.object, household.hand_pose(step.object), things)
    household.hold(step.object, things)
    yield from rest(household, 0.5)


def _put_refusal(relation: str) -> Callable[[Household, Step], str | None]:
    def refusal(household: Household, step: Step) -> str | None:
        reason = not_in_hand(household, step.object) or too_far(household, step.target)
        if reason is not None:
            return reason
        receptacles = [item for item in household.placed(step.target).asset.receptacles if item.relation == relation]
        if not receptacles:
            return f"Nothing can be put {relation} {step.target}."
        within_reach = reachable_receptacles(household, step.target, relation)
        if not within_reach:
            return f"{step.target} is closed; open it first."
        if find_spot(household, step.object, step.target, within_reach) is None:
            return f"There is no room for {step.object} {relation} {step.target}."
        return None

    return refusal


def _put(relation: str) -> Callable[[Household, Step], Iterator[None]]:
    def perform(household: Household, step: Step) -> Iterator[None]:
        spot = find_spot(household, step.object, step.target, reachable_receptacles(household, step.target, relation))
        assert spot is not None
        yield from lay_down(household, step.object, spot)

    return perform


def lay_down(household: Household, object_id: str, goal: Floats) -> Iterator[None]:
    """Puts what is held at a place."""
    yield from face(household, goal[:3, 3])
    things = household.let_go()
    yield from glide(household, object_id, goal, things)
    yield from rest(household, 0.5)


def joint_to_move(household: Household, name: str, opening: bool) -> str | None:
    """Returns the door that is named, or the first, that is not yet open, or not yet closed."""
    thing_id, door = door_of(household, name)
    joints = leaders(household.placed(thing_id)) if door is None else [door]
    return next((joint for joint in joints if household.is_open(thing_id, joint) != opening), None)


def _swing_refusal(opening: bool) -> Callable[[Household, Step], str | None]:
    word = "open" if opening else "closed"

    def refusal(household: Household, step: Step) -> str | None:
        thing_id, _ = door_of(household, step.object)
        if not household.placed(thing_id).joints:
            return f"{step.object} has nothing to open."
        if household.state(thing_id).on and household.can(thing_id, "heats"):
            return f"{thing_id} is running; toggle it off first."
        if joint_to_move(household, step.object, opening) is None:
            return f"{step.object} is {word} already."
        return too_far(household, thing_id)

    return refusal


def _swing(opening: bool) -> Callable[[Household, Step], Iterator[None]]:
    def perform(household: Household, step: Step) -> Iterator[None]:
        joint = joint_to_move(household, step.object, opening)
        assert joint is not None
        thing_id, _ = door_of(household, step.object)
        yield from face(household, _door(household, thing_id, joint))
        things = riders_of_joint(household, thing_id, joint)
        asset = household.placed(thing_id).asset
        followers = [item.name for item in asset.joints if item.leader == joint]
        start, goal = household.opening(thing_id, joint), 1.0 if opening else 0.0
        for share in shares(household.settings.gesture_frames):
            household.set_opening(thing_id, joint, start + (goal - start) * share, things)
            for follower in followers:
                household.set_opening(thing_id, follower, start + (goal - start) * share)
            yield
        yield from rest(household, 0.5)

    return perform


def _door(household: Household, thing_id: str, joint: str) -> Floats:
    """Where to look while a door moves: between its closed handle and the middle of what it closes."""
    found: Floats = (
        _in_house(household, thing_id, household.placed(thing_id).asset.joint(joint).handle_m)
        + middle_of(household, thing_id)
    ) / 2
    return found


def _lamp(household: Household, thing_id: str) -> Floats:
    """Where to look while something is switched: at its light, or its middle."""
    lights = household.placed(thing_id).asset.emitters
    return _in_house(household, thing_id, lights[0].position_m) if lights else middle_of(household, thing_id)


def _in_house(household: Household, thing_id: str, point_m: Point) -> Floats:
    frame = household.pose(thing_id)
    found: Floats = frame[:3, :3] @ np.array(point_m) + frame[:3, 3]
    return found


def _toggle_refusal(household: Household, step: Step) -> str | None:
    if not household.can(step.object, "toggleable"):
        return f"{step.object} cannot be switched."
    if household.can(step.object, "heats") and joint_to_move(household, step.object, opening=False) is not None:
        return f"{step.object} is open; close it first."
    return too_far(household, step.object)


def _toggle(household: Household, step: Step) -> Iterator[None]:
    yield from face(household, _lamp(household, step.object))
    yield from rest(household, 0.5)
    household.change(step.object, on=not household.state(step.object).on)
    yield from rest(household)


def _slice_refusal(household: Household, step: Step) -> str | None:
    if not household.can(step.object, "sliceable"):
        return f"{step.object} cannot be sliced."
    if household.state(step.object).sliced:
        return f"{step.object} is sliced already."
    if household.held is None or household.placed(household.held).asset.type_name not in KNIVES:
        return "There is no knife in the hand; pick one up first."
    return too_far(household, step.object)


def _slice(household: Household, step: Step) -> Iterator[None]:
    """The knife comes over the food, goes down and up a few times, and returns to the hand."""
    knife = household.held
    assert knife is not None
    yield from face(household, middle_of(household, step.object))
    low, high = household.bounds(step.object)
    over = household.hand_pose(knife)
    over[:3, 3] = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2] + 0.07
    things = household.let_go()
    yield from glide(household, knife, over, things)
    for chop in range(CHOPS):
        for height in (0.5, 0.0, -0.6, 0.0):
            down = over.copy()
            down[2, 3] += 0.09 * height
            household.move(knife, down, things)
            if chop == CHOPS - 1 and height < 0:
                household.change(step.object, sliced=True)
            yield
    yield from glide(household, knife, household.hand_pose(knife), things)
    household.hold(knife, things)
    yield from rest(household)


DEEDS: dict[str, Verb] = {
    "goto": Verb(False, _goto_refusal, _goto),
    "pick up": Verb(False, _pick_up_refusal, _pick_up),
    "put on": Verb(True, _put_refusal("on"), _put("on")),
    "put in": Verb(True, _put_refusal("in"), _put("in")),
    "open": Verb(False, _swing_refusal(True), _swing(True)),
    "close": Verb(False, _swing_refusal(False), _swing(False)),
    "toggle": Verb(False, _toggle_refusal, _toggle),
    "slice": Verb(False, _slice_refusal, _slice),
}
