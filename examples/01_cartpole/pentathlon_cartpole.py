"""An event that joins Pentathlon from outside: a task, three agents, an option of ``run`` and a study.

Usage:
    pip install -e examples/01_cartpole
    pentathlon run example/cartpole-v1 --entrant cartpole-scripted
    pentathlon run example/cartpole-v1 --entrant pentathlon_cartpole:CrashingAgent
    pentathlon run example/cartpole-v1 --entrant cartpole-scripted --gravity 1.6
    pentathlon study example-gravity cartpole-scripted cartpole-random
    pentathlon standings

EVENT at the end is named as the entry point in pyproject.toml; that is all there is to registering.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pentathlon.core import (
    ArraySpec,
    Briefing,
    ChoiceSpec,
    EntrantEntry,
    EventCommand,
    EventEntry,
    EventOption,
    Heat,
    InteractionSpec,
    Metric,
    Origin,
    Outcome,
    Score,
    TaskEntry,
    Workspace,
    derive_seed,
)
from pentathlon.stats import score_outcomes
from pentathlon.storage import write_mp4

ACTIONS = ("left", "right")
VIDEO_EVERY = 10
SPEC = InteractionSpec(
    observations=(ArraySpec("state", (4,), "float32"),),
    action=ChoiceSpec(ACTIONS),
)


@dataclass(frozen=True)
class Protocol:
    """Everything that changes the numbers."""

    environment: str = "CartPole-v1"
    episodes: int = 20
    episodes_per_heat: int = 5
    horizon_steps: int = 500
    gravity_m_s2: float = 9.8


class CartPole:
    """Keep the pole up for 500 steps."""

    id = "example/cartpole-v1"
    kind = "agent"
    spec = SPEC
    metrics = (
        Metric("success", "success", scale=100, unit="%"),
        Metric("steps", "mean"),
    )

    def __init__(self, episodes: int = 20, gravity_m_s2: float = 9.8) -> None:
        self.protocol = Protocol(episodes=episodes, gravity_m_s2=gravity_m_s2)

    def heats(self) -> Sequence[Heat]:
        """Splits the episodes into heats of a few each."""
        size = self.protocol.episodes_per_heat
        trials = [f"episode-{index:03d}" for index in range(self.protocol.episodes)]
        return [self._heat(at // size, trials[at : at + size]) for at in range(0, len(trials), size)]

    def _heat(self, number: int, trials: Sequence[str]) -> Heat:
        origins = {trial: Origin(cluster=trial, seed=derive_seed(self.id, trial)) for trial in trials}
        return Heat(f"heat-{number}", tuple(trials), origins=origins)

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        """Plays each episode; an exception of the agent is recorded as that trial's error."""
        import gymnasium

        environment: Any = gymnasium.make(self.protocol.environment, render_mode="rgb_array")
        environment.unwrapped.gravity = self.protocol.gravity_m_s2
        for trial in heat.trials:
            yield self._play(environment, trial, heat.origins[trial].seed, entrant, workspace)
        environment.close()

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        """Success rate and mean steps, each with its interval."""
        return score_outcomes(self.metrics, outcomes)

    def _play(self, environment: Any, trial: str, seed: int, agent: Any, workspace: Workspace) -> Outcome:
        started = time.perf_counter()
        state, _ = environment.reset(seed=seed % 2**31)
        agent.reset(Briefing("Keep the pole up.", seed))
        film = workspace.videos and int(trial[-3:]) % VIDEO_EVERY == 0
        frames: list[Any] = []
        steps, fell = 0, False
        while steps < self.protocol.horizon_steps and not fell:
            action = ACTIONS.index(agent.act({"state": state}))
            state, _, fell, _, _ = environment.step(action)
            steps += 1
            if film and steps % 2:
                frames.append(environment.render())
        artifacts = {}
        if film:
            path = workspace.artifact(trial, "video.mp4")
            write_mp4(path, np.stack(frames), fps=25)
            artifacts["video"] = workspace.relative(path)
        return Outcome(
            trial=trial,
            metrics={"success": float(not fell), "steps": float(steps)},
            steps=steps,
            wall_time_s=time.perf_counter() - started,
            artifacts=artifacts,
        )


class ScriptedAgent:
    """Pushes the way the pole leans and turns, while drifting back to the centre."""

    spec = SPEC

    def reset(self, briefing: Briefing) -> None:
        """Keeps nothing between episodes."""

    def act(self, observation: Any) -> str:
        """Feeds the state back with fixed gains."""
        position, velocity, angle, turn = observation["state"]
        return "right" if 0.1 * position + 0.2 * velocity + 2.0 * angle + turn > 0 else "left"


class RandomAgent:
    """Pushes either way, with the episode's own generator."""

    spec = SPEC

    def reset(self, briefing: Briefing) -> None:
        """Seeds the generator."""
        self._random = np.random.default_rng(briefing.seed)

    def act(self, observation: Any) -> str:
        """Flips a coin."""
        return ACTIONS[self._random.integers(2)]


class CrashingAgent(RandomAgent):
    """Raises in every third episode, to show that an error costs one trial and not the run."""

    def act(self, observation: Any) -> str:
        """Crashes once the pole leans, in some episodes."""
        if self._crashes and abs(observation["state"][2]) > 0.05:
            raise RuntimeError("the pole leans too far for me")
        return super().act(observation)

    def reset(self, briefing: Briefing) -> None:
        """Decides whether this episode crashes."""
        super().reset(briefing)
        self._crashes = briefing.seed % 3 == 0


TASKS = (
    TaskEntry(
        "example/cartpole-v1",
        "Keep a pole up for 500 steps",
        "pentathlon_cartpole:CartPole",
        rehearsal={"episodes": 2},
    ),
)

ENTRANTS = tuple(
    EntrantEntry(id, "agent", summary, f"pentathlon_cartpole:{name}", sprint=sprint)
    for id, name, summary, sprint in (
        ("cartpole-scripted", "ScriptedAgent", "Balances by feedback", ("example",)),
        ("cartpole-random", "RandomAgent", "Flips a coin", ("example",)),
        ("cartpole-crashing", "CrashingAgent", "Raises in some episodes", ()),
    )
)

EVENT = EventEntry(
    "example",
    "can it keep a pole up?",
    tasks="pentathlon_cartpole:TASKS",
    entrants=("pentathlon_cartpole:ENTRANTS",),
    options=(EventOption("gravity", "Gravity in m/s²; the Earth's 9.8 when not given.", float, sets="gravity_m_s2"),),
    studies=(EventCommand("example-gravity", "pentathlon_cartpole_study:GravityStudy"),),
)
