"""Runs rows of explore's Table 2 on one machine within a time box, many houses at once.

    python bench/explore_rows.py --minutes 13 --cores 8 --out runs --to packed

Two lanes run beside each other, each a list of `pentathlon run`s, so that one that fails stops no other; the same
command goes on where it was ended. The first plays the nine hand-designed houses, then the same with all the steps that
the symbolic agent wants; the second plays generated houses, in their order. What is recorded lies in
`packed/explore-rows.tar.xz`, anew every minute, with the questions that were made, which serve the other agents.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import platformdirs

import time_box

PACK_S = 60.0
EVERY = 10
# The houses whose walk with all the steps it wants was never measured come first.
UNLIMITED = (("l_flat", "duplex", "gallery", "railroad", "farmhouse", "villa"), ("studio", "cottage", "loft"))
ALL_STEPS = ("--explore-steps", "20000", "--reentry-steps", "10000", "--explore-px", "64")


class Row(NamedTuple):
    """Arguments of a `pentathlon run`, and its workers."""

    arguments: tuple[str, ...]
    workers: int

    def command(self, out: Path) -> tuple[str, ...]:
        """Returns the whole command."""
        return ("run", *self.arguments, "--no-videos", "--workers", str(self.workers), "-o", str(out))


def generated(first: int, count: int) -> tuple[str, ...]:
    """Names the trials of every tenth house of the test split."""
    return tuple(f"house-{11_000 + EVERY * place}" for place in range(first, first + count))


def lanes(chosen: argparse.Namespace) -> tuple[Iterator[Row], Iterator[Row]]:
    """Returns what runs beside each other; a lane's next row begins when its last one has ended."""
    few = max(1, round(0.4 * chosen.cores))
    return _designed(few, try_out=chosen.try_out), _generated(chosen, max(1, chosen.cores - few))


def _designed(workers: int, *, try_out: bool) -> Iterator[Row]:
    task = "explore/architect-v1"
    if try_out:
        few = ("--explore-steps", "40", "--reentry-steps", "20", "--explore-px", "64")
        yield Row((task, "-e", "explore-symbolic", *few, "--trial", "architect-studio"), workers)
        return
    yield Row((task, "-e", "explore-symbolic"), workers)
    for entrant in ("explore-random", "explore-language"):
        yield Row((task, "-e", entrant), workers)
    for names in UNLIMITED:
        trials = (f"architect-{name}" for name in names)
        yield Row((task, "-e", "explore-symbolic", *ALL_STEPS, "--trial", *trials), workers)


def _generated(chosen: argparse.Namespace, workers: int) -> Iterator[Row]:
    task, trials = "explore/generated-v1", generated(chosen.first_house, chosen.houses)
    few = ("--explore-steps", "40", "--reentry-steps", "20") if chosen.try_out else ()
    for entrant in ("explore-symbolic", "explore-random", "explore-language"):
        yield Row((task, "-e", entrant, *few, "--trial", *trials), workers)


class Lane:
    """Runs its rows one after the other."""

    def __init__(self, name: str, rows: Iterator[Row], chosen: argparse.Namespace) -> None:
        self._rows, self._chosen, self._log = rows, chosen, chosen.logs / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def go_on(self) -> bool:
        """Begins the next row where the last one has ended; tells whether anything runs."""
        if self.process is not None and self.process.poll() is None:
            return True
        if self.process is not None and self.process.returncode:
            print(f"a row ended with status {self.process.returncode}; see {self._log}", flush=True)
        row = next(self._rows, None)
        if row is None:
            return False
        self.process = time_box.start(self._log, row.command(self._chosen.out))
        return True


def pack(chosen: argparse.Namespace) -> None:
    """Packs all records so far."""
    questions = platformdirs.user_cache_path("pentathlon") / "questions"
    others = {"logs": chosen.logs.glob("[!.]*"), "questions": questions.glob("[!.]*")}
    time_box.pack(chosen.to / "explore-rows.tar.xz", chosen.out, others)


def main() -> int:
    """Runs rows until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--first-house", type=int, default=0, help="place among every tenth house of the test split")
    parser.add_argument("--houses", type=int, default=100, help="how many of every tenth house")
    parser.add_argument("--out", type=Path, default=Path("runs"))
    parser.add_argument("--logs", type=Path, default=Path("explore-rows") / "logs")
    parser.add_argument("--to", type=Path, default=Path("explore-rows"))
    parser.add_argument("--try-out", action="store_true", help="a few steps in each row's first house")
    chosen = parser.parse_args()
    chosen.logs.mkdir(parents=True, exist_ok=True)
    ends = time.monotonic() + 60 * chosen.minutes
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    running = [Lane(name, rows, chosen) for name, rows in zip(("designed", "generated"), lanes(chosen), strict=True)]
    try:
        work(running, chosen, ends)
    except KeyboardInterrupt:
        print("told to stop", flush=True)
    finally:
        time_box.end([lane.process for lane in running if lane.process is not None])
        pack(chosen)
    return 0


def work(running: list[Lane], chosen: argparse.Namespace, ends: float) -> None:
    """Compiles kernels once, then keeps both lanes going until the time is up."""
    warm = Row(("explore/generated-sprint-v1", "-e", "explore-symbolic"), 1)
    process = time_box.start(chosen.logs / "warm-up.log", warm.command(chosen.out))
    print(f"warmed up: status {time_box.wait(process, lambda: ends - time.monotonic())}", flush=True)
    packed = time.monotonic()
    while time.monotonic() < ends and sum(lane.go_on() for lane in running):
        if time.monotonic() - packed > PACK_S:
            pack(chosen)
            packed = time.monotonic()
        time.sleep(0.5)


if __name__ == "__main__":
    sys.exit(main())
