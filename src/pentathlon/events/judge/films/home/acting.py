"""A person who does deeds: each of them as a few verbs of the household, doors opened and closed on the way."""

from __future__ import annotations

from collections.abc import Iterator

from pentathlon.core.errors import DataError
from pentathlon.events.judge.films.home.recipe import Recipe
from pentathlon.events.judge.films.home.vocabulary import APPLIANCES, SLICED_WORD, Action, Deed, place, type_of
from pentathlon.worlds.houses.assets.asset import Receptacle
from pentathlon.worlds.houses.bodies.household.deeds import Step, rest
from pentathlon.worlds.houses.bodies.household.person import Household
from pentathlon.worlds.houses.bodies.household.places import contents, find_spot, hidden_in
from pentathlon.worlds.houses.bodies.household.slices import slice_of
from pentathlon.worlds.houses.bodies.household.verbs import RefusedError, do

AWAY = "DiningTable|0"
WAIT = 3.0


class Actor:
    """Does deeds in a household."""

    def __init__(self, household: Household) -> None:
        self._household = household

    def set_up(self, recipe: Recipe) -> None:
        """Brings the kitchen into the state that a recipe starts from."""
        for word in recipe.on:
            self._household.change(_appliance(word), on=True)
        # What is cut lies where its slice is to lie.
        for word, where in recipe.start.items():
            self._bring(word.removeprefix(SLICED_WORD), where)
        for word in recipe.sliced:
            self._household.change(self._thing(word), sliced=True)
        for word in recipe.dirty:
            self._household.change(self._thing(word), dirty=True)
        if recipe.held:
            self._household.hold(self._thing(recipe.held))

    def do(self, deed: Deed) -> Iterator[None]:
        """Does a deed; yields once for each frame.

        Raises:
            DataError: when the household refuses.
        """
        try:
            yield from self._acts(deed)
        except RefusedError as error:
            raise DataError(f"{self._household.scene.house.name}: {' '.join(filter(None, deed))}: {error}") from error

    def require_effect(self, deed: Deed) -> None:
        """Asks the household whether a deed has had its effect.

        Raises:
            DataError: when it has not.
        """
        if not self._has_effect(deed):
            raise DataError(
                f"{self._household.scene.house.name}: expected {' '.join(filter(None, deed))} to be done, the kitchen "
                "says that it is not."
            )

    def _acts(self, deed: Deed) -> Iterator[None]:
        action: Action = deed.action
        if action == "pick up":
            yield from self._pick_up(deed)
        elif action == "put":
            yield from self._store(deed, wait=False, take=False)
        elif action in ("heat", "cool", "clean"):
            target = _furniture(deed.target)
            yield from self._verbs(Step("goto", target), Step(action, self._thing(deed.object), target))
        elif action == "slice":
            thing = self._thing(deed.object)
            yield from self._verbs(Step("goto", thing), Step("slice", thing))
        elif action in ("turn on", "turn off"):
            machine = _appliance(deed.object)
            yield from self._verbs(Step("goto", machine), Step("toggle", machine))
        elif action in ("observe on", "observe off"):
            yield from self._verbs(Step("goto", _appliance(deed.object)))
            yield from rest(self._household, WAIT)
        else:
            yield from self._instead(deed)

    def _instead(self, deed: Deed) -> Iterator[None]:
        """What is done in place of heating, cooling, cleaning and slicing."""
        if deed.action in ("visit", "spare"):
            near = _furniture(deed.target) if deed.action == "visit" else self._thing(deed.object)
            yield from self._verbs(Step("goto", near))
            yield from rest(self._household)
            away = AWAY if near != AWAY else "Stove|0"
            yield from self._verbs(Step("goto", away))
        elif deed.action == "peek":
            door = _door(deed.target)
            yield from self._verbs(Step("goto", _furniture(deed.target)), Step("open", door), Step("close", door))
        else:
            yield from self._store(deed, wait=deed.action == "store", take=True)

    def _pick_up(self, deed: Deed) -> Iterator[None]:
        thing = self._thing(deed.object)
        closed = hidden_in(self._household, thing)
        if closed is None:
            yield from self._verbs(Step("goto", thing), Step("pick up", thing))
            return
        holder = _furniture(deed.target)
        yield from self._verbs(
            Step("goto", holder), Step("open", closed), Step("pick up", thing), Step("close", closed)
        )

    def _store(self, deed: Deed, *, wait: bool, take: bool) -> Iterator[None]:
        """Puts what is held somewhere; waits with the door closed and takes it out again where asked."""
        thing, where, door = self._thing(deed.object), _furniture(deed.target), _door(deed.target)
        yield from self._verbs(Step("goto", where))
        if door:
            yield from self._verbs(Step("open", door))
        yield from self._verbs(Step(f"put {place(deed.target).relation}", thing, where))
        if wait:
            yield from self._verbs(Step("close", door))
            yield from rest(self._household, WAIT)
            yield from self._verbs(Step("open", door))
        if take:
            yield from self._verbs(Step("pick up", thing))
        if door:
            yield from self._verbs(Step("close", door))

    def _verbs(self, *steps: Step) -> Iterator[None]:
        for step in steps:
            yield from do(self._household, step)

    def _bring(self, word: str, where: str) -> None:
        """Lays a thing where it is at the start, unless it lies there already."""
        household, thing = self._household, self._thing(word)
        holders = [_furniture(where)] if place(where).door else _all_of(household, where)
        receptacles = {holder: self._receptacles(holder, where) for holder in holders}
        if any(thing in contents(household, holder, item) for holder in holders for item in receptacles[holder]):
            return
        for holder in holders:
            spot = find_spot(household, thing, holder, receptacles[holder])
            if spot is not None:
                household.move(thing, spot)
                return
        raise DataError(f"{household.scene.house.name}: expected room for the {word} at the {where}, found none.")

    def _receptacles(self, holder: str, where: str) -> list[Receptacle]:
        """Those of a piece that one reaches: behind its first door, or the open ones."""
        told, asset = place(where), self._household.placed(holder).asset
        door = next((joint.name for joint in asset.joints if not joint.leader), "") if told.door == "*" else told.door
        return [item for item in asset.receptacles if item.relation == told.relation and item.door == door]

    def _has_effect(self, deed: Deed) -> bool:
        household = self._household
        if deed.action in ("turn on", "turn off", "observe on", "observe off"):
            return household.state(_appliance(deed.object)).on == deed.action.endswith("on")
        thing = self._thing(deed.object)
        state = household.state(thing)
        if deed.action == "put":
            return household.held is None and self._lies(thing, deed.target)
        if deed.action in ("slice", "spare"):
            return state.sliced == (deed.action == "slice")
        changed = {"heat": state.hot, "cool": state.cold, "clean": not state.dirty}.get(deed.action, True)
        return changed and household.held == thing

    def _lies(self, thing: str, where: str) -> bool:
        household, told = self._household, place(where)
        holders = [name for name in household.scene.placed if name.split("|")[0] == told.type]
        return any(
            thing in contents(household, holder, receptacle)
            for holder in holders
            for receptacle in household.placed(holder).asset.receptacles
            if receptacle.relation == told.relation
        )

    def _thing(self, word: str) -> str:
        whole = f"{type_of(word)}|0"
        return slice_of(whole) if word.startswith(SLICED_WORD) else whole


def _all_of(household: Household, where: str) -> list[str]:
    """Returns the pieces that a place's word may mean, one that carries the microwave last, which hides things."""
    objects = household.scene.house.objects
    taken = {item.support.object for item in objects if item.type == "Microwave" and item.support}
    found = [item.id for item in objects if item.type == place(where).type]
    return sorted(found, key=lambda name: (name in taken, name))


def _furniture(where: str) -> str:
    return f"{place(where).type}|0"


def _appliance(word: str) -> str:
    return f"{APPLIANCES[word]}|0"


def _door(where: str) -> str:
    """What ``open`` takes to open a place; empty where nothing has to be opened."""
    told = place(where)
    if not told.door:
        return ""
    return _furniture(where) if told.door == "*" else f"{_furniture(where)}/{told.door}"
