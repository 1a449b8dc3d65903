"""The front page: who did best in each task, anonymously."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy import select

from pentathlon.server.api.dependencies import MaybeSignedIn, Office, ServerOffice
from pentathlon.server.api.leaderboard import StandingView, get_leaderboard
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.templating import CHALLENGES, render
from pentathlon.server.queue.offers import Offer, offers
from pentathlon.server.queue.results import anonymous
from pentathlon.server.queue.tables import Account, Challenge, Submission
from pentathlon.server.settings import ServerSettings

router = APIRouter(route_class=PageRoute)


@dataclass(frozen=True)
class Tab:
    """A choice of boards: the tasks of one event, in one of its challenges where they have several."""

    event: str
    challenge: Challenge

    @property
    def name(self) -> str:
        """What the tab says."""
        return f"{self.event} · {CHALLENGES[self.challenge]}" if self.challenge else self.event


@dataclass(frozen=True)
class Board:
    """The standings of one task, the best row first."""

    offer: Offer
    rows: list[StandingView]

    @property
    def most(self) -> dict[str, float]:
        """Ends of the axes by unit."""
        scores = [score for row in self.rows for score in row.scores]
        highest = {
            unit: max(score.high or score.value for score in scores if score.unit == unit)
            for unit in {s.unit for s in scores}
        }
        return {**highest, "%": 100.0}

    @property
    def shared(self) -> set[int]:
        """Ranks that several rows have."""
        return {rank for rank, times in Counter(row.rank for row in self.rows).items() if times > 1}


@router.get("/")
def get_standings(
    request: Request,
    office: Office,
    viewer: MaybeSignedIn,
    event: Annotated[str, Query(max_length=20)] = "",
    challenge: Annotated[Challenge, Query()] = "",
) -> HTMLResponse:
    """Shows the standings of one event and challenge."""
    tabs = _tabs(office.settings)
    wanted = Tab(event, challenge)
    chosen = wanted if wanted in tabs else tabs[0]
    boards = [
        Board(offer, get_leaderboard(office, offer.id, chosen.challenge))
        for offer in offers(office.settings).values()
        if chosen in _tabs_of(offer)
    ]
    own = _own_entries(office, viewer)
    return render(request, "standings.html", viewer, tabs=tabs, chosen=chosen, boards=boards, own=own)


def _tabs(settings: ServerSettings) -> list[Tab]:
    return list(dict.fromkeys(tab for offer in offers(settings).values() for tab in _tabs_of(offer)))


def _tabs_of(offer: Offer) -> list[Tab]:
    return [Tab(offer.id.partition("/")[0], challenge) for challenge in offer.challenges]


def _own_entries(office: ServerOffice, viewer: Account | None) -> dict[str, str]:
    """Ids of the viewer's submissions by their anonymous names."""
    if viewer is None:
        return {}
    with office.database.read() as session:
        ids = session.scalars(select(Submission.id).where(Submission.account_id == viewer.id))
        return {anonymous(submission): submission for submission in ids}
