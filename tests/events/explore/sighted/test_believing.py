"""What the sighted agent makes of glances: one thing from many, its relations, its room, its handles, its answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest

from pentathlon.events.explore.agents.body import Body
from pentathlon.events.explore.agents.errands import Errands
from pentathlon.events.explore.agents.stands import Planned
from pentathlon.events.explore.questions.facts import Fact, felt_mass
from pentathlon.events.explore.questions.program import Step
from pentathlon.events.explore.sighted.glances import GRID_PX, Glance, View
from pentathlon.events.explore.sighted.instances import Instances, project
from pentathlon.events.explore.sighted.lore import ROOM_TYPES, Kind, kinds
from pentathlon.events.explore.sighted.memory import BELIEVED, SightedMemory, guessed_handles
from pentathlon.events.explore.sighted.reaching import SightedErrands
from pentathlon.events.explore.sighted.relations import Found, relate
from pentathlon.events.explore.sighted.rooms import Rooms, cells
from pentathlon.models.navigation.back_projection import Camera, MapPose, Points, back_project

NUMBER = {kind.name: number for number, kind in enumerate(kinds())}
BACK = MapPose(-9.0, 0.0, math.pi, 0.0)
CAMERA = Camera(1.38, 83.6)
Box = tuple[tuple[float, float, float], tuple[float, float, float]]


def kind(name: str) -> Kind:
    return kinds()[NUMBER[name]]


def glance(name: str, box: Box, score: float = 4.0, second: str = "") -> Glance:
    low, high = (np.array(side, np.float32) for side in box)
    scores = np.full(len(NUMBER), -6.0, np.float32)
    scores[NUMBER[name]] = score
    if second:
        scores[NUMBER[second]] = score - 1.0
    shares = np.linspace(0.0, 1.0, 20, dtype=np.float32)[:, None]
    return Glance(low, high, low + (high - low) * shares, scores, score, np.ones(4, np.float32), 60, 1.5, False)


def view(*glances: Glance, depth_m: float = math.nan) -> View:
    none = np.zeros((0, 0), np.float32)
    depth = np.full((GRID_PX, GRID_PX), depth_m, np.float32)
    return View(glances, Points(none, none, none), np.zeros((0, 0, 7), np.float32), depth, np.zeros((1, 1), np.int64))


def seen(*looks: Sequence[Glance]) -> Instances:
    instances = Instances()
    for glances in looks:
        instances.take_in(view(*glances), BACK, CAMERA)
    instances.merge()
    return instances


def test_looks_at_one_thing_are_one_thing_and_two_apart_are_two() -> None:
    mug: Box = ((1.0, 1.0, 0.7), (1.1, 1.1, 0.8))
    shifted: Box = ((1.02, 1.03, 0.7), (1.12, 1.13, 0.8))
    other: Box = ((1.5, 1.0, 0.7), (1.6, 1.1, 0.8))
    things = seen([glance("Mug", mug), glance("Mug", other)], [glance("Mug", shifted)], [glance("Mug", mug)]).things
    assert sorted(thing.views for thing in things.values()) == [1, 3]


def test_halves_of_a_sofa_are_one_and_chairs_side_by_side_are_not() -> None:
    left: Box = ((0.0, 0.0, 0.0), (0.9, 0.9, 0.8))
    right: Box = ((0.85, 0.0, 0.0), (1.8, 0.9, 0.8))
    assert len(seen([glance("Sofa", left)], [glance("Sofa", right)]).things) == 1
    chairs: list[Box] = [((0.0, 0.0, 0.0), (0.45, 0.5, 0.9)), ((0.5, 0.0, 0.0), (0.95, 0.5, 0.9))]
    assert len(seen([glance("Chair", box) for box in chairs]).things) == 2


def test_a_thing_of_doubtful_type_is_one_and_has_the_type_of_most_glances() -> None:
    box: Box = ((0.0, 0.0, 0.0), (0.5, 0.5, 0.5))
    looks = [[glance("Nightstand", box, second="SideTable")], [glance("SideTable", box, second="Nightstand")]] * 2
    (thing,) = seen(*looks, [glance("Nightstand", box, second="SideTable")]).things.values()
    assert kinds()[thing.kind].name == "Nightstand"
    assert len(seen([glance("Nightstand", box)], [glance("Painting", box)]).things) == 2


def test_what_is_not_seen_again_in_plain_view_is_believed_less() -> None:
    instances = Instances()
    ahead = MapPose(0.0, 0.0, 0.0, 0.0)
    instances.take_in(view(glance("Mug", ((1.0, -0.05, 1.3), (1.1, 0.05, 1.4)))), ahead, CAMERA)
    (thing,) = instances.things.values()
    before = thing.sureness
    instances.take_in(view(depth_m=4.0), ahead, CAMERA)
    assert thing.misses == 0, "what one sees behind its place does not show it"
    instances.take_in(view(depth_m=1.05), ahead, CAMERA)
    assert thing.misses == 1
    assert thing.sureness < before


def test_projecting_undoes_back_projecting() -> None:
    pose = MapPose(1.0, 2.0, 0.7, 0.3)
    depth = np.random.default_rng(0).uniform(0.6, 4.0, (GRID_PX, GRID_PX)).astype(np.float32)
    points = np.stack([axis.ravel() for axis in back_project(depth, pose, CAMERA)], axis=1).astype(float)
    away, rows, columns = project(points, pose, CAMERA)
    assert away == pytest.approx(depth.ravel(), abs=1e-3)
    assert (rows * GRID_PX + columns == np.arange(GRID_PX**2)).mean() > 0.98


def found(name: str, low: tuple[float, float, float], high: tuple[float, float, float]) -> Found:
    return Found(kind(name), np.array(low), np.array(high))


def test_relations_of_boxes() -> None:
    things = [
        found("DiningTable", (0.0, 0.0, 0.0), (1.6, 0.9, 0.75)),
        found("Mug", (0.3, 0.4, 0.76), (0.4, 0.5, 0.86)),
        found("Apple", (0.9, 0.4, 0.0), (0.98, 0.48, 0.08)),
        found("Fridge", (3.0, 0.0, 0.0), (3.7, 0.7, 1.75)),
        found("Egg", (3.3, 0.3, 0.9), (3.36, 0.36, 0.95)),
        found("Book", (0.5, 0.4, 0.76), (0.7, 0.6, 0.8)),
        found("Spoon", (0.85, 0.45, 0.76), (0.9, 0.5, 0.77)),
    ]
    holds = {name: matrix.tolist() for name, matrix in relate(things, np.zeros((7, 7), bool)).items()}
    pairs = {name: {(i, j) for i in range(7) for j in range(7) if rows[i][j]} for name, rows in holds.items()}
    assert pairs["on"] == {(1, 0), (5, 0), (6, 0)}
    assert pairs["in"] == {(4, 3)}
    assert pairs["under"] == {(2, 0)}
    assert {(1, 5), (5, 1), (1, 0), (2, 0)} <= pairs["near"]
    assert not any(3 in pair and 4 not in pair for pair in pairs["near"])
    assert (1, 5) in pairs["adjacent"]
    assert (1, 6) in pairs["near"] - pairs["adjacent"], "a book lies between mug and spoon"
    parted = np.ones((7, 7), bool)
    assert not relate(things, parted)["near"].any()


def wall_view(rooms: Rooms, look: str, x0: float, x1: float) -> None:
    """The floor of a room and its walls up to the ceiling, which all look like a type of room."""
    xs, ys = np.meshgrid(np.arange(x0, x1 + 0.01, 0.05), np.arange(0.0, 3.01, 0.05))
    rim = (xs <= x0 + 0.01) | (xs >= x1 - 0.01) | (ys <= 0.01) | (ys >= 2.99)
    layers = [(xs, ys, 0.0), *[(xs[rim][None], ys[rim][None], height) for height in (1.0, 2.2, 2.3, 2.5)]]
    for x, y, height in layers:
        points = Points(x.astype(np.float32), y.astype(np.float32), np.full(x.shape, height, np.float32))
        scores = np.full((*x.shape, len(ROOM_TYPES)), -4.0, np.float32)
        scores[..., ROOM_TYPES.index(look)] = 2.0
        rooms.take_in(View((), points, scores, np.zeros((1, 1), np.float32), np.zeros((1, 1), np.int64)))


def test_rooms_end_at_walls_and_are_what_they_look_like() -> None:
    rooms = Rooms()
    wall_view(rooms, "Kitchen", 0.0, 3.0)
    wall_view(rooms, "Bedroom", 3.1, 6.0)
    regions, types = rooms.regions()
    at = cells(np.array([1.5, 4.5])), cells(np.array([1.5, 1.5]))
    assert [types[number] for number in regions[at]] == ["Kitchen", "Bedroom"]
    walls = rooms.walls()
    one, other = np.array([[2.5, 1.5], [1.0, 1.0]]), np.array([[3.5, 1.5], [2.0, 1.0]])
    assert rooms.parted(one, other, walls).tolist() == [True, False]


def test_handles_are_guessed_at_the_side_from_which_a_thing_was_seen() -> None:
    nightstand = found("Nightstand", (0.0, 0.0, 0.0), (0.46, 0.41, 0.55))
    for place, expected in (((0.2, -2.0), (0.23, 0.0)), ((0.2, 3.0), (0.23, 0.41))):
        (handle,) = guessed_handles(nightstand, np.array(place))
        assert math.dist(handle.place_m[:2], expected) < 0.05
        assert 0.3 < handle.place_m[2] < 0.5


class FewWords:
    """Answers that everything is red and wooden."""

    def read(self, sentences: Sequence[str]) -> np.ndarray:
        fits = [("red" in sentence) or ("wooden" in sentence) for sentence in sentences]
        return np.array(fits, np.float32)[:, None] * np.ones((1, 4), np.float32)

    def score(self, cosine: np.ndarray) -> np.ndarray:
        return cosine - 2.0


def test_questions_are_answered_by_what_is_believed_and_by_more_or_less_where_that_does_not_decide() -> None:
    table: Box = ((0.0, 0.0, 0.0), (1.6, 0.9, 0.75))
    mug: Box = ((0.3, 0.4, 0.76), (0.4, 0.5, 0.86))
    doubtful: Box = ((3.3, 0.4, 0.76), (3.4, 0.5, 0.86))
    memory = SightedMemory(network=FewWords())  # type: ignore[arg-type]
    for _ in range(4):
        memory.instances.take_in(view(glance("DiningTable", table), glance("Mug", mug)), BACK, CAMERA)
    memory.instances.take_in(view(glance("Mug", doubtful, score=2.5)), BACK, CAMERA)
    memory.believe()
    assert sorted(sighting.thing.type or "" for sighting in memory.first.values()) == ["DiningTable", "Mug", "Mug"]
    colour = (Step("scene"), Step("filter_type", (0,), "Mug"), Step("unique", (1,)), Step("query_colour", (2,)))
    assert memory.decide(colour) == ("red",), "the surer one of two is meant"
    count = (Step("scene"), Step("filter_type", (0,), "Mug"), Step("count", (1,)))
    assert memory.decide(count) == 2
    on = (
        Step("scene"), Step("filter_type", (0,), "DiningTable"), Step("unique", (1,)), Step("scene"),
        Step("relate", (3, 2), "on"), Step("exist", (4,)),
    )  # fmt: skip
    assert memory.decide(on) is True
    assert BELIEVED > 1.0


def test_what_was_lifted_is_the_same_thing_where_it_was_put_down() -> None:
    memory = SightedMemory(network=FewWords())  # type: ignore[arg-type]
    mug: Box = ((0.3, 0.4, 0.76), (0.4, 0.5, 0.86))
    moved: Box = ((0.6, 0.4, 0.76), (0.7, 0.5, 0.86))
    for _ in range(3):
        memory.instances.take_in(view(glance("Mug", mug)), BACK, CAMERA)
    memory.believe()
    (key,) = memory.first
    memory.masses[key] = felt_mass(0.3)
    memory.weighed(key)
    memory.instances.take_in(view(glance("Mug", moved)), BACK, CAMERA)
    memory.believe()
    assert list(memory.first) == [key]
    assert memory.first[key].middle_m[0] == pytest.approx(0.35, abs=0.03), "it is remembered where it was at first"
    assert memory.facts().things[key].mass_kg == felt_mass(0.3)


def test_things_are_weighed_before_the_tour_and_opened_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Errands, "tour", lambda _: iter(()))
    memory = SightedMemory(network=FewWords())  # type: ignore[arg-type]
    mug: Box = ((0.3, 0.4, 0.76), (0.4, 0.5, 0.86))
    fridge: Box = ((3.0, 0.0, 0.0), (3.7, 0.7, 1.75))
    for _ in range(3):
        memory.instances.take_in(view(glance("Mug", mug), glance("Fridge", fridge)), BACK, CAMERA)
    errands = SightedErrands(Body.of_briefing({}), memory)
    memory.believe()
    assert [errand.purpose for errand in errands.todo(None)] == ["mass"]
    errands.planned = cast(Planned, object())
    assert sorted(errand.purpose for errand in errands.todo(None)) == ["look", "mass"], "a fridge holds things"
    shut = {key for key, sighting in memory.first.items() if sighting.handles}
    assert [errand.purpose for errand in errands.todo({Fact(key, "inside") for key in shut})] == ["inside"]
    next(errands.tour(), None)
    assert sorted(errand.purpose for errand in errands.todo(None)) == ["inside", "look", "mass"]
