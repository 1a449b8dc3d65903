"""A team of navigators on a device: one call moves all of them, and says what they sense and how they are rewarded."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.bodies.navigator import NavigatorSettings
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.sights import refuse_other_rules
from pentathlon.worlds.houses.tasks.episodes import IMAGE_WITHIN_M, LONGEST_M, POINT_WITHIN_M
from pentathlon.worlds.rendering.cameras import camera_window
from pentathlon.worlds.rendering.gpu.batch import BatchEyes, Pictures
from pentathlon.worlds.rendering.kernels.arrays import CAMERA_FLOATS
from pentathlon.worlds.rendering.settings import find_setting

AGENT: Final = np.dtype(
    [
        *((name, "<f8") for name in ("x", "y", "yaw", "pitch", "start_x", "start_y", "start_yaw")),
        *((name, "<f8") for name in ("distance", "length", "travelled")),
        *((name, "<i4") for name in ("floor", "goal", "steps", "episode", "collisions", "collided")),
        *((name, "<u4") for name in ("noise", "pad")),
    ]
)
RULES: Final = np.dtype(
    [
        *((name, "<f8") for name in ("step_m", "turn_deg", "look_deg", "most_look_deg", "within_m", "camera_m")),
        *((name, "<f8") for name in ("facing", "longest_m")),
        ("window", "<f8", 4),
        *((name, "<i4") for name in ("step_limit", "noisy", "stops_itself", "slides")),
        *((name, "<u4") for name in ("seed", "patient")),
    ]
)
SENSES: Final = 5  # metres ahead and left of the start, turn since, distance and direction of the goal
STOPPED, OUT_OF_STEPS, SUCCEEDED = 1, 2, 4  # bits of `ends`
_BLOCK: Final = 64


@dataclass(frozen=True)
class TeamRules:
    """How a team moves, sees and ends.

    Attributes:
        settings: the navigator's; `renderer` is not read.
        within_m: how near to the goal's place, or to a point of a thing, Stop succeeds: 1 m as in ImageNav and
            ObjectNav, 0.36 m as in PointNav.
        step_limit: of an episode.
        stops_itself: whether an episode succeeds as soon as Stop would, without it: an easier task, to begin with.
        patient: whether a false Stop is passed over, where it would end the episode: an easier task, too.
        facing: weight of a reward for looking where the goal's picture was taken: for turning there when near, and for
            less than 25 degrees off at success (Al-Halah et al. 2022, as CortexBench trains).
        longest_m: of the way from a start to its goal, where one so short is found.
        seed: of starts and goals.
        scattered: whether first episodes begin with a random count of steps, so that not all end at once.
    """

    settings: NavigatorSettings = NavigatorSettings()  # noqa: RUF009 (it is frozen)
    within_m: float = IMAGE_WITHIN_M
    step_limit: int = 500
    stops_itself: bool = False
    patient: bool = False
    facing: float = 0.0
    longest_m: float = LONGEST_M
    seed: int = 0
    scattered: bool = True

    def __post_init__(self) -> None:
        if self.step_limit < 1:
            raise UsageError(f"Expected a step_limit of at least 1, got {self.step_limit}.")


class Team:
    """N navigators, spread evenly over the houses of a set in the order of their numbers.

    Attributes:
        agents: uint8 [N, AGENT.itemsize], the state; `read` makes an array of it.
        cameras: float32 [N, 17].
        scene_of: int32 [N].
        senses: float32 [N, SENSES].
        goal_rows: int32 [N], each agent's goal among `houses.goal_poses`, or among `houses.kinds` where there are any.
        reward: float32 [N].
        ends: uint8 [N], bits STOPPED, OUT_OF_STEPS and SUCCEEDED of an episode that ended with the last step; the next
            one has begun.
        finished: uint8 [N, AGENT.itemsize], the last state of the last episode that ended.
        rules_row: the rules as kernels read them.
        sines: cosines and sines of whole degrees, as kernels read them.
    """

    def __init__(self, houses: HouseSet, count: int, rules: TeamRules | None = None) -> None:
        if count < 1 or not houses.numbers:
            raise UsageError(f"Expected agents and houses for them, got {count} and {len(houses.numbers)}.")
        self.houses, self.rules = houses, rules or TeamRules()
        device = houses.device
        self.agents = _bytes_of(np.zeros(count, AGENT)).to(device)
        self.scene_of = torch.zeros(count, dtype=torch.int32, device=device)
        self.spread()
        self.cameras = torch.zeros(count, CAMERA_FLOATS, device=device)
        self.senses = torch.zeros(count, SENSES, device=device)
        self.goal_rows = torch.zeros(count, dtype=torch.int32, device=device)
        self.reward = torch.zeros(count, device=device)
        self.ends = torch.zeros(count, dtype=torch.uint8, device=device)
        self.finished = torch.zeros_like(self.agents)
        self.rules_row = _bytes_of(_rules_row(self.rules)).to(device)
        degrees = [math.radians(degree) for degree in range(360)]
        table = [*map(math.cos, degrees), *map(math.sin, degrees)]
        self.sines = torch.tensor(table, dtype=torch.float64, device=device)
        if houses.sights is not None:
            settings = self.rules.settings
            refuse_other_rules(houses.sights, self.rules.within_m, settings.camera_height_m, self.rules.facing)
        self._sighted = None if houses.sights is None else torch.zeros(count, dtype=torch.uint8, device=device)
        self._eyes = BatchEyes(houses.table, find_setting(self.rules.settings.setting))

    def __len__(self) -> int:
        return len(self.agents)

    def spread(self) -> None:
        """Spreads the agents evenly over the houses that are here now; `begin` must follow."""
        numbers = np.array(self.houses.numbers, np.int32)
        agents = np.zeros(len(self), AGENT)
        agents["floor"] = numbers[np.arange(len(self)) * len(numbers) // len(self)]
        self.write(agents)
        self.scene_of.copy_(torch.from_numpy(agents["floor"].copy()))

    def begin(self, seed: int | None = None) -> None:
        """Begins new episodes for all, with another seed if one is given."""
        if seed is not None:
            self.follow(replace(self.rules, seed=seed))
        state = self.read(self.agents)
        fresh = np.zeros(len(state), AGENT)
        fresh["floor"] = state["floor"]
        self.write(fresh)
        self._launch(None)
        if self.rules.scattered:
            state = self.read(self.agents)
            state["steps"] = np.random.default_rng(self.rules.seed).integers(self.rules.step_limit, size=len(state))
            self.write(state)

    def follow(self, rules: TeamRules) -> None:
        """Follows other rules from the next action on; pictures keep their size."""
        self.rules = replace(rules, settings=replace(rules.settings, size_px=self.rules.settings.size_px))
        self.rules_row.copy_(_bytes_of(_rules_row(self.rules)))

    def act(self, actions: torch.Tensor) -> None:
        """Carries out one action of each agent, a number into `ACTIONS`, as int64 [N]."""
        if actions.dtype != torch.int64 or actions.shape != (len(self),):
            raise UsageError(f"Expected int64 actions [{len(self)}], got {actions.dtype} {list(actions.shape)}.")
        self._launch(actions)

    def look(self, out: Pictures | None = None) -> Pictures:
        """Returns what the agents see."""
        return self._eyes.render(self.cameras, self.scene_of, self.rules.settings.size_px, out)

    def look_at_goals(self) -> Pictures:
        """Returns what is seen from the goals' poses, in the order of `houses.goal_poses`."""
        if self.houses.kinds:
            raise UsageError(
                "Expected houses whose goals are places, got kinds of things, of which there are no pictures."
            )
        poses, device = self.houses.goal_poses, self.houses.device
        rows = torch.from_numpy(_camera_rows(poses, self.rules)).to(device)
        each = self.houses.goals_per_house
        present = np.repeat(np.isin(np.arange(len(poses) // each), self.houses.numbers), each)
        numbers = np.where(present, np.arange(len(poses)) // each, self.houses.numbers[0]).astype(np.int32)
        return self._eyes.render(rows, torch.from_numpy(numbers).to(device), self.rules.settings.size_px)

    def read(self, rows: torch.Tensor) -> npt.NDArray[np.void]:
        """Returns states as an array on the host."""
        found: npt.NDArray[np.void] = rows.cpu().numpy().reshape(-1).view(AGENT).copy()
        return found

    def write(self, state: npt.NDArray[np.void]) -> None:
        """Sets the state of all agents."""
        self.agents.copy_(_bytes_of(state))

    def _launch(self, actions: torch.Tensor | None) -> None:
        count, sights = len(self), self.houses.sights
        if actions is not None and sights is not None and self._sighted is not None:
            sights.find(self.houses.floors, self.agents, actions, (self.rules_row, self.sines, self._sighted))
        self.houses.code.launch(
            "act", (-(-count // _BLOCK),), _BLOCK,
            [self.houses.floors, self.agents, count, actions, self.rules_row, self.sines, self.cameras, self.senses,
             self.goal_rows, self.reward, self.ends, self.finished, self._sighted],
        )  # fmt: skip


def point_rules(**changes: Any) -> TeamRules:
    """Returns PointNav's rules."""
    return TeamRules(within_m=POINT_WITHIN_M, **changes)


def _bytes_of(rows: npt.NDArray[np.void]) -> torch.Tensor:
    return torch.from_numpy(np.frombuffer(rows.tobytes(), np.uint8).reshape(rows.size, -1).copy())


def _rules_row(rules: TeamRules) -> npt.NDArray[np.void]:
    settings, row = rules.settings, np.zeros(1, RULES)
    row["step_m"], row["turn_deg"], row["look_deg"] = settings.step_m, settings.turn_deg, settings.look_deg
    row["most_look_deg"], row["within_m"] = settings.most_look_deg, rules.within_m
    row["camera_m"], row["window"] = settings.camera_height_m, camera_window(settings.size_px, settings.fovy_deg)
    row["step_limit"], row["noisy"], row["stops_itself"] = rules.step_limit, settings.noisy, rules.stops_itself
    row["facing"], row["longest_m"] = rules.facing, rules.longest_m
    row["slides"], row["seed"], row["patient"] = settings.collisions == "slide", rules.seed, rules.patient
    return row


def _camera_rows(poses: npt.NDArray[np.float64], rules: TeamRules) -> npt.NDArray[np.float32]:
    """Returns the cameras of navigators that stand level at x, y and yaw in degrees."""
    yaw = np.radians(poses[:, 2])
    zero, one = np.zeros(len(poses)), np.ones(len(poses))
    window = np.tile(camera_window(rules.settings.size_px, rules.settings.fovy_deg), (len(poses), 1))
    columns = [
        poses[:, 0], poses[:, 1], rules.settings.camera_height_m * one, np.sin(yaw), -np.cos(yaw), zero,
        zero, zero, one, -np.cos(yaw), -np.sin(yaw), zero, *window.T, zero,
    ]  # fmt: skip
    return np.ascontiguousarray(np.stack(columns, axis=1), np.float32)
