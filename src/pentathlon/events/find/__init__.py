"""Find: can an agent go to what a sentence describes, in a house that it never saw?"""

from pentathlon.core.events import EventCommand, EventEntry, EventOption

__all__ = ["EVENT"]

EVENT = EventEntry(
    "find",
    "can it go to what a sentence describes, in a house that it never saw?",
    tasks="pentathlon.events.find.tasks:TABLE",
    entrants=("pentathlon.events.find.entrants:TABLE", "pentathlon.events.find.agents.table:TABLE"),
    chat="pentathlon.events.find.agents.chat:make_chat",
    options=(
        EventOption(
            "bumper",
            "Tell the agent whether its last action was blocked; a protocol variant with its own run folder.",
            type=bool,
        ),
    ),
    studies=(
        EventCommand("find-figures", "pentathlon.events.find.commands.study:Figures"),
        EventCommand("find-naming", "pentathlon.events.find.commands.naming:Naming"),
        EventCommand("find-tables", "pentathlon.events.find.commands.study:Tables"),
    ),
    commands=(
        EventCommand("categories", "pentathlon.events.find.commands.categories:Categories"),
        EventCommand("check", "pentathlon.events.find.commands.episodes:Check"),
        EventCommand("episodes", "pentathlon.events.find.commands.episodes:Episodes"),
        EventCommand("locate", "pentathlon.events.find.commands.locate:Locate"),
        EventCommand("make", "pentathlon.events.find.commands.episodes:Make"),
        EventCommand("paths", "pentathlon.events.find.commands.paths:Paths"),
        EventCommand("serve-localizers", "pentathlon.events.find.commands.serve_localizers:ServeLocalizers"),
        EventCommand("statistics", "pentathlon.events.find.commands.episodes:Statistics"),
    ),
    place=3,
)
