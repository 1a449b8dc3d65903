"""A house with the arm agent in it, as explore plays it: actions by label, observations by name, and what was done."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.core import DataError, UsageError
from pentathlon.events.explore.perception import TruePerception
from pentathlon.events.explore.protocol import ExploreProtocol
from pentathlon.events.explore.questions.facts import SceneFacts
from pentathlon.worlds.houses.bodies.arm import ArmAgent, ArmSight, Result
from pentathlon.worlds.houses.bodies.arm_actions import ArmAction, ArmSettings
from pentathlon.worlds.houses.bodies.arm_model import MAST_TOP_M, RADIUS_M, ROOT
from pentathlon.worlds.houses.bodies.arm_motion import LIFT
from pentathlon.worlds.houses.bodies.arm_scene import compile_with_arm
from pentathlon.worlds.houses.bodies.arm_touch import grasp_target, nearest_handle
from pentathlon.worlds.houses.bodies.plans import Plans
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.ways.navigation import CELL_M, NavigationMap

START_TRIES = 200
NOTHING, SLIPS, HOLDS = 0, 1, 2
"""What the hand feels after an action."""


class Start(NamedTuple):
    """Where a phase begins."""

    x_m: float
    y_m: float
    yaw_deg: float


@dataclass
class Diary:
    """What happened in a phase, by step.

    Attributes:
        path: places, one for each step and the start.
        seen: first step at which an object was seen, by id.
        lifted: step and force in kgf, by id.
        opened: step, by id.
        coverage: share of the reachable floor after each step.
        blocked: how many actions had no effect.
    """

    path: list[Start] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    lifted: dict[str, tuple[int, float]] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)
    coverage: list[float] = field(default_factory=list)
    blocked: int = 0


class ExploreWorld:
    """One house of one trial."""

    def __init__(self, house: House, protocol: ExploreProtocol, facts: SceneFacts | None = None) -> None:
        size = (protocol.size_px, protocol.size_px)
        settings = ArmSettings(
            camera_height_m=protocol.camera_height_m, fovy_deg=protocol.fovy_deg, size_px=size, segmentation=True
        )
        self.house, self.protocol = house, protocol
        self.agent = ArmAgent(compile_with_arm(house), settings)
        scene, model = self.agent.scene.house_scene, self.agent.scene.model
        ignored = frozenset({int(model.body(ROOT).id)})
        self.ways = NavigationMap.of_scene(
            house, model, scene.new_data(), RADIUS_M + CELL_M / 2, MAST_TOP_M, ignored_bodies=ignored
        )
        self._reachable = self.ways.regions == self.ways.main_region
        self._least_px = max(1, round(protocol.seen_px * (protocol.size_px / 224) ** 2))
        self._perception = None if facts is None else TruePerception(scene, facts)
        self._plans = Plans(self.agent)
        self.diary = Diary()

    def draw_start(self, seed: int) -> Start:
        """Draws where phases begin: a free place of the main region, facing any of the agent's headings.

        Raises:
            DataError: when no place is free.
        """
        rng = np.random.default_rng(seed)
        for _ in range(START_TRIES):
            x_m, y_m = self.ways.random_place(rng)
            start = Start(x_m, y_m, float(15 * rng.integers(24)))
            try:
                self.agent.place(*start)
            except UsageError:
                continue
            return start
        raise DataError(f"Expected a free place for the arm agent in {self.house.name}, got none.")

    def enter(self, start: Start, *, blind: bool = False) -> None:
        """Begins a phase: everything is where it was at first; a ``blind`` agent's pictures are not made."""
        self._plans.forget()
        self.agent.place(*start)
        self.diary = Diary(path=[start])
        self._covered = np.zeros_like(self._reachable)
        self._result, self._touch = Result(True), NOTHING
        self._cover()
        self._blind = blind
        if not blind:
            self.look()

    def look(self) -> ArmSight:
        """Sees, and notes what is seen for the first time."""
        self.sight = self.agent.look()
        self._in_view = self._places_in_view()
        step = len(self.diary.actions)
        for place in self._in_view:
            self.diary.seen.setdefault(self.house.objects[place].id, step)
        return self.sight

    def act(self, label: str) -> Result:
        """Carries out an action by its label, and looks."""
        verb, _, force = label.partition(" ")
        handle = self._handle() if verb == "Open" else ""
        self._result = self.agent.act(_verb(verb), float(force or 0.0))
        self.diary.actions.append(label)
        self.diary.blocked += not self._result.ok
        self._feel(verb, float(force or 0.0), handle)
        if verb in ("MoveAhead", "MoveBack") and self._result.ok:
            self._cover()
        self.diary.path.append(Start(*self.agent.pose))
        self.diary.coverage.append(self.coverage)
        if not self._blind:
            self.look()
        return self._result

    def observe(self, wanted: Iterable[str]) -> dict[str, Any]:
        """Makes what an agent's spec names, and nothing else."""
        makers: dict[str, Callable[[], Any]] = {
            "rgb": lambda: self.sight.rgb,
            "depth_m": lambda: self.sight.depth_m,
            "acted": lambda: np.bool_(self._result.ok),
            "touch": lambda: np.int64(self._touch),
            "hand_m": self._hand_m,
            "posture": lambda: self.agent.motion.posture[LIFT:].astype(np.float32),
            "true_objects": lambda: self.sight.object_index,
            "true_pose": lambda: np.array([*self.agent.pose, self.agent.pitch_deg], np.float32),
            "true_sight": self._sightings,
            "true_hand": self._at_hand,
            "true_plans": lambda: self._plans,
        }
        return {name: makers[name]() for name in wanted if name in makers}

    @property
    def coverage(self) -> float:
        """Share of the reachable floor that lies near to where the agent has been."""
        return float(self._covered.sum() / max(1, self._reachable.sum()))

    @property
    def floor_m2(self) -> float:
        """Reachable floor."""
        return float(self._reachable.sum()) * CELL_M**2

    def close(self) -> None:
        """Frees the eyes."""
        self.agent.close()

    def _feel(self, verb: str, force_kgf: float, handle: str) -> None:
        step, held = len(self.diary.actions) - 1, self.agent.held
        slipped = verb == "Grasp" and not self._result.ok and " slips: " in self._result.reason
        self._touch = HOLDS if held is not None else SLIPS if slipped else NOTHING
        if verb == "Grasp" and self._result.ok and held is not None:
            self.diary.lifted.setdefault(held, (step, force_kgf))
        if verb == "Open" and self._result.ok and handle:
            self.diary.opened.setdefault(handle, step)

    def _handle(self) -> str:
        found = nearest_handle(self.agent.scene, self.agent.motion.data, self.agent.settings.handle_reach_m)
        return "" if found is None else found.owner

    def _places_in_view(self) -> list[int]:
        index = self.sight.object_index
        assert index is not None
        counts = np.bincount(index[index >= 0].ravel(), minlength=len(self.house.objects))
        return [int(place) for place in np.flatnonzero(counts >= self._least_px)]

    def _sightings(self) -> Any:
        if self._perception is None:
            raise DataError("Expected the house's facts for true perception, got a world without them.")
        return self._perception.sightings(self.agent.motion.data, self._in_view)

    def _at_hand(self) -> str:
        """The object that is held, or that a grasp would take hold of."""
        agent = self.agent
        if agent.held is not None:
            return agent.held
        return grasp_target(agent.scene, agent.motion.data, agent.settings.grasp_reach_m) or ""

    def _hand_m(self) -> npt.NDArray[np.float32]:
        x_m, y_m, yaw_deg = self.agent.pose
        dx, dy, z_m = self.agent.motion.grasp_point_m - np.array([x_m, y_m, 0.0])
        cosine, sine = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
        return np.array([dx * cosine + dy * sine, dy * cosine - dx * sine, z_m], np.float32)

    def _cover(self) -> None:
        x_m, y_m, _ = self.agent.pose
        xs, ys = self.ways.axes()
        near_x, near_y = (
            np.flatnonzero(np.abs(axis - at) <= self.protocol.cover_m) for axis, at in ((xs, x_m), (ys, y_m))
        )
        part = np.ix_(near_x, near_y)
        near = np.hypot(xs[near_x, None] - x_m, ys[None, near_y] - y_m) <= self.protocol.cover_m
        self._covered[part] |= near & self._reachable[part]


def _verb(word: str) -> ArmAction:
    return word  # type: ignore[return-value]
