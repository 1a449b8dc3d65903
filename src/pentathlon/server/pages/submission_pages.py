"""Pages of submissions: the list, one with its live state, and one trial with its video."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from pentathlon.core.errors import UnknownIdError
from pentathlon.core.scores import Metric
from pentathlon.server.api import submission_routes as api
from pentathlon.server.api.dependencies import Office, ServerOffice, SignedIn
from pentathlon.server.api.schemas import Id, Position, StepView, SubmissionView, TrialView
from pentathlon.server.errors import NotFoundError
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.templating import render
from pentathlon.server.queue.offers import server_task
from pentathlon.server.queue.results import anonymous
from pentathlon.server.queue.states import FINAL
from pentathlon.server.queue.tables import Account

router = APIRouter(prefix="/submissions", route_class=PageRoute)

PAGE = 50
LOG_LINES = 200


@dataclass(frozen=True)
class Story:
    """All that the page of a submission tells."""

    view: SubmissionView
    entry: str
    steps: list[StepView]
    trials: list[TrialView]
    metrics: tuple[Metric, ...]
    log: str
    log_is_cut: bool
    removed_after_days: int | None

    @property
    def ended(self) -> bool:
        """Whether nothing will change any more."""
        return self.view.state in FINAL


@router.get("")
def list_submissions(
    request: Request,
    office: Office,
    viewer: SignedIn,
    everybody: Annotated[bool, Query()] = False,
    skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> HTMLResponse:
    """Lists your submissions; operators may list everybody's."""
    found = api.get_submissions(office, viewer, everybody=everybody, skip=skip, limit=PAGE + 1)
    return render(
        request,
        "submissions.html",
        viewer,
        submissions=found[:PAGE],
        everybody=everybody and viewer.role == "operator",
        skip=skip,
        back=max(0, skip - PAGE),
        forth=skip + PAGE if len(found) > PAGE else None,
        live=any(view.state not in FINAL for view in found),
    )


@router.get("/{submission_id}")
def show_submission(request: Request, office: Office, viewer: SignedIn, submission_id: Id) -> HTMLResponse:
    """Shows one submission."""
    return render(request, "submission.html", viewer, story=_story(office, viewer, submission_id))


@router.get("/{submission_id}/live")
def show_present_state(request: Request, office: Office, viewer: SignedIn, submission_id: Id) -> HTMLResponse:
    """Returns the part of the page that changes, for the script that keeps it fresh."""
    return render(request, "submission_live.html", viewer, story=_story(office, viewer, submission_id))


@router.get("/{submission_id}/trials/{position}")
def show_trial(
    request: Request, office: Office, viewer: SignedIn, submission_id: Id, position: Position
) -> HTMLResponse:
    """Shows the video of one trial, with ways to the neighbours."""
    trials = api.get_trials(office, viewer, submission_id)
    places = [trial.position for trial in trials]
    if position not in places:
        raise NotFoundError("There is no such trial, or it has not been run yet.")
    at = places.index(position)
    view = api.show(office, viewer, submission_id)
    return render(
        request,
        "trial.html",
        viewer,
        view=view,
        entry=anonymous(submission_id),
        trial=trials[at],
        metrics=_metrics(office, view.task),
        before=places[at - 1] if at else None,
        after=places[at + 1] if at + 1 < len(places) else None,
    )


@router.post("/{submission_id}/cancel")
def cancel_submission(office: Office, viewer: SignedIn, submission_id: Id) -> RedirectResponse:
    """Ends a submission and returns to its page."""
    api.cancel_submission(office, viewer, submission_id)
    return RedirectResponse(f"/submissions/{submission_id}", 303)


def _story(office: ServerOffice, viewer: Account, submission_id: str) -> Story:
    view = api.show(office, viewer, submission_id)
    lines = api.get_log(office, viewer, submission_id).splitlines()
    return Story(
        view=view,
        entry=anonymous(submission_id),
        steps=api.get_steps(office, viewer, submission_id),
        trials=api.get_trials(office, viewer, submission_id),
        metrics=_metrics(office, view.task),
        log="\n".join(lines[-LOG_LINES:]),
        log_is_cut=len(lines) > LOG_LINES,
        removed_after_days=_removed_after(office, view),
    )


def _removed_after(office: ServerOffice, view: SubmissionView) -> int | None:
    """Days after its end at which log, videos and trials were removed, ``None`` while they are kept."""
    keep_days = office.settings.keep_days
    old = view.ended is not None and datetime.now(UTC) - view.ended > timedelta(days=keep_days)
    return keep_days if old else None


def _metrics(office: ServerOffice, task: str) -> tuple[Metric, ...]:
    """What each trial of a task reports; nothing when the task is no longer installed."""
    try:
        return server_task(office.settings, task).metrics
    except UnknownIdError:
        return ()
