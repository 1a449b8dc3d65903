"""What goes over the wire as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from pentathlon.server.queue.accounts import MAX_SHARE, Made
from pentathlon.server.queue.forecast import Place
from pentathlon.server.queue.results import Summary, read_summary
from pentathlon.server.queue.states import State
from pentathlon.server.queue.tables import (
    NAME_LENGTH,
    Account,
    ActTask,
    Challenge,
    Kind,
    RemoteKind,
    RobotRecord,
    Role,
    StateChange,
    Submission,
    Token,
    TrialRecord,
)

Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
Title = Annotated[str, Field(max_length=NAME_LENGTH, pattern=PRINTABLE)]
RequestKey = Annotated[str, Field(min_length=8, max_length=NAME_LENGTH, pattern=r"^[A-Za-z0-9_-]+$")]
Id = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
Position = Annotated[int, Path(ge=0, le=9999)]
RobotName = Annotated[str, Path(max_length=NAME_LENGTH, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]


class Message(BaseModel):
    """Something said to the server."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """Why a request was not done, in one sentence."""

    error: str


class NewAccount(Message):
    """An account to be made; only operators may give a role or a share."""

    name: Name
    role: Role = "user"
    share: int = Field(1, ge=1, le=MAX_SHARE)


class NewToken(Message):
    """A token to be made."""

    label: Title = "token"


class NewRemote(Message):
    """A policy that its owner serves; the robot connects to it."""

    kind: RemoteKind = Field("remote", description="What serves it: our serve_policy, openpi's, or vla-eval.")
    url: str = Field(max_length=2000, pattern=PRINTABLE, description="Begins with ws:// or wss://.")
    token: str = Field(
        "", max_length=2000, pattern=PRINTABLE, description="Sent to the policy's server when connecting."
    )
    task: ActTask
    challenge: Challenge
    title: Title = ""


class AccountView(BaseModel):
    """An account as its owner sees it."""

    name: str
    role: str
    share: int

    @staticmethod
    def of(account: Account) -> AccountView:
        """Shows ``account``."""
        return AccountView(name=account.name, role=account.role, share=account.share)


class TokenView(BaseModel):
    """A token, without its secret."""

    id: str
    label: str
    created: datetime

    @staticmethod
    def of(token: Token) -> TokenView:
        """Shows ``token``."""
        return TokenView(id=token.id, label=token.label, created=moment(token.created_s))


class MadeView(BaseModel):
    """A new token; ``token`` is shown this once."""

    account: AccountView
    id: str
    token: str

    @staticmethod
    def of(made: Made) -> MadeView:
        """Shows what was made."""
        return MadeView(account=AccountView.of(made.account), id=made.token.id, token=made.secret)


class StepView(BaseModel):
    """One step in the life of a submission."""

    state: State
    reason: str
    robot: str
    at: datetime

    @staticmethod
    def of(change: StateChange) -> StepView:
        """Shows ``change``."""
        return StepView(state=change.state, reason=change.reason, robot=change.worker, at=moment(change.at_s))


class SubmissionView(BaseModel):
    """A submission as its owner sees it. ``summary`` is there once it is finished."""

    id: str
    kind: Kind
    challenge: Challenge
    task: ActTask
    title: str
    state: State
    reason: str
    robot: str
    position: int | None = Field(description="Place in the queue; 1 is next.")
    starts_in_s: float | None = Field(description="Estimated seconds until a robot takes it.")
    trials_done: int
    trials_total: int
    created: datetime
    started: datetime | None
    ended: datetime | None
    summary: Summary | None

    @staticmethod
    def of(submission: Submission, place: Place | None) -> SubmissionView:
        """Shows ``submission``."""
        return SubmissionView(
            id=submission.id,
            kind=submission.kind,
            challenge=submission.challenge,
            task=submission.task,
            title=submission.title,
            state=submission.state,
            reason=submission.reason,
            robot=submission.worker if submission.started_s else "",
            position=place.position if place else None,
            starts_in_s=place.starts_in_s if place else None,
            trials_done=submission.trials_done,
            trials_total=submission.trials_total,
            created=moment(submission.created_s),
            started=None if submission.started_s is None else moment(submission.started_s),
            ended=None if submission.ended_s is None else moment(submission.ended_s),
            summary=None if submission.summary is None else read_summary(submission.summary),
        )


class TrialView(BaseModel):
    """The result of one trial; its video is at ``video``."""

    trial: str
    position: int
    training_seed: int
    container: str
    location: str
    seen_location: bool
    reward_g: float
    success: bool
    steps: int
    video: str

    @staticmethod
    def of(record: TrialRecord) -> TrialView:
        """Shows ``record``."""
        return TrialView(
            trial=record.trial,
            position=record.position,
            training_seed=record.training_seed,
            container=record.container,
            location=record.location,
            seen_location=record.seen_location,
            reward_g=record.reward_g,
            success=record.success,
            steps=record.steps,
            video=f"/api/submissions/{record.submission_id}/trials/{record.position}/video",
        )


class RobotView(BaseModel):
    """A robot as everybody sees it."""

    name: str
    state: Literal["idle", "running", "waiting", "paused", "stopped", "lost"]
    note: str
    silent_s: float
    awaiting: str = Field(description="What a person must put on the bench and confirm; empty when nothing.")

    @staticmethod
    def of(robot: RobotRecord, now_s: float, lost_after_s: float) -> RobotView:
        """Shows ``robot``."""
        silent_s = max(0.0, now_s - robot.heartbeat_s)
        return RobotView(
            name=robot.name,
            state=_robot_state(robot, silent_s > lost_after_s),
            note=robot.note,
            silent_s=round(silent_s, 1),
            awaiting=robot.awaiting,
        )


def _robot_state(robot: RobotRecord, lost: bool) -> Any:
    if lost:
        return "lost"
    if robot.order == "stop":
        return "stopped"
    if robot.awaiting:
        return "waiting"
    if robot.submission_id:
        return "running"
    return "idle" if robot.order == "run" else "paused"


def moment(seconds: float) -> datetime:
    """Turns seconds since 1970 into a moment in UTC."""
    return datetime.fromtimestamp(seconds, UTC)
