"""Runs one trial of find: an agent walks through a house until it stops or has no steps left."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from pentathlon.core import Briefing, EntrantError, Outcome
from pentathlon.core.entrants import Agent
from pentathlon.events.find.episodes.records import FindEpisode
from pentathlon.events.find.metrics import action_success, failure_class, spl
from pentathlon.events.find.protocol import ACTIONS, PRIVILEGED, FindProtocol, episode_seed
from pentathlon.worlds.houses.bodies.navigator import Action, Navigator, Pose, Sight
from pentathlon.worlds.houses.tasks.agents import Oracle
from pentathlon.worlds.houses.tasks.goals import InstanceGoal

LETTERS = {"MoveAhead": "m", "RotateLeft": "l", "RotateRight": "r", "LookUp": "u", "LookDown": "d", "Stop": "s"}
"""How a record spells the actions taken."""


class Moment(NamedTuple):
    """One step of a trial, for films: what was seen, from where, what was done, and what the agent tells of itself."""

    sight: Sight
    pose: Pose
    action: Action
    insight: Any


@dataclass
class Log:
    """What a trial leaves behind, step by step."""

    poses: list[Pose]
    actions: list[Action] = field(default_factory=list)
    blocked: list[bool] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)
    seen_step: int | None = None

    @property
    def stopped(self) -> bool:
        """Whether the agent ended the trial itself."""
        return bool(self.actions) and self.actions[-1] == "Stop"


def run_trial(
    navigator: Navigator,
    goal: InstanceGoal,
    episode: FindEpisode,
    agent: Agent,
    protocol: FindProtocol,
    watch: Callable[[Moment], None] | None = None,
) -> Outcome:
    """Lets the agent search for ``protocol.steps`` actions and judges its Stop.

    Raises:
        EntrantError: when it gives an action that is none, or takes too long for one.
    """
    started = time.perf_counter()
    start = episode.start
    navigator.place(Pose(start.x_m, start.y_m, start.yaw_deg), seed=episode_seed(episode))
    agent.reset(briefing(episode, protocol))
    log = _walk(navigator, goal, agent, protocol, watch)
    success = log.stopped and goal.reached(navigator.pose)
    metrics = {
        "success": float(success),
        "spl": spl(success, episode.length_m, navigator.travelled_m),
        "action_success": action_success(log.blocked),
        "travelled_m": navigator.travelled_m,
    }
    return Outcome(
        trial=episode.id,
        metrics=metrics,
        cluster=episode.house,
        seed=episode_seed(episode),
        steps=len(log.actions),
        wall_time_s=time.perf_counter() - started,
        details={**_details(episode, log, success), "privileged": _privileged(agent)},
    )


def briefing(episode: FindEpisode, protocol: FindProtocol) -> Briefing:
    """What the agent is told: the description, and the body it has."""
    facts = {
        "category": episode.category,
        "capability": protocol.capability,
        "camera_height_m": protocol.camera_height_m,
        "fovy_deg": protocol.fovy_deg,
        "step_m": protocol.step_m,
        "turn_deg": protocol.turn_deg,
        "steps": protocol.steps,
    }
    return Briefing(episode.description, episode_seed(episode), facts)


def _walk(
    navigator: Navigator,
    goal: InstanceGoal,
    agent: Agent,
    protocol: FindProtocol,
    watch: Callable[[Moment], None] | None,
) -> Log:
    log, oracle = Log([navigator.pose]), Oracle(navigator, goal)
    wanted = {array.name for array in agent.spec.observations}
    while len(log.actions) < protocol.steps and not log.stopped:
        sight, pose = navigator.look(), navigator.pose
        if log.seen_step is None and bool((_mask(sight, goal)).any()):
            log.seen_step = len(log.actions)
        action = _ask(agent, _observed(wanted, sight, navigator, goal, oracle), protocol, len(log.actions))
        navigator.act(action)
        log.actions.append(action)
        log.poses.append(navigator.pose)
        if action != "Stop":
            log.blocked.append(navigator.collided)
        insight = getattr(agent, "insight", None)
        log.phases.append(phase_of(insight))
        if watch is not None:
            watch(Moment(sight, pose, action, insight))
    return log


def _observed(
    wanted: set[str], sight: Sight, navigator: Navigator, goal: InstanceGoal, oracle: Oracle
) -> dict[str, Any]:
    """Makes what the agent's spec names, and nothing else."""
    makers: dict[str, Callable[[], Any]] = {
        "rgb": lambda: sight.rgb,
        "depth_m": lambda: sight.depth_m,
        "bumped": lambda: np.bool_(navigator.collided),
        "true_mask": lambda: _mask(sight, goal).astype(np.uint8),
        "true_action": lambda: np.int64(ACTIONS.index(oracle.next_action())),
        "true_pose": lambda: _relative(navigator),
    }
    return {name: make() for name, make in makers.items() if name in wanted}


def _mask(sight: Sight, goal: InstanceGoal) -> np.ndarray[Any, np.dtype[np.bool_]]:
    assert sight.object_index is not None
    return np.asarray(sight.object_index == goal.index)


def _relative(navigator: Navigator) -> np.ndarray[Any, np.dtype[np.float32]]:
    ahead_m, left_m = navigator.gps_m
    return np.array([ahead_m, left_m, math.degrees(navigator.compass_rad), navigator.pose.pitch_deg], np.float32)


def _ask(agent: Agent, observation: Mapping[str, Any], protocol: FindProtocol, step: int) -> Action:
    began = time.monotonic()
    given = agent.act(observation)
    took_s = time.monotonic() - began
    if took_s > protocol.act_limit_s:
        raise EntrantError(
            f"Expected an action within {protocol.act_limit_s:.0f} s, got it after {took_s:.0f} s at step {step}."
        )
    return checked_action(given, step)


def checked_action(given: Any, step: int) -> Action:
    """Returns the action that an agent gave as a label or as its place among them.

    Raises:
        EntrantError: when it is none.
    """
    label = given if isinstance(given, str) else None
    if isinstance(given, int | np.integer) and not isinstance(given, bool) and 0 <= given < len(ACTIONS):
        label = ACTIONS[int(given)]
    for action in ACTIONS:
        if action == label:
            return action
    raise EntrantError(f"Expected one of {', '.join(ACTIONS)}, or its place among them, got {given!r} at step {step}.")


def phase_of(insight: Any) -> str:
    """Returns what an agent says that it is doing; empty where it does not say."""
    found = insight.get("phase") if isinstance(insight, Mapping) else getattr(insight, "phase", None)
    return found if isinstance(found, str) else ""


def _privileged(agent: Agent) -> list[str]:
    wanted = {array.name for array in agent.spec.observations}
    return [name for name in PRIVILEGED if name in wanted]


def _details(episode: FindEpisode, log: Log, success: bool) -> dict[str, Any]:
    return {
        "description": episode.description,
        "category": episode.category,
        "target": episode.target,
        "length_m": episode.length_m,
        "failure": failure_class(success=success, stopped=log.stopped, seen=log.seen_step is not None),
        "seen_step": log.seen_step,
        "actions": "".join(LETTERS[action] for action in log.actions),
        "blocked": "".join("x" if blocked else "." for blocked in log.blocked),
        "phases": [[phase, len(list(steps))] for phase, steps in groupby(log.phases)],
        "path": [[round(pose.x_m, 3), round(pose.y_m, 3), round(pose.yaw_deg, 1)] for pose in log.poses],
    }
