"""What runs many `pentathlon run`s within a time box: begins them, ends them, and packs what they recorded."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

KEPT = ("run.json", "trials.jsonl", "summary.json")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
END_S = 11.0
PAUSE_S = 0.2


def start(
    log: Path, arguments: Sequence[str], nice: int = 0, variables: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Starts a command of pentathlon, one thread for each of its workers, which writes to a log."""
    with log.open("ab") as file:
        return subprocess.Popen(
            ["nice", "-n", str(nice), sys.executable, "-m", "pentathlon", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, **ONE_THREAD, **(variables or {})},
        )


def wait(process: subprocess.Popen[bytes], left_s: Callable[[], float]) -> int | None:
    """Waits for a process while there is time left, and ends it then, or where the wait is broken off."""
    try:
        while process.poll() is None and left_s() > 0.0:
            time.sleep(PAUSE_S)
        return process.returncode
    finally:
        end([process])


def end(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    """Ends processes gently, then at once."""
    running = [process for process in processes if process.poll() is None]
    for process in running:
        process.send_signal(signal.SIGTERM)
    until = time.monotonic() + END_S
    for process in running:
        try:
            process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def pack(whole: Path, runs: Path, others: Mapping[str, Iterable[Path]]) -> None:
    """Writes the records of all runs and other files, by the folder they go to, into one file, whole at any time."""
    whole.parent.mkdir(parents=True, exist_ok=True)
    partial = whole.with_name(f".{whole.name}.partial")
    with tarfile.open(partial, "w:xz", preset=4) as archive:
        for path in sorted(runs.rglob("*")):
            if path.name in KEPT:
                _add(archive, path, Path("runs") / path.relative_to(runs))
        for folder, paths in others.items():
            for path in sorted(paths):
                _add(archive, path, Path(folder) / path.name)
    partial.replace(whole)


def _add(archive: tarfile.TarFile, path: Path, name: Path) -> None:
    with contextlib.suppress(FileNotFoundError):  # gone meanwhile
        archive.add(path, name)
