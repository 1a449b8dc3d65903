"""Pages of robots: what each does, what it sees, and for operators the buttons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from pentathlon.server.api import robot_routes as api
from pentathlon.server.api.dependencies import MaybeSignedIn, Office, ServerOffice, SignedInOperator
from pentathlon.server.api.schemas import RobotName
from pentathlon.server.errors import NotFoundError
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.templating import render
from pentathlon.server.queue.results import anonymous
from pentathlon.server.queue.tables import Account, RobotRecord, Submission

router = APIRouter(prefix="/robots", route_class=PageRoute)

ORDERS = {
    "pause": api.pause_robot,
    "stop": api.stop_robot,
    "resume": api.resume_robot,
}


@dataclass(frozen=True)
class Work:
    """What a robot evaluates; ``link`` is there for those who may see the submission."""

    entry: str
    task: str
    trials_done: int
    trials_total: int
    link: str


@router.get("")
def list_robots(request: Request, office: Office, viewer: MaybeSignedIn) -> HTMLResponse:
    """Lists the robots."""
    robots = [
        (view, _work(office, viewer, view.name), _picture(office, viewer, view.name)) for view in api.get_robots(office)
    ]
    return render(request, "robots.html", viewer, robots=robots)


@router.get("/{name}")
def show_robot(request: Request, office: Office, viewer: MaybeSignedIn, name: RobotName) -> HTMLResponse:
    """Shows one robot."""
    return _show(request, office, viewer, name, "robot.html")


@router.get("/{name}/live")
def show_present_state(request: Request, office: Office, viewer: MaybeSignedIn, name: RobotName) -> HTMLResponse:
    """Returns the part of the page that changes, for the script that keeps it fresh."""
    return _show(request, office, viewer, name, "robot_live.html")


@router.post("/stop")
async def stop_all(office: Office, operator: SignedInOperator) -> RedirectResponse:
    """Stops every robot and returns to the list."""
    await api.stop_all(office, operator)
    return RedirectResponse("/robots", 303)


@router.post("/{name}/confirm")
async def confirm_trial(
    office: Office, operator: SignedInOperator, name: RobotName, bench: api.Bench
) -> RedirectResponse:
    """Confirms the bench and returns to the robot's page."""
    await api.confirm_trial(office, operator, name, bench)
    return RedirectResponse(f"/robots/{name}", 303)


@router.post("/{name}/{order}")
async def order_robot(
    office: Office, operator: SignedInOperator, name: RobotName, order: Literal["pause", "stop", "resume"]
) -> RedirectResponse:
    """Gives an order and returns to the robot's page."""
    await ORDERS[order](office, operator, name)
    return RedirectResponse(f"/robots/{name}", 303)


def _show(request: Request, office: ServerOffice, viewer: Account | None, name: str, template: str) -> HTMLResponse:
    robot = next((view for view in api.get_robots(office) if view.name == name), None)
    if robot is None:
        raise NotFoundError(f"There is no robot {name!r} here.")
    has_picture = bool(_picture(office, viewer, name))
    work = _work(office, viewer, name)
    return render(request, template, viewer, robot=robot, work=work, has_picture=has_picture)


def _picture(office: ServerOffice, viewer: Account | None, name: str) -> int:
    """When the newest picture was taken, which stays when the robot is idle; 0 when there is none to be seen."""
    path = office.settings.live_view(name)
    return int(path.stat().st_mtime) if viewer is not None and path.is_file() else 0


def _work(office: ServerOffice, viewer: Account | None, name: str) -> Work | None:
    with office.database.read() as session:
        record = session.get(RobotRecord, name)
        submission = session.get(Submission, record.submission_id) if record and record.submission_id else None
    if submission is None:
        return None
    ours = viewer is not None and (viewer.id == submission.account_id or viewer.role == "operator")
    return Work(
        entry=anonymous(submission.id),
        task=submission.task,
        trials_done=submission.trials_done,
        trials_total=submission.trials_total,
        link=f"/submissions/{submission.id}" if ours else "",
    )
