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
from pentathlon.server.queue.states import FINAL
from pentathlon.server.queue.tables import RobotRecord, Submission

router = APIRouter(tags=["operation"])


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
    with office.reserved.read() as session:
        unfinished = select(func.count()).select_from(Submission).where(Submission.state.not_in(FINAL))
        return Health(
            version=pentathlon.__version__,
            unfinished=session.scalar(unfinished) or 0,
            upload_limit_bytes=office.settings.upload_limit_bytes,
            robots=session.scalar(select(func.count()).select_from(RobotRecord)) or 0,
        )
