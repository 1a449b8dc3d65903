"""What hostile submissions are after, set out for them: files, sockets and processes of the host, and their state."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

import pentathlon

ENVIRONMENT_SECRET = "PENTATHLON_TEST_SECRET"
OUTSIDE = Path("/tmp/outside.txt")
UNTOUCHED = "untouched"


class Visited(AssertionError):
    """Somebody came to a socket of the host."""


@contextmanager
def open_listeners() -> Iterator[dict[str, Any]]:
    """Opens a TCP port, a UDP port of the same number and an abstract Unix socket, to which nobody may come."""
    stream = socket.create_server(("127.0.0.1", 0))
    port = stream.getsockname()[1]
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("127.0.0.1", port))
    abstract = f"pentathlon-test-{os.getpid()}"
    unix = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    unix.bind(b"\0" + abstract.encode())
    unix.listen()
    yield {"port": port, "abstract": abstract}
    for each, receive in ((stream, stream.accept), (datagrams, lambda: datagrams.recv(1)), (unix, unix.accept)):
        each.setblocking(False)
        try:
            receive()
            raise Visited(f"Expected nobody at {each}.")
        except BlockingIOError:
            each.close()


class Baits:
    """Secrets that nobody may read and things that nobody may change."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self.tokens = [secrets.token_hex(16) for _ in range(3)]
        read, upload, environment = self.tokens
        self.upload_token = upload
        self.environment = {ENVIRONMENT_SECRET: environment}
        self._secret = folder / f"secret-{secrets.token_hex(8)}.txt"
        self._secret.write_text(read)
        self._canary = folder / "canary.txt"
        self._canary.write_text(UNTOUCHED)
        self._canary.chmod(0o666)
        self._marker = secrets.token_hex(16)
        self._watched: dict[Path, bytes] = {}
        self.watch(self._secret, self._canary, Path(pentathlon.__file__))

    def watch(self, *files: Path) -> None:
        """Remembers what is in files that nobody may change."""
        self._watched |= {file: _digest(file) for file in files}

    def targets(self, upload: Path, host_pid: int, listeners: dict[str, Any]) -> dict[str, Any]:
        """What the hostile agents are told to go for."""
        return {
            "secret": str(self._secret),
            "canary": str(self._canary),
            "marker": self._marker,
            "upload": str(upload),
            "host_pid": host_pid,
            **listeners,
        }

    def problems(self) -> list[str]:
        """Says what was changed, written or left behind."""
        changed = [f"{file} was changed" for file, digest in self._watched.items() if _digest(file) != digest]
        made = [self._canary.with_name(self._canary.name + ".unpickled"), OUTSIDE]
        daemons = [
            f"process {process.pid} was left behind"
            for process in psutil.process_iter(["cmdline"])
            if self._marker in (process.info["cmdline"] or ())
        ]
        return changed + [f"{file} was written" for file in made if file.exists()] + daemons


def _digest(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest() if file.exists() else b""
