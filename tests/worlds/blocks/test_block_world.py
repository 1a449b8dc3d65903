"""What the player does in a voxel world, and that it is there to be seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from pentathlon.core.errors import DataError
from pentathlon.worlds.blocks.land.ground import build_land
from pentathlon.worlds.blocks.life import verbs
from pentathlon.worlds.blocks.life.verbs import Pace
from pentathlon.worlds.blocks.world import BlockWorld, Start, turn_between

QUICK = Pace(walk_m=1.2, turn_rad=1.0, blow=1, pause=1)
CARRIED = (("axe", 1), ("bricks", 3), ("oak planks", 3), ("stick", 2))


@pytest.fixture(scope="module")
def shared() -> BlockWorld:
    return BlockWorld(build_land(4, "oak log", "sand", ("stone", "coal ore", "iron ore")), side_px=96)


@pytest.fixture
def world(shared: BlockWorld) -> BlockWorld:
    shared.reset(Start(shared.land.stations["rock"].angle_rad, CARRIED))
    return shared


def run(moments: Iterator[None]) -> int:
    return sum(1 for _ in moments)


def test_a_block_is_broken_falls_and_is_picked_up(world: BlockWorld) -> None:
    cell = world.land.stations["tree"].cells[0]
    run(verbs.go_to_station(world, "tree", QUICK))
    run(verbs.aim(world, verbs.middle_of(cell), QUICK))
    before = world.look()
    run(verbs.break_block(world, cell, QUICK))
    assert world.blocks[cell] == "air"
    assert [drop.item for drop in world.drops] == ["oak log"]
    assert np.abs(world.look().astype(int) - before).mean() > 2.0
    run(verbs.pick_up(world, "oak log", QUICK))
    assert world.drops == []
    assert world.player.count("oak log") == 1


def test_cracks_are_seen_before_a_block_breaks(world: BlockWorld) -> None:
    cell = world.land.stations["rock"].cells[0]
    run(verbs.go_to_station(world, "rock", QUICK))
    run(verbs.aim(world, verbs.middle_of(cell), QUICK))
    before = world.look()
    world.set_block(cell, "stone", 3)
    middle = slice(36, 60)
    assert world.look()[middle, middle].mean() < before[middle, middle].mean() - 1.0


def test_blocks_are_placed_where_nothing_is(world: BlockWorld) -> None:
    cell = world.land.stations["lot"].cells[0]
    run(verbs.place_block(world, cell, "bricks", QUICK))
    assert world.blocks[cell] == "bricks"
    assert world.player.count("bricks") == 2
    with pytest.raises(DataError, match="Expected an empty cell for bricks, got bricks"):
        run(verbs.place_block(world, cell, "bricks", QUICK))


def test_crafting_takes_what_it_needs_and_shows_a_grid(world: BlockWorld) -> None:
    grids = []
    for _ in verbs.craft(world, "wooden pickaxe", QUICK):
        grids.append(world.player.grid)
    assert world.player.carried == [("axe", 1), ("bricks", 3), ("wooden pickaxe", 1)]
    assert world.player.grid is None
    assert any(grid is not None and grid.result == "wooden pickaxe" for grid in grids)
    with pytest.raises(DataError, match="Expected 1 of oak planks, only 0 are carried"):
        run(verbs.craft(world, "wooden pickaxe", QUICK))


def test_an_animal_is_found_seen_attacked_and_leaves_something(world: BlockWorld) -> None:
    pasture = world.land.stations["pasture"].angle_rad
    world.reset(Start(pasture + np.pi, CARRIED, {"sheep": pasture}, away=("sheep",)))
    assert not world.sees("sheep")
    run(verbs.find(world, "sheep", QUICK))
    assert world.sees("sheep")
    frame = world._eyes.render(world.scene.data, world.player.camera(), (96, 96))
    sheep = [world.scene.model.geom(f"sheep {name}").id for name in ("body", "head", "leg0")]
    assert np.isin(frame.geom_id, sheep).sum() > 60
    run(verbs.attack(world, "sheep", QUICK))
    assert world.mobs == {}
    assert [drop.item for drop in world.drops] == ["wool"]


def test_what_is_not_there_cannot_be_picked_up(world: BlockWorld) -> None:
    with pytest.raises(DataError, match="Expected coal lying about, found none"):
        run(verbs.pick_up(world, "coal", QUICK))


def test_a_world_begins_anew_as_it_began(world: BlockWorld) -> None:
    start = Start(0.3, CARRIED)
    world.reset(start)
    first = world.look()
    run(verbs.go_to_station(world, "lot", QUICK))
    run(verbs.place_block(world, world.land.stations["lot"].cells[0], "bricks", QUICK))
    world.reset(start)
    assert np.array_equal(world.look(), first)


@pytest.mark.parametrize(
    ("first", "second", "turn"), [(0.0, 1.0, 1.0), (3.0, -3.0, 2 * np.pi - 6.0), (-3.0, 3.0, None)]
)
def test_the_shorter_way_round(first: float, second: float, turn: float | None) -> None:
    assert turn_between(first, second) == pytest.approx(6.0 - 2 * np.pi if turn is None else turn)
