"""The single-action problem sets of a virtual home, with the paper's counts (Tables 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet, StepWords
from pentathlon.events.judge.films.home.recipe import MAKER, WORLD, clip_of, write_recipe
from pentathlon.events.judge.films.home.vocabulary import (
    APPLIANCES,
    SLICED_WORD,
    Action,
    Deed,
    step_words,
    type_of,
)
from pentathlon.worlds.houses.splits import Split

COUNTER_THINGS = (
    "apple", "banana", "bread", "tomato", "potato", "lettuce", "egg", "mug", "cup", "bowl", "plate", "fork", "spoon",
    "knife", "butter knife", "spatula", "ladle", "salt shaker", "pepper shaker", "kettle", "pan", "dish sponge",
    "soap bottle", "wine bottle", "jar", "drinking glass", "wine glass", "teapot", "soda can", "milk carton",
    "cereal box", "orange", "lemon", "carrot", "cheese", "donut", "pear", "cloth", "scissors", "watch",
)  # fmt: skip
TABLE_THINGS = (
    "book", "cell phone", "key chain", "pen", "remote control", "credit card", "bowl", "mug", "plate", "fork", "vase",
    "candle",
)  # fmt: skip
SOMEWHERE = (
    ("apple", "fridge"), ("mug", "cabinet"), ("fork", "drawer"), ("cloth", "shelf"), ("spoon", "sink"),
)  # fmt: skip
KNIFE_PLACES = (
    "counter top", "dining table", "side table", "shelf", "stove", "sink", "fridge", "microwave", "cabinet", "drawer",
)  # fmt: skip
FOODS = ("bread", "lettuce", "tomato", "potato", "apple")
MACHINES = tuple(APPLIANCES)
SMALL_THINGS = tuple(
    word
    for word in COUNTER_THINGS
    if word not in ("pan", "kettle", "teapot", "cereal box", "spatula", "ladle", "plate")
)
"""What lies beside a thing without taking its room."""

DISTRACTORS = 3
LITE_CLASSES, LITE_PER_CLASS = 6, 2
SPRINT_CLASSES, SPRINT_PER_CLASS = 3, 2
GROUPS = (
    "objects", "containers", "on_v_off", "sliced_v_whole", "heat", "cool", "clean", "slice", "pick_v_put", "toggle",
)  # fmt: skip


@dataclass(frozen=True)
class LevelOneSet:
    """A problem set before it is cast: its classes, and how many videos it has."""

    group: str
    name: str
    classes: tuple[Deed, ...]
    videos: int


def table() -> tuple[LevelOneSet, ...]:
    """Lists the problem sets of all groups, in the paper's order."""
    return tuple(_rows())


def plan_level_one(group: str, tier: Tier, split: Split = "test") -> tuple[ProblemSet, ...]:
    """Plans the problem sets of a group; smaller tiers have fewer classes, and fewer videos of each."""
    rows = [row for row in table() if row.group == group]
    if tier == "lite":
        rows = [_smaller(row, LITE_CLASSES, LITE_PER_CLASS) for row in rows]
    if tier == "sprint":
        rows = [_smaller(row, SPRINT_CLASSES, SPRINT_PER_CLASS) for row in rows[:1]]
    return tuple(_problem_set(row, split) for row in rows)


