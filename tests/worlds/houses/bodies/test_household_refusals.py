"""Steps that cannot be done are refused with a sentence that says why."""

from __future__ import annotations

import pytest
from household_acts import carry_out, take

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.bodies.household.deeds import Step
from pentathlon.worlds.houses.bodies.household.person import Household
from pentathlon.worlds.houses.bodies.household.verbs import RefusedError, why_not


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (Step("goto", "spoon"), "spoon is inside the closed counter; open that first."),
        (Step("pick up", "apple/slice"), "apple is whole; slice it first."),
        (Step("fill", "plate", "sink"), "plate cannot be filled."),
        (Step("fill", "mug", "table"), "table is no sink."),
        (Step("fill", "mug", "sink"), "mug is not in the hand; pick it up first."),
        (Step("pour", "mug", "plate"), "Nothing can be poured into plate."),
        (Step("pour", "mug", "sink"), "mug is not in the hand; pick it up first."),
        (Step("break", "apple"), "apple cannot be broken."),
        (Step("break", "mug"), "mug is not in the hand; pick it up first."),
        (Step("pick up", "table"), "table cannot be picked up."),
        (Step("pick up", "mug"), "mug is 1.8 m away; go to it first."),
        (Step("put on", "apple", "table"), "apple is not in the hand; pick it up first."),
        (Step("open", "table"), "table has nothing to open."),
        (Step("close", "microwave"), "microwave is closed already."),
        (Step("toggle", "apple"), "apple cannot be switched."),
        (Step("slice", "mug"), "mug cannot be sliced."),
        (Step("heat", "plate", "microwave"), "plate cannot be heated."),
        (Step("heat", "apple", "fridge"), "Nothing can be heated in fridge."),
        (Step("heat", "apple", "microwave"), "apple is not in the hand; pick it up first."),
        (Step("cool", "apple", "microwave"), "Nothing can be cooled in microwave."),
        (Step("clean", "apple", "sink"), "apple is clean already."),
        (Step("clean", "bottle", "sink"), "bottle cannot be cleaned."),
        (Step("clean", "plate", "table"), "table is no sink."),
        (Step("clean", "plate", "sink"), "plate is not in the hand; pick it up first."),
    ],
)
def test_refusals_say_why(household: Household, step: Step, sentence: str) -> None:
    assert why_not(household, step) == sentence
    with pytest.raises(RefusedError, match=sentence.split(";")[0]):
        carry_out(household, step)


def test_a_full_hand_and_a_closed_or_running_place_are_refused(household: Household) -> None:
    take(household, "apple")
    assert why_not(household, Step("pick up", "mug")) == "The hand already holds apple; put it down first."
    carry_out(household, Step("goto", "microwave"))
    assert why_not(household, Step("put in", "apple", "microwave")) == "microwave is closed; open it first."
    carry_out(household, Step("toggle", "microwave"))
    assert why_not(household, Step("open", "microwave")) == "microwave is running; toggle it off first."
    assert why_not(household, Step("heat", "apple", "microwave")) == "microwave is running; toggle it off first."
    carry_out(household, Step("toggle", "microwave"), Step("open", "microwave"))
    assert why_not(household, Step("toggle", "microwave")) == "microwave is open; close it first."


def test_wrong_steps_are_errors(household: Household) -> None:
    with pytest.raises(UnknownIdError, match="goto"):
        why_not(household, Step("go", "apple"))
    with pytest.raises(UnknownIdError, match="apple"):
        why_not(household, Step("goto", "appel"))
    with pytest.raises(UsageError, match="a target for 'put on'"):
        why_not(household, Step("put on", "apple"))
    with pytest.raises(UsageError, match="no target for 'goto'"):
        why_not(household, Step("goto", "apple", "table"))
