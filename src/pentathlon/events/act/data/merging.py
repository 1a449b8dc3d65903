"""New versions of a dataset of act: its own episodes, and then those that robots or people recorded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from pentathlon.core import DataError
from pentathlon.events.act.data.collect import RECIPE_PATH
from pentathlon.events.act.data.dataset import ActDataset, dataset_info, open_dataset
from pentathlon.events.act.data.episode_files import (
    EPISODES_GLOB,
    episode_index,
    episode_path,
    facts_of,
    from_png,
    read_episode,
)
from pentathlon.storage.files import whole_folder, write_durably
from pentathlon.storage.lerobot import Episode, write_dataset


def merge(base: ActDataset, folders: Sequence[Path], out: Path) -> ActDataset:
    """Writes a new version of a dataset: all its episodes, and then those in ``folders``, which robots recorded.

    Raises:
        DataError: when there is nothing to add, an episode is of another task or size, or ``out`` holds something.
    """
    added = [(path.parent, episode_index(path)) for folder in folders for path in sorted(folder.glob(EPISODES_GLOB))]
    if not added:
        raise DataError(f"Expected episodes to add in {', '.join(map(str, folders))}, found none.")
    about = json.loads((base.folder / RECIPE_PATH).read_text())
    together = chain(base.episodes(), (_recorded_episode(*place, about) for place in added))
    with whole_folder(out, "the new version") as partial:
        write_dataset(partial, dataset_info(about), together)
        text = json.dumps({**about, "episodes": len(base) + len(added)}, indent=1)
        write_durably(partial / RECIPE_PATH, text.encode())
    return open_dataset(out)


def _recorded_episode(folder: Path, index: int, about: dict[str, Any]) -> Episode:
    recorded = read_episode(folder, index)
    task = recorded.notes.get("task", about["task"])
    size = [list(from_png(picture).shape[:2]) for step, picture in recorded.pictures.items() if step == 0]
    if task != about["task"] or size != [list(about["image_size"])]:
        raise DataError(
            f"Expected an episode of {about['task']} with pictures of {about['image_size']} pixels to add, "
            f"got {task} with {size[0] if size else 'none'} in {episode_path(folder, index)}. Leave its folder out."
        )
    columns = {"observation.state": recorded.joints, "action": recorded.actions, "next.reward": recorded.rewards}
    notes = {"source": recorded.notes["source"], **facts_of(recorded.notes)}
    return Episode(columns, recorded.frames(), notes)
