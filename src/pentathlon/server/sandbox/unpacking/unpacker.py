"""The program that unpacks one archive inside a sandbox and says how that went."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

from pentathlon.server.sandbox.limits import Limits, SandboxError, limit_process
from pentathlon.server.sandbox.sandbox_messages import (
    LENGTH,
    MAX_TEXT,
    Failed,
    NoRoom,
    Unpacked,
    Unpacking,
    decode_unpack,
    to_frame,
)
from pentathlon.server.sandbox.unpacking.archives import extract

ARCHIVE = "/archive"
FOLDER = "/unpacked"
AGENT = "agent"


def main(memory_bytes: int, processes: int, file_bytes: int) -> None:
    """Answers one request."""
    limit_process(memory_bytes, processes, file_bytes)
    (length,) = LENGTH.unpack(sys.stdin.buffer.read(LENGTH.size))
    request = decode_unpack(sys.stdin.buffer.read(length))
    sys.stdout.buffer.write(to_frame(_unpack(request.limits)))
    sys.stdout.buffer.flush()


def _unpack(limits: Limits) -> Unpacking:
    try:
        extract(Path(ARCHIVE), Path(FOLDER) / AGENT, limits)
    except SandboxError as error:
        return Failed("refused", str(error)[:MAX_TEXT])
    except MemoryError:
        return Failed("out_of_memory", "")
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return NoRoom()
        return Failed("crashed", str(error)[:MAX_TEXT])
    return Unpacked()


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
