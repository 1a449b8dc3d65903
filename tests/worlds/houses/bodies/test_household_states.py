"""Slicing, heating, cleaning and the like: states that change, and show."""

from __future__ import annotations

import numpy as np
import pytest
from household_acts import START, carry_out, difference, in_receptacle, runs_meanwhile, take

from pentathlon.worlds.houses.bodies.household.deeds import Step
from pentathlon.worlds.houses.bodies.household.person import Household
from pentathlon.worlds.houses.bodies.household.places import hidden_in
from pentathlon.worlds.houses.bodies.household.verbs import do, why_not


def test_slicing_needs_a_knife_and_shows(household: Household) -> None:
    carry_out(household, Step("goto", "apple"))
    assert why_not(household, Step("slice", "apple")) == "There is no knife in the hand; pick one up first."
    take(household, "knife")
    whole = household.look()
    carry_out(household, Step("slice", "apple"))
    assert household.state("apple").sliced
    assert household.held == "knife"
    sliced = household.look()
    household.change("apple", sliced=False)
    assert difference(sliced, household.look()) >= 8
    assert whole.shape == sliced.shape
    household.change("apple", sliced=True)
    assert why_not(household, Step("slice", "apple")) == "apple is sliced already."


def test_a_slice_can_be_picked_up_heated_and_put_down(household: Household) -> None:
    take(household, "knife")
    carry_out(household, Step("goto", "apple"), Step("slice", "apple"), Step("put on", "knife", "table"))
    assert "apple/slice" in in_receptacle(household, "table", "on")
    low, high = household.bounds("apple/slice")
    other_low, other_high = household.bounds("apple")
    assert (low >= other_high).any() or (high <= other_low).any()
    take(household, "apple/slice")
    carry_out(household, Step("goto", "microwave"), Step("heat", "apple/slice", "microwave"))
    assert household.state("apple/slice").hot
    steaming = household.look()
    household.change("apple/slice", hot=False)
    assert difference(steaming, household.look()) >= 8
    carry_out(household, Step("goto", "plate"), Step("put on", "apple/slice", "plate"))
    assert household.held is None
    assert "apple/slice" in in_receptacle(household, "plate", "on")
    household.reset(START)
    assert household.bounds("apple/slice")[1][2] < 0


@pytest.mark.parametrize("thing", ["apple", "cloth"])
def test_food_and_cloths_can_be_cleaned(household: Household, thing: str) -> None:
    household.change(thing, dirty=True)
    take(household, thing)
    carry_out(household, Step("goto", "sink"))
    dirty = household.look()
    carry_out(household, Step("clean", thing, "sink"))
    assert not household.state(thing).dirty
    assert difference(dirty, household.look()) >= 8


def test_a_mug_is_filled_and_poured_out(household: Household) -> None:
    take(household, "mug")
    carry_out(household, Step("goto", "sink"), Step("fill", "mug", "sink"))
    assert household.state("mug").filled
    assert household.held == "mug"
    assert why_not(household, Step("fill", "mug", "sink")) == "mug is full already."
    tilts = []
    for _ in do(household, Step("pour", "mug", "sink")):
        tilts.append(float(household.pose("mug")[2, 2]))
    assert min(tilts) < 0.0
    assert not household.state("mug").filled
    assert household.held == "mug"
    assert why_not(household, Step("pour", "mug", "sink")) == "mug is empty."


def test_what_breaks_lies_in_shards_on_the_floor(household: Household) -> None:
    take(household, "mug")
    carry_out(household, Step("break", "mug"))
    assert household.held is None
    assert household.state("mug").broken
    assert household.pose("mug")[2, 3] < 0.01
    broken = household.look()
    household.change("mug", broken=False)
    assert difference(broken, household.look()) >= 8
    household.change("mug", broken=True)
    assert why_not(household, Step("pick up", "mug")) == "mug is broken."


@pytest.mark.parametrize(("thing", "brighter"), [("lamp", True), ("microwave", True), ("sink", False)])
def test_switching_shows(household: Household, thing: str, brighter: bool) -> None:
    if thing == "lamp":
        carry_out(household, Step("goto", "inner"), Step("open", "inner"))
    carry_out(household, Step("goto", thing), Step("toggle", thing))
    assert household.state(thing).on
    on = household.look()
    carry_out(household, Step("toggle", thing))
    assert not household.state(thing).on
    off = household.look()
    assert difference(on, off) >= 8
    if brighter:
        assert on.mean() > off.mean()


def test_heating_lights_the_microwave_and_makes_steam(household: Household) -> None:
    take(household, "apple")
    carry_out(household, Step("goto", "microwave"))
    assert runs_meanwhile(household, "microwave", Step("heat", "apple", "microwave"))
    assert household.state("apple").hot
    assert household.held == "apple"
    assert not household.is_open("microwave", "door")
    steaming = household.look()
    household.change("apple", hot=False)
    assert difference(steaming, household.look()) >= 8


def test_cooling_happens_behind_the_fridge_door(household: Household) -> None:
    household.change("apple", hot=True)
    take(household, "apple")
    carry_out(household, Step("goto", "fridge"))
    shut_in = [hidden_in(household, "apple") == "fridge" for _ in do(household, Step("cool", "apple", "fridge"))]
    assert any(shut_in)
    assert household.state("apple").cold
    assert not household.state("apple").hot
    assert household.held == "apple"
    frosty = household.look()
    household.change("apple", cold=False)
    thawed = household.look()
    assert difference(frosty, thawed) >= 5
    assert frosty[..., 2].astype(int).sum() > thawed[..., 2].astype(int).sum()
    household.change("apple", cold=True)
    assert np.array_equal(household.look(), frosty)


def test_cleaning_runs_the_water_and_removes_the_dirt(household: Household) -> None:
    take(household, "plate")
    carry_out(household, Step("goto", "sink"))
    assert runs_meanwhile(household, "sink", Step("clean", "plate", "sink"))
    assert not household.state("plate").dirty
    clean = household.look()
    household.change("plate", dirty=True)
    assert difference(clean, household.look()) >= 20


def test_reset_restores_states(household: Household) -> None:
    household.change("plate", dirty=False)
    household.change("microwave", on=True)
    household.reset(START)
    assert household.state("plate").dirty
    model = household.scene.model
    assert not model.light_active[model.light(household.placed("microwave").lights[0]).id]
