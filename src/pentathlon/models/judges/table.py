"""The registered judges, as rows; nothing is imported until one is built."""

from __future__ import annotations

from pentathlon.core.registry import EntrantEntry

TABLE: tuple[EntrantEntry, ...] = (
    EntrantEntry(
        id="frames",
        kind="judge",
        summary="CLIP or SigLIP over 32 frames, blind to order: frames@openai/clip-vit-base-patch32",
        factory="pentathlon.models.judges.frames:make_frames",
        needs_weights=True,
    ),
)