def _rows() -> Iterator[LevelOneSet]:
    yield LevelOneSet("objects", "counter_top", _picks(COUNTER_THINGS, "counter top"), 364)
    yield LevelOneSet("objects", "dining_table", _picks(TABLE_THINGS, "dining table"), 88)
    yield LevelOneSet("objects", "somewhere", tuple(Deed("pick up", *pair) for pair in SOMEWHERE), 50)
    yield LevelOneSet("containers", "key_chain", _puts("key chain", (*KNIFE_PLACES[:4], "drawer")), 49)
    yield LevelOneSet("containers", "butter_knife", _puts("butter knife", KNIFE_PLACES), 91)
    yield LevelOneSet("containers", "mug", _puts("mug", ("counter top", "microwave", "cabinet")), 22)
    yield LevelOneSet("containers", "soap_bar", _puts("soap bar", ("counter top", "sink", "cabinet")), 30)
    for food in FOODS:
        classes = Deed("pick up", food, "counter top"), Deed("pick up", SLICED_WORD + food, "counter top")
        yield LevelOneSet("sliced_v_whole", food, classes, 20)
    for machine in MACHINES:
        yield _pair("on_v_off", machine, Deed("observe on", machine), Deed("observe off", machine), 20)
        yield _pair("toggle", machine, Deed("turn on", machine), Deed("turn off", machine), 20)
    for thing in ("slice of bread", "slice of potato", "potato", "mug", "apple"):
        yield LevelOneSet(
            "heat", _name(thing), _ways(("heat", "visit", "peek", "dip", "store"), thing, "microwave"), 50
        )
    for thing in ("slice of tomato", "lettuce", "tomato", "egg", "slice of bread"):
        yield LevelOneSet("cool", _name(thing), _ways(("cool", "visit", "peek", "dip"), thing, "fridge"), 40)
    for thing in ("cloth", "cup", "apple", "egg", "fork"):
        yield LevelOneSet("clean", thing, _ways(("clean", "visit", "dip"), thing, "sink"), 30)
    for food in FOODS:
        yield _pair("slice", food, Deed("slice", food, "counter top"), Deed("spare", food, "counter top"), 20)
    pairs = (("pen", "drawer", 11), ("egg", "microwave", 20), ("cell phone", "side table", 19))
    for thing, where, videos in (*pairs, ("fork", "counter top", 15), ("salt shaker", "cabinet", 20)):
        name = f"{thing} {where}"
        yield _pair("pick_v_put", name, Deed("pick up", thing, where), Deed("put", thing, where), videos)


def _picks(things: Sequence[str], where: str) -> tuple[Deed, ...]:
    return tuple(Deed("pick up", thing, where) for thing in things)


def _puts(thing: str, places: Sequence[str]) -> tuple[Deed, ...]:
    return tuple(Deed("put", thing, where) for where in places)


def _ways(actions: Sequence[Action], thing: str, where: str) -> tuple[Deed, ...]:
    return tuple(Deed(action, thing, where) for action in actions)


def _pair(group: str, name: str, first: Deed, second: Deed, videos: int) -> LevelOneSet:
    return LevelOneSet(group, _name(name), (first, second), videos)


def _name(words: str) -> str:
    return words.replace(" ", "_")


def _smaller(row: LevelOneSet, classes: int, per_class: int) -> LevelOneSet:
    kept = row.classes[:classes]
    return LevelOneSet(row.group, row.name, kept, min(row.videos, per_class * len(kept)))


def _problem_set(row: LevelOneSet, split: Split) -> ProblemSet:
    labels = {f"label_{i}": deed for i, deed in enumerate(row.classes)}
    words: dict[str, tuple[StepWords, ...]] = {label: (step_words(deed),) for label, deed in labels.items()}
    clips = tuple(_clip(row, split, number) for number in range(row.videos))
    return ProblemSet(
        id=f"virtual-home/level_1/{row.group}/{row.name}",
        environment=WORLD,
        level=1,
        group=row.group,
        descriptions={label: describe(steps) for label, steps in words.items()},
        clips=clips,
        split=split,
        steps=words,
        maker=MAKER,
    )


def _clip(row: LevelOneSet, split: Split, number: int) -> Clip:
    """Classes take turns; the number of a video of its class names its kitchen, which all classes share."""
    index, turn = number % len(row.classes), number // len(row.classes)
    deed = row.classes[index]
    seed = derive_seed("level one", split, row.group, row.name, turn, 0) % 2**31
    cast = (
        {type_of(one.object) for one in row.classes if one.object not in APPLIANCES} if len(row.classes) < 6 else set()
    )
    things = cast | _distractors(row, deed, seed)
    on = (deed.object,) if deed.action == "observe on" else ()
    cut = (deed.object.removeprefix(SLICED_WORD),) if deed.object.startswith(SLICED_WORD) else ()
    recipe = write_recipe(split, seed, things, [deed], on=on, sliced=cut)
    return clip_of(recipe, (f"label_{index}",))


def _distractors(row: LevelOneSet, deed: Deed, seed: int) -> set[str]:
    """The thing itself with others beside it, a knife where one is used."""
    own = set() if deed.object in APPLIANCES else {type_of(deed.object)}
    knife = {"Knife"} if deed.action in ("slice", "spare") else set()
    others = [word for word in SMALL_THINGS if type_of(word) not in own | knife]
    rng = np.random.default_rng(seed)
    drawn = {type_of(others[int(i)]) for i in rng.choice(len(others), DISTRACTORS, replace=False)}
    return own | knife | drawn
