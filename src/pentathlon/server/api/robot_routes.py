"""Routes of robots: everybody may look, operators may pause, stop, start and confirm."""

from __future__ import annotations

import time
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query
from fastapi.responses import FileResponse
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pentathlon.server.api.dependencies import Office, ServerOffice, SignedIn, SignedInOperator
from pentathlon.server.api.schemas import RobotName, RobotView
from pentathlon.server.errors import ConflictError, NotFoundError
from pentathlon.server.queue.tables import NAME_LENGTH, Order, RobotRecord

router = APIRouter(prefix="/robots", tags=["robots"])

Bench = Annotated[str, Query(max_length=4 * NAME_LENGTH, description="What stands on it: the robot's `awaiting`.")]


@router.get("")
def get_robots(office: Office) -> list[RobotView]:
    """Lists the robots and what they do."""
    with office.database.read() as session:
        robots = session.scalars(select(RobotRecord).order_by(RobotRecord.name))
        return [_view(office, robot) for robot in robots]


@router.get("/{name}/view", response_class=FileResponse)
def get_view(office: Office, _account: SignedIn, name: RobotName) -> FileResponse:
    """Returns the newest picture of the bench (jpeg)."""
    with office.database.read() as session:
        robot = _find(session, name)
    path = office.settings.live_view(robot.name)
    if not path.is_file():
        raise NotFoundError("This robot has shown nothing yet.")
    return FileResponse(path, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


@router.post("/stop")
async def stop_all(office: Office, _operator: SignedInOperator) -> list[RobotView]:
    """Stops every robot at once; their submissions go back to the queue and lose no recorded trial."""
    return await run_sync(_stop_all, office, limiter=office.operators)


@router.post("/{name}/pause")
async def pause_robot(office: Office, _operator: SignedInOperator, name: RobotName) -> RobotView:
    """Lets a robot take no further submission; it finishes the present one."""
    return await run_sync(_order, office, name, "pause", limiter=office.operators)


@router.post("/{name}/stop")
async def stop_robot(office: Office, _operator: SignedInOperator, name: RobotName) -> RobotView:
    """Stops a robot at once; its submission goes back to the queue and loses no recorded trial."""
    return await run_sync(_order, office, name, "stop", limiter=office.operators)


@router.post("/{name}/resume")
async def resume_robot(office: Office, _operator: SignedInOperator, name: RobotName) -> RobotView:
    """Lets a paused or stopped robot work again."""
    return await run_sync(_order, office, name, "run", limiter=office.operators)


@router.post("/{name}/confirm")
async def confirm_trial(office: Office, _operator: SignedInOperator, name: RobotName, bench: Bench) -> RobotView:
    """Confirms that the bench is set up as the robot asked and that nobody is within reach."""
    return await run_sync(_confirm, office, name, bench, limiter=office.operators)


def _stop_all(office: ServerOffice) -> list[RobotView]:
    with office.reserved.write() as session:
        session.execute(update(RobotRecord).values(order="stop"))
        return [_view(office, robot) for robot in session.scalars(select(RobotRecord).order_by(RobotRecord.name))]


def _confirm(office: ServerOffice, name: str, bench: str) -> RobotView:
    with office.reserved.write() as session:
        robot = _find(session, name)
        if not robot.awaiting:
            raise ConflictError("This robot waits for nobody.")
        if bench != robot.awaiting:
            # Whoever looked at an older page would let the arm move over a bench that nobody set up.
            raise ConflictError(f"This robot waits for {robot.awaiting} by now; set that up and confirm again.")
        robot.confirmed = robot.awaiting
        return _view(office, robot)


def _order(office: ServerOffice, name: str, order: Order) -> RobotView:
    with office.reserved.write() as session:
        robot = _find(session, name)
        robot.order = order
        robot.note = "" if order == "run" else robot.note
        return _view(office, robot)


def _find(session: Session, name: str) -> RobotRecord:
    robot = session.get(RobotRecord, name)
    if robot is None:
        raise NotFoundError(f"There is no robot {name[:80]!r} here.")
    return robot


def _view(office: ServerOffice, robot: RobotRecord) -> RobotView:
    return RobotView.of(robot, time.time(), office.settings.lost_after_s)
