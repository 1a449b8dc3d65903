"""``pentathlon data judge-lessons``: films to train a judge on."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core import Runs
from pentathlon.events.pool_options import PoolOptions


@dataclass(frozen=True)
class Lessons(PoolOptions):
    """Make films for `pentathlon train judge-order`; the same command again makes only what is missing."""

    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])]
    """Folder for the films, as arrays."""
    kitchens: int = 1200
    """How many kitchens, with some eight films in each."""
    minutes: float | None = None
    """Begin no kitchen after this time."""

    def run(self, runs: Runs) -> int:
        """Makes what is missing and tells how much there is."""
        import msgspec

        from pentathlon.core.making import Item
        from pentathlon.events.judge.films.home.lessons import LessonsJob
        from pentathlon.learning.ordering.lessons import Kitchen
        from pentathlon.storage.making import make_missing

        until_s = None if self.minutes is None else time.time() + 60 * self.minutes
        folder = self.out.absolute()
        items = [
            Item(str(folder / f"kitchen-{number:05d}.json"), asdict(LessonsJob(number, until_s)))
            for number in range(self.kitchens)
        ]
        maker = "pentathlon.events.judge.films.home.lessons:make_lessons"
        make_missing(maker, items, pool=self.pool(runs), is_whole=lambda path: path.stat().st_size > 0)
        paths = [Path(item.path) for item in items if Path(item.path).stat().st_size]
        made = [msgspec.json.decode(path.read_bytes(), type=Kitchen) for path in paths]
        films, skipped = sum(len(one.lessons) for one in made), [text for one in made for text in one.skipped]
        for text in skipped[:5]:
            print(f"Skipped {text}")
        print(f"{self.out}: {films} films of {len(made)} kitchens, {len(skipped)} skipped")
        return 0
