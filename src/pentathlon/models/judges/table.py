"""The registered judges, as rows; nothing is imported until one is built."""

from __future__ import annotations

from typing import Any

from pentathlon.core.registry import EntrantEntry

FRAME_COUNTS = (2, 4, 8, 16)
DENSE_COUNTS = (2, 4, 8, 32)


def _row(id: str, factory: str, summary: str, *, needs_weights: bool = True, **options: Any) -> EntrantEntry:
    return EntrantEntry(
        id=id,
        kind="judge",
        summary=summary,
        factory=f"pentathlon.models.judges.{factory}",
        options=options,
        needs_weights=needs_weights,
    )


TABLE: tuple[EntrantEntry, ...] = (
    _row(
        "frames",
        "frames:make_frames",
        "CLIP or SigLIP over 32 frames, blind to order: frames@openai/clip-vit-base-patch32",
    ),
    *(_row(f"frames-{n}", "frames:make_frames", f"the same over {n} frames", frames=n) for n in FRAME_COUNTS),
    EntrantEntry(
        id="frames-dense",
        kind="judge",
        summary="the built-in image-text network over 16 frames, blind to order",
        factory="pentathlon.models.judges.dense:make_dense",
        sprint=("judge",),
    ),
    *(
        EntrantEntry(
            id=f"frames-dense-{n}",
            kind="judge",
            summary=f"the same over {n} frames",
            factory="pentathlon.models.judges.dense:make_dense",
            options={"frames": n},
        )
        for n in DENSE_COUNTS
    ),
    EntrantEntry(
        id="order",
        kind="judge",
        summary="a built-in network over 32 frames that sees in which order steps are done",
        factory="pentathlon.models.judges.ordering.judge:make_order",
    ),
    _row("viclip", "viclip:make_viclip", "ViCLIP-L over 8 frames, in its released layout: viclip@FOLDER"),
    _row("vlm", "vlm:make_vlm", "a vision-language model on this machine, in the paper's three messages: vlm@FOLDER"),
    _row("vlm-rubric", "vlm:make_rubric", "the same, asked for each sentence alone by a rubric from 1 to 5"),
    _row("vlm-true", "vlm:make_true", "the same, by how likely it says True to each sentence"),
)
