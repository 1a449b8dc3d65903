"""What the benchmark's files hold, in numbers: a table by capability, and how sentences describe things."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pentathlon.events.find.episodes.benchmark import SPLIT
from pentathlon.events.find.episodes.files import read_capability
from pentathlon.events.find.episodes.reading import read_claim
from pentathlon.events.find.episodes.records import CAPABILITIES, FindEpisode
from pentathlon.worlds.houses.splits import split_seeds


def statistics(folder: Path | None = None) -> str:
    """Writes them in Markdown; of a folder's files, or of the benchmark's own."""
    files = {capability: read_capability(capability, folder) for capability in CAPABILITIES}
    lines = ["| capability | houses | episodes | mean way (m) | longest (m) |", "|---|---|---|---|---|"]
    for capability, file in files.items():
        ways_m = [episode.length_m for episode in file.episodes]
        mean_m = sum(ways_m) / len(ways_m)
        row = (f"`{capability}`", len(file.houses), len(ways_m), f"{mean_m:.1f}", f"{max(ways_m):.1f}")
        lines.append(f"| {' | '.join(map(str, row))} |")
    small = _share([read_claim(episode.description).small for episode in files["pasture-appearance"].episodes])
    near = [len(read_claim(episode.description).near) for episode in files["pasture-space"].episodes]
    under = _share([" under " in episode.description for episode in files["pasture-hidden"].episodes])
    return "\n".join(
        [
            *lines,
            "",
            f"Houses by place in the {SPLIT} split: {_places(files['objectnav'].episodes)}; "
            f"large: {_places(files['objectnav-large'].episodes)}.",
            f"Of the appearance sentences {small:.0%} say small (paper: 47 %); a space sentence names "
            f"{sum(near) / len(near):.1f} things nearby (paper: 1.9); {under:.0%} of the hidden things lie under "
            "something, the others in something.",
        ]
    )


def _share(told: Sequence[bool]) -> float:
    return sum(told) / len(told)


def _places(episodes: Sequence[FindEpisode]) -> str:
    seeds = dict.fromkeys(int(episode.house.split("-")[1]) for episode in episodes)
    return ", ".join(str(seed - split_seeds(SPLIT).start) for seed in seeds)
