"""Workers as actors of a Ray cluster.

The package must be installed on every node, and the output folder must be shared by them (NFS or the like): the
runner alone writes records, but videos and other artifacts are written where the trial runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pentathlon.core.cluster import connect, import_ray
from pentathlon.core.errors import PentathlonError
from pentathlon.core.trial import Heat
from pentathlon.engine.workers.bench import Bench, build_bench
from pentathlon.engine.workers.executor import WorkerMessage
from pentathlon.engine.workers.wire import (
    Building,
    Finished,
    Lost,
    Refused,
    WorkerSetup,
    decode_heat,
    decode_message,
    decode_setup,
    encode,
)

_MACHINE_ERRORS = ("ActorUnavailableError", "NodeDiedError", "OutOfMemoryError")


class HeatActor:
    """The worker on a node; every method streams encoded messages."""

    _bench: Bench

    def build(self, data: bytes) -> Iterator[bytes]:
        """Builds what the set-up names."""
        setup = decode_setup(data)
        yield encode(Building())
        sys.path += [path for path in setup.search_path if path not in sys.path and Path(path).exists()]
        try:
            self._bench = build_bench(setup)
            ready = self._bench.ready()
        except PentathlonError as error:
            yield encode(Refused.because(error))
        else:
            yield encode(ready)

    def run(self, data: bytes) -> Iterator[bytes]:
        """Runs a heat."""
        for message in self._bench.messages(decode_heat(data)):
            yield encode(message)


@dataclass
class _Worker:
    actor: Any
    stream: Any


class RayExecutor:
    """Starts one actor per worker, wherever the cluster has a free CPU."""

    def __init__(self, setup: WorkerSetup, address: str | None) -> None:
        """Joins the cluster at ``address``, or the one Ray finds, or starts one on this machine.

        Raises:
            MissingDependencyError: when Ray is not installed.
            UsageError: when no cluster answers at ``address``.
        """
        self._ray = import_ray()
        self._owns_connection = not self._ray.is_initialized()
        if self._owns_connection:
            connect(self._ray, address)
        self._actor_class = self._ray.remote(num_cpus=1, max_restarts=0)(HeatActor)
        self._setup = encode(setup)
        self._workers: dict[int, _Worker] = {}
        self._started = 0

    def capacity(self) -> int:
        """Counts the cluster's CPUs."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def start(self) -> int:
        """Starts an actor."""
        actor = self._actor_class.remote()
        self._started += 1
        self._workers[self._started] = _Worker(actor, _stream(actor.build, self._setup))
        return self._started

    def assign(self, worker: int, heat: Heat) -> None:
        """Calls the actor with the heat."""
        entry = self._workers[worker]
        entry.stream = _stream(entry.actor.run, encode(heat))

    def poll(self, timeout_s: float) -> list[WorkerMessage]:
        """Takes the next message of every stream that has one."""
        streams = {entry.stream: worker for worker, entry in self._workers.items() if entry.stream is not None}
        if not streams:
            return []
        ready, _ = self._ray.wait(list(streams), num_returns=len(streams), timeout=0)
        if not ready:
            ready, _ = self._ray.wait(list(streams), num_returns=1, timeout=timeout_s)
        return [message for stream in ready for message in self._hear(streams[stream])]

    def kill(self, worker: int) -> None:
        """Kills the actor."""
        self._ray.kill(self._workers.pop(worker).actor)

    def close(self) -> None:
        """Kills all actors and leaves the cluster if it was joined here."""
        for worker in list(self._workers):
            self.kill(worker)
        if self._owns_connection:
            self._ray.shutdown()

    def _hear(self, worker: int) -> Iterator[WorkerMessage]:
        entry = self._workers[worker]
        try:
            message = decode_message(self._ray.get(next(entry.stream)))
        except StopIteration:
            entry.stream = None
            return
        except self._ray.exceptions.RayError as error:
            self.kill(worker)
            yield WorkerMessage(worker, _lost(error))
            return
        if not isinstance(message, Building) and not (isinstance(message, Finished) and not message.last):
            entry.stream = None
        yield WorkerMessage(worker, message)


def _stream(method: Any, data: bytes) -> Any:
    return method.options(num_returns="streaming").remote(data)


def _lost(error: Exception) -> Lost:
    """Tells a machine that went away or ran out of memory from a worker that crashed, as far as Ray does."""
    text = str(error)
    by_machine = type(error).__name__ in _MACHINE_ERRORS or "node has died" in text
    return Lost(f"Ray lost the worker: {type(error).__name__}: {text.splitlines()[0]}", by_machine)
