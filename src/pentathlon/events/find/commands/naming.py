"""``pentathlon study find-naming``: the image-text network beside pixels and other encoders, naming things in view."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core.runs import Runs
from pentathlon.stats import Interval

ENCODERS = ("mean-colour", "pixels-16", "mae-tiny", "efficientnet-lite0-imagenet")


@dataclass(frozen=True)
class Naming:
    """Name things of held-out houses by the network's words, and by linear probes on encoders' features."""

    views: Path
    """Folder that `pentathlon data views` wrote."""
    weights: Path | None = None
    """Of the network; the built-in one where none is given."""
    encoders: Annotated[tuple[str, ...], tyro.conf.arg(aliases=["-e"])] = ENCODERS
    """Encoders to set beside it."""
    fitted: int = 12_000
    """Things of training houses that probes are fitted on."""
    measured: int = 6_000
    """Things of held-out houses."""

    def run(self, runs: Runs) -> int:
        """Prints a table."""
        from pentathlon.core import resolve_entrant
        from pentathlon.learning.detectors.measuring.naming import name_things
        from pentathlon.learning.pretraining.loop import default_device
        from pentathlon.models.image_text.trained import load_dense
        from pentathlon.models.localizers.opening import DENSE
        from pentathlon.models.weights import BUILTIN_FOLDER

        trained = load_dense(self.weights or BUILTIN_FOLDER / f"{DENSE}.safetensors")
        trained.network.to(default_device())
        encoders = {name: resolve_entrant(name).make() for name in self.encoders}
        found = name_things(trained, self.views, encoders, self.fitted, self.measured)
        print("| named by | first, % | among the first five, % | things | houses |\n|---|---|---|---|---|")
        for name, named in found.items():
            cells = (_score_text(*named.score(names)) for names in (1, 5))
            print(f"| {name} | {' | '.join(cells)} | {len(named.before)} | {len(set(named.houses.tolist()))} |")
        return 0


def _score_text(value: float, interval: Interval) -> str:
    return f"{100 * value:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
