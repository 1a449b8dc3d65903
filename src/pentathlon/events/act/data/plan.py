"""What a dataset of act holds, before anything is recorded: which episodes, of which kind, with how much noise."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, product

import numpy as np

from pentathlon.core import TIERS, Tier, UnknownIdError, check_tier, derive_seed
from pentathlon.events.act.protocol import IMAGE_SIZES, TASK_NAMES
from pentathlon.learning.policies.trajectories import Source
from pentathlon.worlds.tabletop.arm.robot import Setup, TaskName
from pentathlon.worlds.tabletop.bench.tables import containers, locations, materials
from pentathlon.worlds.tabletop.experts.styles import draw_style

SHARES: dict[TaskName, dict[Source, float]] = {
    "scoop": {"teleop": 0.41, "cloned": 0.33, "replay": 0.26},
    "pour": {"teleop": 0.99, "cloned": 0.0, "replay": 0.01},
}
"""Table I: how the paper's episodes were collected."""

EPISODES: dict[Tier, dict[TaskName, int]] = {
    "full": {"scoop": 1895, "pour": 1003},
    "lite": {"scoop": 180, "pour": 120},
    "sprint": {"scoop": 12, "pour": 12},
}
FRAME_EVERY_STEPS: dict[Tier, int] = {"full": 1, "lite": 3, "sprint": 10}

RIGHT_HANDED: dict[Tier, float] = {"full": 0.9, "lite": 0.9, "sprint": 1.0}
"""Of people, one in ten prefers the left hand; the sprint's few episodes come from one operator."""

DATA_VERSION = 1
"""Raised when bench, experts or eyes change what is recorded; datasets of other versions are made anew."""

MOST_NOISE_RAD: dict[TaskName, float] = {"scoop": 0.08, "pour": 0.05}
"""Greatest standard deviation of the noise on the joint targets of cloned and replayed episodes; each episode draws
its own below it. Chosen so that success rates match Table I, see docs/act.md."""


@dataclass(frozen=True)
class DataRecipe:
    """Everything that shapes a dataset.

    Attributes:
        frame_every: control steps per picture; the rows between hold the last one. Drawing is most of the work, and
            the bench changes little within a tenth of a second.
        most_noise_rad: of cloned and replayed episodes.
        right_handed: share of the operated episodes.
    """

    task: TaskName
    tier: Tier
    episodes: int
    image_size: tuple[int, int]
    frame_every: int
    most_noise_rad: float
    right_handed: float
    version: int = DATA_VERSION

    @property
    def name(self) -> str:
        """What people call the dataset, such as ``act/pour-lite``."""
        return f"act/{self.task}" + ("" if self.tier == "full" else f"-{self.tier}")


@dataclass(frozen=True)
class EpisodePlan:
    """How one episode is to be recorded.

    Attributes:
        index: place in the dataset.
        setup: what stands on the bench.
        style_seed: of the operator's habits or of the noise.
        noise_rad: standard deviation of the noise on joint targets.
        parent: the episode that is replayed.
    """

    index: int
    source: Source
    setup: Setup
    style_seed: int
    noise_rad: float = 0.0
    parent: int | None = None


def make_recipe(task: TaskName, tier: Tier) -> DataRecipe:
    """The recipe of a tier; ``full`` has the paper's counts."""
    if task not in TASK_NAMES:
        raise UnknownIdError("act task", task, TASK_NAMES)
    check_tier(tier)
    return DataRecipe(
        task=task,
        tier=tier,
        episodes=EPISODES[tier][task],
        image_size=IMAGE_SIZES[tier],
        frame_every=FRAME_EVERY_STEPS[tier],
        most_noise_rad=MOST_NOISE_RAD[task],
        right_handed=RIGHT_HANDED[tier],
    )


def recipe_names() -> dict[str, DataRecipe]:
    """All datasets by name."""
    recipes = [make_recipe(task, tier) for task, tier in product(TASK_NAMES, TIERS)]
    return {recipe.name: recipe for recipe in recipes}


def find_recipe(name: str) -> DataRecipe:
    """Finds a dataset's recipe by name."""
    recipes = recipe_names()
    if name not in recipes:
        raise UnknownIdError("act dataset", name, recipes)
    return recipes[name]


def plan_episodes(recipe: DataRecipe) -> tuple[EpisodePlan, ...]:
    """Lists the episodes: first the teleoperated ones, then those that are made from them.

    Containers, materials and locations of the training set are taken in turn in a shuffled order, so that any part
    of the list covers them evenly.
    """
    rng = np.random.default_rng(derive_seed("act-data", recipe.name))
    benches = list(
        product(
            (container.name for container in containers(recipe.task, training=True)),
            (material.name for material in materials(recipe.task, training=True)),
            (location.name for location in locations(training=True)),
        )
    )
    sources = _sources(recipe)
    order = np.concatenate([rng.permutation(len(benches)) for _ in range(-(-recipe.episodes // len(benches)))])
    operated = sources.count("teleop")
    plans: list[EpisodePlan] = []
    for index, source in enumerate(sources):
        container, material, location = benches[order[index]]
        parent = int(rng.integers(operated)) if source == "replay" else None
        if parent is not None:
            setup = plans[parent].setup
            container, material, location = setup.container, setup.material, setup.location
        plans.append(
            EpisodePlan(
                index=index,
                source=source,
                setup=Setup(recipe.task, container, material, location, _seed(recipe, "setup", index)),
                style_seed=_style_seed(recipe, index, right_handed=bool(rng.random() < recipe.right_handed)),
                noise_rad=0.0 if source == "teleop" else float(rng.uniform(0.0, recipe.most_noise_rad)),
                parent=parent,
            )
        )
    return tuple(plans)


def _sources(recipe: DataRecipe) -> list[Source]:
    if recipe.tier == "sprint":
        # Too few operated episodes to clone a policy at each location.
        return ["teleop"] * recipe.episodes
    shares = SHARES[recipe.task]
    cloned, replayed = round(recipe.episodes * shares["cloned"]), round(recipe.episodes * shares["replay"])
    counts: dict[Source, int] = {
        "teleop": recipe.episodes - cloned - replayed,
        "cloned": cloned,
        "replay": replayed,
    }
    return [source for source, count in counts.items() for _ in range(count)]


def _style_seed(recipe: DataRecipe, index: int, *, right_handed: bool) -> int:
    """The first seed of a sequence whose style has the wanted hand."""
    for attempt in count():
        seed = _seed(recipe, f"style {attempt}", index)
        if (draw_style(np.random.default_rng(seed)).side > 0) == right_handed:
            return seed
    raise AssertionError("the sequence does not end")


def _seed(recipe: DataRecipe, purpose: str, index: int) -> int:
    return derive_seed("act-data", recipe.task, purpose, index) % 2**31
