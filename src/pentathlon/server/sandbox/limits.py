"""How much a submitted agent may use, and the one error that says how it ended."""

from __future__ import annotations

import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from pentathlon.core.errors import PentathlonError
from pentathlon.server.sizes import GIBIBYTE, MEBIBYTE

ADDRESS_SPARE_BYTES = 8 * GIBIBYTE
"""Of addresses that take no memory: libraries, stacks, and what allocators keep to themselves for each thread."""

_starting = threading.Lock()

State = Literal["refused", "crashed", "timed_out", "out_of_memory", "bad_answer"]


@dataclass(frozen=True)
class Limits:
    """What a submitted agent may use; the archive limits hold while it is unpacked.

    Attributes:
        memory_bytes: of all its processes together; with control groups its temporary files are included.
        temporary_bytes: of its temporary folder, and the longest file it can write.
        temporary_files: that it may make, empty ones too.
        processes: processes and threads at once.
        cores: processors' worth of time, where control groups can be used; always the number of torch threads.
        start_s: from the start of Python until the agent is built.
        step_s: for one reset or one prediction.
        total_s: of all its calls together, its start included.
        output_bytes: that it may print.
        chunk_steps: actions in one chunk.
        archive_files: files and folders in an archive.
        archive_bytes: of an archive once unpacked.
        archive_ratio: unpacked to packed bytes of one file.
        unpack_s: until an archive is unpacked.
    """

    memory_bytes: int = 4 * GIBIBYTE
    temporary_bytes: int = 256 * MEBIBYTE
    temporary_files: int = 10_000
    processes: int = 64
    cores: int = 1
    start_s: float = 120.0
    step_s: float = 10.0
    total_s: float = 3600.0
    output_bytes: int = 4 * MEBIBYTE
    chunk_steps: int = 1024
    archive_files: int = 10_000
    archive_bytes: int = 4 * GIBIBYTE
    archive_ratio: float = 200.0
    unpack_s: float = 300.0


class SandboxError(PentathlonError):
    """A submitted agent could not be run to its end; ``state`` says in a word how it ended."""

    def __init__(self, state: State, message: str) -> None:
        super().__init__(message)
        self.state = state


@contextmanager
def without_core_dumps() -> Iterator[None]:
    """Lets processes that are started meanwhile hand their memory to nobody when they crash.

    A limit of 0 keeps it from files only; of 1 also from a crash reporter of the machine, which would be run outside.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    with _starting:
        resource.setrlimit(resource.RLIMIT_CORE, (1 if hard else 0, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))


def limit_process(memory_bytes: int, processes: int, file_bytes: int) -> None:
    """Limits this process and its children for good."""
    limits = {
        resource.RLIMIT_AS: memory_bytes + ADDRESS_SPARE_BYTES,
        resource.RLIMIT_DATA: memory_bytes,
        resource.RLIMIT_NPROC: processes,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_NOFILE: 512,
    }
    for what, most in limits.items():
        resource.setrlimit(what, (most, most))
