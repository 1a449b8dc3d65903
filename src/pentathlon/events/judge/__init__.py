"""Judge: can a model tell whether a sequential task was done as described?"""

from pentathlon.core.events import EventCommand, EventEntry

__all__ = ["EVENT"]

EVENT = EventEntry(
    "judge",
    "can it tell whether a sequential task was done as described?",
    tasks="pentathlon.events.judge.tasks:TABLE",
    entrants=("pentathlon.events.judge.entrants:TABLE",),
    commands=(EventCommand("video", "pentathlon.events.judge.commands.video:Video"),),
    place=5,
)
