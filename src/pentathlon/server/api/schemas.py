"""What goes over the wire as JSON."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from sqlalchemy import Row

from pentathlon.core.entrants import Kind
from pentathlon.core.scores import Score
from pentathlon.core.trial import Status
from pentathlon.server.accounts.tokens import MAX_SHARE, Made
from pentathlon.server.queue.forecast import Place
from pentathlon.server.queue.offers import Offer
from pentathlon.server.queue.results import read_outcome, read_scores
from pentathlon.server.queue.states import State
from pentathlon.server.queue.tables import (
    NAME_LENGTH,
    TASK_LENGTH,
    Account,
    Challenge,
    RemoteSource,
    RobotRecord,
    Role,
    Source,
    StateChange,
    Submission,
    Token,
    TrialRecord,
)

NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH, pattern=NAME_PATTERN)]
PRINTABLE = r"^[^\x00-\x1f\x7f]*$"


# Letters and signs that show nothing, whatever Unicode calls them.
FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
MOST_MARKS = 4
"""On one letter; more of them are written over the lines above and below."""


def normalised(title: str) -> str:
    """Writes a title in one way: composed, single spaces, and nothing that is invisible or leaves its place."""
    shown, marks = [], 0
    for character in unicodedata.normalize("NFC", title):
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks <= MOST_MARKS and _is_shown(character):
            shown.append(character)
    return " ".join("".join(shown).split())


def _is_shown(character: str) -> bool:
    return character.isspace() or not (character in FILLERS or unicodedata.category(character).startswith("C"))


Title = Annotated[str, Field(max_length=NAME_LENGTH, pattern=PRINTABLE), AfterValidator(normalised)]
RequestKey = Annotated[str, Field(min_length=8, max_length=NAME_LENGTH, pattern=r"^[A-Za-z0-9_-]+$")]
TaskName = Annotated[str, Field(max_length=TASK_LENGTH, pattern=r"^[a-z]+/[a-z0-9-]+$")]
Id = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
Position = Annotated[int, Path(ge=0, le=9999)]
RobotName = Annotated[str, Path(max_length=NAME_LENGTH, pattern=NAME_PATTERN)]


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

    source: RemoteSource = Field("remote", description="What serves it: our serve_entrant, openpi's, or vla-eval.")
    url: str = Field(max_length=2000, pattern=PRINTABLE, description="Begins with ws:// or wss://.")
    token: str = Field(
        "", max_length=2000, pattern=PRINTABLE, description="Sent to the policy's server when connecting."
    )
    task: TaskName
    challenge: Challenge = ""
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
    expires: datetime

    @staticmethod
    def of(token: Token) -> TokenView:
        """Shows ``token``."""
        return TokenView(
            id=token.id, label=token.label, created=moment(token.created_s), expires=moment(token.expires_s)
        )


class MadeView(BaseModel):
    """A new token; ``token`` is shown this once."""

    account: AccountView
    id: str
    token: str

    @staticmethod
    def of(made: Made) -> MadeView:
        """Shows what was made."""
        return MadeView(account=AccountView.of(made.account), id=made.token.id, token=made.secret)


class TaskView(BaseModel):
    """A task that submissions may name."""

    id: str
    summary: str
    kind: Kind = Field(description="What is handed in: an encoder, agent, policy or judge.")
    challenges: list[Challenge] = Field(description="Its leaderboards; one without a name where it has no more.")
    trials: int

    @staticmethod
    def of(offer: Offer) -> TaskView:
        """Shows ``offer``."""
        challenges = list(offer.challenges)
        return TaskView(
            id=offer.id, summary=offer.summary, kind=offer.kind, challenges=challenges, trials=len(offer.trials)
        )


class ScoreView(BaseModel):
    """A number with its 95 % interval and the trials behind it."""

    metric: str
    value: float
    low: float | None
    high: float | None
    n: int
    errors: int
    unit: str
    higher_is_better: bool

    @staticmethod
    def of(score: Score) -> ScoreView:
        """Shows ``score``."""
        return ScoreView(**{name: getattr(score, name) for name in ScoreView.model_fields})


class StepView(BaseModel):
    """One step in the life of a submission."""

    state: State
    reason: str
    worker: str
    at: datetime

    @staticmethod
    def of(change: StateChange) -> StepView:
        """Shows ``change``."""
        return StepView(state=change.state, reason=change.reason, worker=change.worker, at=moment(change.at_s))


_SHOWN_AS_STORED = (
    *("id", "source", "challenge", "task", "title", "state", "reason"),
    *("trials_done", "trials_total"),
)


class SubmissionView(BaseModel):
    """A submission as its owner sees it. ``scores`` are there once it is finished, the headline first."""

    id: str
    source: Source
    challenge: Challenge
    task: str
    title: str
    state: State
    reason: str
    worker: str
    position: int | None = Field(description="Place in the queue; 1 is next.")
    starts_in_s: float | None = Field(description="Estimated seconds until a worker takes it.")
    trials_done: int
    trials_total: int
    created: datetime
    started: datetime | None
    ended: datetime | None
    scores: list[ScoreView] | None
    owner: str = Field(description="The name of its account; empty unless an operator looks.")

    @staticmethod
    def of(submission: Submission | Row[Any], place: Place | None, owner: str = "") -> SubmissionView:
        """Shows ``submission``."""
        return SubmissionView(
            **{name: getattr(submission, name) for name in _SHOWN_AS_STORED},
            worker=submission.worker if submission.started_s else "",
            position=place.position if place else None,
            starts_in_s=place.starts_in_s if place else None,
            created=moment(submission.created_s),
            started=None if submission.started_s is None else moment(submission.started_s),
            ended=None if submission.ended_s is None else moment(submission.ended_s),
            scores=None if submission.scores is None else _score_views(submission.scores),
            owner=owner,
        )


class TrialView(BaseModel):
    """The outcome of one trial; its video, where there is one, is at ``video``."""

    trial: str
    position: int
    status: Status
    error: str
    metrics: dict[str, float]
    details: dict[str, Any] = Field(description="What else the task tells of the trial.")
    steps: int
    video: str | None

    @staticmethod
    def of(record: TrialRecord) -> TrialView:
        """Shows ``record``."""
        outcome = read_outcome(record)
        video = f"/api/submissions/{record.submission_id}/trials/{record.position}/video"
        return TrialView(
            trial=record.trial,
            position=record.position,
            status=outcome.status,
            error=outcome.error,
            metrics=dict(outcome.metrics),
            details=dict(outcome.details),
            steps=outcome.steps,
            video=video if "video" in outcome.artifacts else None,
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


def _score_views(stored: list[dict[str, Any]]) -> list[ScoreView]:
    return [ScoreView.of(score) for score in read_scores(stored)]


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
