"""Routes for those who run the server."""

from __future__ import annotations

from anyio.to_thread import run_sync
from fastapi import APIRouter
from pydantic import BaseModel
from sqlalchemy import func, select

import pentathlon
from pentathlon.server.api.dependencies import Office, ServerOffice
from pentathlon.server.api.schemas import TaskView
from pentathlon.server.queue.offers import offers
from pentathlon.server.queue.states import ACTIVE, WAITING
from pentathlon.server.queue.tables import RobotRecord, Submission

router = APIRouter(tags=["operation"])

_COUNTS = select(
    select(func.count()).where(Submission.state.in_(WAITING | ACTIVE)).scalar_subquery(),
    select(func.count()).select_from(RobotRecord).scalar_subquery(),
)


class Health(BaseModel):
    """Whether the server works, at a glance."""

    version: str
    unfinished: int
    robots: int
    upload_limit_bytes: int


@router.get("/tasks")
async def get_tasks(office: Office) -> list[TaskView]:
    """Lists the tasks that this server offers."""
    return [TaskView.of(offer) for offer in offers(office.settings).values()]


@router.get("/health")
async def get_health(office: Office) -> Health:
    """Tells that the server and its database answer, and how much is under way."""
    return await run_sync(_health, office, limiter=office.doors)


def _health(office: ServerOffice) -> Health:
    with office.reserved.look() as reader:
        unfinished, robots = reader.execute(_COUNTS).one()
    return Health(
        version=pentathlon.__version__,
        unfinished=unfinished,
        upload_limit_bytes=office.settings.upload_limit_bytes,
        robots=robots,
    )
