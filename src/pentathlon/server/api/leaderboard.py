"""Route of the leaderboard."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from pentathlon.server.api.dependencies import Office
from pentathlon.server.api.schemas import moment
from pentathlon.server.queue import results
from pentathlon.server.queue.results import Standing, Summary
from pentathlon.server.queue.tables import ActTask, Challenge

router = APIRouter(prefix="/leaderboard", tags=["leaderboard"])


class StandingView(BaseModel):
    """One row of the leaderboard."""

    rank: int
    entry: str
    ended: datetime
    summary: Summary

    @staticmethod
    def of(standing: Standing) -> StandingView:
        """Shows ``standing``."""
        return StandingView(
            rank=standing.rank, entry=standing.entry, ended=moment(standing.ended_s), summary=standing.summary
        )


@router.get("")
def get_leaderboard(
    office: Office,
    task: Annotated[ActTask, Query()] = "pour",
    challenge: Annotated[Challenge, Query()] = "policy",
) -> list[StandingView]:
    """Ranks the finished submissions by mean reward, anonymously; intervals are 95 %."""
    with office.database.read() as session:
        return [StandingView.of(standing) for standing in results.leaderboard(session, task, challenge)]
