"""``pentathlon find check``, ``find episodes``, ``find make`` and ``find statistics``: the benchmark's files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core.runs import Runs


@dataclass(frozen=True)
class Check:
    """Check the benchmark's episodes: no sentence is false, none fits two things, every target can be found."""

    capabilities: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """Which capabilities, such as 'pasture-space'; all by default."""
    houses: int | None = None
    """Look at the first houses of each only."""
    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 0
    """Processes; 0 takes one per core."""
    folder: Path | None = None
    """Check the files in this folder, which `find make` wrote, rather than those that are shipped."""

    def run(self, runs: Runs) -> int:
        """Prints every complaint; 1 where there is one."""
        from pentathlon.core.errors import UnknownIdError
        from pentathlon.events.find.episodes.checking import check_files
        from pentathlon.events.find.episodes.records import CAPABILITIES

        for name in self.capabilities:
            if name not in CAPABILITIES:
                raise UnknownIdError("capability", name, CAPABILITIES)
        chosen = [name for name in CAPABILITIES if name in (self.capabilities or CAPABILITIES)]
        count = 0
        for capability, houses, found in check_files(chosen, self.houses, self.workers, self.folder):
            count += len(found)
            print(f"{capability}: {houses} houses, {len(found)} complaints", flush=True)
            for line in found:
                print(f"  {line}")
        return 1 if count else 0


@dataclass(frozen=True)
class Episodes:
    """List the episodes of a file, RoboTHOR's or one of the benchmark's."""

    file: Annotated[Path, tyro.conf.Positional]
    """Gzipped JSON."""

    def run(self, runs: Runs) -> int:
        """Prints one line for each episode, and a summary."""
        for line in list_episodes(self.file):
            print(line)
        return 0


@dataclass(frozen=True)
class Make:
    """Make the benchmark's files anew; the same version of the houses gives the same files.

    The same command again goes on where it stopped.
    """

    out: Annotated[Path, tyro.conf.Positional]
    """Folder to write to."""
    houses: int = 30
    """Houses of 3 to 6 rooms."""
    large_houses: int = 15
    """Houses of 7 to 9 rooms."""
    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 0
    """Processes; 0 takes one per core. The files do not depend on it."""

    def run(self, runs: Runs) -> int:
        """Prints a line for each house."""
        from pentathlon.events.find.episodes.benchmark import make_benchmark

        pool = runs.pool(self.workers)
        make_benchmark(self.out, self.houses, self.large_houses, pool, lambda line: print(line, flush=True))
        return 0


@dataclass(frozen=True)
class Statistics:
    """Tell what the benchmark's files hold: houses, episodes, ways and words."""

    folder: Path | None = None
    """Folder that `find make` wrote; the files that are shipped where none is given."""

    def run(self, runs: Runs) -> int:
        """Prints them."""
        from pentathlon.events.find.episodes.statistics import statistics

        print(statistics(self.folder))
        return 0


def list_episodes(path: Path) -> list[str]:
    """Returns a line for each episode of a file, and a summary.

    Raises:
        DataError: when it is no episode file.
    """
    from pentathlon.core.errors import DataError
    from pentathlon.events.find.episodes.files import read_episodes
    from pentathlon.events.find.episodes.robothor import read_robothor

    try:
        rows = [(item.id, item.scene, item.object_type, item.shortest_path_length) for item in read_robothor(path)]
    except DataError as refusal:
        try:
            own = read_episodes(path).episodes
        except DataError:
            raise refusal from None
        rows = [(item.id, item.house, item.description, item.length_m) for item in own]
    lines = [f"{name}  {scene}  {what}  {length_m:.2f} m" for name, scene, what, length_m in rows]
    scenes = Counter(scene for _, scene, _, _ in rows)
    mean_m = sum(length_m for *_, length_m in rows) / max(1, len(rows))
    return [*lines, f"{len(rows)} episodes in {len(scenes)} scenes, shortest ways {mean_m:.2f} m on average"]
