"""``pentathlon study find-tables`` and ``study find-figures``: the paper's tables 1, 2 and 6, and figures 5 and 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from pentathlon.core import Runs, TaskId, UsageError
from pentathlon.core.registry import TASKS
from pentathlon.events.study_sources import StudySources

if TYPE_CHECKING:
    from pentathlon.core import Outcome
    from pentathlon.events.find.episodes.records import Capability
    from pentathlon.events.find.study import Recorded


@dataclass(frozen=True, kw_only=True)
class Sources(StudySources):
    """Which runs a study of find takes, and how it runs those that are missing."""

    def gather(self, runs: Runs, entrants: Sequence[str], capabilities: Sequence[Capability]) -> Recorded:
        """Runs what is missing, or nothing, and returns what is recorded."""
        found: dict[tuple[str, Capability], Sequence[Outcome]] = {}
        for capability in capabilities:
            task = TASKS.get(str(TaskId("find", capability, self.tier, 1)))
            for entrant in entrants:
                found[entrant, capability] = self.outcomes(runs, task, entrant)
        return found


@dataclass(frozen=True)
class Tables:
    """Run what a table of the paper needs and is not recorded yet, and write the table."""

    table: tyro.conf.Positional[Literal["localizers", "exploration", "prompts"]]
    """Localizers: table 1, by post-processing, with controls. Exploration: table 2. Prompts: table 6, for CLIP."""
    localizers: tuple[str, ...] = ("builtin",)
    """For tables 1 and 2: localizers such as owl:google/owlvit-base-patch32; table 2 takes the first."""
    clip: tuple[str, ...] = ("openai/clip-vit-base-patch32",)
    """For table 6: hub ids or folders of CLIP."""
    sources: Sources = field(default_factory=Sources)

    def run(self, runs: Runs) -> int:
        """Writes the table and prints it."""
        from pentathlon.events.find.study import lay_out, make_table

        if not self.localizers or not self.clip:
            raise UsageError("Expected at least one localizer and one CLIP, got none. Leave the option out.")
        table = make_table(self.table, self.localizers, self.clip)
        text = lay_out(table, self.sources.gather(runs, table.entrants, table.capabilities))
        print(f"{text}\n{self.sources.write(f'{self.table}-{self.sources.tier}.md', text)}")
        return 0


@dataclass(frozen=True)
class Figures:
    """Draw figure 5, descriptions against object goals, and figure 6, how trials end, from runs."""

    entrants: Annotated[tuple[str, ...], tyro.conf.arg(aliases=["-e"])] = ("cow", "cow-centre", "find-true-masks")
    """Whose runs."""
    sources: Sources = field(default_factory=Sources)

    def run(self, runs: Runs) -> int:
        """Writes the figures and prints their paths."""
        from pentathlon.events.find.paper import PASTURE
        from pentathlon.events.find.pictures.figures import figure_5, figure_6

        recorded = self.sources.gather(runs, self.entrants, ("objectnav", *PASTURE))
        drawn = {**figure_5(self.entrants, recorded), **figure_6(self.entrants, recorded)}
        if not drawn:
            raise UsageError(f"Expected runs of {', '.join(self.entrants)} below {self.sources.out}, got none.")
        for name, text in drawn.items():
            print(self.sources.write(name, text))
        return 0
