"""The front page: what this is, how to begin, what there is to beat, and who did best in each task, anonymously."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from sqlalchemy import select

from pentathlon.server.api.dependencies import MaybeSignedIn, Office, ServerOffice
from pentathlon.server.api.leaderboard import StandingView
from pentathlon.server.pages.baselines import Baseline, baselines
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.templating import CHALLENGES, render, render_part
from pentathlon.server.queue.offers import Offer, offers
from pentathlon.server.queue.results import Finished, anonymous
from pentathlon.server.queue.tables import Account, Challenge, Submission
from pentathlon.server.settings import ServerSettings
from pentathlon.stats import Ranked

router = APIRouter(route_class=PageRoute)

PAGE_ROWS = 50

Rows = list[Ranked[Finished]]


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
    """A page of the standings of one task, the best row first.

    Attributes:
        rows: of this page.
        ranks: of all rows.
        baselines: to compare with, on the first page.
    """

    offer: Offer
    rows: list[StandingView]
    ranks: list[int]
    baselines: tuple[Baseline, ...]

    @cached_property
    def columns(self) -> list[tuple[str, str]]:
        """Metrics with their units: those of the entries, or of the baselines while there are none."""
        scores = self.rows[0].scores if self.rows else [s for each in self.baselines for s in each.scores.values()]
        return list(dict.fromkeys((score.metric, score.unit) for score in scores))

    @cached_property
    def most(self) -> dict[str, float]:
        """Ends of the axes by unit."""
        scores = [score for row in self.rows for score in row.scores]
        scores += [score for each in self.baselines for score in each.scores.values()]
        highest = {
            unit: max(score.high or score.value for score in scores if score.unit == unit)
            for unit in {s.unit for s in scores}
        }
        return {**highest, "%": 100.0}

    @cached_property
    def shared(self) -> set[int]:
        """Ranks that several rows have."""
        return {rank for rank, times in Counter(self.ranks).items() if times > 1}


@router.get("/")
async def get_standings(
    request: Request,
    office: Office,
    viewer: MaybeSignedIn,
    event: Annotated[str, Query(max_length=20)] = "",
    challenge: Annotated[Challenge, Query()] = "",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> HTMLResponse:
    """Shows a page of the standings of one event and challenge."""
    tabs = _tabs(office.settings)
    wanted = Tab(event, challenge)
    chosen = wanted if wanted in tabs else tabs[0]
    # Strangers all see the same, so that their number costs nearly nothing.
    kept = office.boards.page(_key(viewer, chosen, page))
    return HTMLResponse(kept) if kept else await run_in_threadpool(_show, request, office, viewer, chosen, page)


def _key(viewer: Account | None, chosen: Tab, page: int) -> tuple[object, ...]:
    return ("whole", viewer and viewer.id, chosen, page)


def _show(request: Request, office: ServerOffice, viewer: Account | None, chosen: Tab, page: int) -> HTMLResponse:
    offered = [offer for offer in offers(office.settings).values() if chosen in _tabs_of(offer)]
    ranked = {offer: office.boards.rows(offer.id, chosen.challenge) for offer in offered}
    # The rows are those of this moment now, and if they are those of before, so is the page.
    kept = office.boards.page(_key(viewer, chosen, page))
    if kept is not None:
        return HTMLResponse(kept)
    boards = _boards(office, viewer, chosen, page, ranked)
    shown = render(
        request,
        "standings.html",
        viewer,
        tabs=_tabs(office.settings),
        chosen=chosen,
        boards=boards,
        page=page,
        example=offered[0].id,
        open_registration=office.settings.open_registration,
    )
    if any(ranked.values()):
        office.boards.keep(_key(viewer, chosen, page), bytes(shown.body).decode())
    return shown


def _boards(
    office: ServerOffice, viewer: Account | None, chosen: Tab, page: int, ranked: Mapping[Offer, Rows]
) -> Markup:
    """Renders the tables, or takes those that were rendered for others who have the same entries on them, or none."""
    shown = {offer: rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS] for offer, rows in ranked.items()}
    own = _own_entries(office, viewer, [row.row.id for rows in shown.values() for row in rows])
    key = ("boards", chosen, page, *own)
    kept = office.boards.page(key)
    if kept is not None:
        return Markup(kept)
    part = render_part(
        "standings_boards.html",
        boards=[_board(office, offer, shown[offer], rows, page) for offer, rows in ranked.items()],
        own=own,
        chosen=chosen,
        page=page,
        pages=max(1, *(-(-len(rows) // PAGE_ROWS) for rows in ranked.values())),
    )
    office.boards.keep(key, part)
    return part


def _board(office: ServerOffice, offer: Offer, shown: Rows, rows: Rows, page: int) -> Board:
    return Board(
        offer,
        [StandingView.of(row) for row in shown],
        [row.rank for row in rows],
        baselines(office.settings, offer.id) if page == 1 else (),
    )


def _tabs(settings: ServerSettings) -> list[Tab]:
    return list(dict.fromkeys(tab for offer in offers(settings).values() for tab in _tabs_of(offer)))


def _tabs_of(offer: Offer) -> list[Tab]:
    return [Tab(offer.id.partition("/")[0], challenge) for challenge in offer.challenges]


def _own_entries(office: ServerOffice, viewer: Account | None, shown: Sequence[str]) -> dict[str, str]:
    """Ids of those of the viewer's submissions that are shown, by their anonymous names."""
    if viewer is None:
        return {}
    with office.database.read() as session:
        own = (Submission.account_id == viewer.id, Submission.id.in_(shown))
        ids = session.scalars(select(Submission.id).where(*own).order_by(Submission.id))
        return {anonymous(submission): submission for submission in ids}
