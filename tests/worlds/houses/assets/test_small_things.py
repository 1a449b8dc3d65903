"""Small things stand where they are set down, and the lists that the events ask for are all there."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.worlds.houses.assets.asset import PLAIN, Emitter, Part, Receptacle
from pentathlon.worlds.houses.assets.catalogue import catalogue, variant
from pentathlon.worlds.houses.assets.handheld import lumpy, sliced_food, strip, thing, vessel, wrapped
from pentathlon.worlds.houses.house import State
from pentathlon.worlds.modelling.colours import colour
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.prints import patches, written_board
from pentathlon.worlds.modelling.shapes import box, lathe, sphere

ROBOTHOR = ("AlarmClock", "Apple", "BaseballBat", "BasketBall", "Bowl", "Laptop", "Mug", "SprayBottle", "Vase")
PASTURE = {
    "Surfboard": "tie-dye surfboard",
    "Whiteboard": "whiteboard saying CVPR",
    "WickerBasket": "llama wicker basket",
    "PlasticCrate": "green plastic crate",
    "RiceCooker": "rice cooker",
    "MateGourd": "maté gourd",
    "Tricycle": "red and blue tricycle",
    "ElectricGuitar": "white electric guitar",
    "EspressoMachine": "espresso machine",
    "ToyAirplane": "wooden toy airplane",
    "GingerbreadHouse": "gingerbread house",
    "GraphicsCard": "graphics card",
}
HOUSEHOLD = (
    "Knife",
    "ButterKnife",
    "Fork",
    "Spoon",
    "SaltShaker",
    "Kettle",
    "Cloth",
    "Egg",
    "Lettuce",
    "Tomato",
    "Potato",
    "Bread",
    "SoapBar",
    "KeyChain",
    "Pen",
    "CellPhone",
    "WateringCan",
    "Pot",
    "Pan",
    "Plate",
    "Cup",
    "Candle",
    "Book",
    "Pillow",
)
WOOD = look("wood", "brown")


def test_parts_are_set_down_with_all_that_belongs_to_them() -> None:
    block = box((0.2, 0.1, 0.4)).moved(1, 2, 3)
    asset = thing(
        [Part(block, WOOD)],
        receptacles=(Receptacle("top", "on", (1, 2, 3.2), (0.1, 0.1), 1.0),),
        emitters=(Emitter("bulb", (1, 2, 3)),),
    )
    low, high = asset.bounds_m
    assert low == pytest.approx([-0.1, -0.05, 0.0])
    assert high == pytest.approx([0.1, 0.05, 0.4])
    assert asset.receptacles[0].centre_m == pytest.approx((0, 0, 0.4))
    assert asset.emitters[0].position_m == pytest.approx((0, 0, 0.2))
    assert asset.colliders[0].size_m == pytest.approx((0.2, 0.1, 0.4))
    assert "pickupable" in asset.abilities


def test_colliders_follow_the_meshes_that_are_touched() -> None:
    seat, leg = box((0.2, 0.2, 0.1)).moved(z=0.5), box((0.1, 0.1, 0.4)).moved(z=0.2)
    asset = thing([Part(merge([seat, leg]), WOOD)], touch=[seat, leg], portable=False)
    assert [collider.size_m for collider in asset.colliders] == [
        pytest.approx((0.2, 0.2, 0.1)),
        pytest.approx((0.1, 0.1, 0.4)),
    ]
    assert "pickupable" not in asset.abilities


def test_ball_rests_with_its_mass_over_its_point_of_contact() -> None:
    asset = variant("BasketBall", 0)
    collider, centre_m = asset.colliders[0], asset.parts[0].mesh.centroid_m
    assert collider.centre_m == pytest.approx(centre_m, abs=1e-9)
    assert collider.size_m[2] == pytest.approx(2 * centre_m[2])


def test_food_shows_its_body_whole_and_its_flesh_once_sliced() -> None:
    asset = sliced_food(sphere(0.05, 16), look("food", "red"), look("food", "white"), count=3, gap_m=0.01)
    whole = [part.look.colour.name for part in asset.parts if PLAIN.shows(part.when)]
    cut = [part for part in asset.parts if State(sliced=True).shows(part.when)]
    assert whole == ["red"]
    assert [part.look.colour.name for part in cut] == ["red", "white"]
    # Two of the three slices; the third is a thing of its own.
    assert merge([part.mesh for part in cut]).size_m[0] == pytest.approx(2 * 0.1 / 3 + 0.01, abs=1e-6)
    assert asset.piece is not None
    assert merge([part.mesh for part in asset.piece.parts]).size_m.max() == pytest.approx(0.1, abs=2e-3)
    assert asset.piece.bounds_m[0][2] == pytest.approx(0.0)


def test_vessel_is_a_wall_around_nothing() -> None:
    cup = vessel([(0.04, 0.0), (0.05, 0.1)], 0.004, 0.01)
    full = lathe([(0.04, 0.0), (0.05, 0.1)])
    assert cup.is_closed()
    assert 0.05 * full.volume_m3 < cup.volume_m3 < 0.4 * full.volume_m3
    above_base = cup.vertices_m[cup.vertices_m[:, 2] > 0.02]
    assert np.hypot(above_base[:, 0], above_base[:, 1]).min() > 0.035


def test_strip_dishes_down_between_its_edges() -> None:
    path = np.stack([np.linspace(0, 0.1, 5), np.full(5, 0.02)], axis=1)
    spoon = strip(path, np.full(5, 0.04), 0.001, dish_m=0.01)
    assert spoon.is_closed()
    assert spoon.volume_m3 > 0
    middle = spoon.vertices_m[np.abs(spoon.vertices_m[:, 1]) < 1e-6]
    assert middle[:, 2].max() == pytest.approx(0.01, abs=1e-6)


def test_wrapped_label_has_its_middle_to_the_front_and_reads_from_left_to_right() -> None:
    band = wrapped(lathe([(0.05, 0.0), (0.05, 0.1)], 32))
    side = np.hypot(band.vertices_m[:, 0], band.vertices_m[:, 1]) > 0.049
    points, uvs = band.vertices_m[side], band.uvs[side]
    front = points[:, 1] < -0.0499
    assert uvs[front, 0] == pytest.approx(0.5, abs=0.02)
    right = (points[:, 0] > 0.01) & (points[:, 1] < 0)
    assert (uvs[right, 0] > 0.5).all()
    assert uvs[points[:, 2] > 0.0999, 1] == pytest.approx(1.0)


def test_lumps_are_random_small_and_leave_the_body_closed() -> None:
    ball = sphere(0.05, 16)
    first, second = (lumpy(ball, np.random.default_rng(seed), 0.05) for seed in (0, 1))
    assert first.is_closed()
    assert first.digest != second.digest
    assert np.abs(np.linalg.norm(first.vertices_m, axis=1) - 0.05).max() < 0.01


@pytest.mark.parametrize("name", [*ROBOTHOR, *PASTURE, *HOUSEHOLD])
def test_asked_for_types_exist(name: str) -> None:
    assert name in catalogue()


@pytest.mark.parametrize(("name", "noun"), PASTURE.items())
def test_uncommon_things_bear_their_name_in_language_and_their_colours(name: str, noun: str) -> None:
    kind = catalogue()[name]
    assert kind.noun == noun
    assert {word for word in ("green", "red", "blue", "white") if word in noun.split()} <= set(variant(name, 3).colours)


@pytest.mark.parametrize(
    ("name", "ability"),
    [
        ("Knife", "cuts"),
        ("Bread", "sliceable"),
        ("Egg", "sliceable"),
        ("Lettuce", "sliceable"),
        ("Potato", "sliceable"),
        ("Tomato", "sliceable"),
        ("Cup", "fillable"),
        ("Bowl", "fillable"),
        ("Pot", "fillable"),
        ("Plate", "dirtyable"),
        ("Fork", "dirtyable"),
        ("Candle", "toggleable"),
        ("CellPhone", "toggleable"),
        ("Monitor", "toggleable"),
        ("Flashlight", "toggleable"),
        ("RiceCooker", "openable"),
        ("Cup", "heatable"),
        ("Tomato", "coolable"),
    ],
)
def test_things_can_do_what_is_asked_of_them(name: str, ability: str) -> None:
    assert ability in variant(name, 0).abilities


def test_football_has_twelve_pentagons_worth_of_dark_and_the_board_says_its_word() -> None:
    dark = patches(colour("white"), colour("black")).pixels.max(axis=2) < 60
    latitude = (0.5 - (np.arange(256) + 0.5) / 256) * np.pi
    share = (dark * np.cos(latitude)[:, None]).sum() / (np.cos(latitude).sum() * dark.shape[1])
    # Twelve pentagons cover 28.4 % of a truncated icosahedron; its seams take a little of that.
    assert 0.20 < share < 0.29
    word, blank = (written_board(text, (0.1, 0.1, 0.1)).pixels for text in ("CVPR", ""))
    assert (word[:150].min(axis=2) < 90).mean() > 0.05
    assert not (blank[:150].min(axis=2) < 90).any()


def test_dish_thinner_than_its_base_is_deep_still_has_a_rim() -> None:
    dish = vessel([(0.045, 0.0), (0.056, 0.012)], 0.003, 0.010)
    assert dish.is_closed()
    assert dish.bounds_m[1][2] > 0.012


@pytest.mark.parametrize("name", [name for name, kind in catalogue().items() if kind.placement == "small"])
def test_every_variant_that_houses_draw_keeps_its_bounds(name: str) -> None:
    for seed in range(2, 12):
        asset = variant(name, seed)
        assert asset.bounds_m[0][2] == pytest.approx(0.0, abs=0.001)
        assert asset.mass_kg < 5.0 or "pickupable" not in asset.abilities
        assert sum(len(part.mesh.faces) for part in asset.parts if PLAIN.shows(part.when)) < 5000
