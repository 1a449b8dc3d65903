"""The protocol of see's three house tasks: everything that changes a number, for three tiers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from pentathlon.core import TaskId, Tier, UnknownIdError, check_tier, derive_seed
from pentathlon.learning.recurrent.recipe import RecurrentRecipe

HouseTaskName = Literal["imagenav", "objectnav", "mobilepick"]
HOUSE_TASKS: tuple[HouseTaskName, ...] = get_args(HouseTaskName)
SEEDS = (100, 200, 300)


@dataclass(frozen=True)
class HouseProtocol:
    """How a representation is tested on one house task.

    Attributes:
        name: `imagenav`, whose policy was trained by reinforcement; `objectnav` and `mobilepick`, cloned here from so
            many `demonstrations` in `taught_houses` of the train split, and in further ones where those have too few.
        steps: of an episode, at most.
        tested_houses: of the validation split, which no demonstration shows.
        episodes: per tested house.
        seeds: of cloning; an ImageNav policy is there already, and its seed chooses its actions.
        size_px: of the square pictures.
    """

    name: HouseTaskName
    tier: Tier
    demonstrations: int
    taught_houses: int
    steps: int
    tested_houses: int
    episodes: int
    seeds: tuple[int, ...]
    recipe: RecurrentRecipe
    size_px: int = 128
    renderer: Literal["raycast"] = "raycast"
    render_setting: str = "fast-v1"
    teacher: str = "script-v1"

    @property
    def task_id(self) -> str:
        """The versioned id."""
        return str(TaskId("see", self.name, self.tier))

    def trial(self, seed: int, house: int, episode: int) -> str:
        """Names an episode of a training seed."""
        return f"seed-{seed}-house-{house:02d}-episode-{episode:02d}"

    def episode_seed(self, house: int, episode: int) -> int:
        """The same for every entrant and every training seed, so that runs compare in pairs."""
        return derive_seed(self.name, "evaluation", house, episode) % 2**31


def place_of(trial: str) -> tuple[int, int]:
    """Returns house and episode of a trial, by its name."""
    house, episode = trial.split("-house-")[1].split("-episode-")
    return int(house), int(episode)


_FULL = {
    # CortexBench: 1,000 steps, 14 houses of 300 episodes.
    "imagenav": HouseProtocol("imagenav", "full", 0, 0, 1000, 14, 30, SEEDS[:1], RecurrentRecipe()),
    # CortexBench: 77,000 demonstrations in 80 houses, 500 steps, 20 houses.
    "objectnav": HouseProtocol("objectnav", "full", 400, 80, 500, 20, 10, SEEDS, RecurrentRecipe()),
    # The second script has the arm of today's houses, which feels more of what it touches.
    "mobilepick": HouseProtocol(
        "mobilepick", "full", 200, 40, 80, 20, 5, SEEDS, RecurrentRecipe(), teacher="script-v2"
    ),
}
_LITE = {
    "imagenav": {"steps": 300, "tested_houses": 5, "episodes": 4},
    "objectnav": {"demonstrations": 40, "taught_houses": 10, "steps": 200, "tested_houses": 5, "episodes": 4},
    "mobilepick": {"demonstrations": 40, "taught_houses": 10, "steps": 60, "tested_houses": 5, "episodes": 3},
}
_SPRINT = {
    "imagenav": {"steps": 20, "tested_houses": 1, "episodes": 2},
    "objectnav": {"demonstrations": 2, "taught_houses": 1, "steps": 30, "tested_houses": 1, "episodes": 2},
    "mobilepick": {"demonstrations": 2, "taught_houses": 1, "steps": 30, "tested_houses": 1, "episodes": 2},
}


def make_house_protocol(name: HouseTaskName, tier: Tier) -> HouseProtocol:
    """Builds the protocol of a tier; what differs from CortexBench's is in docs/see.md."""
    check_tier(tier)
    if name not in HOUSE_TASKS:
        raise UnknownIdError("house task", name, HOUSE_TASKS)
    full = _FULL[name]
    if tier == "full":
        return full
    changes = _LITE[name] if tier == "lite" else _SPRINT[name]
    epochs = replace(full.recipe, epochs=60 if tier == "lite" else 10)
    return replace(full, tier=tier, seeds=SEEDS[:1], recipe=epochs, **changes)  # type: ignore[arg-type]


def rehearsal(protocol: HouseProtocol) -> HouseProtocol:
    """Shrinks a protocol to seconds."""
    return replace(
        protocol,
        demonstrations=min(protocol.demonstrations, 1),
        taught_houses=min(protocol.taught_houses, 1),
        steps=3,
        tested_houses=1,
        episodes=1,
        seeds=protocol.seeds[:1],
        recipe=replace(protocol.recipe, epochs=1),
        teacher="chance",
    )
