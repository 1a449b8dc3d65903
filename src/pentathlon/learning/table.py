"""What ``pentathlon train`` offers that belongs to no event, as rows; nothing is imported until it is used."""

from __future__ import annotations

from pentathlon.core.events import EventCommand

TRAINING: tuple[EventCommand, ...] = (
    EventCommand("mae", "pentathlon.learning.pretraining.commands:Mae"),
    EventCommand("contrastive", "pentathlon.learning.pretraining.commands:Contrastive"),
    EventCommand("places", "pentathlon.learning.pretraining.commands:Places"),
    EventCommand("image-text", "pentathlon.learning.detectors.commands:ImageText"),
    EventCommand("judge-order", "pentathlon.learning.ordering.commands:JudgeOrder"),
    EventCommand("dmcontrol-expert", "pentathlon.learning.reinforcement.settings:DmcontrolExpertSettings"),
    EventCommand("find-explorer", "pentathlon.learning.reinforcement.settings:ExplorerSettings"),
    EventCommand("imagenav", "pentathlon.learning.reinforcement.settings:ImageNavSettings"),
    EventCommand("pen-expert", "pentathlon.learning.reinforcement.settings:PenExpertSettings"),
    EventCommand("relocate-expert", "pentathlon.learning.reinforcement.settings:RelocateExpertSettings"),
)
