"""Builds the agents that the table names."""

from __future__ import annotations

from typing import Literal

from pentathlon.events.find.agents.approaches import Approach, CheckedApproach, ReleasedApproach
from pentathlon.events.find.agents.cow import CowAgent
from pentathlon.events.find.agents.eyes import Eyes, LocalizerEyes, ShutEyes, TrueMaskEyes
from pentathlon.events.find.agents.oracle_walk import OracleWalk
from pentathlon.events.find.agents.visits import AnchorVisits
from pentathlon.models.localizers import Localizer
from pentathlon.models.localizers.post_processing import PostProcessing
from pentathlon.models.navigation.explorers import Explorer, FrontierExplorer, RandomWalk
from pentathlon.models.navigation.settings import GUESSING, MENDED, RELEASED, CowSettings
from pentathlon.storage.files import file_digest

ExplorerName = Literal["frontier", "learned", "random", "oracle"]
# Places from which a localizer's find is looked at before it is dismissed.
MOST_TRIES = 4
# Pixels near enough to stop for at once; a centre pixel stands for its whole mask.
FEWEST_PX: dict[PostProcessing, int] = {"whole": 20, "centre": 1}


def make_cow(
    weights: str = "",
    *,
    released: bool = False,
    explorer: ExplorerName = "frontier",
    post: PostProcessing = "whole",
    apart: bool = True,
) -> CowAgent:
    """Builds CoW on a localizer, the built-in one unless another is named.

    Args:
        weights: ``clip-grad:HUB-ID`` and the like; empty for the built-in model.
        released: whether it has the released constants and rules rather than ours.
        explorer: who chooses where to go until something is seen.
        post: what is kept of the localizer's masks.
        apart: whether relations are asked of the map rather than of the localizer.
    """
    eyes = LocalizerEyes(find_localizer(weights), post, apart=apart and not released)
    settings = RELEASED if released else GUESSING
    return assemble(
        eyes,
        explorer,
        settings,
        most_tries=MOST_TRIES,
        fewest_px=FEWEST_PX[post],
        fingerprint=find_fingerprint(weights, explorer),
    )


def make_with_true_masks(
    *, released: bool = False, explorer: ExplorerName = "frontier", post: PostProcessing = "whole"
) -> CowAgent:
    """Builds the agent that is told where the target is as soon as it is in the picture."""
    settings, fingerprint = RELEASED if released else MENDED, find_fingerprint(None, explorer)
    return assemble(TrueMaskEyes(post), explorer, settings, fewest_px=FEWEST_PX[post], fingerprint=fingerprint)


def make_blind() -> CowAgent:
    """Builds the agent that explores, never sees its target, and stops where its steps end."""
    return CowAgent(ShutEyes(), FrontierExplorer(), CheckedApproach(), MENDED, stops_last=True)


def assemble(
    eyes: Eyes,
    explorer: ExplorerName,
    settings: CowSettings = MENDED,
    *,
    most_tries: int | None = None,
    fewest_px: int = FEWEST_PX["whole"],
    fingerprint: str | None = None,
) -> CowAgent:
    """Joins eyes and an explorer to an agent."""
    approach: Approach = ReleasedApproach() if settings is RELEASED else CheckedApproach(fewest_px, most_tries)
    visits = AnchorVisits() if settings.guess and explorer == "frontier" else None
    return CowAgent(eyes, find_explorer(explorer), approach, settings, visits=visits, fingerprint=fingerprint)


def find_fingerprint(localizer: str | None, explorer: ExplorerName) -> str | None:
    """Hashes the built-in networks of an agent, so that another training is another entrant; ``None`` without any."""
    from pentathlon.models.localizers.opening import fingerprint_of

    parts = [] if localizer is None else [fingerprint_of(localizer)]
    if explorer == "learned":
        from pentathlon.events.find.agents.learned_walk import WEIGHTS

        parts.append(file_digest(WEIGHTS)[:12])
    return "-".join(filter(None, parts)) or None


def find_explorer(name: ExplorerName) -> Explorer:
    """Makes an explorer by name."""
    if name == "learned":
        from pentathlon.events.find.agents.learned_walk import LearnedWalk

        return LearnedWalk()
    explorers: dict[str, type[Explorer]] = {"frontier": FrontierExplorer, "random": RandomWalk, "oracle": OracleWalk}
    return explorers[name]()


def find_localizer(name: str) -> Localizer:
    """Opens a localizer by name."""
    from pentathlon.models.localizers.opening import open_localizer

    return open_localizer(name)
