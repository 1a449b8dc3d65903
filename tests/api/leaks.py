"""A program that evaluates again and again and prints what it holds before and after, for tests of leaks.

In a process of its own, so that nothing which other tests started or let go is counted.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable

import psutil
from pentathlon_cartpole import RandomAgent

import pentathlon

TASK = "example/cartpole-v1"


def held() -> list[int]:
    """Counts open files, threads and processes below this one."""
    gc.collect()
    process = psutil.Process()
    return [process.num_fds(), process.num_threads(), len(process.children(recursive=True))]


def evaluate_object(agent: RandomAgent) -> None:
    """Evaluates in this process."""
    pentathlon.evaluate(TASK, agent, limit=2)


def evaluate_id() -> None:
    """Evaluates in a worker process."""
    pentathlon.evaluate(TASK, "cartpole-random", limit=1, workers=1)


def main(what: str) -> None:
    """Warms up, then measures around many more evaluations."""
    agent = RandomAgent()
    work: Callable[[], None] = (lambda: evaluate_object(agent)) if what == "object" else evaluate_id
    first, more = (5, 50) if what == "object" else (1, 3)
    for _ in range(first):
        work()
    before, memory_bytes = held(), psutil.Process().memory_info().rss
    for _ in range(more):
        work()
    after = held()
    grown_bytes = psutil.Process().memory_info().rss - memory_bytes
    print(json.dumps({"before": before, "after": after, "grown_bytes": grown_bytes}))


if __name__ == "__main__":
    main(sys.argv[1])
