"""Navigation episodes: start, goal and shortest length, drawn from a house and a seed, always the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.core.identity import derive_seed
from pentathlon.worlds.houses.bodies.navigator import Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.scene.kept_scenes import open_house
from pentathlon.worlds.houses.tasks.goals import Goal, PlaceGoal, TypeGoal
from pentathlon.worlds.houses.ways.navigation import RADIUS_M

TaskName = Literal["objectnav", "imagenav", "pointnav"]
TASK_NAMES: tuple[TaskName, ...] = get_args(TaskName)
IMAGE_WITHIN_M = 1.0
POINT_WITHIN_M = 2 * RADIUS_M
SHORTEST_M = 1.0
LONGEST_M = 30.0
ATTEMPTS = 200


@dataclass(frozen=True)
class Episode:
    """One episode.

    Attributes:
        task: ``objectnav``, ``imagenav`` or ``pointnav``.
        house: name of the house.
        seed: with the house it gives everything else.
        start: where the navigator begins.
        target: the object type, or the pose to find.
        length_m: of the straightened shortest way from the start to the nearest success place.
    """

    task: TaskName
    house: str
    seed: int
    start: Pose
    target: str | Pose
    length_m: float

    @property
    def id(self) -> str:
        """A name that no other episode has."""
        return f"{self.task}/{self.house}/{self.seed}"


class Course:
    """One house made ready for navigation: its navigator, its goals, its episodes.

    Args:
        house: where.
        settings: the navigator's.
        kept: whether the compiled house is kept on disk, some 40 MB, to be opened again.
    """

    def __init__(self, house: House, settings: NavigatorSettings | None = None, *, kept: bool = False) -> None:
        self.house = house
        self.navigator = Navigator(open_house(house) if kept else compile_house(house, switchable=False), settings)
        self._goals: dict[str, TypeGoal] = {}

    def close(self) -> None:
        """Frees the navigator's eyes."""
        self.navigator.close()

    def findable(self, types: Sequence[str]) -> tuple[str, ...]:
        """Returns those of the object types that can be seen within reach from somewhere one can walk to."""
        present = {item.type for item in self.house.objects}
        return tuple(name for name in types if name in present and self.type_goal(name).reachable)

    def type_goal(self, type_name: str) -> TypeGoal:
        """Returns the goal to find an object type; looking for its places takes a moment the first time."""
        if type_name not in self._goals:
            self._goals[type_name] = TypeGoal(self.navigator, type_name)
        return self._goals[type_name]

    def goal(self, episode: Episode) -> Goal:
        """Returns the goal of an episode."""
        if isinstance(episode.target, str):
            return self.type_goal(episode.target)
        within_m = IMAGE_WITHIN_M if episode.task == "imagenav" else POINT_WITHIN_M
        return PlaceGoal(self.navigator, (episode.target.x_m, episode.target.y_m), within_m)

    def draw(self, task: TaskName, seed: int, types: Sequence[str] = ()) -> Episode:
        """Draws an episode; the same house, task, seed and types give the same one.

        Raises:
            UsageError: when the house has no findable object of the types, or no two places far enough apart.
        """
        if task not in TASK_NAMES:
            raise UnknownIdError("navigation task", task, TASK_NAMES)
        rng = np.random.default_rng(derive_seed(f"{task}-v1", self.house.name, seed))
        findable = self.findable(types) if task == "objectnav" else ()
        if task == "objectnav" and not findable:
            raise UsageError(
                f"Expected a house with a reachable {' or '.join(types)}, got {self.house.name!r} without. "
                "Choose another house or other types."
            )
        for _ in range(ATTEMPTS):
            target = findable[int(rng.integers(len(findable)))] if findable else self._pose(rng)
            episode = Episode(task, self.house.name, seed, self._pose(rng), target, 0.0)
            start = episode.start
            length_m = self.goal(episode).length_m(start.x_m, start.y_m)
            if SHORTEST_M <= length_m <= LONGEST_M:
                return Episode(task, self.house.name, seed, start, target, length_m)
        raise UsageError(
            f"Expected a house with places at least {SHORTEST_M} m from a goal, got none in {ATTEMPTS} attempts in "
            f"{self.house.name!r}. Choose a larger house."
        )

    def _pose(self, rng: np.random.Generator) -> Pose:
        return Pose(*self.navigator.ways.random_place(rng), 30.0 * int(rng.integers(12)))
