"""The tasks on the released ViSTa dataset, by environment, level and group; they need its folder (``--vista DIR``)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pentathlon.core import TaskEntry, TaskId, Tier, UsageError
from pentathlon.events.judge.protocol import make_protocol
from pentathlon.events.judge.tasks import KINDS, LEVEL_ONE, SEVERAL, JudgeTask

ENVIRONMENTS: dict[str, str] = {"virtual-home": "alfred", "real-world": "real_life", "minecraft": "minecraft"}
"""What the paper and what the dataset's folders call them."""

ONLY_REAL: dict[str, str] = {
    "opening_v_closing": "a door opens or closes, anywhere",
    "object": "a thing picked from a cluttered table",
    "object_tracking": "whether the leftmost is still leftmost",
    "object_interaction": "pinned or not",
}
LEVELS: dict[str, tuple[int, ...]] = {
    "virtual-home": tuple(SEVERAL),
    "real-world": (2, 3, 4, 5, 8),
    "minecraft": (2, 3),
}
_FACTORY = "pentathlon.events.judge.vista_tasks:make_vista_task"


def make_vista_task(
    name: str,
    below: str,
    vista: str = "",
    vista_videos: str = "",
    skip_broken: bool = False,
    tier: Tier = "full",
) -> JudgeTask:
    """Builds a task on the released dataset.

    Args:
        name: of the task.
        below: the folder of its task files.
        vista: the dataset's folder ``data``, with ``tasks`` and, unless told otherwise, ``videos`` in it.
        vista_videos: where the videos lie.
        skip_broken: leave out what is broken.
        tier: always the full one.

    Raises:
        UsageError: when no folder was given.
        DataError: naming what is broken.
    """
    from pentathlon.events.judge.data.vista import read_vista

    if not vista:
        raise UsageError(f"Expected the folder of the ViSTa dataset for judge/{name}-v1, got none. Add: --vista DIR")
    folder = Path(vista)
    found = read_vista(folder / "tasks", Path(vista_videos) if vista_videos else folder / "videos", below)
    if not skip_broken:
        found.require_whole()
    return JudgeTask(make_protocol(name, tier, "match", found.problem_sets), found.problem_sets)


def _rows() -> Iterator[TaskEntry]:
    for environment, folder in ENVIRONMENTS.items():
        groups = {} if environment == "minecraft" else LEVEL_ONE
        for group, meaning in groups.items():
            yield _row(f"{environment}-{group}", f"{folder}/foundation/{group}", meaning)
        if environment == "real-world":
            for group, meaning in ONLY_REAL.items():
                yield _row(f"{environment}-{group}", f"{folder}/extrapyramidal/{group}", meaning)
        if environment == "minecraft":
            yield _row(
                f"{environment}-level-1", f"{folder}/foundation", "single actions, some sets with several labels"
            )
        for level in LEVELS[environment]:
            for group, (word, meaning) in KINDS.items():
                name = f"{environment}-level-{level}-{word}"
                yield _row(name, f"{folder}/level_{level}/{group}", meaning.format(level=level))


def _row(name: str, below: str, meaning: str) -> TaskEntry:
    named = f"vista-{name.replace('_', '-')}"
    return TaskEntry(
        id=str(TaskId("judge", named)),
        summary=f"the released dataset: {meaning}",
        factory=_FACTORY,
        options={"name": named, "below": below},
        needs="vista",
    )


TABLE: tuple[TaskEntry, ...] = tuple(_rows())
