"""The tables of the server. Times are seconds since 1970 in UTC."""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import JSON, Double, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from pentathlon.server.queue.states import State

Role = Literal["user", "operator"]
RemoteSource = Literal["remote", "openpi", "vla-eval"]
Source = Literal["upload"] | RemoteSource
Challenge = Literal["representation", "policy", ""]
Order = Literal["run", "pause", "stop", "wait"]

NAME_LENGTH = 64
TASK_LENGTH = 128
TRIAL_LENGTH = 256


class Base(DeclarativeBase):
    """Base of all tables."""

    type_annotation_map = {float: Double, dict[str, Any]: JSON, list[dict[str, Any]]: JSON}  # noqa: RUF012 - read by SQLAlchemy as it stands


class Account(Base):
    """Somebody who submits, or who operates the server.

    A disabled one opens nothing; a deleted one is disabled until the clerk has removed all that belongs to it.
    """

    __tablename__ = "accounts"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH), unique=True)
    role: Mapped[Role] = mapped_column(String(16))
    share: Mapped[int]
    created_s: Mapped[float]
    disabled_s: Mapped[float | None]
    deleted_s: Mapped[float | None]


class Token(Base):
    """A token of an account, of which only the digest is kept."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64))
    label: Mapped[str] = mapped_column(String(NAME_LENGTH))
    created_s: Mapped[float]
    expires_s: Mapped[float]
    revoked_s: Mapped[float | None]


class SignIn(Base):
    """A browser that showed a token once, and shows a cookie since; only the cookie's digest is kept."""

    __tablename__ = "sign_ins"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    token_id: Mapped[str] = mapped_column(ForeignKey("tokens.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64))
    created_s: Mapped[float]
    expires_s: Mapped[float]


class Submission(Base):
    """A submission and its present state.

    ``claim`` numbers the workers that took it up; a worker may change the row only while the claim is its own.
    ``fruitless_claims`` counts those since the last recorded trial. ``priority`` orders the queue, lowest first.
    ``task`` is a versioned id, ``challenge`` empty where the task has one leaderboard, and ``scores`` the plain form
    of what the task makes of its outcomes.
    """

    __tablename__ = "submissions"
    __table_args__ = (
        UniqueConstraint("account_id", "request_key"),
        Index("submissions_by_queue", "state", "priority", "entered_s"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    request_key: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    source: Mapped[Source] = mapped_column(String(16))
    challenge: Mapped[Challenge] = mapped_column(String(16))
    task: Mapped[str] = mapped_column(String(TASK_LENGTH))
    title: Mapped[str] = mapped_column(String(NAME_LENGTH))
    sha256: Mapped[str] = mapped_column(String(64))
    size_bytes: Mapped[int]
    url: Mapped[str] = mapped_column(Text)
    remote_token: Mapped[str] = mapped_column(Text)
    state: Mapped[State] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    priority: Mapped[int]
    claim: Mapped[int]
    fruitless_claims: Mapped[int]
    worker: Mapped[str] = mapped_column(String(NAME_LENGTH))
    heartbeat_s: Mapped[float]
    created_s: Mapped[float]
    entered_s: Mapped[float]
    started_s: Mapped[float | None]
    ended_s: Mapped[float | None]
    trials_done: Mapped[int]
    trials_total: Mapped[int]
    scores: Mapped[list[dict[str, Any]] | None]


class StateChange(Base):
    """One step of a submission, kept as long as its results."""

    __tablename__ = "state_changes"

    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    state: Mapped[State] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    worker: Mapped[str] = mapped_column(String(NAME_LENGTH))
    at_s: Mapped[float]


class TrialRecord(Base):
    """The outcome of one trial, in its plain form; a trial can be recorded once only."""

    __tablename__ = "trials"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    trial: Mapped[str] = mapped_column(String(TRIAL_LENGTH), primary_key=True)
    position: Mapped[int]
    outcome: Mapped[dict[str, Any]]
    worker: Mapped[str] = mapped_column(String(NAME_LENGTH))
    recorded_s: Mapped[float]


class RobotRecord(Base):
    """What a robot does and what its operator wants of it.

    ``order`` is the operator's: run, pause (after the present submission) or stop (at once); a worker pauses itself
    after a fault, and waits when the disk is full. ``awaiting`` names the trial that waits for a person to confirm
    the bench, ``confirmed`` the one that was confirmed last.
    """

    __tablename__ = "robots"

    name: Mapped[str] = mapped_column(String(NAME_LENGTH), primary_key=True)
    driver: Mapped[str] = mapped_column(Text)
    order: Mapped[Order] = mapped_column(String(16))
    note: Mapped[str] = mapped_column(Text)
    submission_id: Mapped[str] = mapped_column(String(32))
    awaiting: Mapped[str] = mapped_column(String(NAME_LENGTH * 4))
    confirmed: Mapped[str] = mapped_column(String(NAME_LENGTH * 4))
    heartbeat_s: Mapped[float]


class Secret(Base):
    """Something that only the server knows."""

    __tablename__ = "secrets"

    name: Mapped[str] = mapped_column(String(NAME_LENGTH), primary_key=True)
    value: Mapped[str] = mapped_column(String(64))
