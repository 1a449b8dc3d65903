"""Runs the rows of find's tables on one machine within a time box: many rows at once, one network for all walkers.

    python bench/find_rows.py --minutes 9 --cores 11 --out runs --to packed [--rows 'cow *']

The rows that matter most come first; each is a `pentathlon run` of its own, so that one that fails stops no other, and
the same command goes on where it was ended. Walkers wait for the network, so there are more of them than cores. The
records so far, without films, lie in `packed/find-rows.tar.xz`, anew every two minutes and at the end.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import time_box
from pentathlon.events.find.episodes.records import CAPABILITIES
from pentathlon.models.localizers.serving.client import ADDRESS
from pentathlon.models.localizers.thresholds import read_thresholds, thresholds_path
from pentathlon.worlds.houses.scene.kept_scenes import LIMIT_VARIABLE

EVERYTHING = tuple(name for name in CAPABILITIES if name != "objectnav-large")
PASTURE = EVERYTHING[1:]
LONGEST_FIRST = "pasture-uncommon", *(name for name in EVERYTHING if name != "pasture-uncommon")
CLIP = ("clip-patch", "clip-grad", "clip-ref")
TUNED = (*CLIP, *(f"{kind}-photo" for kind in CLIP[:2]))
TRIES = 2
# All walkers wait for the network: it goes first.
WALKERS_NICE = 5
SCENES_GIB = "24"
PACK_S = 120.0


class Row(NamedTuple):
    """An entrant on a task."""

    entrant: str
    capability: str

    @property
    def tuned(self) -> bool:
        """Whether its thresholds are tuned first."""
        return "@clip-" in self.entrant


@dataclass
class Box:
    """What runs within the time box.

    Attributes:
        chosen: options of the command line.
        ends: the monotonic clock's time at which everything ends.
        running: rows by process, with the time when each began and the cores that it has.
        failed: how often each row failed.
    """

    chosen: argparse.Namespace
    ends: float
    running: dict[subprocess.Popen[bytes], tuple[Row, float, frozenset[int]]] = field(default_factory=dict)
    failed: dict[Row, int] = field(default_factory=dict)

    @property
    def left_s(self) -> float:
        """Seconds until the end."""
        return self.ends - time.monotonic()

    def free_cores(self) -> frozenset[int]:
        """Returns the cores for a row's walkers that fewest rows have; none where a system does not tell."""
        if not hasattr(os, "sched_setaffinity"):
            return frozenset()
        wanted = max(1, round(self.chosen.workers / self.chosen.walkers_per_core))
        busy = Counter(core for _, _, cores in self.running.values() for core in cores)
        return frozenset(sorted(os.sched_getaffinity(0), key=lambda core: busy[core])[:wanted])


def all_rows() -> Iterator[Row]:
    """Yields the rows, those that matter most first: tables 1 (built-in), 2 and 6, then table 1's other rows."""
    explorers = "cow-learned", "cow-random", "find-oracle-explorer"
    told = "find-learned-true-masks", "find-random-true-masks"
    yield from (Row("cow", capability) for capability in LONGEST_FIRST)
    yield from (Row("cow-centre", capability) for capability in LONGEST_FIRST)
    yield from (Row(entrant, "objectnav") for entrant in (*explorers, *told))
    yield Row("cow", "objectnav-large")
    yield from (Row(f"cow-centre@{kind}:builtin", "objectnav") for kind in TUNED)
    yield from (Row(f"cow@{kind}:builtin", "objectnav") for kind in CLIP)
    for entrant in ("find-oracle-explorer", "find-true-masks"):
        yield from (Row(entrant, capability) for capability in PASTURE)
    for after in ("cow-centre", "cow"):
        yield from (Row(f"{after}@{kind}:builtin", capability) for kind in CLIP for capability in PASTURE)
    for entrant in ("cow-random", "cow-learned", *told):
        yield from (Row(entrant, capability) for capability in PASTURE)


