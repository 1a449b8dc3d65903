"""The desk: things are carried and come to rest, fabric is pinned or not, doors swing on their hinges."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.tabletop.desk.desk import Desk
from pentathlon.worlds.tabletop.desk.door import Door
from pentathlon.worlds.tabletop.desk.fabric import WAYS, Fabric, Way
from pentathlon.worlds.tabletop.desk.things import NAMES, make_thing

LINE = ((-0.12, 0.06), (0.0, 0.06), (0.12, 0.06))


def run(moments: Iterator[None]) -> int:
    return sum(1 for _ in moments)


@pytest.mark.parametrize("name", NAMES)
def test_every_thing_rests_where_it_was_put(name: str) -> None:
    desk = Desk((name,), ((0.0, 0.05),), seed=1, side_px=32)
    run(desk.carry(0, (0.1, -0.1)))
    run(desk.rest(6))
    assert desk.place_of(0)[:2] == pytest.approx((0.1, -0.1), abs=0.015)
    assert desk.place_of(0)[2] == pytest.approx(desk.things[0].rests_m, abs=0.01)


def test_two_of_a_kind_differ_a_little() -> None:
    rng = np.random.default_rng(0)
    first, second = make_thing("tomato", rng), make_thing("tomato", rng)
    assert first.half_m != second.half_m
    assert np.allclose(first.half_m, second.half_m, rtol=0.11)
    with pytest.raises(UnknownIdError, match="thing on the desk"):
        make_thing("spoon", rng)


def test_what_is_shown_is_held_up_and_the_others_stay() -> None:
    desk = Desk(("can", "can", "can"), LINE, seed=2, side_px=48)
    before = desk.look()
    run(desk.show(1))
    assert desk.held == 1
    assert desk.place_of(1)[2] > 0.2
    assert desk.place_of(0)[:2] == pytest.approx(LINE[0], abs=0.01)
    assert np.abs(desk.look().astype(int) - before).mean() > 2.0


@pytest.mark.parametrize("way", WAYS)
def test_only_what_is_pinned_together_comes_along(way: Way) -> None:
    fabric = Fabric(3, side_px=48, pace=0.4)
    run(fabric.pin(way))
    before = fabric.look()
    run(fabric.pull(way))
    left_m, right_m = fabric.moved_m
    assert right_m > 0.03
    assert (left_m > 0.03) == fabric.together == (way == "both")
    assert np.abs(fabric.look().astype(int) - before).mean() > 0.5


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("opens", [True, False])
def test_a_door_opens_or_closes_and_is_seen_to(seed: int, opens: bool) -> None:
    door = Door(seed, is_open=not opens, side_px=48)
    assert door.is_open != opens
    before = door.look()
    angles = [door.angle_rad for _ in door.swing(opens, 24)]
    assert door.is_open == opens
    assert all((second >= first - 0.02) == opens or abs(second - first) < 0.02 for first, second in pairwise(angles))
    assert np.abs(door.look().astype(int) - before).mean() > 2.0
