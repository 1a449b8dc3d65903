"""``pentathlon judge dataset``: what a folder of the ViSTa dataset holds, and what is broken in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import tyro

from pentathlon.core import Runs
from pentathlon.core.numbers import count


@dataclass(frozen=True)
class Dataset:
    """List the problem sets of a ViSTa folder and everything that is broken in it; status 1 where something is."""

    folder: tyro.conf.Positional[Path]
    """The dataset's folder 'data', with 'tasks', 'metadata.csv' and 'videos' in it."""
    videos: Path | None = None
    """Where the videos lie, where not in 'data/videos'."""

    def run(self, runs: Runs) -> int:
        """Prints a line per group and level, then a line per fault."""
        from pentathlon.events.judge.data.metadata import disagreements, read_metadata
        from pentathlon.events.judge.data.vista import read_vista

        found = read_vista(self.folder / "tasks", self.videos or self.folder / "videos")
        groups = Counter((one.environment, one.level, one.group) for one in found.problem_sets)
        clips = Counter((one.environment, one.level, one.group) for one in found.problem_sets for _ in one.clips)
        for key, sets in sorted(groups.items()):
            environment, level, group = key
            print(f"{environment}, level {level}, {group}: {count(sets, 'problem set')}, {count(clips[key], 'video')}")
        faults = list(found.faults)
        metadata = self.folder / "metadata.csv"
        if metadata.is_file():
            rows = read_metadata(metadata)
            print(f"{metadata.name}: {count(len(rows), 'row')}, {count(len({row.video for row in rows}), 'video')}")
            faults += disagreements(rows, found.problem_sets, metadata)
        for fault in faults:
            print(f"broken: {fault}")
        print(f"{count(len(found.problem_sets), 'problem set')}, {count(len(faults), 'fault')}")
        return 1 if faults else 0