def start(
    log: Path, *arguments: str, nice: int = 0, variables: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Starts a command of pentathlon that keeps many scenes."""
    return time_box.start(log, arguments, nice, {LIMIT_VARIABLE: SCENES_GIB, **(variables or {})})


def run_row(box: Box, row: Row, socket: Path) -> None:
    """Begins a row, or goes on with it."""
    chosen = box.chosen
    name = f"{row.entrant}-{row.capability}".replace(":", "-")
    tier = "sprint" if chosen.try_out else "lite"
    task = f"find/{row.capability}-{'lite' if row.capability == 'objectnav-large' else tier}-v1"
    limit = ("--limit", "1") if chosen.try_out else ()
    process = start(
        chosen.logs / f"{name}.log",
        *("run", task, "-e", row.entrant, "--no-videos", "-o", str(chosen.out)),
        *("--workers", str(chosen.workers), *limit),
        nice=WALKERS_NICE,
        variables={ADDRESS: str(socket)},
    )
    # Each walker had a further thread for each core that it could use; 28 kept 16 cores in the kernel half of the time.
    cores = box.free_cores()
    box.running[process] = row, time.monotonic(), cores
    if cores:
        os.sched_setaffinity(process.pid, cores)


def reap(box: Box, waiting: list[Row]) -> None:
    """Takes leave of rows that have ended; those that failed come again at the end, once."""
    for process in [one for one in box.running if one.poll() is not None]:
        row, began, _ = box.running.pop(process)
        tell(box, f"{row.entrant} {row.capability}: status {process.returncode}, {time.monotonic() - began:.0f} s")
        if process.returncode:
            box.failed[row] = box.failed.get(row, 0) + 1
            if box.failed[row] < TRIES:
                waiting.append(row)


def tell(box: Box, text: str) -> None:
    """Prints a line with the minutes left."""
    print(f"{box.left_s / 60:5.1f} min left  {text}", flush=True)


def pack(chosen: argparse.Namespace) -> None:
    """Packs all records so far, and the thresholds."""
    tuned = [path for path in (thresholds_path("builtin"),) if path.is_file()]
    time_box.pack(chosen.to / "find-rows.tar.xz", chosen.out, {"logs": chosen.logs.glob("*"), "": tuned})


def warm_up(box: Box, beside: Beside, sockets: list[Path]) -> None:
    """Compiles kernels once, before many processes would do so beside one another, and waits for the servers."""
    for entrant in ("find-true-masks", "cow"):
        process = start(
            box.chosen.logs / "warm-up.log",
            *("run", "find/pasture-space-sprint-v1", "-e", entrant, "--no-videos", "--limit", "1", "--workers", "1"),
            *("-o", str(box.chosen.logs.parent / "warm-up")),
            variables={ADDRESS: str(sockets[0])},
        )
        status = time_box.wait(process, lambda: box.left_s)
        tell(box, f"warmed up with {entrant}: status {status}")
        while box.left_s > 0 and not all(socket.exists() for socket in sockets):
            beside.watch()
            time.sleep(0.5)


def main() -> int:
    """Runs rows until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--walkers-per-core", type=float, default=1.5, help="more where the network is slow to answer")
    parser.add_argument("--workers", type=int, default=2, help="walkers of each row")
    parser.add_argument(
        "--servers",
        type=int,
        default=2,
        choices=range(1, 65),
        metavar="N",
        help="processes that look, each with a network of its own",
    )
    parser.add_argument("--out", type=Path, default=Path("runs"))
    parser.add_argument("--logs", type=Path, default=Path("find-rows") / "logs")
    parser.add_argument("--to", type=Path, default=Path("find-rows"))
    parser.add_argument(
        "--images", type=int, default=200, help="pictures that CLIP's ways are tuned on; 0 does not tune"
    )
    parser.add_argument(
        "--views", type=Path, help="folder of `data views`: has things named there as soon as it exists"
    )
    parser.add_argument("--rows", default="*", help="which of them: a pattern of 'ENTRANT CAPABILITY'")
    parser.add_argument("--try-out", action="store_true", help="one episode of each row's sprint tier")
    chosen = parser.parse_args()
    chosen.logs.mkdir(parents=True, exist_ok=True)
    box = Box(chosen, time.monotonic() + 60 * chosen.minutes)
    sockets = [chosen.logs.parent.absolute() / f"eyes-{number}" for number in range(chosen.servers)]
    signal.signal(signal.SIGTERM, lambda number, frame: setattr(box, "ends", time.monotonic()))
    beside = Beside(box, sockets)
    try:
        work(box, beside, sockets)
    finally:
        time_box.end([*box.running])
        time_box.end(beside.processes)
        pack(chosen)
        tell(box, "packed")
    return 0


class Beside:
    """Processes that run beside the rows: servers, the tuning of thresholds, the naming of things."""

    def __init__(self, box: Box, sockets: list[Path]) -> None:
        """Starts the servers and the tuning."""
        self._box, self._logs = box, box.chosen.logs
        self._servers = {socket: self._serve(socket) for socket in sockets}
        untuned = [kind for kind in TUNED if read_thresholds("builtin", kind) is None]
        self._tuning = self._tune(untuned) if box.chosen.images and untuned else None
        self._naming: subprocess.Popen[bytes] | None = None

    @property
    def processes(self) -> list[subprocess.Popen[bytes]]:
        """All of them."""
        others = [one for one in (self._tuning, self._naming) if one is not None]
        return [*self._servers.values(), *others]

    @property
    def tuned(self) -> bool:
        """Whether thresholds are as good as they get."""
        return self._tuning is None or self._tuning.poll() is not None

    def watch(self) -> None:
        """Starts servers anew that have ended, and names things once there are views."""
        for socket, server in self._servers.items():
            if server.poll() is not None:
                tell(self._box, f"a server has ended with status {server.returncode}; another begins")
                self._servers[socket] = self._serve(socket)
        views = self._box.chosen.views
        if self._naming is None and views is not None and any(views.glob("*")):
            encoders = ("-e", "mean-colour", "pixels-16", "mae-tiny")
            self._naming = start(self._logs / "naming.log", "study", "find-naming", "--views", str(views), *encoders)

    def _serve(self, socket: Path) -> subprocess.Popen[bytes]:
        socket.unlink(missing_ok=True)
        return start(self._logs / f"{socket.name}.log", "find", "serve-localizers", str(socket))

    def _tune(self, kinds: list[str]) -> subprocess.Popen[bytes]:
        names = [f"{kind}:builtin" for kind in kinds]
        images = str(2 if self._box.chosen.try_out else self._box.chosen.images)
        return start(self._logs / "tuning.log", "tune-localizer", *names, "--images", images)


def work(box: Box, beside: Beside, sockets: list[Path]) -> None:
    """Begins one row after the other as cores become free, until the time is up."""
    warm_up(box, beside, sockets)
    packed = time.monotonic()
    waiting = [row for row in all_rows() if fnmatchcase(" ".join(row), box.chosen.rows)]
    next_socket = cycle(sockets)
    at_once = max(1, round(box.chosen.cores * box.chosen.walkers_per_core / box.chosen.workers))
    while box.left_s > 0 and (waiting or box.running):
        beside.watch()
        reap(box, waiting)
        ready = [row for row in waiting if beside.tuned or not row.tuned]
        for row in ready[: at_once - len(box.running)]:
            waiting.remove(row)
            run_row(box, row, next(next_socket))
        if time.monotonic() - packed > PACK_S:
            pack(box.chosen)
            packed = time.monotonic()
        time.sleep(0.5)


if __name__ == "__main__":
    sys.exit(main())
