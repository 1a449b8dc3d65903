"""Joins a Ray cluster, or says in one sentence why not."""

from __future__ import annotations

import importlib
import logging
import os
import re
import socket
from typing import Any

from pentathlon.core.errors import MissingDependencyError, UsageError

_HOST_AND_PORT = re.compile(r"[^/]+:[0-9]+")
_CONNECT_S = 10.0
# Ray prints pages about a worker that died; whoever waits for it says so itself, in one sentence. Ray reads these when
# imported.
_QUIET = {
    "RAY_BACKEND_LOG_LEVEL": "error",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "A worker died or was killed|killed due to memory pressure|has been marked dead",
}


def import_ray() -> Any:
    """Returns Ray's module.

    Raises:
        MissingDependencyError: when Ray is not installed.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise MissingDependencyError("Ray", "pip install 'pentathlon[ray]'", why="Runs on a cluster use it.") from error


def connect(ray: Any, address: str | None) -> None:
    """Joins the cluster at ``address``, or the one Ray finds, or starts one on this machine.

    Raises:
        UsageError: when no cluster answers at ``address``.
    """
    try:
        if address is not None and _HOST_AND_PORT.fullmatch(address):
            # Ray itself waits a minute and then ends the process.
            host, _, port = address.rpartition(":")
            socket.create_connection((host, int(port)), timeout=_CONNECT_S).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(
            f"No Ray cluster answers at {address!r} ({type(error).__name__}: {error}). Start one with: ray start --head"
        ) from error
