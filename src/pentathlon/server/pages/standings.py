"""The front page: who did best in each challenge and task, anonymously."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy import select

from pentathlon.server.api.dependencies import MaybeSignedIn, Office, ServerOffice
from pentathlon.server.api.leaderboard import StandingView, get_leaderboard
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.templating import TASKS, render
from pentathlon.server.queue.results import anonymous
from pentathlon.server.queue.tables import Account, ActTask, Challenge, Submission

router = APIRouter(route_class=PageRoute)


@dataclass(frozen=True)
class StandingsTable:
    """One table: a task of a challenge, the best row first."""

    task: ActTask
    rows: list[StandingView]

    @property
    def most_g(self) -> float:
        """End of the axis of rewards."""
        numbers = [(row.summary.reward_g, row.summary.seen_reward_g, row.summary.unseen_reward_g) for row in self.rows]
        return max((number.high for three in numbers for number in three if number is not None), default=1.0)

    @property
    def shared(self) -> set[int]:
        """Ranks that several rows have."""
        ranks = [row.rank for row in self.rows]
        return {rank for rank in ranks if ranks.count(rank) > 1}


@router.get("/")
def get_standings(
    request: Request, office: Office, viewer: MaybeSignedIn, challenge: Annotated[Challenge, Query()] = "policy"
) -> HTMLResponse:
    """Shows the standings of one challenge."""
    tables = [StandingsTable(task, get_leaderboard(office, task, challenge)) for task in _tasks()]
    own = _own_entries(office, viewer)
    return render(request, "standings.html", viewer, challenge=challenge, tables=tables, own=own)


def _tasks() -> tuple[ActTask, ...]:
    return tuple(TASKS)  # type: ignore[arg-type]


def _own_entries(office: ServerOffice, viewer: Account | None) -> dict[str, str]:
    """Ids of the viewer's submissions by their anonymous names."""
    if viewer is None:
        return {}
    with office.database.read() as session:
        ids = session.scalars(select(Submission.id).where(Submission.account_id == viewer.id))
        return {anonymous(submission): submission for submission in ids}
