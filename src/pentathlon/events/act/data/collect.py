"""Collects a dataset of act in parallel and goes on where it was stopped.

The episodes keep their pictures as PNG until ``pentathlon data get`` turns them into videos.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from pentathlon.core import DataError, to_plain
from pentathlon.core.making import Item, Pool
from pentathlon.events.act.data.episode_files import episode_index, episode_path, read_notes
from pentathlon.events.act.data.makers import Cloned, Job
from pentathlon.events.act.data.plan import DataRecipe, EpisodePlan, plan_episodes
from pentathlon.storage.files import write_durably
from pentathlon.storage.lock import FolderLock
from pentathlon.storage.making import SERIAL, make_missing

EPISODES_FOLDER = "episodes"
CLONES_FOLDER = "clones"
RECIPE_PATH = "meta/act.json"
RECORD = "pentathlon.events.act.data.makers:record_episode"
CLONE = "pentathlon.events.act.data.makers:clone_at"

Progress = Callable[[int, int], None]
"""Called with the episodes recorded so far and wanted."""


def collect(
    recipe: DataRecipe,
    folder: Path,
    *,
    pool: Pool = SERIAL,
    progress: Progress = lambda made, wanted: None,
) -> None:
    """Records what is missing: first what is operated, then what is cloned and replayed from it.

    Processes that do so at once share the work.

    Raises:
        HeldError: when another process makes videos of the episodes, naming that process.
        DataError: when the folder holds another dataset, or an episode cannot be recorded.
    """
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with writing(folder, shared=True):
        if not is_finished(folder):
            _collect(recipe, folder, pool, progress)


@contextmanager
def writing(folder: Path, *, shared: bool = False) -> Iterator[None]:
    """Keeps other processes from writing to a dataset, but for those that ``shared`` it too."""
    with FolderLock(folder, shared=shared):
        yield


def is_finished(folder: Path) -> bool:
    """Whether a dataset is a LeRobotDataset, or still single episodes."""
    return (folder / "meta" / "info.json").exists()


def _collect(recipe: DataRecipe, folder: Path, pool: Pool, progress: Progress) -> None:
    _write_recipe(folder, recipe)
    episodes = folder / EPISODES_FOLDER
    plans = plan_episodes(recipe)
    recorded = {plan.index for plan in plans if read_notes(episode_path(episodes, plan.index)) is not None}
    progress(len(recorded), len(plans))
    for sources in (("teleop",), ("cloned", "replay")):
        wanted = [plan for plan in plans if plan.source in sources and plan.index not in recorded]
        _clone_missing(folder, plans, wanted, pool)

        def tell(path: Path) -> None:
            recorded.add(episode_index(path))
            progress(len(recorded), len(plans))

        make_missing(RECORD, _items(folder, recipe, plans, wanted), pool=pool, is_whole=_is_whole, on_made=tell)


def _write_recipe(folder: Path, recipe: DataRecipe) -> None:
    path = folder / RECIPE_PATH
    text = json.dumps(to_plain(recipe), indent=1)
    if path.exists() and path.read_text() != text:
        raise DataError(f"{folder} holds a dataset of another recipe than {recipe.name}. Choose another folder.")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_durably(path, text.encode())


def _is_whole(path: Path) -> bool:
    return read_notes(path) is not None


def _items(folder: Path, recipe: DataRecipe, plans: Sequence[EpisodePlan], wanted: Sequence[EpisodePlan]) -> list[Item]:
    cloned = {
        location: Cloned(str(_clone_folder(folder, location)), _mean_steps(_teachers(folder, plans, location)))
        for location in _locations_to_clone(wanted)
    }
    jobs = [Job(recipe, plan, cloned[plan.setup.location] if plan.source == "cloned" else None) for plan in wanted]
    return [Item(str(episode_path(folder / EPISODES_FOLDER, job.plan.index)), to_plain(job)) for job in jobs]


def _clone_missing(folder: Path, plans: Sequence[EpisodePlan], wanted: Sequence[EpisodePlan], pool: Pool) -> None:
    """Clones what was operated at each location where a cloned policy is wanted."""
    from pentathlon.learning.policies.saving import SETTINGS_NAME

    items = [
        Item(
            str(_clone_folder(folder, location) / SETTINGS_NAME),
            {"location": location, "episodes": [str(path) for path in _teachers(folder, plans, location)]},
        )
        for location in _locations_to_clone(wanted)
    ]
    make_missing(CLONE, items, pool=pool)


def _locations_to_clone(wanted: Sequence[EpisodePlan]) -> list[str]:
    return sorted({plan.setup.location for plan in wanted if plan.source == "cloned"})


def _clone_folder(folder: Path, location: str) -> Path:
    return folder / CLONES_FOLDER / location


def _teachers(folder: Path, plans: Sequence[EpisodePlan], location: str) -> list[Path]:
    chosen = [plan for plan in plans if plan.source == "teleop" and plan.setup.location == location]
    return [episode_path(folder / EPISODES_FOLDER, plan.index) for plan in chosen]


def _mean_steps(teachers: Sequence[Path]) -> int:
    notes = [read_notes(path) for path in teachers]
    return round(float(np.mean([note["length"] for note in notes if note is not None])))
