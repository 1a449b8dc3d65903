"""What is where while deeds are done: which deed can follow, and what must have been so at the start.

The start is not given but found: the first deed with a thing tells where it was. So any order of deeds is either
impossible or has the one start that makes it possible, as in ViSTa, where some videos begin with a thing in the hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pentathlon.events.judge.films.home.vocabulary import Deed

HAND = "hand"
KNIFE = "knife"
_IN_HAND = frozenset({"put", "heat", "cool", "clean", "visit", "peek", "dip", "store"})


@dataclass(frozen=True)
class Situation:
    """Where things are now and were at the start, as far as deeds have told.

    Attributes:
        held: the thing in the hand; empty for none, ``None`` while nothing has told.
        now: place by thing.
        start: place by thing at the start.
        done: what can be done once only and was: slicing, cleaning, and what a lamp was last switched to.
    """

    held: str | None = None
    now: tuple[tuple[str, str], ...] = ()
    start: tuple[tuple[str, str], ...] = ()
    done: frozenset[tuple[str, str]] = frozenset()

    def after(self, deed: Deed) -> Situation | None:
        """Returns the situation after a deed; ``None`` when it cannot be done."""
        if deed.action in ("turn on", "turn off"):
            return self._switched(deed)
        if deed.action in ("observe on", "observe off"):
            return self
        if (deed.action, deed.object) in self.done or self._is_cut(deed):
            return None
        if deed.action == "pick up":
            return self._picked_up(deed)
        if deed.action in ("slice", "spare"):
            return self._sliced(deed)
        return self._used(deed)

    def _picked_up(self, deed: Deed) -> Situation | None:
        if self.held not in (None, ""):
            return None
        moved = self._at(deed.object, deed.target)
        return None if moved is None else moved._moved(deed.object, HAND, held=deed.object)

    def _sliced(self, deed: Deed) -> Situation | None:
        known = dict(self.now).get(deed.object)
        holding = self._holding(KNIFE)
        if holding is None or known == HAND or deed.object == KNIFE:
            return None
        at = holding._at(deed.object, known or deed.target)
        once = {("slice", deed.object)} if deed.action == "slice" else set()
        return None if at is None or at.now_at(deed.object) != deed.target else replace(at, done=at.done | once)

    def _used(self, deed: Deed) -> Situation | None:
        """A deed with what is in the hand."""
        assert deed.action in _IN_HAND
        holding = self._holding(deed.object)
        if holding is None:
            return None
        if deed.action == "put":
            return holding._moved(deed.object, deed.target, held="")
        once = {("clean", deed.object)} if deed.action == "clean" else set()
        return replace(holding, done=holding.done | once)

    def _switched(self, deed: Deed) -> Situation | None:
        last = next((action for action, thing in self.done if thing == deed.object and action.startswith("turn")), "")
        if last == deed.action:
            return None
        others = frozenset(pair for pair in self.done if pair != (last, deed.object))
        first = () if last or deed.object in dict(self.start) else ((deed.object, _before(deed.action)),)
        return replace(self, done=others | {(deed.action, deed.object)}, start=(*self.start, *first))

    def now_at(self, thing: str) -> str | None:
        """Where a thing is, as far as is known."""
        return dict(self.now).get(thing)

    def _holding(self, thing: str) -> Situation | None:
        if self.held == thing:
            return self
        if self.held is not None or self.now_at(thing) is not None:
            return None
        return replace(self, start=(*self.start, (thing, HAND)))._moved(thing, HAND, held=thing)

    def _at(self, thing: str, where: str) -> Situation | None:
        known = self.now_at(thing)
        if known is not None:
            return self if known == where else None
        return replace(self, start=(*self.start, (thing, where)))._moved(thing, where, held=self.held)

    def _moved(self, thing: str, where: str, held: str | None) -> Situation:
        return replace(self, now=tuple({**dict(self.now), thing: where}.items()), held=held)

    def _is_cut(self, deed: Deed) -> bool:
        return ("slice", deed.object) in self.done and deed.action != "observe on"


def follow(deeds: Iterable[Deed], start: Situation | None = None) -> Situation | None:
    """Does deeds one after the other; ``None`` when one of them cannot be done."""
    situation = start or Situation()
    for deed in deeds:
        after = situation.after(deed)
        if after is None:
            return None
        situation = after
    return situation


def _before(action: str) -> str:
    return "on" if action == "turn off" else "off"
