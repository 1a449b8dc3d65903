"""Takes an archive off the network onto the disk, with a cap and a hash."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import ClientDisconnect

from pentathlon.server.errors import BadRequestError, TooLargeError, TooManyError, UnavailableError
from pentathlon.server.settings import SPARE_BYTES
from pentathlon.server.sizes import MEBIBYTE
from pentathlon.storage.files import sync_folder

PART = ".part"
LOOK_EVERY_BYTES = 16 * MEBIBYTE
UPLOADS_AT_ONCE = 4


@dataclass(frozen=True)
class Upload:
    """An archive on disk."""

    size_bytes: int
    sha256: str


class Senders:
    """Who is sending archives at the moment; used from the event loop only."""

    def __init__(self) -> None:
        self._sending: Counter[str] = Counter()

    @contextmanager
    def take(self, account_id: str) -> Iterator[None]:
        """Counts one upload of an account for the length of a context.

        Raises:
            TooManyError: when it is sending as many as it may already.
        """
        if self._sending[account_id] >= UPLOADS_AT_ONCE:
            raise TooManyError(f"You are sending {UPLOADS_AT_ONCE} archives already; wait for one to arrive.")
        self._sending[account_id] += 1
        try:
            yield
        finally:
            self._sending -= Counter([account_id])


async def receive(
    stream: AsyncIterator[bytes],
    path: Path,
    limit_bytes: int,
    declared: str | None,
    threads: CapacityLimiter | None = None,
) -> Upload:
    """Writes ``stream`` to ``path``; it is there whole and synced when this returns, or not at all.

    Args:
        stream: the body of the request.
        path: where the archive goes.
        limit_bytes: more is refused as soon as it is seen.
        declared: the request's content length, if it has one; refuses too large a body before it is sent.
        threads: in which to wait for the disk; the application's when not given.
    """
    if declared is not None and declared.isdigit() and int(declared) > limit_bytes:
        raise _too_large(limit_bytes)
    path.parent.mkdir(parents=True, exist_ok=True)
    check_disk(path.parent, limit_bytes)
    part = path.with_suffix(PART)
    digest = hashlib.sha256()
    size_bytes, look_at_bytes = 0, LOOK_EVERY_BYTES
    try:
        with part.open("wb") as file:
            async for chunk in stream:
                size_bytes += len(chunk)
                if size_bytes > limit_bytes:
                    raise _too_large(limit_bytes)
                if size_bytes >= look_at_bytes:
                    # Others are sending too, and each found room for itself at its beginning.
                    check_disk(path.parent, 0)
                    look_at_bytes += LOOK_EVERY_BYTES
                digest.update(chunk)
                file.write(chunk)
            if not size_bytes:
                raise BadRequestError("Expected an archive of the agent folder as the body, got an empty one.")
            file.flush()
            await run_sync(os.fsync, file.fileno(), limiter=threads)
        part.replace(path)
        await run_sync(sync_folder, path.parent, limiter=threads)
    except ClientDisconnect:
        raise _broke_off() from None
    except OSError as error:
        raise cannot_store(error) from error
    finally:
        part.unlink(missing_ok=True)
    return Upload(size_bytes, digest.hexdigest())


async def measure(stream: AsyncIterator[bytes], limit_bytes: int, declared: str | None) -> Upload:
    """Reads a body that is stored already, to tell whether it is the same."""
    if declared is not None and declared.isdigit() and int(declared) > limit_bytes:
        raise _too_large(limit_bytes)
    digest, size_bytes = hashlib.sha256(), 0
    try:
        async for chunk in stream:
            size_bytes += len(chunk)
            if size_bytes > limit_bytes:
                raise _too_large(limit_bytes)
            digest.update(chunk)
    except ClientDisconnect:
        raise _broke_off() from None
    return Upload(size_bytes, digest.hexdigest())


def check_disk(folder: Path, wanted_bytes: int, spare_bytes: int = SPARE_BYTES) -> None:
    """Refuses an upload before anything of it is read when there is no room for it in ``folder``.

    Args:
        folder: where it goes.
        wanted_bytes: the most that it takes.
        spare_bytes: left to others.

    Raises:
        UnavailableError: when there is no room.
    """
    if shutil.disk_usage(folder).free < spare_bytes + wanted_bytes:
        raise UnavailableError("The server's disk is nearly full, so it takes no uploads; tell its operator.")


def cannot_store(error: OSError) -> UnavailableError:
    """Says that the disk failed."""
    return UnavailableError(f"The server cannot store the upload ({error.strerror}); tell its operator.")


def _broke_off() -> BadRequestError:
    return BadRequestError("The upload broke off; send it again.")


def _too_large(limit_bytes: int) -> TooLargeError:
    return TooLargeError(f"The archive is larger than {limit_bytes / MEBIBYTE:g} MiB, the most this server takes.")
