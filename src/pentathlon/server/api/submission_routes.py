"""Routes of submissions: hand in, look, cancel, read the log and the results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Header, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, PlainTextResponse
from sqlalchemy import Row, select

from pentathlon.server.api.dependencies import Office, ServerOffice, SignedIn
from pentathlon.server.api.schemas import (
    Id,
    NewRemote,
    Position,
    RequestKey,
    StepView,
    SubmissionView,
    TaskName,
    Title,
    TrialView,
)
from pentathlon.server.errors import BadRequestError, NotFoundError, ServerError
from pentathlon.server.queue import submissions
from pentathlon.server.queue.database import Database, Reader
from pentathlon.server.queue.offers import find_offer
from pentathlon.server.queue.outputs import read_log
from pentathlon.server.queue.results import read_outcome, records_of
from pentathlon.server.queue.submissions import Entry
from pentathlon.server.queue.tables import Account, Challenge, StateChange, Submission, TrialRecord
from pentathlon.server.queue.uploads import Upload, measure, receive
from pentathlon.server.quotas import check_quota
from pentathlon.server.sandbox.remotes import check_names, check_url

router = APIRouter(prefix="/submissions", tags=["submissions"])

LOG_TAIL_BYTES = 256 * 1024
MAX_PAGE = 200

_ARCHIVE_BODY = {
    "requestBody": {
        "required": True,
        "description": "The folder of the entrant as a zip or tar archive.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}

Key = Annotated[
    RequestKey | None, Header(alias="Idempotency-Key", description="The same request twice makes one submission.")
]


@router.post("", status_code=201, openapi_extra=_ARCHIVE_BODY)
async def post_submission(
    request: Request,
    office: Office,
    account: SignedIn,
    task: Annotated[TaskName, Query()],
    challenge: Annotated[Challenge, Query()] = "",
    title: Annotated[Title, Query()] = "",
    key: Key = None,
) -> SubmissionView:
    """Hands in a folder: the body is its archive, streamed to disk."""
    find_offer(office.settings, task).challenge(challenge)
    declared = request.headers.get("content-length")
    again = await run_in_threadpool(_find_again, office, account, key)
    if again is None:
        await run_in_threadpool(check_room, office, account, declared)
    with office.senders.take(account.id):
        if again is None:
            return await hand_in(office, account, request.stream(), declared, task, challenge, title, key)
        upload = await measure(request.stream(), office.settings.upload_limit_bytes, declared)
    submissions.check_same(again, _entry(office, again.id, upload, task, challenge, title, key))
    return await run_in_threadpool(show, office, account, again.id)


def check_room(office: ServerOffice, account: Account, declared: str | None) -> None:
    """Refuses an account that has handed in as much as it may, before it sends more."""
    wanted_bytes = int(declared) if declared is not None and declared.isdigit() else 0
    with office.database.read() as session:
        check_quota(session, account, office.settings.quota, wanted_bytes)


async def hand_in(
    office: ServerOffice,
    account: Account,
    archive: AsyncIterator[bytes],
    declared: str | None,
    task: str,
    challenge: str,
    title: str,
    key: str | None = None,
) -> SubmissionView:
    """Stores an archive and accepts it; what is not accepted is removed again."""
    submission_id = submissions.new_id()
    path = office.settings.upload(submission_id)
    upload = await receive(archive, path, office.settings.upload_limit_bytes, declared, office.uploads)
    entry = _entry(office, submission_id, upload, task, challenge, title, key)
    try:
        view = await run_sync(_accept, office, account, entry, limiter=office.uploads)
    except ServerError:
        # Any other error may have come after the commit; the clerk removes what was not accepted then.
        path.unlink(missing_ok=True)
        raise
    if view.id != submission_id:
        path.unlink(missing_ok=True)
    return view


def _entry(
    office: ServerOffice, id: str, upload: Upload, task: str, challenge: str, title: str, key: str | None
) -> Entry:
    offer = find_offer(office.settings, task)
    return Entry(
        id=id,
        source="upload",
        challenge=offer.challenge(challenge),
        task=task,
        title=title,
        trials_total=len(offer.trials),
        request_key=key,
        sha256=upload.sha256,
        size_bytes=upload.size_bytes,
    )


@router.post("/remote", status_code=201)
def post_remote(office: Office, account: SignedIn, wanted: NewRemote, key: Key = None) -> SubmissionView:
    """Hands in an entrant that you serve yourself, by its WebSocket address and what serves it."""
    offer = find_offer(office.settings, wanted.task)
    if wanted.source != "remote" and offer.kind != "policy":
        raise BadRequestError(
            f"{offer.id} tests a {offer.kind}, and {wanted.source} serves policies alone; serve it with serve_entrant."
        )
    check_url(wanted.url, office.settings.remote_hosts)
    check_names(wanted.source, wanted.url, wanted.token)
    entry = Entry(
        id=submissions.new_id(),
        source=wanted.source,
        challenge=offer.challenge(wanted.challenge),
        task=wanted.task,
        title=wanted.title,
        trials_total=len(offer.trials),
        request_key=key,
        url=wanted.url,
        remote_token=wanted.token,
    )
    return _accept(office, account, entry)


@router.get("")
def get_submissions(
    office: Office,
    account: SignedIn,
    everybody: Annotated[bool, Query(description="Those of all accounts, for operators.")] = False,
    skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
) -> list[SubmissionView]:
    """Lists your submissions, the newest first."""
    statement = select(Submission).order_by(Submission.created_s.desc(), Submission.id).offset(skip).limit(limit)
    if not (everybody and account.role == "operator"):
        statement = statement.where(Submission.account_id == account.id)
    with office.database.read() as session:
        found = list(session.scalars(statement))
        owners = _owners(session, account, found)
        return [
            SubmissionView.of(each, office.forecaster.place(session, each), owners.get(each.account_id, ""))
            for each in found
        ]


@router.get("/{submission_id}")
async def get_submission(office: Office, account: SignedIn, submission_id: Id) -> SubmissionView:
    """Shows a submission: state, place in the queue, trials done, results."""
    # Most requests are this one.
    if office.at_hand is not None:
        return _show(office, office.at_hand, account, submission_id)
    return await run_in_threadpool(show, office, account, submission_id)


@router.get("/{submission_id}/steps")
def get_steps(office: Office, account: SignedIn, submission_id: Id) -> list[StepView]:
    """Lists the states that a submission went through, with times and reasons."""
    with office.database.read() as session:
        submission = submissions.find(session, submission_id, account)
        statement = select(StateChange).where(StateChange.submission_id == submission.id).order_by(StateChange.id)
        return [StepView.of(change) for change in session.scalars(statement)]


@router.post("/{submission_id}/cancel")
def cancel_submission(office: Office, account: SignedIn, submission_id: Id) -> SubmissionView:
    """Ends a submission that has not ended yet."""
    with office.database.write() as session:
        submission = submissions.find(session, submission_id, account)
        submissions.cancel(session, submission, account)
    office.settings.upload(submission_id).unlink(missing_ok=True)
    return SubmissionView.of(submission, None)


@router.get("/{submission_id}/trials")
def get_trials(office: Office, account: SignedIn, submission_id: Id) -> list[TrialView]:
    """Lists the results of the trials done so far."""
    with office.database.read() as session:
        submission = submissions.find(session, submission_id, account)
        return [TrialView.of(record) for record in records_of(session, submission)]


@router.get("/{submission_id}/log", response_class=PlainTextResponse)
def get_log(office: Office, account: SignedIn, submission_id: Id) -> str:
    """Returns the end of the log: what the server did, what the agent printed, tracebacks."""
    with office.database.read() as session:
        submission = submissions.find(session, submission_id, account)
    return read_log(office.settings.logs(submission.id), LOG_TAIL_BYTES)


@router.get("/{submission_id}/trials/{position}/video", response_class=FileResponse)
def get_video(office: Office, account: SignedIn, submission_id: Id, position: Position) -> FileResponse:
    """Returns the video of a trial (mp4)."""
    with office.database.read() as session:
        submission = submissions.find(session, submission_id, account)
        wanted = (TrialRecord.submission_id == submission.id, TrialRecord.position == position)
        record = session.scalar(select(TrialRecord).where(*wanted))
    video = read_outcome(record).artifacts.get("video") if record else None
    path = office.settings.run(submission.id) / (video or "")
    if not video or not path.is_file():
        raise NotFoundError("There is no video of that trial.")
    return FileResponse(path, media_type="video/mp4")


def show(office: ServerOffice, account: Account, submission_id: str) -> SubmissionView:
    """Shows a submission to who may see it."""
    return _show(office, office.database, account, submission_id)


def _show(office: ServerOffice, database: Database, account: Account, submission_id: str) -> SubmissionView:
    with database.look() as reader:
        submission = submissions.look_up(reader, submission_id, account)
        owner = _owners(reader, account, [submission]).get(submission.account_id, "")
        return SubmissionView.of(submission, office.forecaster.place(reader, submission), owner)


def _owners(reader: Reader, viewer: Account, found: Sequence[Submission | Row[Any]]) -> dict[str, str]:
    """Names of the accounts of submissions by their ids, for operators alone."""
    if viewer.role != "operator":
        return {}
    wanted = Account.id.in_({submission.account_id for submission in found})
    return {row.id: row.name for row in reader.execute(select(Account.id, Account.name).where(wanted))}


def _find_again(office: ServerOffice, account: Account, key: str | None) -> Submission | None:
    with office.database.read() as session:
        return submissions.find_request(session, account, key)


def _accept(office: ServerOffice, account: Account, entry: Entry) -> SubmissionView:
    with office.database.write() as session:
        accepted = submissions.accept(session, office.queue, account, entry, office.settings.quota)
    with office.database.read() as session:
        return SubmissionView.of(accepted, office.forecaster.place(session, accepted))
