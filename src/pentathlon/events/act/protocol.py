"""The protocol of act: everything that changes a number, for the three tiers of pouring and scooping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import product
from typing import Any, get_args

from pentathlon.core import TaskId, Tier, UnknownIdError, check_tier, derive_seed
from pentathlon.core.specs import InteractionSpec
from pentathlon.core.tiers import hidden_id
from pentathlon.worlds.tabletop.arm.robot import Setup, TaskName, interaction
from pentathlon.worlds.tabletop.bench.tables import containers, locations, materials

TASK_NAMES: tuple[TaskName, ...] = get_args(TaskName)

TRAINING_SEEDS = (0, 1, 2)
IMAGE_SIZES: dict[Tier, tuple[int, int]] = {"full": (480, 640), "lite": (240, 320), "sprint": (120, 160)}
HORIZON_STEPS: dict[TaskName, int] = {"pour": 450, "scoop": 600}
"""Longer than most demonstrations (324 and 495 steps on average), so that a slow policy can finish."""

SPRINT_HORIZON_STEPS = 330
SEEN_LOCATIONS = ("front_left", "front_centre", "front_right")
"""Of the six training locations, those that are evaluated."""


@dataclass(frozen=True)
class Trial:
    """One evaluation: what stands on the bench, and which training seed of the method acts.

    Attributes:
        id: unique within the task.
        setup: equal for all training seeds, so that they compare in pairs.
        training_seed: passed to the policy's ``for_seed`` where it has one.
        seen_location: whether demonstrations were given at this place.
    """

    id: str
    setup: Setup
    training_seed: int
    seen_location: bool

    @property
    def cluster(self) -> str:
        """What trials of different training seeds share."""
        return f"{self.setup.container}-{self.setup.location}"


@dataclass(frozen=True)
class ActProtocol:
    """How a policy is tested on one task (the paper's section III-D).

    Attributes:
        task: pour or scoop.
        containers: not in the training data.
        material: not in the training data.
        seen_locations: where demonstrations were given.
        unseen_locations: where none were given.
        training_seeds: of the method; a policy without ``for_seed`` is tested once for each all the same.
        image_size: height and width of what the camera gives, in pixels.
        horizon_steps: control periods of a trial; the grams are weighed at its end.
    """

    task: TaskName
    tier: Tier
    containers: tuple[str, ...]
    material: str
    seen_locations: tuple[str, ...]
    unseen_locations: tuple[str, ...]
    training_seeds: tuple[int, ...]
    image_size: tuple[int, int]
    horizon_steps: int
    renderer: str = "raycast"
    render_setting: str = "fast-v1"

    @property
    def task_id(self) -> str:
        """The versioned id."""
        return str(TaskId("act", self.task, self.tier))

    @property
    def spec(self) -> InteractionSpec:
        """What the bench offers and the action it takes."""
        return interaction(*self.image_size)

    def seed_of(self, container: str, location: str) -> int:
        """The seed of what stands on the bench; everybody can derive it, and plan a trial without looking."""
        return derive_seed("act", self.task, container, location) % 2**31

    def trials(self) -> tuple[Trial, ...]:
        """Lists all trials: seeds, then containers, then locations, the seen ones first."""
        return tuple(self._trials())

    def _trials(self) -> Iterator[Trial]:
        locations = self.seen_locations + self.unseen_locations
        for training_seed, container, location in product(self.training_seeds, self.containers, locations):
            yield Trial(
                id=f"seed-{training_seed}-{container}-{location}",
                setup=Setup(self.task, container, self.material, location, self.seed_of(container, location)),
                training_seed=training_seed,
                seen_location=location in self.seen_locations,
            )


@dataclass(frozen=True)
class HiddenActProtocol(ActProtocol):
    """The same trials with seeds that a server drew with a secret of its own.

    Attributes:
        seeds: by container and location, as ``cup-front_left``.
    """

    seeds: Mapping[str, int] = field(default_factory=dict)

    @property
    def task_id(self) -> str:
        """The versioned id of the variant."""
        return hidden_id(super().task_id)

    def seed_of(self, container: str, location: str) -> int:
        """The seed that was drawn."""
        return self.seeds[f"{container}-{location}"]


def draw_seeds(secret: str, task: TaskName, tier: Tier) -> dict[str, Any]:
    """Draws the seeds of a task's trials; who knows some of them learns nothing about the secret or the others.

    They have 53 bits, more than can be tried out to find the one under which a picture looks as it does, and no more
    than every reader of JSON keeps.
    """
    protocol = make_protocol(task, tier)
    pairs = product(protocol.containers, protocol.seen_locations + protocol.unseen_locations)
    return {
        "seeds": {
            f"{container}-{location}": derive_seed("hidden", secret, task, container, location) >> 10
            for container, location in pairs
        }
    }


def hide(protocol: ActProtocol, seeds: Mapping[str, int]) -> HiddenActProtocol:
    """Gives a protocol the seeds of :func:`draw_seeds`."""
    return HiddenActProtocol(**{each.name: getattr(protocol, each.name) for each in fields(protocol)}, seeds=seeds)


def make_protocol(task: TaskName, tier: Tier) -> ActProtocol:
    """Builds the protocol of a tier.

    ``full`` is the paper's: 2 containers, 1 material, 3 + 3 locations and 3 training seeds make 36 trials. ``lite``
    has the same trials seen with a smaller camera. ``sprint`` has one container and one seed: 6 trials.
    """
    if task not in TASK_NAMES:
        raise UnknownIdError("act task", task, TASK_NAMES)
    check_tier(tier)
    brief = tier == "sprint"
    unseen = tuple(container.name for container in containers(task, training=False))
    (material,) = materials(task, training=False)
    return ActProtocol(
        task=task,
        tier=tier,
        containers=unseen[:1] if brief else unseen,
        material=material.name,
        seen_locations=SEEN_LOCATIONS,
        unseen_locations=tuple(location.name for location in locations(training=False)),
        training_seeds=TRAINING_SEEDS[:1] if brief else TRAINING_SEEDS,
        image_size=IMAGE_SIZES[tier],
        horizon_steps=SPRINT_HORIZON_STEPS if brief else HORIZON_STEPS[task],
    )


def rehearsal(protocol: ActProtocol) -> ActProtocol:
    """Shrinks a protocol to seconds: the same code with a few steps, one container and one seed."""
    return replace(
        protocol,
        containers=protocol.containers[:1],
        seen_locations=protocol.seen_locations[:1],
        unseen_locations=protocol.unseen_locations[:1],
        training_seeds=protocol.training_seeds[:1],
        image_size=(24, 32),
        horizon_steps=6,
    )
