"""The page where agents are handed in: by a form with a file, or by the address of a remote policy."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import UploadFile

from pentathlon.server.api.dependencies import Office, ServerOffice, SignedIn
from pentathlon.server.api.schemas import Message, NewRemote, SubmissionView, Title
from pentathlon.server.api.submission_routes import check_room, hand_in, post_remote
from pentathlon.server.errors import BadRequestError, ServerError
from pentathlon.server.pages.forms import FORM_BYTES, open_form, read_form, validate
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.templating import render
from pentathlon.server.queue.tables import Account, ActTask, Challenge
from pentathlon.server.queue.uploads import check_disk
from pentathlon.server.sandbox import sandbox_problem
from pentathlon.server.sizes import MEBIBYTE

router = APIRouter(prefix="/submit", route_class=PageRoute)

CHUNK_BYTES = MEBIBYTE


class UploadForm(Message):
    """The text fields of the upload form."""

    task: ActTask
    challenge: Challenge
    title: Title = ""


@router.get("")
def show_forms(request: Request, office: Office, viewer: SignedIn) -> HTMLResponse:
    """Shows the forms."""
    return _page(request, office, viewer)


@router.post("")
async def post_upload(request: Request, office: Office, viewer: SignedIn) -> Response:
    """Takes an archive sent by the form; the script sends it to the API instead, which can show progress."""
    limit_bytes = office.settings.upload_limit_bytes
    try:
        await run_in_threadpool(check_room, office, viewer)
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
    """Registers a policy that its owner serves."""
    try:
        wanted = await read_form(request, NewRemote)
        view = await run_in_threadpool(post_remote, office, viewer, wanted)
    except ServerError as error:
        return await run_in_threadpool(_page, request, office, viewer, error)
    return RedirectResponse(f"/submissions/{view.id}", 303)


async def _take_form(request: Request, office: ServerOffice, viewer: Account) -> SubmissionView:
    async with open_form(request, office.settings.upload_limit_bytes + FORM_BYTES) as form:
        wanted, file = validate(form, UploadForm), form.get("archive")
        if not isinstance(file, UploadFile) or not file.filename:
            raise BadRequestError("Choose the archive of an agent folder first.")
        return await hand_in(office, viewer, _chunks(file), None, wanted.task, wanted.challenge, wanted.title)


async def _chunks(file: UploadFile) -> AsyncIterator[bytes]:
    while chunk := await file.read(CHUNK_BYTES):
        yield chunk


def _page(request: Request, office: ServerOffice, viewer: Account, error: ServerError | None = None) -> HTMLResponse:
    return render(
        request,
        "submit.html",
        viewer,
        status=error.status if error else 200,
        error=str(error) if error else "",
        limit_mib=office.settings.upload_limit_bytes // MEBIBYTE,
        remote_hosts=office.settings.remote_hosts,
        problem=sandbox_problem(),
    )
