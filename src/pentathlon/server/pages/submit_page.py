"""The page where entrants are handed in: by a form with a file, or by the address of a server of their own."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field
from starlette.datastructures import UploadFile

from pentathlon.server.api.dependencies import Office, ServerOffice, SignedIn
from pentathlon.server.api.schemas import PRINTABLE, Message, NewRemote, SubmissionView, Title
from pentathlon.server.api.submission_routes import check_room, hand_in, post_remote
from pentathlon.server.errors import BadRequestError, ServerError
from pentathlon.server.pages.forms import FORM_BYTES, as_shape, open_form, read_form, validate
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.templating import CHALLENGES, render_form
from pentathlon.server.queue.offers import offers
from pentathlon.server.queue.tables import TASK_LENGTH, Account
from pentathlon.server.queue.uploads import check_disk
from pentathlon.server.sandbox.bubblewrap import upload_problem
from pentathlon.server.settings import ServerSettings
from pentathlon.server.sizes import MEBIBYTE

router = APIRouter(prefix="/submit", route_class=PageRoute)

CHUNK_BYTES = MEBIBYTE


class BoardForm(Message):
    """Where a submission goes: the id of a task, and after a space the challenge where the task has several."""

    board: str = Field(max_length=2 * TASK_LENGTH, pattern=PRINTABLE)
    title: Title = ""

    @property
    def task(self) -> str:
        """The task's id."""
        return self.board.partition(" ")[0]

    @property
    def challenge(self) -> str:
        """The challenge, empty where none is named."""
        return self.board.partition(" ")[2]


class RemoteForm(BoardForm):
    """The fields of an entrant that is served elsewhere; the API checks them."""

    source: str = "remote"
    url: str
    token: str = ""


@router.get("")
def show_forms(request: Request, office: Office, viewer: SignedIn) -> HTMLResponse:
    """Shows the forms."""
    return _page(request, office, viewer)


@router.post("")
async def post_upload(request: Request, office: Office, viewer: SignedIn) -> Response:
    """Takes an archive sent by the form; the script sends it to the API instead, which can show progress."""
    limit_bytes = office.settings.upload_limit_bytes
    try:
        await run_in_threadpool(check_room, office, viewer, request.headers.get("content-length"))
        # A form lies on the disk as it came before its archive is taken out of it.
        check_disk(office.settings.data, 2 * limit_bytes)
        check_disk(Path(tempfile.gettempdir()), limit_bytes, spare_bytes=0)
        with office.senders.take(viewer.id):
            view = await _take_form(request, office, viewer)
    except ServerError as error:
        return await run_in_threadpool(_page, request, office, viewer, error)
    return RedirectResponse(f"/submissions/{view.id}", 303)


@router.post("/remote")
async def post_remote_form(request: Request, office: Office, viewer: SignedIn) -> Response:
    """Registers an entrant that its owner serves."""
    try:
        wanted = _new_remote(await read_form(request, RemoteForm))
        view = await run_in_threadpool(post_remote, office, viewer, wanted)
    except ServerError as error:
        return await run_in_threadpool(_page, request, office, viewer, error)
    return RedirectResponse(f"/submissions/{view.id}", 303)


async def _take_form(request: Request, office: ServerOffice, viewer: Account) -> SubmissionView:
    async with open_form(request, office.settings.upload_limit_bytes + FORM_BYTES) as form:
        wanted, file = validate(form, BoardForm), form.get("archive")
        if not isinstance(file, UploadFile) or not file.filename:
            raise BadRequestError("Choose the archive of a folder first.")
        return await hand_in(office, viewer, _chunks(file), None, wanted.task, wanted.challenge, wanted.title)


def boards(settings: ServerSettings) -> dict[str, str]:
    """The boards that a submission may go to, by what the form sends for them."""
    return {
        f"{offer.id} {challenge}".strip(): f"{offer.id} · {CHALLENGES[challenge]}" if challenge else offer.id
        for offer in offers(settings).values()
        for challenge in offer.challenges
    }


async def _chunks(file: UploadFile) -> AsyncIterator[bytes]:
    while chunk := await file.read(CHUNK_BYTES):
        yield chunk


def _new_remote(form: RemoteForm) -> NewRemote:
    fields = {"source": form.source, "url": form.url, "token": form.token, "title": form.title}
    return as_shape({**fields, "task": form.task, "challenge": form.challenge}, NewRemote)


def _page(request: Request, office: ServerOffice, viewer: Account, error: ServerError | None = None) -> HTMLResponse:
    return render_form(
        request,
        "submit.html",
        viewer,
        error,
        limit_mib=office.settings.upload_limit_bytes // MEBIBYTE,
        boards=boards(office.settings),
        remote_hosts=office.settings.remote_hosts,
        problem=upload_problem(office.settings.uploads_without_control_groups),
    )
