"""Speed of the offline learners: training steps and calls of ``act`` per second, and nearest neighbours by a tree.

Run with ``python bench/offline.py``. Data are random, of the size of a tenth of TOTO's pouring set, with the settings
of the papers but for the number of steps.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np
import torch
from scipy.spatial import KDTree

from pentathlon.learning.policies import (
    LEARNERS,
    BcRecipe,
    DtRecipe,
    IqlRecipe,
    OfflinePolicy,
    OfflineRecipe,
    Training,
    Trajectory,
    VinnRecipe,
)
from pentathlon.learning.policies.chunks import bounds_of, chunk_starts
from pentathlon.learning.policies.vinn import VinnPolicy

TRAJECTORIES, LENGTH = 100, 324
CALLS = 300


@dataclass(frozen=True)
class Case:
    """One learner at one setting, trained for so many steps of gradient descent."""

    learner: str
    recipe: OfflineRecipe
    steps: int


def make_trajectories(embedding_size: int) -> list[Trajectory]:
    rng = np.random.default_rng(0)
    made = []
    for index in range(TRAJECTORIES):
        joints = np.cumsum(rng.normal(0.0, 0.01, (LENGTH, 7)), axis=0).astype(np.float32)
        rewards = np.zeros(LENGTH, np.float32)
        rewards[-1] = rng.uniform(1.0, 40.0)
        embeddings = rng.normal(size=(LENGTH, embedding_size)).astype(np.float32)
        made.append(Trajectory(str(index), joints, joints, rewards, "teleop", {}, embeddings))
    return made


def cases(data: list[Trajectory], steps: int) -> list[Case]:
    batches_per_epoch = -(-len(chunk_starts(bounds_of(data), 50)) // BcRecipe().batch_size)
    epochs = max(1, steps // batches_per_epoch)
    return [
        Case("bc", BcRecipe(epochs=epochs), epochs * batches_per_epoch),
        Case("vinn", VinnRecipe(), 0),
        Case("vinn", VinnRecipe(horizon=1), 0),
        Case("iql", IqlRecipe(steps=steps), steps),
        Case("dt", DtRecipe(steps=steps), steps),
    ]


def time_training(case: Case, data: list[Trajectory], device: str) -> tuple[OfflinePolicy, float]:
    started_s = time.perf_counter()
    policy = LEARNERS[case.learner].train(data, case.recipe, Training(0, device))
    return policy, time.perf_counter() - started_s


def time_calls(policy: OfflinePolicy, data: list[Trajectory]) -> tuple[float, float, int]:
    """Returns median and 95th percentile of a call in milliseconds, and the length of a chunk."""
    policy.reset()
    latencies_ms, horizon = [], 1
    for call in range(CALLS):
        trajectory = data[call % len(data)]
        assert trajectory.embeddings is not None
        started_s = time.perf_counter()
        horizon = len(policy.act(trajectory.joints[call], trajectory.embeddings[call]))
        latencies_ms.append(1000.0 * (time.perf_counter() - started_s))
    return float(np.median(latencies_ms)), float(np.percentile(latencies_ms, 95)), horizon


def compare_with_tree(policy: VinnPolicy, data: list[Trajectory]) -> None:
    keys = np.concatenate([trajectory.inputs for trajectory in data])[:, 7:]
    queries = keys[:: len(keys) // 30] + 0.1
    started_s = time.perf_counter()
    tree = KDTree(keys)
    built_s = time.perf_counter() - started_s
    started_s = time.perf_counter()
    by_tree = [tree.query(query, k=16)[1][0] for query in queries]
    tree_ms = 1000.0 * (time.perf_counter() - started_s) / len(queries)
    started_s = time.perf_counter()
    by_product = [policy.nearest(query, 16).rows[0] for query in queries]
    product_ms = 1000.0 * (time.perf_counter() - started_s) / len(queries)
    assert by_tree == by_product
    print(
        f"    16 neighbours among {len(keys):,}: matrix product {product_ms:.2f} ms, KD tree {tree_ms:.2f} ms "
        f"(and {built_s:.1f} s to build), ratio {tree_ms / product_ms:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--embedding-size", type=int, default=384)
    parser.add_argument("--steps", type=int, default=600)
    arguments = parser.parse_args()
    data = make_trajectories(arguments.embedding_size)
    print(
        f"{TRAJECTORIES} x {LENGTH} steps, embeddings of {arguments.embedding_size}, {torch.get_num_threads()} threads"
    )
    for case in cases(data, arguments.steps):
        policy, seconds = time_training(case, data, arguments.device)
        median_ms, high_ms, horizon = time_calls(policy, data)
        speed = f"{case.steps / seconds:7,.0f} steps/s" if case.steps else f"{seconds:7.2f} s ready"
        print(
            f"  {case.learner:4} {speed}   act {median_ms:6.2f} ms (p95 {high_ms:6.2f}) for {horizon:2} actions, "
            f"{median_ms / horizon:6.3f} ms each"
        )
        if isinstance(policy, VinnPolicy) and horizon == 1:
            compare_with_tree(policy, data)


if __name__ == "__main__":
    main()
