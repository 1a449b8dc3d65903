from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.bodies.household.deeds import Step
from pentathlon.worlds.houses.bodies.household.person import FilmSettings, Gaze, Household
from pentathlon.worlds.houses.bodies.household.places import contents, hidden_in, riders
from pentathlon.worlds.houses.bodies.household.slices import compile_for_films
from pentathlon.worlds.houses.bodies.household.verbs import VERBS, RefusedError, do, film, why_not
from pentathlon.worlds.houses.bodies.household.walk import REACH_M, gap_m, walking_map
from pentathlon.worlds.houses.house import House

START = Gaze(1.2, 2.0, 0.0)
QUICK = FilmSettings(size_px=(96, 72), setting="fast", walk_m=0.5, turn_deg=45.0, gesture_frames=4, rest_frames=2)


@pytest.fixture(scope="module")
def made(kitchen_house: House) -> Iterator[Household]:
    household = Household(compile_for_films(kitchen_house), START, QUICK)
    yield household
    household.close()


@pytest.fixture
def household(made: Household) -> Household:
    made.reset(START)
    return made


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


def seen_pixels(household: Household, object_id: str) -> int:
    frame = household._eyes.render(household.data, household.camera(), (320, 240))
    names = [item.id for item in household.scene.house.objects]
    return int((frame.ids(household.scene.object_of_geom, background=-1) == names.index(object_id)).sum())


@pytest.mark.parametrize("object_id", ["apple", "mug", "knife", "vase"])
def test_goto_shows_small_things_large(household: Household, object_id: str) -> None:
    carry_out(household, Step("goto", object_id))
    assert seen_pixels(household, object_id) >= 500
    carry_out(household, Step("goto", "fridge"))
    assert household.gaze.lean_m == 0.0


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


def test_food_can_be_cleaned(household: Household) -> None:
    household.change("apple", dirty=True)
    take(household, "apple")
    carry_out(household, Step("goto", "sink"))
    dirty = household.look()
    carry_out(household, Step("clean", "apple", "sink"))
    assert not household.state("apple").dirty
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


def test_heating_lights_the_microwave_and_makes_steam(household: Household) -> None:
    take(household, "apple")
    carry_out(household, Step("goto", "microwave"))
    running = [household.state("microwave").on for _ in do(household, Step("heat", "apple", "microwave"))]
    assert any(running)
    assert not running[-1]
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
    running = [household.state("sink").on for _ in do(household, Step("clean", "plate", "sink"))]
    assert any(running)
    assert not running[-1]
    assert not household.state("plate").dirty
    clean = household.look()
    household.change("plate", dirty=True)
    assert difference(clean, household.look()) >= 20


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


def test_a_film_is_the_same_every_time(household: Household) -> None:
    steps = [Step("goto", "apple"), Step("pick up", "apple")]
    first = film(household, steps)
    household.reset(START)
    assert first.dtype == np.uint8
    assert first.shape[1:] == (72, 96, 3)
    assert len(first) > 6
    assert np.array_equal(first, film(household, steps))


def test_wrong_steps_are_errors(household: Household) -> None:
    with pytest.raises(UnknownIdError, match="goto"):
        why_not(household, Step("go", "apple"))
    with pytest.raises(UnknownIdError, match="apple"):
        why_not(household, Step("goto", "appel"))
    with pytest.raises(UsageError, match="a target for 'put on'"):
        why_not(household, Step("put on", "apple"))
    with pytest.raises(UsageError, match="no target for 'goto'"):
        why_not(household, Step("goto", "apple", "table"))


def test_reset_restores_states(household: Household) -> None:
    household.change("plate", dirty=False)
    household.change("microwave", on=True)
    household.reset(START)
    assert household.state("plate").dirty
    model = household.scene.model
    assert not model.light_active[model.light(household.placed("microwave").lights[0]).id]


def test_the_table_holds_every_verb() -> None:
    assert set(VERBS) == {
        "goto", "pick up", "put on", "put in", "open", "close", "toggle", "slice", "heat", "cool", "clean", "fill",
        "pour", "break",
    }  # fmt: skip
