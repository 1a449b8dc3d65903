"""How far cloning gets on demonstrations of DMControl and relocate when the policy is given the state, not pictures.

    python bench/see_from_state.py --tasks dmcontrol-walker-walk --expert trained --disturbances 0 0.4

The recipe, the number of demonstrations and the rule that the best evaluation counts are the task's; the episodes are
not those of the event. A task on which the state itself does not help says more about its demonstrations than about
encoders.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from typing import Any, Literal

import numpy as np
import torch
import tyro

from pentathlon.core.numbers import interval
from pentathlon.events.see.data.demonstrations import record_attempt
from pentathlon.events.see.protocol import SeeProtocol, make_protocol
from pentathlon.learning.policies.cloning import ClonedPolicy, clone
from pentathlon.stats import mean_interval
from pentathlon.worlds.control.env import ControlEnv
from pentathlon.worlds.control.experts.dmcontrol_view import View
from pentathlon.worlds.control.experts.table import make_expert, make_planner
from pentathlon.worlds.control.physics import Array, Physics

FIRST_SEED = 10_000


@dataclass(frozen=True)
class Args:
    """What to measure."""

    tasks: tuple[str, ...] = tuple(f"dmcontrol-{name}" for name in ("walker-stand", "walker-walk", "finger-spin"))
    """Names of DMControl's tasks, or adroit-relocate."""
    tier: Literal["full", "lite"] = "lite"
    """Whose number and length of demonstrations, and whose recipe."""
    expert: Literal["trained", "planner"] = "trained"
    """Who demonstrates; tasks without a trained expert have only the planner."""
    disturbances: tuple[float, ...] = (0.0, 0.2, 0.4, 0.6)
    """Standard deviations of the noise on the actions while demonstrating."""


def main() -> None:
    """Prints a line for each task and disturbance."""
    args = tyro.cli(Args)
    torch.set_num_threads(1)
    for name in args.tasks:
        for disturbance in args.disturbances:
            protocol = make_protocol(name, args.tier)
            shown, scores = best_scores(protocol, args.expert, disturbance)
            low, high, _ = mean_interval(scores, bounds=(0.0, 100.0))
            cloned = f"{np.mean(scores):.1f} % {interval(low, high)} n={len(scores)}"
            print(f"{name} {args.expert} disturbed {disturbance}: shows {shown:.1f} %, cloned {cloned}", flush=True)


def best_scores(
    protocol: SeeProtocol, expert: Literal["trained", "planner"], disturbance: float
) -> tuple[float, list[float]]:
    """Mean score of the demonstrations, and the scores of the best evaluation of the first training seed."""
    environment = ControlEnv(protocol.task, images=False)
    physics: Any = environment.physics
    view = partial(relocate_view, physics) if protocol.task.key == "relocate" else View(physics)
    teacher = (make_planner if expert == "planner" else make_expert)(protocol.task, physics)
    attempts = (record_attempt(environment, episode, teacher, disturbance) for episode in count())
    good = (one for one in attempts if one.score >= 100.0 or protocol.task.suite == "dmcontrol")
    shown = list(islice(good, protocol.demonstrations))
    seen = []
    for demonstration in shown:
        environment.reset(seed=demonstration.seed)
        for state in demonstration.states:
            environment.set_physics_state(state)
            seen.append(view())
    inputs, actions = np.stack(seen).astype(np.float32), np.concatenate([one.actions for one in shown])
    evaluations = [
        [play(environment, view, epoch.policy, FIRST_SEED + number) for number in range(protocol.evaluation_episodes)]
        for epoch in clone(inputs, actions, protocol.recipe, protocol.seeds[0])
        if epoch.number % protocol.evaluate_every_epochs == 0
    ]
    return float(np.mean([one.score for one in shown])), max(evaluations, key=np.mean)


def relocate_view(physics: Physics) -> Array:
    """What the script of relocate sees: joints, and where palm, ball and goal are."""
    palm, ball, goal = (physics.sensor(name) for name in ("palm", "object", "goal"))
    return np.concatenate([physics.data.qpos[:30], palm - ball, goal - ball, ball])


def play(environment: ControlEnv, view: Callable[[], Array], policy: ClonedPolicy, seed: int) -> float:
    """The policy's score in one episode, in percent by the task's rule."""
    environment.reset(seed=seed)
    ended = False
    while not ended:
        action = policy.act(view()[None].astype(np.float32))[0]
        _, _, _, ended, _ = environment.step(np.clip(action, -1.0, 1.0))
    return environment.success()


if __name__ == "__main__":
    main()
