"""CoW and its controls, as rows; nothing is imported until one is built."""

from __future__ import annotations

from dataclasses import replace

from pentathlon.core.registry import EntrantEntry, EntrantRows
from pentathlon.models.weights import BUILTIN_FOLDER, IMAGE_TEXT_FILES

EXPLORER = str(BUILTIN_FOLDER / "explorer.safetensors")
_row = EntrantRows("agent", "pentathlon.events.find.agents.factories:", "find")


def _files(row: EntrantEntry) -> tuple[str, ...]:
    """What is shipped of an agent's networks: another training is another entrant."""
    sees = IMAGE_TEXT_FILES if row.factory.endswith(":make_cow") else ()
    return (*sees, EXPLORER) if row.options.get("explorer") == "learned" else sees


_ROWS: tuple[EntrantEntry, ...] = (
    _row(
        "cow",
        "make_cow",
        "CoW, mended, on the built-in localizer or another: cow@owl:google/owlvit-base-patch32",
        sprint=True,
    ),
    _row(
        "cow-centre",
        "make_cow",
        "the same with centre pixels: cow-centre@KIND:WEIGHTS",
        post="centre",
    ),
    _row(
        "cow-sentence",
        "make_cow",
        "the same with whole sentences asked of the localizer, relations included: cow-sentence@KIND:WEIGHTS",
        apart=False,
    ),
    _row(
        "cow-released",
        "make_cow",
        "CoW with the released constants and rules: cow-released@KIND:WEIGHTS",
        released=True,
    ),
    _row(
        "cow-released-centre",
        "make_cow",
        "the same with centre pixels: cow-released-centre@KIND:WEIGHTS",
        released=True,
        post="centre",
    ),
    _row(
        "cow-random",
        "make_cow",
        "walks at random until a localizer sees the target: cow-random@KIND:WEIGHTS",
        explorer="random",
    ),
    _row(
        "cow-learned",
        "make_cow",
        "a trained explorer walks until a localizer sees the target: cow-learned@KIND:WEIGHTS",
        explorer="learned",
    ),
    _row(
        "find-oracle-explorer",
        "make_cow",
        "walks the oracle's way until a localizer sees the target: find-oracle-explorer@KIND:WEIGHTS",
        explorer="oracle",
    ),
    _row(
        "find-true-masks",
        "make_with_true_masks",
        "CoW, mended, told the target's pixels: what exploration costs",
    ),
    _row(
        "find-true-masks-released",
        "make_with_true_masks",
        "CoW as released, told the target's pixels",
        released=True,
    ),
    _row(
        "find-random-true-masks",
        "make_with_true_masks",
        "walks at random, told the target's pixels: what exploration gains",
        explorer="random",
    ),
    _row(
        "find-learned-true-masks",
        "make_with_true_masks",
        "a trained explorer walks, told the target's pixels: what frontiers gain",
        explorer="learned",
    ),
    _row("find-frontier", "make_blind", "explores, sees no target and stops with its last step"),
)

TABLE: tuple[EntrantEntry, ...] = tuple(replace(row, files=_files(row)) for row in _ROWS)
