"""Explore: what does an agent know of a house after exploring it freely?"""

from pathlib import Path

from pentathlon.core.events import EventCommand, EventEntry, EventOption

__all__ = ["EVENT"]

EVENT = EventEntry(
    "explore",
    "what does it know of a house after exploring it freely?",
    tasks="pentathlon.events.explore.tasks:TABLE",
    entrants=("pentathlon.events.explore.entrants:TABLE",),
    options=(
        EventOption(
            "explore-steps",
            "Steps of free exploration in place of the tier's; a protocol variant with its own run folder.",
            type=int,
            sets="steps",
        ),
        EventOption(
            "reentry-steps",
            "The most steps of the return in place of the tier's; a protocol variant with its own run folder.",
            type=int,
        ),
        EventOption(
            "explore-px",
            "Width and height of the pictures in place of the tier's; a protocol variant with its own run folder.",
            type=int,
            sets="size_px",
        ),
        EventOption(
            "questions",
            "A file of questions that are asked in place of the generated ones.",
            type=Path,
            sets="questions_file",
        ),
    ),
    chat="pentathlon.events.explore.agents.chat:make_chat",
    training="pentathlon.events.explore.commands.train:TABLE",
    studies=(EventCommand("explore", "pentathlon.events.explore.commands.study:Study"),),
    commands=(
        EventCommand("balance", "pentathlon.events.explore.commands.questions:Balance"),
        EventCommand("check", "pentathlon.events.explore.commands.questions:Check"),
        EventCommand("fit-k", "pentathlon.events.explore.commands.fit_k:FitK"),
        EventCommand("play", "pentathlon.events.explore.commands.play:Play"),
        EventCommand("statistics", "pentathlon.events.explore.commands.questions:Statistics"),
        EventCommand("text-only", "pentathlon.events.explore.commands.questions:TextOnly"),
    ),
    place=2,
)
