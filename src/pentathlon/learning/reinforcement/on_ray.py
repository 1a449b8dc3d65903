"""One training by several processes on a Ray cluster: each is an actor with a GPU of its own, and they learn as one.

The output folder must be one that all machines share.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

import msgspec

from pentathlon.core.cluster import connect, import_ray
from pentathlon.core.errors import MachineError, PentathlonError, UsageError
from pentathlon.core.registry import resolve
from pentathlon.learning.reinforcement.peers import Peers

_LATER_S = 5.0  # in which a peer's complaint about a lost one is followed by the loss itself


class TrainingActor:
    """One process of a training."""

    def meet(self) -> str:
        """Returns an address of this node at which the others can find it."""
        ray: Any = import_ray()
        with socket.socket() as free:
            free.bind(("", 0))
            return f"{ray.util.get_node_ip_address()}:{free.getsockname()[1]}"

    def train(self, work: str, settings: bytes, rank: int, count: int, address: str, search_path: list[str]) -> None:
        """Meets the others and trains with them."""
        from torch import distributed

        sys.path += [path for path in search_path if path not in sys.path and Path(path).exists()]
        kind, fields = msgspec.json.decode(settings, type=tuple[str, dict[str, Any]])
        told = msgspec.convert(fields, resolve(kind), dec_hook=lambda wanted, value: wanted(value))
        peers = Peers.join(rank, count, address, told.device)
        try:
            resolve(work)(told, peers)
        finally:
            distributed.destroy_process_group()


def train_on_ray(work: str, settings: Any, count: int, address: str | None) -> None:
    """Trains with so many processes, one GPU each, or one CPU where the settings' device is `cpu`.

    Args:
        work: `module:function` that takes settings and peers.
        settings: a dataclass with a `device`.
        count: of processes.
        address: of the cluster; none joins the one Ray finds, or starts one on this machine.

    Raises:
        UsageError: the cluster has too few GPUs.
        MachineError: a process was lost; what was saved remains.
    """
    ray = import_ray()
    joined_here = not ray.is_initialized()
    if joined_here:
        connect(ray, address)
    try:
        needed = {"num_cpus": 1} if settings.device == "cpu" else {"num_cpus": 1, "num_gpus": 1}
        _refuse_too_few(ray.cluster_resources(), count, "CPU" if settings.device == "cpu" else "GPU")
        actor_class = ray.remote(max_restarts=0, **needed)(TrainingActor)
        actors = [actor_class.remote() for _ in range(count)]
        try:
            _train(ray, actors, work, settings)
        finally:
            for actor in actors:
                ray.kill(actor)
    finally:
        if joined_here:
            ray.shutdown()


def _train(ray: Any, actors: list[Any], work: str, settings: Any) -> None:
    try:
        meeting = ray.get(actors[0].meet.remote())
    except ray.exceptions.RayError as error:
        raise _said([error], ray) from None
    kind = type(settings)
    told = msgspec.json.encode((f"{kind.__module__}:{kind.__qualname__}", settings), enc_hook=str)
    jobs = [actor.train.remote(work, told, rank, len(actors), meeting, sys.path) for rank, actor in enumerate(actors)]
    while jobs:
        ready, jobs = ray.wait(jobs, num_returns=1)
        errors = _errors_of(ray, ready)
        if errors:
            more, _ = ray.wait(jobs, num_returns=len(jobs), timeout=_LATER_S) if jobs else ([], [])
            raise _said(errors + _errors_of(ray, more), ray) from None


def _errors_of(ray: Any, jobs: list[Any]) -> list[Exception]:
    found: list[Exception] = []
    for job in jobs:
        try:
            ray.get(job)
        except ray.exceptions.RayError as error:
            found.append(error)
    return found


def _said(errors: list[Exception], ray: Any) -> Exception:
    """Returns the one error that says what happened: what a process refused, before who was lost, before the rest."""
    for error in errors:
        cause = getattr(error, "cause", None)
        if isinstance(cause, PentathlonError):
            return cause
    lost = [error for error in errors if isinstance(error, ray.exceptions.RayActorError)]
    if not lost:
        return errors[0]
    return MachineError(
        f"Ray lost a process of this training ({type(lost[0]).__name__}), and the others were ended with it. "
        "The same command goes on from what was saved last."
    )


def _refuse_too_few(resources: dict[str, float], count: int, name: str) -> None:
    found = int(resources.get(name, 0))
    if found < count:
        raise UsageError(f"Expected {count} {name}s in the cluster, got {found}. Ask for fewer, or add machines.")
