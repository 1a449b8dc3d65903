"""The registered agents, as rows; nothing is imported until one is built."""

from __future__ import annotations

from dataclasses import replace

from pentathlon.core.registry import EntrantEntry, EntrantRows
from pentathlon.models.weights import BUILTIN_FOLDER, IMAGE_TEXT_FILES

_row = EntrantRows("agent", "pentathlon.events.explore.", "explore")


def _trained(name: str, summary: str) -> EntrantEntry:
    files = (BUILTIN_FOLDER / name / "belief.safetensors", BUILTIN_FOLDER / "explore-reader" / "model.safetensors")
    return replace(_row(name, "learned.agent:make_builtin", summary, name=name), files=tuple(map(str, files)))


TABLE: tuple[EntrantEntry, ...] = (
    _row("explore-random", "baselines:RandomAgent", "stays and guesses: what chance gives", sprint=True),
    _row("explore-language", "baselines:LanguageAgent", "stays and knows the questions' words alone", sprint=True),
    _row(
        "explore-symbolic",
        "agents.symbolic:make_symbolic",
        "maps, opens, weighs and remembers, with true perception: a ceiling, not an entrant",
        sprint=True,
    ),
    replace(
        _row(
            "explore-symbolic-sighted",
            "sighted.agent:make_sighted",
            "the same by the built-in image-text network and touch; its pose, plans and programs are true",
        ),
        files=IMAGE_TEXT_FILES,
    ),
    _trained("explore-qa", "the paper's QA: trained to answer, rewarded for answers that became right"),
    _trained("explore-novelty", "the paper's Novelty: trained to answer, rewarded for what is new"),
    _trained("explore-novelty-qa", "the paper's Novelty+QA: trained to answer, rewarded for both"),
    _row(
        "explore-learned",
        "learned.agent:make_learned",
        "what `pentathlon train explorer` wrote: explore-learned@DIR",
        needs_weights=True,
    ),
)
