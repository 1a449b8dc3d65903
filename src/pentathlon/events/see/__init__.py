"""See: which visual representation supports control?"""

from pathlib import Path

from pentathlon.core.events import EventCommand, EventEntry, EventOption

__all__ = ["EVENT"]

EVENT = EventEntry(
    "see",
    "does this visual representation support control?",
    tasks="pentathlon.events.see.tasks:TABLE",
    options=(
        EventOption(
            "renderer",
            "Renderer other than the protocol's own; a protocol variant with its own run folder.",
            choices=("raycast", "opengl"),
        ),
        EventOption(
            "adapt",
            "Train the encoder together with the policy (e2e), or not; a protocol variant with its own run folder.",
            choices=("frozen", "e2e"),
        ),
        EventOption(
            "inputs",
            "What a policy is given: features as they are, as in the paper, or each less its mean and over its spread "
            "in the demonstrations (standardised); a protocol variant with its own run folder.",
            choices=("paper", "standardised"),
        ),
        EventOption(
            "demonstrations",
            "Learn from the demonstrations in this folder, written by 'data import' or 'data export'; a protocol "
            "variant with its own run folder.",
            type=Path,
        ),
        EventOption(
            "policies",
            "Folder of ImageNav policies other than the package's, as `train imagenav` writes them; several "
            "are called imagenav-NAME.safetensors.",
            type=Path,
        ),
    ),
    studies=(EventCommand("see-encoders", "pentathlon.events.see.commands.study:Study"),),
    data=(
        EventCommand("make", "pentathlon.events.see.commands.demonstrations:Make"),
        EventCommand("export", "pentathlon.events.see.commands.demonstrations:Export"),
        EventCommand("import", "pentathlon.events.see.commands.demonstrations:Import"),
        EventCommand("experts", "pentathlon.events.see.commands.experts:Experts"),
    ),
    commands=(EventCommand("adapt", "pentathlon.events.see.commands.adapt:Adapt"),),
    place=1,
)
