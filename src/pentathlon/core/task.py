"""The contract of a task: a versioned protocol that turns an entrant into outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from pentathlon.core.entrants import Kind
from pentathlon.core.scores import Metric, Score
from pentathlon.core.specs import Spec
from pentathlon.core.trial import Heat, Outcome, Workspace


@runtime_checkable
class Task(Protocol):
    """A leaf of an event. Everything that changes its numbers is in ``protocol``.

    Implementations keep no state between heats: a worker builds the task once and runs any heats in any order.
    """

    @property
    def id(self) -> str:
        """Versioned id, ``event/name-vN``."""
        ...

    @property
    def kind(self) -> Kind:
        """The kind of entrant it tests."""
        ...

    @property
    def protocol(self) -> Any:
        """A frozen dataclass of plain values; its hash names the run folder."""
        ...

    @property
    def spec(self) -> Spec | None:
        """What entrants must fit; ``None`` accepts any of the right kind."""
        ...

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What each trial reports, the headline first."""
        ...

    def heats(self) -> Sequence[Heat]:
        """Lists all heats, the same ones every time, each with the cluster and the seed of its trials."""
        ...

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        """Runs the heat's trials and yields each outcome as it is known.

        An exception is recorded as an error of the first trial not yet yielded (of all of them in a joint heat).
        """
        ...

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        """Summarises a run; the headline first."""
        ...
