"""Going, taking, putting down and opening: where things are afterwards, and what is seen."""

from __future__ import annotations

import numpy as np
import pytest
from household_acts import START, carry_out, difference, in_receptacle, seen_pixels, take

from pentathlon.worlds.houses.bodies.household.deeds import Step
from pentathlon.worlds.houses.bodies.household.person import Household
from pentathlon.worlds.houses.bodies.household.places import hidden_in, riders
from pentathlon.worlds.houses.bodies.household.verbs import VERBS, do, film, why_not
from pentathlon.worlds.houses.bodies.household.walk import REACH_M, gap_m, walking_map


def test_goto_ends_near_with_the_object_in_the_middle_of_the_picture(household: Household) -> None:
    for object_id in ("mug", "fridge", "sink"):
        carry_out(household, Step("goto", object_id))
        gaze = household.gaze
        assert gap_m(household, object_id, (gaze.x_m, gaze.y_m)) <= REACH_M
        assert walking_map(household).is_free(gaze.x_m, gaze.y_m)
        frame = household._eyes.render(household.data, household.camera(), (96, 72))
        names = [item.id for item in household.scene.house.objects]
        ids = frame.ids(household.scene.object_of_geom, background=-1)
        rows, columns = np.nonzero(ids == names.index(object_id))
        assert 24 <= rows.mean() <= 48
        assert 32 <= columns.mean() <= 64


def test_a_picked_up_object_is_seen_low_on_the_right_and_stays_in_view(household: Household) -> None:
    take(household, "apple")
    assert household.held == "apple"
    carry_out(household, Step("goto", "sink"))
    frame = household._eyes.render(household.data, household.camera(), (96, 72))
    names = [item.id for item in household.scene.house.objects]
    rows, columns = np.nonzero(frame.ids(household.scene.object_of_geom, background=-1) == names.index("apple"))
    assert rows.mean() > 36
    assert columns.mean() > 48


def test_put_on_and_put_in_leave_the_object_there(household: Household) -> None:
    take(household, "apple")
    carry_out(household, Step("goto", "counter"), Step("goto", "sink"), Step("put in", "apple", "sink"))
    assert household.held is None
    assert "apple" in in_receptacle(household, "sink", "in")
    take(household, "mug")
    carry_out(household, Step("goto", "table"), Step("put on", "mug", "table"))
    assert "mug" in in_receptacle(household, "table", "on")


def test_things_put_down_keep_apart(household: Household) -> None:
    for object_id in ("apple", "mug", "plate"):
        take(household, object_id)
        carry_out(household, Step("goto", "table"), Step("put on", object_id, "table"))
    boxes = {name: household.bounds(name) for name in ("apple", "mug", "plate", "knife", "bottle")}
    for first, (low, high) in boxes.items():
        for second, (other_low, other_high) in boxes.items():
            if first != second:
                assert (low >= other_high).any() or (high <= other_low).any()


def test_what_lies_on_a_plate_goes_with_it(household: Household) -> None:
    take(household, "apple")
    carry_out(household, Step("put on", "apple", "plate"))
    assert riders(household, "plate") == ["apple"]
    carry_out(household, Step("pick up", "plate"), Step("goto", "sink"))
    low, high = household.bounds("plate")
    middle = np.mean(household.bounds("apple"), axis=0)
    assert ((middle[:2] > low[:2]) & (middle[:2] < high[:2])).all()
    assert abs(float(household.bounds("apple")[0][2] - low[2])) < 0.03


def test_doors_open_gradually_and_hide_what_is_behind_them(household: Household) -> None:
    take(household, "apple")
    carry_out(household, Step("goto", "fridge"))
    openings = []
    for _ in do(household, Step("open", "fridge")):
        openings.append(household.opening("fridge", "door"))
    assert openings == sorted(openings)
    assert len(set(openings)) >= 4
    assert openings[-1] == pytest.approx(1.0)
    carry_out(household, Step("put in", "apple", "fridge"))
    assert hidden_in(household, "apple") is None
    carry_out(household, Step("close", "fridge"))
    assert hidden_in(household, "apple") == "fridge"
    assert why_not(household, Step("pick up", "apple")) == "apple is inside the closed fridge; open that first."


def test_a_drawer_takes_its_contents_along(household: Household) -> None:
    before = household.bounds("spoon")[0].copy()
    carry_out(household, Step("goto", "counter"), Step("open", "counter"))
    reach = household.placed("counter").asset.joint("drawer_0").reach
    assert household.bounds("spoon")[0][1] == pytest.approx(before[1] - reach, abs=0.01)


def test_a_room_behind_a_closed_door_is_reached_by_opening_it(household: Household) -> None:
    assert "open the doors between" in str(why_not(household, Step("goto", "lamp")))
    carry_out(household, Step("goto", "inner"), Step("open", "inner"), Step("goto", "lamp"))
    assert household.gaze.x_m > 5.0


@pytest.mark.parametrize("object_id", ["apple", "mug", "knife", "vase"])
def test_goto_shows_small_things_large(household: Household, object_id: str) -> None:
    carry_out(household, Step("goto", object_id))
    assert seen_pixels(household, object_id) >= 500
    carry_out(household, Step("goto", "fridge"))
    assert household.gaze.lean_m == 0.0


def test_put_on_picks_a_spot_that_is_seen(household: Household) -> None:
    take(household, "apple")
    carry_out(household, Step("goto", "counter"), Step("put on", "apple", "counter"))
    assert seen_pixels(household, "apple") >= 20


def test_the_drawer_that_holds_a_thing_is_named_and_can_be_opened(household: Household) -> None:
    inside = "jar is inside the closed counter/door_0; open that first."
    assert why_not(household, Step("goto", "jar")) == inside
    carry_out(household, Step("goto", "counter"), Step("open", "counter/door_0"))
    assert household.is_open("counter", "door_0")
    assert not household.is_open("counter", "drawer_0")
    assert hidden_in(household, "jar") is None
    assert hidden_in(household, "spoon") == "counter"
    assert why_not(household, Step("open", "counter/door_0")) == "counter/door_0 is open already."
    carry_out(household, Step("close", "counter/door_0"))
    assert not household.is_open("counter", "door_0")


@pytest.mark.parametrize("thing", ["book", "box", "blinds"])
def test_books_boxes_and_blinds_open_as_a_whole(household: Household, thing: str) -> None:
    carry_out(household, Step("goto", thing))
    closed = household.look()
    carry_out(household, Step("open", thing))
    assert all(household.is_open(thing, joint) for joint in household.placed(thing).joints)
    assert difference(closed, household.look()) >= 20
    assert why_not(household, Step("open", thing)) == f"{thing} is open already."
    carry_out(household, Step("close", thing))
    assert not any(household.is_open(thing, joint) for joint in household.placed(thing).joints)


def test_a_film_is_the_same_every_time(household: Household) -> None:
    steps = [Step("goto", "apple"), Step("pick up", "apple")]
    first = film(household, steps)
    household.reset(START)
    assert first.dtype == np.uint8
    assert first.shape[1:] == (72, 96, 3)
    assert len(first) > 6
    assert np.array_equal(first, film(household, steps))


def test_the_table_holds_every_verb() -> None:
    assert set(VERBS) == {
        "goto", "pick up", "put on", "put in", "open", "close", "toggle", "slice", "heat", "cool", "clean", "fill",
        "pour", "break",
    }  # fmt: skip
