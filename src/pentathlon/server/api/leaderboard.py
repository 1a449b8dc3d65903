"""Route of the leaderboard."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pentathlon.server.api.dependencies import Office
from pentathlon.server.api.schemas import ScoreView, TaskName, moment
from pentathlon.server.queue.offers import find_offer
from pentathlon.server.queue.results import Finished, anonymous
from pentathlon.server.queue.tables import Challenge
from pentathlon.stats import Ranked

router = APIRouter(prefix="/leaderboard", tags=["leaderboard"])

MAX_ROWS = 500


class StandingView(BaseModel):
    """One row of the leaderboard; equal ones share a rank."""

    rank: int
    entry: str
    ended: datetime
    scores: list[ScoreView] = Field(description="The headline, by which it is ranked, comes first.")

    @staticmethod
    def of(standing: Ranked[Finished]) -> StandingView:
        """Shows ``standing``."""
        row = standing.row
        scores = [ScoreView.of(score) for score in row.scores]
        return StandingView(rank=standing.rank, entry=anonymous(row.id), ended=moment(row.ended_s), scores=scores)


@router.get("")
def get_leaderboard(
    office: Office,
    task: Annotated[TaskName, Query()],
    challenge: Annotated[Challenge, Query()] = "",
    skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_ROWS)] = MAX_ROWS,
) -> list[StandingView]:
    """Ranks the finished submissions of a task anonymously, as standings do; intervals are 95 %."""
    chosen = find_offer(office.settings, task).challenge(challenge)
    return [StandingView.of(standing) for standing in office.boards.rows(task, chosen)[skip : skip + limit]]
