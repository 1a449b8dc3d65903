"""``pentathlon find serve-localizers``: one network, on a GPU if there is one, for all walkers of this machine."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import tyro

from pentathlon.core import Runs, UsageError

if TYPE_CHECKING:
    from pentathlon.models.localizers.serving.server import LocalizerServer


@dataclass(frozen=True)
class ServeLocalizers:
    """Look for all walkers of this machine with one network; they find it by PENTATHLON_LOCALIZERS=SOCKET."""

    socket: tyro.conf.Positional[Path]
    """The Unix socket to listen at; it must not be there yet."""

    def run(self, runs: Runs) -> int:
        """Serves until it is interrupted, and tells how many pictures it looked at."""
        from pentathlon.models.localizers.opening import fingerprint_of, open_to_all
        from pentathlon.models.localizers.serving.server import LocalizerServer

        if self.socket.exists():
            raise UsageError(f"Expected a socket that is not there yet, got {self.socket}. Remove it, or name another.")
        server = LocalizerServer(self.socket, open_to_all, fingerprint_of)
        _stop_when_told(server)
        print(f"Listening at {self.socket}", flush=True)
        began = time.monotonic()
        server.serve()
        took_s = time.monotonic() - began
        print(f"{server.pictures} pictures in {server.batches} batches, {took_s:.0f} s", flush=True)
        return 0


def _stop_when_told(server: LocalizerServer) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        server.stop.set()

    for told in (signal.SIGINT, signal.SIGTERM):
        signal.signal(told, stop)
