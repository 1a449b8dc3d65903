"""Speed of see on this machine, in one run: encoding, policy training, and rollouts together beside one at a time.

    python bench/see.py --task dmcontrol-reacher-easy --encoder random-vit-tiny --out see.json

The ways to roll out take turns, so that a busy machine slows them alike; each line gives the best round and the ratio
is the median over rounds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro

from pentathlon.core import resolve_entrant
from pentathlon.events.see.protocol import make_protocol
from pentathlon.events.see.rollouts import play
from pentathlon.events.see.trial import open_environment
from pentathlon.learning.policies.cloning import ClonedPolicy, clone
from pentathlon.models.encoders.crew import Crew
from pentathlon.storage.cpus import usable_cpus

FRAMES, ROUNDS = 32, 5


@dataclass(frozen=True)
class Bench:
    """What to measure.

    Attributes:
        steps: control steps of each episode.
        episodes: rolled out together.
    """

    task: str = "dmcontrol-reacher-easy"
    encoder: str = "random-vit-tiny"
    episodes: int = 10
    steps: int = 12
    threads: int = 0
    out: Path = Path("see.json")


def main() -> None:
    bench = tyro.cli(Bench)
    # What a worker process of a run has.
    torch.set_num_threads(1)
    encoder = resolve_entrant(bench.encoder).make()
    results = {
        "cores": usable_cpus(),
        "frames_encoded_per_s": encoding(bench, encoder),
        "policy_training_steps_per_s": training(bench, encoder.spec.dim),
        "evaluation_steps_per_s": rollouts(bench, encoder),
    }
    text = json.dumps(results, indent=1)
    bench.out.write_text(text)
    print(text)


def encoding(bench: Bench, encoder: Any) -> dict[str, float]:
    """Frames per second of demonstrations, by one thread and by a crew."""
    images = np.random.default_rng(0).integers(0, 256, (FRAMES, 256, 256, 3), dtype=np.uint8)
    with Crew(1) as one, Crew(bench.threads or None) as crew:
        ways = {"one thread": lambda: one.encode(encoder, images), "crew": lambda: crew.encode(encoder, images)}
        return compared(ways, FRAMES, ROUNDS)


def training(bench: Bench, dim: int) -> float:
    """Gradient steps per second of the paper's policy on fused features."""
    recipe = replace(make_protocol(bench.task, "lite").recipe, epochs=3)
    generator = np.random.default_rng(0)
    inputs, actions = (generator.normal(size=(20 * recipe.batch_size, n)).astype(np.float32) for n in (3 * dim, 4))
    started = time.perf_counter()
    for _ in clone(inputs, actions, recipe, seed=0):
        pass
    return round(20 * recipe.epochs / (time.perf_counter() - started), 1)


def rollouts(bench: Bench, encoder: Any) -> dict[str, float]:
    """Control steps per second, summed over episodes: one after the other, together, together in threads."""
    protocol = make_protocol(bench.task, "lite")
    protocol = replace(protocol, task=replace(protocol.task, horizon=bench.steps), evaluation_episodes=bench.episodes)
    seeds = protocol.episode_seeds
    with ExitStack() as stack:
        environments = [stack.enter_context(closing(open_environment(protocol))) for _ in seeds]
        one, crew = stack.enter_context(Crew(1)), stack.enter_context(Crew(bench.threads or None))
        inputs = encoder.spec.dim * protocol.task.frame_stack + protocol.task.proprio_size
        policy = ClonedPolicy(inputs, environments[0].physics.action_size, protocol.recipe)

        def alone() -> None:
            for environment, seed in zip(environments, seeds, strict=True):
                play([environment], [seed], encoder, policy, one)

        ways = {
            "one episode at a time": alone,
            "together": lambda: play(environments, seeds, encoder, policy, one),
            "together, crew": lambda: play(environments, seeds, encoder, policy, crew),
        }
        return compared(ways, bench.episodes * bench.steps, ROUNDS)


def compared(ways: dict[str, Callable[[], Any]], count: int, rounds: int) -> dict[str, float]:
    """Best rate of each way, and the median ratio of the last to the first."""
    times_s: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds + 1):
        for name, work in ways.items():
            started = time.perf_counter()
            work()
            times_s[name].append(time.perf_counter() - started)
    # The first round opens eyes and compiles.
    rates = {name: round(count / min(taken[1:]), 1) for name, taken in times_s.items()}
    first, last = (np.array(times_s[name][1:]) for name in (next(iter(ways)), list(ways)[-1]))
    return {**rates, "ratio": round(float(np.median(first / last)), 2)}


if __name__ == "__main__":
    main()
