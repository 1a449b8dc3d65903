"""The words of questions and answers: nouns of object types with their synonyms, rooms, colours and materials."""

from __future__ import annotations

import re
from functools import cache

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.house import ROOM_TYPES
from pentathlon.worlds.modelling.colours import COLOURS
from pentathlon.worlds.modelling.materials import MATERIAL_WORDS, MATERIALS

# What a catalogue calls otherwise: nouns that say more than the type, or that have no singular.
NOUNS: dict[str, str] = {
    "AluminumFoil": "roll of aluminium foil",
    "ArmChair": "armchair",
    "Blinds": "set of blinds",
    "Boots": "pair of boots",
    "Bread": "loaf of bread",
    "Broccoli": "head of broccoli",
    "Cheese": "piece of cheese",
    "CoatHooks": "row of coat hooks",
    "Curtains": "pair of curtains",
    "DrinkingGlass": "drinking glass",
    "ElectricGuitar": "electric guitar",
    "Headphones": "pair of headphones",
    "Lettuce": "head of lettuce",
    "PlasticCrate": "crate",
    "RubiksCube": "Rubik's cube",
    "Scissors": "pair of scissors",
    "Shoe": "pair of shoes",
    "Surfboard": "surfboard",
    "TVStand": "TV stand",
    "Tape": "roll of tape",
    "ToiletPaper": "roll of toilet paper",
    "ToothBrush": "toothbrush",
    "ToyAirplane": "toy airplane",
    "ToyBlocks": "set of toy blocks",
    "Tricycle": "tricycle",
    "WallClock": "wall clock",
    "Whiteboard": "whiteboard",
    "WickerBasket": "llama basket",
}
SYNONYMS: dict[str, tuple[str, ...]] = {
    "ArmChair": ("easy chair",),
    "BathroomSink": ("bathroom sink",),
    "CellPhone": ("mobile phone",),
    "CounterTop": ("countertop",),
    "Desktop": ("computer tower",),
    "Donut": ("doughnut",),
    "Drill": ("drill",),
    "Dresser": ("dresser",),
    "Faucet": ("tap",),
    "Flashlight": ("torch",),
    "Fridge": ("refrigerator",),
    "GarbageBag": ("garbage bag",),
    "GarbageCan": ("trash can",),
    "HousePlant": ("potted plant",),
    "LaundryHamper": ("laundry basket",),
    "Nightstand": ("bedside table",),
    "Pan": ("frying pan",),
    "PhotoFrame": ("picture frame",),
    "RangeHood": ("cooker hood",),
    "RemoteControl": ("remote",),
    "RoomDivider": ("room divider",),
    "Rug": ("carpet",),
    "ShowerCabin": ("shower cabin",),
    "Sofa": ("couch",),
    "Statue": ("sculpture",),
    "Television": ("TV",),
    "Watch": ("wristwatch",),
}
ROOMS: dict[str, str] = {name: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower() for name in ROOM_TYPES}
ADJECTIVES = MATERIAL_WORDS
"""Materials that questions name; that bread is food goes without saying."""
NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
PLURALS = {"knife": "knives", "shelf": "shelves", "computer mouse": "computer mice", "bookshelf": "bookshelves"}
PLURAL_OF_MEASURES = {"loaf": "loaves"}


@cache
def noun(type_name: str) -> str:
    """Returns what people call one thing of a type."""
    if type_name in NOUNS:
        return NOUNS[type_name]
    kind = catalogue().get(type_name)
    return kind.noun if kind is not None else re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type_name).lower()


def nouns(type_name: str) -> tuple[str, ...]:
    """Returns all words for one thing of a type, the usual one first."""
    return noun(type_name), *SYNONYMS.get(type_name, ())


def plural(word: str) -> str:
    """Returns the plural of a noun."""
    head, of, rest = word.partition(" of ")
    if of:
        return f"{PLURAL_OF_MEASURES.get(head, plural(head))}{of}{rest}"
    if word in PLURALS:
        return PLURALS[word]
    if re.search(r"(s|x|z|ch|sh)$", word):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}{'es' if word in ES else 's'}"


ES = frozenset({"potato", "tomato"})


def with_article(phrase: str) -> str:
    """A phrase with "a" or "an"."""
    return f"an {phrase}" if phrase[0] in "aeiou" else f"a {phrase}"


@cache
def is_kind_of(type_name: str, general: str) -> bool:
    """Tells whether things of a type may be called by the name of another, as a wine glass may be called a glass."""
    if type_name == general:
        return False
    return any(own.endswith(f" {name}") for own in nouns(type_name) for name in nouns(general)) or (
        general,
        type_name,
    ) in LOOSE | {pair[::-1] for pair in LOOSE}


LOOSE = frozenset({
    ("Cup", "Mug"), ("Cup", "DrinkingGlass"), ("Chair", "ArmChair"), ("Box", "CerealBox"), ("Cabinet", "WallCabinet"),
    ("SideTable", "Nightstand"), ("Sideboard", "TVStand"), ("Dresser", "Sideboard"), ("Bookcase", "ShelvingUnit"),
    ("Basket", "WickerBasket"), ("Basket", "LaundryHamper"), ("Painting", "Poster"), ("Painting", "PhotoFrame"),
    ("Towel", "HandTowel"), ("Towel", "Cloth"), ("HousePlant", "Cactus"), ("Shelf", "ShelvingUnit"), ("Rug", "DoorMat"),
    ("Rug", "BathMat"), ("Rug", "PlayMat"), ("StorageBox", "PlasticCrate"), ("TableLamp", "DeskLamp"),
    ("TableLamp", "LavaLamp"), ("CeilingLamp", "Chandelier"), ("Ottoman", "Footstool"), ("Stool", "Footstool"),
    ("Jar", "Bottle"), ("Vase", "FlowerPot"), ("CoffeeMachine", "EspressoMachine"), ("Monitor", "Television"),
    ("Sink", "KitchenSink"), ("Sink", "BathroomSink"), ("Kettle", "Teapot"), ("Football", "SoccerBall"),
    ("Boots", "Shoe"), ("Bookcase", "Cabinet"), ("Wardrobe", "Cabinet"), ("Desk", "ConsoleTable"),
})  # fmt: skip
"""Pairs of types that people call by one another's name."""


@cache
def words_of_things() -> dict[str, str]:
    """Returns the usual noun for every noun, singular and plural, that an answer may use, in lower case."""
    table: dict[str, str] = {}
    for type_name in catalogue():
        for word in nouns(type_name):
            usual = noun(type_name)
            table |= {form.lower(): usual for form in (word, plural(word), word.rpartition(" of ")[2])}
        table.setdefault(catalogue()[type_name].noun.lower(), noun(type_name))
    return table


@cache
def words_of_looks() -> dict[str, str]:
    """Returns the colour or material for every word, in lower case, that an answer may use."""
    table = {name: name for name in (*COLOURS, *MATERIALS)}
    table |= {adjective: name for name, adjective in ADJECTIVES.items()}
    return table | {"gray": "grey", "cloth": "fabric", "textile": "fabric", "porcelain": "ceramic", "golden": "gold"}
