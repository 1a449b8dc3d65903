"""How far cloning gets on a task's demonstrations when the policy is given the physics state instead of pictures.

    python bench/see_from_state.py --tasks dmcontrol-walker-stand dmcontrol-finger-spin --tier lite

The recipe, the number of demonstrations and the rule that the best evaluation counts are the task's; the episodes are
not those of the event. A task on which the state itself does not help says more about its demonstrations than about
encoders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
import tyro

from pentathlon.events.see.protocol import SeeProtocol, make_protocol
from pentathlon.learning.cloning import ClonedPolicy, clone
from pentathlon.stats import bootstrap_interval
from pentathlon.worlds.control.demos import make_demos
from pentathlon.worlds.control.env import ControlEnv

FIRST_SEED = 10_000
STATE_IS_ALL = ("walker-stand", "walker-walk", "cheetah-run", "finger-spin")


@dataclass(frozen=True)
class Args:
    """What to measure."""

    tasks: tuple[str, ...] = tuple(f"dmcontrol-{name}" for name in STATE_IS_ALL)
    """Names of control tasks whose goal does not change from episode to episode: goals are not part of the state."""
    tier: Literal["full", "lite"] = "lite"
    """Whose demonstrations and recipe."""


def main() -> None:
    """Prints a line for each task."""
    args = tyro.cli(Args)
    torch.set_num_threads(1)
    for name in args.tasks:
        scores = best_scores(make_protocol(name, args.tier))
        interval = bootstrap_interval(scores)
        print(f"{name}: {np.mean(scores):.1f} % [{interval.low:.1f}, {interval.high:.1f}] n={len(scores)}", flush=True)


def best_scores(protocol: SeeProtocol) -> list[float]:
    """Clones with the first training seed and returns the scores of the best evaluation."""
    environment = ControlEnv(protocol.task, images=False)
    demos = list(make_demos(protocol.task, protocol.demos))
    states = np.concatenate([demo.states for demo in demos]).astype(np.float32)
    inputs = np.concatenate([states, np.concatenate([demo.proprio for demo in demos])], axis=1).astype(np.float32)
    actions = np.concatenate([demo.actions for demo in demos])
    evaluations = [
        [play(environment, epoch.policy, FIRST_SEED + number) for number in range(protocol.evaluation_episodes)]
        for epoch in clone(inputs, actions, protocol.recipe, protocol.seeds[0])
        if epoch.number % protocol.evaluate_every_epochs == 0
    ]
    environment.close()
    return max(evaluations, key=np.mean)


def play(environment: ControlEnv, policy: ClonedPolicy, seed: int) -> float:
    """The policy's score in one episode, in percent by the task's rule."""
    environment.reset(seed=seed)
    ended = False
    while not ended:
        row = np.concatenate([environment.physics_state(), environment.proprio()])[None].astype(np.float32)
        _, _, _, ended, _ = environment.step(np.clip(policy.act(row)[0], -1.0, 1.0))
    return environment.success()


if __name__ == "__main__":
    main()
