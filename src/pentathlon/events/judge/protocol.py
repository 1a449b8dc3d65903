"""The protocol of judge: everything that changes a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pentathlon.core import TaskId, Tier, content_hash
from pentathlon.core.specs import JudgeSpec
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.records import Measure

PAPERS_FRAMES = 32
PREFIXES = 12


@dataclass(frozen=True)
class JudgeProtocol:
    """How a judge is tested on one group of problem sets.

    Attributes:
        name: of the task.
        measure: what is asked: to match videos with sentences, to tell done from missed, or how far a film has come.
        frames: evenly spaced ones given to a judge that takes any number.
        prefixes: of a film that progress is asked of, of lengths at equal steps.
        problem_sets_hash: of the problem sets, with what their films are made from.
    """

    name: str
    tier: Tier
    measure: Measure
    problem_sets_hash: str
    version: int = 1
    frames: int = PAPERS_FRAMES
    prefixes: int = PREFIXES

    @property
    def task_id(self) -> str:
        """The versioned id."""
        return str(TaskId("judge", self.name, self.tier, self.version))

    @property
    def spec(self) -> JudgeSpec:
        """Judges may take any number of frames."""
        return JudgeSpec()


def make_protocol(name: str, tier: Tier, measure: Measure, problem_sets: Sequence[ProblemSet]) -> JudgeProtocol:
    """Builds the protocol of a task from its problem sets."""
    return JudgeProtocol(name, tier, measure, content_hash([one.digest for one in problem_sets]))
