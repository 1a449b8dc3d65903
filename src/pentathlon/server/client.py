"""Talks to a server from afar; needs nothing but the standard library."""

from __future__ import annotations

import http.client
import io
import json
import random
import time
import uuid
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlencode, urlsplit

from pentathlon.core.errors import DataError, PentathlonError, UsageError
from pentathlon.server.queue.states import FINAL
from pentathlon.server.sizes import MEBIBYTE

TIMEOUT_S = 60.0
PATIENCE_S = 300.0
POLL_S = 2.0
SKIPPED = frozenset({"__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache"})
_EPOCH = (1980, 1, 1, 0, 0, 0)


class RefusedError(PentathlonError):
    """The server refused a request and said why."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Client:
    """Requests to one server in the name of one account."""

    server: str
    token: str

    def get(self, path: str) -> Any:
        """Fetches JSON."""
        return json.loads(self.fetch(path))

    def fetch(self, path: str) -> bytes:
        """Fetches bytes, again while the server is away."""
        return self._patiently(lambda: self._request("GET", path))

    def submit(self, archive: Path, *, task: str, challenge: str, title: str) -> dict[str, Any]:
        """Uploads an archive; sending it again after a broken connection makes no second submission."""
        limit_bytes = int(self.get("/api/health")["upload_limit_bytes"])
        size_bytes = archive.stat().st_size
        if size_bytes > limit_bytes:
            raise DataError(
                f"The archive has {size_bytes / MEBIBYTE:.1f} MiB, "
                f"the server takes {limit_bytes / MEBIBYTE:g} MiB. Leave out what is not needed."
            )
        query = urlencode({"task": task, "challenge": challenge, "title": title}, quote_via=quote)
        headers = {"Content-Length": str(size_bytes)}
        return self._hand_in(f"/api/submissions?{query}", lambda: archive.open("rb"), headers)

    def register(self, url: str, *, source: str, token: str, task: str, challenge: str, title: str) -> dict[str, Any]:
        """Registers a remote entrant; sending it again after a broken connection makes no second submission."""
        wanted = {"source": source, "url": url, "token": token, "task": task, "challenge": challenge, "title": title}
        body = json.dumps(wanted).encode()
        headers = {"Content-Length": str(len(body)), "Content-Type": "application/json"}
        return self._hand_in("/api/submissions/remote", lambda: io.BytesIO(body), headers)

    def follow(self, submission: str) -> Iterator[dict[str, Any]]:
        """Yields the submission every two seconds until it has ended."""
        while True:
            view: dict[str, Any] = self.get(f"/api/submissions/{submission}")
            yield view
            if view["state"] in FINAL:
                return
            # Spread out, or all who waited for a slow answer would ask again at the same moment, and so on.
            time.sleep(POLL_S * random.uniform(0.75, 1.25))

    def _hand_in(self, path: str, open_body: Callable[[], IO[bytes]], headers: dict[str, str]) -> dict[str, Any]:
        key = uuid.uuid4().hex

        def send() -> bytes:
            with open_body() as body:
                return self._request("POST", path, body, {"Idempotency-Key": key, **headers})

        made: dict[str, Any] = json.loads(self._patiently(send))
        return made

    def _patiently(self, work: Callable[[], bytes]) -> bytes:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return work()
            except (OSError, http.client.HTTPException) as error:
                if time.monotonic() > deadline:
                    raise UsageError(f"No answer from {self.server} ({error}). Check the address.") from error
            except RefusedError as error:
                if error.status not in (429, 502, 503, 504) or time.monotonic() > deadline:
                    raise
            time.sleep(POLL_S)

    def _request(
        self, method: str, path: str, body: IO[bytes] | None = None, headers: dict[str, str] | None = None
    ) -> bytes:
        connection = self._connect()
        try:
            try:
                all_headers = {"Authorization": f"Bearer {self.token}", **(headers or {})}
                connection.request(method, path, body, all_headers)
            except BrokenPipeError:
                # The server refused the body before it was all sent; its answer says why.
                pass
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        if response.status >= 400:
            raise RefusedError(response.status, _sentence(response.status, content))
        return content

    def _connect(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"Expected a server such as http://host:8000, got {self.server!r}.")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return kind(parts.hostname, parts.port, timeout=TIMEOUT_S)


def pack(folder: Path, archive: Path) -> None:
    """Packs an agent folder into a zip, without caches and the like; the same folder gives the same bytes.

    Raises:
        DataError: when it is no folder, holds nothing, or holds a link, which might lead to anything of yours.
    """
    if not folder.is_dir():
        raise DataError(f"Expected the folder of an agent at {folder}, found none.")
    inside = [path.relative_to(folder) for path in sorted(folder.rglob("*"))]
    wanted = [path for path in inside if not SKIPPED.intersection(path.parts)]
    for path in wanted:
        if (folder / path).is_symlink():
            raise DataError(f"{folder / path} is a link. Put a copy of what it leads to in its place, or remove it.")
    files = [path for path in wanted if (folder / path).is_file()]
    if not files:
        raise DataError(f"The folder {folder} holds no files to submit.")
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files:
            entry = zipfile.ZipInfo(path.as_posix(), _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with (folder / path).open("rb") as source, packed.open(entry, "w", force_zip64=True) as target:
                while chunk := source.read(MEBIBYTE):
                    target.write(chunk)


def _sentence(status: int, content: bytes) -> str:
    try:
        return str(json.loads(content)["error"])
    except (ValueError, KeyError, TypeError):
        return f"The server answered with the status {status}."
