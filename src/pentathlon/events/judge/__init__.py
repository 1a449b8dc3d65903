"""Judge: can a model tell whether a sequential task was done as described?"""

from pathlib import Path

from pentathlon.core.events import EventCommand, EventEntry, EventOption

__all__ = ["EVENT"]

EVENT = EventEntry(
    "judge",
    "can it tell whether a sequential task was done as described?",
    tasks="pentathlon.events.judge.table:TABLE",
    entrants=("pentathlon.events.judge.entrants:TABLE",),
    chat="pentathlon.models.judges.chat:make_chat",
    options=(
        EventOption("vista", "Folder 'data' of the released ViSTa dataset, for judge/vista-*.", type=Path),
        EventOption("vista-videos", "Folder of its videos, where they are not in 'data/videos'.", type=Path),
        EventOption("skip-broken", "Leave out what is broken in it; otherwise a broken entry is refused.", type=bool),
    ),
    studies=(EventCommand("judge-figures", "pentathlon.events.judge.commands.figures:Figures"),),
    data=(EventCommand("judge-lessons", "pentathlon.events.judge.commands.lessons:Lessons"),),
    commands=(
        EventCommand("cost", "pentathlon.events.judge.commands.cost:Cost"),
        EventCommand("dataset", "pentathlon.events.judge.commands.dataset:Dataset"),
        EventCommand("films", "pentathlon.events.judge.commands.films:Films"),
        EventCommand("inspect", "pentathlon.events.judge.commands.inspect:Inspect"),
        EventCommand("video", "pentathlon.events.judge.commands.video:Video"),
    ),
    of_files="video",
    pages="pentathlon.events.judge.pages:video_pages",
    suites=("near-miss", "virtual-home"),
    place=5,
)
