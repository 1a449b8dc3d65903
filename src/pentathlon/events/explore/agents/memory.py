"""What an exploring agent remembers: things that it saw, what they weigh, and what it looked into."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pentathlon.events.explore.perception import Handle, Sighting
from pentathlon.events.explore.questions.evaluate import Verdict, judge
from pentathlon.events.explore.questions.facts import Fact, Interval, SceneFacts
from pentathlon.events.explore.questions.program import Program

OPEN_ENOUGH = 0.3


@dataclass
class Memory:
    """Things by id.

    Attributes:
        first: as each was seen first, which is as the house was.
        now: as each was seen last.
        masses: in kilograms, of what was lifted or tried.
        looked_into: handles, by thing and joint, that were seen standing open.
        looked_at: things that were looked at from their sides.
    """

    first: dict[str, Sighting] = field(default_factory=dict)
    now: dict[str, Sighting] = field(default_factory=dict)
    masses: dict[str, Interval] = field(default_factory=dict)
    looked_into: set[tuple[str, str]] = field(default_factory=set)
    looked_at: set[str] = field(default_factory=set)

    def take_in(self, sightings: Iterable[Sighting]) -> None:
        """Remembers what is in view."""
        for sighting in sightings:
            key = sighting.thing.id
            self.first.setdefault(key, sighting)
            self.now[key] = sighting
            self.looked_into |= {(key, handle.joint) for handle in sighting.handles if handle.opening >= OPEN_ENOUGH}

    def rewind(self) -> None:
        """The house is as it was at first."""
        self.now = dict(self.first)

    def shut(self, key: str) -> list[Handle]:
        """Handles of a thing that were never seen standing open."""
        return [handle for handle in self.now[key].handles if (key, handle.joint) not in self.looked_into]

    def facts(self) -> SceneFacts:
        """All that is known, as questions look at it."""
        things = {key: replace(sighting.thing, mass_kg=self.masses.get(key)) for key, sighting in self.first.items()}
        relations: dict[str, dict[tuple[str, str], bool | None]] = {}
        for key, sighting in self.first.items():
            for name, other in sighting.relations:
                if other in self.first:
                    relations.setdefault(name, {})[key, other] = True
        rooms = {sighting.thing.room or "": sighting.room_type for sighting in self.first.values()}
        return SceneFacts(things, rooms, relations, frozenset(key for key in self.first if self.shut(key)))

    def judge(self, program: Program) -> Verdict:
        """What is known of a question."""
        return judge(program, self.facts())

    def missing(self, programs: Iterable[Program]) -> frozenset[Fact]:
        """Facts that would decide questions which are open."""
        facts = self.facts()
        return frozenset[Fact]().union(*(judge(program, facts).missing for program in programs))
