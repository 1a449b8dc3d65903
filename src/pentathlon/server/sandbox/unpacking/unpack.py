"""Unpacks uploaded archives in a sandbox; what comes out is looked at again before it is believed.

An archive is read by libraries that were not written with malice in mind, so it is read where a fault in them leads
nowhere: the sandbox sees the archive read-only and one folder into which it may write.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import msgspec

from pentathlon.server.disk import has_room
from pentathlon.server.sandbox.access import open_to_all, readable
from pentathlon.server.sandbox.bubblewrap import read_only, sandbox_problem, writable
from pentathlon.server.sandbox.channel import Channel, HungUpError, TooLongError
from pentathlon.server.sandbox.limits import Limits, SandboxError
from pentathlon.server.sandbox.log import EntrantLog, printable
from pentathlon.server.sandbox.process import Program, SandboxProcess, run_module
from pentathlon.server.sandbox.sandbox_messages import (
    MAX_TEXT,
    Failed,
    NoRoom,
    Unpack,
    Unpacking,
    decode_unpacking,
    to_frame,
)
from pentathlon.server.sandbox.unpacking.unpacker import AGENT, ARCHIVE, FOLDER
from pentathlon.server.sizes import MEBIBYTE

MEMORY_BYTES = 512 * MEBIBYTE
UNPACKER = run_module("pentathlon.server.sandbox.unpacking.unpacker")


def unpack(archive: Path, folder: Path, limits: Limits) -> None:
    """Unpacks a zip, tar or tar.gz into ``folder``, which must not exist yet; on refusal nothing is left of it.

    A single folder that holds everything else is taken off, so that the agent's files lie at the top.

    Raises:
        SandboxError: ``refused``, saying what is wrong with the archive.
        OSError: when the disk is full.
    """
    if (problem := sandbox_problem()) is not None:
        _refuse(problem)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as place, readable(archive) as shown:
        out = Path(place) / "out"
        out.mkdir()
        # For the sandbox's user; nobody else gets past the folder above it.
        out.chmod(0o777)
        _believe(_ask(shown, out, limits), out)
        _adopt(out / AGENT, limits)
        (out / AGENT).rename(folder)


def _ask(archive: Path, out: Path, limits: Limits) -> Unpacking:
    mounts = (*read_only(archive, ARCHIVE), *writable(out, FOLDER))
    program = Program(UNPACKER, mounts, limits.archive_bytes)
    inside = replace(limits, memory_bytes=MEMORY_BYTES, temporary_bytes=MEBIBYTE)
    silent = EntrantLog(Path(os.devnull), limits.output_bytes)
    try:
        with closing(silent), closing(SandboxProcess(program, inside)) as process:
            channel = Channel(*process.pipes, silent, process.watch_memory)
            deadline_s = time.monotonic() + limits.unpack_s
            return decode_unpacking(channel.exchange(to_frame(Unpack(limits)), deadline_s))
    except TimeoutError:
        _refuse(f"The archive takes more than {limits.unpack_s:g} s to unpack.")
    except SandboxError as error:
        return Failed("out_of_memory" if error.state == "out_of_memory" else "crashed", str(error))
    except (HungUpError, TooLongError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return Failed("crashed", str(error))


def _believe(reply: Unpacking, out: Path) -> None:
    if isinstance(reply, NoRoom):
        if has_room(out):
            # There is room for all else, so that waiting for more would be waiting for ever.
            _refuse("The archive unpacks to more than the server's disk has room for. Make it smaller.")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if isinstance(reply, Failed):
        sentence = printable(reply.text[:MAX_TEXT])
        if reply.state == "refused":
            _refuse(sentence)
        if reply.state == "out_of_memory":
            _refuse(f"The archive takes more than {MEMORY_BYTES / MEBIBYTE:.0f} MiB of memory to unpack.")
        _refuse(f"The archive could not be unpacked ({sentence or 'the unpacking program ended'}). Pack it again.")


def _adopt(folder: Path, limits: Limits) -> None:
    """Makes what was unpacked ours, once it is known to be plain files and folders of no more than the allowed size."""
    total_bytes = 0
    for path in _below(folder):
        status = path.lstat()
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            _refuse("The archive was unpacked to something else than plain files and folders.")
        total_bytes += status.st_size if stat.S_ISREG(status.st_mode) else 0
        if os.geteuid() == 0:
            os.chown(path, 0, 0, follow_symlinks=False)
    if total_bytes > limits.archive_bytes:
        _refuse(f"The archive unpacks to more than {limits.archive_bytes / MEBIBYTE:,.0f} MiB.")
    open_to_all(folder)


def _below(folder: Path) -> Iterator[Path]:
    yield folder
    for place, folders, files in os.walk(folder, onerror=_cannot_look):
        yield from (Path(place) / name for name in (*folders, *files))


def _cannot_look(error: OSError) -> NoReturn:
    raise SandboxError("refused", "The archive was unpacked to a folder that cannot be read.") from error


def _refuse(sentence: str) -> NoReturn:
    raise SandboxError("refused", sentence)
