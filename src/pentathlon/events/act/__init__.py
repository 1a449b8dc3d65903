"""act: does a policy that was trained offline work on a robot it never touched?"""

from pentathlon.core.events import EventCommand, EventEntry

__all__ = ["EVENT"]

EVENT = EventEntry(
    "act",
    "does a policy that was trained offline work on a robot it never touched?",
    tasks="pentathlon.events.act.tasks:TABLE",
    entrants=("pentathlon.events.act.entrants:TABLE", "pentathlon.events.act.policies.table:TABLE"),
    studies=(EventCommand("act-tables", "pentathlon.events.act.commands.tables:Tables"),),
    training="pentathlon.events.act.commands.train:TABLE",
    data=(
        EventCommand("get", "pentathlon.events.act.commands.datasets:Get"),
        EventCommand("merge", "pentathlon.events.act.commands.datasets:Merge"),
    ),
    commands=(EventCommand("errors", "pentathlon.events.act.commands.errors:Errors"),),
    place=4,
)
