"""``pentathlon study explore``: Table 2, accuracy by touch and family, and the figures, from runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.core import Runs, TaskId, UsageError
from pentathlon.core.registry import TASKS
from pentathlon.events.explore.protocol import SUITES, Suite
from pentathlon.events.study_sources import StudySources

if TYPE_CHECKING:
    from pentathlon.core import Outcome


@dataclass(frozen=True)
class Study(StudySources):
    """Run what Table 2 needs and is not recorded yet, and write tables and figures."""

    entrants: Annotated[tuple[str, ...], tyro.conf.arg(aliases=["-e"])] = ()
    """Whose rows; those that come with the event where none are named."""

    def run(self, runs: Runs) -> int:
        """Writes tables and figures and prints their paths."""
        from pentathlon.events.explore.study import ENTRANTS, all_tables, figures

        entrants = self.entrants or ENTRANTS
        recorded = {(entrant, suite): self._recorded(runs, suite, entrant) for suite in SUITES for entrant in entrants}
        if not any(recorded.values()):
            raise UsageError(f"Expected runs of {', '.join(entrants)} below {self.out}, got none.")
        text = all_tables(entrants, recorded)
        for name, content in {f"explore-{self.tier}.md": text, **figures(entrants, recorded)}.items():
            print(self.write(name, content))
        print(text)
        return 0

    def _recorded(self, runs: Runs, suite: Suite, entrant: str) -> Sequence[Outcome]:
        return self.outcomes(runs, TASKS.get(str(TaskId("explore", suite, self.tier))), entrant)
